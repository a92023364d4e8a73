// What the water binds, at group 3, after the foam's own: its look, and the noise that foam breaks up in.
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
    // Irradiance coming up under the surface over the irradiance going down.
    reflectance: vec3<f32>,
    // Of the water, per metre.
    absorption: vec3<f32>,
    // Of the water and of what bubbles there are on average under its crests, per metre: for light that
    // goes on forwards, through them.
    scattering: vec3<f32>,
    // What bubbles add to `reflectance` where breakers have filled the water with them.
    bubbles: vec3<f32>,
    // Where the anchor lies in the tile of the glints, in metres.
    glint_origin: vec2<f32>,
    // Of the foam's noise: two for the net of its bubbles, and two for whole whitecaps.
    tiles: array<FoamTile, 4>,
}

struct FoamTile {
    // From metres to tiles, as the two columns of a matrix.
    from_metres: vec4<f32>,
    // Where the anchor lies in the tile, which drifts with the foam.
    origin: vec2<f32>,
}

// After the foam's own.
@group(3) @binding(3) var<uniform> water: WaterUniform;
// (noise, its square).
@group(3) @binding(4) var foam_noise: texture_2d<f32>;
