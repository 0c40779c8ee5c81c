//! Diagnostics from the window for bug reports. Always in English.

use std::sync::Arc;

use batch::diagnostics::{DiagnosisSpec, WindowFacts};
use outcome::OpenError;

use super::language::Language;
use super::state::{AppState, RuntimeStatus, Unanswered, Unavailable};

/// The state that the worker adds its own findings to.
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

/// Bug reports are in English.
fn in_english(error: &Unavailable<Arc<OpenError>>) -> String {
    match error {
        Unavailable::Answer(error) => error.to_string(),
        Unavailable::Unanswered(Unanswered::Failed(error)) => error.to_string(),
        Unavailable::Unanswered(Unanswered::Dropped) => "no answer was received".to_owned(),
    }
}

fn window_facts(state: &AppState) -> WindowFacts {
    let (in_use, why) = match &state.runtime.status {
        RuntimeStatus::Opening { .. } => ("still opening".to_owned(), None),
        RuntimeStatus::Failed { error, .. } => (format!("none: {}", in_english(error)), None),
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
        display: state.display.clone(),
        ..WindowFacts::default()
    }
}

/// Adds the screen's properties, which only the frame has.
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

/// The renderer: graphics API, vendor, device name and driver version.
pub(crate) fn renderer(creation: &eframe::CreationContext<'_>) -> Option<String> {
    #[cfg(any(target_os = "windows", target_os = "macos"))]
    if let Some(state) = &creation.wgpu_render_state {
        let info = state.adapter.get_info();
        return Some(format!("{:?}, {}, {} {}", info.backend, info.name, info.driver, info.driver_info));
    }
    use eframe::glow::{self, HasContext};
    #[expect(unsafe_code, reason = "glow calls OpenGL, a C library; every version supports these three names")]
    fn strings(gl: &glow::Context) -> [String; 3] {
        // SAFETY: the context is current while the window is being created, and the names are constants of OpenGL.
        [glow::VENDOR, glow::RENDERER, glow::VERSION].map(|name| unsafe { gl.get_parameter_string(name) })
    }
    let [vendor, name, version] = strings(creation.gl.as_ref()?);
    Some(format!("OpenGL, {vendor}, {name}, {version}"))
}
