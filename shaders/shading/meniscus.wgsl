// The meniscus: where the water's surface crosses the lens, water climbs it, and its curved edge is a thin lens of
// its own. It shows the dark depths above the bright sky, upside down and out of focus, along the border between
// the parts of the picture that begin in air and in water. Groups: 0 the view, the displaced water and what the
// samples see, 2 the sky.
#import "mesh/view.wgsl"
#import "mesh/grid.wgsl"
#import "mesh/displaced.wgsl"
#import "shading/overlay.wgsl"
#import "shading/water_medium.wgsl"

@group(0) @binding(2) var<storage, read> displaced_vertices: array<DisplacedVertex>;

// Half of its width, in heights of the picture.
const MENISCUS_HEIGHTS: f32 = 0.01;
// The places of a pixel's disc that are looked at, evenly spread over it (Vogel 1979).
const MENISCUS_TAPS: u32 = 32u;
const MENISCUS_TURN: f32 = 2.3999632;
// The share of the light that it replaces in its middle.
const MENISCUS_COVER: f32 = 0.75;
// On one side at least the surface begins at the lens: borders beyond these distances are rounding, between waves
// at the horizon.
const MENISCUS_FAR_M: vec2<f32> = vec2(0.5, 2.5);

@vertex
fn vertex(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4<f32> {
    // Elsewhere the lens is on one side, and the triangle covers no pixel.
    let crosses = eye_side(displaced_vertices[mesh.eye_vertex]) == EYE_AT_SURFACE;
    let place = vec2(f32((corner << 1u) & 2u), f32(corner & 2u)) * 2.0 - 1.0;
    return vec4(select(vec2(-1.0), place, crosses), 1.0, 1.0);
}

// The medium before the lens at a point of the picture, as its first sample sees it.
struct MeniscusSeen {
    // 1 in water, 0 in air.
    water: f32,
    // The reversed depth.
    depth: f32,
}

fn meniscus_seen(point: vec2<f32>) -> MeniscusSeen {
    let pixel = vec2<u32>(clamp(point, vec2(0.0), view.resolution - 1.0));
    let before = textureLoad(depth, pixel, 0).x;
    let is_down = view_ray(vec2(2.0, -2.0) * point / view.resolution + vec2(-1.0, 1.0)).y < 0.0;
    let is_under = visible_kind(visible_at(pixel, 0u)) == VISIBLE_UNDERSIDE;
    return MeniscusSeen(f32(select(is_under, is_down, before == 0.0)), before);
}

@fragment
fn fragment(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let middle = overlay_in_picture(position.xy);
    let radius_px = max(MENISCUS_HEIGHTS * view.resolution.y, 2.0);
    // The share of the disc in water, which falls from 1 to 0 across a border through it.
    var water = 0.0;
    var nearest = 0.0;
    for (var tap = 0u; tap < MENISCUS_TAPS; tap++) {
        let out = sqrt((f32(tap) + 0.5) / f32(MENISCUS_TAPS));
        let turn = MENISCUS_TURN * f32(tap);
        let seen = meniscus_seen(middle + radius_px * out * vec2(cos(turn), sin(turn)));
        water += seen.water / f32(MENISCUS_TAPS);
        nearest = max(nearest, seen.depth);
    }
    let is_near = smoothstep(NEAR_M / MENISCUS_FAR_M.y, NEAR_M / MENISCUS_FAR_M.x, nearest);
    let cover = MENISCUS_COVER * is_near * smoothstep(0.0, 1.0, 4.0 * water * (1.0 - water));
    let depths = water_without_end(0.0, vec3(0.0, -1.0, 0.0));
    let bright = sky_irradiance() * (1.0 / PI);
    let light = mix(depths, bright, smoothstep(0.4, 0.8, water));
    return vec4(expose(light) * cover, cover);
}
