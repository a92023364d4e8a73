//! The position of the sun as seen from the camera.

use std::fmt;
use std::str::FromStr;

#[derive(Clone, Debug, PartialEq)]
pub struct Sun {
    name: String,
    pub elevation_deg: f64,
    /// To the right of the camera's direction.
    pub bearing_deg: f64,
}

/// Name, elevation and bearing: against the light, beside it, and with it.
const NAMED: [(&str, f64, f64); 4] =
    [("low", 4.0, 12.0), ("afternoon", 20.0, -55.0), ("high", 55.0, 70.0), ("behind", 12.0, 165.0)];

impl fmt::Display for Sun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl FromStr for Sun {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let sun =
            |elevation_deg, bearing_deg| Self { name: text.to_owned(), elevation_deg, bearing_deg };
        if let Some(&(_, elevation_deg, bearing_deg)) =
            NAMED.iter().find(|(name, ..)| *name == text)
        {
            return Ok(sun(elevation_deg, bearing_deg));
        }
        let number = |text: &str, range: std::ops::RangeInclusive<f64>| {
            text.trim().parse().ok().filter(|number| range.contains(number))
        };
        text.split_once('@')
            .and_then(|(elevation, bearing)| {
                Some(sun(number(elevation, -6.0..=90.0)?, number(bearing, -180.0..=180.0)?))
            })
            .ok_or_else(|| {
                let names = NAMED.map(|(name, ..)| name).join(", ");
                format!(
                    "expected {names}, or ELEVATION@BEARING with an elevation from -6 to 90 degrees \
                     and a bearing from -180 to 180"
                )
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sun_has_a_name_or_two_angles() {
        let sun: Sun = "behind".parse().unwrap();
        assert_eq!(
            (sun.elevation_deg, sun.bearing_deg, sun.to_string()),
            (12.0, 165.0, "behind".into())
        );
        let sun: Sun = " -2@-90".parse().unwrap();
        assert_eq!(
            (sun.elevation_deg, sun.bearing_deg, sun.to_string()),
            (-2.0, -90.0, "-2@-90".into())
        );
        for wrong in ["", "noon", "20", "20@", "@20", "95@0", "20@181", "nan@0", "20@nan", "1@2@3"]
        {
            let error = wrong.parse::<Sun>().unwrap_err();
            assert!(error.contains("low, afternoon, high, behind"), "{wrong}: {error}");
        }
    }
}
