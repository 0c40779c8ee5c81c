//! Tests with packets as written by programs, and broken ones.

use roxmltree::Document;

use geometry::Size;

use super::super::tests::next;
use super::names::{DC, RDF};
use super::*;
use crate::xmp_packet::MAX_PACKET;

const SIZE: Size = Size::new(413, 531);
const DPI: u16 = 300;

fn packet(body: &str) -> String {
    format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n\
         <x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"{RDF}\" xmlns:dc=\"{DC}\" \
         xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmlns:tiff=\"http://ns.adobe.com/tiff/1.0/\" \
         xmlns:exif=\"http://ns.adobe.com/exif/1.0/\" xmlns:photoshop=\"http://ns.adobe.com/photoshop/1.0/\" \
         xmlns:xmpRights=\"http://ns.adobe.com/xap/1.0/rights/\" xmlns:xmpNote=\"http://ns.adobe.com/xmp/note/\" \
         xmlns:g=\"http://ns.adobe.com/xap/1.0/g/img/\" xmlns:crs=\"http://ns.adobe.com/camera-raw-settings/1.0/\" \
         xmlns:Container=\"http://ns.google.com/photos/1.0/container/\" \
         xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\">{body}</rdf:RDF></x:xmpmeta>\n{}\n<?xpacket end=\"w\"?>",
        " ".repeat(2000)
    )
}

fn rich() -> String {
    let picture = "/9j/4AAQSkZJRgABAQEASABIAAD".repeat(4);
    packet(&format!(
        "<rdf:Description rdf:about=\"\" xmp:CreateDate=\"2024-05-06T07:08:09\" tiff:Orientation=\"6\" \
         exif:PixelXDimension='6000' exif:GPSLatitude=\"52,0N\" photoshop:City=\"Berlin\" hdrgm:Version=\"1.0\" \
         photoshop:Credit=\"Anna &amp; &quot;Co&quot; &lt;1&gt;\" crs:Exposure=\"+0.5\" xmpRights:Marked=\"True\" \
         crs:Look=\"{picture}\">\
         <dc:creator><rdf:Seq><rdf:li>Anna Äuthor</rdf:li><rdf:li>Berta</rdf:li></rdf:Seq></dc:creator>\
         <dc:rights><rdf:Alt><rdf:li xml:lang=\"x-default\">(c) Anna</rdf:li><rdf:li xml:lang=\"de\">(c) Ännchen</rdf:li>\
         </rdf:Alt></dc:rights>\
         <dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">Berta at home</rdf:li></rdf:Alt></dc:description>\
         <exif:PixelYDimension>4000</exif:PixelYDimension><tiff:ImageWidth/><tiff:XResolution>72/1</tiff:XResolution>\
         <tiff:BitsPerSample><rdf:Seq><rdf:li>8</rdf:li></rdf:Seq></tiff:BitsPerSample>\
         <xmp:Thumbnails><rdf:Alt><rdf:li g:format=\"JPEG\"><g:image>{picture}</g:image></rdf:li></rdf:Alt></xmp:Thumbnails>\
         <Container:Directory><rdf:Seq><rdf:li>GainMap</rdf:li></rdf:Seq></Container:Directory>\
         <crs:Preview>\n{picture}</crs:Preview>\
         <xmpRights:WebStatement rdf:resource=\"https://example.org/a?b=1&amp;c=2\"/>\
         </rdf:Description>"
    ))
}

fn run(text: &str, keep_all: bool) -> (Option<String>, Vec<String>) {
    let mut notes = Vec::new();
    let made =
        if keep_all { corrected(text.as_bytes(), SIZE, DPI, &mut notes) } else { safe(text.as_bytes(), &mut notes) };
    let notes = notes.iter().map(ToString::to_string).collect();
    (made.map(|packet| String::from_utf8(packet).expect("UTF-8")), notes)
}

#[test]
fn safe_writes_a_new_packet_of_author_rights_and_dates() {
    let (made, notes) = run(&rich(), false);
    let made = made.expect("a packet");
    let document = Document::parse(&made).expect("valid");
    let mut names: Vec<String> = document
        .descendants()
        .filter(|node| node.parent_element().is_some_and(|parent| parent.has_tag_name((RDF, "Description"))))
        .filter(roxmltree::Node::is_element)
        .map(|node| node.tag_name().name().to_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["CreateDate", "Credit", "Marked", "WebStatement", "creator", "rights"]);
    let texts: Vec<&str> =
        document.descendants().filter(|node| node.has_tag_name((RDF, "li"))).filter_map(|node| node.text()).collect();
    assert_eq!(texts, ["Anna Äuthor", "Berta", "(c) Anna", "(c) Ännchen"]);
    for kept in ["Anna &amp; &quot;Co&quot; &lt;1&gt;", "xml:lang=\"de\"", "a?b=1&amp;c=2", "2024-05-06T07:08:09"] {
        assert!(made.contains(kept), "{kept} in {made}");
    }
    for dropped in ["Berlin", "52,0N", "Berta at home", "/9j/", "6000", "crs"] {
        assert!(!made.contains(dropped), "{dropped} in {made}");
    }
    assert_eq!(notes, [""; 0]);
    assert_eq!(run(&made, false).0.as_deref(), Some(&*made), "a written packet is unchanged");
}

#[test]
fn safe_writes_nothing_without_safe_properties() {
    let place = packet("<rdf:Description rdf:about=\"\" photoshop:City=\"Berlin\"/>");
    assert_eq!(run(&place, false), (None, Vec::new()));
}

#[test]
fn oversized_safe_property_is_reported() {
    let long = packet(&format!(
        "<rdf:Description rdf:about=\"\" photoshop:Credit=\"{}\" xmp:CreateDate=\"2024\"/>",
        "x".repeat(5000)
    ));
    let (made, notes) = run(&long, false);
    assert!(made.is_some_and(|made| made.contains("2024") && !made.contains("xxx")));
    assert_eq!(notes.len(), 1);
}

#[test]
fn all_corrects_the_packet_and_removes_images() {
    let (made, notes) = run(&rich(), true);
    let made = made.expect("a packet");
    Document::parse(&made).expect("valid");
    let kept = [
        "tiff:Orientation=\"1\"",
        "exif:PixelXDimension='413'",
        "<exif:PixelYDimension>531</exif:PixelYDimension>",
        "<tiff:XResolution>300/1</tiff:XResolution>",
        "52,0N",
        "Berlin",
        "Berta at home",
        "crs:Exposure=\"+0.5\"",
        "Anna Äuthor",
    ];
    for kept in kept {
        assert!(made.contains(kept), "{kept} in {made}");
    }
    for dropped in [
        "/9j/",
        "6000",
        "GainMap",
        "g:image",
        "hdrgm:Version",
        "BitsPerSample",
        "crs:Look",
        "crs:Preview",
        "<tiff:ImageWidth",
    ] {
        assert!(!made.contains(dropped), "{dropped} in {made}");
    }
    assert!(made.len() < 4000, "the padding of two thousand blanks is gone: {}", made.len());
    assert_eq!(notes, [""; 0]);
    assert_eq!(run(&made, true).0.as_deref(), Some(&*made));
}

#[test]
fn extended_xmp_is_dropped_and_reported() {
    let extended =
        packet("<rdf:Description rdf:about=\"\" xmpNote:HasExtendedXMP=\"0123\" photoshop:City=\"Berlin\"/>");
    let (made, notes) = run(&extended, true);
    assert!(made.is_some_and(|made| made.contains("Berlin") && !made.contains("HasExtendedXMP=")));
    assert_eq!(notes.len(), 1);
}

#[test]
fn invalid_and_malicious_packets_are_dropped_and_reported() {
    let entities = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><x>&b;</x>";
    let many = |one: &dyn Fn(usize) -> String, count| (0..count).map(one).collect::<String>();
    let attributes = packet(&format!("<rdf:Description {}/>", many(&|index| format!("a{index}=\"\""), 5000)));
    let namespaces = packet(&many(&|index| format!("<a xmlns:n{index}=\"u{index}\"/>"), 2000));
    let nodes = packet(&"<a/>".repeat(250_000));
    let long = packet(&" ".repeat(MAX_PACKET));
    let cut = &rich()[..1200];
    for trap in ["", "not XML", "<a", entities, &attributes, &namespaces, &nodes, &long, cut] {
        for keep_all in [false, true] {
            let (made, notes) = run(trap, keep_all);
            assert_eq!((made, notes.len()), (None, 1), "{}", &trap[..trap.len().min(80)]);
        }
    }
    let mut notes = Vec::new();
    assert_eq!(safe(b"\xff\xfe<\0x\0/\0>\0", &mut notes), None);
    assert_eq!(notes.len(), 1);
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let depth = 60_000;
    let deep = packet(&format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth)));
    assert!(run(&deep, true).0.is_some());
    assert_eq!(run(&deep, false), (None, Vec::new()));
}

#[test]
fn mutated_packets_are_valid_or_dropped() {
    let source = rich().into_bytes();
    let mut state = 0xbb67_ae85_84ca_a73b;
    let mut written = 0;
    for _ in 0..300 {
        let mut mutated = source.clone();
        for _ in 0..=next(&mut state) % 2 {
            let at = next(&mut state) % mutated.len();
            let letters = b"<>/\"'=& :x\0\xff";
            mutated[at] = letters[next(&mut state) % letters.len()];
        }
        for keep_all in [false, true] {
            let mut notes = Vec::new();
            let made = if keep_all { corrected(&mutated, SIZE, DPI, &mut notes) } else { safe(&mutated, &mut notes) };
            if let Some(made) = made {
                written += 1;
                let text = std::str::from_utf8(&made).expect("UTF-8");
                Document::parse(text).expect("valid");
            }
        }
    }
    assert!(written > 50, "some survive: {written}");
}
