//! Interpolation between the texels of a magnified map: the part of a wave that it keeps, and the
//! prefilter by which the spectrum compensates for it.

use crate::choice::choices;

choices! {
    /// The interpolation of level 0 of a cascade's maps between texels. The other levels are
    /// interpolated linearly.
    pub enum Interpolation {
        /// Between the nearest 2 x 2 texels, which hold the surface itself. Midway between two it
        /// keeps cos(pi/n) of a wave n texels long: waves pulse as they cross the grid.
        Linear = "linear",
        /// By a cubic B-spline over 4 x 4 texels, which hold its coefficients. It keeps 0.97 or more of
        /// every wave of 4 texels and longer, wherever it is.
        Cubic = "cubic",
    }
}

impl Interpolation {
    /// The factor on a wave's amplitude before sampling that makes its surface go through the values of
    /// the texels: one axis of it, for a wave whose phase advances by `phase_rad` a texel along that.
    ///
    /// The spline whose coefficients are c has the values `(c[-1] + 4 c[0] + c[1])/6` at the texels,
    /// which for a wave is (2 + cos `phase_rad`)/3 of them (Unser, Aldroubi and Eden 1993).
    pub fn prefilter(self, phase_rad: f64) -> f64 {
        match self {
            Self::Linear => 1.0,
            Self::Cubic => 3.0 / (2.0 + libm::cos(phase_rad)),
        }
    }

    /// The share of a wave's power that is left where level 0 is sampled, on average over the places
    /// between two texels and with the prefilter: one axis of it.
    ///
    /// Between two texels whose phases differ by p, linear interpolation leaves
    /// |1 - t + t e^(i p)|^2: on average over t, 2/3 + cos(p)/3. The cubic B-spline's average is
    /// the Fourier series of its autocorrelation, the B-spline of degree 7 at whole numbers: 2416,
    /// 1191, 120 and 1, over 5040.
    pub fn kept_power(self, phase_rad: f64) -> f64 {
        let cos = |times: f64| libm::cos(times * phase_rad);
        match self {
            Self::Linear => (2.0 + cos(1.0)) / 3.0,
            Self::Cubic => {
                let autocorrelation =
                    (2416.0 + 2.0 * (1191.0 * cos(1.0) + 120.0 * cos(2.0) + cos(3.0))) / 5040.0;
                self.prefilter(phase_rad).powi(2) * autocorrelation
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{PI, TAU};

    use super::*;

    /// The wave e^(i p x), sampled at the texels, at `t` past one of them: in phase with the wave
    /// there, and by the definition of the kernel.
    fn interpolated(interpolation: Interpolation, phase_rad: f64, t: f64) -> [f64; 2] {
        let kernel = |x: f64| {
            let x = x.abs();
            match interpolation {
                Interpolation::Linear => (1.0 - x).max(0.0),
                Interpolation::Cubic if x < 1.0 => 2.0 / 3.0 - x * x + 0.5 * x.powi(3),
                Interpolation::Cubic => (2.0 - x).max(0.0).powi(3) / 6.0,
            }
        };
        let scale = interpolation.prefilter(phase_rad);
        (-2..=3).map(f64::from).fold([0.0; 2], |[re, im], texel| {
            let weight = scale * kernel(t - texel);
            let phase = phase_rad * (texel - t);
            [re + weight * phase.cos(), im + weight * phase.sin()]
        })
    }

    #[test]
    fn waves_go_through_their_texels() {
        for step in 1..16 {
            let phase_rad = PI * f64::from(step) / 16.0;
            for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
                let [re, im] = interpolated(interpolation, phase_rad, 0.0);
                assert!((re - 1.0).abs() < 1e-12 && im.abs() < 1e-12);
            }
        }
    }

    #[test]
    fn interpolation_keeps_waves_of_four_texels_and_longer() {
        let midway = |interpolation, texels: f64| interpolated(interpolation, TAU / texels, 0.5)[0];
        assert!((midway(Interpolation::Linear, 5.0) - 0.81).abs() < 0.005);
        assert!((midway(Interpolation::Linear, 2.5) - 0.31).abs() < 0.005);
        assert!((midway(Interpolation::Cubic, 2.5) - 0.66).abs() < 0.005);
        for tenths in 40..400 {
            let kept = midway(Interpolation::Cubic, 0.1 * f64::from(tenths));
            assert!((0.97..1.0 + 1e-12).contains(&kept), "{kept} at {tenths} tenths");
        }
    }

    #[test]
    fn kept_power_is_the_mean_over_places() {
        for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
            for step in 0..=16 {
                let phase_rad = PI * f64::from(step) / 16.0;
                let places = 400;
                let mean = (0..places)
                    .map(|place| (f64::from(place) + 0.5) / f64::from(places))
                    .map(|t| interpolated(interpolation, phase_rad, t))
                    .map(|[re, im]| re * re + im * im)
                    .sum::<f64>()
                    / f64::from(places);
                let kept = interpolation.kept_power(phase_rad);
                assert!((kept - mean).abs() < 1e-5, "{interpolation} {step}: {kept}, {mean}");
            }
        }
    }
}
