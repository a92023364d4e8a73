// The triangle of the sea that each sample of the picture sees. Group 0: view, grid, displaced vertices.
#import "mesh/view.wgsl"
#import "mesh/grid.wgsl"
#import "mesh/displaced.wgsl"
#import "shading/visible.wgsl"

@group(0) @binding(2) var<storage, read> displaced_vertices: array<DisplacedVertex>;

struct Point {
    @builtin(position) clip: vec4<f32>,
    // The tile, with the eye's side in the upper half, and the vertex. A triangle's first vertex is the corner of its
    // cell.
    @location(0) @interpolate(flat) number: vec2<u32>,
    // The place in cells from the tile's corner, at the covered part of a pixel, so that it lies in the
    // triangle.
    @location(1) @interpolate(perspective, centroid) cell: vec2<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32, @builtin(instance_index) tile: u32) -> Point {
    let row = mesh.tile_cells + 1u;
    let relative = displaced_vertices[tile * row * row + index].relative;
    let cell = vec2<f32>(vec2(index % row, index / row));
    var side = EYE_ABOVE;
    if mesh.eye_vertex != NO_EYE_VERTEX {
        side = eye_side(displaced_vertices[mesh.eye_vertex]);
    }
    return Point(view.clip_from_relative * vec4(relative, 1.0), vec2(tile | (side << 16u), index), cell);
}

@fragment
fn fragment(in: Point, @builtin(front_facing) is_front: bool) -> @location(0) vec2<u32> {
    let row = mesh.tile_cells + 1u;
    let corner = vec2<f32>(vec2(in.number.y % row, in.number.y / row));
    let within = in.cell - corner;
    let side = in.number.x >> 16u;
    let is_below = side == EYE_BELOW || (side == EYE_AT_SURFACE && !is_front);
    let kind = select(VISIBLE_WATER, VISIBLE_UNDERSIDE, is_below);
    return visible_water(kind, in.number.x & 0xffffu, in.number.y, within.x > within.y);
}
