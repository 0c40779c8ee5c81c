//! Tests of replaced backgrounds: a synthetic person of known shape over a coloured background.

use geometry::{Point, Size};

use super::*;

const SIZE: Size = Size::new(240, 320);
const CENTER: (f64, f64) = (120.0, 170.0);
const RADIUS: f64 = 70.0;

/// Image pixels per mask pixel.
const UNIT: u32 = 4;

/// Mask pixels along each axis; the mask begins at the corner of the image.
const SIDE: u32 = 80;

const GREEN: [f64; 3] = [0.1, 0.7, 0.2];
const BLUE: Color = Color { rgb: [30, 60, 150] };

/// The share of the person at a point: a disc with a soft edge, and strands of hair on its upper half.
fn share_at(x: f64, y: f64) -> f64 {
    let (across, down) = (x - CENTER.0, y - CENTER.1);
    let outside = across.hypot(down) - RADIUS;
    let disc = (0.5 - outside / 3.0).clamp(0.0, 1.0);
    // Strands 1.6 pixels wide and 7 long, every 8 degrees.
    let angle = down.atan2(across).to_degrees();
    let beside = ((angle.rem_euclid(8.0) - 4.0).to_radians() * RADIUS).abs();
    let strand = if down < 0.0 && (-4.0..7.0).contains(&outside) { (1.3 - beside).clamp(0.0, 1.0) } else { 0.0 };
    disc.max(strand)
}

/// Brown to skin-coloured from top to bottom; red is the largest and blue the smallest channel.
fn person_at(y: f64) -> [f64; 3] {
    let down = ((y - 100.0) / 140.0).clamp(0.0, 1.0);
    [0.35 + 0.4 * down, 0.22 + 0.36 * down, 0.15 + 0.33 * down]
}

fn truth_over(background: [f64; 3], x: u32, y: u32) -> [f64; 3] {
    let (x, y) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
    let (share, person) = (share_at(x, y), person_at(y));
    std::array::from_fn(|at| person[at] * share + background[at] * (1.0 - share))
}

fn photo(channels: Channels, deep: bool) -> Picture {
    let max = if deep { 65_535.0 } else { 255.0 };
    let mut samples = Vec::new();
    for (x, y) in each_pixel(SIZE) {
        let [red, green, blue] = truth_over(GREEN, x, y);
        // Half of green, so that the grey of the background differs from that of the person.
        let shown = if channels.is_grey() { vec![0.5 * red + 0.5 * green] } else { vec![red, green, blue] };
        samples.extend(shown.iter().map(|share| share * max));
        if channels.has_alpha() {
            samples.push(if y < 40 { 0.0 } else { max });
        }
    }
    let rounded = samples.iter().map(|sample| sample.round());
    let pixels = if deep {
        Pixels::from_u16(SIZE, channels, rounded.map(|sample| sample as u16).collect())
    } else {
        Pixels::from_u8(SIZE, channels, rounded.map(|sample| sample as u8).collect())
    };
    of_pixels(pixels.expect("fits"))
}

/// A mask of the person, moved by a number of mask pixels.
fn mask(moved: f64) -> PersonMask {
    let mut values = Vec::new();
    for (column, row) in each_pixel(Size::new(SIDE, SIDE)) {
        let inside = each_pixel(Size::new(UNIT, UNIT)).map(|(x, y)| {
            let at = |cell: u32, pixel: u32| f64::from(cell * UNIT + pixel) + 0.5;
            share_at(at(column, x) - moved * f64::from(UNIT), at(row, y))
        });
        values.push((inside.sum::<f64>() / f64::from(UNIT * UNIT) * 255.0).round() as u8);
    }
    let scale = f64::from(UNIT);
    PersonMask::new(SIDE, values, Transform::scale_then_move(scale, scale, 0.0, 0.0)).expect("fits")
}

fn all() -> PlannedCrop {
    PlannedCrop::upright(PixelRect::new(0, 0, SIZE.width, SIZE.height), SIZE)
}

fn with(background: Background) -> RenderSpec {
    RenderSpec { edge: EdgePolicy::Pad, fill: Color::WHITE, finish: FinishSpec { background, ..PLAIN } }
}

fn plain(color: Color) -> RenderSpec {
    with(Background::Plain { color })
}

fn replaced(picture: &Picture, planned: &PlannedCrop, spec: &RenderSpec, mask: &PersonMask) -> Pixels {
    render_crop(picture, planned, spec, Some(mask)).expect("renders").pixels
}

/// Root mean square of the differences to the truth over white, in levels of 256, close to the person's edge.
fn deviation(shown: impl Fn(u32, u32) -> Vec<f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (x, y) in each_pixel(SIZE) {
        let outside = (f64::from(x) - CENTER.0).hypot(f64::from(y) - CENTER.1) - RADIUS;
        if outside.abs() < 12.0 {
            let pairs = shown(x, y).into_iter().zip(truth_over([1.0; 3], x, y));
            sum += pairs.map(|(a, b)| (a - b).powi(2)).sum::<f64>() / 3.0;
            count += 1.0;
        }
    }
    (sum / count).sqrt() * 255.0
}

/// The maximum excess of green over red, in levels of 256: the old background.
fn max_green(pixels: &Pixels) -> f64 {
    let excess = each_pixel(SIZE).map(|(x, y)| {
        let shown = shares_at(pixels, x, y);
        (shown[1] - shown[0]) * 255.0
    });
    excess.fold(0.0, f64::max)
}

#[test]
fn edge_is_sharper_than_the_mask_and_free_of_the_old_background() {
    let picture = photo(Channels::Rgb, false);
    for (moved, max_deviation, green) in [(0.0, 5.0, 6.0), (1.5, 9.0, 16.0)] {
        let mask = mask(moved);
        let crop = replaced(&picture, &all(), &plain(Color::WHITE), &mask);
        let refined = deviation(|x, y| shares_at(&crop, x, y));
        let bare = deviation(|x, y| {
            let share = f64::from(mask.sample(Point::new(x as f32 + 0.5, y as f32 + 0.5)));
            truth_over(GREEN, x, y).map(|shown| shown * share + 1.0 - share).to_vec()
        });
        assert!(refined < max_deviation && refined < bare / 4.0, "{moved}: {refined}, {bare} for the mask alone");
        assert!(max_green(&crop) < green, "{moved}: {}", max_green(&crop));
    }
}

#[test]
fn far_background_is_exact_and_the_inside_unchanged() {
    for (channels, deep) in [(Channels::Rgb, false), (Channels::Rgb, true), (Channels::Rgba, false)] {
        let picture = photo(channels, deep);
        let crop = replaced(&picture, &all(), &plain(BLUE), &mask(0.0));
        assert_eq!((crop.channels(), crop.layout().deep), (Channels::Rgb, deep));
        let clear = replaced(&picture, &all(), &with(Background::Transparent), &mask(0.0));
        assert_eq!((clear.channels(), clear.layout().deep), (Channels::Rgba, deep));
        let blue: Vec<f64> = BLUE.rgb.map(|sample| f64::from(sample) / 255.0).to_vec();
        for (x, y) in each_pixel(SIZE) {
            let outside = (f64::from(x) - CENTER.0).hypot(f64::from(y) - CENTER.1) - RADIUS;
            if outside > 20.0 {
                assert_eq!(shares_at(&crop, x, y), blue, "{x} {y}");
                assert_eq!(shares_at(&clear, x, y), [0.0; 4], "{x} {y}");
            } else if outside < -20.0 {
                let own = shares_at(&picture.pixels, x, y);
                assert_eq!(shares_at(&crop, x, y), own[..3], "{x} {y}");
                assert_eq!(shares_at(&clear, x, y), [&own[..3], &[1.0]].concat(), "{x} {y}");
            }
        }
    }
}

#[test]
fn sixteen_bits_and_grey_match_eight_bits_of_colour() {
    let clear = with(Background::Transparent);
    let crop = |channels, deep| replaced(&photo(channels, deep), &all(), &clear, &mask(0.5));
    let (shallow, deep) = (crop(Channels::Rgb, false), crop(Channels::Rgb, true));
    let (grey, deep_grey) = (crop(Channels::L, false), crop(Channels::L, true));
    assert_eq!((grey.channels(), deep_grey.channels()), (Channels::La, Channels::La));
    let mut sum = 0.0;
    for (x, y) in each_pixel(SIZE) {
        let alpha = |pixels: &Pixels| shares_at(pixels, x, y).last().copied().unwrap_or(0.0);
        assert!((alpha(&shallow) - alpha(&deep)).abs() < 0.06, "{x} {y}");
        assert!((alpha(&grey) - alpha(&deep_grey)).abs() < 0.06, "{x} {y}");
        sum += (alpha(&grey) - alpha(&shallow)).abs();
    }
    assert!(sum / (SIZE.pixels() as f64) < 0.01, "{sum}");
    let white = replaced(&photo(Channels::L, false), &all(), &plain(Color::WHITE), &mask(0.0));
    assert_eq!((white.channels(), shares_at(&white, 0, 0)), (Channels::L, vec![1.0]), "grey stays grey");
    let blue = replaced(&photo(Channels::L, false), &all(), &plain(BLUE), &mask(0.0));
    assert_eq!(blue.channels(), Channels::Rgb);
}

#[test]
fn mask_decides_and_without_one_nothing_is_replaced() {
    let picture = photo(Channels::Rgb, false);
    let kept = render_crop(&picture, &all(), &plain(BLUE), None).expect("renders").pixels;
    assert!(kept == picture.pixels);
    let kept = replaced(&picture, &all(), &with(Background::Keep), &mask(0.0));
    assert!(kept == picture.pixels);
    let of = |value| PersonMask::new(2, vec![value; 4], Transform::IDENTITY).expect("fits");
    let nobody = replaced(&picture, &all(), &plain(BLUE), &of(0));
    assert!(nobody.as_u8().expect("8 bits").chunks_exact(3).all(|pixel| pixel == BLUE.rgb));
    assert!(replaced(&picture, &all(), &plain(BLUE), &of(255)) == picture.pixels);
}

#[test]
fn mask_follows_the_frame() {
    let picture = photo(Channels::Rgb, false);
    for angle in [0.0, 7.0, 90.0, 180.0, -90.0] {
        let frame = PixelRect::new(30, 60, 170, 200);
        let planned = PlannedCrop { angle, ..PlannedCrop::upright(frame, Size::new(136, 160)) };
        let crop = replaced(&picture, &planned, &with(Background::Transparent), &mask(0.0));
        let image_from_crop = planned.image_from_crop();
        let differences = each_pixel(crop.size()).map(|(x, y)| {
            let at = image_from_crop.apply(Point::new(x as f32 + 0.5, y as f32 + 0.5));
            let inside = at.x > 0.0 && at.x < 240.0;
            let share = if inside { share_at(at.x.into(), at.y.into()) } else { 0.0 };
            (shares_at(&crop, x, y)[3] - share).abs()
        });
        let mean = differences.sum::<f64>() / crop.size().pixels() as f64;
        assert!(mean < 0.012, "{angle}: {mean}");
    }
}

#[test]
fn padding_gets_the_new_background() {
    let picture = photo(Channels::Rgb, false);
    // The frame begins left of the photo and ends inside the person, below it and above its lower end.
    let frame = PixelRect::new(-60, 40, 180, 240);
    let blue: Vec<f64> = BLUE.rgb.map(|sample| f64::from(sample) / 255.0).to_vec();
    for edge in [EdgePolicy::Shrink, EdgePolicy::Pad, EdgePolicy::Extend, EdgePolicy::Blur] {
        for angle in [0.0, 5.0] {
            let planned = PlannedCrop { angle, ..PlannedCrop::upright(frame, frame.size()) };
            let crop = replaced(&picture, &planned, &RenderSpec { edge, ..plain(BLUE) }, &mask(0.0));
            assert_eq!(crop.channels(), Channels::Rgb);
            for (x, y) in each_pixel(Size::new(80, 240)) {
                assert_eq!(shares_at(&crop, x, y), blue, "{edge:?} {angle}: {x} {y}");
            }
        }
    }
}

#[test]
fn repeated_pixels_beyond_the_edge_show_the_person_only_where_the_mask_does() {
    // The photo ends in the middle of the person; the mask continues.
    let whole = photo(Channels::Rgb, false);
    let size = Size::new(240, 170);
    let rows = whole.pixels.as_u8().expect("8 bits")[..240 * 170 * 3].to_vec();
    let picture = picture(size, Channels::Rgb, rows);
    for edge in [EdgePolicy::Extend, EdgePolicy::Blur] {
        for angle in [0.0, 0.5] {
            let planned = PlannedCrop { angle, ..all() };
            let spec = RenderSpec { edge, ..with(Background::Transparent) };
            let crop = replaced(&picture, &planned, &spec, &mask(0.0));
            let alpha = |x, y| shares_at(&crop, x, y)[3];
            assert_eq!((alpha(120, 165), alpha(120, 185), alpha(120, 300)), (1.0, 1.0, 0.0), "{edge:?} {angle}");
        }
    }
}

#[test]
fn adjustments_and_profiles_leave_the_colour_exact() {
    let mut picture = photo(Channels::Rgb, false);
    let profile: Arc<[u8]> = moxcms::ColorProfile::new_display_p3().encode().expect("encodes").into();
    picture.info.icc_profile = Some(Arc::clone(&profile));
    let adjust = Adjust { exposure: 1.0, contrast: 0.5, white_balance: true, sharpen: 1.0 };
    let mut spec = plain(BLUE);
    spec.finish.adjust = adjust;
    let crop = render_crop(&picture, &all(), &spec, Some(&mask(0.0))).expect("renders");
    assert_eq!(crop.icc_profile.as_ref(), Some(&profile));
    let [same, lighter] = [PLAIN, FinishSpec { adjust, ..PLAIN }].map(|finish| {
        let kept = render_crop(&picture, &all(), &RenderSpec { finish, ..spec }, None).expect("renders").pixels;
        shares_at(&kept, 120, 170)
    });
    assert_eq!(shares_at(&crop.pixels, 120, 170), lighter, "the person is adjusted");
    assert!(lighter[0] > same[0] + 0.1);
    let shown = to_srgb(crop.pixels, Some(&profile));
    let corner = &shown.as_u8().expect("8 bits")[..3];
    assert!(corner.iter().zip(BLUE.rgb).all(|(a, b)| a.abs_diff(b) <= 1), "{corner:?}");
}

#[test]
fn outline_is_applied_on_top() {
    let picture = photo(Channels::Rgb, false);
    let mut spec = plain(BLUE);
    spec.finish.shape = Shape::Ellipse;
    let crop = replaced(&picture, &all(), &spec, &mask(0.0));
    assert_eq!((shares_at(&crop, 2, 2)[3], shares_at(&crop, 120, 20)[3]), (0.0, 1.0));
    spec.finish.fill_outside = true;
    let crop = replaced(&picture, &all(), &spec, &mask(0.0));
    assert_eq!((shares_at(&crop, 2, 2), shares_at(&crop, 120, 170).len()), (vec![1.0; 3], 3));
}

#[test]
fn previews_show_the_same_cut() {
    let picture = photo(Channels::Rgb, false);
    let clear = with(Background::Transparent);
    let large = replaced(&picture, &all(), &clear, &mask(0.0));
    let small = render_smaller(&picture, &all(), &clear, Some(&mask(0.0)), 160).expect("renders").pixels;
    let differences = each_pixel(small.size()).map(|(x, y)| {
        let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| shares_at(&large, 2 * x + dx, 2 * y + dy)[3]);
        (shares_at(&small, x, y)[3] - four.iter().sum::<f64>() / 4.0).abs()
    });
    let mean = differences.sum::<f64>() / small.size().pixels() as f64;
    assert!(mean < 0.006, "{mean}");
}

#[test]
fn tiles_have_no_seams() {
    // The mask is so fine that cells have one pixel; a crop of 376 x 396 of them has four tiles.
    const MOVED: u32 = 170;
    let at = |x: u32, y: u32| (x.saturating_sub(MOVED), y.saturating_sub(MOVED));
    let size = Size::new(SIZE.width + MOVED, SIZE.height + MOVED);
    let samples = each_pixel(size).flat_map(|(x, y)| {
        let (x, y) = at(x, y);
        truth_over(GREEN, x, y).map(|share| (share * 255.0).round() as u8)
    });
    let picture = picture(size, Channels::Rgb, samples.collect());
    let values = each_pixel(Size::new(220, 220)).map(|(x, y)| {
        let [x, y] = [x, y].map(|at| (f64::from(at) + 0.5) * 1.5);
        (share_at(x, y) * 255.0).round() as u8
    });
    let map = Transform::scale_then_move(1.5, 1.5, MOVED.into(), MOVED.into());
    let mask = PersonMask::new(220, values.collect(), map).expect("fits");
    let clear = with(Background::Transparent);
    // The corner of the four tiles is within the person.
    let frames = [PixelRect::new(170, 220, 240, 250), PixelRect::new(34, 74, 376, 396)];
    let [one, four] = frames.map(|frame| replaced(&picture, &PlannedCrop::upright(frame, frame.size()), &clear, &mask));
    for (x, y) in each_pixel(one.size()) {
        let (a, b) = (shares_at(&one, x, y), shares_at(&four, x + 136, y + 146));
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 0.02), "{x} {y}: {a:?} {b:?}");
    }
}
