// Reads what the samples of the picture see. The first bindings of group 0 are the view and the grid.
#import "mesh/view.wgsl"
#import "shading/visible.wgsl"

// One sample a pixel: texture_2d.
@group(0) @binding(4) var visible: texture_multisampled_2d<u32>;
// Reversed: 0 where a sample sees nothing of the scene. What `visible` has there is older.
@group(0) @binding(5) var depth: texture_multisampled_2d<f32>;

// Samples a pixel: 1 or 4.
override SAMPLES: u32 = 4u;

// Pixels along a side of the tiles by which the picture is lit.
const LIGHT_TILE: u32 = 8u;

// Tiles by the kinds of what their samples see. Each pixel looks for its kind among the samples anyway, so that
// the order of a list changes nothing of the picture.
struct LightTiles {
    // The number of tiles that show each kind.
    counts: array<u32, 4>,
    // [kind][index], with room for the whole picture: x, and y in the upper half. Then of each tile of the
    // picture, row by row: the kinds that it shows, as bits.
    places: array<u32>,
}

// How many tiles the picture has.
fn picture_tiles() -> u32 {
    return tiles_across() * ((u32(view.resolution.y) + LIGHT_TILE - 1u) / LIGHT_TILE);
}

fn tiles_across() -> u32 {
    return (u32(view.resolution.x) + LIGHT_TILE - 1u) / LIGHT_TILE;
}

// Where `places` has the kinds that a tile shows.
fn kinds_place(tile: vec2<u32>) -> u32 {
    return VISIBLE_KINDS * picture_tiles() + tile.y * tiles_across() + tile.x;
}

fn visible_at(pixel: vec2<u32>, sample: u32) -> vec2<u32> {
    return textureLoad(visible, pixel, i32(sample)).xy;
}

// The samples that see nothing of the scene, as bits. Beside the picture there are none.
fn samples_of_nothing(pixel: vec2<u32>) -> u32 {
    var samples = 0u;
    for (var sample = 0u; sample < SAMPLES; sample++) {
        samples |= u32(textureLoad(depth, pixel, i32(sample)).x == 0.0) << sample;
    }
    return select(samples, 0u, any(pixel >= vec2<u32>(view.resolution)));
}

// The samples that see things of a kind, as bits.
fn samples_of_kind(pixel: vec2<u32>, kind: u32) -> u32 {
    let rest = ~samples_of_nothing(pixel);
    var samples = 0u;
    for (var sample = 0u; sample < SAMPLES; sample++) {
        samples |= u32(visible_kind(visible_at(pixel, sample)) == kind) << sample;
    }
    return samples & rest;
}
