// Foam: how much of a pixel it covers, from how much of the water it should cover there.

struct FoamCover {
    // Share of the pixel that shows bubbles.
    cover: f32,
    // How much thicker than on average what covers it is there: 0, where it is averaged.
    relief: f32,
    // Sunlight on it over that on the same foam without relief.
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
    let covering = mix(foam_covering(share), 0.5, max(6.0 * lost, haze));
    return FoamCover(mix(lace, share, haze), 0.5 * sum - covering, 1.0);
}

// Mean of the half sum where it is in the upper `share`.
fn foam_covering(share: f32) -> f32 {
    let few = 1.0 - sqrt(2.0 * min(share, 1.0 - share)) / 3.0;
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
