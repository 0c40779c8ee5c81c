//! The sessions of the models that describe faces: each is opened when first needed.

use engines::open_session;
use geometry::Size;
use inference::{ModelBytes, Outputs, Session, SessionOptions, fixed_input};
use outcome::{BackendError, FaceModelFault, ModelFault, OutputInfo, RuntimeFault};
use recipe::{BackendKind, ModelKind};

use crate::InputTensor;

/// Opens a session of the model for a task.
pub type OpenFaceModel = Box<dyn FnMut(ModelKind) -> Result<Box<dyn Session>, BackendError> + Send>;

/// The landmark, eyelid and person models on one runtime.
pub struct FaceModels {
    open: OpenFaceModel,
    states: [State; ModelKind::OF_FACES.len()],
}

enum State {
    Unopened,
    Open(Box<OpenModel>),
    Failed(RuntimeFault),
}

struct OpenModel {
    session: Box<dyn Session>,
    input: InputTensor,
    outputs: Outputs,
}

impl FaceModels {
    /// Models that `open` opens.
    pub fn new(open: OpenFaceModel) -> Self {
        Self { open, states: ModelKind::OF_FACES.map(|_| State::Unopened) }
    }

    /// The models of the runtime `kind`: those in the folder `options.runtime.face_models`, or the bundled ones.
    pub fn on_runtime(kind: BackendKind, options: &SessionOptions) -> Self {
        let options = options.clone();
        Self::new(Box::new(move |model| open_face_model(kind, model, &options)))
    }

    /// Fills the input of the model for `task`, runs it and returns its outputs.
    ///
    /// # Errors
    /// The model cannot be opened or run, now or at an earlier attempt.
    pub(super) fn run(
        &mut self,
        task: ModelKind,
        fill: impl FnOnce(&mut InputTensor),
    ) -> Result<&Outputs, FaceModelFault> {
        let failed = |fault: RuntimeFault| FaceModelFault { model: task, fault };
        let index = ModelKind::OF_FACES.iter().position(|kind| *kind == task).unwrap_or_default();
        if matches!(self.states[index], State::Unopened) {
            self.states[index] = match (self.open)(task) {
                Ok(session) => {
                    let input = InputTensor::new(session.info().input);
                    State::Open(Box::new(OpenModel { session, input, outputs: Outputs::new() }))
                }
                Err(error) => failed_state(task, &error),
            };
        }
        if let State::Open(model) = &mut self.states[index] {
            fill(&mut model.input);
            let OpenModel { session, input, outputs } = &mut **model;
            let ran = session.run(input.view(), outputs).and_then(|()| check_finite(session.info().kind, outputs));
            if let Err(error) = ran {
                self.states[index] = failed_state(task, &error);
            }
        }
        match &self.states[index] {
            State::Open(model) => Ok(&model.outputs),
            State::Failed(fault) => Err(failed(fault.clone())),
            State::Unopened => Err(failed(RuntimeFault::Unknown)),
        }
    }
}

/// Rejects the outputs of a model with broken weights.
fn check_finite(kind: BackendKind, outputs: &Outputs) -> Result<(), BackendError> {
    let is_finite = outputs.iter().all(|output| output.values.iter().all(|value| value.is_finite()));
    if is_finite { Ok(()) } else { Err(BackendError::Run { kind, reason: "an output is not finite".to_owned() }) }
}

fn failed_state(task: ModelKind, error: &BackendError) -> State {
    tracing::warn!(model = task.id(), %error, "faces are described without this model");
    State::Failed(RuntimeFault::of(error))
}

/// Opens the model for `task` on the runtime `kind` and checks its layout.
///
/// # Errors
/// The file cannot be read, the runtime cannot open it, or it has other outputs.
pub fn open_face_model(
    kind: BackendKind,
    task: ModelKind,
    options: &SessionOptions,
) -> Result<Box<dyn Session>, BackendError> {
    let model = ModelBytes::for_faces(task, &options.runtime)?;
    let side = fixed_input(task).unwrap_or_default();
    let options = SessionOptions { input: Size::new(side, side), ..options.clone() };
    let session = open_session(kind, &model, &options)?;
    check_layout(task, &session.info().outputs).map_err(|reason| BackendError::Load {
        kind,
        model: model.name,
        reason: ModelFault::Layout(reason),
    })?;
    Ok(session)
}

/// Names and number of values of the outputs that a task needs.
const fn needed_outputs(task: ModelKind) -> &'static [(&'static str, usize)] {
    match task {
        ModelKind::Detector => &[],
        ModelKind::Landmarks => &[("landmarks", 468 * 3), ("presence", 1)],
        ModelKind::Eyelids => &[("eye", 71 * 3), ("iris", 5 * 3)],
        ModelKind::Person => &[("person", 256 * 256)],
    }
}

fn check_layout(task: ModelKind, outputs: &[OutputInfo]) -> Result<(), String> {
    for (name, count) in needed_outputs(task) {
        let Some(output) = outputs.iter().find(|output| output.name == *name) else {
            return Err(format!("it has no output {name}"));
        };
        if let Some(shape) = &output.shape
            && shape.iter().product::<usize>() != *count
        {
            return Err(format!("its output {name} has the shape {shape:?}; {count} values are expected"));
        }
    }
    Ok(())
}
