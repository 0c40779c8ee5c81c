//! Sums over square windows.

/// Replaces each of `cells`, in rows of `width`, by the sum over the cells at most `radius` away along both axes.
/// Windows are clipped at the borders. The time does not depend on `radius`.
pub(super) fn box_sum<const LANES: usize>(cells: &mut [[f32; LANES]], width: usize, radius: usize) {
    if width == 0 {
        return;
    }
    let mut rows = vec![[0.0; LANES]; cells.len()];
    for (from, to) in cells.chunks_exact(width).zip(rows.chunks_exact_mut(width)) {
        let mut sum = [0.0; LANES];
        from.iter().take(radius).for_each(|cell| add(&mut sum, cell));
        for (x, to) in to.iter_mut().enumerate() {
            if let Some(next) = from.get(x + radius) {
                add(&mut sum, next);
            }
            if let Some(last) = x.checked_sub(radius + 1) {
                subtract(&mut sum, &from[last]);
            }
            *to = sum;
        }
    }
    let height = cells.len() / width;
    let row = |y: usize| &rows[y * width..(y + 1) * width];
    let mut sums = vec![[0.0; LANES]; width];
    let add_row = |sums: &mut [[f32; LANES]], y: usize| {
        sums.iter_mut().zip(row(y)).for_each(|(sum, cell)| add(sum, cell));
    };
    (0..radius.min(height)).for_each(|y| add_row(&mut sums, y));
    for (y, to) in cells.chunks_exact_mut(width).enumerate() {
        if y + radius < height {
            add_row(&mut sums, y + radius);
        }
        if let Some(last) = y.checked_sub(radius + 1) {
            sums.iter_mut().zip(row(last)).for_each(|(sum, cell)| subtract(sum, cell));
        }
        to.copy_from_slice(&sums);
    }
}

#[inline(always)]
fn add<const LANES: usize>(sum: &mut [f32; LANES], cell: &[f32; LANES]) {
    sum.iter_mut().zip(cell).for_each(|(sum, value)| *sum += value);
}

#[inline(always)]
fn subtract<const LANES: usize>(sum: &mut [f32; LANES], cell: &[f32; LANES]) {
    sum.iter_mut().zip(cell).for_each(|(sum, value)| *sum -= value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_clipped_at_the_borders() {
        let (width, height) = (5usize, 4usize);
        for radius in [0, 1, 2, 9] {
            let cells: Vec<[f32; 1]> = (0..width * height).map(|at| [(at * at % 7) as f32]).collect();
            let mut sums = cells.clone();
            box_sum(&mut sums, width, radius);
            for (at, sum) in sums.iter().enumerate() {
                let near = |cell: usize| {
                    (cell % width).abs_diff(at % width) <= radius && (cell / width).abs_diff(at / width) <= radius
                };
                let expected: f32 = (0..cells.len()).filter(|cell| near(*cell)).map(|cell| cells[cell][0]).sum();
                assert!((sum[0] - expected).abs() < 1e-4, "{radius} {at}: {} in place of {expected}", sum[0]);
            }
        }
    }
}
