//! Input sizes and sequences of passes.

use geometry::{Point, Rect};

use super::*;

const INPUT: Size = Size::new(640, 640);

fn planner(picture: Size, thoroughness: Thoroughness) -> PassPlanner {
    PassPlanner { picture, input: INPUT, fits_inputs: true, thoroughness, nms_threshold: 0.3 }
}

fn pass(kind: PassScale, rotation: u16) -> PassSpec {
    PassSpec { kind, rotation }
}

fn face(side: f32, score: f32) -> Face {
    Face::new(Rect::new(10.0, 10.0, side, side), [Point::default(); 5], score)
}

fn pass_result(planner: &PassPlanner, pass: PassSpec, faces: Vec<Face>) -> PassResult {
    let letterbox = planner.letterbox(pass, planner.inputs(pass)[0]).expect("fits");
    PassResult { pass, scale: letterbox.scale(), faces }
}

#[test]
fn a_few_input_sizes_serve_all_photos() {
    let mut inputs = std::collections::BTreeSet::new();
    for width in (40..6000).step_by(97) {
        for height in (40..6000).step_by(89) {
            let planner = planner(Size::new(width, height), Thoroughness::Thorough);
            for (kind, long_side) in [(PassScale::Standard, 640), (PassScale::Smaller, 320), (PassScale::Larger, 1600)]
            {
                let pass = pass(kind, 0);
                let input = planner.inputs(pass)[0];
                let is_multiple = input.width.is_multiple_of(32) && input.height.is_multiple_of(32);
                assert!(is_multiple && input.long_side() == long_side, "{input}");
                // The shape costs no pixels: the photo is as large as in a square input.
                let letterbox = planner.letterbox(pass, input).expect("fits");
                let square = planner.letterbox(pass, Size::new(long_side, long_side)).expect("fits");
                let fewer = square.resized.long_side() - letterbox.resized.long_side();
                assert!(fewer <= 1, "{width} x {height} in {input}: {fewer} pixels fewer");
                inputs.insert((input.width, input.height));
            }
        }
    }
    assert!(inputs.len() <= 3 * 13, "{inputs:?}");
    let input = |width, height, kind, rotation| {
        planner(Size::new(width, height), Thoroughness::Balanced).inputs(pass(kind, rotation))[0]
    };
    assert_eq!(input(6000, 4000, PassScale::Larger, 0), Size::new(1600, 1088));
    assert_eq!(input(6000, 4000, PassScale::Larger, 90), Size::new(1088, 1600));
    assert_eq!(input(4000, 3000, PassScale::Larger, 0), Size::new(1600, 1216));
    assert_eq!(input(100, 100, PassScale::Larger, 0), Size::new(1600, 1600));
    assert_eq!(input(6000, 4000, PassScale::Standard, 0), Size::new(640, 448));
    assert_eq!(input(1000, 667, PassScale::Standard, 90), Size::new(448, 640));
    assert_eq!(input(3000, 4000, PassScale::Standard, 0), Size::new(480, 640));
    assert_eq!(input(6000, 4000, PassScale::Standard, 45), Size::new(640, 640));
    assert_eq!(input(6000, 4000, PassScale::Smaller, 0), Size::new(320, 224));
}

#[test]
fn slow_engines_use_the_main_session_for_the_first_pass() {
    let planner = PassPlanner { fits_inputs: false, ..planner(Size::new(6000, 4000), Thoroughness::Thorough) };
    assert_eq!(planner.inputs(pass(PassScale::Standard, 0)), [INPUT]);
    assert_eq!(planner.inputs(pass(PassScale::Smaller, 0))[0], Size::new(320, 224));
}

#[test]
fn smaller_inputs_follow_for_engines_that_reject_one() {
    let planner = planner(Size::new(6000, 4000), Thoroughness::Thorough);
    let long = |kind| planner.inputs(pass(kind, 0)).iter().map(|input| input.long_side()).collect::<Vec<_>>();
    assert_eq!(long(PassScale::Largest), [2560, 1600, 1280, 960, 640]);
    assert_eq!(long(PassScale::Larger), [1600, 1280, 960, 640]);
    assert_eq!(long(PassScale::Smaller), [320, 640]);
    assert_eq!(long(PassScale::Standard), [640, 640]);
    // Half the scale of the standard pass, whichever input is used.
    let scale = |input| planner.letterbox(pass(PassScale::Smaller, 0), Size::new(input, input)).expect("fits").scale();
    assert!((scale(320) - scale(640)).abs() < 1e-3);
}

#[test]
fn small_faces_in_the_larger_pass_require_the_largest() {
    let after = |picture: Size, thoroughness, score: f32| {
        let planner = planner(picture, thoroughness);
        // 16 pixels of the larger input.
        let small = face(16.0 * picture.long_side() as f32 / 1600.0, score);
        let passes = [pass(PassScale::Standard, 0), pass(PassScale::Larger, 0)];
        planner.next_pass(&passes.map(|pass| pass_result(&planner, pass, vec![face(500.0, 0.93), small])))
    };
    let largest = Some(pass(PassScale::Largest, 0));
    let (large, screen) = (Size::new(6000, 4000), Size::new(1024, 768));
    assert_eq!(after(large, Thoroughness::Balanced, 0.65), largest);
    assert_ne!(after(large, Thoroughness::Balanced, 0.5), largest);
    assert_ne!(after(screen, Thoroughness::Balanced, 0.65), largest, "the photo has no more pixels");
    assert_eq!(after(screen, Thoroughness::Thorough, 0.5), largest);
}

#[test]
fn the_sequence_of_passes_always_ends() {
    for thoroughness in Thoroughness::ALL {
        for score in [0.3, 0.5, 0.7, 0.89, 0.95] {
            let planner = planner(Size::new(6000, 4000), thoroughness);
            let mut taken: Vec<PassResult> = Vec::new();
            while let Some(next) = planner.next_pass(&taken) {
                assert!(taken.iter().all(|result| result.pass != next), "{next:?} twice");
                taken.push(pass_result(&planner, next, vec![face(30.0, score), face(900.0, score)]));
            }
            assert!(taken.len() <= 27, "{thoroughness} at {score}: {} passes", taken.len());
        }
    }
}
