//! A ring of figures, one for each kept frame.

use std::collections::VecDeque;

use super::History;

/// The last [`History::LEN`] values of one quantity, oldest first; NaN where a frame has none.
#[derive(Clone, Debug)]
pub(in crate::app) struct Column(VecDeque<f32>);

impl Default for Column {
    fn default() -> Self {
        Self(VecDeque::with_capacity(History::LEN))
    }
}

impl Column {
    /// A column of `count` frames without a value.
    pub(super) fn absent(count: usize) -> Self {
        let mut column = Self::default();
        column.0.resize(count.min(History::LEN), f32::NAN);
        column
    }

    pub(super) fn push(&mut self, value: f32) {
        if self.0.len() == History::LEN {
            self.0.pop_front();
        }
        self.0.push_back(value);
    }

    /// Changes the newest frame's value.
    pub(super) fn update_last(&mut self, change: impl FnOnce(f32) -> f32) {
        if let Some(last) = self.0.back_mut() {
            *last = change(*last);
        }
    }

    /// The value of a frame by its index, from 0 for the oldest, if it has one.
    pub fn get(&self, index: usize) -> Option<f32> {
        self.0.get(index).copied().filter(|value| !value.is_nan())
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
}
