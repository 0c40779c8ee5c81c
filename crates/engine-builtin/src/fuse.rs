//! Joins layers, so that values are not stored between them.

use std::collections::HashMap;

use crate::layers::{Activation, Form, Layer, Layers, Op, Value, Weights};

/// Joins layers where the result is the same but for rounding.
pub(crate) fn fuse(layers: &mut Layers) {
    fuse_slopes(layers);
    fuse_doubled(layers);
    fuse_residuals(layers);
    fuse_activations(layers);
    join_heads(layers);
}

/// The index of the layer that computes each value.
fn producers(layers: &[Layer]) -> HashMap<Value, usize> {
    layers.iter().enumerate().map(|(index, layer)| (layer.output, index)).collect()
}

fn remove(layers: &mut Vec<Layer>, gone: &[usize]) {
    let mut index = 0;
    layers.retain(|_| {
        index += 1;
        !gone.contains(&(index - 1))
    });
}

/// `scale_a(x) + scale_b(relu(x))` is an activation.
fn fuse_slopes(layers: &mut Layers) {
    let (uses, by_value) = (layers.uses(), producers(&layers.layers));
    let mut gone = Vec::new();
    for index in 0..layers.layers.len() {
        let layer = &layers.layers[index];
        let (Op::Add, &[one, other]) = (&layer.op, &layer.inputs[..]) else { continue };
        let scaled = |value: Value| {
            let at = *by_value.get(&value).filter(|_| uses[value] == 1)?;
            let Op::Scale(factors) = &layers.layers[at].op else { return None };
            Some((at, factors.clone(), layers.layers[at].inputs[0]))
        };
        let (Some((at_a, a, x)), Some((at_b, b, positive))) = (scaled(one), scaled(other)) else { continue };
        let Some(&at_relu) = by_value.get(&positive).filter(|_| uses[positive] == 1) else { continue };
        let relu = &layers.layers[at_relu];
        if relu.op != Op::Activate || relu.activation != Activation::Relu || relu.inputs[0] != x {
            continue;
        }
        gone.extend([at_a, at_b, at_relu]);
        let layer = &mut layers.layers[index];
        (layer.op, layer.inputs, layer.activation) = (Op::Activate, vec![x], Activation::Slopes { a, b });
    }
    remove(&mut layers.layers, &gone);
}

/// An image is added to a doubled one without storing it.
fn fuse_doubled(layers: &mut Layers) {
    let (uses, by_value) = (layers.uses(), producers(&layers.layers));
    let mut gone = Vec::new();
    for index in 0..layers.layers.len() {
        let layer = &layers.layers[index];
        let (Op::Add, &[one, other]) = (&layer.op, &layer.inputs[..]) else { continue };
        let Some(&at) = by_value.get(&other).filter(|_| uses[other] == 1) else { continue };
        if layers.layers[at].op == Op::Double {
            let small = layers.layers[at].inputs[0];
            let layer = &mut layers.layers[index];
            (layer.op, layer.inputs) = (Op::AddDoubled, vec![one, small]);
            gone.push(at);
        }
    }
    remove(&mut layers.layers, &gone);
}

/// A convolution adds an earlier value to its own.
fn fuse_residuals(layers: &mut Layers) {
    let (uses, by_value) = (layers.uses(), producers(&layers.layers));
    let mut gone = Vec::new();
    for index in 0..layers.layers.len() {
        let layer = &layers.layers[index];
        let (Op::Add, &[one, other]) = (&layer.op, &layer.inputs[..]) else { continue };
        for (conv, other) in [(one, other), (other, one)] {
            let Some(&at) = by_value.get(&conv).filter(|_| uses[conv] == 1) else { continue };
            let mut residual = other;
            let mut appended = None;
            if let Some(&of_other) = by_value.get(&other).filter(|_| uses[other] == 1)
                && let Op::AppendChannels(_) = layers.layers[of_other].op
            {
                (residual, appended) = (layers.layers[of_other].inputs[0], Some(of_other));
            }
            let is_ready = by_value.get(&residual).is_none_or(|producer| *producer < at);
            let found = &layers.layers[at];
            if matches!(found.op, Op::Conv(..)) && found.residual.is_none() && is_ready {
                gone.extend(appended.into_iter().chain([index]));
                let output = layers.layers[index].output;
                (layers.layers[at].residual, layers.layers[at].output) = (Some(residual), output);
                break;
            }
        }
    }
    remove(&mut layers.layers, &gone);
}

/// A layer applies the activation that follows it.
fn fuse_activations(layers: &mut Layers) {
    let (uses, by_value) = (layers.uses(), producers(&layers.layers));
    let mut gone = Vec::new();
    for index in 0..layers.layers.len() {
        let layer = &layers.layers[index];
        if layer.op != Op::Activate {
            continue;
        }
        let input = layer.inputs[0];
        let Some(&at) = by_value.get(&input).filter(|_| uses[input] == 1) else { continue };
        let before = &layers.layers[at];
        let can = matches!(before.op, Op::Conv(..) | Op::Depthwise(..) | Op::TransposedConv(_));
        if can && before.activation == Activation::None {
            let Layer { output, activation, .. } = layers.layers[index].clone();
            (layers.layers[at].output, layers.layers[at].activation) = (output, activation);
            gone.push(index);
        }
    }
    remove(&mut layers.layers, &gone);
}

/// Pointwise convolutions of the same value, each with one depthwise convolution before an output, become one pair with the
/// channels of all: the heads of a detector have few channels each.
fn join_heads(layers: &mut Layers) {
    let uses = layers.uses();
    let mut pairs: HashMap<Value, Vec<(usize, usize)>> = HashMap::new();
    for (at, layer) in layers.layers.iter().enumerate() {
        let Op::Conv(window, _) = &layer.op else { continue };
        let is_plain = window.kernel == [1, 1] && window.stride == 1 && is_bare(layer);
        if !is_plain || uses[layer.output] != 1 || layer.inputs[0] == 0 {
            continue;
        }
        let follower = layers.layers.iter().position(|next| next.inputs[0] == layer.output);
        let Some(next) = follower.filter(|next| is_bare(&layers.layers[*next])) else { continue };
        let of_outputs = layers.outputs.iter().filter(|output| output.value == layers.layers[next].output);
        let is_head =
            uses[layers.layers[next].output] == 1 && of_outputs.clone().all(|output| output.form == Form::Rows);
        if matches!(layers.layers[next].op, Op::Depthwise(..)) && is_head && of_outputs.count() == 1 {
            pairs.entry(layer.inputs[0]).or_default().push((at, next));
        }
    }
    let mut gone = Vec::new();
    for heads in pairs.into_values().filter(|heads| heads.len() > 1) {
        let window_of = |at: usize| match &layers.layers[at].op {
            Op::Conv(window, _) | Op::Depthwise(window, _) => Some(*window),
            _ => None,
        };
        let (first, second) = heads[0];
        if heads.iter().any(|(_, next)| window_of(*next) != window_of(second)) {
            continue;
        }
        for &(at, next) in &heads[1..] {
            let (conv, depthwise) = (layers.layers[at].op.clone(), layers.layers[next].op.clone());
            let begin = append(&mut layers.layers[first].op, &conv);
            append(&mut layers.layers[second].op, &depthwise);
            let (old, new) = (layers.layers[next].output, layers.layers[second].output);
            for output in layers.outputs.iter_mut().filter(|output| output.value == old) {
                (output.value, output.first) = (new, begin);
                output.channels = weights(&conv).map(|weights| weights.outputs);
            }
            gone.extend([at, next]);
        }
        // The first head is a part of the channels as well.
        let value = layers.layers[second].output;
        let parts: usize =
            layers.outputs.iter().filter(|output| output.value == value).filter_map(|o| o.channels).sum();
        let all = weights(&layers.layers[second].op).map_or(0, |weights| weights.outputs);
        for output in layers.outputs.iter_mut().filter(|output| output.value == value && output.channels.is_none()) {
            output.channels = Some(all - parts);
        }
    }
    remove(&mut layers.layers, &gone);
}

fn is_bare(layer: &Layer) -> bool {
    layer.activation == Activation::None && layer.residual.is_none()
}

fn weights(op: &Op) -> Option<&Weights> {
    if let Op::Conv(_, weights) | Op::Depthwise(_, weights) = op { Some(weights) } else { None }
}

/// Appends the output channels of `more`; returns the number of channels before.
fn append(op: &mut Op, more: &Op) -> usize {
    let (Op::Conv(_, all) | Op::Depthwise(_, all), Some(more)) = (op, weights(more)) else { return 0 };
    let before = all.outputs;
    all.values.extend_from_slice(&more.values);
    all.bias.extend_from_slice(&more.bias);
    all.outputs += more.outputs;
    before
}
