//! A batch under way: one photo a step, so that interactive requests come in between.

use std::sync::Arc;

use super::ExportJob;
use super::queue::Job;
use crate::encode::NameBook;

/// A batch and how far it has come.
pub(super) struct Batch {
    pub(super) job: Job,
    pub(super) spec: Arc<ExportJob>,
    pub(super) names: NameBook,
    pub(super) done: usize,
}

impl Batch {
    pub(super) fn new(job: Job, spec: Arc<ExportJob>) -> Self {
        let of_batch = spec.items.iter().map(|item| &item.photo.path);
        let originals: Vec<_> = of_batch.chain(&spec.originals).cloned().collect();
        let names = NameBook::new(spec.output.clone(), &originals).with_template(spec.template.clone());
        Self { job, spec, names, done: 0 }
    }

    /// True where no photo is left or nobody wants the rest.
    pub(super) fn has_ended(&self) -> bool {
        self.done == self.spec.items.len() || self.job.cancel.is_cancelled()
    }
}
