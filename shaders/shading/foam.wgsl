// Foam: how much of a pixel it covers, from how much of the water it should cover there.

struct FoamCover {
    // Share of the pixel that shows bubbles.
    cover: f32,
    // The pattern's mean there: thicker foam is higher.
    body: f32,
}

// `share` of the water is to be covered; `pattern` is (noise, its square), filtered, for two
// tiles of different size: each uniform from 0 to 1 before filtering. Their sum has a triangular
// distribution, so the threshold that leaves `share` above it is known, and so is the variance
// that filtering took away: it softens the threshold, until far away the cover is the share.
fn foam_cover(share: f32, pattern: vec4<f32>) -> FoamCover {
    let sum = pattern.x + pattern.z;
    // At most 1/6, of two uniform distributions. Eight bits leave some noise at the bottom.
    let lost = clamp(
        pattern.y - pattern.x * pattern.x + pattern.w - pattern.z * pattern.z, 0.0, 0.16666667);
    let threshold = select(sqrt(2.0 * (1.0 - share)), 2.0 - sqrt(2.0 * share), share < 0.5);
    let softness = sqrt(lost + 0.012);
    let lace = ocean_normal_integral((sum - threshold) / softness);
    // A Gaussian's tails reach beyond the sum's range: without bubbles or holes there are none.
    let bounded = lace * smoothstep(0.0, 0.02, share);
    return FoamCover(mix(bounded, share, smoothstep(0.3, 1.0, 6.0 * lost)), 0.5 * sum);
}
