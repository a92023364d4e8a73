// The band of frequencies of an image that pass, in cycles across its width and its height.

struct FilterBand {
    // The least and the largest square of the whole cycles that pass unchanged.
    least: u32,
    most: u32,
    low: f32,
    high: f32,
    // Cycles over which the gain falls to 0 on either side.
    falloff: f32,
    // The offset added to every value of the result.
    offset: f32,
}

// The cycles of the frequency at a place of a spectrum in natural order, which are negative above the middle.
fn filter_cycles(place: vec2<u32>, size: vec2<u32>) -> vec2<i32> {
    return vec2<i32>(place) - select(vec2(0i), vec2<i32>(size), place * 2u > size);
}

// The factor on a frequency.
fn filter_gain(band: FilterBand, cycles: vec2<i32>) -> f32 {
    let square = u32(dot(cycles, cycles));
    if (square >= band.least && square <= band.most) {
        return 1.0;
    }
    // Whole numbers decide its side, since roots are rounded.
    let frequency = sqrt(f32(square));
    let beyond = max(select(frequency - band.high, band.low - frequency, square < band.least), 0.0);
    if (band.falloff <= 0.0 || beyond >= band.falloff) {
        return 0.0;
    }
    // Half a wave of a cosine.
    return 0.5 + 0.5 * cos(3.14159265 * beyond / band.falloff);
}
