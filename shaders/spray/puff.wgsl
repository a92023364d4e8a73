// Draws the puffs of spray that `place.wgsl` chose, each as a soft square with torn edges. Groups: 0 the view, the
// displaced water and the scene's depth, 3 the spray's own.
#import "mesh/view.wgsl"
#import "mesh/grid.wgsl"
#import "mesh/displaced.wgsl"
#import "shading/overlay.wgsl"
#import "spray/placed.wgsl"

@group(0) @binding(2) var<storage, read> displaced_vertices: array<DisplacedVertex>;
// (noise, its square), the texture of the foam.
@group(3) @binding(0) var spray_noise: texture_2d<f32>;
// The repeating sampler.
@group(3) @binding(1) var spray_sampler: sampler;

// The fields of `SprayPlaced` in `spray/placed.wgsl`.
struct SprayPuff {
    @location(0) first_end: vec4<f32>,
    @location(1) last_end: vec4<f32>,
    @location(2) first_up: vec4<f32>,
    @location(3) last_up: vec4<f32>,
    @location(4) noise: vec4<f32>,
    @location(5) lights: vec4<u32>,
}

struct SprayPoint {
    @builtin(position) clip: vec4<f32>,
    // The place in radii from the middle.
    @location(0) place: vec2<f32>,
    // The height over the water, in radii.
    @location(1) above: f32,
    // The exposed light towards the eye.
    @location(2) light: vec3<f32>,
    // The e-folds in the middle of the puff.
    @location(3) @interpolate(flat) depth: f32,
    @location(4) @interpolate(flat) noise: vec4<f32>,
    @location(5) @interpolate(flat) noise_level: f32,
}

@vertex
fn vertex(puff: SprayPuff, @builtin(vertex_index) corner: u32) -> SprayPoint {
    let is_last = (corner & 1u) == 1u;
    let side = vec2(f32(corner & 1u), f32(corner >> 1u)) * 2.0 - 1.0;
    let end = select(puff.first_end, puff.last_end, is_last);
    let up = select(puff.first_up, puff.last_up, is_last).xyz;
    let relative = end.xyz + up * side.y;
    let blue = unpack2x16float(puff.lights.z);
    var out: SprayPoint;
    // The surface hides spray from an eye in the water, also where its mesh is coarser than the spray's water.
    let is_hidden = eye_side(displaced_vertices[mesh.eye_vertex]) == EYE_BELOW;
    out.clip = select(view.clip_from_relative * vec4(relative, 1.0), vec4(0.0, 0.0, 2.0, 1.0), is_hidden);
    out.place = SPRAY_DRAWN * side;
    out.above = (relative.y - end.w) * SPRAY_DRAWN / length(up);
    out.light = vec3(
        unpack2x16float(select(puff.lights.x, puff.lights.y, is_last)),
        select(blue.x, blue.y, is_last),
    );
    out.depth = puff.first_up.w;
    out.noise = puff.noise;
    out.noise_level = puff.last_up.w;
    return out;
}

@fragment
fn fragment(in: SprayPoint) -> @location(0) vec4<f32> {
    // The puff is round, soft and torn: the noise, uniform from 0 to 1, removes its thin parts.
    let inside = saturate(1.0 - dot(in.place, in.place));
    let body = inside * inside;
    let at = in.noise.xy + in.place * in.noise.zw;
    let coarse = textureSampleLevel(spray_noise, spray_sampler, at * 0.35, in.noise_level - 1.5).x;
    let fine = textureSampleLevel(spray_noise, spray_sampler, at * 1.7, in.noise_level + 0.8).x;
    let torn = body * smoothstep(0.0, 0.8, body + 1.1 * (0.65 * coarse + 0.35 * fine) - 0.55);
    let over_water = smoothstep(-0.1, 0.9, in.above);
    let cover = overlay_in_sight(in.clip) * (1.0 - exp(-in.depth * 2.0 * torn * over_water));
    return vec4(in.light * cover, cover);
}
