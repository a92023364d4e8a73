// What the clouds' kernels and their readers share. The low clouds are a periodic volume: a field
// that is positive inside clouds, sampled on CLOUD_LAYERS layers between their base and their top.
// Of the volume there are CLOUD_SLOTS, one above the other in a texture: the shapes at moments
// some ten seconds apart, between which readers interpolate.

struct CloudUniform {
    // Where the eye's foot lies in the tile, which drifts with the wind.
    eye_uv: vec2<f32>,
    // The same for the point at the low clouds' base that shades it.
    shadow_uv: vec2<f32>,
    // The bend of the tile there (see cloud_bend).
    bend_phase: vec2<f32>,
    // Where the wind blows, and where the eye lies in the cirrus, along the wind and across.
    wind: vec2<f32>,
    cirrus_uv: vec2<f32>,
    // The slots of the moments before and after, and how much the latter counts.
    slots: vec2<f32>,
    blend: f32,
    eye_height_m: f32,
    // Where the billows lie against the tile.
    detail_offset: vec3<f32>,
    base_m: f32,
    // From the eye's foot to the point of shadow_uv.
    shadow_offset_m: vec2<f32>,
    thickness_m: f32,
    // Of the densest part.
    extinction_per_m: f32,
    // Density at the base over that at the top.
    bottom_density: f32,
    cover: f32,
    // How much of the low clouds the eye sees: none from above.
    shown: f32,
    cirrus: f32,
    // Share of the sunlight that cirrus lets through.
    cirrus_sunlight: f32,
    texel_m: f32,
    steps: u32,
    // 0 where there are none at all: then no line of sight is followed.
    any: u32,
}

const CLOUD_TILE_M: f32 = 20480.0;
const CLOUD_LAYERS: f32 = 32.0;
const CLOUD_SLOTS: f32 = 3.0;
// Levels of the volume besides the finest.
const CLOUD_LEVELS: f32 = 3.0;
// Of the tile of cirrus.
const CIRRUS_TILE_M: f32 = 48000.0;
const CIRRUS_HEIGHT_M: f32 = 9000.0;

const CLOUD_DOME_SIZE: vec3<f32> = vec3(64.0, 64.0, 6.0);

// The field from what a texel holds.
fn cloud_field(stored: f32) -> f32 {
    return stored - 0.5;
}

// How fast the field rises to the full density, from a cloud's edge inwards.
const CLOUD_EDGE: f32 = 0.07;

// Density, 0 to 1, at `height`, 0 at the base and 1 at the top: water condenses as air rises, so that
// there is more of it higher up. `blur` is what an average over a large step adds to the edge.
fn cloud_density(field: f32, height: f32, bottom_density: f32, blur: f32) -> f32 {
    let inside = smoothstep(-blur, CLOUD_EDGE + blur, field);
    return inside * mix(bottom_density, 1.0, saturate(1.6 * height));
}

// Optical depths are stored as 2^(-depth / 6): fine where there is light, and up to some forty.
fn cloud_light_stored(depth: f32) -> f32 {
    return exp2(-depth / 6.0);
}

// The most of the light that was scattered often, per irradiance and steradian: see cloud_sunlit. The
// square root of its share of this is stored.
const CLOUD_DIFFUSE_MOST: f32 = 0.4;

// exp(-share * depth) from that.
fn cloud_light(stored: f32, share: f32) -> f32 {
    return exp2(log2(max(stored, 0.002)) * (6.0 * 1.442695 * share));
}

// The dome's rays begin as far below the sea as the eye is above it: there lies the mirror image of the
// eye. xyz: the direction from there to the clouds that are seen along `direction` from the sea, `offset_m`
// away from the eye's foot. w: how much smaller than at the sea an angle between them is there.
fn cloud_dome_aim(direction: vec3<f32>, offset_m: vec2<f32>, eye_height_m: f32, base_m: f32) -> vec4<f32> {
    let up = max(direction.y, 0.0);
    let reach = vec3(direction.x, up, direction.z) * base_m
        + vec3(offset_m.x, max(eye_height_m, 0.0), offset_m.y) * up;
    let far = length(reach);
    return vec4(reach / far, min(base_m / far, 1.0));
}

// The upper hemisphere on a square (Cigolle et al. 2014, hemi-octahedral), horizon at the edges.
fn cloud_dome_position(direction: vec3<f32>) -> vec2<f32> {
    let up = vec3(direction.x, max(direction.y, 0.0), direction.z);
    let p = up.xz / max(abs(up.x) + up.y + abs(up.z), 1e-6);
    return vec2(p.x + p.y, p.x - p.y) * 0.5 + 0.5;
}

fn cloud_dome_direction(position: vec2<f32>) -> vec3<f32> {
    let p = position * 2.0 - 1.0;
    let xz = vec2(p.x + p.y, p.x - p.y) * 0.5;
    return normalize(vec3(xz.x, max(1.0 - abs(xz.x) - abs(xz.y), 0.0), xz.y));
}
