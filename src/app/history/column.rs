//! A ring of figures, one for each kept frame.

use super::History;

/// The last [`History::LEN`] values of one quantity; NaN where a frame has none.
#[derive(Clone, Debug)]
pub(in crate::app) struct Column {
    values: Box<[f32; History::LEN]>,
    next: usize,
    count: usize,
}

impl Default for Column {
    fn default() -> Self {
        Self { values: Box::new([f32::NAN; History::LEN]), next: 0, count: 0 }
    }
}

impl Column {
    /// A column of `count` frames without a value.
    pub(super) fn absent(count: usize) -> Self {
        let count = count.min(History::LEN);
        Self { next: count % History::LEN, count, ..Self::default() }
    }

    pub(super) fn push(&mut self, value: f32) {
        self.values[self.next] = value;
        self.next = (self.next + 1) % History::LEN;
        self.count = (self.count + 1).min(History::LEN);
    }

    pub(super) fn set_last(&mut self, value: f32) {
        self.values[(self.next + History::LEN - 1) % History::LEN] = value;
    }

    pub(super) fn last(&self) -> f32 {
        self.values[(self.next + History::LEN - 1) % History::LEN]
    }

    /// The value of a frame by its index, from 0 for the oldest, if it has one.
    pub fn get(&self, index: usize) -> Option<f32> {
        let value = self.values[self.slot(index)];
        (index < self.count && !value.is_nan()).then_some(value)
    }

    /// The value of a frame, 0 if it has none.
    pub fn or_zero(&self, index: usize) -> f32 {
        self.get(index).unwrap_or(0.0)
    }

    /// The values in frames `window`, oldest first, without the missing ones.
    pub fn present(&self, window: std::ops::Range<usize>) -> impl Iterator<Item = f32> + '_ {
        window.filter_map(|index| self.get(index))
    }

    /// The mean over frames `window`, if any has a value.
    pub fn mean(&self, window: std::ops::Range<usize>) -> Option<f32> {
        let (sum, count) = self
            .present(window)
            .fold((0.0_f64, 0_u32), |(sum, count), value| (sum + f64::from(value), count + 1));
        (count > 0).then(|| (sum / f64::from(count)) as f32)
    }

    fn slot(&self, index: usize) -> usize {
        (self.next + History::LEN - self.count + index) % History::LEN
    }
}
