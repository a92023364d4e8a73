// Particles that sink through the water around an eye in it ("marine snow": Alldredge and Silver 1988), as soft
// discs. They have no history: a lattice of cells sinks through the water, and the number of a cell says where in
// it a particle is. Groups: 0 the view, the displaced water and the scene's depth, 2 the sky, 3 the lattice.
#import "mesh/view.wgsl"
#import "mesh/grid.wgsl"
#import "mesh/displaced.wgsl"
#import "shading/overlay.wgsl"
#import "shading/water_medium.wgsl"
#import "shared/random.wgsl"

struct ParticleLattice {
    // The number of the eye's cell, and the eye's place in it, from 0 to 1.
    eye_cell: vec3<i32>,
    // The cells along one side, an even number.
    cells: u32,
    eye_in_cell: vec3<f32>,
    // The turns of two slow swirls, from 0 to 1.
    swirls: vec2<f32>,
}

@group(0) @binding(2) var<storage, read> displaced_vertices: array<DisplacedVertex>;
@group(3) @binding(0) var<uniform> lattice: ParticleLattice;

// The side of a cell, as in src/shading/particles.rs.
const PARTICLE_CELL_M: f32 = 0.35;
// The diameters of the smallest and the largest flocs.
const PARTICLE_LEAST_M: f32 = 0.0006;
const PARTICLE_MOST_M: f32 = 0.006;
// The radius of the swirls, in cells.
const PARTICLE_SWIRL: f32 = 0.12;
const PARTICLE_ALBEDO: f32 = 0.45;
// The lens is focused at this distance, through an aperture of this diameter.
const PARTICLE_FOCUS_M: f32 = 1.5;
const PARTICLE_APERTURE_M: f32 = 0.004;
// The distances between which a particle appears before the lens.
const PARTICLE_NEAR_M: vec2<f32> = vec2(0.15, 0.4);
// The least diameter in pixels of the picture: finer discs would flicker as they move.
const PARTICLE_LEAST_PX: f32 = 4.0;

struct ParticlePoint {
    @builtin(position) clip: vec4<f32>,
    // The place in radii from the middle.
    @location(0) place: vec2<f32>,
    @location(1) @interpolate(flat) relative: vec3<f32>,
    // The share of the light that the middle of the disc hides.
    @location(2) @interpolate(flat) cover: f32,
    // The depth under the water over the eye.
    @location(3) @interpolate(flat) depth_m: f32,
}

@vertex
fn vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) index: u32) -> ParticlePoint {
    let n = lattice.cells;
    let from_eye = vec3<i32>(vec3(index % n, index / n % n, index / (n * n))) - i32(n / 2u);
    let number = vec3<u32>(lattice.eye_cell + from_eye);
    var hash = random_hash(number.x + random_hash(number.y + random_hash(number.z)));
    var traits: array<f32, 6>;
    for (var i = 0u; i < 6u; i++) {
        traits[i] = random_uniform(hash);
        hash = random_hash(hash);
    }
    let turns = 2.0 * PI * (lattice.swirls + vec2(traits[3], traits[4]));
    let swirl = PARTICLE_SWIRL * vec3(cos(turns.x), sin(turns.y), sin(turns.x));
    let place = vec3<f32>(from_eye) + vec3(traits[0], traits[1], traits[2]) + swirl - lattice.eye_in_cell;
    let relative = PARTICLE_CELL_M * place;
    let distance_m = length(relative);

    let large = traits[5] * traits[5];
    let diameter_m = mix(PARTICLE_LEAST_M, PARTICLE_MOST_M, large * traits[5]);
    let sharp = diameter_m / distance_m;
    let blur = PARTICLE_APERTURE_M * abs(1.0 / distance_m - 1.0 / PARTICLE_FOCUS_M);
    let least = PARTICLE_LEAST_PX * view.pixel_angle_rad;
    let diameter = sqrt(sharp * sharp + blur * blur + least * least);

    // The water over the eye says how deep both are; the waves between hardly matter a few metres away.
    let over_eye_m = displaced_vertices[mesh.eye_vertex].relative.y;
    let depth_m = over_eye_m - relative.y;
    let reach_m = PARTICLE_CELL_M * f32(n / 2u);
    let fade = smoothstep(PARTICLE_NEAR_M.x, PARTICLE_NEAR_M.y, distance_m)
        * (1.0 - smoothstep(0.6, 0.9, distance_m / reach_m))
        * smoothstep(EYE_CLEAR_M, 3.0 * EYE_CLEAR_M, over_eye_m) * smoothstep(0.0, EYE_CLEAR_M, depth_m);
    // Three times the mean of the disc's profile, (1 - r^2)^2.
    let cover = fade * min(3.0 * (sharp * sharp) / (diameter * diameter), 1.0);

    let side = vec2(f32(corner & 1u), f32(corner >> 1u)) * 2.0 - 1.0;
    // A particle that is not seen covers no pixel.
    let radius_m = select(0.0, 0.5 * diameter * distance_m, cover > 0.0);
    let aside = normalize(view.right) * side.x + normalize(view.up) * side.y;
    return ParticlePoint(
        view.clip_from_relative * vec4(relative + radius_m * aside, 1.0), side, relative, cover, depth_m);
}

@fragment
fn fragment(in: ParticlePoint) -> @location(0) vec4<f32> {
    let inside = saturate(1.0 - dot(in.place, in.place));
    let cover = overlay_in_sight(in.clip) * in.cover * inside * inside;
    let distance_m = length(in.relative);
    let direction = in.relative / distance_m;
    shade_by_clouds(vec3(0.0), 1.0);
    let down = light_entering() * exp(-sky.water.diffuse_attenuation_per_m * in.depth_m);
    // The floc scatters light on all sides, and the water between it and the eye adds its own.
    let path = water_path(max(-view.height_m, 0.0), direction, distance_m);
    let light = down * (PARTICLE_ALBEDO / PI) * path.transmittance + path.added;
    return vec4(expose(light) * cover, cover);
}
