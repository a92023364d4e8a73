//! `seaway spectrum`: its numbers against golden values and its own curve.

use crate::support::{NO_ADAPTER, seaway, seaway_with};

const GOLDEN: &str = "--wind-speed-mps 10 --fetch-m 100000 --depth-m 5000 --short-waves model";

#[test]
fn golden_heights_and_periods_need_no_adapter() {
    let line = format!("spectrum {GOLDEN} --format json");
    let report = seaway_with(&line, &NO_ADAPTER).expect(0, &[]).json();
    let number = |key: &str| report[key].as_f64().unwrap_or_else(|| panic!("{key} in {report}"));
    assert!((number("significant_wave_height_m") - 2.139).abs() < 0.6e-3);
    assert!((number("peak_period_s") - std::f64::consts::TAU / 1.0082).abs() < 1e-3);
    assert!(number("mean_zero_crossing_period_s") < number("peak_period_s"));
    let sum = number("mean_square_slope_along") + number("mean_square_slope_across");
    assert!((number("mean_square_slope") - sum).abs() < 1e-9);
    assert!(number("unresolved_mean_square_slope") < number("mean_square_slope"));

    // The curve's own integral is the height, by the trapezoid rule.
    let list = |key: &str| -> Vec<f64> {
        report[key].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
    };
    let (omega, s) = (list("omega_rad_per_s"), list("s_m2_s_per_rad"));
    assert_eq!((omega.len(), s.len()), (400, 400));
    let pieces = omega.windows(2).zip(s.windows(2));
    let m0: f64 = pieces.map(|(omega, s)| 0.5 * (s[0] + s[1]) * (omega[1] - omega[0])).sum();
    assert!((4.0 * m0.sqrt() / 2.139 - 1.0).abs() < 5e-3, "{m0}");

    let cascades = report["cascades"].as_array().unwrap();
    let squares: f64 =
        cascades.iter().map(|row| row["significant_wave_height_m"].as_f64().unwrap().powi(2)).sum();
    assert!((squares.sqrt() / 2.139 - 1.0).abs() < 5e-3, "{squares}");
}

#[test]
fn crossing_systems_are_listed_and_their_curve_written() {
    let report = seaway("spectrum --preset crossing-seas --format json").expect(0, &[]).json();
    let systems = report["systems"].as_array().unwrap();
    let names: Vec<_> = systems.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["wind sea", "swell", "second swell"]);
    assert!((systems[1]["significant_wave_height_m"].as_f64().unwrap() - 2.6).abs() < 1e-3);
    assert!((systems[2]["direction_deg"].as_f64().unwrap() + 50.0).abs() < 1e-6);

    let csv = seaway("spectrum --preset crossing-seas --format csv --points 50").expect(0, &[]);
    let lines: Vec<&str> = csv.stdout.lines().collect();
    assert_eq!((lines[0], lines.len()), ("omega_rad_per_s,s_m2_s_per_rad", 51));
    for line in &lines[1..] {
        let numbers: Vec<f64> = line.split(',').map(|number| number.parse().unwrap()).collect();
        assert!(numbers.len() == 2 && line.matches('e').count() == 2, "{line}");
        assert!(!line.contains(",-"), "no variance is negative: {line}");
    }
    let table = seaway("spectrum --preset crossing-seas").expect(0, &[]).stdout;
    assert!(table.contains("slope variance along the wind"), "{table}");
    assert!(table.contains("(Cox and Munk 0.0"), "{table}");

    seaway("spectrum --size 100").expect_failure(2, &["100", "power of two"]);
    seaway("spectrum --points 1").expect_failure(2, &["points"]);
    seaway("spectrum --swell-height-m 99").expect_failure(2, &["swell-height-m"]);
}
