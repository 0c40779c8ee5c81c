//! The XMP packet: its text, its XML within limits, and the orientation property.

use roxmltree::{Document, Node, ParsingOptions};

/// Maximum size of a packet. The first packet of a JPEG file has at most 64 KB; only long editing histories come near
/// this limit.
pub(crate) const MAX_PACKET: usize = 1 << 20;
/// Maximum number of attributes per element; and of namespace declarations in total. The parser's time grows with their
/// squares.
const MAX_ATTRIBUTES: usize = 600;
const MAX_NAMESPACES: usize = 512;
/// Maximum number of elements and texts.
const MAX_NODES: u32 = 200_000;

const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const TIFF: &str = "http://ns.adobe.com/tiff/1.0/";

/// A packet's text, if it is valid and not too long.
pub(crate) fn text_of(packet: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(packet).ok()?.trim_end_matches('\0');
    (text.len() <= MAX_PACKET).then(|| text.trim_start_matches('\u{feff}').trim())
}

/// The XML in `text`; `None` if it is invalid, declares entities, or exceeds the limits.
pub(crate) fn parse(text: &str) -> Option<Document<'_>> {
    let is_honest = text.matches("xmlns").count() <= MAX_NAMESPACES
        && text.split('<').all(|tag| attributes_of(tag) <= MAX_ATTRIBUTES);
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    if is_honest { Document::parse_with_options(text, options).ok() } else { None }
}

/// The maximum number of attributes of an element that starts with `tag`.
fn attributes_of(tag: &str) -> usize {
    tag.split('=').skip(1).filter(|rest| rest.trim_start().starts_with(['"', '\''])).count()
}

/// `tiff:Orientation` of the image itself: a number as in EXIF.
pub(super) fn orientation(packet: &[u8]) -> Option<u16> {
    // Most packets lack it and need not be parsed.
    memchr::memmem::find(packet, b"Orientation")?;
    let document = parse(text_of(packet)?)?;
    let is_description = |node: &Node<'_, '_>| {
        let below = node.parent().is_some_and(|parent| parent.has_tag_name((RDF, "RDF")));
        below && node.has_tag_name((RDF, "Description"))
    };
    document.descendants().filter(is_description).find_map(|description| {
        let element = |node: &Node<'_, '_>| node.has_tag_name((TIFF, "Orientation"));
        let text = description.attribute((TIFF, "Orientation"));
        let text = text.or_else(|| description.children().find(element)?.text());
        text?.trim().parse().ok()
    })
}
