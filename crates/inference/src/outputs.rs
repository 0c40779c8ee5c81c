//! A run's outputs, by name.

/// One output tensor.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct NamedOutput {
    /// The output's name in the model.
    pub name: String,
    /// Its shape.
    pub shape: Vec<usize>,
    /// Its values, row by row.
    pub values: Vec<f32>,
}

/// All outputs of a run; kept from run to run so that their buffers are reused.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Outputs {
    named: Vec<NamedOutput>,
}

impl Outputs {
    /// No outputs yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The output called `name`.
    pub fn get(&self, name: &str) -> Option<&NamedOutput> {
        self.named.iter().find(|output| output.name == name)
    }

    /// Every output, in the model's order.
    pub fn iter(&self) -> impl Iterator<Item = &NamedOutput> {
        self.named.iter()
    }

    /// Replaces the output at `index` (the model's order), keeping its buffer where there is one.
    pub fn set(&mut self, index: usize, name: &str, shape: &[usize], values: impl IntoIterator<Item = f32>) {
        if self.named.len() <= index {
            self.named.resize_with(index + 1, NamedOutput::default);
        }
        let output = &mut self.named[index];
        if output.name != name {
            name.clone_into(&mut output.name);
        }
        output.shape.clear();
        output.shape.extend_from_slice(shape);
        output.values.clear();
        output.values.extend(values);
    }
}
