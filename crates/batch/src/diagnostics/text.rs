//! Diagnostics as plain text, to be pasted into a bug report.

use std::fmt::{self, Display, Formatter, Write};

use outcome::device_lines;
use recipe::RuntimeLibrary;

use super::{CropTrial, Diagnosis, DisplayFacts, FolderFacts, LibraryFacts, MachineFacts, RuntimeFacts, WindowFacts};

impl Display for Diagnosis {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let debug = if self.debug_build { "; not optimised" } else { "" };
        writeln!(f, "Iron Cropper {} ({}{debug})", self.version, self.features.join(", "))?;
        machine(f, &self.machine)?;
        display(f, &self.display)?;
        if let Some(facts) = &self.window {
            window(f, facts)?;
        }
        let model = if self.own_model || self.own_face_models { ", tested with a custom model" } else { "" };
        writeln!(f, "\nRuntimes{model}:")?;
        let (ready, others): (Vec<_>, Vec<_>) = self.runtimes.iter().partition(|facts| facts.reason.is_none());
        for facts in ready {
            writeln!(f, "  {}", runtime(facts))?;
            for model in &facts.models {
                if let Some(reason) = &model.reason {
                    writeln!(f, "    without {}: {reason}", model.name)?;
                }
            }
        }
        // Several runtimes share one library, so a shared reason is printed once.
        for together in others.chunk_by(|a, b| (a.state, &a.reason) == (b.state, &b.reason)) {
            let names: Vec<&str> = together.iter().map(|facts| facts.name).collect();
            let reason = together[0].reason.as_deref().unwrap_or_default();
            writeln!(f, "  {}: {}: {reason}", names.join(", "), together[0].state)?;
        }
        let devices = device_lines(self.runtimes.iter().map(|facts| (facts.name, &*facts.devices)));
        devices.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        if let Some(auto) = self.auto {
            writeln!(f, "  auto selects {auto}: {}", self.auto_why.as_deref().unwrap_or_default())?;
        }
        library(f, RuntimeLibrary::OnnxRuntime, &self.library)?;
        library(f, RuntimeLibrary::LiteRt, &self.litert)?;
        writeln!(f, "\nFolders:")?;
        self.folders.iter().try_for_each(|facts| writeln!(f, "  {}", folder(facts)))?;
        writeln!(f, "\nSettings that differ from the defaults:")?;
        match &self.settings.problem {
            Some(problem) => writeln!(f, "  the settings file cannot be used: {problem}")?,
            None if self.settings.changed.is_empty() => writeln!(f, "  none")?,
            None => {}
        }
        self.settings.changed.iter().try_for_each(|(name, value)| writeln!(f, "  {name} = {value}"))?;
        writeln!(f, "\nLast errors in the window's log:")?;
        if self.errors.is_empty() {
            writeln!(f, "  none")?;
        }
        self.errors.iter().try_for_each(|error| writeln!(f, "  {} {}", error.time, error.text))?;
        writeln!(f, "\n{}", crop(&self.crop))
    }
}

fn library(f: &mut Formatter<'_>, name: RuntimeLibrary, facts: &LibraryFacts) -> fmt::Result {
    let found = facts.found.as_deref().or(facts.problem.as_deref()).unwrap_or("not found");
    writeln!(f, "\n{name} library: {found}")?;
    facts.places.iter().try_for_each(|place| writeln!(f, "  {place}"))
}

fn machine(f: &mut Formatter<'_>, facts: &MachineFacts) -> fmt::Result {
    let kernel = facts.kernel.as_ref().map(|kernel| format!(", kernel {kernel}")).unwrap_or_default();
    let version = facts.version.as_deref().unwrap_or("version unknown");
    writeln!(f, "System: {} {}: {version}{kernel}", facts.os, facts.arch)?;
    let processor = facts.processor.as_deref().unwrap_or("model unknown");
    writeln!(f, "Processor: {processor}, {} threads", facts.threads)?;
    match (facts.memory_mb, facts.free_mb) {
        (Some(all), Some(free)) => writeln!(f, "Memory: {all} MB, {free} MB free"),
        (Some(all), None) => writeln!(f, "Memory: {all} MB"),
        (None, _) => writeln!(f, "Memory: unknown"),
    }
}

fn display(f: &mut Formatter<'_>, facts: &DisplayFacts) -> fmt::Result {
    let mut parts = vec![format!("session {}", facts.session.as_deref().unwrap_or("unknown"))];
    parts.extend(facts.desktop.as_ref().map(|desktop| format!("desktop {desktop}")));
    if facts.wayland {
        parts.push("Wayland".to_owned());
    }
    if facts.x11 {
        parts.push("X11".to_owned());
    }
    if !facts.x11 && !facts.wayland && cfg!(target_os = "linux") {
        parts.push("no display is set".to_owned());
    }
    parts.extend(facts.variables.iter().cloned());
    writeln!(f, "Display: {}", parts.join(", "))?;
    if cfg!(any(target_os = "linux", target_os = "macos")) {
        let devices = if facts.devices.is_empty() { "none".to_owned() } else { facts.devices.join(", ") };
        writeln!(f, "Graphics devices: {devices}")?;
    }
    Ok(())
}

fn window(f: &mut Formatter<'_>, facts: &WindowFacts) -> fmt::Result {
    let size = |size: Option<[f32; 2]>| size.map_or("unknown".to_owned(), |[w, h]| format!("{w:.0} x {h:.0}"));
    let scale = facts.scale.map_or("unknown".to_owned(), |scale| scale.to_string());
    writeln!(f, "Renderer: {}", facts.renderer.as_deref().unwrap_or("unknown"))?;
    if let Some(display) = &facts.display {
        writeln!(f, "Display server: {display}")?;
    }
    writeln!(
        f,
        "Window: {} points on a monitor of {}, scale {scale}, text {}, language {}",
        size(facts.inside),
        size(facts.monitor),
        facts.text_scale,
        facts.language
    )?;
    writeln!(f, "Requested: {}", facts.asked)?;
    writeln!(f, "In use: {}", facts.in_use)?;
    facts.why.iter().try_for_each(|why| writeln!(f, "Why: {why}"))
}

fn runtime(facts: &RuntimeFacts) -> String {
    let ms = |ms: f64| if ms < 10.0 { format!("{ms:.1} ms") } else { format!("{ms:.0} ms") };
    let mut text = format!("{}: {}", facts.name, facts.state);
    for (name, value) in [
        ("version", facts.version.clone()),
        ("device", facts.device.clone()),
        ("load", facts.load_ms.map(ms)),
        ("first run", facts.first_ms.map(ms)),
        ("warm run", facts.warm_ms.map(ms)),
        ("photo", facts.photo_ms.map(ms)),
        ("agrees", facts.agrees.map(|agrees| if agrees { "yes" } else { "no" }.to_owned())),
    ] {
        if let Some(value) = value {
            let _ = write!(text, ", {name} {value}");
        }
    }
    text
}

fn folder(facts: &FolderFacts) -> String {
    let state = match (&facts.problem, facts.exists) {
        (None, true) => "can be written",
        (None, false) => "does not exist yet, can be created",
        (Some(problem), _) => return format!("{}: {}: CANNOT be written: {problem}", facts.name, facts.path),
    };
    format!("{}: {}: {state}", facts.name, facts.path)
}

fn crop(trial: &CropTrial) -> String {
    let reasons = if trial.reasons.is_empty() { String::new() } else { format!(" ({})", trial.reasons.join("; ")) };
    match (trial.cropped, trial.runtime, trial.faces) {
        (true, Some(runtime), Some(faces)) => format!(
            "A photo can be cropped: {runtime} found {faces} face{} in the built-in image and a crop was written in {:.0} ms{reasons}.",
            if faces == 1 { "" } else { "s" },
            trial.took_ms.unwrap_or_default()
        ),
        _ => format!("A photo CANNOT be cropped{reasons}."),
    }
}
