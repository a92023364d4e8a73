// The definitions of the clouds' kernels and their readers. The low clouds are a periodic volume: a field that
// is positive inside clouds, sampled on CLOUD_LAYERS layers between their base and their top. A texture holds
// CLOUD_SLOTS of the volume on top of each other, with the shapes at successive moments, between which readers
// interpolate.

struct CloudUniform {
    // The foot of the eye in the tile, which drifts with the wind.
    eye_uv: vec2<f32>,
    // The same for the point at the low clouds' base that shades it.
    shadow_uv: vec2<f32>,
    // The bend of the tile there (see cloud_bend).
    bend_phase: vec2<f32>,
    // The direction of the wind, and the eye's place in the cirrus, along the wind and across.
    wind: vec2<f32>,
    cirrus_uv: vec2<f32>,
    // The slots of the moments before and after, and the weight of the latter.
    slots: vec2<f32>,
    blend: f32,
    eye_height_m: f32,
    // The offset of the billows in the tile.
    detail_offset: vec3<f32>,
    base_m: f32,
    // The offset from the eye's foot to the point of shadow_uv.
    shadow_offset_m: vec2<f32>,
    thickness_m: f32,
    // The extinction of the densest part.
    extinction_per_m: f32,
    // The ratio of the density at the base to that at the top.
    bottom_density: f32,
    cover: f32,
    // The share of the low clouds that the eye sees, 0 from above.
    shown: f32,
    cirrus: f32,
    // The share of the sunlight that cirrus transmits.
    cirrus_sunlight: f32,
    texel_m: f32,
    steps: u32,
    // 0 where there are no clouds: no line of sight is then followed.
    any: u32,
}

const CLOUD_TILE_M: f32 = 20480.0;
const CLOUD_LAYERS: f32 = 32.0;
const CLOUD_SLOTS: f32 = 3.0;
// The levels of the volume besides the finest.
const CLOUD_LEVELS: f32 = 3.0;
// The size of the tile of cirrus.
const CIRRUS_TILE_M: f32 = 48000.0;
const CIRRUS_HEIGHT_M: f32 = 9000.0;

const CLOUD_DOME_SIZE: vec3<f32> = vec3(64.0, 64.0, 6.0);

// The field from what a texel holds.
fn cloud_field(stored: f32) -> f32 {
    return stored - 0.5;
}

// The rise of the field from a cloud's edge to the full density.
const CLOUD_EDGE: f32 = 0.07;

// Density, 0 to 1, at `height`, 0 at the base and 1 at the top: water condenses as air rises, so that clouds
// are denser higher up. `blur` widens the edge for averages over large steps.
fn cloud_density(field: f32, height: f32, bottom_density: f32, blur: f32) -> f32 {
    let inside = smoothstep(-blur, CLOUD_EDGE + blur, field);
    return inside * mix(bottom_density, 1.0, saturate(1.6 * height));
}

// Optical depths are stored as 2^(-depth / 6): precise where there is light, and up to some forty.
fn cloud_light_stored(depth: f32) -> f32 {
    return exp2(-depth / 6.0);
}

// The largest source of often scattered light, per irradiance and steradian: see cloud_sunlit. The square root
// of the share of this is stored.
const CLOUD_DIFFUSE_MOST: f32 = 0.4;

// Returns exp(-share * depth) of a stored value.
fn cloud_light(stored: f32, share: f32) -> f32 {
    return exp2(log2(max(stored, 0.002)) * (6.0 * 1.442695 * share));
}

// The dome's rays begin at the mirror image of the eye below the sea. xyz is the direction from there to the
// clouds along `direction` from the sea, `offset_m` away from the eye's foot. w is the ratio of an angle
// between them there to that at the sea.
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
