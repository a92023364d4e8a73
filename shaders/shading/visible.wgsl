// The number of the object that a sample of the picture sees, as two 16-bit numbers. The upper two bits are its
// kind. Water, from either side, has the tile (14 bits); the vertex at the corner of the cell (15 bits), and the
// number of the triangle in it. Other objects have the inputs of their light (`objects/object.wgsl`).

// The kind of the sky, which has no number.
const VISIBLE_NOTHING: u32 = 0u;
const VISIBLE_WATER: u32 = 1u;
const VISIBLE_OBJECT: u32 = 2u;
// The water's surface from below.
const VISIBLE_UNDERSIDE: u32 = 3u;
const VISIBLE_KINDS: u32 = 4u;
// The lists of tiles whose water may show something of an object, whose water only mirrors one, and that may show one
// from below: those are not in the list of their kind.
const VISIBLE_WATER_NEAR_OBJECTS: u32 = 4u;
const VISIBLE_WATER_MIRRORING: u32 = 5u;
const VISIBLE_UNDERSIDE_NEAR_OBJECTS: u32 = 6u;
const VISIBLE_LISTS: u32 = 7u;

fn visible_water(kind: u32, tile: u32, corner: u32, is_second: bool) -> vec2<u32> {
    return vec2((kind << 14u) | tile, (corner << 1u) | u32(is_second));
}

fn visible_kind(visible: vec2<u32>) -> u32 {
    return visible.x >> 14u;
}

fn visible_tile(visible: vec2<u32>) -> u32 {
    return visible.x & 0x3fffu;
}

fn visible_corner(visible: vec2<u32>) -> u32 {
    return visible.y >> 1u;
}

// The other vertices of the triangle, in the order of `Mesh`, in cells from the corner: x and z of the second,
// and of the third.
fn visible_others(visible: vec2<u32>) -> vec4<u32> {
    return select(vec4(0u, 1u, 1u, 1u), vec4(1u, 1u, 1u, 0u), (visible.y & 1u) != 0u);
}
