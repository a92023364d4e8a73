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
const WORKGROUP_SIZE: u32 = 64u;
const LINES: u32 = 16u;
const LANES: u32 = 4u;
const COUNT: u32 = 75u;
const RAGGED: u32 = 1u;
const PARTS: u32 = 25u;
const PART: u32 = 40u;
const BEFORE: u32 = 25u;
const AFTER: u32 = 1u;
const LINE_SLOTS: u32 = 40u;
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
// Register-tiled transforms of any smooth length: whole lines, or the parts of lines that the
// four-step algorithm and Bluestein's take for themselves. A workgroup transforms LINES of them,
// LANES invocations to each. What depends on the stages, `transform_line` with its unrolled
// butterflies, is generated (src/algorithms/smooth/emit.rs) and follows below.
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
    return part % 25u;
}


// What crosses workgroup memory at a time.
alias Exchanged = vec2<Real>;

// 40 = 10 x 4, up to 12 values in each of 4 invocations
fn transform_line(layer: u32, tile: u32, invocation: u32) {
    let v0 = find_place(layer, tile, invocation, true);
    // Stage 0: radix 10.
    let v1 = load_value(v0, v0.lane);
    let v2 = load_value(v0, v0.lane + 4u);
    let v3 = load_value(v0, v0.lane + 8u);
    let v4 = load_value(v0, v0.lane + 12u);
    let v5 = load_value(v0, v0.lane + 16u);
    let v6 = load_value(v0, v0.lane + 20u);
    let v7 = load_value(v0, v0.lane + 24u);
    let v8 = load_value(v0, v0.lane + 28u);
    let v9 = load_value(v0, v0.lane + 32u);
    let v10 = load_value(v0, v0.lane + 36u);
    let v11 = v3 + v9;
    let v12 = v5 + v7;
    let v13 = v3 - v9;
    let v14 = v5 - v7;
    let v15 = v1 + v11;
    let v16 = v15 + v12;
    let v17 = fma(v11, Element(0.309017), v1);
    let v18 = v13 * -0.95105654;
    let v19 = fma(v12, Element(-0.809017), v17);
    let v20 = fma(v14, Element(-0.58778524), v18);
    let v21 = times_i(v20);
    let v22 = v19 + v21;
    let v23 = v19 - v21;
    let v24 = fma(v11, Element(-0.809017), v1);
    let v25 = v13 * -0.58778524;
    let v26 = fma(v12, Element(0.309017), v24);
    let v27 = fma(v14, Element(0.95105654), v25);
    let v28 = times_i(v27);
    let v29 = v26 + v28;
    let v30 = v26 - v28;
    let v31 = v8 + v4;
    let v32 = v10 + v2;
    let v33 = v8 - v4;
    let v34 = v10 - v2;
    let v35 = v6 + v31;
    let v36 = v35 + v32;
    let v37 = fma(v31, Element(0.309017), v6);
    let v38 = v33 * -0.95105654;
    let v39 = fma(v32, Element(-0.809017), v37);
    let v40 = fma(v34, Element(-0.58778524), v38);
    let v41 = times_i(v40);
    let v42 = v39 + v41;
    let v43 = v39 - v41;
    let v44 = fma(v31, Element(-0.809017), v6);
    let v45 = v33 * -0.58778524;
    let v46 = fma(v32, Element(0.309017), v44);
    let v47 = fma(v34, Element(0.95105654), v45);
    let v48 = times_i(v47);
    let v49 = v46 + v48;
    let v50 = v46 - v48;
    let v51 = v16 + v36;
    let v52 = v16 - v36;
    let v53 = v22 + v42;
    let v54 = v22 - v42;
    let v55 = v29 + v49;
    let v56 = v29 - v49;
    let v57 = v30 + v50;
    let v58 = v30 - v50;
    let v59 = v23 + v43;
    let v60 = v23 - v43;

    // Stage 1: radix 4.
    let v61 = find_place(layer, tile, invocation, false);
    let v62 = slot(v0, v0.lane * 10u);
    let v63 = slot(v61, v61.lane);
    let v64 = v61.lane + 4u;
    let v65 = slot(v61, v64);
    let v66 = v61.lane + 8u;
    let v67 = slot(v61, v66);
    exchange[v62] = v51;
    exchange[v62 + 16u] = v54;
    exchange[v62 + 32u] = v55;
    exchange[v62 + 48u] = v58;
    exchange[v62 + 64u] = v59;
    exchange[v62 + 80u] = v52;
    exchange[v62 + 96u] = v53;
    exchange[v62 + 112u] = v56;
    exchange[v62 + 128u] = v57;
    exchange[v62 + 144u] = v60;
    workgroupBarrier();
    let v68 = exchange[v63];
    let v69 = exchange[v63 + 160u];
    let v70 = exchange[v63 + 320u];
    let v71 = exchange[v63 + 480u];
    let v72 = exchange[v65];
    let v73 = exchange[v65 + 160u];
    let v74 = exchange[v65 + 320u];
    let v75 = exchange[v65 + 480u];
    var v76: Exchanged;
    var v77: Exchanged;
    var v78: Exchanged;
    var v79: Exchanged;
    if (v66 < 10u) {
        v76 = exchange[v67];
        v77 = exchange[v67 + 160u];
        v78 = exchange[v67 + 320u];
        v79 = exchange[v67 + 480u];
    }
    let v80 = v61.lane % 10u * 25u;
    let v81 = twiddle(v80);
    let v82 = twiddle_square(v81);
    let v83 = twiddle_product(v81, v82);
    let v84 = times(v69, v81);
    let v85 = times(v70, v82);
    let v86 = times(v71, v83);
    let v87 = v68 + v85;
    let v88 = v68 - v85;
    let v89 = v84 + v86;
    let v90 = v84 - v86;
    let v91 = v87 + v89;
    let v92 = v87 - v89;
    let v93 = times_i(v90);
    let v94 = -v93;
    let v95 = v88 + v94;
    let v96 = v88 - v94;
    store_value(v61, v61.lane, v91);
    store_value(v61, v61.lane + 10u, v95);
    store_value(v61, v61.lane + 20u, v92);
    store_value(v61, v61.lane + 30u, v96);
    let v97 = v61.lane + 4u;
    let v98 = v97 % 10u * 25u;
    let v99 = twiddle(v98);
    let v100 = twiddle_square(v99);
    let v101 = twiddle_product(v99, v100);
    let v102 = times(v73, v99);
    let v103 = times(v74, v100);
    let v104 = times(v75, v101);
    let v105 = v72 + v103;
    let v106 = v72 - v103;
    let v107 = v102 + v104;
    let v108 = v102 - v104;
    let v109 = v105 + v107;
    let v110 = v105 - v107;
    let v111 = times_i(v108);
    let v112 = -v111;
    let v113 = v106 + v112;
    let v114 = v106 - v112;
    store_value(v61, v97, v109);
    store_value(v61, v97 + 10u, v113);
    store_value(v61, v97 + 20u, v110);
    store_value(v61, v97 + 30u, v114);
    let v115 = v61.lane + 8u;
    if (v115 < 10u) {
        let v116 = v115 % 10u * 25u;
        let v117 = twiddle(v116);
        let v118 = twiddle_square(v117);
        let v119 = twiddle_product(v117, v118);
        let v120 = times(v77, v117);
        let v121 = times(v78, v118);
        let v122 = times(v79, v119);
        let v123 = v76 + v121;
        let v124 = v76 - v121;
        let v125 = v120 + v122;
        let v126 = v120 - v122;
        let v127 = v123 + v125;
        let v128 = v123 - v125;
        let v129 = times_i(v126);
        let v130 = -v129;
        let v131 = v124 + v130;
        let v132 = v124 - v130;
        store_value(v61, v115, v127);
        store_value(v61, v115 + 10u, v131);
        store_value(v61, v115 + 20u, v128);
        store_value(v61, v115 + 30u, v132);
    }
}
