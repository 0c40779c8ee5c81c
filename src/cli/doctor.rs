//! `iron-cropper doctor`.

use std::sync::Arc;

use anyhow::Context;
use clap::Args;

use batch::diagnostics::DiagnosisSpec;
use batch::worker::{Event, ProbesRequest, WorkerHandle};

use super::ask::ask;
use super::{Exit, TrialArgs, print};

/// Arguments of `doctor`.
#[derive(Clone, Debug, Args)]
pub struct DoctorArgs {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub trial: TrialArgs,
}

/// Prints diagnostics for a bug report; succeeds if a photo can be cropped.
pub(super) fn run(args: &DoctorArgs) -> anyhow::Result<Exit> {
    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let TrialArgs { afresh, model, session } = &args.trial;
    let spec = DiagnosisSpec {
        model: model.clone(),
        options: session.options(),
        afresh: *afresh,
        has_window: cfg!(feature = "window"),
        ..DiagnosisSpec::default()
    };
    let diagnosis = ask(&worker, ProbesRequest::Diagnose(Box::new(spec)), |event| match event {
        Event::Diagnosed(diagnosis) => Ok(Some(diagnosis)),
        _ => Ok(None),
    })?;
    let text = if args.json { serde_json::to_string(&diagnosis)? } else { diagnosis.to_string() };
    let _ = print::line(text.trim_end())?;
    Ok(if diagnosis.crop.cropped { Exit::Done } else { Exit::SomeFailed })
}
