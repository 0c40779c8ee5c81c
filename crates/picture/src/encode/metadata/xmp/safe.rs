//! A new packet of safe properties.

use std::fmt::Write;

use roxmltree::{Document, Node};

use outcome::CropNote;

use super::names::{AUX, DC, EXIF, EXIF_EX, PHOTOSHOP, RDF, RIGHTS, TIFF, XML, XMP};
use super::{PACKET_END, PACKET_START, parse, text_of};

/// The form of a property's values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A single text.
    Text,
    /// An ordered list (`rdf:Seq`).
    Row,
    /// An unordered list (`rdf:Bag`).
    Set,
    /// A text in several languages (`rdf:Alt`).
    Languages,
}

impl Form {
    const fn list(self) -> &'static str {
        match self {
            Self::Text => "",
            Self::Row => "rdf:Seq",
            Self::Set => "rdf:Bag",
            Self::Languages => "rdf:Alt",
        }
    }
}

/// A namespace, its usual prefix, and properties of it.
type Properties = (&'static str, &'static str, &'static [(&'static str, Form)]);

/// The safe properties: author, rights, dates, camera.
const SAFE: [Properties; 8] = [
    (DC, "dc", &[("creator", Form::Row), ("rights", Form::Languages)]),
    (XMP, "xmp", &[("CreateDate", Form::Text), ("ModifyDate", Form::Text)]),
    (
        RIGHTS,
        "xmpRights",
        &[("Marked", Form::Text), ("Owner", Form::Set), ("UsageTerms", Form::Languages), ("WebStatement", Form::Text)],
    ),
    (PHOTOSHOP, "photoshop", &[("AuthorsPosition", Form::Text), ("Credit", Form::Text), ("DateCreated", Form::Text)]),
    (
        TIFF,
        "tiff",
        &[("Artist", Form::Text), ("Copyright", Form::Languages), ("Make", Form::Text), ("Model", Form::Text)],
    ),
    (EXIF, "exif", &[("DateTimeDigitized", Form::Text), ("DateTimeOriginal", Form::Text)]),
    (EXIF_EX, "exifEX", &[("LensMake", Form::Text), ("LensModel", Form::Text)]),
    (AUX, "aux", &[("Lens", Form::Text)]),
];

/// Maximum number of values of a property, and maximum bytes of one: longer ones may hide other data.
const MAX_VALUES: usize = 64;
const MAX_VALUE: usize = 4096;

/// A value and its language.
struct Value {
    text: String,
    language: Option<String>,
}

/// A new packet of the safe properties of `packet`; `None` if there are none.
pub(in super::super) fn safe(packet: &[u8], notes: &mut Vec<CropNote>) -> Option<Vec<u8>> {
    let Some(document) = text_of(packet).and_then(parse) else {
        notes.push(
            "the photo's XMP data cannot be read: its author, rights and dates are not in the crop".to_owned().into(),
        );
        return None;
    };
    let mut written = String::new();
    for (namespace, prefix, properties) in SAFE {
        let mut lines = String::new();
        for &(name, form) in properties {
            let values = values_of(&document, namespace, name);
            if values.len() > MAX_VALUES || values.iter().any(|value| value.text.len() > MAX_VALUE) {
                notes.push(format!("the XMP property {prefix}:{name} is too long and is not in the crop").into());
                continue;
            }
            write_property(&mut lines, &format!("{prefix}:{name}"), form, &values);
        }
        if !lines.is_empty() {
            let _ = writeln!(written, "  <rdf:Description rdf:about=\"\" xmlns:{prefix}=\"{namespace}\">");
            written.push_str(&lines);
            written.push_str("  </rdf:Description>\n");
        }
    }
    if written.is_empty() {
        return None;
    }
    let packet = format!(
        "{PACKET_START}<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n <rdf:RDF xmlns:rdf=\"{RDF}\">\n{written} \
         </rdf:RDF>\n</x:xmpmeta>{PACKET_END}"
    );
    Some(packet.into_bytes())
}

/// The values of a property, from an attribute or an element with or without a list.
fn values_of(document: &Document<'_>, namespace: &str, name: &str) -> Vec<Value> {
    let described = document.descendants().filter(|node| {
        node.has_tag_name((RDF, "Description")) && node.parent().is_some_and(|parent| parent.has_tag_name((RDF, "RDF")))
    });
    for description in described {
        let mut values = Vec::new();
        if let Some(text) = description.attribute((namespace, name)) {
            values.extend(value(text, None));
        }
        for property in description.children().filter(|node| node.has_tag_name((namespace, name))) {
            let list = property
                .children()
                .find(|node| ["Seq", "Bag", "Alt"].iter().any(|list| node.has_tag_name((RDF, *list))));
            match list {
                Some(list) => {
                    let items = list.children().filter(|node| node.has_tag_name((RDF, "li")));
                    values.extend(items.take(MAX_VALUES + 1).filter_map(value_of));
                }
                None => values.extend(value_of(property)),
            }
        }
        if !values.is_empty() {
            return values;
        }
    }
    Vec::new()
}

/// The text of an element, or of its `rdf:value` or `rdf:resource`.
fn value_of(node: Node<'_, '_>) -> Option<Value> {
    let language = node.attribute((XML, "lang"));
    if let Some(link) = node.attribute((RDF, "resource")) {
        return value(link, language);
    }
    let holder = node.children().find(|child| child.has_tag_name((RDF, "value"))).unwrap_or(node);
    let text: String = holder.children().filter_map(|child| child.text().filter(|_| child.is_text())).collect();
    value(&text, language)
}

fn value(text: &str, language: Option<&str>) -> Option<Value> {
    let text = text.trim();
    (!text.is_empty()).then(|| Value { text: text.to_owned(), language: language.map(str::to_owned) })
}

fn write_property(lines: &mut String, name: &str, form: Form, values: &[Value]) {
    let [first, ..] = values else { return };
    if form == Form::Text {
        let _ = writeln!(lines, "   <{name}>{}</{name}>", escaped(&first.text));
        return;
    }
    let list = form.list();
    let _ = write!(lines, "   <{name}><{list}>");
    for value in values {
        let language = match (form, value.language.as_deref()) {
            (Form::Languages, language) => format!(" xml:lang=\"{}\"", escaped(language.unwrap_or("x-default"))),
            _ => String::new(),
        };
        let _ = write!(lines, "<rdf:li{language}>{}</rdf:li>", escaped(&value.text));
    }
    let _ = writeln!(lines, "</{list}></{name}>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
