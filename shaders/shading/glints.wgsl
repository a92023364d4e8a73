// Glints: the facets of a small piece of water can be counted, and most often none of them mirrors the sun. The
// number of those that do in a pixel is binomial (after Deliot and Belcour 2023, "Real-Time Rendering of Glinty
// Appearances using Distributed Binomial Laws on Anisotropic Grids", here as a Poisson number on a square
// grid): sparkle close by, and far away, where there are many, the smooth path. The place and the slope of the
// water seed the draw, so that facets stay while it rests and change as waves turn it.
#import "shading/facets.wgsl"
#import "shared/random.wgsl"

// The size of the repeating grid in metres, and its cells of the finest level along a side.
const GLINT_TILE_M: f32 = 64.0;
const GLINT_CELLS: u32 = 2048u;
const GLINT_LAST_LEVEL: f32 = 10.0;
// The number of facets in a cell of the finest level.
const GLINT_FACETS: f32 = 3.0;
// The side of the cells of slopes, in deviations: facets in one of them shine together.
const GLINT_SLOPES: f32 = 0.35;
// The mean above which a Gaussian replaces the Poisson distribution.
const GLINT_MANY: f32 = 10.0;

// A Poisson number divided by its mean.
fn glint_count(mean: f32, hash: u32) -> f32 {
    let uniform_1 = random_uniform(hash);
    if mean > GLINT_MANY {
        let uniform_2 = random_uniform(random_hash(hash));
        let normal = sqrt(-2.0 * log(uniform_1)) * cos(6.2831853 * uniform_2);
        return max(1.0 + normal * inverseSqrt(mean), 0.0);
    }
    var count = 0.0;
    var share = exp(-mean);
    var sum = share;
    for (; uniform_1 > sum && count < 40.0; ) {
        count += 1.0;
        share *= mean / count;
        sum += share;
    }
    return count / max(mean, 1e-9);
}

// The glints of the cell of `level` at `place`, in metres; slopes are whole deviations from their mean.
fn glints_in_cell(place: vec2<f32>, level: f32, slopes: vec2<f32>, footprint_m: f32) -> f32 {
    let cells = GLINT_CELLS >> u32(level);
    let side_m = GLINT_TILE_M / f32(cells);
    let in_cells = place / side_m;
    let cell = vec2<u32>(vec2<i32>(floor(in_cells))) & vec2(cells - 1u);
    let seed = random_hash(cell.x + 65536u * cell.y + random_hash(u32(level)));
    // Not all of the water changes its facets at once.
    let moved = vec2(random_uniform(seed), random_uniform(random_hash(seed)));
    let lean = vec2<u32>(vec2<i32>(floor(slopes / GLINT_SLOPES + moved)));
    let hash = random_hash(seed + lean.x * 2654435769u + lean.y * 2246822519u);
    let density = GLINT_SLOPES * GLINT_SLOPES / (FACETS_SQRT_TAU * FACETS_SQRT_TAU)
        * exp(-0.5 * dot(slopes, slopes));
    let count = glint_count(GLINT_FACETS * exp2(2.0 * level) * density, hash);
    // A cell that is larger than a pixel shows the place of the facet, as a round spot.
    let off = fract(in_cells) - 0.5;
    let spot = exp(-12.0 * dot(off, off)) * 3.931;
    return count * mix(1.0, spot, smoothstep(1.5, 4.0, side_m / footprint_m));
}

// The ratio of the glitter of a piece of water to its smooth mean, 1 on average. `place` is the water at rest,
// relative to a point that all frames share; the slope of the half vector mirrors the sun.
fn glints(place: vec2<f32>, footprint_m: f32, facets: Facets, half_slope: vec2<f32>) -> f32 {
    let c = facets.covariance;
    let offset = half_slope - facets.slope;
    let first = sqrt(max(c.x, 1e-9));
    let skew = c.z / first;
    let second = sqrt(max(c.y - skew * skew, 1e-9));
    let along = offset.x / first;
    let slopes = vec2(along, (offset.y - skew * along) / second);
    let finest_m = GLINT_TILE_M / f32(GLINT_CELLS);
    let level = clamp(log2(max(footprint_m, 1e-6) / finest_m), 0.0, GLINT_LAST_LEVEL - 1.0);
    let lower = floor(level);
    return mix(
        glints_in_cell(place, lower, slopes, footprint_m),
        glints_in_cell(place, lower + 1.0, slopes, footprint_m),
        level - lower,
    );
}
