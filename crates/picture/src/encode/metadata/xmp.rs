//! The XMP packet of a crop: a new one of safe properties, or the photo's with what describes the old file taken out.

mod edit;
mod names;
mod safe;

use crate::xmp_packet::{parse, text_of};

pub(super) use edit::corrected;
pub(super) use safe::safe;

/// What stands before and after the XML, so that a packet can be found in a file of any format.
const PACKET_START: &str = "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n";
const PACKET_END: &str = "\n<?xpacket end=\"w\"?>";

#[cfg(test)]
mod tests;
