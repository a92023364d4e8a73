// The Earth's air, for the sky model of Hillaire 2020, "A Scalable and Production Ready Sky and
// Atmosphere Rendering Technique". CPU twin: shading::atmosphere.
//
// Lengths are in kilometres, heights are over the sea. Light is carried at four wavelengths
// (640, 570, 510 and 440 nm, in this order) and relative to the sun's spectrum above the air;
// `rgb_from_spectral` turns that into linear sRGB under a sun that is white above the air. Three
// wavelengths taken for RGB would miss the colours of a low sun by up to a third; four, with a
// matrix fitted to spectra between noon and dusk, stay within 7 %.

const PI: f32 = 3.14159265;
const HALF_PI: f32 = 1.57079633;

const EARTH_RADIUS_KM: f32 = 6371.0;
const AIR_HEIGHT_KM: f32 = 100.0;
const AIR_RADIUS_KM: f32 = 6471.0;
// sqrt(AIR_RADIUS^2 - EARTH_RADIUS^2), the longest way from the sea out of the air.
const HORIZON_TO_TOP_KM: f32 = 1133.2255;

// Illuminance of the sun above the air, in klx: every radiance in Seaway is in kcd/m2 of white
// and every irradiance in klx of white.
const SUN_ILLUMINANCE_KLX: f32 = 128.0;
// Half of the sun's apparent diameter, 0.2665 degrees.
const SUN_RADIUS_RAD: f32 = 0.0046513;

// Scattering of air at the sea, per km: 1.24062e-3 (wavelength / um)^-4 (Penndorf 1957).
const RAYLEIGH_PER_KM: vec4<f32> = vec4(0.0073947, 0.0117527, 0.0183383, 0.0331000);
const RAYLEIGH_SCALE_HEIGHT_KM: f32 = 8.0;
// Absorption of ozone at 25 km, per km: cross sections of Gorshelev et al. 2014, 300 Dobson units
// in a tent from 10 to 40 km.
const OZONE_PER_KM: vec4<f32> = vec4(0.0014322, 0.0025135, 0.0008619, 0.0000851);
// Extinction by sea haze at the sea, per km, for haze 1: through it and the air, contrast vanishes after some
// 90 km (Koschmieder: 3.9 / extinction), and after 12 km for haze 10. Droplets of salt water are larger than
// the wavelengths, so it depends on them only a little (Angstrom exponent 0.4), and they absorb next to
// nothing.
const HAZE_PER_KM: vec4<f32> = vec4(0.02824, 0.02957, 0.03092, 0.03280);
const HAZE_SCALE_HEIGHT_KM: f32 = 1.2;
const HAZE_SCATTERED: f32 = 0.985;

const SEA_ALBEDO: f32 = 0.06;

struct Air {
    rayleigh: vec4<f32>,
    haze_scattering: vec4<f32>,
    extinction: vec4<f32>,
}

// Coefficients per km at a height.
fn air_at(height_km: f32, haze: f32) -> Air {
    let rayleigh = RAYLEIGH_PER_KM * exp(-height_km / RAYLEIGH_SCALE_HEIGHT_KM);
    let haze_extinction = HAZE_PER_KM * (haze * exp(-height_km / HAZE_SCALE_HEIGHT_KM));
    let ozone = OZONE_PER_KM * max(1.0 - abs(height_km - 25.0) / 15.0, 0.0);
    return Air(rayleigh, haze_extinction * HAZE_SCATTERED, rayleigh + haze_extinction + ozone);
}

fn rayleigh_phase(cos_angle: f32) -> f32 {
    return 3.0 / (16.0 * PI) * (1.0 + cos_angle * cos_angle);
}

fn henyey_greenstein(cos_angle: f32, g: f32) -> f32 {
    let spread = 1.0 + g * g - 2.0 * g * cos_angle;
    return (1.0 - g * g) / (4.0 * PI) / (spread * sqrt(spread));
}

// Large drops scatter light closely around the sun, small ones far: one lobe cannot have both the aureole and
// the glow.
fn haze_phase(cos_angle: f32) -> f32 {
    return 0.4 * henyey_greenstein(cos_angle, 0.93) + 0.6 * henyey_greenstein(cos_angle, 0.65);
}

fn rgb_from_spectral(spectral: vec4<f32>) -> vec3<f32> {
    return max(
        vec3(
            dot(spectral, vec4(0.56651, 0.88985, -0.51408, 0.05772)),
            dot(spectral, vec4(-0.02526, 0.53298, 0.59130, -0.09902)),
            dot(spectral, vec4(-0.01527, -0.14031, 0.27898, 0.87660)),
        ),
        vec3(0.0),
    );
}

// Cosine of the zenith angle of the visible horizon.
fn horizon_cos(height_km: f32) -> f32 {
    return -sqrt(height_km * (2.0 * EARTH_RADIUS_KM + height_km)) / (EARTH_RADIUS_KM + height_km);
}

// Height at `distance_km` along a ray that leaves `height_km` at a zenith angle. Written as a
// difference, since a radius in f32 is good to half a metre only.
fn height_along(height_km: f32, cos_zenith: f32, distance_km: f32) -> f32 {
    let radius = EARTH_RADIUS_KM + height_km;
    let gain = distance_km * (distance_km + 2.0 * radius * cos_zenith);
    let end_radius = sqrt(max(radius * radius + gain, 1.0));
    return max(height_km + gain / (end_radius + radius), 0.0);
}

fn distance_to_top(height_km: f32, cos_zenith: f32) -> f32 {
    let radius = EARTH_RADIUS_KM + height_km;
    let along = radius * cos_zenith;
    let room = (AIR_HEIGHT_KM - height_km) * (AIR_RADIUS_KM + radius);
    return max(sqrt(max(along * along + room, 0.0)) - along, 0.0);
}

// Distance to the sea, or -1 where the ray misses it.
fn distance_to_sea(height_km: f32, cos_zenith: f32) -> f32 {
    let along = (EARTH_RADIUS_KM + height_km) * cos_zenith;
    let under = along * along - height_km * (2.0 * EARTH_RADIUS_KM + height_km);
    if cos_zenith >= 0.0 || under < 0.0 {
        return -1.0;
    }
    return max(-along - sqrt(under), 0.0);
}

// Texture coordinates from values in 0..1 that fall on the centres of the first and last texels.
fn texel_centred(position: vec2<f32>, size: vec2<f32>) -> vec2<f32> {
    return (position * (size - 1.0) + 0.5) / size;
}

const TRANSMITTANCE_SIZE: vec2<f32> = vec2(128.0, 32.0);

// The mapping of Bruneton and Neyret 2008, for rays that miss the sea: x is the distance to the
// top of the air between its least and its largest, y the distance to the horizon.
fn transmittance_uv(height_km: f32, cos_zenith: f32) -> vec2<f32> {
    let to_horizon = sqrt(height_km * (2.0 * EARTH_RADIUS_KM + height_km));
    let nearest = AIR_HEIGHT_KM - height_km;
    let furthest = to_horizon + HORIZON_TO_TOP_KM;
    let distance = distance_to_top(height_km, max(cos_zenith, horizon_cos(height_km)));
    let x = clamp((distance - nearest) / (furthest - nearest), 0.0, 1.0);
    return texel_centred(vec2(x, clamp(to_horizon / HORIZON_TO_TOP_KM, 0.0, 1.0)), TRANSMITTANCE_SIZE);
}

const MULTIPLE_SIZE: vec2<f32> = vec2(32.0, 16.0);
// Below this cosine of the sun's zenith angle nothing is lit even high up in the air.
const MULTIPLE_COS_MIN: f32 = -0.25;
const MULTIPLE_STEEPNESS: f32 = 3.0;
// 1 - exp(-MULTIPLE_STEEPNESS (1 - MULTIPLE_COS_MIN))
const MULTIPLE_RANGE: f32 = 0.97648225;

// Finer where the sun is low and the height small, which is where the light changes.
fn multiple_uv(height_km: f32, sun_cos: f32) -> vec2<f32> {
    let x = (1.0 - exp(-MULTIPLE_STEEPNESS * (sun_cos - MULTIPLE_COS_MIN))) / MULTIPLE_RANGE;
    let y = sqrt(height_km / AIR_HEIGHT_KM);
    return texel_centred(clamp(vec2(x, y), vec2(0.0), vec2(1.0)), MULTIPLE_SIZE);
}

// The share of the sun's disc above the horizon of a point.
fn sun_visible(height_km: f32, sun_cos: f32) -> f32 {
    return smoothstep(-SUN_RADIUS_RAD, SUN_RADIUS_RAD, sun_cos - horizon_cos(height_km));
}

// (1 - exp(-x)) / x, accurate near 0: the mean transmittance over a step of optical depth x.
fn mean_transmittance(x: vec4<f32>) -> vec4<f32> {
    let series = 1.0 - x * (0.5 - x * (1.0 / 6.0));
    return select((1.0 - exp(-x)) / max(x, vec4(1e-6)), series, x < vec4(0.02));
}
