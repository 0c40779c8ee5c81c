//! The tasks that need a model.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A task that needs a model of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelKind {
    /// Finds faces: box, score and five landmarks.
    Detector,
    /// 468 landmarks of one face.
    Landmarks,
    /// Eyelids and iris of one eye.
    Eyelids,
    /// The pixels that show a person.
    Person,
}

impl ModelKind {
    /// Every kind, in the order in which a photo needs them.
    pub const ALL: [Self; 4] = [Self::Detector, Self::Landmarks, Self::Eyelids, Self::Person];

    /// The kinds that describe a face that is already found. Without them, photos are still cropped.
    pub const OF_FACES: [Self; 3] = [Self::Landmarks, Self::Eyelids, Self::Person];

    /// The name used in JSON and on the command line.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Detector => "detector",
            Self::Landmarks => "landmarks",
            Self::Eyelids => "eyelids",
            Self::Person => "person",
        }
    }
}

impl fmt::Display for ModelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
