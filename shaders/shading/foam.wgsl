// The cover of foam in a pixel, from its share of the water.

struct FoamCover {
    // The share of the pixel that shows bubbles.
    cover: f32,
    // The excess thickness of the covering foam, relative to the largest excess: 0 on average, and where it is
    // averaged.
    relief: f32,
    // The ratio of its sunlight to that on foam without relief, 1 on average.
    sunlit: f32,
}

// `share` is the share of the water to cover; `pattern` is (noise, its square), filtered, for two tiles of
// different size: each uniform from 0 to 1 before filtering. Their sum has a triangular distribution; with
// edges that are a little soft, the threshold that leaves `share` above it is known, and so is the variance
// lost by filtering, which softens the threshold until, far away, the cover is the share.
fn foam_cover(share: f32, pattern: vec4<f32>) -> FoamCover {
    let sum = pattern.x + pattern.z;
    // The lost variance is at most 1/6, that of two uniform distributions. Eight bits add some noise at the
    // bottom.
    let lost = clamp(
        pattern.y - pattern.x * pattern.x + pattern.w - pattern.z * pattern.z, 0.0, 0.16666667);
    let lace = ocean_normal_integral((sum - foam_threshold(share)) * inverseSqrt(lost + FOAM_EDGE));
    // The lost part is no Gaussian, especially in its tail: sparse lace vanishes first.
    let enough = min(900.0 * share * share, 1.0);
    let haze = smoothstep(0.3 * enough, 0.15 + 0.85 * enough, 6.0 * lost);
    // The mean of the covering pattern, which filtering moves to its overall mean.
    let averaged = max(6.0 * lost, haze);
    let covering = mix(foam_covering(share), 0.5, averaged);
    let thicker = (0.5 * sum - covering) / max(1.0 - covering, FOAM_THICKEST);
    return FoamCover(mix(lace, share, haze), (1.0 - averaged) * clamp(thicker, -1.0, 1.0), 1.0);
}

// The least excess thickness of the thickest foam.
const FOAM_THICKEST: f32 = 0.1;

// The ratio of the sunlight on foam to that without relief, by the patterns at equal distances on the sun's
// side and the other. They differ either way equally often, also within foam, so that relief adds no light.
fn foam_relief(towards_sun: vec4<f32>, away: vec4<f32>, sun_sine: f32) -> f32 {
    let rises = towards_sun.x + towards_sun.z - away.x - away.z;
    return clamp(1.0 - FOAM_RELIEF * rises / max(sun_sine, 0.25), 0.3, 1.7);
}

// The share of the sun's light that a rise of the pattern takes, at noon.
const FOAM_RELIEF: f32 = 0.5;

// The albedo of foam with this relief, around the mean `albedo`: threads are bright, with a thin film between
// them. The thickest foam is the brightest.
fn foam_thick_albedo(albedo: f32, relief: f32) -> f32 {
    let contrast = clamp(FOAM_BRIGHTEST / max(albedo, 1e-3) - 1.0, 0.0, 0.9);
    return albedo * (1.0 + contrast * relief);
}

// The albedo of the thickest foam, of many layers of bubbles.
const FOAM_BRIGHTEST: f32 = 0.75;

// The mean of the half sum within the upper `share`, with a fit of the effect of soft edges.
fn foam_covering(share: f32) -> f32 {
    let t = sqrt(2.0 * min(share, 1.0 - share));
    let few = 1.0 - t / 3.0 - 0.037 * exp(-2.4 * t);
    return select((0.5 - (1.0 - share) * (1.0 - few)) / max(share, 0.5), few, share < 0.5);
}

// The variance that softens edges.
const FOAM_EDGE: f32 = 0.012;

// The value above which lies `share` of a triangular distribution from 0 to 2 plus a Gaussian of variance
// FOAM_EDGE. It is 2 - t without the Gaussian, with a fit to the convolution that keeps the share to 3%.
fn foam_threshold(share: f32) -> f32 {
    let t = sqrt(2.0 * min(share, 1.0 - share));
    let from_end = t - 0.0105 / (t + 0.04) + 0.0101;
    return select(from_end, 2.0 - from_end, share < 0.5);
}
