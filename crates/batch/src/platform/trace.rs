//! Writes spans as a Chrome trace: a JSON array of events for `chrome://tracing` and <https://ui.perfetto.dev>.
//!
//! Events are written as spans are entered and left, one per line. The array is closed whenever a span ends and reopened
//! for the next event, so that an interrupted run leaves valid JSON as well.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use serde_json::{Map, Value, json};
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// Reports whether a trace was written completely; clones share the state.
#[derive(Clone, Debug, Default)]
pub struct TraceCheck {
    error: Arc<OnceLock<String>>,
}

impl TraceCheck {
    /// The system's error message if the trace is incomplete; `None` if it is complete or was not requested.
    pub fn error(&self) -> Option<&str> {
        self.error.get().map(String::as_str)
    }
}

/// A tracing layer that writes the start and end of each span.
pub(super) struct TraceLayer {
    start: Instant,
    sink: Mutex<Sink>,
}

struct Sink {
    file: BufWriter<File>,
    /// Threads seen so far; a thread's number in the trace is its index plus one.
    threads: Vec<std::thread::ThreadId>,
    check: TraceCheck,
}

/// The fields of a span, stored in its extensions.
struct Fields(Map<String, Value>);

impl TraceLayer {
    /// A layer that writes to the empty `file`.
    pub(super) fn new(file: File) -> Self {
        let mut sink = Sink { file: BufWriter::new(file), threads: Vec::new(), check: TraceCheck::default() };
        let begun = sink.file.write_all(b"[").and_then(|()| sink.close());
        sink.note(begun);
        Self { start: Instant::now(), sink: Mutex::new(sink) }
    }

    /// A handle that reports write errors.
    pub(super) fn check(&self) -> TraceCheck {
        self.sink.lock().map(|sink| sink.check.clone()).unwrap_or_default()
    }

    /// Writes one event of `phase`: `B` for entering a span, `E` for leaving it.
    fn write(&self, phase: char, name: &str, target: &str, fields: Option<&Map<String, Value>>) {
        let time_us = self.start.elapsed().as_nanos() as f64 / 1e3;
        let Ok(mut sink) = self.sink.lock() else { return };
        // After a failed write the events would not be paired, so nothing more is written.
        if sink.check.error().is_some() {
            return;
        }
        let thread = sink.thread();
        let event = json!({
            "ph": phase.to_string(), "name": name, "cat": target, "ts": time_us, "pid": 1, "tid": thread,
            "args": fields.cloned().unwrap_or_default(),
        });
        sink.add(&event);
        if phase == 'E' {
            let closed = sink.close();
            sink.note(closed);
        }
    }
}

impl Sink {
    /// The number of this thread; writes the thread's name on first use.
    fn thread(&mut self) -> usize {
        let this = std::thread::current();
        if let Some(known) = self.threads.iter().position(|known| *known == this.id()) {
            return known + 1;
        }
        self.threads.push(this.id());
        let number = self.threads.len();
        let name = this.name().unwrap_or("unnamed");
        self.add(&json!({"ph": "M", "name": "thread_name", "pid": 1, "tid": number, "args": {"name": name}}));
        number
    }

    fn add(&mut self, event: &Value) {
        // The first event of the file is the name of the first thread.
        let is_first = event["ph"] == "M" && self.threads.len() == 1;
        let written = write!(self.file, "{}{event}", if is_first { "\n" } else { ",\n" });
        self.note(written);
    }

    /// Stores the first error; a failed write never stops the work.
    fn note(&self, result: io::Result<()>) {
        if let Err(error) = result {
            let _ = self.check.error.set(error.to_string());
        }
    }

    /// Closes the array, then seeks back to before the closing bracket.
    fn close(&mut self) -> io::Result<()> {
        const END: &[u8] = b"\n]\n";
        self.file.write_all(END)?;
        self.file.seek(SeekFrom::Current(-(END.len() as i64)))?;
        Ok(())
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for TraceLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Fields(Map::new());
        attributes.record(&mut fields);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(fields);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(fields) = span.extensions_mut().get_mut::<Fields>()
        {
            values.record(fields);
        }
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            let extensions = span.extensions();
            self.write('B', span.name(), span.metadata().target(), extensions.get::<Fields>().map(|fields| &fields.0));
        }
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            self.write('E', span.name(), span.metadata().target(), None);
        }
    }
}

impl Visit for Fields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}").into());
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[test]
    fn spans_become_pairs_of_events_with_their_fields() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("trace.json");
        let layer = TraceLayer::new(File::create(&path).expect("created"));
        let check = layer.check();
        assert_eq!(std::fs::read_to_string(&path).expect("exists"), "[\n]\n");
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            let _outer = tracing::debug_span!("stage", stage = "inference", photo = 3_u64).entered();
            let _inner = tracing::debug_span!("inference", runtime = "tract").entered();
        });
        assert_eq!(check.error(), None);
        let text = std::fs::read_to_string(&path).expect("exists");
        let events: Vec<Value> = serde_json::from_str(&text).expect("a list of events");
        let spans: Vec<(&str, &str)> = events
            .iter()
            .map(|event| (event["ph"].as_str().unwrap_or(""), event["name"].as_str().unwrap_or("")))
            .collect();
        let expected = [("M", "thread_name"), ("B", "stage"), ("B", "inference"), ("E", "inference"), ("E", "stage")];
        assert_eq!(spans, expected);
        assert_eq!(events[1]["args"], json!({"stage": "inference", "photo": 3}));
        assert!(events.iter().skip(1).all(|event| event["tid"] == 1 && event["ts"].as_f64().is_some()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_write_error_is_reported_and_does_not_stop_the_work() {
        let full = File::options().write(true).open("/dev/full").expect("exists on Linux");
        let layer = TraceLayer::new(full);
        let check = layer.check();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            let _span = tracing::debug_span!("stage").entered();
        });
        assert!(check.error().is_some_and(|error| error.contains("space")), "{:?}", check.error());
    }
}
