// Register-tiled Stockham: whole lines, of which each invocation keeps LENGTH / LANES points in
// registers through all stages. register_tiled_main.wgsl runs it in one dispatch an axis,
// register_tiled_both.wgsl in one dispatch for both.
//
// Govindaraju, Lloyd, Dotsenko, Smith, Manferdelli, High Performance Discrete Fourier Transforms on
// Graphics Processors (SC 2008), sections 4.1 to 4.3. Here is which points an invocation has, where
// they come from and where they go; register_tiled_exchange.wgsl has what invocations share. What
// depends on the stages, `transform_line` with its unrolled butterflies, is generated
// (src/algorithms/register_tiled/emit.rs) and follows below.
//
// The plan puts in front
//   LINES           lines of a workgroup,
//   LANES           invocations of a line,
//   LANES_ABREAST   how many of them are neighbours before the same of the next line follow: all
//                   in a row, one in a column, and where rows are stored in tiles as many as a tile
//                   has columns,
//   IMAGES_ABREAST  images to which neighbouring points of a row belong in turn: 2 where a row of
//                   pairs is taken as two lines, else 1.

#import "fft/common.wgsl"

// What one invocation works on.
struct Place {
    // Line within the layer.
    line: u32,
    // The same line among those of this workgroup.
    local_line: u32,
    // Invocation among those of this line.
    lane: u32,
}

// Neighbouring invocations touch neighbouring memory: along a row, or across adjacent columns.
fn find_place(tile: u32, invocation: u32) -> Place {
    let i = invocation / IMAGES_ABREAST;
    var lane = i % LANES_ABREAST;
    var local_line = i / LANES_ABREAST;
    if (LANES_ABREAST < LANES) {
        lane += local_line / (LINES / IMAGES_ABREAST) * LANES_ABREAST;
        local_line %= LINES / IMAGES_ABREAST;
    }
    local_line = local_line * IMAGES_ABREAST + invocation % IMAGES_ABREAST;
    return Place(tile * LINES + local_line, local_line, lane);
}

// Value m of an invocation is point lane + m LANES of its line, before every stage and after the
// last: (x, y) in the layer.
fn value_at(place: Place, m: u32) -> vec2<u32> {
    let n = place.lane + m * LANES;
    var at = vec2(place.line, n);
    if (ROWS) {
        let image = place.line % IMAGES_ABREAST;
        at = vec2(n * IMAGES_ABREAST + image, place.line / IMAGES_ABREAST);
    }
    return at;
}

fn load_value(layer: u32, place: Place, m: u32) -> Element {
    let at = value_at(place, m);
    return load(layer, at.y, at.x);
}

fn store_value(layer: u32, place: Place, m: u32, value: Element) {
    let at = value_at(place, m);
    store(layer, at.y, at.x, value * SCALE);
}
