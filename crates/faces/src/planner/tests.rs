//! Inputs and passes.

use geometry::{Point, Rect};

use super::*;

const INPUT: Size = Size::new(640, 640);

fn subject(picture: Size, thoroughness: Thoroughness) -> Subject {
    Subject { picture, input: INPUT, thoroughness, nms_threshold: 0.3 }
}

fn pass(kind: PassScale, turned: u16) -> PassSpec {
    PassSpec { kind, turned }
}

fn face(side: f32, score: f32) -> Face {
    Face::new(Rect::new(10.0, 10.0, side, side), [Point::default(); 5], score)
}

fn pass_results(subject: &Subject, pass: PassSpec, faces: Vec<Face>) -> PassResult {
    let letterbox = subject.letterbox(pass, subject.inputs(pass)[0]).expect("fits");
    PassResult { pass, scale: letterbox.scale(), faces }
}

#[test]
fn a_handful_of_inputs_serves_all_photos() {
    let mut inputs = std::collections::BTreeSet::new();
    for width in (40..6000).step_by(97) {
        for height in (40..6000).step_by(89) {
            let subject = subject(Size::new(width, height), Thoroughness::Thorough);
            let pass = pass(PassScale::Larger, 0);
            let input = subject.inputs(pass)[0];
            assert!(input.width.is_multiple_of(32) && input.height.is_multiple_of(32) && input.long_side() == 1600);
            let letterbox = subject.letterbox(pass, input).expect("fits");
            assert!(letterbox.fitted.long_side() >= 1550, "{width} x {height} in {input}: {}", letterbox.fitted);
            inputs.insert((input.width, input.height));
        }
    }
    assert!(inputs.len() <= 13, "{inputs:?}");
    let input = |width, height, turned| {
        subject(Size::new(width, height), Thoroughness::Balanced).inputs(pass(PassScale::Larger, turned))[0]
    };
    assert_eq!(input(6000, 4000, 0), Size::new(1600, 1088));
    assert_eq!(input(6000, 4000, 90), Size::new(1088, 1600));
    assert_eq!(input(4000, 3000, 0), Size::new(1600, 1216));
    assert_eq!(input(100, 100, 0), Size::new(1600, 1600));
}

#[test]
fn smaller_inputs_follow_for_engines_that_refuse_one() {
    let subject = subject(Size::new(6000, 4000), Thoroughness::Thorough);
    let long = |kind| subject.inputs(pass(kind, 0)).iter().map(|input| input.long_side()).collect::<Vec<_>>();
    assert_eq!(long(PassScale::Largest), [2560, 1600, 1280, 960, 640]);
    assert_eq!(long(PassScale::Larger), [1600, 1280, 960, 640]);
    assert_eq!(long(PassScale::Smaller), [320, 640]);
    assert_eq!(long(PassScale::Standard), [640]);
    // Half of the first pass, whichever input it lies in.
    let scale = |input| subject.letterbox(pass(PassScale::Smaller, 0), Size::new(input, input)).expect("fits").scale();
    assert!((scale(320) - scale(640)).abs() < 1e-3);
}

#[test]
fn faces_that_are_small_even_in_the_larger_pass_call_for_the_largest() {
    let after = |picture: Size, thoroughness, score: f32| {
        let subject = subject(picture, thoroughness);
        // 16 pixels of the larger input.
        let small = face(16.0 * picture.long_side() as f32 / 1600.0, score);
        let passes = [pass(PassScale::Standard, 0), pass(PassScale::Larger, 0)];
        subject.next_pass(&passes.map(|pass| pass_results(&subject, pass, vec![face(500.0, 0.93), small])))
    };
    let largest = Some(pass(PassScale::Largest, 0));
    let (large, screen) = (Size::new(6000, 4000), Size::new(1024, 768));
    assert_eq!(after(large, Thoroughness::Balanced, 0.65), largest);
    assert_ne!(after(large, Thoroughness::Balanced, 0.5), largest);
    assert_ne!(after(screen, Thoroughness::Balanced, 0.65), largest, "it has no more pixels");
    assert_eq!(after(screen, Thoroughness::Thorough, 0.5), largest);
}

#[test]
fn the_passes_have_an_end_whatever_they_see() {
    for thoroughness in Thoroughness::ALL {
        for score in [0.3, 0.5, 0.7, 0.89, 0.95] {
            let subject = subject(Size::new(6000, 4000), thoroughness);
            let mut taken: Vec<PassResult> = Vec::new();
            while let Some(next) = subject.next_pass(&taken) {
                assert!(taken.iter().all(|pass_results| pass_results.pass != next), "{next:?} twice");
                taken.push(pass_results(&subject, next, vec![face(30.0, score), face(900.0, score)]));
            }
            assert!(taken.len() <= 27, "{thoroughness} at {score}: {} passes", taken.len());
        }
    }
}
