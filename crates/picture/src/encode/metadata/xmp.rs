//! The XMP packet of a crop: a new one with safe properties, or the photo's without properties of the old file.

mod edit;
mod names;
mod safe;

use crate::xmp_packet::{parse, text_of};

pub(super) use edit::corrected;
pub(super) use safe::safe;

/// The XMP packet wrapper, which makes a packet detectable in any file.
const PACKET_START: &str = "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n";
const PACKET_END: &str = "\n<?xpacket end=\"w\"?>";

#[cfg(test)]
mod tests;
