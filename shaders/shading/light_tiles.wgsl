// Lists the tiles of the picture by the kinds that their samples see, so that kernels run only for tiles that
// they light. A workgroup takes eight tiles side by side, since all workgroups contend for the same counts.
#import "shading/seen.wgsl"
#import "shading/object_frames.wgsl"

struct GrowingLists {
    counts: array<atomic<u32>, 8>,
    places: array<u32>,
}

@group(1) @binding(0) var<storage, read> objects: ObjectImages;

// The layout of `LightTiles`. The counts are cleared before the dispatch.
@group(0) @binding(6) var<storage, read_write> lists: GrowingLists;

const TILES_ABREAST: u32 = 8u;

// The kinds in each tile, as bits.
var<workgroup> kinds_seen: array<atomic<u32>, TILES_ABREAST>;

// The kinds that a column of pixels sees, as bits.
fn kinds_in(top: vec2<u32>) -> u32 {
    var kinds = 0u;
    for (var y = 0u; y < LIGHT_TILE; y++) {
        let pixel = top + vec2(0u, y);
        let nothing = samples_of_nothing(pixel);
        kinds |= u32(nothing != 0u) << VISIBLE_NOTHING;
        for (var sample = 0u; sample < SAMPLES; sample++) {
            // `visible` is not cleared: where nothing is visible it holds an earlier frame.
            let is_seen = textureLoad(depth, pixel, i32(sample)).x > 0.0;
            kinds |= u32(is_seen) << visible_kind(visible_at(pixel, sample));
        }
    }
    return kinds;
}

// Returns whether the water of a tile may show something of an object.
fn is_near_objects(tile: vec2<u32>) -> bool {
    var is_near = false;
    for (var i = 0u; i < objects.count; i++) {
        let meets = object_place_meets(objects.places[i], objects.edges[i], LIGHT_TILE * tile, LIGHT_TILE);
        is_near = is_near || meets;
    }
    return is_near;
}

@compute @workgroup_size(LIGHT_TILE, TILES_ABREAST)
fn list(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) lane: vec3<u32>,
) {
    if lane.x == 0u {
        atomicStore(&kinds_seen[lane.y], 0u);
    }
    workgroupBarrier();
    let tile = vec2(TILES_ABREAST * group.x + lane.y, group.y);
    atomicOr(&kinds_seen[lane.y], kinds_in(LIGHT_TILE * tile + vec2(lane.x, 0u)));
    workgroupBarrier();
    if lane.x == 0u && tile.x < tiles_across() {
        lists.places[kinds_place(tile)] = atomicLoad(&kinds_seen[lane.y]);
    }
    let is_by_objects = is_near_objects(tile);
    workgroupBarrier();
    if lane.x == 0u && is_by_objects {
        let kinds = atomicLoad(&kinds_seen[lane.y]);
        let water = (kinds >> VISIBLE_WATER) & 1u;
        atomicStore(
            &kinds_seen[lane.y],
            (kinds & ~(1u << VISIBLE_WATER)) | (water << VISIBLE_WATER_NEAR_OBJECTS));
    }
    workgroupBarrier();
    if lane.y > 0u || lane.x >= VISIBLE_LISTS {
        return;
    }
    var tiles = 0u;
    for (var i = 0u; i < TILES_ABREAST; i++) {
        tiles |= ((atomicLoad(&kinds_seen[i]) >> lane.x) & 1u) << i;
    }
    var place = lane.x * picture_tiles() + atomicAdd(&lists.counts[lane.x], countOneBits(tiles));
    for (; tiles != 0u; tiles &= tiles - 1u) {
        lists.places[place] = (TILES_ABREAST * group.x + countTrailingZeros(tiles)) | (group.y << 16u);
        place++;
    }
}
