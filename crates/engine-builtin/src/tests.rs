//! The kernels against plain loops, the networks with other sizes and threads, and files that are refused.

use geometry::Size;
use inference::{ModelBytes, Outputs, SessionOptions};
use ndarray::Array4;
use pulp::{Arch, Scalar, Simd, WithSimd};
use recipe::{ModelKind, RuntimeOptions};

use super::*;
use crate::buffer::Buffer;
use crate::kernels::{ConvRow, DepthwiseRow, MaxPoolRow, PlanesRow, ResizeRow, TransposedConvRow};
use crate::pack::{BLOCK, Packing};

/// A generator of the same numbers in every run.
struct Numbers(u32);

impl Numbers {
    /// Between -1 and 1.
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    fn buffer(&mut self, len: usize) -> Buffer {
        let values: Vec<f32> = (0..len).map(|_| self.next()).collect();
        Buffer::from(&values[..])
    }

    /// From 1 to `max`.
    fn size(&mut self, max: usize) -> usize {
        ((self.next() + 1.0) / 2.0 * max as f32) as usize % max + 1
    }
}

#[derive(Clone, Copy, Debug)]
enum Instructions {
    /// The best ones of this processor.
    Best,
    /// AVX2, if it is not the best.
    Narrow,
    /// No vectors.
    Plain,
}

impl Instructions {
    fn run(self, kernel: impl WithSimd<Output = ()>) {
        match self {
            Self::Best => Arch::new().dispatch(kernel),
            #[cfg(target_arch = "x86_64")]
            Self::Narrow => match pulp::x86::V3::try_new() {
                Some(narrow) => Simd::vectorize(narrow, kernel),
                None => kernel.with_simd(Scalar::new()),
            },
            _ => kernel.with_simd(Scalar::new()),
        }
    }
}

/// Runs a kernel with each set of instructions and compares its output with `expected`; NaN is not looked at.
#[track_caller]
fn check(expected: &[f32], run: impl Fn(Instructions, &mut [f32])) {
    for instructions in [Instructions::Best, Instructions::Narrow, Instructions::Plain] {
        let mut output = Buffer::zeros(expected.len());
        run(instructions, &mut output);
        for (index, (got, wanted)) in
            output.iter().zip(expected).enumerate().filter(|(_, (_, wanted))| !wanted.is_nan())
        {
            assert!(
                (got - wanted).abs() <= 1e-5 + 1e-4 * wanted.abs(),
                "{instructions:?} at {index}: {got}, not {wanted}"
            );
        }
    }
}

/// An activation of a value of a channel, as a plain function.
type Plain = Box<dyn Fn(f32, usize) -> f32>;

fn activations(numbers: &mut Numbers, channels: usize) -> [(Packing, Plain); 4] {
    let (a, b) = (numbers.buffer(channels), numbers.buffer(channels));
    let (of_a, of_b) = (a.to_vec(), b.to_vec());
    [
        (Packing::None, Box::new(|value, _| value)),
        (Packing::Relu, Box::new(|value: f32, _| value.max(0.0))),
        (Packing::HardSwish, Box::new(|value: f32, _| value * (value / 6.0 + 0.5).clamp(0.0, 1.0))),
        (
            Packing::Slopes { a, b },
            Box::new(move |value: f32, channel| of_a[channel] * value + of_b[channel] * value.max(0.0)),
        ),
    ]
}

#[test]
fn convolutions_of_pixels_match_plain_loops() {
    let mut numbers = Numbers(1);
    for case in 0..40 {
        let (pixels, blocks, step, height) = (numbers.size(40), numbers.size(7), numbers.size(40), numbers.size(3));
        let (taps, channels) = (numbers.size(step), blocks * BLOCK);
        let inputs: Vec<Buffer> = (0..height).map(|_| numbers.buffer(pixels * step)).collect();
        let rows: Vec<&[f32]> = inputs.iter().map(|row| &row[..]).collect();
        let (weights, bias) = (numbers.buffer(channels * height * taps), numbers.buffer(channels));
        let of_residual = BLOCK * numbers.size(blocks);
        let residual = numbers.buffer(pixels * of_residual);
        let added = |pixel: usize, channel: usize| match case % 2 == 0 && channel < of_residual {
            true => residual[pixel * of_residual + channel],
            false => 0.0,
        };
        for (activation, plain) in activations(&mut numbers, channels) {
            let value = |pixel: usize, channel: usize| {
                let of_block = &weights[channel / BLOCK * height * taps * BLOCK..];
                let weight = |row: usize, tap: usize| of_block[(row * taps + tap) * BLOCK + channel % BLOCK];
                let of_row =
                    |row: usize| (0..taps).map(|tap| rows[row][pixel * step + tap] * weight(row, tap)).sum::<f32>();
                plain(bias[channel] + (0..height).map(of_row).sum::<f32>() + added(pixel, channel), channel)
            };
            let expected: Vec<f32> = (0..pixels * channels).map(|at| value(at / channels, at % channels)).collect();
            check(&expected, |instructions, output| {
                let residual = (case % 2 == 0).then_some((&residual[..], of_residual));
                let (rows, weights, bias, activation) = (&rows[..], &weights[..], &bias[..], &activation);
                instructions.run(ConvRow {
                    rows,
                    step,
                    taps,
                    weights,
                    bias,
                    activation,
                    residual,
                    output,
                    channels,
                    pixels,
                });
            });
        }
    }
}

#[test]
fn convolutions_of_planes_match_plain_loops() {
    let mut numbers = Numbers(2);
    for _ in 0..40 {
        let (pixels, blocks, stride, planes) = (numbers.size(40), numbers.size(3), numbers.size(2), numbers.size(4));
        let (height, columns, channels) = (numbers.size(5), numbers.size(5), blocks * BLOCK);
        let plane = (pixels - 1) * stride + columns + numbers.size(3);
        let inputs: Vec<Buffer> = (0..height).map(|_| numbers.buffer(planes * plane)).collect();
        let rows: Vec<&[f32]> = inputs.iter().map(|row| &row[..]).collect();
        let taps = height * planes * columns;
        let (weights, bias) = (numbers.buffer(channels * taps), numbers.buffer(channels));
        let value = |pixel: usize, channel: usize| {
            let products = (0..taps).map(|tap| {
                let (row, rest) = (tap / (planes * columns), tap % (planes * columns));
                let input = rows[row][rest / columns * plane + pixel * stride + rest % columns];
                input * weights[(channel / BLOCK * taps + tap) * BLOCK + channel % BLOCK]
            });
            (bias[channel] + products.sum::<f32>()).max(0.0)
        };
        let expected: Vec<f32> = (0..pixels * channels).map(|at| value(at / channels, at % channels)).collect();
        check(&expected, |instructions, output| {
            let (rows, weights, bias, activation) = (&rows[..], &weights[..], &bias[..], &Packing::Relu);
            instructions.run(PlanesRow {
                rows,
                plane,
                planes,
                columns,
                stride,
                weights,
                bias,
                activation,
                output,
                channels,
                pixels,
            });
        });
    }
}

#[test]
fn depthwise_convolutions_match_plain_loops() {
    let mut numbers = Numbers(3);
    for case in 0..40 {
        let (pixels, channels) = (numbers.size(40), BLOCK * numbers.size(5));
        let (side, stride) = ([3, 5][case % 2], [1, 2][case / 2 % 2]);
        let inputs: Vec<Buffer> =
            (0..side).map(|_| numbers.buffer(((pixels - 1) * stride + side) * channels)).collect();
        let rows: Vec<&[f32]> = inputs.iter().map(|row| &row[..]).collect();
        let (weights, bias) = (numbers.buffer(side * side * channels), numbers.buffer(channels));
        for (activation, plain) in activations(&mut numbers, channels) {
            let value = |pixel: usize, channel: usize| {
                let products = (0..side * side).map(|tap| {
                    let (row, column) = (tap / side, tap % side);
                    rows[row][(pixel * stride + column) * channels + channel] * weights[tap * channels + channel]
                });
                plain(bias[channel] + products.sum::<f32>(), channel)
            };
            let expected: Vec<f32> = (0..pixels * channels).map(|at| value(at / channels, at % channels)).collect();
            check(&expected, |instructions, output| {
                let (rows, weights, bias, activation) = (&rows[..], &weights[..], &bias[..], &activation);
                instructions.run(DepthwiseRow { rows, stride, weights, bias, activation, output, channels, pixels });
            });
        }
    }
}

#[test]
fn pooling_and_resizing_match_plain_loops() {
    let mut numbers = Numbers(4);
    for _ in 0..40 {
        let (pixels, channels) = (numbers.size(20), BLOCK * numbers.size(4));
        let (one, other) = (numbers.buffer(2 * pixels * channels), numbers.buffer(2 * pixels * channels));
        let larger = |at: usize| {
            let (pixel, channel) = (at / channels, at % channels);
            let of_row =
                |row: &[f32]| row[2 * pixel * channels + channel].max(row[(2 * pixel + 1) * channels + channel]);
            of_row(&one).max(of_row(&other))
        };
        let expected: Vec<f32> = (0..pixels * channels).map(larger).collect();
        check(&expected, |instructions, output| {
            instructions.run(MaxPoolRow { rows: [&one, &other], output, channels, pixels });
        });

        let (near, far) = (&one[..pixels * channels], &other[..pixels * channels]);
        let between = |at: usize| {
            let (pixel, channel) = (at / channels, at % channels);
            let place = ((pixel as f32 + 0.5) / 2.0 - 0.5).clamp(0.0, pixels as f32 - 1.0);
            let (left, share) = (place.floor() as usize, place.fract());
            let column = |pixel: usize| {
                let at = pixel.min(pixels - 1) * channels + channel;
                0.75 * near[at] + 0.25 * far[at]
            };
            (1.0 - share) * column(left) + share * column(left + 1)
        };
        let expected: Vec<f32> = (0..2 * pixels * channels).map(between).collect();
        check(&expected, |instructions, output| instructions.run(ResizeRow { near, far, output, channels, pixels }));

        let (weights, bias) = (numbers.buffer(4 * channels), numbers.next());
        let of_pixel = |at: usize| {
            let (row, column) = (at / (2 * pixels * BLOCK), at / BLOCK % (2 * pixels));
            let tap = 2 * row + column % 2;
            let products =
                (0..channels).map(|channel| near[column / 2 * channels + channel] * weights[tap * channels + channel]);
            if at.is_multiple_of(BLOCK) { bias + products.sum::<f32>() } else { f32::NAN }
        };
        let expected: Vec<f32> = (0..4 * pixels * BLOCK).map(of_pixel).collect();
        check(&expected, |instructions, output| {
            let (one, other) = output.split_at_mut(2 * pixels * BLOCK);
            let channels = [channels, BLOCK];
            instructions.run(TransposedConvRow {
                input: near,
                weights: &weights,
                bias,
                outputs: [one, other],
                channels,
            });
        });
    }
}

fn open(model: &ModelBytes, input: Size, threads: usize) -> Result<Box<dyn Session>, BackendError> {
    let runtime = RuntimeOptions { threads, ..RuntimeOptions::default() };
    BUILTIN.open(BackendKind::Builtin, model, &SessionOptions { runtime, ..SessionOptions::new(input) })
}

fn outputs(session: &mut dyn Session) -> Outputs {
    let Size { width, height } = session.info().input;
    let mut numbers = Numbers(5);
    let input =
        Array4::from_shape_simple_fn((1, 3, height as usize, width as usize), || 128.0 * (1.0 + numbers.next()));
    let mut outputs = Outputs::new();
    session.run(input.view(), &mut outputs).expect("runs");
    outputs
}

#[test]
fn threads_do_not_change_the_outputs() {
    let model = ModelBytes::bundled();
    for (width, height) in [(640, 448), (448, 640), (64, 32), (160, 736)] {
        let size = Size::new(width, height);
        let one = outputs(&mut *open(&model, size, 1).expect("opens"));
        for threads in [2, 3, 7] {
            assert_eq!(outputs(&mut *open(&model, size, threads).expect("opens")), one, "{size} on {threads} threads");
        }
        let rows: usize =
            one.iter().filter(|output| output.name.starts_with("cls")).map(|output| output.shape[1]).sum();
        assert_eq!(rows, (width * height / 64 + width * height / 256 + width * height / 1024) as usize);
    }
}

#[test]
fn a_session_gives_the_same_outputs_again() {
    for kind in ModelKind::OF_FACES {
        let model = ModelBytes::bundled_for(kind);
        let side = inference::fixed_input(kind).expect("fixed");
        let mut session = open(&model, Size::new(side, side), 2).expect("opens");
        let first = outputs(&mut *session);
        assert_eq!(outputs(&mut *session), first, "{kind}: buffers are used again");
        assert!(first.iter().all(|output| output.values.iter().all(|value| value.is_finite())));
    }
}

#[test]
fn sizes_that_do_not_fit_and_other_files_are_refused() {
    let model = ModelBytes::bundled();
    let refused =
        |model: &ModelBytes, size| open(model, size, 1).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused(&model, Size::new(650, 640)).contains("multiples of 32"));
    assert!(refused(&model, Size::new(1, 1)).contains("too small"));
    let other = ModelBytes::from_bytes("words", b"words, words".to_vec());
    assert!(refused(&other, Size::new(640, 640)).contains("words"), "{}", refused(&other, Size::new(640, 640)));
    let bytes = model.as_bytes();
    for length in (0..bytes.len()).step_by(1499) {
        assert!(
            open(&ModelBytes::from_bytes("cut", bytes[..length].to_vec()), Size::new(640, 640), 1).is_err(),
            "{length}"
        );
    }
}

#[test]
fn an_operator_that_is_missing_is_named() {
    let mut renamed = ModelBytes::bundled().as_bytes().to_vec();
    for at in 0..renamed.len() - 7 {
        if renamed[at..].starts_with(b"MaxPool") {
            renamed[at..at + 7].copy_from_slice(b"LRNorms");
        }
    }
    let error = open(&ModelBytes::from_bytes("other", renamed), Size::new(640, 640), 1).err().expect("refused");
    assert!(error.to_string().contains("LRNorms is not supported"), "{error}");
}

#[test]
fn random_changes_of_a_graph_never_panic() {
    let (mut numbers, mut opened) = (Numbers(6), 0);
    for kind in ModelKind::ALL {
        let model = ModelBytes::bundled_for(kind);
        let side = inference::fixed_input(kind).unwrap_or(64);
        // The operators are at the begin of the file, before the weights.
        let graph = 12_000.min(model.as_bytes().len());
        for _ in 0..400 {
            let mut changed = model.as_bytes().to_vec();
            for _ in 0..2 {
                changed[numbers.size(graph) - 1] = numbers.size(256) as u8;
            }
            if let Ok(mut session) = open(&ModelBytes::from_bytes("changed", changed), Size::new(side, side), 1) {
                outputs(&mut *session);
                opened += 1;
            }
        }
    }
    assert!(opened > 100, "{opened}");
}
