//! What the window knows of itself for those who help: in English whatever it speaks.

use std::sync::Arc;

use batch::diagnostics::{DiagnosisSpec, WindowFacts};
use outcome::OpenError;

use super::language::Language;
use super::state::{AppState, RuntimeStatus, Trouble, Unanswered};

/// What is to be looked at.
pub(crate) fn diagnosis_spec(state: &AppState) -> DiagnosisSpec {
    DiagnosisSpec {
        has_window: true,
        model: state.runtime.model.clone(),
        options: state.runtime.options.clone(),
        settings: Some(state.settings.clone()),
        window: Some(window_facts(state)),
        afresh: false,
    }
}

/// Those who help read English.
fn in_english(trouble: &Trouble<Arc<OpenError>>) -> String {
    match trouble {
        Trouble::Answer(error) => error.to_string(),
        Trouble::Unanswered(Unanswered::Failed(error)) => error.to_string(),
        Trouble::Unanswered(Unanswered::Dropped) => "it was not answered".to_owned(),
    }
}

fn window_facts(state: &AppState) -> WindowFacts {
    let (in_use, why) = match &state.runtime.status {
        RuntimeStatus::Opening { .. } => ("still opening".to_owned(), None),
        RuntimeStatus::Failed { trouble, .. } => (format!("none: {}", in_english(trouble)), None),
        RuntimeStatus::Ready { runtime, load_ms } => {
            let actual = &runtime.actual;
            let (name, version, device) = (actual.kind.id(), &actual.version, &actual.device);
            (
                format!("{name} {version} on {device}, ready after {load_ms:.0} ms"),
                runtime.why.as_ref().map(ToString::to_string),
            )
        }
    };
    WindowFacts {
        asked: state.runtime.choice.id().to_owned(),
        in_use,
        why,
        renderer: state.renderer.clone(),
        ..WindowFacts::default()
    }
}

/// Adds what only the frame knows.
pub(crate) fn add_screen(spec: &mut DiagnosisSpec, ctx: &egui::Context, language: Language) {
    let Some(window) = &mut spec.window else { return };
    window.text_scale = ctx.zoom_factor();
    window.language = language.tag().to_owned();
    ctx.input(|input| {
        let viewport = input.viewport();
        window.scale = viewport.native_pixels_per_point;
        window.monitor = viewport.monitor_size.map(|size| [size.x, size.y]);
        window.inside = viewport.inner_rect.map(|rect| [rect.width(), rect.height()]);
    });
}

/// What draws the window: the graphics interface, the card's maker, its name and its driver's version.
pub(crate) fn renderer(creation: &eframe::CreationContext<'_>) -> Option<String> {
    #[cfg(any(target_os = "windows", target_os = "macos"))]
    if let Some(state) = &creation.wgpu_render_state {
        let info = state.adapter.get_info();
        return Some(format!("{:?}, {}, {} {}", info.backend, info.name, info.driver, info.driver_info));
    }
    use eframe::glow::{self, HasContext};
    #[expect(unsafe_code, reason = "glow asks OpenGL, which is C; these three names are known to every version")]
    fn strings(gl: &glow::Context) -> [String; 3] {
        // SAFETY: the context is current while the window is being created, and the names are constants of OpenGL.
        [glow::VENDOR, glow::RENDERER, glow::VERSION].map(|name| unsafe { gl.get_parameter_string(name) })
    }
    let [vendor, name, version] = strings(creation.gl.as_ref()?);
    Some(format!("OpenGL, {vendor}, {name}, {version}"))
}
