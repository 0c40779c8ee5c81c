//! The output tensors of a run.

/// An output tensor.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct NamedOutput {
    /// The output's name in the model.
    pub name: String,
    /// Its shape.
    pub shape: Vec<usize>,
    /// Its values in row-major order.
    pub values: Vec<f32>,
}

/// All output tensors of a run; reused for further runs to avoid allocations.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Outputs {
    named: Vec<NamedOutput>,
}

impl Outputs {
    /// No outputs yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The output with the name `name`.
    pub fn get(&self, name: &str) -> Option<&NamedOutput> {
        self.named.iter().find(|output| output.name == name)
    }

    /// Every output, in the model's order.
    pub fn iter(&self) -> impl Iterator<Item = &NamedOutput> {
        self.named.iter()
    }

    /// Replaces the output at `index` (in the model's order), reusing its buffer.
    pub fn set(&mut self, index: usize, name: &str, shape: &[usize], values: impl IntoIterator<Item = f32>) {
        let buffer = self.buffer(index, name, shape);
        buffer.clear();
        buffer.extend(values);
    }

    /// The values of the output at `index`, of any length, to be overwritten.
    pub fn buffer(&mut self, index: usize, name: &str, shape: &[usize]) -> &mut Vec<f32> {
        if self.named.len() <= index {
            self.named.resize_with(index + 1, NamedOutput::default);
        }
        let output = &mut self.named[index];
        if output.name != name {
            name.clone_into(&mut output.name);
        }
        output.shape.clear();
        output.shape.extend_from_slice(shape);
        &mut output.values
    }
}
