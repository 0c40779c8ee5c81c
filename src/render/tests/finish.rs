//! Outlines and adjustments of whole crops, and that a smaller crop shows what the large one is.

use super::*;

const FRAME: PixelRect = PixelRect::new(20, 10, 120, 120);

fn finished(finish: FinishSpec, edge: EdgePolicy) -> RenderSpec {
    RenderSpec { edge, fill: Color { rgb: [200, 40, 60] }, finish }
}

#[test]
fn an_ellipse_is_cut_out_or_filled_around() {
    for (channels, with_alpha) in
        [(Channels::L, Channels::La), (Channels::Rgb, Channels::Rgba), (Channels::Rgba, Channels::Rgba)]
    {
        for deep in [false, true] {
            let picture = waves(Size::new(160, 140), channels, deep);
            let planned = PlannedCrop::upright(FRAME, FRAME.size());
            let finish = FinishSpec { shape: Shape::Ellipse, ..PLAIN };
            let plain = render_crop(&picture, &planned, &finished(PLAIN, EdgePolicy::Pad)).expect("renders").pixels;
            let crop = render_crop(&picture, &planned, &finished(finish, EdgePolicy::Pad)).expect("renders").pixels;
            assert_eq!((crop.channels(), crop.layout().deep), (with_alpha, deep));
            assert!(shares_at(&crop, 3, 3).iter().all(|sample| *sample == 0.0), "nothing is hidden in the corner");
            assert_eq!(shares_at(&crop, 60, 60), shares_at(&plain.into_channels(with_alpha), 60, 60));
            let filled = FinishSpec { fill_outside: true, ..finish };
            let crop = render_crop(&picture, &planned, &finished(filled, EdgePolicy::Pad)).expect("renders").pixels;
            assert_eq!(crop.channels(), channels.in_colour(), "a coloured fill makes grey coloured");
            let corner: Vec<u8> =
                shares_at(&crop, 3, 3)[..3].iter().map(|share| (share * 255.0).round() as u8).collect();
            assert_eq!(corner, [200, 40, 60]);
        }
    }
}

#[test]
fn grey_stays_grey_around_which_grey_is_filled() {
    let picture = waves(Size::new(160, 140), Channels::L, false);
    let finish = FinishSpec { shape: Shape::Ellipse, fill_outside: true, ..PLAIN };
    let spec = RenderSpec { fill: Color::WHITE, ..finished(finish, EdgePolicy::Pad) };
    let crop = render_crop(&picture, &PlannedCrop::upright(FRAME, FRAME.size()), &spec).expect("renders").pixels;
    assert_eq!(crop.channels(), Channels::L);
    assert_eq!(shares_at(&crop, 0, 0), [1.0]);
}

#[test]
fn the_fill_around_an_outline_is_right_in_the_profile_of_the_photo() {
    let profile: Arc<[u8]> = moxcms::ColorProfile::new_display_p3().encode().expect("encodes").into();
    let mut picture = waves(Size::new(160, 140), Channels::Rgb, false);
    picture.info.icc_profile = Some(Arc::clone(&profile));
    let finish = FinishSpec { shape: Shape::Rounded { radius: 0.3 }, fill_outside: true, ..PLAIN };
    let crop = render_crop(&picture, &PlannedCrop::upright(FRAME, FRAME.size()), &finished(finish, EdgePolicy::Pad));
    let crop = crop.expect("renders");
    assert_eq!(crop.icc_profile.as_ref(), Some(&profile));
    let corner = to_srgb(crop.pixels, Some(&profile)).as_u8().expect("8 bits")[..3].to_vec();
    assert!(corner.iter().zip([200u8, 40, 60]).all(|(a, b)| a.abs_diff(b) <= 1), "{corner:?}");
}

#[test]
fn adjustments_leave_the_fill_as_it_was_asked_for() {
    let picture = waves(Size::new(160, 140), Channels::Rgb, false);
    let adjust = Adjust { exposure: 1.0, contrast: 0.5, white_balance: true, sharpen: 1.0 };
    for angle in [0.0, 8.0, 90.0] {
        let planned =
            PlannedCrop { angle, ..PlannedCrop::upright(PixelRect::new(-60, -60, 120, 120), Size::new(120, 120)) };
        let crop = render_crop(&picture, &planned, &finished(FinishSpec { adjust, ..PLAIN }, EdgePolicy::Pad));
        let pixels = crop.expect("renders").pixels;
        let corners = [(0, 0), (119, 0), (0, 119)].map(|(x, y)| shares_at(&pixels, x, y)[0] * 255.0);
        assert!(corners.iter().filter(|red| (**red - 200.0).abs() < 0.1).count() >= 2, "{angle}: {corners:?}");
    }
}

#[test]
fn a_smaller_crop_shows_what_the_large_one_is() {
    let some = |change: fn(&mut FinishSpec)| {
        let mut finish = PLAIN;
        change(&mut finish);
        finish
    };
    let finishes = [
        ("plain", PLAIN),
        ("rounded", some(|finish| finish.shape = Shape::Rounded { radius: 0.25 })),
        ("ellipse", some(|finish| finish.shape = Shape::Ellipse)),
        ("filled", some(|finish| (finish.shape, finish.fill_outside) = (Shape::Ellipse, true))),
        ("soft", some(|finish| finish.soft_edge = 0.2)),
        ("exposure", some(|finish| finish.adjust.exposure = 1.3)),
        ("contrast", some(|finish| finish.adjust.contrast = 0.8)),
        ("balance", some(|finish| finish.adjust.white_balance = true)),
        ("sharpen", some(|finish| finish.adjust.sharpen = 1.0)),
    ];
    let picture = waves(Size::new(400, 400), Channels::Rgb, false);
    for (name, finish) in finishes {
        for edge in [EdgePolicy::Pad, EdgePolicy::Extend, EdgePolicy::Blur] {
            for angle in [0.0, 14.0, -90.0] {
                let frame = PixelRect::new(-80, 60, 240, 240);
                let planned = PlannedCrop { angle, ..PlannedCrop::upright(frame, Size::new(160, 160)) };
                let spec = finished(finish, edge);
                let large = render_crop(&picture, &planned, &spec).expect("renders").pixels;
                let whole = SourceBox::whole(large.size());
                let large = resize(&large, whole, Size::new(80, 80), Filter::Area).expect("resizes");
                let small = render_smaller(&halved(&picture), &planned, &spec, 80).expect("renders").pixels;
                assert_eq!(large.layout(), small.layout());
                let (mut sum, mut apart) = (0.0, 0);
                for (x, y) in each_pixel(small.size()) {
                    // Colour counts by its alpha: where next to nothing shows, it may be anything.
                    let seen = |pixels: &Pixels| {
                        let mut shares = shares_at(pixels, x, y);
                        if let [red, green, blue, alpha] = shares[..] {
                            shares = vec![red * alpha, green * alpha, blue * alpha, alpha];
                        }
                        shares
                    };
                    let pairs = seen(&large).into_iter().zip(seen(&small));
                    let off = pairs.map(|(a, b)| (a - b).abs() * 255.0).fold(0.0, f64::max);
                    sum += off;
                    apart += u32::from(off > 8.0);
                }
                let mean = sum / 6400.0;
                // Pixels along outlines and edges may differ: where a small one begins is a matter of half a pixel.
                assert!(mean < 1.5 && apart < 250, "{name} {edge:?} {angle}: {mean} in the mean, {apart} far apart");
            }
        }
    }
}
