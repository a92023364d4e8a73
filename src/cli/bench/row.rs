//! The rows of the JSON output and of stored files, which a browser's laboratory writes too.

pub use seaway::bench::{Figures, Form, Outcome, Row, operations, parameters, placement};

#[cfg(test)]
pub mod tests {
    use std::collections::BTreeMap;

    use seaway::bench::Size;
    use seaway::fft::lab::timing::{Regime, Timer};
    use seaway::fft::{Descriptor, Direction, Kind, Layout, Normalization, Precision};

    use super::*;

    pub fn row(algorithm: &str, outcome: Outcome) -> Row {
        Row {
            algorithm: algorithm.into(),
            chosen: None,
            kind: Kind::Complex,
            dimensions: 2,
            size: Size::Side(64),
            batch: 4,
            precision: Precision::F32,
            direction: Direction::Inverse,
            normalization: Normalization::None,
            layout: Layout::Pair,
            regime: Regime::Hot,
            placement: "out_of_place".into(),
            adapter: "A, \"B\"".into(),
            parameters: BTreeMap::new(),
            invocations: None,
            outcome,
        }
    }

    pub fn measured(median_us: f64, timer: Timer) -> Outcome {
        Outcome::Measured(Box::new(Figures {
            median_us,
            p5_us: median_us,
            p95_us: median_us,
            samples: 15,
            repetitions: 200,
            gb_per_s: (timer == Timer::GpuTimestamps).then_some(100.0),
            gflops: 1.0,
            copy_us: Some(1.0),
            copy_ratio: Some(median_us),
            relative_l2_error: 1e-7,
            timer,
            clock_step_us: None,
            row_us: None,
            row_encode_us: None,
            column_encode_us: None,
            column_us: None,
            depth_us: None,
            speed_up: None,
            peer_us: [("rustfft".into(), 4.0 * median_us)].into(),
            peer_ratio: [("rustfft".into(), 0.25)].into(),
        }))
    }

    #[test]
    fn the_operations_of_a_batch_are_those_of_its_transforms() {
        let image = |size, batch| Descriptor { size, batch, ..Descriptor::default() };
        assert_eq!(operations(&image([8, 4], 1)), 5.0 * 32.0 * 5.0);
        assert_eq!(operations(&image([128, 128], 16)), 16.0 * 5.0 * 16_384.0 * 14.0);
        // Lines are rows of an image, and each is a transform.
        let rows = seaway::fft::Axes::Rows;
        let lines = Descriptor { axes: rows, kind: Kind::Real, ..image([64, 10], 1) };
        assert_eq!(operations(&lines), 10.0 * 2.5 * 64.0 * 6.0);
        let axes = seaway::fft::Axes::All;
        let volume = Descriptor { axes, depth: 2, ..image([8, 4], 3) };
        assert_eq!(operations(&volume), 3.0 * 5.0 * 64.0 * 6.0);
    }

    #[test]
    fn a_skipped_row_carries_its_reason_in_place_of_figures() {
        let skipped = Outcome::Skipped { skipped: "too, long".into() };
        let rows = [row("fast", measured(2.0, Timer::Wall)), row("slow", skipped)];
        let json = serde_json::to_value(&rows).unwrap();
        assert_eq!(json[0]["median_us"], 2.0);
        assert_eq!(json[0]["placement"], "out_of_place");
        assert_eq!(json[0]["gb_per_s"], serde_json::Value::Null, "timed by the wall clock");
        assert_eq!(json[0]["timer"], "wall");
        assert_eq!(json[0]["peer_ratio"]["rustfft"], 0.25);
        assert_eq!(json[1]["skipped"], "too, long");
        assert!(json[1].get("median_us").is_none() && json[1].get("parameters").is_none());
        assert_eq!((&json[0]["kind"], &json[0]["dimensions"]), (&"complex".into(), &2.into()));
        let mut json = json;
        let read: Vec<Row> = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(read, rows);
        // As files of before there were kinds have it.
        for row in json.as_array_mut().unwrap() {
            let row = row.as_object_mut().unwrap();
            assert!(row.remove("kind").is_some() && row.remove("dimensions").is_some());
        }
        let read: Vec<Row> = serde_json::from_value(json).unwrap();
        assert_eq!(read, rows);
    }
}
