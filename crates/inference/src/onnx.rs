//! ONNX files without an engine: the graph, a summary of the model, and removal of its fixed input size.

mod edit;
mod graph;
mod summary;
mod wire;

pub use edit::free_input_size;
pub use graph::{Constant, Graph, Node};
pub use summary::{ModelSummary, ValueSummary};
pub use wire::WireError;

#[cfg(test)]
mod tests {
    use geometry::Size;

    use super::*;
    use crate::ModelBytes;

    #[test]
    fn the_bundled_model_is_summarised() {
        let summary = ModelSummary::read(ModelBytes::bundled().as_bytes()).expect("reads");
        assert_eq!((summary.ir_version, summary.opsets.as_slice()), (6, &[(String::new(), 11)][..]));
        assert_eq!(summary.inputs.len(), 1);
        assert_eq!(
            (summary.inputs[0].element.as_str(), summary.inputs[0].dims.join(" ")),
            ("float32", "1 3 640 640".into())
        );
        assert_eq!(summary.outputs.len(), 12);
        assert_eq!(summary.operators[0], ("Conv".to_owned(), 53));
        // Measured separately: 344 million at 640 x 640, and a quarter of it at 320 x 320.
        let at = |side| summary.multiply_adds(Size::new(side, side)).expect("counts");
        assert_eq!(at(640) / 1_000_000, 344);
        assert_eq!(at(640), at(320) * 4);
    }

    #[test]
    fn the_models_of_faces_have_a_fixed_input() {
        for kind in recipe::ModelKind::OF_FACES {
            let summary = ModelSummary::read(ModelBytes::bundled_for(kind).as_bytes()).expect("reads");
            let side = crate::fixed_input(kind).expect("fixed");
            assert_eq!(summary.fixed_input(), Some(Size::new(side, side)), "{kind}");
            assert!(summary.multiply_adds(Size::new(side, side)).expect("counts") > 30_000_000, "{kind}");
        }
    }

    #[test]
    fn freeing_the_input_size_changes_shapes_only() {
        let model = ModelBytes::bundled();
        let freed = free_input_size(model.as_bytes()).expect("frees");
        assert!(freed.len() < model.as_bytes().len());
        let (before, after) = (ModelSummary::read(model.as_bytes()), ModelSummary::read(&freed));
        let (mut before, mut after) = (before.expect("reads"), after.expect("reads"));
        assert_eq!(after.inputs[0].dims, ["1", "3", "height", "width"]);
        assert_eq!((before.fixed_input(), after.fixed_input()), (Some(Size::new(640, 640)), None));
        assert!(after.outputs.iter().all(|output| output.dims[1].starts_with("rows_")));
        for summary in [&mut before, &mut after] {
            summary.inputs.clear();
            summary.outputs.clear();
        }
        assert_eq!(before, after);
        assert_eq!(free_input_size(&freed).expect("frees again"), freed);
    }

    #[test]
    fn other_files_are_rejected_and_truncated_ones_never_panic() {
        assert!(free_input_size(b"").is_err() && ModelSummary::read(b"words, words").is_err());
        let model = ModelBytes::bundled();
        let bytes = model.as_bytes();
        for length in (0..bytes.len()).step_by(997) {
            let _ = free_input_size(&bytes[..length]);
            let _ = Graph::read(&bytes[..length]);
            let _ = ModelSummary::read(&bytes[..length]);
        }
    }
}
