//! A comparison's transforms as `seaway bench` writes what it finds.

use std::collections::BTreeMap;

use super::{Line, Measured, Outcome, RowKind, Table};
use crate::bench::{self, Row, Size, operations, placement};
use crate::fft::lab::timing::{Regime, Timer};
use crate::fft::{Descriptor, Direction, Layout, Placement};

impl Table {
    /// The rows of transforms that are known, on `adapter`: the keys of `seaway bench --format json`.
    /// One that was measured on a part of the images is a row of so many images. Steps of the ocean
    /// are none of them.
    pub fn bench_rows(&self, adapter: &str) -> Vec<Row> {
        let transforms = self.rows.iter().filter(|line| line.kind == RowKind::Transform);
        let transforms = transforms.filter(|line| line.entry.is_some());
        transforms.filter_map(|line| self.bench_row(line, adapter)).collect()
    }

    fn bench_row(&self, line: &Line, adapter: &str) -> Option<Row> {
        let batch = match &line.outcome {
            Outcome::Measured(measured) => measured.images_measured,
            _ => self.batch,
        };
        let task = Descriptor {
            size: [self.size; 2],
            batch,
            direction: Direction::Inverse,
            layout: Layout::Pair,
            precision: self.precision,
            placement: Placement::OutOfPlace,
            ..Descriptor::default()
        };
        let outcome = match &line.outcome {
            Outcome::Pending { .. } => return None,
            Outcome::Skipped { skipped } => bench::Outcome::Skipped { skipped: skipped.clone() },
            Outcome::Failed { failed } => bench::Outcome::Failed { failed: failed.clone() },
            Outcome::Measured(measured) => {
                bench::Outcome::Measured(Box::new(self.bench_figures(measured, &task)?))
            }
        };
        Some(Row {
            algorithm: line.algorithm.clone(),
            chosen: line.configuration.filter(|_| line.chosen.is_some()),
            kind: task.kind,
            dimensions: 2,
            size: Size::Side(self.size),
            batch,
            precision: task.precision,
            direction: task.direction,
            normalization: task.normalization,
            layout: task.layout,
            regime: Regime::Hot,
            placement: placement(task.placement).to_owned(),
            adapter: adapter.to_owned(),
            parameters: BTreeMap::new(),
            invocations: None,
            outcome,
        })
    }

    /// Nothing before the first sample.
    fn bench_figures(&self, measured: &Measured, task: &Descriptor) -> Option<bench::Figures> {
        let of_one = |us: f64| us / measured.scale;
        let median_us = of_one(measured.median_us?);
        let is_whole = measured.images_measured == self.batch;
        let copy = self.rows.iter().find(|line| line.entry.is_none());
        let copy_us = copy.and_then(|line| match &line.outcome {
            Outcome::Measured(copy) => copy.median_us,
            _ => None,
        });
        let bytes_moved = measured.bytes_moved.filter(|_| self.timer == Timer::GpuTimestamps);
        Some(bench::Figures {
            median_us,
            p5_us: of_one(measured.p5_us?),
            p95_us: of_one(measured.p95_us?),
            samples: measured.samples,
            repetitions: measured.repetitions,
            gb_per_s: bytes_moved.map(|bytes| bytes as f64 / median_us / 1000.0),
            gflops: operations(task) / median_us / 1000.0,
            // A copy of all images is no ceiling of a part of them.
            copy_us: copy_us.filter(|_| is_whole),
            copy_ratio: measured.copy_share.filter(|_| is_whole).map(f64::recip),
            relative_l2_error: measured.relative_l2_error,
            timer: self.timer,
            clock_step_us: self.clock_step_us,
            row_us: None,
            column_us: None,
            depth_us: None,
            row_encode_us: None,
            column_encode_us: None,
            speed_up: None,
            peer_us: BTreeMap::new(),
            peer_ratio: BTreeMap::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::example;

    #[test]
    fn transforms_are_rows_of_the_bench() {
        let rows = example().bench_rows("An adapter");
        // Neither the copy nor steps.
        let names: Vec<_> = rows.iter().map(|row| row.algorithm.as_str()).collect();
        assert_eq!(names, ["best", "dft", "four-step"]);
        let figures = rows[0].figures().unwrap();
        assert_eq!((rows[0].batch, figures.median_us, figures.copy_ratio), (16, 10.0, Some(2.0)));
        assert_eq!(figures.copy_us, Some(5.0));
        assert!((figures.gflops - 5.0 * 18.0 * 16.0 * 262_144.0 / 10.0 / 1000.0).abs() < 1e-6);
        // One image, and as long as that took.
        let part = rows[1].figures().unwrap();
        assert_eq!((rows[1].batch, part.median_us), (1, 12_345.0 / 8.0));
        assert_eq!((part.copy_us, part.copy_ratio), (None, None));
        let json = serde_json::to_value(&rows).unwrap();
        assert_eq!(json[2]["skipped"], "too <long>, \"it\" says");
        for key in ["size", "direction", "layout", "timer", "relative_l2_error", "adapter"] {
            assert!(!json[0][key].is_null(), "{key}: {json}");
        }
        // What the bench reads.
        let read: Vec<crate::bench::Row> = serde_json::from_value(json).unwrap();
        assert_eq!(read, rows);
    }

    #[test]
    fn no_figure_is_finer_than_a_coarse_clock() {
        let mut table = example();
        table.clock_step_us = Some(100.0);
        assert!(
            table.title().ends_with("by GPU timestamps in steps of 100 us"),
            "{}",
            table.title()
        );
        let super::Outcome::Measured(measured) = &mut table.rows[1].outcome else {
            unreachable!("it was measured");
        };
        measured.known_us = Some(2.5);
        let text = table.text();
        assert_eq!(text.rows[1][2], "10", "{:?}", text.rows[1]);
        let rows = table.bench_rows("");
        assert_eq!(rows[0].figures().unwrap().clock_step_us, Some(100.0));
    }
}
