// Values painted on the water in place of light. What is sampled is the water's own. Places and footprints
// come from the rasteriser, at the middle of a pixel; those of the picture are `shading/surface.wgsl`'s. The
// target takes sRGB-encoded colours, shown as they are.
#import "mesh/displaced.wgsl"
#import "shading/water.wgsl"
#import "debug_view/colours.wgsl"

// What the scales reach to (src/debug_view/legend.rs).
const DEBUG_JACOBIAN_REACH: f32 = 1.0;
const DEBUG_ROUGHNESS_MOST: f32 = 0.3;

@group(0) @binding(2) var<storage, read> displaced_vertices: array<DisplacedVertex>;

// The water's place is that at the middle of a pixel, even beyond its edge: within the covered part,
// what is shown would jump as that changes from pixel to pixel. All else is of the covered part, for
// beyond the edge it may come to anything.
struct SurfacePoint {
    @builtin(position) clip: vec4<f32>,
    // The water's place at rest, from the anchor.
    @location(0) position: vec2<f32>,
    // From the eye.
    @location(1) @interpolate(perspective, centroid) relative: vec3<f32>,
    // How much of the mean foam of the sea there is (`foam_gathered`).
    @location(2) @interpolate(perspective, centroid) gathered: f32,
}

fn surface_point(tile: vec4<f32>, index: u32, instance: u32) -> SurfacePoint {
    let vertices = (mesh.tile_cells + 1u) * (mesh.tile_cells + 1u);
    let displaced = displaced_vertices[instance * vertices + index];
    let gathered_and_crest = unpack2x16float(displaced.gathered_and_crest);
    var out: SurfacePoint;
    out.position = grid_vertex(tile, index).position;
    out.relative = displaced.relative;
    out.gathered = gathered_and_crest.x;
    out.clip = view.clip_from_relative * vec4(out.relative, 1.0);
    return out;
}

@vertex
fn vertex(
    @location(0) tile: vec4<f32>,
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
) -> SurfacePoint {
    return surface_point(tile, index, instance);
}

// To be called in uniform control flow.
fn surface_seen(in: SurfacePoint) -> SurfaceSeen {
    var ddx = dpdx(in.position);
    var ddy = dpdy(in.position);
    var position = in.position;
    var relative = in.relative;
    // Beyond the edge of a triangle that is seen edge-on, a place far from where the eye looks.
    let beneath = mesh.eye_m.xz + relative.xz;
    let moved_m = 6.0 * water.height_deviation_m + 2.0 * view.pixel_angle_rad * length(relative);
    position = select(position, beneath, length(position - beneath) > moved_m);

    // Triangles near the horizon are seen edge-on and change by more across a pixel than 32 bits
    // can interpolate: there the line of sight is certain, the place along it a guess. (A loop
    // and no branch, here and below: a processor that plays GPU works on both sides of a branch,
    // but skips a loop that none of its pixels enters.)
    let direction = normalize(
        view_ray(vec2(2.0, -2.0) * in.clip.xy / view.resolution + vec2(-1.0, 1.0)));
    let horizon_m = sqrt(2.0 * EARTH_RADIUS_M * max(mesh.eye_m.y, 1.0));
    let above_crests_m = max(mesh.eye_m.y - 4.0 * water.height_deviation_m, 0.0);
    let nearest_m = min(above_crests_m / max(-direction.y, 1e-5), horizon_m);
    let along_m = dot(relative, direction);
    let astray =
        !(length(relative - along_m * direction) < 3.0 * view.pixel_angle_rad * along_m)
        || along_m < 0.8 * nearest_m;
    for (var far = astray || along_m > 0.4 * horizon_m; far; far = false) {
        let guess_m = select(clamp(along_m, nearest_m, 1.2 * horizon_m), horizon_m, astray);
        relative = guess_m * direction;
        position = mesh.eye_m.xz + relative.xz;
    }
    // The distance is that of the covered part, the line of sight is that of the pixel.
    relative = dot(relative, direction) * direction;
    let distance_m = length(relative);

    // Waves far away lean from pixel to pixel, and so would the size of their footprints, and
    // what is averaged in them: none is longer than that of still water.
    let height_m = max(mesh.eye_m.y, water.height_deviation_m);
    let grazing = max(height_m / distance_m - distance_m / (2.0 * EARTH_RADIUS_M), 1e-5);
    let longest_m = view.pixel_angle_rad * distance_m * 1.5 / min(grazing, 1.0);
    ddx *= view.footprint_px * min(1.0, longest_m / max(length(ddx), 1e-6));
    ddy *= view.footprint_px * min(1.0, longest_m / max(length(ddy), 1e-6));
    return SurfaceSeen(position, ddx, ddy, relative, in.gathered, 0.0);
}

// Area over area at rest: red is compressed, blue is stretched, the mark has folded over.
@fragment
fn jacobian(in: SurfacePoint) -> @location(0) vec4<f32> {
    let seen = surface_seen(in);
    let j = ocean_jacobian(ocean_surface(seen.position, seen.ddx, seen.ddy));
    let colour = debug_diverging((1.0 - j) / DEBUG_JACOBIAN_REACH);
    return vec4(select(colour, DEBUG_MARK, j < 0.0), 1.0);
}

// Root mean square of the slopes that the pixel averages away.
@fragment
fn roughness(in: SurfacePoint) -> @location(0) vec4<f32> {
    let seen = surface_seen(in);
    let lost = ocean_surface(seen.position, seen.ddx, seen.ddy).lost;
    return vec4(debug_sequential(sqrt(max(lost.x + lost.y, 0.0)) / DEBUG_ROUGHNESS_MOST), 1.0);
}

// Share of the water that foam is to cover, before the foam's pattern.
@fragment
fn foam(in: SurfacePoint) -> @location(0) vec4<f32> {
    let seen = surface_seen(in);
    let footprint_m = sqrt(max(length(seen.ddx) * length(seen.ddy), 1e-8));
    return vec4(debug_sequential(foam_seen(seen.position, footprint_m, in.gathered).share), 1.0);
}

// A vertex of the grid, and where it lies in its tile.
struct GridPoint {
    @builtin(position) clip: vec4<f32>,
    // In cells from the tile's corner: whole numbers at the vertices.
    @location(0) cell: vec2<f32>,
    // From the eye.
    @location(1) relative: vec3<f32>,
    @location(2) @interpolate(flat) level: u32,
}

@vertex
fn grid_point(
    @location(0) tile: vec4<f32>,
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
) -> GridPoint {
    let point = surface_point(tile, index, instance);
    let row = mesh.tile_cells + 1u;
    let cell = vec2<f32>(vec2(index % row, index / row));
    return GridPoint(point.clip, cell, point.relative, u32(round(log2(tile.z))));
}

// Light from a fixed direction on the triangle itself.
fn facet_shade(relative: vec3<f32>) -> f32 {
    let across = cross(dpdy(relative), dpdx(relative));
    let normal = across / max(length(across), 1e-20);
    return 0.45 + 0.55 * abs(dot(select(normal, -normal, normal.y < 0.0), vec3(0.48, 0.8, 0.36)));
}

// 1 where the pixel lies on a whole number of `along`, which changes by `step` a pixel.
fn line_at(along: f32, step: f32) -> f32 {
    return saturate(1.2 - abs(fract(along + 0.5) - 0.5) / max(step, 1e-6));
}

// How coarse the grid is, with the tiles' edges.
@fragment
fn lod(in: GridPoint) -> @location(0) vec4<f32> {
    let cells = f32(mesh.tile_cells);
    let step = fwidth(in.cell) / cells;
    let edges = vec2(line_at(in.cell.x / cells, step.x), line_at(in.cell.y / cells, step.y));
    // Tiles of a few pixels are all edge.
    let edge = max(edges.x, edges.y) * saturate(0.08 / max(step.x, step.y));
    let colour = debug_category(in.level) * facet_shade(in.relative);
    return vec4(mix(colour, vec3(0.04), 0.75 * edge), 1.0);
}

// The triangles' edges: a cell's own, and its diagonal from corner to corner, where both coordinates
// are equally far. A pixel knows its distance to each from how fast they change: no line primitives
// and no polygon mode are needed, which WebGPU does not have.
@fragment
fn wireframe(in: GridPoint) -> @location(0) vec4<f32> {
    let step = fwidth(in.cell);
    let diagonal = in.cell.x - in.cell.y;
    let lines = max(
        max(line_at(in.cell.x, step.x), line_at(in.cell.y, step.y)),
        line_at(diagonal, fwidth(diagonal)),
    );
    // Where cells are as small as lines, all of them are line: their mean, and no moire.
    let line = mix(0.6, lines, saturate(2.0 - 4.0 * max(step.x, step.y)));
    let shade = facet_shade(in.relative);
    let colour = mix(vec3(0.10, 0.13, 0.16), debug_category(in.level), 0.9 * line);
    return vec4(colour * shade, 1.0);
}
