// Lists the tiles of the picture by the kinds of what their samples see, so that no kernel runs for a tile that
// it has no light for. One workgroup a tile.
#import "shading/seen.wgsl"

struct GrowingLists {
    counts: array<atomic<u32>, 4>,
    places: array<u32>,
}

// As `LightTiles`; the counts are 0 before.
@group(0) @binding(6) var<storage, read_write> lists: GrowingLists;

// The kinds in the tile, as bits.
var<workgroup> kinds_seen: atomic<u32>;

@compute @workgroup_size(8, 8)
fn list(
    @builtin(workgroup_id) tile: vec3<u32>,
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if lane == 0u {
        atomicStore(&kinds_seen, 0u);
    }
    workgroupBarrier();
    let nothing = samples_of_nothing(id.xy);
    var kinds = u32(nothing != 0u) << VISIBLE_NOTHING;
    for (var sample = 0u; sample < SAMPLES; sample++) {
        let kind = 1u << visible_kind(visible_at(id.xy, sample));
        kinds |= select(kind, 0u, ((nothing >> sample) & 1u) != 0u);
    }
    atomicOr(&kinds_seen, select(kinds, 0u, any(id.xy >= vec2<u32>(view.resolution))));
    workgroupBarrier();
    if ((atomicLoad(&kinds_seen) >> lane) & 1u) != 0u && lane < VISIBLE_KINDS {
        let index = atomicAdd(&lists.counts[lane], 1u);
        lists.places[lane * picture_tiles() + index] = tile.x | (tile.y << 16u);
    }
}
