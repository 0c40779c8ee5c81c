//! Runtime errors, and the search for libraries. The English texts are those of `outcome`.

use std::sync::Arc;

use batch::latency::{Found, Place};
use outcome::{
    AutoReason, BackendError, BadEnd, DetectError, LibraryError, ModelFault, Obstacle, OpenError, RuntimeFault,
    RuntimeState, TELEMETRY_VARIABLE, device_list,
};
use recipe::RuntimeLibrary;

use super::super::language::{decimal, say, tr};
use super::models::incomplete_runtime;
use super::parts::{plain, shown};

/// Why a runtime could not be opened.
pub(crate) fn open_error(error: &OpenError) -> String {
    match error {
        OpenError::Backend(error) => backend_error(error),
        OpenError::Detect(error) => detect_error(error),
        OpenError::Tried { kind, fault, .. } => format!("{kind}: {}", runtime_fault(fault)),
        OpenError::NoneWorks { failures } => {
            let mut reasons: Vec<String> = failures.iter().map(open_error).collect();
            reasons.dedup();
            say!("no runtime can be used: {reasons}", reasons = reasons.join("; "))
        }
        OpenError::NoDevice { name, devices } if devices.is_empty() => {
            say!("no usable runtime has a device with '{name}' in its name: no devices were found", name = name)
        }
        OpenError::NoDevice { name, devices } => say!(
            "no usable runtime has a device with '{name}' in its name; devices found: {devices}",
            name = name,
            devices = device_list(devices)
        ),
        OpenError::NoChoiceOfDevices { kind, name } => say!(
            "{runtime} has no choice of devices; leave out '{name}', or choose another runtime",
            runtime = kind,
            name = name
        ),
        OpenError::Panicked { message } => say!("internal error in the runtime: {message}", message = message),
    }
}

/// Why a runtime cannot be used; its name is shown beside it.
pub(crate) fn runtime_fault(fault: &RuntimeFault) -> String {
    match fault {
        RuntimeFault::NotIncluded => tr("not included in this build").to_owned(),
        RuntimeFault::Library { error, named } => {
            let empty = |(name, path): &(String, std::path::PathBuf)| {
                say!(" ({name} points to {path}, which contains none)", name = name, path = shown(path))
            };
            let named: String = named.iter().map(empty).collect();
            library_error(error) + &named
        }
        RuntimeFault::NotInLibrary => tr(
            "not in the ONNX Runtime library in use; another build of it may have it: installer/onnxruntime/fetch.py --help",
        )
        .to_owned(),
        RuntimeFault::Provider { reason } => say!("cannot be used on this machine: {reason}", reason = reason),
        RuntimeFault::NotAModel { path } => say!("{path} is not a model file", path = shown(path)),
        RuntimeFault::ModelUnreadable { path, reason } => {
            say!("the model file {path} cannot be read: {reason}", path = shown(path), reason = reason)
        }
        RuntimeFault::Load { model, reason } => {
            say!("cannot load the model {model}: {reason}", model = model, reason = model_fault(reason))
        }
        RuntimeFault::Run { reason } => say!("failed while running the model: {reason}", reason = reason),
        RuntimeFault::Panicked { message } => say!("internal error: {message}", message = message),
        RuntimeFault::BadEnd(end) => say!("the test process {what}", what = bad_end(end)),
        RuntimeFault::Unknown => tr("failed").to_owned(),
        RuntimeFault::Other(message) => message.clone(),
    }
}

fn bad_end(end: &BadEnd) -> String {
    match end {
        BadEnd::Crash { how, last_line } => {
            let last = last_line.as_ref().map(|line| format!(": {line}")).unwrap_or_default();
            say!("crashed ({how})", how = how) + &last
        }
        BadEnd::Slow { limit } => {
            say!("took longer than {seconds} s", seconds = plain((limit.as_secs_f64() * 10.0).round() / 10.0))
        }
        BadEnd::Chatter { megabytes } => say!("printed more than {megabytes} MB", megabytes = *megabytes),
    }
}

/// Why an engine rejects a model.
pub(super) fn model_fault(fault: &ModelFault) -> String {
    match fault {
        ModelFault::NotOnnx => tr("not an ONNX file: its protocol buffer is truncated or malformed").to_owned(),
        ModelFault::Layout(reason) => say!("it has another layout: {reason}", reason = reason),
        ModelFault::Engine(message) => message.clone(),
    }
}

/// A library as a title.
pub(crate) fn library_title(library: RuntimeLibrary) -> String {
    say!("{library} library", library = library.title())
}

/// Why a library cannot be used.
pub(crate) fn library_error(error: &LibraryError) -> String {
    match error {
        LibraryError::NotFound { library } => say!(
            "the {library} library was not found; run {script}, or give its path with {option}",
            library = library.title(),
            script = library.fetched_by(),
            option = library.option()
        ),
        LibraryError::NotThere { library, path } => {
            say!("{path} contains no {library} library", path = shown(path), library = library.title())
        }
        LibraryError::Unloadable { path, reason } => {
            say!("{path} cannot be loaded: {reason}", path = shown(path), reason = reason)
        }
        LibraryError::OtherLibrary { path } => say!("{path} is not an ONNX Runtime library", path = shown(path)),
        LibraryError::TooOld { path, found, needed } => say!(
            "{path} is ONNX Runtime {found}; {needed} or newer is needed: run installer/onnxruntime/fetch.py",
            path = shown(path),
            found = found,
            needed = needed
        ),
        LibraryError::OtherVersion { path, needed } => say!(
            "{path} is not the library of LiteRT {needed}, the only version that can be used: run {script}",
            path = shown(path),
            needed = needed,
            script = RuntimeLibrary::LiteRt.fetched_by()
        ),
        LibraryError::RestartToApply { path, loaded } => {
            say!("{path} is already loaded; restart to use {other}", path = shown(loaded), other = shown(path))
        }
        LibraryError::ReportsOn => say!(
            "ONNX Runtime is not loaded because it could send telemetry; set {variable}=1 before starting the program",
            variable = TELEMETRY_VARIABLE
        ),
        LibraryError::Unsafe { path, what } => {
            say!("{path}: the test process {what}", path = shown(path), what = bad_end(what))
        }
    }
}

/// An error of an engine or of its model.
pub(crate) fn backend_error(error: &BackendError) -> String {
    match error {
        BackendError::NotIncluded { kind } => say!("{runtime} is not included in this build", runtime = *kind),
        BackendError::ModelUnreadable { path, source } => {
            say!("the model file {path} cannot be read: {reason}", path = shown(path), reason = source.to_string())
        }
        BackendError::Library(error) => library_error(error),
        BackendError::NotInLibrary { kind } => say!(
            "{runtime} is not in the ONNX Runtime library in use; another build of it may have it: installer/onnxruntime/fetch.py --help",
            runtime = *kind
        ),
        BackendError::Provider { kind, reason } => {
            say!("{runtime} cannot be used on this machine: {reason}", runtime = *kind, reason = reason)
        }
        BackendError::NotAModel { path } => say!("{path} is not a model file", path = shown(path)),
        BackendError::Load { kind, model, reason } => {
            say!(
                "{runtime} cannot load the model {model}: {reason}",
                runtime = *kind,
                model = model,
                reason = model_fault(reason)
            )
        }
        BackendError::InputShape { got, wanted } => say!(
            "the input has the shape {got}; the session expects {wanted}",
            got = format!("{got:?}"),
            wanted = format!("{wanted:?}")
        ),
        BackendError::Run { kind, reason } => {
            say!("{runtime} failed while running the model: {reason}", runtime = *kind, reason = reason)
        }
    }
}

/// A detection error.
pub(crate) fn detect_error(error: &DetectError) -> String {
    match error {
        DetectError::Backend(error) => backend_error(error),
        DetectError::NotYunet { model, reason } => {
            say!("{model} is not a YuNet face model: {reason}", model = model, reason = reason)
        }
        DetectError::Resize { reason } => {
            say!("the image cannot be resized for the model: {reason}", reason = reason)
        }
    }
}

/// Why Auto has chosen a runtime.
pub(crate) fn auto_why(why: &AutoReason) -> String {
    let times = why.times.iter().map(|(kind, ms)| say!("{runtime} {time} ms", runtime = *kind, time = decimal(*ms, 1)));
    let incomplete = why.incomplete.iter().map(|(kind, ms, faults)| incomplete_runtime(*kind, *ms, faults));
    let differ = why.differ.iter().map(|kind| say!("{runtime}: results differ from the reference", runtime = *kind));
    let obstacles =
        why.obstacles.iter().map(|(what, kinds)| format!("{}: {}", AutoReason::shared_by(kinds), obstacle(what)));
    let mut parts: Vec<String> = times.chain(incomplete).chain(differ).chain(obstacles).collect();
    if why.is_untested {
        parts = vec![tr("the first that opens, while the runtimes are tested").to_owned()];
    } else if why.times.is_empty() && why.incomplete.is_empty() {
        parts = vec![tr("the first that opens, because none could be measured").to_owned()];
    }
    let late = |error: &Arc<OpenError>| say!("could not be opened: {reason}", reason = open_error(error));
    parts.extend(why.not_opened.iter().map(late));
    parts.join(tr("; "))
}

fn obstacle(what: &Obstacle) -> String {
    match what {
        Obstacle::NotInLibrary => tr("not in this library").to_owned(),
        Obstacle::Fault(fault) => runtime_fault(fault),
        Obstacle::State(RuntimeState::Ready) => tr("ready").to_owned(),
        Obstacle::State(RuntimeState::Missing) => tr("missing").to_owned(),
        Obstacle::State(RuntimeState::Failed) => tr("failed").to_owned(),
        Obstacle::State(RuntimeState::Unsupported) => tr("unsupported").to_owned(),
    }
}

/// A search path of the library.
pub(crate) fn place(place: Place) -> &'static str {
    match place {
        Place::Configured => tr("option or setting"),
        Place::Variable(name) => name,
        Place::Program => tr("next to the program"),
        Place::Bundle => tr("app bundle"),
        Place::Data => tr("data folder"),
        Place::System => tr("system"),
        Place::PkgConfig => "pkg-config",
    }
}

/// Result at a search path.
pub(crate) fn found(found: &Found) -> String {
    match found {
        Found::Library(path) => say!("found {path}", path = shown(path)),
        Found::Nothing => tr("not found").to_owned(),
        Found::Unset => tr("not set").to_owned(),
        Found::Passed => tr("not checked").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use outcome::FaceModelFault;
    use recipe::{BackendKind, ModelKind};

    use super::super::super::language::{Language, set_current};
    use super::*;

    fn library_errors() -> Vec<LibraryError> {
        let path = || PathBuf::from("/lib/x.so");
        vec![
            LibraryError::NotFound { library: RuntimeLibrary::OnnxRuntime },
            LibraryError::NotThere { library: RuntimeLibrary::LiteRt, path: path() },
            LibraryError::Unloadable { path: path(), reason: "a reason".to_owned() },
            LibraryError::OtherLibrary { path: path() },
            LibraryError::TooOld { path: path(), found: "1.9".to_owned(), needed: "1.20".to_owned() },
            LibraryError::OtherVersion { path: path(), needed: "2.3.0".to_owned() },
            LibraryError::RestartToApply { path: path(), loaded: "/other".into() },
            LibraryError::ReportsOn,
            LibraryError::Unsafe { path: path(), what: BadEnd::Slow { limit: Duration::from_millis(8_500) } },
            LibraryError::Unsafe {
                path: path(),
                what: BadEnd::Crash { how: "signal 6".to_owned(), last_line: Some("bye".to_owned()) },
            },
            LibraryError::Unsafe { path: path(), what: BadEnd::Chatter { megabytes: 4 } },
        ]
    }

    fn open_errors() -> Vec<OpenError> {
        let (kind, message) = (BackendKind::Rten, || "a reason".to_owned());
        let engines = vec![
            BackendError::NotIncluded { kind },
            BackendError::NotInLibrary { kind },
            BackendError::Provider { kind, reason: message() },
            BackendError::NotAModel { path: "/m.onnx".into() },
            BackendError::Load { kind, model: "m".to_owned(), reason: message().into() },
            BackendError::InputShape { got: vec![1, 3], wanted: vec![1, 4] },
            BackendError::Run { kind, reason: message() },
        ];
        let faults = vec![
            RuntimeFault::NotIncluded,
            RuntimeFault::NotInLibrary,
            RuntimeFault::Provider { reason: message() },
            RuntimeFault::NotAModel { path: "/m.onnx".into() },
            RuntimeFault::ModelUnreadable { path: "/m.onnx".into(), reason: message() },
            RuntimeFault::Load { model: "m".to_owned(), reason: message().into() },
            RuntimeFault::Load { model: "m".to_owned(), reason: ModelFault::NotOnnx },
            RuntimeFault::Run { reason: message() },
            RuntimeFault::Panicked { message: message() },
            RuntimeFault::BadEnd(BadEnd::Chatter { megabytes: 4 }),
            RuntimeFault::Unknown,
            RuntimeFault::Library {
                error: LibraryError::NotFound { library: RuntimeLibrary::LiteRt },
                named: vec![("ORT_DYLIB_PATH".to_owned(), "/nowhere".into())],
            },
        ];
        let state = RuntimeState::Failed;
        let mut all: Vec<OpenError> = engines.into_iter().map(OpenError::Backend).collect();
        all.extend(library_errors().into_iter().map(|error| OpenError::Backend(error.into())));
        all.extend(faults.into_iter().map(|fault| OpenError::Tried { kind, state, fault }));
        all.push(OpenError::Panicked { message: message() });
        all.push(OpenError::NoChoiceOfDevices { kind, name: "RTX".to_owned() });
        let device = outcome::Device { number: 1, name: message() };
        all.extend([vec![], vec![device]].map(|devices| OpenError::NoDevice { name: "RTX".to_owned(), devices }));
        all.push(OpenError::NoneWorks { failures: vec![BackendError::NotIncluded { kind }.into()] });
        all
    }

    #[test]
    fn english_texts_match_the_command_line() {
        for error in open_errors() {
            assert_eq!(open_error(&error), error.to_string());
        }
        for one in [Place::Configured, Place::Program, Place::Bundle, Place::Data, Place::System] {
            assert_eq!(place(one), one.to_string());
        }
        for one in [Found::Library("/lib/x.so".into()), Found::Nothing, Found::Unset, Found::Passed] {
            assert_eq!(found(&one), one.to_string());
        }
    }

    #[test]
    fn the_reason_for_autos_choice_is_reported() {
        let (tract, rten) = (BackendKind::Tract, BackendKind::Rten);
        let late = Arc::new(OpenError::Backend(BackendError::NotIncluded { kind: rten }));
        let without_mask = FaceModelFault { model: ModelKind::Person, fault: RuntimeFault::Unknown };
        let measured = AutoReason {
            times: vec![(tract, 12.34), (rten, 40.0)],
            incomplete: vec![(BackendKind::Burn, 105.0, vec![without_mask])],
            differ: vec![BackendKind::Candle],
            obstacles: vec![
                (Obstacle::NotInLibrary, vec![BackendKind::Burn]),
                (Obstacle::State(RuntimeState::Failed), vec![rten]),
            ],
            is_untested: false,
            not_opened: vec![late],
        };
        let untested = AutoReason { is_untested: true, ..AutoReason::default() };
        for why in [&measured, &untested, &AutoReason::default()] {
            assert_eq!(auto_why(why), why.to_string());
        }
        set_current(Language::German);
        let (text, first) = (auto_why(&measured), auto_why(&AutoReason::default()));
        set_current(Language::English);
        assert!(text.starts_with("tract 12,3\u{a0}ms; ") || text.starts_with("tract 12,3 ms; "), "{text}");
        assert_ne!(first, AutoReason::default().to_string());
    }

    #[test]
    fn every_runtime_error_is_translated() {
        for language in Language::ALL.into_iter().filter(|language| *language != Language::English) {
            set_current(language);
            for error in open_errors() {
                let text = open_error(&error);
                assert_ne!(text, error.to_string(), "{language:?}");
                assert!(!text.contains('{'), "{language:?}: {text}");
            }
        }
        set_current(Language::German);
        let slow = library_error(&library_errors()[8]);
        set_current(Language::English);
        assert!(slow.contains("8,5"), "{slow}");
    }
}
