//! Light scattered more than once, in double precision: the twin of `shading/multiple_scattering.wgsl`
//! (Hillaire 2020, section 5.5), with any number of directions and steps.

use std::f64::consts::{FRAC_1_PI, PI};

use super::atmosphere::{
    EARTH_RADIUS_KM, SUN_ILLUMINANCE_KLX, air_per_km, distance_to_sea, distance_to_top,
    height_along, horizon_cos, sun_visible, transmittance,
};

const SEA_ALBEDO: f64 = 0.06;

/// The resolution of the integrals over the sphere and along its rays.
#[derive(Clone, Copy, Debug)]
pub struct Quadrature {
    /// Zenith angles, evenly spaced in their cosine.
    pub zenith_steps: u32,
    /// Azimuths over half the circle: the sun lies in a plane of symmetry.
    pub azimuth_steps: u32,
    /// Steps along a ray, which grow with the distance.
    pub steps: u32,
    /// Steps along the sun's rays, for [`transmittance`].
    pub sun_steps: u32,
}

impl Quadrature {
    /// The resolution of the shader, which reads the sun's light from a table.
    pub const SHADER: Self = Self { zenith_steps: 8, azimuth_steps: 4, steps: 16, sun_steps: 1000 };
}

/// The light that a unit of scattering at a height sends evenly in every direction after the first
/// scattering, in kcd/m2 at each of [`WAVELENGTHS_NM`](super::atmosphere::WAVELENGTHS_NM), with the sun
/// at a zenith angle. One texel of the table holds this.
///
/// ```
/// use seaway::shading::multiple_scattering::{Quadrature, multiple_scattering};
///
/// let [red, _, _, blue] = multiple_scattering(0.0, 0.5, 1.0, &Quadrature::SHADER);
/// assert!(blue > red);
/// ```
pub fn multiple_scattering(
    height_km: f64,
    sun_cos: f64,
    haze: f64,
    quadrature: &Quadrature,
) -> [f64; 4] {
    let sun_sin = (1.0 - sun_cos * sun_cos).max(0.0).sqrt();
    let count = f64::from(quadrature.zenith_steps * quadrature.azimuth_steps);
    let mut once = [0.0; 4];
    let mut transfer = [0.0; 4];
    for i in 0..quadrature.zenith_steps {
        let cos_zenith = 1.0 - 2.0 * (f64::from(i) + 0.5) / f64::from(quadrature.zenith_steps);
        let sin_zenith = (1.0 - cos_zenith * cos_zenith).sqrt();
        for j in 0..quadrature.azimuth_steps {
            let azimuth = PI * (f64::from(j) + 0.5) / f64::from(quadrature.azimuth_steps);
            let sun_across = cos_zenith * sun_cos + sin_zenith * azimuth.cos() * sun_sin;
            let ray = Ray { height_km, cos_zenith, sun_cos, sun_across };
            let gathered = ray.gather(haze, quadrature);
            for i in 0..4 {
                once[i] += gathered.once[i] / count;
                transfer[i] += gathered.transfer[i] / count;
            }
        }
    }
    std::array::from_fn(|i| once[i] / (1.0 - transfer[i].min(0.99)) * SUN_ILLUMINANCE_KLX)
}

/// A ray and the sun: the cosines of its zenith angle, of the sun's, and of the angle between both.
struct Ray {
    height_km: f64,
    cos_zenith: f64,
    sun_cos: f64,
    sun_across: f64,
}

struct Gathered {
    /// The singly scattered light that arrives, for a sun of irradiance 1.
    once: [f64; 4],
    /// The light that would arrive if the air shone everywhere with radiance 1.
    transfer: [f64; 4],
}

impl Ray {
    fn gather(&self, haze: f64, quadrature: &Quadrature) -> Gathered {
        let to_sea = distance_to_sea(self.height_km, self.cos_zenith);
        let reach = to_sea.unwrap_or_else(|| distance_to_top(self.height_km, self.cos_zenith));
        let mut result = Gathered { once: [0.0; 4], transfer: [0.0; 4] };
        let mut ray_transmittance = [1.0; 4];
        for i in 0..quadrature.steps {
            let [s0, s1] = [i, i + 1].map(|i| f64::from(i) / f64::from(quadrature.steps));
            let step = (s1 * s1 - s0 * s0) * reach;
            let middle = 0.5 * (s0 + s1);
            let (height, sun_cos) = self.at(middle * middle * reach);
            let (scattering, extinction) = air_per_km(height, haze);
            let sun = sun_transmittance(height, sun_cos, haze, quadrature.sun_steps);
            for i in 0..4 {
                let depth = extinction[i] * step;
                // The mean transmittance over the step, (1 - exp(-depth)) / depth, good near 0.
                let mean = if depth == 0.0 { 1.0 } else { -(-depth).exp_m1() / depth };
                let weight = ray_transmittance[i] * scattering[i] * mean * step;
                result.once[i] += weight * sun[i] / (4.0 * PI);
                result.transfer[i] += weight;
                ray_transmittance[i] *= (-depth).exp();
            }
        }
        if let Some(to_sea) = to_sea {
            let (_, sun_cos) = self.at(to_sea);
            let sun = sun_transmittance(0.0, sun_cos, haze, quadrature.sun_steps);
            for i in 0..4 {
                result.once[i] +=
                    ray_transmittance[i] * sun[i] * sun_cos.max(0.0) * SEA_ALBEDO * FRAC_1_PI;
            }
        }
        result
    }

    /// The height at a distance along the ray, and the cosine of the sun's zenith angle there: its
    /// direction is the same, the vertical is not.
    fn at(&self, distance_km: f64) -> (f64, f64) {
        let height = height_along(self.height_km, self.cos_zenith, distance_km);
        let along =
            (EARTH_RADIUS_KM + self.height_km) * self.sun_cos + distance_km * self.sun_across;
        (height, along / (EARTH_RADIUS_KM + height))
    }
}

fn sun_transmittance(height_km: f64, sun_cos: f64, haze: f64, steps: u32) -> [f64; 4] {
    let visible = sun_visible(height_km, sun_cos);
    if visible == 0.0 {
        return [0.0; 4];
    }
    let cos_zenith = sun_cos.max(horizon_cos(height_km));
    transmittance(height_km, cos_zenith, haze, steps).map(|light| light * visible)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shading::Sky;
    use crate::shading::atmosphere::AIR_HEIGHT_KM;
    use crate::shading::tests::{context, sun, texels, update};

    /// Height and cosine of the sun's zenith angle of a texel: `multiple_uv`, inverted.
    fn place([column, row]: [u32; 2]) -> (f64, f64) {
        let [x, y] = [f64::from(column) / 31.0, f64::from(row) / 15.0];
        let range = 1.0 - (-3.0_f64 * 1.25).exp();
        (y * y * AIR_HEIGHT_KM, (-0.25 - (1.0 - x * range).ln() / 3.0).clamp(-0.25, 1.0))
    }

    #[test]
    fn the_shader_agrees_with_its_twin() {
        let mut sky = Sky::new(&context().device).unwrap();
        for haze in [0.1, 1.0, 10.0] {
            update(&mut sky, &sun(30.0, haze));
            let made_for = sky.made_for.unwrap();
            let table = texels(&sky.textures.multiple, 0);
            let mut worst: f64 = 0.0;
            for row in [0, 1, 4, 8, 15] {
                for column in [0, 4, 6, 8, 10, 16, 24, 31] {
                    let (height_km, sun_cos) = place([column, row]);
                    let quadrature = Quadrature::SHADER;
                    let expected =
                        multiple_scattering(height_km, sun_cos, made_for.haze, &quadrature);
                    let found = table[(row * 32 + column) as usize];
                    for (found, expected) in found.into_iter().zip(expected) {
                        // An error of 0.01 kcd/m2 is invisible beside the daylight's several.
                        worst = worst.max((f64::from(found) - expected).abs() / (expected + 0.01));
                    }
                }
            }
            // The measured maximum is 5e-3, at haze 10, from the table of the sun's light.
            assert!(worst < 0.015, "haze {haze}: {worst}");
        }
    }

    /// The shader's few directions and steps cost at most 15% while the sun is up, by a quadrature that
    /// is itself within 1%. They are too few in the twilight, in air that the sun still reaches from
    /// below: of red light at 7 km the shader finds 0.8 with the sun one degree under the horizontal,
    /// and 0.4 with it seven degrees under.
    #[test]
    fn few_directions_do_by_day() {
        let fine = Quadrature { zenith_steps: 32, azimuth_steps: 8, steps: 48, sun_steps: 400 };
        for column in [31, 24] {
            for row in [0, 2, 4] {
                let (height_km, sun_cos) = place([column, row]);
                let [found, expected] = [Quadrature::SHADER, fine]
                    .map(|quadrature| multiple_scattering(height_km, sun_cos, 1.0, &quadrature));
                for (found, expected) in found.into_iter().zip(expected) {
                    let error = found / expected - 1.0;
                    assert!(error.abs() < 0.17, "{height_km:.2} km, sun {sun_cos:.3}: {error}");
                }
            }
        }
    }
}
