//! The recent past in numbers: rings of fixed size, so that a frame allocates nothing.

use std::sync::Arc;

use crate::profile::FrameTimes;
use crate::profile::statistics::percentile;

/// The last [`Series::LEN`] values of one quantity.
#[derive(Clone, Debug)]
pub(super) struct Series {
    values: Box<[f32; Self::LEN]>,
    next: usize,
    count: usize,
}

impl Default for Series {
    fn default() -> Self {
        Self { values: Box::new([0.0; Self::LEN]), next: 0, count: 0 }
    }
}

impl Series {
    /// How many values are kept: four seconds at 60 frames a second.
    pub const LEN: usize = 240;

    /// Adds the newest value.
    pub fn push(&mut self, value: f32) {
        self.values[self.next] = value;
        self.next = (self.next + 1) % Self::LEN;
        self.count = (self.count + 1).min(Self::LEN);
    }

    /// The values, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = f32> + '_ {
        let first = (self.next + Self::LEN - self.count) % Self::LEN;
        (0..self.count).map(move |index| self.values[(first + index) % Self::LEN])
    }

    /// The average of the newest `count` values, or 0 without any.
    pub fn mean_of_last(&self, count: usize) -> f32 {
        let count = count.min(self.count);
        if count == 0 {
            return 0.0;
        }
        let sum: f32 = self.iter().skip(self.count - count).sum();
        sum / count as f32
    }

    /// The values below which `shares` of all values lie (0.5 is the median).
    pub fn percentiles<const N: usize>(&self, shares: [f32; N]) -> [f32; N] {
        let mut sorted = *self.values;
        let sorted = &mut sorted[..self.count];
        sorted.sort_unstable_by(f32::total_cmp);
        shares.map(|share| percentile(sorted, f64::from(share)).unwrap_or(0.0))
    }
}

/// GPU time of one pass or stage over the last frames, in milliseconds.
#[derive(Clone, Debug)]
pub(super) struct PassHistory {
    /// As in the profiler's results.
    pub label: Arc<str>,
    /// 0 for a pass, 1 for a stage within one.
    pub depth: u32,
    /// Which of the plot's colours, kept as other passes come and go.
    pub colour: usize,
    /// Milliseconds, one value per frame that ran the pass.
    pub times_ms: Series,
    seen_in_frame: u64,
}

/// GPU times of all passes.
#[derive(Clone, Debug, Default)]
pub(super) struct GpuHistory {
    /// In the order of execution.
    pub passes: Vec<PassHistory>,
    /// From the first pass's begin to the last one's end.
    pub total_ms: Series,
    next_colour: usize,
}

impl GpuHistory {
    /// Frames after which a pass that no longer runs is forgotten.
    const FORGET_AFTER: u64 = 120;

    /// Adds one frame's results.
    pub fn push(&mut self, frame: &FrameTimes) {
        let mut place = 0;
        for scope in frame.gpu_scopes() {
            let same = |pass: &PassHistory| {
                pass.label == scope.label
                    && pass.depth == scope.depth
                    && pass.seen_in_frame != frame.frame
            };
            let index = match self.passes.iter().position(same) {
                Some(index) => index,
                None => {
                    let place = place.min(self.passes.len());
                    let colour = self.next_colour;
                    self.next_colour += usize::from(scope.depth == 0);
                    self.passes.insert(
                        place,
                        PassHistory {
                            label: Arc::clone(&scope.label),
                            depth: scope.depth,
                            colour,
                            times_ms: Series::default(),
                            seen_in_frame: 0,
                        },
                    );
                    place
                }
            };
            let pass = &mut self.passes[index];
            pass.seen_in_frame = frame.frame;
            pass.times_ms.push(scope.end_ns.saturating_sub(scope.start_ns) as f32 * 1e-6);
            place = index + 1;
        }
        self.passes.retain(|pass| pass.seen_in_frame + Self::FORGET_AFTER > frame.frame);
        if let Some(gpu_ns) = frame.gpu_ns() {
            self.total_ms.push(gpu_ns as f32 * 1e-6);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{GpuScope, GpuTimes};

    #[test]
    fn a_series_keeps_the_newest_values_in_order() {
        let mut series = Series::default();
        assert_eq!((series.mean_of_last(10), series.percentiles([0.5])), (0.0, [0.0]));
        for value in 0..1_000 {
            series.push(value as f32);
        }
        let values: Vec<f32> = series.iter().collect();
        assert_eq!(values.len(), Series::LEN);
        assert_eq!((values[0], values[Series::LEN - 1]), (760.0, 999.0));
        assert_eq!(series.mean_of_last(2), 998.5);
        assert_eq!(series.percentiles([0.0, 1.0]), [760.0, 999.0]);
    }

    #[test]
    fn passes_keep_their_order_and_are_forgotten_when_gone() {
        let frame = |frame, labels: &[&str]| {
            let scopes = labels.iter().enumerate().map(|(index, label)| GpuScope {
                label: (*label).into(),
                start_ns: index as u64 * 1_000_000,
                end_ns: (index as u64 + 1) * 1_000_000,
                depth: 0,
            });
            let gpu = GpuTimes::Timed { start_ns: 0, scopes: scopes.collect() };
            FrameTimes { frame, begin_ns: 0, interval_ns: 0, cpu: Vec::new(), gpu }
        };
        let mut history = GpuHistory::default();
        history.push(&frame(1, &["ocean", "water", "tone"]));
        history.push(&frame(2, &["ocean", "sky", "water", "tone", "tone"]));
        let labels = |history: &GpuHistory| -> Vec<String> {
            history.passes.iter().map(|pass| pass.label.to_string()).collect()
        };
        assert_eq!(labels(&history), ["ocean", "sky", "water", "tone", "tone"]);
        assert_eq!(history.total_ms.iter().collect::<Vec<_>>(), [3.0, 5.0]);
        for index in 3..200 {
            history.push(&frame(index, &["ocean"]));
        }
        assert_eq!(labels(&history), ["ocean"]);
    }
}
