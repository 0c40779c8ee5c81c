//! The rules of documents, as shares of the photo's height.

use serde::{Deserialize, Serialize};

/// The least and the most of a share, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Band {
    /// The least that is allowed.
    pub least: f32,
    /// The most that is allowed.
    pub most: f32,
}

/// What an issuing body asks of a photo, as far as this program can measure or state it.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DocumentRules {
    /// Height of the head, chin to crown, as a share of the photo's height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<Band>,
    /// Height of the eye line above the bottom edge, as a share of the photo's height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eye_line: Option<Band>,
    /// Room between crown and top edge, as a share of the photo's height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headroom: Option<Band>,
    /// The background asked for, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<String>,
    /// The smallest file accepted, in kilobytes of 1000 bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_kilobytes: Option<u32>,
    /// The largest file accepted, in kilobytes of 1000 bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_kilobytes: Option<u32>,
    /// True where altered photos are refused: adjustments, shapes and invented fill are switched off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unaltered: bool,
}
