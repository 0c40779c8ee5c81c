//! The corrected packet of the photo.

use std::ops::Range;

use roxmltree::{Attribute, Document, Node};

use geometry::Size;
use outcome::CropNote;

use super::names::{EXIF, FILE_SPECIFIC, FILE_SPECIFIC_PROPERTIES, NOTE, TIFF};
use super::{PACKET_END, PACKET_START, parse, text_of};

/// A range of the packet's text and its replacement.
type Edit = (Range<usize>, String);

/// `packet` with the orientation, resolution and size of the crop, without images and properties of the old file.
pub(in super::super) fn corrected(packet: &[u8], size: Size, dpi: u16, notes: &mut Vec<CropNote>) -> Option<Vec<u8>> {
    let edited = text_of(packet).and_then(|text| {
        let document = parse(text)?;
        if has_extension(&document) {
            notes.push("the second part of the photo's XMP data is not in the crop".to_owned().into());
        }
        let xml = apply(text, document.root_element().range(), &edits(&document, size, dpi))?;
        // The output is parsed once more: a packet is valid or dropped.
        parse(&xml).is_some().then(|| format!("{PACKET_START}{xml}{PACKET_END}").into_bytes())
    });
    if edited.is_none() {
        notes.push("the photo's XMP data cannot be read and is not in the crop".to_owned().into());
    }
    edited
}

fn has_extension(document: &Document<'_>) -> bool {
    document
        .descendants()
        .any(|node| node.has_tag_name((NOTE, "HasExtendedXMP")) || node.has_attribute((NOTE, "HasExtendedXMP")))
}

/// The necessary edits, in text order.
fn edits(document: &Document<'_>, size: Size, dpi: u16) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut removed_to = 0;
    for node in document.descendants() {
        if node.range().start < removed_to {
            continue;
        }
        if node.is_text() && node.text().is_some_and(is_picture) {
            // An element's text follows the element itself, which has no edit.
            let Some(holder) = node.parent_element() else { continue };
            edits.retain(|(range, _)| range.start < holder.range().start);
            removed_to = holder.range().end;
            edits.push((holder.range(), String::new()));
        } else if node.is_element() {
            let name = node.tag_name();
            let namespace = name.namespace().unwrap_or_default();
            if is_file_specific(namespace, name.name()) {
                removed_to = node.range().end;
                edits.push((node.range(), String::new()));
            } else if let Some(right) = right_value(namespace, name.name(), size, dpi) {
                removed_to = node.range().end;
                edits.push(correct_element(node, right));
            } else {
                edits.extend(node.attributes().filter_map(|attribute| correct_attribute(&attribute, size, dpi)));
            }
        }
    }
    edits
}

fn correct_element(node: Node<'_, '_>, right: String) -> Edit {
    match (node.first_child(), node.last_child()) {
        (Some(first), Some(last)) if first == last && first.is_text() => (first.range(), right),
        _ => (node.range(), String::new()),
    }
}

fn correct_attribute(attribute: &Attribute<'_, '_>, size: Size, dpi: u16) -> Option<Edit> {
    let namespace = attribute.namespace().unwrap_or_default();
    if is_file_specific(namespace, attribute.name()) || is_picture(attribute.value()) {
        return Some((attribute.range(), String::new()));
    }
    Some((attribute.range_value(), right_value(namespace, attribute.name(), size, dpi)?))
}

fn is_file_specific(namespace: &str, name: &str) -> bool {
    FILE_SPECIFIC.contains(&namespace)
        || FILE_SPECIFIC_PROPERTIES.iter().any(|(of, names)| *of == namespace && names.contains(&name))
}

/// The value of a property for the crop.
fn right_value(namespace: &str, name: &str, size: Size, dpi: u16) -> Option<String> {
    let right = match (namespace, name) {
        (TIFF, "Orientation") => "1".to_owned(),
        (TIFF, "ImageWidth") | (EXIF, "PixelXDimension") => size.width.to_string(),
        (TIFF, "ImageLength") | (EXIF, "PixelYDimension") => size.height.to_string(),
        (TIFF, "XResolution" | "YResolution") => format!("{dpi}/1"),
        (TIFF, "ResolutionUnit") => "2".to_owned(),
        _ => return None,
    };
    Some(right)
}

/// True for an image file in base64: JPEG, PNG, WebP, GIF, TIFF.
fn is_picture(text: &str) -> bool {
    const STARTS: [&str; 7] = ["/9j/", "iVBORw0K", "UklGR", "R0lGOD", "SUkqA", "TU0AK", "data:image/"];
    let text = text.trim_start();
    text.len() >= 64 && STARTS.iter().any(|start| text.starts_with(start))
}

/// The range `whole` of `text`, edited.
fn apply(text: &str, whole: Range<usize>, edits: &[Edit]) -> Option<String> {
    let mut xml = String::with_capacity(whole.len());
    let mut at = whole.start;
    for (range, instead) in edits {
        xml.push_str(text.get(at..range.start)?);
        xml.push_str(instead);
        at = range.end;
    }
    xml.push_str(text.get(at..whole.end)?);
    Some(xml)
}
