const ROWS: bool = true;
const SIGN: Real = -1.0;
const SCALE: Real = 1.0;
const TURN: u32 = 4294967u;
const TURN_REST: f32 = 0.296;
const LOAD_IS_CLIPPED: bool = false;
const LOAD_EXTENT: u32 = 1000u;
const STORE_IS_CLIPPED: bool = false;
const STORE_EXTENT: u32 = 1000u;
const WIDTH: u32 = 1000u;
const HEIGHT: u32 = 3u;
const LOAD_WIDTH: u32 = 1000u;
const LOAD_HEIGHT: u32 = 3u;
const LOAD_SLICE: u32 = 3u;
const STORE_WIDTH: u32 = 1000u;
const STORE_HEIGHT: u32 = 3u;
const STORE_SLICE: u32 = 3u;
const IMAGE_LINES: u32 = 3u;
const LENGTH: u32 = 1000u;
const LOG2_LENGTH: u32 = 9u;
const PERIOD: u32 = 1000u;
const TABLE_STEP: u32 = 1u;
const WORKGROUP_SIZE: u32 = 80u;
const LINES: u32 = 16u;
const LANES: u32 = 5u;
const COUNT: u32 = 120u;
const RAGGED: u32 = 1u;
const PARTS: u32 = 40u;
const PART: u32 = 25u;
const BEFORE: u32 = 40u;
const AFTER: u32 = 1u;
const LINE_SLOTS: u32 = 25u;
const LINES_ABREAST: u32 = 16u;
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

// Where a kernel's values go: `[layer][y][x]`, as in load.wgsl. STORE_WIDTH and STORE_HEIGHT are the
// image's, unless a kernel transposes or stores lines of another length.

@group(0) @binding(1) var<storage, read_write> destination: array<Stored>;

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
    // The nearest quarter turn, and what is left of it: exact in integers.
    let quarter = (turns + 0x20000000u) >> 30u;
    let rest = bitcast<i32>(turns - (quarter << 30u));
    let x = f32(rest) * 1.4629180792671596e-9; // 2 pi 2^-32

    // Taylor's series on [-pi/4, pi/4]; the first terms left out are below 2e-9.
    let x2 = x * x;
    let sin_x = x + x * x2 * (-1.6666666667e-1 + x2 * (8.3333333333e-3
        + x2 * (-1.9841269841e-4 + x2 * 2.7557319224e-6)));
    let cos_x = 1.0 + x2 * (-0.5 + x2 * (4.1666666667e-2
        + x2 * (-1.3888888889e-3 + x2 * (2.4801587302e-5 - x2 * 2.7557319224e-7))));

    // Turn by the quarters: (c, s), (-s, c), (-c, -s), (s, -c).
    let swapped = select(vec2(cos_x, sin_x), vec2(-sin_x, cos_x), (quarter & 1u) == 1u);
    return select(swapped, -swapped, (quarter & 2u) == 2u);
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
// Register-tiled transforms of any smooth length: whole lines, or the parts of lines that the
// four-step algorithm and Bluestein's take for themselves. A workgroup transforms LINES of them,
// LANES invocations to each. What depends on the stages, `transform_line` with its unrolled
// butterflies, is generated (src/fft/algorithms/smooth/emit.rs) and follows below.
//
// A part is PART points of a line, AFTER apart: point n of it is point (before PART + n) AFTER +
// after of the line, with `before` below BEFORE and `after` below AFTER. A whole line is its only
// part. Between neighbouring passes one's AFTER is the next one's PART times AFTER.
//
// Besides, the plan puts in front
//   LINES    parts of a workgroup,
//   LANES    invocations of a part,
//   COUNT    parts in a layer; RAGGED is 1 where LINES does not divide it, and the last workgroup
//            has some that are none,
//   PARTS    parts of a line, BEFORE times AFTER,
// and one file each that says how values are loaded (smooth_load, smooth_load_turned,
// smooth_load_chirped) and stored (smooth_store, smooth_store_turned, smooth_store_reversed,
// smooth_store_chirped).



// What one invocation works on.
struct Place {
    layer: u32,
    // Number of the part among those of the layer: none from COUNT on.
    number: u32,
    line: u32,
    // Number of the part among those of its line, by which neighbouring ones go.
    part: u32,
    before: u32,
    after: u32,
    // The same part among those of this workgroup.
    local_line: u32,
    // Invocation among those of this part.
    lane: u32,
}

// Neighbouring invocations touch neighbouring memory: along a part, or across parts.
fn find_place(layer: u32, tile: u32, invocation: u32, along: bool) -> Place {
    var local_line = invocation % LINES;
    var lane = invocation / LINES;
    if (along) {
        local_line = invocation / LANES;
        lane = invocation % LANES;
    }
    let number = tile * LINES + local_line;
    var line = number % IMAGE_LINES;
    var part = number / IMAGE_LINES;
    if (ROWS) {
        line = number / PARTS;
        part = number % PARTS;
    }
    return Place(layer, number, line, part, before_of(part), part % AFTER, local_line, lane);
}

fn is_none(place: Place) -> bool {
    return RAGGED == 1u && place.number >= COUNT;
}

// Which point of the line is point n of a part.
fn point_at(place: Place, n: u32) -> u32 {
    return (place.before * PART + n) * AFTER + place.after;
}

fn conjugate(z: vec2<Real>) -> vec2<Real> {
    return vec2(z.x, -z.y);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let tile = workgroup_in_layer(workgroup, workgroups);
    if (tile >= (COUNT + LINES - 1u) / LINES) {
        return;
    }
    transform_line(workgroup.y, tile, invocation);
}
// For smooth_line.wgsl: values as they are.

fn load_value(place: Place, n: u32) -> Element {
    if (is_none(place)) {
        return Element();
    }
    return enter(place.layer, place.line, point_at(place, n));
}
// For smooth_line.wgsl: results of the last pass, in natural order. Parts are numbered by that.

fn store_value(place: Place, k: u32, value: Element) {
    if (!is_none(place)) {
        leave(place.layer, place.line, k * BEFORE + place.part, value);
    }
}
// For smooth_line.wgsl: the complex line is what is loaded.

// Its n-th point.
fn enter(layer: u32, line: u32, n: u32) -> Element {
    return load_point(layer, line, n);
}
// For smooth_line.wgsl: what is stored is the complex line.

fn leave(layer: u32, line: u32, k: u32, value: Element) {
    store_point(layer, line, k, value);
}
// The workgroup memory through which the invocations of a part exchange their values between
// stages, whole or so many components at a time as an `Exchanged` has. A part has LINE_SLOTS slots,
// which alternate with those of the others in blocks of LINES_ABREAST parts: all, or 1.

var<workgroup> exchange: array<Exchanged, LINES * LINE_SLOTS>;

// Slot n of the part of an invocation.
fn slot(place: Place, n: u32) -> u32 {
    if (LINES_ABREAST > 1u) {
        return n * LINES_ABREAST + place.local_line;
    }
    return place.local_line * LINE_SLOTS + n;
}





// Which `before` a part has.
fn before_of(part: u32) -> u32 {
    return part % 40u;
}


// What crosses workgroup memory at a time.
alias Exchanged = vec2<Real>;

// 25 = 5 x 5, up to 5 values in each of 5 invocations
fn transform_line(layer: u32, tile: u32, invocation: u32) {
    let v0 = find_place(layer, tile, invocation, true);
    // Stage 0: radix 5.
    let v1 = load_value(v0, v0.lane);
    let v2 = load_value(v0, v0.lane + 5u);
    let v3 = load_value(v0, v0.lane + 10u);
    let v4 = load_value(v0, v0.lane + 15u);
    let v5 = load_value(v0, v0.lane + 20u);
    let v6 = v2 + v5;
    let v7 = v3 + v4;
    let v8 = v2 - v5;
    let v9 = v3 - v4;
    let v10 = v1 + v6;
    let v11 = v10 + v7;
    let v12 = fma(v6, Element(0.309017), v1);
    let v13 = v8 * -0.95105654;
    let v14 = fma(v7, Element(-0.809017), v12);
    let v15 = fma(v9, Element(-0.58778524), v13);
    let v16 = times_i(v15);
    let v17 = v14 + v16;
    let v18 = v14 - v16;
    let v19 = fma(v6, Element(-0.809017), v1);
    let v20 = v8 * -0.58778524;
    let v21 = fma(v7, Element(0.309017), v19);
    let v22 = fma(v9, Element(0.95105654), v20);
    let v23 = times_i(v22);
    let v24 = v21 + v23;
    let v25 = v21 - v23;

    // Stage 1: radix 5.
    let v26 = find_place(layer, tile, invocation, false);
    let v27 = slot(v0, v0.lane * 5u);
    let v28 = slot(v26, v26.lane);
    exchange[v27] = v11;
    exchange[v27 + 16u] = v17;
    exchange[v27 + 32u] = v24;
    exchange[v27 + 48u] = v25;
    exchange[v27 + 64u] = v18;
    workgroupBarrier();
    let v29 = exchange[v28];
    let v30 = exchange[v28 + 80u];
    let v31 = exchange[v28 + 160u];
    let v32 = exchange[v28 + 240u];
    let v33 = exchange[v28 + 320u];
    let v34 = v26.lane % 5u * 40u;
    let v35 = twiddle(v34);
    let v36 = twiddle_square(v35);
    let v37 = twiddle_product(v35, v36);
    let v38 = twiddle_square(v36);
    let v39 = times(v30, v35);
    let v40 = times(v31, v36);
    let v41 = times(v32, v37);
    let v42 = times(v33, v38);
    let v43 = v39 + v42;
    let v44 = v40 + v41;
    let v45 = v39 - v42;
    let v46 = v40 - v41;
    let v47 = v29 + v43;
    let v48 = v47 + v44;
    let v49 = fma(v43, Element(0.309017), v29);
    let v50 = v45 * -0.95105654;
    let v51 = fma(v44, Element(-0.809017), v49);
    let v52 = fma(v46, Element(-0.58778524), v50);
    let v53 = times_i(v52);
    let v54 = v51 + v53;
    let v55 = v51 - v53;
    let v56 = fma(v43, Element(-0.809017), v29);
    let v57 = v45 * -0.58778524;
    let v58 = fma(v44, Element(0.309017), v56);
    let v59 = fma(v46, Element(0.95105654), v57);
    let v60 = times_i(v59);
    let v61 = v58 + v60;
    let v62 = v58 - v60;
    store_value(v26, v26.lane, v48);
    store_value(v26, v26.lane + 5u, v54);
    store_value(v26, v26.lane + 10u, v61);
    store_value(v26, v26.lane + 15u, v62);
    store_value(v26, v26.lane + 20u, v55);
}
