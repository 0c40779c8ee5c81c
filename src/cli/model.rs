//! `iron-cropper model`.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, bail};
use serde::Serialize;

use batch::worker::{Event, ModelPage, ProbesRequest, ValueSummary, WorkerHandle};
use geometry::Size;
use outcome::model_title;
use recipe::ModelKind;

use super::ask::ask;
use super::runtime_args::ModelArgs;
use super::{Exit, print};

/// Raised if a field changes its meaning or is removed; new fields do not raise it.
const SCHEMA: u32 = 2;

#[derive(Serialize)]
struct ModelLine<'a> {
    schema: u32,
    model: &'a str,
    kind: Option<&'static str>,
    ir_version: i64,
    opsets: Vec<OpsetEntry<'a>>,
    producer: &'a str,
    inputs: Vec<ValueEntry<'a>>,
    outputs: Vec<ValueEntry<'a>>,
    operators: BTreeMap<&'a str, usize>,
    parameters: u64,
    input_size: [u32; 2],
    multiply_adds: Option<u64>,
    runtimes: Vec<LoadEntry>,
}

#[derive(Serialize)]
struct OpsetEntry<'a> {
    domain: &'a str,
    version: i64,
}

#[derive(Serialize)]
struct ValueEntry<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    element: &'a str,
    dims: Vec<DimEntry<'a>>,
}

/// A dimension: a number, or the name of a symbol.
#[derive(Serialize)]
#[serde(untagged)]
enum DimEntry<'a> {
    Number(u64),
    Symbol(&'a str),
}

#[derive(Serialize)]
struct LoadEntry {
    name: &'static str,
    loads: bool,
    reason: Option<String>,
}

/// Prints a summary of a model file, or of every model in use.
pub(super) fn run(args: &ModelArgs) -> anyhow::Result<Exit> {
    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let face_models = args.file.is_none();
    let request =
        ProbesRequest::DescribeModel { model: args.file.clone(), face_models, options: args.session.options() };
    let pages = ask(&worker, request, |event| match event {
        Event::ModelDescribed(pages) => Ok(Some(pages)),
        _ => Ok(None),
    })?;
    let mut exit = Exit::Done;
    for (index, page) in pages.into_iter().enumerate() {
        let page = match page {
            Ok(page) => page,
            Err(error) if args.file.is_some() => bail!("{error}"),
            Err(error) => {
                print::note(&error.to_string());
                exit = Exit::SomeFailed;
                continue;
            }
        };
        let input = args.input.unwrap_or(page.input);
        let text = if args.json { in_json(&page, input)? } else { as_text(&page, input) };
        let gap = if index > 0 && !args.json { "\n" } else { "" };
        if print::line(&format!("{gap}{text}"))?.is_closed() {
            break;
        }
    }
    Ok(exit)
}

fn in_json(page: &ModelPage, input: Size) -> serde_json::Result<String> {
    let summary = &page.summary;
    let loads = page.loads.iter().map(|(kind, loads)| LoadEntry {
        name: kind.id(),
        loads: loads.is_ok(),
        reason: loads.as_ref().err().map(ToString::to_string),
    });
    serde_json::to_string(&ModelLine {
        schema: SCHEMA,
        model: &page.name,
        kind: page.kind.map(ModelKind::id),
        ir_version: summary.ir_version,
        opsets: summary.opsets.iter().map(|(domain, version)| OpsetEntry { domain, version: *version }).collect(),
        producer: &summary.producer,
        inputs: summary.inputs.iter().map(value_entry).collect(),
        outputs: summary.outputs.iter().map(value_entry).collect(),
        operators: summary.operators.iter().map(|(operator, count)| (operator.as_str(), *count)).collect(),
        parameters: summary.parameters,
        input_size: [input.width, input.height],
        multiply_adds: summary.multiply_adds(input),
        runtimes: loads.collect(),
    })
}

fn value_entry(value: &ValueSummary) -> ValueEntry<'_> {
    let dim = |dim: &'_ String| dim.parse().ok().map(DimEntry::Number);
    let dims = value.dims.iter().map(|text| dim(text).unwrap_or(DimEntry::Symbol(text))).collect();
    ValueEntry { name: &value.name, element: &value.element, dims }
}

fn as_text(page: &ModelPage, input: Size) -> String {
    let summary = &page.summary;
    let kind = page.kind.map(|kind| format!(": {}", model_title(kind))).unwrap_or_default();
    let mut lines = vec![format!("{}{kind}", page.name)];
    let opsets: Vec<String> = summary
        .opsets
        .iter()
        .map(|(domain, version)| format!("{} {version}", if domain.is_empty() { "opset" } else { domain }))
        .collect();
    let producer =
        if summary.producer.is_empty() { String::new() } else { format!(", produced by {}", summary.producer) };
    lines.push(format!("    IR version {}, {}{producer}", summary.ir_version, opsets.join(", ")));
    for (what, values) in [("input ", &summary.inputs), ("output", &summary.outputs)] {
        for value in values {
            lines.push(format!("    {what} {}: {} {}", value.name, value.element, value.dims.join(" x ")));
        }
    }
    let operators: Vec<String> = summary.operators.iter().map(|(name, count)| format!("{count} {name}")).collect();
    lines.push(format!("    operators: {}", operators.join(", ")));
    let work = match summary.multiply_adds(input) {
        Some(count) => format!("{:.1} million multiply-adds for an input of {input}", count as f64 / 1e6),
        None => "multiply-adds cannot be derived from the file".to_owned(),
    };
    lines.push(format!("    {} parameters; {work}", summary.parameters));
    for (kind, loads) in &page.loads {
        lines.push(match loads {
            Ok(()) => format!("    {kind} loads it"),
            Err(reason) => format!("    {kind} cannot load it: {reason}"),
        });
    }
    lines.join("\n")
}
