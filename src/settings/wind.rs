//! The wind in the units of sailors.

/// Converts a speed to knots: nautical miles, of 1852 m, an hour.
pub fn knots(speed_mps: f64) -> f64 {
    speed_mps * 3_600.0 / 1_852.0
}

/// Beaufort's number, 0 to 12, and its name, for a mean wind 10 m above the water.
///
/// WMO-No. 306, Manual on Codes, Volume I.1, Section E: the Beaufort scale of wind. Its limits are
/// tenths of m/s (force 5 is 8.0 to 10.7, force 6 starts at 10.8), so that the speed is rounded to
/// tenths first. NaN counts as calm.
pub fn beaufort(speed_mps: f64) -> (u8, &'static str) {
    const SCALE: [(f64, &str); 13] = [
        (0.0, "calm"),
        (3.0, "light air"),
        (16.0, "light breeze"),
        (34.0, "gentle breeze"),
        (55.0, "moderate breeze"),
        (80.0, "fresh breeze"),
        (108.0, "strong breeze"),
        (139.0, "near gale"),
        (172.0, "gale"),
        (208.0, "strong gale"),
        (245.0, "storm"),
        (285.0, "violent storm"),
        (327.0, "hurricane"),
    ];
    let tenths = (10.0 * speed_mps).round();
    let force = SCALE.iter().rposition(|(least, _)| tenths >= *least).unwrap_or(0);
    (force as u8, SCALE[force].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_the_wmo_s() {
        // First and last speed of each force, as the table has them.
        let table = [
            (0.0, 0.2),
            (0.3, 1.5),
            (1.6, 3.3),
            (3.4, 5.4),
            (5.5, 7.9),
            (8.0, 10.7),
            (10.8, 13.8),
            (13.9, 17.1),
            (17.2, 20.7),
            (20.8, 24.4),
            (24.5, 28.4),
            (28.5, 32.6),
            (32.7, 100.0),
        ];
        for (force, (first, last)) in table.into_iter().enumerate() {
            assert_eq!(usize::from(beaufort(first).0), force, "{first} m/s");
            assert_eq!(usize::from(beaufort(last).0), force, "{last} m/s");
        }
        // The same table has knots: a middle of force 8 is 37, of force 11 60.
        for (speed_kn, force) in [(0.0, 0), (2.0, 1), (19.0, 5), (37.0, 8), (60.0, 11), (70.0, 12)]
        {
            assert_eq!(beaufort(speed_kn * 1_852.0 / 3_600.0).0, force, "{speed_kn} kn");
        }
        assert_eq!(beaufort(9.0), (5, "fresh breeze"));
        assert_eq!(format!("{:.1}", knots(9.0)), "17.5");
        assert_eq!((beaufort(f64::NAN).0, beaufort(-1.0).0), (0, 0));
    }
}
