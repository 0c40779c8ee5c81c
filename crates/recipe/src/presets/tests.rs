//! The built-in presets, compared with the values of their sources.

use super::*;
use crate::{AllowedRange, Backdrop, PoseLimits, built_in_presets, find_preset};

fn preset(id: &str) -> &'static Preset {
    find_preset(id).unwrap_or_else(|| panic!("there is no preset {id}"))
}

fn rules(id: &str) -> &'static DocumentRules {
    preset(id).rules.as_ref().unwrap_or_else(|| panic!("{id} has no rules"))
}

fn documents() -> impl Iterator<Item = &'static Preset> {
    built_in_presets().iter().filter(|preset| preset.group == PresetGroup::Document)
}

/// Headroom, eye line and head height of a preset's crop, for eyes half way between chin and crown.
fn target(preset: &Preset) -> [f32; 3] {
    let head = preset.head_height;
    match preset.position {
        Position::Middle => [(1.0 - head) / 2.0, 0.5, head],
        Position::EyeLine { from_bottom } => [1.0 - from_bottom - head / 2.0, from_bottom, head],
        Position::Headroom { share } => [share, 1.0 - share - head / 2.0, head],
    }
}

#[test]
fn printed_sizes_and_pixels_match_the_sources() {
    for (id, width, height, dpi) in [
        ("document-35x45", 413, 531, Some(300)),
        ("us-passport", 600, 600, Some(300)),
        ("us-diversity-visa", 600, 600, None),
        ("uk-passport", 413, 531, Some(300)),
        ("uk-passport-digital", 700, 900, None),
        ("schengen-35x45", 827, 1063, Some(600)),
        ("canada-passport", 591, 827, Some(300)),
        ("canada-temporary-resident", 420, 540, Some(305)),
        ("australia-passport", 413, 531, Some(300)),
        ("china-visa", 377, 548, Some(290)),
        ("japan-passport", 413, 531, Some(300)),
        ("india-passport", 630, 810, None),
        ("india-exam", 200, 230, None),
        ("nz-passport-digital", 1200, 1600, None),
        ("finland-passport", 500, 653, Some(353)),
        ("china-1-inch", 295, 413, Some(300)),
        ("china-small-1-inch", 260, 378, Some(300)),
        ("china-large-1-inch", 390, 567, Some(300)),
        ("china-2-inch", 413, 626, Some(300)),
        ("china-small-2-inch", 413, 531, Some(300)),
        ("china-social-security", 358, 441, None),
        ("china-graduate-exam", 531, 709, None),
        ("china-english-exam", 144, 192, None),
        ("korea-visa", 413, 531, Some(300)),
        ("japan-visa", 295, 413, Some(300)),
        ("linkedin", 400, 400, None),
        ("slack", 512, 512, None),
        ("microsoft-365", 648, 648, None),
        ("github", 500, 500, None),
        ("gravatar", 512, 512, None),
        ("instagram", 1080, 1080, None),
        ("x", 400, 400, None),
        ("whatsapp", 640, 640, None),
        ("youtube", 800, 800, None),
        ("zoom", 400, 400, None),
        ("active-directory", 96, 96, None),
        ("google-workspace", 500, 500, None),
        ("sap-successfactors", 180, 240, None),
        ("bamboohr", 340, 340, None),
        ("ukg", 100, 100, None),
        ("workday", 200, 200, None),
        ("hr-system", 256, 256, None),
        ("yearbook-5x7", 1500, 2100, Some(300)),
        ("pspa-yearbook", 640, 800, Some(300)),
        ("badge-25x30", 295, 354, Some(300)),
        ("badge-25x32", 300, 375, Some(300)),
        ("badge-25x38", 300, 450, Some(300)),
    ] {
        let preset = preset(id);
        assert_eq!((preset.size.in_pixels(), preset.file_hints().dpi), (Size::new(width, height), dpi), "{id}");
    }
    assert_eq!(
        built_in_presets()[..2].iter().map(|preset| preset.id.as_str()).collect::<Vec<_>>(),
        ["headshot", "avatar"]
    );
}

#[test]
fn allowed_ranges_match_the_millimetres_of_the_sources() {
    let near = |id: &str, range: Option<AllowedRange>, min: f64, max: f64, height: f64| {
        let range = range.unwrap_or_else(|| panic!("{id} lacks a range"));
        for (share, mm) in [(range.min, min), (range.max, max)] {
            assert!((f64::from(share) * height - mm).abs() < 0.005, "{id}: {share} of {height} mm is not {mm} mm");
        }
    };
    for (id, min, max, height) in [
        ("uk-passport", 29.0, 34.0, 45.0),
        ("canada-passport", 31.0, 36.0, 70.0),
        ("australia-passport", 32.0, 36.0, 45.0),
        ("china-visa", 28.0, 33.0, 48.0),
        ("japan-passport", 32.0, 36.0, 45.0),
    ] {
        near(id, rules(id).head, min, max, height);
    }
    near("china-visa", rules("china-visa").headroom, 3.0, 5.0, 48.0);
    near("japan-passport", rules("japan-passport").headroom, 2.0, 6.0, 45.0);
    near("schengen-35x45", rules("schengen-35x45").eye_line, 22.0, 32.0, 45.0);
    // Given in percent.
    for (id, head, eye_line) in [
        ("document-35x45", (0.70, 0.80), Some((0.50, 0.70))),
        ("us-passport", (0.50, 0.69), Some((0.56, 0.69))),
        ("us-diversity-visa", (0.50, 0.69), Some((0.56, 0.69))),
        ("schengen-35x45", (0.70, 0.80), Some((0.4889, 0.7111))),
        ("india-passport", (0.80, 0.85), None),
    ] {
        let range = |(min, max)| AllowedRange { min, max };
        assert_eq!((rules(id).head, rules(id).eye_line), (Some(range(head)), eye_line.map(range)), "{id}");
    }
}

#[test]
fn file_limits_match_the_sources() {
    for (id, min_kilobytes, max_kilobytes, jpeg_only) in [
        ("us-passport", None, Some(240), true),
        ("us-diversity-visa", None, Some(240), true),
        ("uk-passport-digital", Some(50), Some(10_000), false),
        ("china-visa", Some(40), Some(120), true),
        ("india-passport", None, None, true),
        ("india-exam", Some(20), Some(50), false),
        ("nz-passport-digital", Some(250), Some(10_000), true),
        ("linkedin", None, Some(8_000), false),
        ("github", None, Some(999), false),
        ("microsoft-365", None, Some(100), true),
        ("active-directory", None, Some(10), true),
        ("google-workspace", None, Some(5_000), false),
        ("sap-successfactors", None, Some(2_000), true),
        ("bamboohr", None, Some(20_000), false),
        ("ukg", None, Some(999), false),
        ("workday", None, None, false),
        ("hr-system", None, Some(512), true),
        ("pspa-yearbook", None, None, true),
        ("badge-25x30", None, Some(5_000), false),
        ("badge-25x38", None, Some(1_000), false),
        ("headshot", None, None, false),
    ] {
        let preset = preset(id);
        let hints = preset.file_hints();
        assert_eq!(hints, FileHints { dpi: hints.dpi, max_kilobytes, jpeg_only }, "{id}");
        assert_eq!(preset.rules.as_ref().and_then(|rules| rules.min_kilobytes), min_kilobytes, "{id}");
    }
}

#[test]
fn pose_expression_and_background_match_the_sources() {
    let pose = |yaw, pitch, roll| Some(PoseLimits { yaw, pitch, roll });
    let icao = pose(5.0, 5.0, 8.0);
    for (id, backdrop, neutral, pose) in [
        ("document-35x45", Some(Backdrop::Light), true, icao),
        ("us-passport", Some(Backdrop::White), false, None),
        ("us-diversity-visa", Some(Backdrop::Light), true, None),
        ("uk-passport", Some(Backdrop::Light), true, None),
        ("uk-passport-digital", Some(Backdrop::Light), true, None),
        ("schengen-35x45", Some(Backdrop::Light), true, None),
        ("canada-passport", Some(Backdrop::Light), true, None),
        ("canada-temporary-resident", Some(Backdrop::Light), true, None),
        ("australia-passport", Some(Backdrop::Light), true, None),
        ("china-visa", Some(Backdrop::White), true, pose(20.0, 25.0, 20.0)),
        ("japan-passport", Some(Backdrop::Light), true, None),
        ("india-passport", Some(Backdrop::White), true, icao),
        ("nz-passport-digital", Some(Backdrop::LightNotWhite), true, None),
        ("finland-passport", Some(Backdrop::Plain), true, None),
        ("korea-visa", Some(Backdrop::Light), true, None),
        ("japan-visa", None, false, None),
        ("china-1-inch", None, false, None),
    ] {
        let rules = rules(id);
        assert_eq!((rules.backdrop, rules.neutral_expression, rules.pose), (backdrop, neutral, pose), "{id}");
        assert!(backdrop.is_none() || rules.background.is_some(), "{id}: the words are shown to the user");
    }
    let ranges = [Backdrop::Plain, Backdrop::Light, Backdrop::LightNotWhite, Backdrop::White].map(Backdrop::lightness);
    let limits = ranges.map(|range| range.map(|AllowedRange { min, max }| (min, max)));
    assert_eq!(limits, [None, Some((0.7, 1.0)), Some((0.7, 0.95)), Some((0.85, 1.0))]);
}

#[test]
fn hair_is_kept_except_in_documents() {
    for preset in built_in_presets() {
        let is_document = preset.group == PresetGroup::Document;
        assert_eq!(preset.spec().keep_hair, !is_document, "{}", preset.id);
        assert_eq!(preset.rules.as_ref().is_some_and(DocumentRules::is_document), is_document, "{}", preset.id);
        assert_eq!(preset.duplicate(&[]).spec().keep_hair, !is_document, "{}: a copy", preset.id);
    }
    assert!(CropSpec::default().keep_hair);
    let mut spec = preset("headshot").spec();
    preset("us-passport").apply_to(&mut spec);
    assert!(!spec.keep_hair);
    spec.keep_hair = true;
    assert!(!preset("us-passport").matches(&spec), "the crown counts");
    let own = Preset::from_spec("hair", &spec, None);
    assert!(own.spec().keep_hair && own.matches(&own.spec()));
}

#[test]
fn the_mask_is_needed_for_hair_and_for_a_measured_background() {
    assert!(preset("headshot").spec().needs_mask());
    let card = preset("china-1-inch").spec();
    assert!(!card.needs_mask());
    assert!(CropSpec { keep_hair: true, ..card }.needs_mask());
    assert!(preset("china-visa").spec().needs_mask());
}

#[test]
fn the_former_name_of_keep_hair_is_read() {
    for keep_hair in [true, false] {
        let spec: CropSpec = toml::from_str(&format!("follow_hair = {keep_hair}")).expect("valid");
        assert_eq!(spec, CropSpec { keep_hair, ..CropSpec::default() });
        let written = toml::to_string(&spec).expect("written");
        assert!(written.contains("keep_hair") && !written.contains("follow_hair"));
    }
}

#[test]
fn every_preset_aims_well_inside_its_allowed_ranges() {
    for preset in built_in_presets() {
        let [headroom, eye_line, head] = target(preset);
        assert!(headroom >= 0.04, "{}: {headroom} above the crown leaves no space for hair", preset.id);
        assert!(headroom + head <= 0.96, "{}: no space below the chin", preset.id);
        let Some(rules) = &preset.rules else { continue };
        for (what, aim, range) in
            [("head", head, rules.head), ("eye line", eye_line, rules.eye_line), ("headroom", headroom, rules.headroom)]
        {
            let Some(AllowedRange { min, max }) = range else { continue };
            // A quarter of the range is left on either side for the error of the estimate.
            let margin = (max - min) / 4.0;
            assert!((min + margin..=max - margin).contains(&aim), "{}: {what} {aim} in {min} to {max}", preset.id);
        }
    }
}

#[test]
fn documents_are_levelled_unaltered_and_have_an_official_source_or_a_mark() {
    assert!(documents().count() >= 25);
    for preset in documents() {
        assert!(preset.level && (preset.source.is_some() || preset.check_before_use), "{}", preset.id);
        assert!(preset.rules.as_ref().is_some_and(|rules| rules.unaltered), "{}", preset.id);
        assert!(preset.spec().rules.is_some_and(|rules| rules.name.as_deref() == Some(&preset.name)), "{}", preset.id);
    }
    // The presets taken from a page of the receiver.
    let unmarked = built_in_presets().iter().filter(|preset| preset.source.is_some() && !preset.check_before_use);
    assert_eq!(
        unmarked.map(|preset| preset.id.as_str()).collect::<Vec<_>>(),
        [
            "us-passport",
            "slack",
            "microsoft-365",
            "active-directory",
            "google-workspace",
            "sap-successfactors",
            "bamboohr",
            "ukg"
        ]
    );
}

#[test]
fn sources_are_pages_of_the_receivers() {
    let others = [
        "specs.js",
        "qastack",
        "photogov",
        "Hivision",
        "toolswallet",
        "immihelp",
        "visafoto",
        "idphoto",
        "legalclarity",
        "goodwins",
        "gulfnews",
        "upsstore",
        "darktable",
        "package docs",
    ];
    for preset in built_in_presets() {
        let source = preset.source.as_deref().unwrap_or_default();
        let found: Vec<_> = others.iter().filter(|other| source.contains(**other)).collect();
        assert!(found.is_empty(), "{}: {found:?}", preset.id);
    }
}

#[test]
fn receivers_have_a_source_and_rules_for_the_file_only() {
    let is_receiver = |preset: &&Preset| matches!(preset.group, PresetGroup::Directory | PresetGroup::Badge);
    let receivers: Vec<&Preset> = built_in_presets().iter().filter(is_receiver).collect();
    assert!(receivers.len() >= 12);
    for preset in receivers {
        let is_marked = preset.check_before_use || preset.id == "yearbook-5x7";
        assert!(preset.source.is_some() || is_marked, "{}", preset.id);
        let of_file = |rules: &DocumentRules| DocumentRules {
            min_pixels: rules.min_pixels,
            max_kilobytes: rules.max_kilobytes,
            jpeg: rules.jpeg,
            dpi: rules.dpi,
            ..DocumentRules::default()
        };
        assert_eq!(preset.rules, preset.rules.as_ref().map(of_file), "{}", preset.id);
    }
}

#[test]
fn a_preset_sets_format_size_limit_and_resolution_of_the_file() {
    let png = EncodeSpec { format: OutputFormat::Png, dpi: 72, ..EncodeSpec::default() };
    let applied = |id: &str, mut encode: EncodeSpec, before: &str| {
        preset(id).apply_to_file(&mut encode, &preset(before).spec());
        (encode.format, encode.max_kilobytes, encode.dpi)
    };
    let limited = |limit| EncodeSpec { max_kilobytes: Some(limit), ..png };
    assert_eq!(applied("active-directory", png, "headshot"), (OutputFormat::Jpeg, Some(10), 72));
    assert_eq!(applied("pspa-yearbook", png, "headshot"), (OutputFormat::Jpeg, None, 300));
    assert_eq!(applied("badge-25x30", png, "headshot"), (OutputFormat::Png, Some(5_000), 300));
    assert_eq!(
        applied("avatar", limited(10), "active-directory"),
        (OutputFormat::Png, None, 72),
        "goes with its rules"
    );
    assert_eq!(applied("avatar", limited(30), "active-directory"), (OutputFormat::Png, Some(30), 72), "the user's own");
    assert_eq!(applied("us-passport", limited(10), "active-directory"), (OutputFormat::Jpeg, Some(240), 300));
}

#[test]
fn the_resolution_of_a_print_follows_from_its_pixels() {
    for preset in built_in_presets() {
        let Some(rules) = preset.spec().rules else { continue };
        assert_eq!(rules.file_dpi(preset.size.in_pixels()), preset.file_hints().dpi, "{}", preset.id);
    }
    let print = preset("document-35x45").spec().rules.expect("rules");
    assert_eq!(print.file_dpi(Size::new(827, 1063)), Some(600));
    assert_eq!((print.file_dpi(Size::new(0, 0)), print.file_dpi(Size::new(1, u32::MAX))), (None, None));
}

#[test]
fn descriptions_promise_nothing() {
    let text = include_str!("../presets.toml").to_lowercase();
    for word in ["approved", "guarantee", "certified", "compliant", "biometric"] {
        assert!(!text.contains(word), "{word}");
    }
}

#[test]
fn a_preset_made_from_a_spec_gives_the_spec_back() {
    for built_in in built_in_presets() {
        let spec = built_in.spec();
        let own = Preset::from_spec("  My own ", &spec, built_in.size.dpi());
        own.check().expect("valid");
        assert_eq!((own.id.as_str(), own.name.as_str(), own.group), ("my-own", "My own", PresetGroup::Custom));
        assert_eq!(own.size.in_pixels(), spec.output, "{}", built_in.id);
        assert_eq!(own.rules, built_in.rules, "the rules do not include the other preset's name and size");
        assert_eq!((own.head_height, own.position, own.level), (spec.head_height, spec.position, spec.level));
        assert!(own.matches(&own.spec()));
    }
    let odd = CropSpec { output: Size::new(1237, 991), ..CropSpec::default() };
    for dpi in [1, 72, 299, 300, 1200, 10_000] {
        assert_eq!(Preset::from_spec("odd", &odd, Some(dpi)).size.in_pixels(), odd.output, "{dpi} dpi");
    }
    let size = Preset::from_spec("round", &CropSpec { output: Size::new(413, 531), ..odd }, Some(300)).size;
    assert_eq!(size, PresetSize::Print { mm: [35.0, 45.0], dpi: 300 });
}

#[test]
fn copies_get_unique_names_and_ids_and_renaming_keeps_the_id() {
    let first = preset("us-passport").duplicate(&[]);
    let second = preset("us-passport").duplicate(std::slice::from_ref(&first));
    assert_eq!(first.name, format!("{} copy", preset("us-passport").name));
    assert_eq!(second.name, format!("{} copy 2", preset("us-passport").name));
    assert!(first.id != second.id && first.id != "us-passport");
    assert_eq!(
        (first.group, &first.rules, first.size),
        (PresetGroup::Custom, &preset("us-passport").rules, preset("us-passport").size)
    );
    first.check().expect("valid");
    let renamed = second.renamed(" For the club ");
    assert_eq!((renamed.id.as_str(), renamed.name.as_str()), (second.id.as_str(), "For the club"));
    assert_eq!(renamed.spec().rules.and_then(|rules| rules.name).as_deref(), Some("For the club"));
}

#[test]
fn imported_presets_become_custom_and_never_hide_another() {
    let imported = preset("slack").clone().imported(&[]);
    assert_eq!((imported.id.as_str(), imported.group), ("slack-2", PresetGroup::Custom));
    let again = preset("slack").clone().imported(std::slice::from_ref(&imported));
    assert_eq!(again.id, "slack-3");
    let own = Preset { id: "club".to_owned(), ..imported };
    assert_eq!(own.clone().imported(&[]).id, "club");
    assert_eq!(own.clone().imported(std::slice::from_ref(&own)).id, "club-2");
}

#[test]
fn a_document_disables_edge_fill() {
    let mut spec = CropSpec { edge: EdgePolicy::Blur, ..CropSpec::default() };
    preset("slack").apply_to(&mut spec);
    assert_eq!(spec.edge, EdgePolicy::Blur);
    preset("china-visa").apply_to(&mut spec);
    assert_eq!(spec.edge, EdgePolicy::Shrink);
    assert!(preset("china-visa").matches(&spec) && !preset("japan-visa").matches(&spec));
}
