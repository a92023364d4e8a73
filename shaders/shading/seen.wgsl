// Reads the triangles that the samples of the picture see. The first bindings of group 0 are the view and the
// grid.
#import "mesh/view.wgsl"
#import "shading/visible.wgsl"

// This is a texture_2d for one sample a pixel.
@group(0) @binding(4) var visible: texture_multisampled_2d<u32>;
// Reversed depth: 0 where a sample sees nothing of the scene. `visible` holds older values there.
@group(0) @binding(5) var depth: texture_multisampled_2d<f32>;

// Samples a pixel: 1 or 4.
override SAMPLES: u32 = 4u;

// Pixels along a side of the tiles by which the picture is lit.
const LIGHT_TILE: u32 = 8u;

// The tiles by the kinds that their samples see. Each pixel finds its kind among its samples, so that the order
// of a list does not change the picture.
struct LightTiles {
    // The number of tiles in each list: those of the kinds, and those of water near objects.
    counts: array<u32, 8>,
    // [list][index], with room for the whole picture: x, and y in the upper half. The kinds and lists of each tile of
    // the picture follow, row by row, as bits, and from `TILE_OBJECTS` on the objects that its water may show.
    places: array<u32>,
}

const TILE_OBJECTS: u32 = 8u;

// The number of tiles of the picture.
fn picture_tiles() -> u32 {
    return tiles_across() * ((u32(view.resolution.y) + LIGHT_TILE - 1u) / LIGHT_TILE);
}

fn tiles_across() -> u32 {
    return (u32(view.resolution.x) + LIGHT_TILE - 1u) / LIGHT_TILE;
}

// The place of a tile's kinds in `places`.
fn kinds_place(tile: vec2<u32>) -> u32 {
    return VISIBLE_LISTS * picture_tiles() + tile.y * tiles_across() + tile.x;
}

fn visible_at(pixel: vec2<u32>, sample: u32) -> vec2<u32> {
    return textureLoad(visible, pixel, i32(sample)).xy;
}

// The samples that see nothing of the scene, as bits; none outside of the picture.
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
