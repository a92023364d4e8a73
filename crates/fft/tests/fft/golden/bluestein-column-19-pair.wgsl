const ROWS: bool = false;
const SIGN: Real = -1.0;
const SCALE: Real = 1.0;
const TURN: u32 = 107374182u;
const TURN_REST: f32 = 0.4;
const LOAD_IS_CLIPPED: bool = false;
const LOAD_EXTENT: u32 = 19u;
const STORE_IS_CLIPPED: bool = false;
const STORE_EXTENT: u32 = 19u;
const WIDTH: u32 = 5u;
const HEIGHT: u32 = 19u;
const LOAD_WIDTH: u32 = 5u;
const LOAD_HEIGHT: u32 = 19u;
const LOAD_SLICE: u32 = 19u;
const STORE_WIDTH: u32 = 5u;
const STORE_HEIGHT: u32 = 19u;
const STORE_SLICE: u32 = 19u;
const IMAGE_LINES: u32 = 5u;
const LENGTH: u32 = 19u;
const LOG2_LENGTH: u32 = 4u;
const PERIOD: u32 = 40u;
const TABLE_STEP: u32 = 1u;
const WORKGROUP_SIZE: u32 = 20u;
const LINES: u32 = 5u;
const LANES: u32 = 4u;
const COUNT: u32 = 5u;
const RAGGED: u32 = 0u;
const PARTS: u32 = 1u;
const PART: u32 = 40u;
const BEFORE: u32 = 1u;
const AFTER: u32 = 1u;
const LINE_SLOTS: u32 = 44u;
const LINES_ABREAST: u32 = 5u;
// What kernels compute in: 32-bit floats.

alias Real = f32;

// Layout `Pair`: one element holds the same point of two images, (re, im) of the first and (re, im)
// of the second. Both go through the same butterflies with the same twiddle factors.

alias Element = vec4<Real>;

// z w, for both images.
fn times(z: Element, w: vec2<Real>) -> Element {
    return z * w.x + vec4(-z.y, z.x, -z.w, z.z) * w.y;
}

// z w + a, for both images.
fn times_add(z: Element, w: vec2<Real>, a: Element) -> Element {
    return fma(z, vec4(w.x), fma(vec4(-z.y, z.x, -z.w, z.z), vec4(w.y), a));
}

// i z, for both images.
fn times_i(z: Element) -> Element {
    return vec4(-z.y, z.x, -z.w, z.z);
}

// How an element is kept in buffers: as it is computed.

alias Stored = Element;

fn to_stored(value: Element) -> Stored {
    return value;
}

fn from_stored(stored: Stored) -> Element {
    return stored;
}

// The buffer that a kernel stores to.

@group(0) @binding(1) var<storage, read_write> destination: array<Stored>;
// Where a kernel's values come from when it works in place: the buffer that it stores to.



fn load(layer: u32, y: u32, x: u32) -> Element {
    return from_stored(destination[load_index(layer, y, x)]);
}

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
// For smooth_line.wgsl: values times the chirp, and zeros after the last.

fn load_value(place: Place, n: u32) -> Element {
    let at = point_at(place, n);
    if (is_none(place) || at >= LENGTH) {
        return Element();
    }
    return times(enter(place.layer, place.line, at), chirp(at));
}
// For smooth_line.wgsl: results times the chirp, without those that only the padding has.

fn store_value(place: Place, k: u32, value: Element) {
    let at = point_at(place, k);
    if (!is_none(place) && at < LENGTH) {
        leave(place.layer, place.line, at, times(value, chirp(at)));
    }
}
// Bluestein's chirp and filter, which the plan computed in double precision.
//
// Bluestein, A linear filtering approach to the computation of discrete Fourier transform (IEEE
// Trans. Audio Electroacoust. 18, 1970): with 2 n k = n^2 + k^2 - (k - n)^2 a transform of N =
// LENGTH points is a convolution,
//   X(k) = c(k) sum over n of (x(n) c(n)) conj(c(k - n)), c(n) = exp(SIGN pi i n^2 / N),
// which transforms of at least 2 N - 1 points compute.

@group(0) @binding(4) var<storage, read> convolution: array<vec2<Real>>;

// c(n) for n < LENGTH.
fn chirp(n: u32) -> vec2<Real> {
    return convolution[n];
}
// For smooth_line.wgsl: the transform of the kernel of a convolution over its number of points, in
// the order in which the passes before leave their results. In the table it follows LENGTH others.

// Of result k of a part. Beyond the last part there is nothing, and nothing comes of it.
fn filter_at(place: Place, k: u32) -> vec2<Real> {
    let before = select(place.before, 0u, is_none(place));
    return convolution[LENGTH + before * PART + k];
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
    return part;
}


// What crosses workgroup memory at a time.
alias Exchanged = vec2<Real>;

// 40 = 10 x 4, up to 12 values in each of 4 invocations
fn transform_line(layer: u32, tile: u32, invocation: u32) {
    let v0 = find_place(layer, tile, invocation, false);
    // Stage 0: radix 10.
    let v1 = load_value(v0, v0.lane);
    let v2 = load_value(v0, v0.lane + 4u);
    let v3 = load_value(v0, v0.lane + 8u);
    let v4 = load_value(v0, v0.lane + 12u);
    let v5 = load_value(v0, v0.lane + 16u);
    let v6 = v1 + v3;
    let v7 = v6 + v5;
    let v8 = fma(v3, Element(0.309017), v1);
    let v9 = v3 * -0.95105654;
    let v10 = fma(v5, Element(-0.809017), v8);
    let v11 = fma(v5, Element(-0.58778524), v9);
    let v12 = times_i(v11);
    let v13 = v10 + v12;
    let v14 = v10 - v12;
    let v15 = fma(v3, Element(-0.809017), v1);
    let v16 = v3 * -0.58778524;
    let v17 = fma(v5, Element(0.309017), v15);
    let v18 = fma(v5, Element(0.95105654), v16);
    let v19 = times_i(v18);
    let v20 = v17 + v19;
    let v21 = v17 - v19;
    let v22 = -v4;
    let v23 = -v2;
    let v24 = v4 + v2;
    let v25 = v4 * 0.309017;
    let v26 = v22 * -0.95105654;
    let v27 = fma(v2, Element(-0.809017), v25);
    let v28 = fma(v23, Element(-0.58778524), v26);
    let v29 = times_i(v28);
    let v30 = v27 + v29;
    let v31 = v27 - v29;
    let v32 = v4 * -0.809017;
    let v33 = v22 * -0.58778524;
    let v34 = fma(v2, Element(0.309017), v32);
    let v35 = fma(v23, Element(0.95105654), v33);
    let v36 = times_i(v35);
    let v37 = v34 + v36;
    let v38 = v34 - v36;
    let v39 = v7 + v24;
    let v40 = v7 - v24;
    let v41 = v13 + v30;
    let v42 = v13 - v30;
    let v43 = v20 + v37;
    let v44 = v20 - v37;
    let v45 = v21 + v38;
    let v46 = v21 - v38;
    let v47 = v14 + v31;
    let v48 = v14 - v31;

    // Stage 1: radix 4.
    let v49 = slot(v0, v0.lane * 11u);
    let v50 = slot(v0, v0.lane + v0.lane / 10u * 1u);
    let v51 = v0.lane + 4u;
    let v52 = slot(v0, v51 + v51 / 10u * 1u);
    let v53 = v0.lane + 8u;
    let v54 = slot(v0, v53 + v53 / 10u * 1u);
    exchange[v49] = v39.xy;
    exchange[v49 + 5u] = v42.xy;
    exchange[v49 + 10u] = v43.xy;
    exchange[v49 + 15u] = v46.xy;
    exchange[v49 + 20u] = v47.xy;
    exchange[v49 + 25u] = v40.xy;
    exchange[v49 + 30u] = v41.xy;
    exchange[v49 + 35u] = v44.xy;
    exchange[v49 + 40u] = v45.xy;
    exchange[v49 + 45u] = v48.xy;
    workgroupBarrier();
    let v55 = exchange[v50];
    let v56 = exchange[v50 + 55u];
    let v57 = exchange[v50 + 110u];
    let v58 = exchange[v50 + 165u];
    let v59 = exchange[v52];
    let v60 = exchange[v52 + 55u];
    let v61 = exchange[v52 + 110u];
    let v62 = exchange[v52 + 165u];
    var v63: Exchanged;
    var v64: Exchanged;
    var v65: Exchanged;
    var v66: Exchanged;
    if (v53 < 10u) {
        v63 = exchange[v54];
        v64 = exchange[v54 + 55u];
        v65 = exchange[v54 + 110u];
        v66 = exchange[v54 + 165u];
    }
    workgroupBarrier();
    exchange[v49] = v39.zw;
    exchange[v49 + 5u] = v42.zw;
    exchange[v49 + 10u] = v43.zw;
    exchange[v49 + 15u] = v46.zw;
    exchange[v49 + 20u] = v47.zw;
    exchange[v49 + 25u] = v40.zw;
    exchange[v49 + 30u] = v41.zw;
    exchange[v49 + 35u] = v44.zw;
    exchange[v49 + 40u] = v45.zw;
    exchange[v49 + 45u] = v48.zw;
    workgroupBarrier();
    let v67 = exchange[v50];
    let v68 = exchange[v50 + 55u];
    let v69 = exchange[v50 + 110u];
    let v70 = exchange[v50 + 165u];
    let v71 = exchange[v52];
    let v72 = exchange[v52 + 55u];
    let v73 = exchange[v52 + 110u];
    let v74 = exchange[v52 + 165u];
    var v75: Exchanged;
    var v76: Exchanged;
    var v77: Exchanged;
    var v78: Exchanged;
    if (v53 < 10u) {
        v75 = exchange[v54];
        v76 = exchange[v54 + 55u];
        v77 = exchange[v54 + 110u];
        v78 = exchange[v54 + 165u];
    }
    let v79 = Element(v55, v67);
    let v80 = Element(v56, v68);
    let v81 = Element(v57, v69);
    let v82 = Element(v58, v70);
    let v83 = Element(v59, v71);
    let v84 = Element(v60, v72);
    let v85 = Element(v61, v73);
    let v86 = Element(v62, v74);
    let v87 = Element(v63, v75);
    let v88 = Element(v64, v76);
    let v89 = Element(v65, v77);
    let v90 = Element(v66, v78);
    let v91 = v0.lane % 10u * 1u;
    let v92 = twiddle(v91);
    let v93 = twiddle_square(v92);
    let v94 = twiddle_product(v92, v93);
    let v95 = times(v80, v92);
    let v96 = times(v81, v93);
    let v97 = times(v82, v94);
    let v98 = v79 + v96;
    let v99 = v79 - v96;
    let v100 = v95 + v97;
    let v101 = v95 - v97;
    let v102 = v98 + v100;
    let v103 = v98 - v100;
    let v104 = times_i(v101);
    let v105 = -v104;
    let v106 = v99 + v105;
    let v107 = v99 - v105;
    let v108 = filter_at(v0, v0.lane);
    let v109 = times(v102, v108);
    let v110 = filter_at(v0, v0.lane + 10u);
    let v111 = times(v106, v110);
    let v112 = filter_at(v0, v0.lane + 20u);
    let v113 = times(v103, v112);
    let v114 = filter_at(v0, v0.lane + 30u);
    let v115 = times(v107, v114);
    let v116 = v109 + v113;
    let v117 = v109 - v113;
    let v118 = v111 + v115;
    let v119 = v111 - v115;
    let v120 = v116 + v118;
    let v121 = v116 - v118;
    let v122 = times_i(v119);
    let v123 = v117 + v122;
    let v124 = v117 - v122;
    let v125 = v0.lane + 4u;
    let v126 = v125 % 10u * 1u;
    let v127 = twiddle(v126);
    let v128 = twiddle_square(v127);
    let v129 = twiddle_product(v127, v128);
    let v130 = times(v84, v127);
    let v131 = times(v85, v128);
    let v132 = times(v86, v129);
    let v133 = v83 + v131;
    let v134 = v83 - v131;
    let v135 = v130 + v132;
    let v136 = v130 - v132;
    let v137 = v133 + v135;
    let v138 = v133 - v135;
    let v139 = times_i(v136);
    let v140 = -v139;
    let v141 = v134 + v140;
    let v142 = v134 - v140;
    let v143 = filter_at(v0, v125);
    let v144 = times(v137, v143);
    let v145 = filter_at(v0, v125 + 10u);
    let v146 = times(v141, v145);
    let v147 = filter_at(v0, v125 + 20u);
    let v148 = times(v138, v147);
    let v149 = filter_at(v0, v125 + 30u);
    let v150 = times(v142, v149);
    let v151 = v144 + v148;
    let v152 = v144 - v148;
    let v153 = v146 + v150;
    let v154 = v146 - v150;
    let v155 = v151 + v153;
    let v156 = v151 - v153;
    let v157 = times_i(v154);
    let v158 = v152 + v157;
    let v159 = v152 - v157;
    let v160 = v0.lane + 8u;
    var v161: Element;
    var v162: Element;
    var v163: Element;
    var v164: Element;
    if (v160 < 10u) {
        let v165 = v160 % 10u * 1u;
        let v166 = twiddle(v165);
        let v167 = twiddle_square(v166);
        let v168 = twiddle_product(v166, v167);
        let v169 = times(v88, v166);
        let v170 = times(v89, v167);
        let v171 = times(v90, v168);
        let v172 = v87 + v170;
        let v173 = v87 - v170;
        let v174 = v169 + v171;
        let v175 = v169 - v171;
        let v176 = v172 + v174;
        let v177 = v172 - v174;
        let v178 = times_i(v175);
        let v179 = -v178;
        let v180 = v173 + v179;
        let v181 = v173 - v179;
        let v182 = filter_at(v0, v160);
        let v183 = times(v176, v182);
        let v184 = filter_at(v0, v160 + 10u);
        let v185 = times(v180, v184);
        let v186 = filter_at(v0, v160 + 20u);
        let v187 = times(v177, v186);
        let v188 = filter_at(v0, v160 + 30u);
        let v189 = times(v181, v188);
        let v190 = v183 + v187;
        let v191 = v183 - v187;
        let v192 = v185 + v189;
        let v193 = v185 - v189;
        let v194 = v190 + v192;
        let v195 = v190 - v192;
        let v196 = times_i(v193);
        let v197 = v191 + v196;
        let v198 = v191 - v196;
        v161 = v194;
        v162 = v197;
        v163 = v195;
        v164 = v198;
    }

    // Stage 2: radix 10.
    let v199 = slot(v0, v0.lane * 4u);
    let v200 = v0.lane + 4u;
    let v201 = slot(v0, v200 * 4u);
    let v202 = v0.lane + 8u;
    let v203 = slot(v0, v202 * 4u);
    let v204 = slot(v0, v0.lane);
    workgroupBarrier();
    exchange[v199] = v120.xy;
    exchange[v199 + 5u] = v123.xy;
    exchange[v199 + 10u] = v121.xy;
    exchange[v199 + 15u] = v124.xy;
    exchange[v201] = v155.xy;
    exchange[v201 + 5u] = v158.xy;
    exchange[v201 + 10u] = v156.xy;
    exchange[v201 + 15u] = v159.xy;
    if (v202 < 10u) {
        exchange[v203] = v161.xy;
        exchange[v203 + 5u] = v162.xy;
        exchange[v203 + 10u] = v163.xy;
        exchange[v203 + 15u] = v164.xy;
    }
    workgroupBarrier();
    let v205 = exchange[v204];
    let v206 = exchange[v204 + 20u];
    let v207 = exchange[v204 + 40u];
    let v208 = exchange[v204 + 60u];
    let v209 = exchange[v204 + 80u];
    let v210 = exchange[v204 + 100u];
    let v211 = exchange[v204 + 120u];
    let v212 = exchange[v204 + 140u];
    let v213 = exchange[v204 + 160u];
    let v214 = exchange[v204 + 180u];
    workgroupBarrier();
    exchange[v199] = v120.zw;
    exchange[v199 + 5u] = v123.zw;
    exchange[v199 + 10u] = v121.zw;
    exchange[v199 + 15u] = v124.zw;
    exchange[v201] = v155.zw;
    exchange[v201 + 5u] = v158.zw;
    exchange[v201 + 10u] = v156.zw;
    exchange[v201 + 15u] = v159.zw;
    if (v202 < 10u) {
        exchange[v203] = v161.zw;
        exchange[v203 + 5u] = v162.zw;
        exchange[v203 + 10u] = v163.zw;
        exchange[v203 + 15u] = v164.zw;
    }
    workgroupBarrier();
    let v215 = exchange[v204];
    let v216 = exchange[v204 + 20u];
    let v217 = exchange[v204 + 40u];
    let v218 = exchange[v204 + 60u];
    let v219 = exchange[v204 + 80u];
    let v220 = exchange[v204 + 100u];
    let v221 = exchange[v204 + 120u];
    let v222 = exchange[v204 + 140u];
    let v223 = exchange[v204 + 160u];
    let v224 = exchange[v204 + 180u];
    let v225 = Element(v205, v215);
    let v226 = Element(v206, v216);
    let v227 = Element(v207, v217);
    let v228 = Element(v208, v218);
    let v229 = Element(v209, v219);
    let v230 = Element(v210, v220);
    let v231 = Element(v211, v221);
    let v232 = Element(v212, v222);
    let v233 = Element(v213, v223);
    let v234 = Element(v214, v224);
    let v235 = v0.lane % 4u * 1u;
    let v236 = twiddle(v235);
    let v237 = twiddle_square(v236);
    let v238 = twiddle_product(v236, v237);
    let v239 = twiddle_square(v237);
    let v240 = twiddle_product(v237, v238);
    let v241 = twiddle_square(v238);
    let v242 = twiddle_product(v238, v239);
    let v243 = twiddle_square(v239);
    let v244 = twiddle_product(v239, v240);
    let v245 = conjugate(v236);
    let v246 = conjugate(v237);
    let v247 = conjugate(v238);
    let v248 = conjugate(v239);
    let v249 = conjugate(v240);
    let v250 = conjugate(v241);
    let v251 = conjugate(v242);
    let v252 = conjugate(v243);
    let v253 = conjugate(v244);
    let v254 = times(v226, v245);
    let v255 = times(v227, v246);
    let v256 = times(v228, v247);
    let v257 = times(v229, v248);
    let v258 = times(v230, v249);
    let v259 = times(v231, v250);
    let v260 = times(v232, v251);
    let v261 = times(v233, v252);
    let v262 = times(v234, v253);
    let v263 = v255 + v261;
    let v264 = v257 + v259;
    let v265 = v255 - v261;
    let v266 = v257 - v259;
    let v267 = v225 + v263;
    let v268 = v267 + v264;
    let v269 = fma(v263, Element(0.309017), v225);
    let v270 = v265 * 0.95105654;
    let v271 = fma(v264, Element(-0.809017), v269);
    let v272 = fma(v266, Element(0.58778524), v270);
    let v273 = times_i(v272);
    let v274 = v271 + v273;
    let v275 = v271 - v273;
    let v276 = fma(v263, Element(-0.809017), v225);
    let v277 = v265 * 0.58778524;
    let v278 = fma(v264, Element(0.309017), v276);
    let v279 = fma(v266, Element(-0.95105654), v277);
    let v280 = times_i(v279);
    let v281 = v278 + v280;
    let v282 = v278 - v280;
    let v283 = v260 + v256;
    let v284 = v262 + v254;
    let v285 = v260 - v256;
    let v286 = v262 - v254;
    let v287 = v258 + v283;
    let v288 = v287 + v284;
    let v289 = fma(v283, Element(0.309017), v258);
    let v290 = v285 * 0.95105654;
    let v291 = fma(v284, Element(-0.809017), v289);
    let v292 = fma(v286, Element(0.58778524), v290);
    let v293 = times_i(v292);
    let v294 = v291 + v293;
    let v295 = v291 - v293;
    let v296 = fma(v283, Element(-0.809017), v258);
    let v297 = v285 * 0.58778524;
    let v298 = fma(v284, Element(0.309017), v296);
    let v299 = fma(v286, Element(-0.95105654), v297);
    let v300 = times_i(v299);
    let v301 = v298 + v300;
    let v302 = v298 - v300;
    let v303 = v268 + v288;
    let v304 = v268 - v288;
    let v305 = v274 + v294;
    let v306 = v274 - v294;
    let v307 = v281 + v301;
    let v308 = v281 - v301;
    let v309 = v282 + v302;
    let v310 = v282 - v302;
    let v311 = v275 + v295;
    let v312 = v275 - v295;
    store_value(v0, v0.lane, v303);
    store_value(v0, v0.lane + 4u, v306);
    store_value(v0, v0.lane + 8u, v307);
    store_value(v0, v0.lane + 12u, v310);
    store_value(v0, v0.lane + 16u, v311);
}
