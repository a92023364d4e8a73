// Foam: how much of a pixel it covers, from how much of the water it should cover there.

struct FoamCover {
    // Share of the pixel that shows bubbles.
    cover: f32,
    // How much thicker than on average what covers it is there, over how much thicker it is at most:
    // 0 on average, and where it is averaged.
    relief: f32,
    // Sunlight on it over that on the same foam without relief: 1 on average.
    sunlit: f32,
}

// `share` of the water is to be covered; `pattern` is (noise, its square), filtered, for two
// tiles of different size: each uniform from 0 to 1 before filtering. Their sum has a triangular
// distribution; with edges that are a little soft, the threshold that leaves `share` above it is
// known, and so is the variance that filtering took away: it softens the threshold, until far away
// the cover is the share.
fn foam_cover(share: f32, pattern: vec4<f32>) -> FoamCover {
    let sum = pattern.x + pattern.z;
    // At most 1/6, of two uniform distributions. Eight bits leave some noise at the bottom.
    let lost = clamp(
        pattern.y - pattern.x * pattern.x + pattern.w - pattern.z * pattern.z, 0.0, 0.16666667);
    let lace = ocean_normal_integral((sum - foam_threshold(share)) * inverseSqrt(lost + FOAM_EDGE));
    // What was lost is no Gaussian, least of all in its tail: of little foam the lace goes first.
    let enough = min(900.0 * share * share, 1.0);
    let haze = smoothstep(0.3 * enough, 0.15 + 0.85 * enough, 6.0 * lost);
    // The pattern's mean where it covers, which filtering draws to its mean everywhere.
    let averaged = max(6.0 * lost, haze);
    let covering = mix(foam_covering(share), 0.5, averaged);
    let thicker = (0.5 * sum - covering) / max(1.0 - covering, FOAM_THICKEST);
    return FoamCover(mix(lace, share, haze), (1.0 - averaged) * clamp(thicker, -1.0, 1.0), 1.0);
}

// Least of how much thicker than on average the thickest foam is.
const FOAM_THICKEST: f32 = 0.1;

// Sunlight on foam over that on the same foam without relief, by the patterns beside it: on the sun's
// side and on the other, as far away. The two differ either way as often, also where there is foam, so
// that its relief makes no light.
fn foam_relief(towards_sun: vec4<f32>, away: vec4<f32>, sun_sine: f32) -> f32 {
    let rises = towards_sun.x + towards_sun.z - away.x - away.z;
    return clamp(1.0 - FOAM_RELIEF * rises / max(sun_sine, 0.25), 0.3, 1.7);
}

// How much of the sun's light a rise of the pattern takes, at noon.
const FOAM_RELIEF: f32 = 0.5;

// Albedo of foam where it has such a relief: threads are bright and what lies between is a thin film,
// of which `albedo` is the mean. Nothing is brighter than the thickest foam.
fn foam_thick_albedo(albedo: f32, relief: f32) -> f32 {
    let contrast = clamp(FOAM_BRIGHTEST / max(albedo, 1e-3) - 1.0, 0.0, 0.9);
    return albedo * (1.0 + contrast * relief);
}

// Albedo of the thickest foam, of many layers of bubbles.
const FOAM_BRIGHTEST: f32 = 0.75;

// Mean of the half sum where it is in the upper `share`. What soft edges take from it is fitted.
fn foam_covering(share: f32) -> f32 {
    let t = sqrt(2.0 * min(share, 1.0 - share));
    let few = 1.0 - t / 3.0 - 0.037 * exp(-2.4 * t);
    return select((0.5 - (1.0 - share) * (1.0 - few)) / max(share, 0.5), few, share < 0.5);
}

// Variance that makes edges soft.
const FOAM_EDGE: f32 = 0.012;

// Above which there is `share` of a triangular distribution from 0 to 2 to which a Gaussian of
// variance FOAM_EDGE is added. Without that it were 2 - t; the rest is fitted to the convolution,
// whose share it gives to 3%.
fn foam_threshold(share: f32) -> f32 {
    let t = sqrt(2.0 * min(share, 1.0 - share));
    let from_end = t - 0.0105 / (t + 0.04) + 0.0101;
    return select(from_end, 2.0 - from_end, share < 0.5);
}
