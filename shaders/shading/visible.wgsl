// The number of what a sample of the picture sees, as two 16-bit numbers. The upper two bits say what kind of
// thing it is. Of the water: the tile (14 bits); the vertex at the corner of the cell (15 bits), and which of
// its two triangles. Of other things, what their light needs (`buoys/buoy.wgsl`).

const VISIBLE_WATER: u32 = 1u;
const VISIBLE_BUOY: u32 = 2u;

fn visible_water(tile: u32, corner: u32, is_second: bool) -> vec2<u32> {
    return vec2((VISIBLE_WATER << 14u) | tile, (corner << 1u) | u32(is_second));
}

fn visible_kind(visible: vec2<u32>) -> u32 {
    return visible.x >> 14u;
}

fn visible_tile(visible: vec2<u32>) -> u32 {
    return visible.x & 0x3fffu;
}

// The vertices of the triangle, in the order in which `Mesh` draws them.
fn visible_vertices(visible: vec2<u32>, row: u32) -> vec3<u32> {
    let corner = visible.y >> 1u;
    let is_second = (visible.y & 1u) != 0u;
    return corner + select(vec3(0u, row, row + 1u), vec3(0u, row + 1u, 1u), is_second);
}
