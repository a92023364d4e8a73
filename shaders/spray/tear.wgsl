// Tears spray from breaking crests, at one moment: every cell of every level around the eye has one slot
// for it, so that the same moment always leaves the same spray, in the same order.
#import "maps/sample.wgsl"
#import "foam/breaking.wgsl"
#import "shared/random.wgsl"
#import "spray/slot.wgsl"

struct SprayLevel {
    // The first of its cells along (x, z), and the place of its corner from the ocean's origin.
    first: vec2<i32>,
    corner_m: vec2<f32>,
    // The first cell that a finer level covers, and the number of them along each side.
    inner: vec2<i32>,
    inner_cells: i32,
    cell_m: f32,
    // The side of a piece of water, and the Jacobian below which it breaks.
    side_m: f32,
    threshold: f32,
    // The radius of a puff.
    radius_m: f32,
    // The area of breaking water that throws up one puff.
    area_m2: f32,
}

struct SprayStep {
    levels: array<SprayLevel, 3>,
    wind_mps: vec2<f32>,
    // The ocean's origin in the tile of places.
    origin_m: vec2<f32>,
    // The number of cells along one side of each level.
    cells: u32,
    first_slot: u32,
    number: u32,
    // The share that is torn off, from 0 up.
    torn: f32,
}

@group(0) @binding(0) var<uniform> spray: SprayStep;
// [moment][level][z][x].
@group(0) @binding(1) var<storage, read_write> slots: array<SpraySlot>;

// The pieces of a cell's water along one side, one invocation each.
const SPRAY_LOOKS: u32 = 4u;
const SPRAY_ALL_LOOKS: u32 = SPRAY_LOOKS * SPRAY_LOOKS;
// The number of cells of a workgroup, in a row.
const SPRAY_CELLS: u32 = 4u;

struct SprayLook {
    position: vec2<f32>,
    // The breaking share of the piece.
    breaking: f32,
}

var<workgroup> looks: array<SprayLook, SPRAY_CELLS * SPRAY_ALL_LOOKS>;

@compute @workgroup_size(SPRAY_ALL_LOOKS, SPRAY_CELLS)
fn tear(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    let at = vec2(group.x * SPRAY_CELLS + local.y, group.y);
    let level = spray.levels[group.z];
    let cell = level.first + vec2<i32>(at);
    let within = cell - level.inner;
    let is_finer = all(within >= vec2(0i)) && all(within < vec2(level.inner_cells));
    let seed = random_hash(
        u32(cell.x) + random_hash(u32(cell.y) + random_hash(3u * spray.number + group.z)));

    var look = SprayLook(vec2(0.0), 0.0);
    for (var looks_at = !is_finer; looks_at; looks_at = false) {
        let x = random_hash(seed + local.x);
        let place = (vec2(f32(local.x % SPRAY_LOOKS), f32(local.x / SPRAY_LOOKS))
            + vec2(random_uniform(x), random_uniform(random_hash(x)))) / f32(SPRAY_LOOKS);
        look.position = level.corner_m + (vec2<f32>(at) + place) * level.cell_m;
        let surface = ocean_surface(look.position, vec2(level.side_m, 0.0), vec2(0.0, level.side_m));
        look.breaking = foam_breaking(surface, level.threshold);
    }
    looks[index] = look;
    workgroupBarrier();
    if local.x == 0u {
        slots[spray.first_slot + (group.z * spray.cells + at.y) * spray.cells + at.x] =
            torn_off(level, index, random_hash(seed ^ 0x9e3779b9u));
    }
}

// The puff that leaves a cell, whose pieces begin with `first`.
fn torn_off(level: SprayLevel, first: u32, seed: u32) -> SpraySlot {
    var hash = seed;
    var breaking = 0.0;
    var torn_at = vec2(0.0);
    for (var i = 0u; i < SPRAY_ALL_LOOKS; i++) {
        let look = looks[first + i];
        breaking += look.breaking;
        hash = random_hash(hash);
        // A random piece, weighted by its breaking share.
        if look.breaking > 0.0 && random_uniform(hash) * breaking <= look.breaking {
            torn_at = look.position;
        }
    }
    // In proportion to the breaking water and its share for each puff: number times squared radius is the same
    // for the same breaking, at every level.
    let puffs = spray.torn * level.cell_m * level.cell_m * breaking
        / (f32(SPRAY_ALL_LOOKS) * level.area_m2);
    hash = random_hash(hash);
    var slot = SpraySlot(vec3(0.0), 0.0, vec3(0.0), 0.0);
    if random_uniform(hash) < puffs {
        let crest = ocean_displacement(torn_at, level.side_m);
        slot.place = vec3(
            spray.origin_m.x + torn_at.x + crest.x, crest.y, spray.origin_m.y + torn_at.y + crest.z);
        hash = random_hash(hash);
        // A cell has room for one puff, as large as all of them together.
        slot.radius_m =
            level.radius_m * sqrt(max(puffs, 1.0)) * mix(0.6, 1.4, random_uniform(hash));
        hash = random_hash(hash);
        let ahead = random_uniform(hash);
        hash = random_hash(hash);
        let aside = random_uniform(hash) - 0.5;
        let wind = spray.wind_mps;
        let forwards = wind * mix(0.25, 0.6, ahead) + vec2(-wind.y, wind.x) * (0.25 * aside);
        // The height of the throw grows with the wind, with most puffs below it.
        hash = random_hash(hash);
        let up = random_uniform(hash);
        let up_mps = length(wind) * (0.04 + 0.16 * up * up * up);
        slot.velocity_mps = vec3(forwards.x, up_mps, forwards.y);
        hash = random_hash(hash);
        slot.seed = random_uniform(hash);
    }
    return slot;
}
