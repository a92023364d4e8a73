//! The Earth's air in double precision: the reference for `shading/atmosphere.wgsl` and
//! `shading/transmittance.wgsl`, which give the sources of the numbers.

/// Mean radius of the Earth, in kilometres.
pub const EARTH_RADIUS_KM: f64 = 6371.0;
/// Height above which there is no air, in kilometres.
pub const AIR_HEIGHT_KM: f64 = 100.0;
/// Illuminance of the sun above the air: what irradiances are relative to, in kilolux.
pub const SUN_ILLUMINANCE_KLX: f64 = 128.0;
/// The wavelengths that light is carried at, in nanometres.
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
const HAZE_PER_KM_AT_550_NM: f64 = 0.04;

/// How far the visible horizon lies below the horizontal, in radians.
pub fn horizon_dip_rad(height_km: f64) -> f64 {
    (height_km * (2.0 * EARTH_RADIUS_KM + height_km)).sqrt().atan2(EARTH_RADIUS_KM)
}

/// What is taken out of a ray per kilometre at a height, at each of [`WAVELENGTHS_NM`].
pub fn extinction_per_km(height_km: f64, haze: f64) -> [f64; 4] {
    let rayleigh = (-height_km / RAYLEIGH_SCALE_HEIGHT_KM).exp();
    let haze = haze * (-height_km / HAZE_SCALE_HEIGHT_KM).exp();
    let ozone = (1.0 - (height_km - 25.0).abs() / 15.0).max(0.0);
    std::array::from_fn(|i| {
        let wavelength_um = WAVELENGTHS_NM[i] * 1e-3;
        1.24062e-3 * wavelength_um.powi(-4) * rayleigh
            + HAZE_PER_KM_AT_550_NM * (wavelength_um / 0.55).powf(-0.4) * haze
            + OZONE_PER_KM[i] * ozone
    })
}

/// Transmittance from a height to the top of the air along a ray that misses the sea, by
/// `steps` midpoints along the ray.
pub fn transmittance(height_km: f64, cos_zenith: f64, haze: f64, steps: u32) -> [f64; 4] {
    let radius = EARTH_RADIUS_KM + height_km;
    let along = radius * cos_zenith;
    let top = EARTH_RADIUS_KM + AIR_HEIGHT_KM;
    let length = (along * along + (top - radius) * (top + radius)).max(0.0).sqrt() - along;
    let step = length / f64::from(steps);
    let mut depth = [0.0; 4];
    for i in 0..steps {
        let t = (f64::from(i) + 0.5) * step;
        let height = (radius * radius + t * (t + 2.0 * along)).sqrt() - EARTH_RADIUS_KM;
        let extinction = extinction_per_km(height.max(0.0), haze);
        for (sum, extinction) in depth.iter_mut().zip(extinction) {
            *sum += extinction * step;
        }
    }
    depth.map(|depth| (-depth).exp())
}
