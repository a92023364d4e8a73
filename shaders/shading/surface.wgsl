// Finds the water that a pixel sees from the triangles that its samples see. Samples with adjacent places at
// rest see one piece of the surface, which is lit once; a wave before another makes several pieces. Group 0:
// view, grid, displaced vertices, tiles, visible triangles, and the lights of samples.
#import "mesh/displaced.wgsl"
#import "shading/lights.wgsl"
#import "shading/water.wgsl"

// Looks only for the objects that a tile of pixels may show.
fn look_for_objects_of(tile: vec2<u32>) {
    if MIRRORS_OBJECTS {
        objects_near = light_tiles.places[kinds_place(tile / LIGHT_TILE)] >> TILE_OBJECTS;
    }
}

@group(0) @binding(2) var<storage, read> displaced_vertices: array<DisplacedVertex>;
// The tiles in the layout of `grid_vertex`.
@group(0) @binding(3) var<storage, read> tiles: array<vec4<f32>>;

// The largest distance at rest within a piece, in footprints.
const PIECE_FOOTPRINTS: f32 = 2.0;

// A piece of the surface, by the mean over `samples`.
struct Piece {
    seen: SurfaceSeen,
    // The place in pixels from the middle.
    offset: vec2<f32>,
    samples: u32,
    count: f32,
}

struct Corner {
    relative: vec3<f32>,
    // The place at rest, from the anchor.
    position: vec2<f32>,
    gathered_and_crest: vec2<f32>,
}

fn corner_of(tile: u32, cell: vec2<u32>) -> Corner {
    let row = mesh.tile_cells + 1u;
    let vertex = displaced_vertices[(tile * row + cell.y) * row + cell.x];
    return Corner(
        vertex.relative, grid_vertex(tiles[tile], cell).position,
        unpack2x16float(vertex.gathered_and_crest));
}

// A triangle of the sea where a ray meets it.
struct Met {
    a: Corner,
    b: Corner,
    c: Corner,
    // The place towards `b` and towards `c`, from 0 to 1, and its change from pixel to pixel.
    share: vec2<f32>,
    share_dx: vec2<f32>,
    share_dy: vec2<f32>,
}

// Finds where the ray through `point` meets a triangle (Moeller and Trumbore 1997), with the derivatives of their
// quotients.
fn meet(seen: vec2<u32>, point: vec2<f32>) -> Met {
    let tile = visible_tile(seen);
    let cell = grid_cell(visible_corner(seen));
    let others = visible_others(seen);
    var met: Met;
    met.a = corner_of(tile, cell);
    met.b = corner_of(tile, cell + others.xy);
    met.c = corner_of(tile, cell + others.zw);
    let from_eye = -met.a.relative;
    let ab = met.b.relative - met.a.relative;
    let ac = met.c.relative - met.a.relative;
    let ray = ray_through(point);
    let across = cross(ray, ac);
    let from_a = cross(from_eye, ab);
    let exact = dot(ab, across);
    // An edge-on triangle has an unbounded footprint.
    let least = 1e-7 * length(ab) * length(across) + 1e-30;
    let scale = 1.0 / select(min(exact, -least), max(exact, least), exact >= 0.0);
    let share = scale * vec2(dot(from_eye, across), dot(ray, from_a));

    let dx = view.right * (2.0 / view.resolution.x);
    let dy = view.up * (-2.0 / view.resolution.y);
    let across_dx = cross(dx, ac);
    let across_dy = cross(dy, ac);
    met.share_dx =
        scale * (vec2(dot(from_eye, across_dx), dot(dx, from_a)) - share * dot(ab, across_dx));
    met.share_dy =
        scale * (vec2(dot(from_eye, across_dy), dot(dy, from_a)) - share * dot(ab, across_dy));
    // The samples lie in the triangle, except for rounding on edge-on ones.
    let inside = saturate(share);
    met.share = inside / max(inside.x + inside.y, 1.0);
    return met;
}

// The surface where the ray through `point` meets a triangle, and the footprint of a pixel there: the change of
// the place at rest with the ray.
fn surface_on(seen: vec2<u32>, point: vec2<f32>) -> SurfaceSeen {
    let met = meet(seen, point);
    let at_rest = mat2x2(met.b.position - met.a.position, met.c.position - met.a.position);
    let to_b = met.b.relative - met.a.relative;
    let to_c = met.c.relative - met.a.relative;
    var out: SurfaceSeen;
    out.position = met.a.position + at_rest * met.share;
    out.relative = met.a.relative + met.share.x * to_b + met.share.y * to_c;
    let carried = met.a.gathered_and_crest
        + met.share.x * (met.b.gathered_and_crest - met.a.gathered_and_crest)
        + met.share.y * (met.c.gathered_and_crest - met.a.gathered_and_crest);
    out.gathered = carried.x;
    out.through_crest = carried.y;

    // Far waves change their slope from pixel to pixel, which would change the size of footprints: none is
    // longer than that of still water.
    let distance_m = length(out.relative);
    let height_m = max(abs(mesh.eye_m.y), water.height_deviation_m);
    let grazing = max(height_m / distance_m - distance_m / (2.0 * EARTH_RADIUS_M), 1e-5);
    let longest_m = view.pixel_angle_rad * distance_m * 1.5 / min(grazing, 1.0);
    out.ddx = at_rest * met.share_dx;
    out.ddy = at_rest * met.share_dy;
    out.ddx *= min(1.0, longest_m / max(length(out.ddx), 1e-6));
    out.ddy *= min(1.0, longest_m / max(length(out.ddy), 1e-6));
    return out;
}

// The `samples` that see the same triangle as the first of them.
struct Alike {
    visible: vec2<u32>,
    samples: u32,
    count: f32,
    // The mean of their places, in pixels from the middle.
    offset: vec2<f32>,
}

fn alike(pixel: vec2<u32>, samples: u32) -> Alike {
    let first = countTrailingZeros(samples);
    var out: Alike;
    out.visible = visible_at(pixel, first);
    for (var sample = first; sample < SAMPLES; sample++) {
        let is_alike = ((samples >> sample) & 1u) != 0u
            && all(visible_at(pixel, sample) == out.visible);
        out.samples |= u32(is_alike) << sample;
        out.offset += select(vec2(0.0), sample_offset(sample), is_alike);
    }
    out.count = f32(countOneBits(out.samples));
    out.offset /= out.count;
    return out;
}

fn point_at(pixel: vec2<u32>, offset: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(pixel) + 0.5 + offset;
}

// The surface on the triangle that the first of `samples` sees.
fn piece_on_triangle(pixel: vec2<u32>, samples: u32) -> Piece {
    let these = alike(pixel, samples);
    let seen = surface_on(these.visible, point_at(pixel, these.offset));
    return Piece(seen, these.offset, these.samples, these.count);
}

// Returns whether `other` continues `piece`, by its footprint.
fn is_one_piece(piece: Piece, other: Piece) -> bool {
    let between = other.offset - piece.offset;
    let expected = piece.seen.position + piece.seen.ddx * between.x + piece.seen.ddy * between.y;
    let footprint_m = min(
        max(length(piece.seen.ddx), length(piece.seen.ddy)),
        max(length(other.seen.ddx), length(other.seen.ddy)));
    return length(other.seen.position - expected) < PIECE_FOOTPRINTS * footprint_m;
}

fn mixed_pieces(piece: Piece, other: Piece) -> Piece {
    let count = piece.count + other.count;
    let share = other.count / count;
    var out: Piece;
    out.seen.position = mix(piece.seen.position, other.seen.position, share);
    out.seen.ddx = mix(piece.seen.ddx, other.seen.ddx, share);
    out.seen.ddy = mix(piece.seen.ddy, other.seen.ddy, share);
    out.seen.relative = mix(piece.seen.relative, other.seen.relative, share);
    out.seen.gathered = mix(piece.seen.gathered, other.seen.gathered, share);
    out.seen.through_crest = mix(piece.seen.through_crest, other.seen.through_crest, share);
    out.offset = mix(piece.offset, other.offset, share);
    out.samples = piece.samples | other.samples;
    out.count = count;
    return out;
}

// The piece of the surface that the first of `samples` sees.
fn first_piece(pixel: vec2<u32>, samples: u32) -> Piece {
    var piece: Piece;
    for (var rest = samples; rest != 0u;) {
        let other = piece_on_triangle(pixel, rest);
        rest &= ~other.samples;
        if piece.samples == 0u || is_one_piece(piece, other) {
            piece = mixed_pieces(piece, other);
        }
    }
    piece.seen = placed(piece.seen, point_at(pixel, piece.offset));
    return piece;
}

// Triangles near the horizon are seen edge-on and change across a pixel by more than 32 bits resolve: the line
// of sight is then exact, and the place along it an estimate.
fn placed(found: SurfaceSeen, point: vec2<f32>) -> SurfaceSeen {
    var seen = found;
    // The place beneath, since waves move no water farther.
    let beneath = mesh.eye_m.xz + seen.relative.xz;
    let moved_m = 6.0 * water.height_deviation_m + 2.0 * view.pixel_angle_rad * length(seen.relative);
    seen.position = select(seen.position, beneath, length(seen.position - beneath) > moved_m);

    let direction = normalize(ray_through(point));
    let horizon_m = sqrt(2.0 * EARTH_RADIUS_M * max(mesh.eye_m.y, 1.0));
    let above_crests_m = max(mesh.eye_m.y - 4.0 * water.height_deviation_m, 0.0);
    let nearest_m = min(above_crests_m / max(-direction.y, 1e-5), horizon_m);
    let along_m = dot(seen.relative, direction);
    let astray =
        !(length(seen.relative - along_m * direction) < 3.0 * view.pixel_angle_rad * along_m)
        || along_m < 0.8 * nearest_m;
    seen.relative = along_m * direction;
    for (var far = astray || along_m > 0.4 * horizon_m; far; far = false) {
        let guess_m = select(clamp(along_m, nearest_m, 1.2 * horizon_m), horizon_m, astray);
        seen.relative = guess_m * direction;
        seen.position = mesh.eye_m.xz + seen.relative.xz;
    }
    seen.ddx *= view.footprint_px;
    seen.ddy *= view.footprint_px;
    return seen;
}

// The tangent of the angle below the horizontal up to which lines of sight from above the water may pass over the
// end of the grid, between crests.
const HORIZON_BAND: f32 = 0.003;

// Returns whether a line of sight that meets nothing begins in the water, for an eye on that side of the surface.
// Near the horizon it may be one that passes between the last crests: then the surface above it is not seen from
// below.
fn begins_in_water(pixel: vec2<u32>, direction: vec3<f32>, side: u32) -> bool {
    var begins = direction.y < 0.0;
    for (var flat = abs(direction.y) <= HORIZON_BAND; flat; flat = false) {
        let rows = u32(ceil(2.0 * HORIZON_BAND / view.pixel_angle_rad));
        let above = vec2(pixel.x, pixel.y - min(rows, pixel.y));
        begins = samples_of_kind(above, VISIBLE_UNDERSIDE) != 0u;
    }
    return side == EYE_BELOW || (side == EYE_AT_SURFACE && begins);
}
