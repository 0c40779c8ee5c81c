//! The XMP packet of a crop: a new one of safe properties, or the photo's with what describes the old file taken out.

mod edit;
mod names;
mod safe;

use roxmltree::{Document, ParsingOptions};

pub(super) use edit::corrected;
pub(super) use safe::safe;

/// Longest packet read. The first packet of a JPEG file has at most 64 KB; only long editing histories come near this.
const MAX_PACKET: usize = 1 << 20;
/// Attributes of one element; and declarations of namespaces in all. The parser's time grows with their squares.
const MAX_ATTRIBUTES: usize = 600;
const MAX_NAMESPACES: usize = 512;
/// Elements and texts.
const MAX_NODES: u32 = 200_000;

/// What stands before and after the XML, so that a packet can be found in a file of any format.
const PACKET_START: &str = "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n";
const PACKET_END: &str = "\n<?xpacket end=\"w\"?>";

/// A packet's text, where it has one that is not too long.
fn text_of(packet: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(packet).ok()?.trim_end_matches('\0');
    (text.len() <= MAX_PACKET).then(|| text.trim_start_matches('\u{feff}').trim())
}

/// The XML in `text`; `None` where it is broken, declares entities, or is made to take long.
fn parse(text: &str) -> Option<Document<'_>> {
    let is_honest = text.matches("xmlns").count() <= MAX_NAMESPACES
        && text.split('<').all(|tag| attributes_of(tag) <= MAX_ATTRIBUTES);
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    if is_honest { Document::parse_with_options(text, options).ok() } else { None }
}

/// The most attributes an element can have that starts with `tag`.
fn attributes_of(tag: &str) -> usize {
    tag.split('=').skip(1).filter(|rest| rest.trim_start().starts_with(['"', '\''])).count()
}

#[cfg(test)]
mod tests;
