//! The Earth's air in double precision: the reference for `shading/atmosphere.wgsl` and
//! `shading/transmittance.wgsl`, which cite the sources of the numbers. The references of the sky's
//! other shaders build on it.
//!
//! ```
//! use seaway::shading::atmosphere::*;
//!
//! // From a bridge 20 m above the sea the horizon lies 16 km away, a seventh of a degree down.
//! let height_km = 0.02;
//! assert!((0.14..0.15).contains(&horizon_dip_rad(height_km).to_degrees()));
//! let horizon_km = distance_to_sea(height_km, horizon_cos(height_km) - 1e-9).unwrap();
//! assert!((15.0..16.5).contains(&horizon_km));
//! assert!(height_along(height_km, horizon_cos(height_km), horizon_km) < 1e-3);
//!
//! // A low sun is red: its light goes a long way through the air, which scatters blue.
//! assert!(distance_to_top(0.0, 0.05) > 8.0 * distance_to_top(0.0, 1.0));
//! let [red, _, blue] = rgb_from_spectral(transmittance(0.0, 0.05, 1.0, 64));
//! assert!(red > 2.0 * blue && sun_visible(0.0, 0.05) == 1.0);
//! let (scattering, extinction) = air_per_km(0.0, 1.0);
//! assert!(extinction[3] >= scattering[3]);
//! ```

/// The mean radius of the Earth, in kilometres.
pub const EARTH_RADIUS_KM: f64 = 6371.0;
/// The height above which there is no air, in kilometres.
pub const AIR_HEIGHT_KM: f64 = 100.0;
/// The illuminance of the sun above the air in kilolux, to which irradiances are relative.
pub const SUN_ILLUMINANCE_KLX: f64 = 128.0;
/// The wavelengths that carry light, in nanometres.
pub const WAVELENGTHS_NM: [f64; 4] = [640.0, 570.0, 510.0, 440.0];

/// Linear sRGB, relative to the sun above the air, from light at [`WAVELENGTHS_NM`].
pub const RGB_FROM_SPECTRAL: [[f64; 4]; 3] = [
    [0.56651, 0.88985, -0.51408, 0.05772],
    [-0.02526, 0.53298, 0.59130, -0.09902],
    [-0.01527, -0.14031, 0.27898, 0.87660],
];

const RAYLEIGH_SCALE_HEIGHT_KM: f64 = 8.0;
const HAZE_SCALE_HEIGHT_KM: f64 = 1.2;
const OZONE_PER_KM: [f64; 4] = [0.001_432_2, 0.002_513_5, 0.000_861_9, 0.000_085_1];
const HAZE_PER_KM_AT_550_NM: f64 = 0.03;
const HAZE_SCATTERED: f64 = 0.985;
const SUN_RADIUS_RAD: f64 = 0.004_651_3;

/// How far the visible horizon lies below the horizontal, in radians.
pub fn horizon_dip_rad(height_km: f64) -> f64 {
    (height_km * (2.0 * EARTH_RADIUS_KM + height_km)).sqrt().atan2(EARTH_RADIUS_KM)
}

/// The twin of `horizon_cos`: the cosine of the zenith angle of the visible horizon.
pub fn horizon_cos(height_km: f64) -> f64 {
    -horizon_dip_rad(height_km).sin()
}

/// The twin of `air_at`: the scattering and extinction per kilometre at a height, at each of
/// [`WAVELENGTHS_NM`].
pub fn air_per_km(height_km: f64, haze: f64) -> ([f64; 4], [f64; 4]) {
    let rayleigh = (-height_km / RAYLEIGH_SCALE_HEIGHT_KM).exp();
    let haze = haze * (-height_km / HAZE_SCALE_HEIGHT_KM).exp();
    let ozone = (1.0 - (height_km - 25.0).abs() / 15.0).max(0.0);
    let parts: [[f64; 3]; 4] = std::array::from_fn(|i| {
        let wavelength_um = WAVELENGTHS_NM[i] * 1e-3;
        [
            1.24062e-3 * wavelength_um.powi(-4) * rayleigh,
            HAZE_PER_KM_AT_550_NM * (wavelength_um / 0.55).powf(-0.4) * haze,
            OZONE_PER_KM[i] * ozone,
        ]
    });
    (
        parts.map(|[rayleigh, haze, _]| rayleigh + HAZE_SCATTERED * haze),
        parts.map(|[rayleigh, haze, ozone]| rayleigh + haze + ozone),
    )
}

/// The twin of `height_along`: the height at `distance_km` along a ray that leaves `height_km` at a
/// zenith angle.
pub fn height_along(height_km: f64, cos_zenith: f64, distance_km: f64) -> f64 {
    let radius = EARTH_RADIUS_KM + height_km;
    let gain = distance_km * (distance_km + 2.0 * radius * cos_zenith);
    ((radius * radius + gain).sqrt() - EARTH_RADIUS_KM).max(0.0)
}

/// The twin of `distance_to_top`: the distance to the top of the air along a ray.
pub fn distance_to_top(height_km: f64, cos_zenith: f64) -> f64 {
    let radius = EARTH_RADIUS_KM + height_km;
    let along = radius * cos_zenith;
    let top = EARTH_RADIUS_KM + AIR_HEIGHT_KM;
    (along * along + (top - radius) * (top + radius)).max(0.0).sqrt() - along
}

/// The twin of `distance_to_sea`: the distance to the sea along a ray that hits it.
pub fn distance_to_sea(height_km: f64, cos_zenith: f64) -> Option<f64> {
    let along = (EARTH_RADIUS_KM + height_km) * cos_zenith;
    let under = along * along - height_km * (2.0 * EARTH_RADIUS_KM + height_km);
    (cos_zenith < 0.0 && under >= 0.0).then(|| (-along - under.sqrt()).max(0.0))
}

/// The twin of `sun_visible`: the share of the sun's disc above the horizon of a point.
pub fn sun_visible(height_km: f64, sun_cos: f64) -> f64 {
    let above = sun_cos - horizon_cos(height_km);
    let t = (0.5 + 0.5 * above / SUN_RADIUS_RAD).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Transmittance from a height to the top of the air along a ray that misses the sea, by
/// `steps` midpoints along the ray.
pub fn transmittance(height_km: f64, cos_zenith: f64, haze: f64, steps: u32) -> [f64; 4] {
    let step = distance_to_top(height_km, cos_zenith) / f64::from(steps);
    let mut depth = [0.0; 4];
    for i in 0..steps {
        let height = height_along(height_km, cos_zenith, (f64::from(i) + 0.5) * step);
        let (_, extinction) = air_per_km(height, haze);
        for (sum, extinction) in depth.iter_mut().zip(extinction) {
            *sum += extinction * step;
        }
    }
    depth.map(|depth| (-depth).exp())
}

/// Linear sRGB from light at [`WAVELENGTHS_NM`].
pub fn rgb_from_spectral(spectral: [f64; 4]) -> [f64; 3] {
    RGB_FROM_SPECTRAL.map(|row| row.iter().zip(spectral).map(|(a, b)| a * b).sum::<f64>().max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The colour matching functions of the CIE 1931 observer (fit of Wyman, Sloan and Shirley
    /// 2013), in linear sRGB.
    fn observer(wavelength_nm: f64) -> [f64; 3] {
        let lobe = |height: f64, centre: f64, below: f64, above: f64| {
            let width = if wavelength_nm < centre { below } else { above };
            height * (-0.5 * ((wavelength_nm - centre) / width).powi(2)).exp()
        };
        let x = lobe(1.056, 599.8, 37.9, 31.0) + lobe(0.362, 442.0, 16.0, 26.7)
            - lobe(0.065, 501.1, 20.4, 26.2);
        let y = lobe(0.821, 568.8, 46.9, 40.5) + lobe(0.286, 530.9, 16.3, 31.1);
        let z = lobe(1.217, 437.0, 11.8, 36.0) + lobe(0.681, 459.0, 26.0, 13.8);
        [
            3.2406 * x - 1.5372 * y - 0.4986 * z,
            -0.9689 * x + 1.8758 * y + 0.0415 * z,
            0.0557 * x - 0.2040 * y + 1.0570 * z,
        ]
    }

    fn sunlight(wavelength_nm: f64) -> f64 {
        // Planck's law at the sun's effective temperature, in any unit.
        (wavelength_nm / 550.0).powi(-5) / ((1.438_776_9e7 / (wavelength_nm * 5778.0)).exp() - 1.0)
    }

    /// The colour of `spectrum`, a factor on the sun's, with the sun itself as white.
    fn colour(spectrum: impl Fn(f64) -> f64) -> [f64; 3] {
        let sum = |spectrum: &dyn Fn(f64) -> f64| {
            (72..166).map(|i| f64::from(i) * 5.0).fold([0.0; 3], |sum, wavelength_nm| {
                let seen = observer(wavelength_nm);
                let light = sunlight(wavelength_nm) * spectrum(wavelength_nm);
                std::array::from_fn(|i| sum[i] + seen[i] * light)
            })
        };
        let (seen, white) = (sum(&spectrum), sum(&|_| 1.0));
        std::array::from_fn(|i| seen[i] / white[i])
    }

    #[test]
    fn four_wavelengths_give_the_colours_of_the_whole_spectrum() {
        let scattering = |wavelength_nm: f64| (wavelength_nm / 550.0).powi(-4);
        for air_masses in [0.0, 1.0, 3.0, 8.0, 20.0, 38.0] {
            for scattered in [false, true] {
                let spectrum = |wavelength_nm: f64| {
                    let direct = (-0.1085 * air_masses * scattering(wavelength_nm)).exp();
                    if scattered { direct * scattering(wavelength_nm) } else { direct }
                };
                let expected = colour(spectrum);
                let found = rgb_from_spectral(WAVELENGTHS_NM.map(spectrum));
                let largest = expected.into_iter().fold(0.0, f64::max);
                for (found, expected) in found.into_iter().zip(expected) {
                    let error = (found - expected.max(0.0)).abs() / largest;
                    assert!(error < 0.07, "{air_masses} {scattered}: {found} {expected}");
                }
            }
        }
    }

    #[test]
    fn the_horizon_dips_two_arc_minutes_per_root_metre() {
        // 1.93 minutes of arc times the square root of the height in metres, without refraction.
        let minutes = horizon_dip_rad(0.1).to_degrees() * 60.0;
        assert!((minutes - 19.26).abs() < 0.05, "{minutes}");
    }
}
