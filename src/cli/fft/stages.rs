//! Splits an array of any number of axes into transforms that plans support: batches of images or volumes.

use crate::fft::{Axes, Axis, Direction, Kind};

/// A transform along one to three axes of every volume `[z][y][x]` of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    pub kind: Kind,
    pub direction: Direction,
    pub axes: Axes,
    /// Width, height and depth; for [`Kind::Real`] those of the real side.
    pub size: [usize; 3],
    pub batch: usize,
}

/// Lines along one axis of an array in C order: `[outer][length][inner]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lines {
    pub outer: usize,
    pub length: usize,
    pub inner: usize,
}

impl Lines {
    /// Lines along axis `axis` of an array of `shape`.
    pub fn of(shape: &[usize], axis: usize) -> Self {
        Self {
            outer: shape[..axis].iter().product(),
            length: shape[axis],
            inner: shape[axis + 1..].iter().product(),
        }
    }

    pub fn count(&self) -> usize {
        self.outer * self.inner
    }

    /// Index of the first value of line `line`.
    fn start(&self, line: usize) -> usize {
        line / self.inner * self.length * self.inner + line % self.inner
    }

    /// The values of `count` lines from `first` on, line after line.
    pub fn gather(&self, parts: &[f64], components: usize, first: usize, count: usize) -> Vec<f64> {
        if self.inner == 1 {
            let line = self.length * components;
            return parts[first * line..][..count * line].to_vec();
        }
        let mut rows = Vec::with_capacity(count * self.length * components);
        for line in first..first + count {
            for index in 0..self.length {
                let place = (self.start(line) + index * self.inner) * components;
                rows.extend_from_slice(&parts[place..place + components]);
            }
        }
        rows
    }

    /// The reverse of [`Lines::gather`].
    pub fn scatter(&self, rows: &[f64], components: usize, first: usize, parts: &mut [f64]) {
        if self.inner == 1 {
            let line = self.length * components;
            parts[first * line..][..rows.len()].copy_from_slice(rows);
            return;
        }
        let lines = rows.chunks_exact(self.length * components);
        for (line, row) in (first..).zip(lines) {
            for (index, value) in row.chunks_exact(components).enumerate() {
                let place = (self.start(line) + index * self.inner) * components;
                parts[place..place + components].copy_from_slice(value);
            }
        }
    }

    /// Multiplies value `index` of every line by `factor`.
    pub fn scale(&self, index: usize, factor: f64, components: usize, parts: &mut [f64]) {
        for line in 0..self.count() {
            let place = (self.start(line) + index * self.inner) * components;
            parts[place..place + components].iter_mut().for_each(|part| *part *= factor);
        }
    }
}

/// Numbers per value of a transform of `kind` before and after it.
pub fn components(kind: Kind, direction: Direction) -> [usize; 2] {
    match (kind, direction) {
        (Kind::Complex, _) => [2, 2],
        (Kind::Real, Direction::Forward) => [1, 2],
        (Kind::Real, Direction::Inverse) => [2, 1],
        _ => [1, 1],
    }
}

/// Points that a line of `length` has before and after a transform of `kind`.
pub fn points(kind: Kind, direction: Direction, length: usize) -> [usize; 2] {
    match (kind, direction) {
        (Kind::Real, Direction::Forward) => [length, length / 2 + 1],
        (Kind::Real, Direction::Inverse) => [length / 2 + 1, length],
        _ => [length; 2],
    }
}

impl Stage {
    /// The transform of `lines`, which are contiguous for [`Kind::Real`].
    pub fn of_lines(kind: Kind, direction: Direction, lines: Lines) -> Self {
        let Lines { outer, length, inner } = lines;
        if inner == 1 {
            return Self { kind, direction, axes: Axes::Rows, size: [length, outer, 1], batch: 1 };
        }
        Self { kind, direction, axes: Axes::Columns, size: [inner, length, 1], batch: outer }
    }

    /// The lines of a transform along one axis, or `None` for several axes.
    pub fn lines(&self) -> Option<Lines> {
        match self.axes.list() {
            [axis] => Some(self.lines_along(*axis, self.size[0])),
            _ => None,
        }
    }

    /// The lines along `axis`, where a row has `width` values.
    fn lines_along(&self, axis: Axis, width: usize) -> Lines {
        let ([_, height, depth], batch) = (self.size, self.batch);
        match axis {
            Axis::Row => Lines { outer: batch * depth * height, length: width, inner: 1 },
            Axis::Column => Lines { outer: batch * depth, length: height, inner: width },
            Axis::Depth => Lines { outer: batch, length: depth, inner: width * height },
        }
    }

    /// Splits the stage into one along each axis.
    pub fn split(&self) -> Vec<Self> {
        // Real numbers are transformed along rows, and the other axes on the complex side.
        let [width, complex] = points(self.kind, Direction::Forward, self.size[0]);
        let along = |axis: &Axis| match axis {
            Axis::Row => (self.kind, self.lines_along(*axis, width)),
            _ => (self.along_others(), self.lines_along(*axis, complex)),
        };
        let stage = |(kind, lines)| Self::of_lines(kind, self.direction, lines);
        let mut stages: Vec<Self> = self.axes.list().iter().map(along).map(stage).collect();
        // To real numbers last.
        if self.direction == Direction::Inverse {
            stages.reverse();
        }
        stages
    }

    /// The kind of transform along the axes other than rows.
    fn along_others(&self) -> Kind {
        match self.kind {
            Kind::Real => Kind::Complex,
            kind => kind,
        }
    }

    /// Number of parts that it can be divided into: volumes, or the rows of a single image of rows.
    pub fn items(&self) -> usize {
        if self.is_rows() { self.size[1] } else { self.batch }
    }

    /// Whether it is a single image of which each row is an item.
    pub fn is_rows(&self) -> bool {
        self.axes == Axes::Rows && self.batch == 1 && self.size[2] == 1
    }

    pub fn of_items(&self, count: usize) -> Self {
        let [width, height, depth] = self.size;
        if self.is_rows() {
            return Self { size: [width, count, 1], ..self.clone() };
        }
        Self { size: [width, height, depth], batch: count, ..self.clone() }
    }

    /// Numbers of one item before and after.
    pub fn item_parts(&self) -> [usize; 2] {
        let [width, height, depth] = self.size;
        let lines = if self.is_rows() { 1 } else { height * depth };
        let points = points(self.kind, self.direction, width);
        let components = components(self.kind, self.direction);
        [0, 1].map(|side| points[side] * lines * components[side])
    }
}

/// The transforms of `kind` along those axes of an array of `shape` that `transformed` marks, as few as
/// possible and in their order. For [`Kind::Real`] the last axis is among them, and `shape` is that of the
/// real side.
pub fn stages(
    kind: Kind,
    direction: Direction,
    shape: &[usize],
    transformed: &[bool],
) -> Vec<Stage> {
    // An axis of one point is left alone.
    let mut axes: Vec<(usize, bool)> = shape
        .iter()
        .copied()
        .zip(transformed.iter().copied())
        .filter(|(length, _)| *length != 1)
        .collect();
    let mut kind = kind;
    let mut stages = Vec::new();
    while axes.iter().any(|(_, is_transformed)| *is_transformed) {
        // Three at a time from the last on, where neighbours that are not transformed count as one.
        let merged = merged(&axes);
        let (batch, volume) = merged.split_at(merged.len().saturating_sub(3));
        stages.push(stage(kind, direction, batch, volume));
        let mut inner: usize = volume.iter().map(|(length, _)| length).product();
        if kind == Kind::Real {
            // The other axes are transformed on the complex side.
            let width = volume.last().map_or(1, |(length, _)| *length);
            inner = inner / width * (width / 2 + 1);
            kind = Kind::Complex;
        }
        axes = batch.to_vec();
        axes.push((inner, false));
    }
    if direction == Direction::Inverse {
        stages.reverse();
    }
    stages
}

/// One transform of volumes of at most three axes.
fn stage(
    kind: Kind,
    direction: Direction,
    batch: &[(usize, bool)],
    volume: &[(usize, bool)],
) -> Stage {
    let mut batch: usize = batch.iter().map(|(length, _)| length).product();
    let mut volume = volume;
    while let [(length, false), rest @ ..] = volume {
        batch *= length;
        volume = rest;
    }
    let length = |place: usize| volume.len().checked_sub(place + 1).map(|index| volume[index]);
    let is_transformed = [0, 1, 2].map(|place| length(place).is_some_and(|(_, is)| is));
    let [width, height, depth] =
        [0, 1, 2].map(|place| length(place).map_or(1, |(length, _)| length));
    let axes = match is_transformed {
        [true, true, true] => Axes::All,
        [true, true, false] => Axes::Both,
        [true, false, true] => Axes::RowsAndDepths,
        [false, true, true] => Axes::ColumnsAndDepths,
        // One axis; what is not transformed before it is in the batch.
        _ => {
            let inner = if is_transformed[0] { 1 } else { width };
            let length = if is_transformed[0] { width } else { height };
            return Stage::of_lines(kind, direction, Lines { outer: batch, length, inner });
        }
    };
    Stage { kind, direction, axes, size: [width, height, depth], batch }
}

/// Merges neighbouring axes that are not transformed.
fn merged(axes: &[(usize, bool)]) -> Vec<(usize, bool)> {
    let mut merged: Vec<(usize, bool)> = Vec::new();
    for (length, is_transformed) in axes {
        match merged.last_mut() {
            Some((last, false)) if !is_transformed => *last *= length,
            _ => merged.push((*length, *is_transformed)),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(shape: &[usize], transformed: &[usize]) -> Vec<(Axes, [usize; 3], usize)> {
        let marks: Vec<_> = (0..shape.len()).map(|axis| transformed.contains(&axis)).collect();
        stages(Kind::Complex, Direction::Forward, shape, &marks)
            .into_iter()
            .map(|stage| (stage.axes, stage.size, stage.batch))
            .collect()
    }

    #[test]
    fn the_last_axes_are_one_plan() {
        assert_eq!(of(&[2, 3, 8, 4], &[2, 3]), [(Axes::Both, [4, 8, 1], 6)]);
        assert_eq!(of(&[5, 3, 8, 4], &[1, 2, 3]), [(Axes::All, [4, 8, 3], 5)]);
        assert_eq!(of(&[5, 3], &[1]), [(Axes::Rows, [3, 5, 1], 1)]);
        assert_eq!(of(&[7], &[0]), [(Axes::Rows, [7, 1, 1], 1)]);
        assert_eq!(of(&[5, 3, 2], &[0]), [(Axes::Columns, [6, 5, 1], 1)]);
        assert_eq!(of(&[5, 3, 2], &[1]), [(Axes::Columns, [2, 3, 1], 5)]);
        assert_eq!(of(&[5, 3, 2], &[0, 2]), [(Axes::RowsAndDepths, [2, 3, 5], 1)]);
        assert_eq!(of(&[5, 3, 2, 2], &[0, 1]), [(Axes::ColumnsAndDepths, [4, 3, 5], 1)]);
        // Axes of one point are not there.
        assert_eq!(of(&[5, 1, 3, 1, 2], &[1, 2, 4]), [(Axes::Both, [2, 3, 1], 5)]);
        assert_eq!(of(&[1, 1], &[0, 1]), []);
    }

    #[test]
    fn more_axes_are_several_plans() {
        assert_eq!(
            of(&[7, 5, 3, 2], &[0, 1, 2, 3]),
            [(Axes::All, [2, 3, 5], 7), (Axes::Columns, [30, 7, 1], 1)]
        );
        assert_eq!(
            of(&[7, 5, 3, 2, 4], &[0, 2, 4]),
            [(Axes::RowsAndDepths, [4, 2, 3], 35), (Axes::Columns, [120, 7, 1], 1)]
        );
    }

    #[test]
    fn real_numbers_are_on_one_side_only() {
        let shape = [7, 5, 3, 8];
        let forward = stages(Kind::Real, Direction::Forward, &shape, &[true; 4]);
        let kinds = |stages: &[Stage]| stages.iter().map(|stage| stage.kind).collect::<Vec<_>>();
        assert_eq!(kinds(&forward), [Kind::Real, Kind::Complex]);
        assert_eq!(forward[1].size, [75, 7, 1]);
        let inverse = stages(Kind::Real, Direction::Inverse, &shape, &[true; 4]);
        assert_eq!(kinds(&inverse), [Kind::Complex, Kind::Real]);
        let one_by_one = inverse[1].split();
        assert_eq!(kinds(&one_by_one), [Kind::Complex, Kind::Complex, Kind::Real]);
        assert_eq!(one_by_one[0].size, [15, 5, 1]);
        assert_eq!(one_by_one[1].size, [5, 3, 1]);
        assert_eq!(one_by_one[2].size, [8, 105, 1]);
    }

    #[test]
    fn lines_come_back_to_where_they_were() {
        let lines = Lines::of(&[2, 3, 4], 1);
        assert_eq!(lines, Lines { outer: 2, length: 3, inner: 4 });
        let parts: Vec<f64> = (0..48).map(f64::from).collect();
        let mut back = vec![0.0; 48];
        for (first, count) in [(0, 3), (3, 4), (7, 1)] {
            let rows = lines.gather(&parts, 2, first, count);
            if first == 3 {
                assert_eq!(rows[..6], [6.0, 7.0, 14.0, 15.0, 22.0, 23.0]);
            }
            lines.scatter(&rows, 2, first, &mut back);
        }
        assert_eq!(back, parts);
        lines.scale(2, 0.0, 2, &mut back);
        assert_eq!(back[16..24], [0.0; 8]);
        assert_eq!(back[8..16], parts[8..16]);
    }
}
