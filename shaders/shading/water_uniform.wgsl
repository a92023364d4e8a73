// The bindings of the water at group 3, after the foam's: its look, and the noise that breaks up foam.
#import "foam/sample.wgsl"

struct WaterUniform {
    // Covariance (xx, zz, xz) of the slopes of waves finer than the maps hold.
    base_covariance: vec3<f32>,
    // Standard deviation of the sea's height.
    height_deviation_m: f32,
    // Covariance (xx, zz, xz) of the slopes of all waves.
    covariance: vec3<f32>,
    // Horizontal over vertical displacement of the waves: 1 in deep water.
    orbit_ratio: f32,
    // The anchor's place in the tile of the glints, in metres.
    glint_origin: vec2<f32>,
    // The scattering per metre of the average bubbles under crests.
    bubbles_per_m: f32,
    // The tiles of the foam's noise: two for the net of its bubbles, and two for whole whitecaps.
    tiles: array<FoamTile, 4>,
}

struct FoamTile {
    // The matrix from metres to tiles, as its two columns.
    from_metres: vec4<f32>,
    // The anchor's place in the tile, which drifts with the foam.
    origin: vec2<f32>,
}

// The binding follows those of the foam.
@group(3) @binding(3) var<uniform> water: WaterUniform;
// (noise, its square).
@group(3) @binding(4) var foam_noise: texture_2d<f32>;
