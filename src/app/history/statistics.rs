use std::ops::Range;

use super::Column;
use crate::profile::statistics::percentile;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct Summary {
    pub median: f32,
    pub p95: f32,
    pub p99: f32,
    pub worst: f32,
}

impl Summary {
    /// Summarises the frames of `window` that have a value; `None` if there are none. `sorted` is scratch
    /// memory.
    pub fn of(column: &Column, window: Range<usize>, sorted: &mut Vec<f32>) -> Option<Self> {
        sorted.clear();
        sorted.extend(column.present(window));
        sorted.sort_unstable_by(f32::total_cmp);
        let worst = *sorted.last()?;
        let [median, p95, p99] =
            [0.5, 0.95, 0.99].map(|share| percentile(sorted, share).unwrap_or(worst));
        Some(Self { median, p95, p99, worst })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_the_definition() {
        let mut room = Vec::new();
        let of = |values: &[f32], room: &mut Vec<f32>| {
            let mut column = Column::default();
            values.iter().for_each(|value| column.push(*value));
            Summary::of(&column, 0..values.len(), room)
        };
        assert_eq!(of(&[], &mut room), None);
        assert_eq!(of(&[f32::NAN], &mut room), None);
        let one = Summary { median: 7.0, p95: 7.0, p99: 7.0, worst: 7.0 };
        assert_eq!(of(&[f32::NAN, 7.0], &mut room), Some(one));
        // 1 to 100 in an order of its own: the value is its rank.
        let values: Vec<f32> = (0..100).map(|index| ((index * 37) % 100 + 1) as f32).collect();
        let hundred = Summary { median: 51.0, p95: 95.0, p99: 99.0, worst: 100.0 };
        assert_eq!(of(&values, &mut room), Some(hundred));
        let four = Summary { median: 3.0, p95: 4.0, p99: 4.0, worst: 4.0 };
        assert_eq!(of(&[4.0, 1.0, 3.0, 2.0], &mut room), Some(four));
    }

    #[test]
    fn a_window_leaves_the_rest_out() {
        let mut column = Column::default();
        for value in 0..1_500 {
            column.push(value as f32);
        }
        // The oldest that is kept is 500.
        let summary = Summary::of(&column, 940..1_000, &mut Vec::new()).unwrap();
        assert_eq!((summary.median, summary.worst), (1_470.0, 1_499.0));
        assert_eq!(column.mean(0..2), Some(500.5));
    }
}
