//! Converts a comparison's transforms to rows of `seaway bench`.

use super::{Line, Measured, RowKind, Table};
use crate::bench::{Figures, Outcome, Row};
use crate::fft::lab::Accuracy;
use crate::fft::lab::timing::{Regime, Timer, Times};
use crate::fft::{Descriptor, Direction, Layout};

impl Table {
    /// Returns the rows of measured transforms on `adapter`, with the keys of `seaway bench --format json`. A
    /// row measured on a part of the images has that number of images. Steps of the ocean are left out.
    pub fn bench_rows(&self, adapter: &str) -> Vec<Row> {
        let transforms = self.rows.iter().filter(|line| line.kind == RowKind::Transform);
        let transforms = transforms.filter(|line| line.entry.is_some());
        transforms.filter_map(|line| self.bench_row(line, adapter)).collect()
    }

    fn bench_row(&self, line: &Line, adapter: &str) -> Option<Row> {
        let task = Descriptor {
            size: [self.size; 2],
            batch: line.measured().map_or(self.batch, |measured| measured.images_measured),
            direction: Direction::Inverse,
            layout: Layout::Pair,
            precision: self.precision,
            ..Descriptor::default()
        };
        let outcome = match line.outcome.as_ref()?.as_ref().measured() {
            Ok(measured) => Outcome::Measured(Box::new(self.bench_figures(measured, &task)?)),
            Err(other) => other,
        };
        let chosen = line.configuration.filter(|_| line.chosen.is_some());
        Some(Row::new(&line.algorithm, chosen, &task, Regime::Hot, adapter.to_owned(), outcome))
    }

    /// `None` before the first sample.
    fn bench_figures(&self, measured: &Measured, task: &Descriptor) -> Option<Figures> {
        let of_one = |us: f64| us / measured.scale;
        let times = Times {
            median_us: of_one(measured.median_us?),
            p5_us: of_one(measured.p5_us?),
            p95_us: of_one(measured.p95_us?),
            samples: measured.samples,
            repetitions: measured.repetitions,
            timer: self.timer,
        };
        let accuracy = Accuracy {
            relative_l2: measured.relative_l2_error,
            relative_max: measured.relative_max_error,
        };
        // A copy of all images is no ceiling of a part of them.
        let is_whole = measured.images_measured == self.batch;
        let copy = self.rows.iter().find(|line| line.entry.is_none());
        let copy_us = copy.and_then(|line| line.measured()?.median_us);
        let bytes_moved = measured.bytes_moved.filter(|_| self.timer == Timer::GpuTimestamps);
        Some(Figures {
            copy_us: copy_us.filter(|_| is_whole),
            copy_ratio: measured.copy_share.filter(|_| is_whole).map(f64::recip),
            clock_step_us: self.clock_step_us,
            ..Figures::new(task, times, accuracy, bytes_moved)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::table_tests::example;

    #[test]
    fn transforms_are_rows_of_the_bench() {
        let rows = example().bench_rows("An adapter");
        // Neither the copy nor steps.
        let names: Vec<_> = rows.iter().map(|row| row.algorithm.as_str()).collect();
        assert_eq!(names, ["best", "dft", "four-step"]);
        let figures = rows[0].figures().unwrap();
        assert_eq!(
            (rows[0].form.batch, figures.times.median_us, figures.copy_ratio),
            (16, 10.0, Some(2.0))
        );
        assert_eq!(figures.copy_us, Some(5.0));
        assert!((figures.gflops - 5.0 * 18.0 * 16.0 * 262_144.0 / 10.0 / 1000.0).abs() < 1e-6);
        // One image, and as long as that took.
        let part = rows[1].figures().unwrap();
        assert_eq!((rows[1].form.batch, part.times.median_us), (1, 12_345.0 / 8.0));
        assert_eq!((part.copy_us, part.copy_ratio), (None, None));
        let json = serde_json::to_value(&rows).unwrap();
        assert_eq!(json[2]["skipped"], "too <long>, \"it\" says");
        for key in ["size", "direction", "layout", "timer", "relative_l2_error", "adapter"] {
            assert!(!json[0][key].is_null(), "{key}: {json}");
        }
        // The bench must be able to read the rows.
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
        let Some(super::Outcome::Measured(measured)) = &mut table.rows[1].outcome else {
            unreachable!("it was measured");
        };
        measured.known_us = Some(2.5);
        let text = table.text();
        assert_eq!(text.rows[1][2], "10", "{:?}", text.rows[1]);
        let rows = table.bench_rows("");
        assert_eq!(rows[0].figures().unwrap().clock_step_us, Some(100.0));
    }
}
