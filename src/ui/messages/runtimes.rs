//! Texts about the runtime in use and the others beside it.

use batch::latency::{ComparisonTable, is_about_equal};
use outcome::{RuntimeReport, RuntimeState, SessionInfo};
use recipe::{BackendKind, RuntimeChoice};

use super::super::language::{decimal, say, tr};
use super::super::state::{CompareObstacle, RuntimeGroup, RuntimeStatus};
use super::faults::runtime_fault;
use super::parts::choice_name;
use super::{in_group, ms, readiness};

/// What the system's loader reports about a library that another one needs.
const NOT_LOADED: &str = ": cannot open shared object file";

/// The runtime in use, its device, and its time per photo.
pub(crate) fn runtime_in_use(group: &RuntimeGroup) -> String {
    let name = choice_name(group.choice);
    match &group.status {
        RuntimeStatus::Opening { .. } => say!("{runtime}: opening", runtime = name),
        RuntimeStatus::Failed { requested, .. } => say!("{runtime}: failed", runtime = choice_name(*requested)),
        RuntimeStatus::Ready { runtime, .. } => {
            let engine = engine(&runtime.actual);
            let text = match group.photo_ms(runtime.actual.kind) {
                Some(time) => say!("{runtime}, {time} per photo", runtime = engine, time = ms(time)),
                None => engine,
            };
            match runtime.requested {
                RuntimeChoice::Auto if group.is_untested() => {
                    say!("Auto: {runtime}, testing others", runtime = text)
                }
                RuntimeChoice::Auto if group.is_untested() => say!("Auto: {runtime}, testing others", runtime = text),
                RuntimeChoice::Auto => say!("Auto: {runtime}", runtime = text),
                RuntimeChoice::Named(_) => text,
            }
        }
    }
}

/// The engine with its device, which the name of some engines contains.
fn engine(session: &SessionInfo) -> String {
    let (title, provider, device) = (session.kind.title(), in_group(session.kind), &session.device);
    match title.strip_suffix(provider) {
        _ if title.ends_with(device) => title.to_owned(),
        Some(library) if device.starts_with(provider) => format!("{library}{device}"),
        _ => format!("{title}, {device}"),
    }
}

/// The time per photo of a runtime, or in a few words why it cannot be used.
pub(crate) fn time_or_reason(report: Option<&RuntimeReport>) -> String {
    match report.map(|report| (report.state, report.photo_ms(), &report.fault)) {
        Some((RuntimeState::Ready, Some(time), _)) => ms(time),
        Some((RuntimeState::Failed, _, Some(fault))) => cause(&runtime_fault(fault)),
        _ => readiness(report).to_owned(),
    }
}

/// The cause within an error message, for places with little room: the library that is missing, else the message with the
/// names of files instead of their paths.
pub(crate) fn cause(message: &str) -> String {
    if let Some((before, _)) = message.split_once(NOT_LOADED) {
        let library = before.rsplit([' ', '/', ':']).find(|part| !part.is_empty()).unwrap_or(before);
        return say!("{library} is missing", library = library);
    }
    let without_folders = |word: &str| {
        let start = word.find(|c: char| !matches!(c, '"' | '\'' | '(')).unwrap_or(0);
        let is_path = word[start..].starts_with(['/', '\\']) || word[start..].get(1..3) == Some(":\\");
        match word.rfind(['/', '\\']) {
            Some(last) if is_path && last + 1 < word.len() => format!("{}{}", &word[..start], &word[last + 1..]),
            _ => word.to_owned(),
        }
    };
    message.split(' ').map(without_folders).collect::<Vec<_>>().join(" ")
}

/// Why no comparison can be started.
pub(crate) fn compare_obstacle(obstacle: CompareObstacle) -> &'static str {
    match obstacle {
        CompareObstacle::NoPhoto => tr("Add a photo first"),
        CompareObstacle::Exporting => tr("Wait for the export to finish; it would distort the times"),
        CompareObstacle::ReadingCards => tr("Wait until the cards are read; this would distort the times"),
        CompareObstacle::Testing => tr("Runtimes are still being checked"),
        CompareObstacle::NoRuntime => tr("Select a runtime first"),
    }
}

/// Which runtime a comparison found to be the fastest, then how fast the one in use is, or else the next one. `None` without a
/// fastest one.
pub(crate) fn fastest_runtime(table: &ComparisonTable, in_use: Option<BackendKind>) -> Option<String> {
    let fastest = table.fastest()?;
    let (runtime, time) = (in_sentence(fastest.kind), ms(fastest.photo()?.median));
    let is_best = in_use == Some(fastest.kind);
    let first = match is_best {
        true => say!("{runtime}, now in use, is the fastest: {time} per photo.", runtime = runtime, time = time),
        false => say!("{runtime} is the fastest: {time} per photo.", runtime = runtime, time = time),
    };
    let ranked = table.ranked();
    let other = ranked.iter().filter(|_| !is_best).find(|row| in_use == Some(row.kind)).or_else(|| ranked.get(1));
    let Some((other, times)) = other.and_then(|row| Some((row.kind, table.times_fastest(row)?))) else {
        return Some(first);
    };
    let (runtime, close) = (in_sentence(other), is_about_equal(times));
    let times = decimal(times, 1);
    let second = match (in_use == Some(other), close) {
        (true, true) => say!("{runtime}, now in use, is about as fast.", runtime = runtime),
        (true, false) => {
            say!("{runtime}, now in use, takes {times} times as long.", runtime = runtime, times = times)
        }
        (false, true) => say!("{runtime} is about as fast.", runtime = runtime),
        (false, false) => say!("{runtime} takes {times} times as long.", runtime = runtime, times = times),
    };
    Some(format!("{first} {second}"))
}

/// The name of a runtime without a comma: `ONNX Runtime (CPU)`.
fn in_sentence(kind: BackendKind) -> String {
    match kind.title().split_once(", ") {
        Some((library, provider)) => format!("{library} ({provider})"),
        None => kind.title().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use geometry::Size;
    use recipe::Provider;

    use super::*;

    #[test]
    fn the_cause_of_an_error_comes_before_the_path_to_it() {
        let cuda = "cannot be used on this machine: Failed to load library /opt/ort/libonnxruntime_providers_cuda.so with \
                    error: libcublasLt.so.13: cannot open shared object file: No such file or directory";
        assert_eq!(cause(cuda), "libcublasLt.so.13 is missing");
        let windows = r#"LoadLibrary failed with error 126 when trying to load "C:\Programs\ort\providers_cuda.dll""#;
        assert_eq!(cause(windows), r#"LoadLibrary failed with error 126 when trying to load "providers_cuda.dll""#);
        let relative = "run installer/onnxruntime/fetch.py --help";
        assert_eq!(cause(relative), relative);
    }

    #[test]
    fn the_engine_is_named_with_its_device_once() {
        let named = |kind, device: &str| {
            let (version, input, outputs) = (String::new(), Size::new(640, 640), Vec::new());
            engine(&SessionInfo { kind, version, device: device.to_owned(), input, outputs })
        };
        assert_eq!(named(BackendKind::Ort(Provider::Cpu), "CPU"), "ONNX Runtime, CPU");
        assert_eq!(named(BackendKind::Ort(Provider::Cuda), "CUDA 0 (RTX 4070)"), "ONNX Runtime, CUDA 0 (RTX 4070)");
        assert_eq!(named(BackendKind::Ort(Provider::OpenVino), "CPU"), "ONNX Runtime, OpenVINO, CPU");
        assert_eq!(named(BackendKind::Tract, "CPU"), "tract, CPU");
    }
}
