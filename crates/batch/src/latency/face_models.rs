//! The models that describe faces, in the measurement of a runtime.

use std::panic::{AssertUnwindSafe, catch_unwind};

use faces::{face_model_input, open_face_model};
use geometry::Point;
use inference::{Outputs, Session};
use outcome::{ModelReport, RuntimeFault};
use picture::Picture;
use pipeline::panic_message;
use recipe::ModelKind;

use super::MeasureRequest;
use super::agreement::face_outputs;
use super::measure::{other, timed_run, warm_run};

/// A square part of the probe image, in its pixels.
struct Cut {
    center: Point,
    side: f32,
}

/// Clockwise rotation of the face in the probe image, in degrees.
const ROLL: f32 = 3.0;

/// The part of the probe image that a model is shown: its only face, the face's right eye, or the head with its
/// surroundings.
const fn cut(model: ModelKind) -> Cut {
    match model {
        ModelKind::Detector | ModelKind::Landmarks => Cut { center: Point::new(138.0, 101.0), side: 141.0 },
        ModelKind::Eyelids => Cut { center: Point::new(118.0, 86.0), side: 46.0 },
        ModelKind::Person => Cut { center: Point::new(138.5, 87.0), side: 241.0 },
    }
}

/// Opens each model and runs it on a part of `probe`, or only opens it if that is `None`. Appends a report for each to
/// `reports` and the outputs to `outputs`; returns the open sessions.
pub(super) fn measure(
    request: &MeasureRequest,
    probe: Option<&Picture>,
    reports: &mut Vec<ModelReport>,
    outputs: &mut Outputs,
) -> Vec<Box<dyn Session>> {
    let mut sessions = Vec::new();
    for model in ModelKind::OF_FACES {
        let work = || measure_one(request, model, probe, outputs);
        let (warm_ms, fault) = match catch_unwind(AssertUnwindSafe(work)) {
            Ok(Ok((session, warm_ms))) => {
                sessions.push(session);
                (warm_ms, None)
            }
            Ok(Err(fault)) => (None, Some(fault)),
            Err(panic) => (None, Some(RuntimeFault::Panicked { message: panic_message(&*panic) })),
        };
        reports.push(ModelReport { model, warm_ms, fault });
    }
    sessions
}

fn measure_one(
    request: &MeasureRequest,
    model: ModelKind,
    probe: Option<&Picture>,
    all: &mut Outputs,
) -> Result<(Box<dyn Session>, Option<f64>), RuntimeFault> {
    let of = |error| RuntimeFault::of(&error);
    let mut session = open_face_model(request.kind, model, &request.session_options()).map_err(of)?;
    let Some(probe) = probe else { return Ok((session, None)) };
    let Cut { center, side } = cut(model);
    let input = face_model_input(probe, center, side, ROLL, session.info().input.width)
        .ok_or_else(|| other(&"the built-in image is empty"))?;
    let mut outputs = Outputs::new();
    timed_run(&mut *session, &input, &mut outputs).map_err(of)?;
    let warm_ms = warm_run(&mut *session, &input, request.runs, &mut outputs).map_err(of)?;
    // A model may have further outputs, whose names could be those of another model.
    for output in face_outputs(model).filter_map(|name| outputs.get(name)) {
        let index = all.iter().count();
        all.set(index, &output.name, &output.shape, output.values.iter().copied());
    }
    Ok((session, warm_ms))
}
