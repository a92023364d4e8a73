const ROWS: bool = true;
const SIGN: Real = -1.0;
const SCALE: Real = 1.0;
const TURN: u32 = 67108864u;
const TURN_REST: f32 = 0.0;
const LOAD_IS_CLIPPED: bool = false;
const LOAD_EXTENT: u32 = 64u;
const STORE_IS_CLIPPED: bool = false;
const STORE_EXTENT: u32 = 64u;
const WIDTH: u32 = 64u;
const HEIGHT: u32 = 64u;
const LOAD_WIDTH: u32 = 64u;
const LOAD_HEIGHT: u32 = 64u;
const LOAD_SLICE: u32 = 64u;
const STORE_WIDTH: u32 = 64u;
const STORE_HEIGHT: u32 = 64u;
const STORE_SLICE: u32 = 64u;
const IMAGE_LINES: u32 = 64u;
const LENGTH: u32 = 64u;
const LOG2_LENGTH: u32 = 6u;
const PERIOD: u32 = 64u;
const TABLE_STEP: u32 = 1u;
const WORKGROUP_SIZE: u32 = 64u;
const LINES: u32 = 8u;
const LANES: u32 = 8u;
const LANES_ABREAST: u32 = 8u;
const IMAGES_ABREAST: u32 = 1u;
const PADDING: u32 = 8u;
const LINE_SLOTS: u32 = 72u;
const LINES_ABREAST: u32 = 1u;
// What kernels compute in: 32-bit floats.

alias Real = f32;

// Layout `Planar`: one element is one complex value, (re, im).

alias Element = vec2<Real>;

// z w
fn times(z: Element, w: vec2<Real>) -> Element {
    return z * w.x + vec2(-z.y, z.x) * w.y;
}

// z w + a
fn times_add(z: Element, w: vec2<Real>, a: Element) -> Element {
    return fma(z, vec2(w.x), fma(vec2(-z.y, z.x), vec2(w.y), a));
}

// i z
fn times_i(z: Element) -> Element {
    return vec2(-z.y, z.x);
}

// How an element is kept in buffers: as it is computed.

alias Stored = Element;

fn to_stored(value: Element) -> Stored {
    return value;
}

fn from_stored(stored: Stored) -> Element {
    return stored;
}

// Where a kernel's values come from: a buffer of its own. A layer is one image or volume, or two
// where an element holds two.

@group(0) @binding(0) var<storage, read> source: array<Stored>;

fn load(layer: u32, y: u32, x: u32) -> Element {
    return from_stored(source[load_index(layer, y, x)]);
}

// The buffer that a kernel stores to.

@group(0) @binding(1) var<storage, read_write> destination: array<Stored>;
// Where a kernel's values go: `[layer][y][x]`, as in load.wgsl. STORE_WIDTH and STORE_HEIGHT are the
// image's, unless a kernel transposes or stores lines of another length.



fn store(layer: u32, y: u32, x: u32, value: Element) {
    destination[store_index(layer, y, x)] = to_stored(value);
}

// Where what is loaded lies: `[layer][y][x]`.

fn load_index(layer: u32, y: u32, x: u32) -> u32 {
    return (layer * LOAD_HEIGHT + y) * LOAD_WIDTH + x;
}

// Where what is stored lies: `[layer][y][x]`.

fn store_index(layer: u32, y: u32, x: u32) -> u32 {
    return (layer * STORE_HEIGHT + y) * STORE_WIDTH + x;
}

// Which points of an image are a line.

// (x, y) of the n-th point of a line.
fn place_of(line: u32, n: u32, slice_rows: u32) -> vec2<u32> {
    if (ROWS) {
        return vec2(n, line);
    }
    return vec2(line, n);
}

// The points of the lines that are loaded.

// The n-th point of a line.
fn load_point(layer: u32, line: u32, n: u32) -> Element {
    if (LOAD_IS_CLIPPED && n >= LOAD_EXTENT) {
        return Element();
    }
    let at = place_of(line, n, LOAD_SLICE);
    return load(layer, at.y, at.x);
}

// The points of the lines that are stored.

fn store_point(layer: u32, line: u32, n: u32, value: Element) {
    if (STORE_IS_CLIPPED && n >= STORE_EXTENT) {
        return;
    }
    let at = place_of(line, n, STORE_SLICE);
    store(layer, at.y, at.x, value * SCALE);
}

// e^(i phi) from a phase in integer turns. WGSL promises sin and cos an absolute error of 2^-11
// only, and only on [-pi, pi]; this is within 1.5e-7 everywhere and the same on every device.

// (cos, sin) of `turns` 2^-32 turns.
fn cis_turns(turns: u32) -> vec2<f32> {
    // The nearest quarter turn in the upper two bits, and what is left of it: exact in integers.
    let quarters = turns + 0x20000000u;
    let rest = bitcast<i32>(turns - (quarters & 0xc0000000u));
    let x = f32(rest) * 1.4629180792671596e-9; // 2 pi 2^-32

    // The polynomials of least error on [-pi/4, pi/4]: below 3e-9.
    let x2 = x * x;
    let sin_x = x + x * x2 * (-1.6666650669e-1 + x2 * (8.3319786592e-3 - x2 * 1.9495635737e-4));
    let cos_x = 1.0 + x2 * (-0.5 + x2 * (4.1666623324e-2
        + x2 * (-1.3886763788e-3 + x2 * 2.4390450134e-5)));

    // Turn by the quarters: (c, s), (-s, c), (-c, -s), (s, -c).
    let swapped = select(vec2(cos_x, sin_x), vec2(sin_x, cos_x), (quarters & 0x40000000u) != 0u);
    let signs = vec2(quarters + 0x40000000u, quarters) & vec2(0x80000000u);
    return bitcast<vec2<f32>>(bitcast<vec2<u32>>(swapped) ^ signs);
}
// Twiddle factors from a polynomial whose error WGSL cannot change: the angle is in units of 2^-32
// turns, exact where PERIOD is a power of two, else within a few of them. A step from one factor to
// the next is TURN of them and TURN_REST of one.



// exp(SIGN 2 pi i k / PERIOD), for k < PERIOD.
fn twiddle(k: u32) -> vec2<f32> {
    var turns = k * TURN;
    if (TURN_REST > 0.0) {
        turns += u32(f32(k) * TURN_REST);
    }
    let w = cis_turns(turns);
    return vec2(w.x, SIGN * w.y);
}

// What every kernel of this folder shares. The plan puts in front of each kernel
//   WIDTH, HEIGHT      the size of an image,
//   ROWS               whether the lines that this kernel transforms are rows or columns,
//   IMAGE_LINES        how many there are in an image,
//   LENGTH             how many points a line has,
//   LOG2_LENGTH        and its logarithm, rounded down,
//   PERIOD             what twiddle factors are roots of unity of: LENGTH for most kernels,
//   LOAD_WIDTH, LOAD_HEIGHT, STORE_WIDTH, STORE_HEIGHT
//                      the size of the images that are loaded and stored; of volumes LOAD_HEIGHT
//                      and STORE_HEIGHT count the rows of all slices,
//   LOAD_EXTENT, STORE_EXTENT
//                      how much there is of a line: beyond it zeros are loaded, nothing is stored,
//   SIGN               of the exponent: -1 for the forward transform, +1 for the inverse,
//   SCALE              what the last kernel of an axis multiplies by; 1 in all others,
//   WORKGROUP_SIZE     invocations in a workgroup,
// and one file each that says what numbers are computed in (real_f32, real_f64), what an element is
// (pair, planar), how it is kept in a buffer (stored_as_computed, stored_pair_f16,
// stored_planar_f16), where it comes from (load, load_in_place, load_tiles or the plan's load hook)
// and where it goes (store, store_tiles or the plan's store hook), at which index (load_dense,
// load_strided, ..), which of them are a line (lines_of_images, lines_of_volumes; load_point,
// store_point) and how twiddle factors are made (twiddle_table, twiddle_computed, twiddle_sincos).

// Number of a workgroup among those of its layer, `workgroup.y`. They are spread over x, and over z
// as well where the device does not take as many along one dimension.
fn workgroup_in_layer(workgroup: vec3<u32>, workgroups: vec3<u32>) -> u32 {
    return workgroup.z * workgroups.x + workgroup.x;
}

// The square of a twiddle factor.
fn twiddle_square(a: vec2<Real>) -> vec2<Real> {
    return vec2(a.x * a.x - a.y * a.y, (a.x + a.x) * a.y);
}

// The product of two twiddle factors.
fn twiddle_product(a: vec2<Real>, b: vec2<Real>) -> vec2<Real> {
    return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
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
// One dispatch an axis: each workgroup transforms the lines of one tile.

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let tile = workgroup_in_layer(workgroup, workgroups);
    if (tile >= IMAGE_LINES / LINES) {
        return;
    }
    transform_line(workgroup.y, find_place(tile, invocation));
}
// For register-tiled kernels in which several invocations share a line: the workgroup memory
// through which they exchange their values between stages, whole or so many components at a time as
// an `Exchanged` has. A slot keeps one value, a line has LINE_SLOTS of them.
//
// The plan puts in front
//   PADDING        one slot in this many stays empty, against bank conflicts; 0 for none,
//   LINE_SLOTS     LENGTH, and the empty ones,
//   LINES_ABREAST  lines whose slots alternate, as invocations do: all where those are neighbours
//                  across lines, those of a pair where it is taken apart, else 1.

var<workgroup> exchange: array<Exchanged, LINES * LINE_SLOTS>;

// Slots that n points take.
fn padded(n: u32) -> u32 {
    return n + select(n / max(PADDING, 1u), 0u, PADDING == 0u);
}

// Where point n of an invocation's line is kept in `exchange`.
fn slot(place: Place, n: u32) -> u32 {
    var first = place.local_line;
    if (LINES_ABREAST < LINES) {
        let block = place.local_line / LINES_ABREAST;
        first = block * (LINES_ABREAST * LINE_SLOTS) + place.local_line % LINES_ABREAST;
    }
    return first + padded(n) * LINES_ABREAST;
}

// `slot` of n points further on. n has no bit in common with the number of the point at `slot`, so
// that what both take is what each takes; and it is a constant, for what is added to become the
// offset in a load's or store's instruction.
fn slot_after(slot: u32, n: u32) -> u32 {
    return slot + padded(n) * LINES_ABREAST;
}



// What crosses workgroup memory at a time.
alias Exchanged = vec2<f32>;

// 64 = 8 x 8, 8 values in each of 8 invocations
fn transform_line(layer: u32, place: Place) {
    let v0 = load_value(layer, place, 0u);
    let v1 = load_value(layer, place, 1u);
    let v2 = load_value(layer, place, 2u);
    let v3 = load_value(layer, place, 3u);
    let v4 = load_value(layer, place, 4u);
    let v5 = load_value(layer, place, 5u);
    let v6 = load_value(layer, place, 6u);
    let v7 = load_value(layer, place, 7u);
    let v8 = v0 + v4;
    let v9 = v0 - v4;
    let v10 = v2 + v6;
    let v11 = v2 - v6;
    let v12 = v8 + v10;
    let v13 = v8 - v10;
    let v14 = times_i(v11);
    let v15 = v9 - v14;
    let v16 = v9 + v14;
    let v17 = v1 + v5;
    let v18 = v1 - v5;
    let v19 = v3 + v7;
    let v20 = v3 - v7;
    let v21 = v17 + v19;
    let v22 = v17 - v19;
    let v23 = times_i(v20);
    let v24 = v18 - v23;
    let v25 = v18 + v23;
    let v26 = v12 + v21;
    let v27 = v12 - v21;
    let v28 = times_add(v24, vec2(0.70710677, -0.70710677), v15);
    let v29 = fma(v15, Element(2.0), -v28);
    let v30 = times_i(v22);
    let v31 = v13 - v30;
    let v32 = v13 + v30;
    let v33 = times_add(v25, vec2(-0.70710677, -0.70710677), v16);
    let v34 = fma(v16, Element(2.0), -v33);

    // Exchange, and stage 1.
    let v35 = slot(place, place.lane * 8u);
    let v36 = slot(place, place.lane);
    exchange[v35] = v26;
    exchange[slot_after(v35, 1u)] = v28;
    exchange[slot_after(v35, 2u)] = v31;
    exchange[slot_after(v35, 3u)] = v33;
    exchange[slot_after(v35, 4u)] = v27;
    exchange[slot_after(v35, 5u)] = v29;
    exchange[slot_after(v35, 6u)] = v32;
    exchange[slot_after(v35, 7u)] = v34;
    workgroupBarrier();
    let v37 = exchange[v36];
    let v38 = exchange[slot_after(v36, 8u)];
    let v39 = exchange[slot_after(v36, 16u)];
    let v40 = exchange[slot_after(v36, 24u)];
    let v41 = exchange[slot_after(v36, 32u)];
    let v42 = exchange[slot_after(v36, 40u)];
    let v43 = exchange[slot_after(v36, 48u)];
    let v44 = exchange[slot_after(v36, 56u)];
    let v45 = place.lane % 8u * 1u;
    let v46 = twiddle(1u * v45);
    let v47 = twiddle_product(v46, vec2(0.70710677, -0.70710677));
    let v48 = twiddle_square(v46);
    let v49 = twiddle_square(v48);
    let v50 = times_add(v41, v49, v37);
    let v51 = fma(v37, Element(2.0), -v50);
    let v52 = times_add(v43, v49, v39);
    let v53 = fma(v39, Element(2.0), -v52);
    let v54 = times_add(v52, v48, v50);
    let v55 = fma(v50, Element(2.0), -v54);
    let v56 = times_add(v53, vec2(v48.y, -v48.x), v51);
    let v57 = fma(v51, Element(2.0), -v56);
    let v58 = times_add(v42, v49, v38);
    let v59 = fma(v38, Element(2.0), -v58);
    let v60 = times_add(v44, v49, v40);
    let v61 = fma(v40, Element(2.0), -v60);
    let v62 = times_add(v60, v48, v58);
    let v63 = fma(v58, Element(2.0), -v62);
    let v64 = times_add(v61, vec2(v48.y, -v48.x), v59);
    let v65 = fma(v59, Element(2.0), -v64);
    let v66 = times_add(v62, v46, v54);
    let v67 = fma(v54, Element(2.0), -v66);
    let v68 = times_add(v64, v47, v56);
    let v69 = fma(v56, Element(2.0), -v68);
    let v70 = times_add(v63, vec2(v46.y, -v46.x), v55);
    let v71 = fma(v55, Element(2.0), -v70);
    let v72 = times_add(v65, vec2(v47.y, -v47.x), v57);
    let v73 = fma(v57, Element(2.0), -v72);

    store_value(layer, place, 0u, v66);
    store_value(layer, place, 1u, v68);
    store_value(layer, place, 2u, v70);
    store_value(layer, place, 3u, v72);
    store_value(layer, place, 4u, v67);
    store_value(layer, place, 5u, v69);
    store_value(layer, place, 6u, v71);
    store_value(layer, place, 7u, v73);
}
