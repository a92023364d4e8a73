//! The settings of sun, air and exposure.

use super::table::settings;

settings! {
    /// The light that the sea is seen in.
    pub struct Light as "Light" {
        /// Direction of the sun along the horizon, from +X towards +Z.
        sun_azimuth_deg: f64 = 20.0, "Sun azimuth" ["deg"], number (-360.0 ..= 360.0);
        /// Height of the sun above the horizon; below 0 it has set.
        sun_elevation_deg: f64 = 28.0, "Sun elevation" ["deg"], number (-6.0 ..= 90.0);
        /// Haze in the air: 1 is a clear day at sea, 10 a murky one.
        haze: f64 = 1.0, "Haze" [""], logarithmic (0.1 ..= 20.0);
        /// Exposure relative to the automatic exposure, which follows the light on the sea.
        exposure_ev: f64 = 0.0, "Exposure" ["EV"], number (-6.0 ..= 6.0);
        /// Fraction of the light that the lens scatters over the picture: 0.01 for a good lens, 0.1 for a dirty one.
        glare: f64 = 0.03, "Glare" [""], number (0.0 ..= 0.5);
        /// Dissolved and suspended matter in the water: 0 is blue ocean, 1 green coastal water.
        turbidity: f64 = 0.15, "Turbidity" [""], number (0.0 ..= 1.0);
    }
}

impl Light {
    /// The unit vector towards the sun.
    ///
    /// ```
    /// # use seaway::settings::Light;
    /// let overhead = Light { sun_elevation_deg: 90.0, ..Default::default() };
    /// assert_eq!(overhead.to_sun()[1], 1.0);
    /// ```
    pub fn to_sun(&self) -> [f64; 3] {
        let (azimuth_sin, azimuth_cos) = self.sun_azimuth_deg.to_radians().sin_cos();
        let (sin, cos) = self.sun_elevation_deg.to_radians().sin_cos();
        [cos * azimuth_cos, sin, cos * azimuth_sin]
    }
}
