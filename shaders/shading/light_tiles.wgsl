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

// The lists of a tile's water by what it may show of an object, as bits. Lamps glitter where their objects are
// mirrored.
fn lists_by(object: u32, tile: vec2<u32>) -> u32 {
    let mirrors = picture_part_meets(objects.mirrors[object], LIGHT_TILE * tile, LIGHT_TILE);
    let is_around = picture_part_meets(objects.surroundings[object], LIGHT_TILE * tile, LIGHT_TILE);
    let is_near = is_around || (mirrors && objects.lamps[object].is_lit > 0.0);
    let lists = (u32(mirrors) << VISIBLE_WATER_MIRRORING) | (u32(is_near) << VISIBLE_WATER_NEAR_OBJECTS);
    return select(0u, lists, object < objects.count);
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
    workgroupBarrier();
    // Each lane looks for one object.
    atomicOr(&kinds_seen[lane.y], lists_by(lane.x, tile));
    workgroupBarrier();
    if lane.x == 0u {
        let found = atomicLoad(&kinds_seen[lane.y]);
        let is_near = (found & (1u << VISIBLE_WATER_NEAR_OBJECTS)) != 0u;
        let mirrors = (found & (1u << VISIBLE_WATER_MIRRORING)) != 0u;
        let list = select(
            select(VISIBLE_WATER, VISIBLE_WATER_MIRRORING, mirrors), VISIBLE_WATER_NEAR_OBJECTS, is_near);
        let kinds = found & ((1u << VISIBLE_KINDS) - 1u);
        let water = (kinds >> VISIBLE_WATER) & 1u;
        atomicStore(&kinds_seen[lane.y], (kinds & ~(1u << VISIBLE_WATER)) | (water << list));
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
