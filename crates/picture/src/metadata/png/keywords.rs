//! An XMP packet from PNG's own keywords (PNG 3rd edition, section 11.3.3), so that they are preserved wherever XMP is.

use std::fmt::Write;

/// Maximum bytes of a text; longer ones are ignored.
const MAX_TEXT: usize = 4096;

/// The text chunks; the first of a kind takes precedence.
#[derive(Default)]
pub(super) struct Keywords {
    author: Option<String>,
    rights: Option<String>,
    created: Option<String>,
}

impl Keywords {
    /// True for a supported keyword that has not occurred yet.
    pub(super) fn take(&mut self, keyword: &[u8]) -> bool {
        self.place(keyword).is_some_and(|place| place.is_none())
    }

    /// Adds a text: UTF-8 if `is_utf_8`, otherwise Latin-1 according to the format, though many writers store UTF-8
    /// there.
    pub(super) fn offer(&mut self, keyword: &[u8], text: &[u8], is_utf_8: bool) {
        if text.len() > MAX_TEXT {
            return;
        }
        let text = match std::str::from_utf8(text) {
            Ok(text) => text.to_owned(),
            Err(_) if is_utf_8 => return,
            Err(_) => text.iter().map(|byte| char::from(*byte)).collect(),
        };
        // Not permitted in XML.
        let is_allowed = |letter: &char| !(letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}'));
        let text: String = text.chars().filter(|letter| matches!(letter, '\n' | '\t') || is_allowed(letter)).collect();
        let text = text.trim();
        let is_date = keyword == b"Creation Time";
        if text.is_empty() || (is_date && !is_iso_date(text)) {
            return;
        }
        if let Some(place) = self.place(keyword) {
            place.get_or_insert_with(|| text.to_owned());
        }
    }

    fn place(&mut self, keyword: &[u8]) -> Option<&mut Option<String>> {
        match keyword {
            b"Author" => Some(&mut self.author),
            b"Copyright" => Some(&mut self.rights),
            b"Creation Time" => Some(&mut self.created),
            _ => None,
        }
    }

    /// The packet; `None` if there were no texts.
    pub(super) fn packet(&self) -> Option<Vec<u8>> {
        let mut lines = String::new();
        if let Some(author) = &self.author {
            let author = escaped(author);
            let _ = writeln!(lines, "<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>");
        }
        if let Some(rights) = &self.rights {
            let rights = escaped(rights);
            let item = format!("<rdf:li xml:lang=\"x-default\">{rights}</rdf:li>");
            let _ = writeln!(lines, "<dc:rights><rdf:Alt>{item}</rdf:Alt></dc:rights>");
        }
        if let Some(created) = &self.created {
            let _ = writeln!(lines, "<xmp:CreateDate>{}</xmp:CreateDate>", escaped(created));
        }
        if lines.is_empty() {
            return None;
        }
        let packet = format!(
            "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n\
             <rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
             xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\">\n{lines}</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>"
        );
        Some(packet.into_bytes())
    }
}

/// True for a year with optional month, day and time in the format of XMP (ISO 8601).
fn is_iso_date(text: &str) -> bool {
    const SHAPE: &[u8] = b"0000-00-00T00:00:00";
    let bytes = text.as_bytes();
    let fits = |text: &[u8]| {
        text.iter().zip(SHAPE).all(|(byte, shape)| if *shape == b'0' { byte.is_ascii_digit() } else { byte == shape })
    };
    let (start, rest) = bytes.split_at(bytes.len().min(SHAPE.len()));
    if rest.is_empty() && matches!(start.len(), 4 | 7 | 10 | 19) {
        return fits(start);
    }
    // Without seconds, or with a fraction of them, followed by the time zone.
    let length = if start.get(16) == Some(&b':') { 19 } else { 16 };
    let (Some(start), Some(rest)) = (bytes.get(..length), bytes.get(length..)) else { return false };
    let rest = match rest.strip_prefix(b".") {
        Some(rest) if length == 19 => &rest[rest.iter().take_while(|byte| byte.is_ascii_digit()).count()..],
        _ => rest,
    };
    let is_zone = match rest {
        [] | [b'Z'] => true,
        [b'+' | b'-', zone @ ..] => {
            zone.len() == 5
                && zone[2] == b':'
                && zone.iter().enumerate().all(|(at, byte)| at == 2 || byte.is_ascii_digit())
        }
        _ => false,
    };
    fits(start) && is_zone
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
