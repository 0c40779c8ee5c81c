//! Tests of outlines and adjustments of whole crops, and of previews against full-size crops.

use geometry::Size;

use super::*;

const FRAME: PixelRect = PixelRect::new(20, 10, 120, 120);

fn finished(finish: FinishSpec, edge: EdgePolicy) -> RenderSpec {
    RenderSpec { edge, fill: Color { rgb: [200, 40, 60] }, finish }
}

#[test]
fn ellipse_is_cut_out_or_filled_around() {
    for (channels, with_alpha) in
        [(Channels::L, Channels::La), (Channels::Rgb, Channels::Rgba), (Channels::Rgba, Channels::Rgba)]
    {
        for deep in [false, true] {
            let picture = waves(Size::new(160, 140), channels, deep);
            let planned = PlannedCrop::upright(FRAME, FRAME.size());
            let finish = FinishSpec { shape: Shape::Ellipse, ..PLAIN };
            let plain =
                render_crop(&picture, &planned, &finished(PLAIN, EdgePolicy::Pad), None).expect("renders").pixels;
            let crop =
                render_crop(&picture, &planned, &finished(finish, EdgePolicy::Pad), None).expect("renders").pixels;
            assert_eq!((crop.channels(), crop.layout().deep), (with_alpha, deep));
            assert!(shares_at(&crop, 3, 3).iter().all(|sample| *sample == 0.0), "nothing is hidden in the corner");
            assert_eq!(shares_at(&crop, 60, 60), shares_at(&plain.into_channels(with_alpha), 60, 60));
            let filled = FinishSpec { fill_outside: true, ..finish };
            let crop =
                render_crop(&picture, &planned, &finished(filled, EdgePolicy::Pad), None).expect("renders").pixels;
            assert_eq!(crop.channels(), channels.in_colour(), "a coloured fill makes grey coloured");
            let corner: Vec<u8> =
                shares_at(&crop, 3, 3)[..3].iter().map(|share| (share * 255.0).round() as u8).collect();
            assert_eq!(corner, [200, 40, 60]);
        }
    }
}

#[test]
fn grey_photos_with_a_grey_fill_stay_grey() {
    let picture = waves(Size::new(160, 140), Channels::L, false);
    let finish = FinishSpec { shape: Shape::Ellipse, fill_outside: true, ..PLAIN };
    let spec = RenderSpec { fill: Color::WHITE, ..finished(finish, EdgePolicy::Pad) };
    let crop = render_crop(&picture, &PlannedCrop::upright(FRAME, FRAME.size()), &spec, None).expect("renders").pixels;
    assert_eq!(crop.channels(), Channels::L);
    assert_eq!(shares_at(&crop, 0, 0), [1.0]);
}

#[test]
fn outline_fill_is_converted_to_the_profile_of_the_photo() {
    let profile: Arc<[u8]> = moxcms::ColorProfile::new_display_p3().encode().expect("encodes").into();
    let mut picture = waves(Size::new(160, 140), Channels::Rgb, false);
    picture.info.icc_profile = Some(Arc::clone(&profile));
    let finish = FinishSpec { shape: Shape::Rounded { radius: 0.3 }, fill_outside: true, ..PLAIN };
    let crop =
        render_crop(&picture, &PlannedCrop::upright(FRAME, FRAME.size()), &finished(finish, EdgePolicy::Pad), None);
    let crop = crop.expect("renders");
    assert_eq!(crop.icc_profile.as_ref(), Some(&profile));
    let corner = to_srgb(crop.pixels, Some(&profile)).as_u8().expect("8 bits")[..3].to_vec();
    assert!(corner.iter().zip([200u8, 40, 60]).all(|(a, b)| a.abs_diff(b) <= 1), "{corner:?}");
}

#[test]
fn adjustments_do_not_change_the_fill() {
    let picture = waves(Size::new(160, 140), Channels::Rgb, false);
    let adjust = Adjust { exposure: 1.0, contrast: 0.5, white_balance: true, sharpen: 1.0 };
    for angle in [0.0, 8.0, 90.0] {
        let planned =
            PlannedCrop { angle, ..PlannedCrop::upright(PixelRect::new(-60, -60, 120, 120), Size::new(120, 120)) };
        let crop = render_crop(&picture, &planned, &finished(FinishSpec { adjust, ..PLAIN }, EdgePolicy::Pad), None);
        let pixels = crop.expect("renders").pixels;
        let corners = [(0, 0), (119, 0), (0, 119)].map(|(x, y)| shares_at(&pixels, x, y)[0] * 255.0);
        assert!(corners.iter().filter(|red| (**red - 200.0).abs() < 0.1).count() >= 2, "{angle}: {corners:?}");
    }
}

#[test]
fn previews_match_the_full_size_crop() {
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
    let picture = waves(Size::new(300, 300), Channels::Rgb, false);
    for (name, finish) in finishes {
        for edge in [EdgePolicy::Pad, EdgePolicy::Extend, EdgePolicy::Blur] {
            for angle in [0.0, 14.0] {
                let frame = PixelRect::new(-64, 40, 192, 192);
                let planned = PlannedCrop { angle, ..PlannedCrop::upright(frame, Size::new(96, 96)) };
                let spec = finished(finish, edge);
                let large = render_crop(&picture, &planned, &spec, None).expect("renders").pixels;
                let small = render_smaller(&halved(&picture), &planned, &spec, None, 48).expect("renders").pixels;
                assert_eq!((large.layout(), small.size()), (small.layout(), Size::new(48, 48)));
                let differences = each_pixel(small.size()).map(|(x, y)| {
                    let four = [(0, 0), (1, 0), (0, 1), (1, 1)]
                        .map(|(dx, dy)| premultiplied_at(&large, 2 * x + dx, 2 * y + dy));
                    let mean = |at: usize| four.iter().map(|shares| shares[at]).sum::<f64>() / 4.0;
                    let pairs = premultiplied_at(&small, x, y).into_iter().enumerate();
                    pairs.map(|(at, share)| (share - mean(at)).abs() * 255.0).fold(0.0, f64::max)
                });
                let differences: Vec<f64> = differences.collect();
                let mean = differences.iter().sum::<f64>() / differences.len() as f64;
                let outliers = differences.iter().filter(|difference| **difference > 6.0).count();
                // In an upright crop the photo starts at a whole pixel: of the small crop or of the large one.
                assert!(
                    mean < 2.0 && outliers <= 96,
                    "{name} {edge:?} {angle}: {mean} in the mean, {outliers} far apart"
                );
            }
        }
    }
}

/// The samples of a pixel, with premultiplied colour.
fn premultiplied_at(pixels: &Pixels, x: u32, y: u32) -> Vec<f64> {
    match shares_at(pixels, x, y)[..] {
        [red, green, blue, alpha] => vec![red * alpha, green * alpha, blue * alpha, alpha],
        ref shares => shares.to_vec(),
    }
}
