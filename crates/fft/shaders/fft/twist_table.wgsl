// The factors between real lines and complex ones, from a table that the plan computed in double
// precision.

@group(0) @binding(5) var<storage, read> twists: array<vec2<Real>>;

// exp(-2 pi i k / TWISTS), for k up to TWISTS / 2.
fn twist(k: u32) -> vec2<Real> {
    return twists[k];
}
