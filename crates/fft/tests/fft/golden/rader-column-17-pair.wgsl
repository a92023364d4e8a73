const ROWS: bool = false;
const SIGN: Real = -1.0;
const SCALE: Real = 1.0;
const TURN: u32 = 268435456u;
const TURN_REST: f32 = 0.0;
const LOAD_IS_CLIPPED: bool = false;
const LOAD_EXTENT: u32 = 17u;
const STORE_IS_CLIPPED: bool = false;
const STORE_EXTENT: u32 = 17u;
const WIDTH: u32 = 5u;
const HEIGHT: u32 = 17u;
const LOAD_WIDTH: u32 = 5u;
const LOAD_HEIGHT: u32 = 17u;
const LOAD_SLICE: u32 = 17u;
const STORE_WIDTH: u32 = 5u;
const STORE_HEIGHT: u32 = 17u;
const STORE_SLICE: u32 = 17u;
const IMAGE_LINES: u32 = 5u;
const LENGTH: u32 = 17u;
const LOG2_LENGTH: u32 = 4u;
const PERIOD: u32 = 16u;
const TABLE_STEP: u32 = 1u;
const WORKGROUP_SIZE: u32 = 5u;
const LINES: u32 = 5u;
const LANES: u32 = 1u;
const COUNT: u32 = 5u;
const RAGGED: u32 = 0u;
const PARTS: u32 = 1u;
const PART: u32 = 16u;
const BEFORE: u32 = 1u;
const AFTER: u32 = 1u;
const FIRST_LOADED: u32 = 0u;
const FIRST_STORED: u32 = 0u;
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
// For smooth_line.wgsl: values in the order of the generator's powers, and zeros after the last.

fn load_value(place: Place, n: u32) -> Element {
    let at = point_at(place, n);
    if (is_none(place) || at >= LENGTH - 1u) {
        return Element();
    }
    return enter(place.layer, place.line, power(at));
}
// For smooth_line.wgsl: results at the inverse powers of the generator, without those that only the
// padding has.

fn store_value(place: Place, k: u32, value: Element) {
    let at = point_at(place, k);
    if (!is_none(place) && at < LENGTH - 1u) {
        leave(place.layer, place.line, inverse_power(at), value);
    }
}
// Rader's permutation and filter, which the plan computed in double precision.
//
// Rader, Discrete Fourier transforms when the number of data samples is prime (Proc. IEEE 56, 1968):
// with a generator g of the prime p = LENGTH every point but the first is a power of g, and
//   X(g^-m) = x(0) + sum over q of x(g^q) exp(SIGN 2 pi i g^-(m - q) / p)
// is a cyclic convolution of p - 1 points, or one in at least 2 p - 3 that wraps its kernel around.
// X(0) is the sum of all points.

@group(0) @binding(4) var<storage, read> convolution: array<vec2<Real>>;

// g^n mod p for n < p - 1: numbers up to 2^22, which are exact in 32-bit floats.
fn power(n: u32) -> u32 {
    return u32(convolution[n].x);
}

// g^-n mod p.
fn inverse_power(n: u32) -> u32 {
    return u32(convolution[n].y);
}
// For smooth_line.wgsl: the transform of the kernel of a convolution over its number of points, in
// the order in which the passes before leave their results. In the table it follows LENGTH others.

// Of result k of a part. Beyond the last part there is nothing, and nothing comes of it.
fn filter_at(place: Place, k: u32) -> vec2<Real> {
    let before = select(place.before, 0u, is_none(place));
    return convolution[LENGTH + before * PART + k];
}
// For smooth_line.wgsl: Rader's first point, where the sum of the others is known.

// `value` is the filtered result k of a part, and `sum` the result. Result 0 of the line, `sum` of all
// other points, makes with the first one X(0); what is added to it here, is added to all results.
fn join_first(place: Place, k: u32, sum: Element, value: Element) -> Element {
    if (is_none(place) || place.before * PART + k > 0u) {
        return value;
    }
    let first = load_point(place.layer, place.line, FIRST_LOADED);
    store_point(place.layer, place.line, FIRST_STORED, first + sum);
    return value + first;
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








// Which `before` a part has.
fn before_of(part: u32) -> u32 {
    return part;
}

// 16 = 16, up to 16 values in each of 1 invocations
fn transform_line(layer: u32, tile: u32, invocation: u32) {
    let v0 = find_place(layer, tile, invocation, false);
    // Stage 0: radix 16.
    let v1 = load_value(v0, v0.lane);
    let v2 = load_value(v0, v0.lane + 1u);
    let v3 = load_value(v0, v0.lane + 2u);
    let v4 = load_value(v0, v0.lane + 3u);
    let v5 = load_value(v0, v0.lane + 4u);
    let v6 = load_value(v0, v0.lane + 5u);
    let v7 = load_value(v0, v0.lane + 6u);
    let v8 = load_value(v0, v0.lane + 7u);
    let v9 = load_value(v0, v0.lane + 8u);
    let v10 = load_value(v0, v0.lane + 9u);
    let v11 = load_value(v0, v0.lane + 10u);
    let v12 = load_value(v0, v0.lane + 11u);
    let v13 = load_value(v0, v0.lane + 12u);
    let v14 = load_value(v0, v0.lane + 13u);
    let v15 = load_value(v0, v0.lane + 14u);
    let v16 = load_value(v0, v0.lane + 15u);
    let v17 = v1 + v9;
    let v18 = v1 - v9;
    let v19 = v5 + v13;
    let v20 = v5 - v13;
    let v21 = v17 + v19;
    let v22 = v17 - v19;
    let v23 = times_i(v20);
    let v24 = -v23;
    let v25 = v18 + v24;
    let v26 = v18 - v24;
    let v27 = v2 + v10;
    let v28 = v2 - v10;
    let v29 = v6 + v14;
    let v30 = v6 - v14;
    let v31 = v27 + v29;
    let v32 = v27 - v29;
    let v33 = times_i(v30);
    let v34 = -v33;
    let v35 = v28 + v34;
    let v36 = v28 - v34;
    let v37 = v3 + v11;
    let v38 = v3 - v11;
    let v39 = v7 + v15;
    let v40 = v7 - v15;
    let v41 = v37 + v39;
    let v42 = v37 - v39;
    let v43 = times_i(v40);
    let v44 = -v43;
    let v45 = v38 + v44;
    let v46 = v38 - v44;
    let v47 = v4 + v12;
    let v48 = v4 - v12;
    let v49 = v8 + v16;
    let v50 = v8 - v16;
    let v51 = v47 + v49;
    let v52 = v47 - v49;
    let v53 = times_i(v50);
    let v54 = -v53;
    let v55 = v48 + v54;
    let v56 = v48 - v54;
    let v57 = v21 + v41;
    let v58 = v21 - v41;
    let v59 = v31 + v51;
    let v60 = v31 - v51;
    let v61 = v57 + v59;
    let v62 = v57 - v59;
    let v63 = times_i(v60);
    let v64 = -v63;
    let v65 = v58 + v64;
    let v66 = v58 - v64;
    let v67 = times(v35, vec2(0.9238795, -0.38268343));
    let v68 = times(v45, vec2(0.70710677, -0.70710677));
    let v69 = times(v55, vec2(0.38268343, -0.9238795));
    let v70 = v25 + v68;
    let v71 = v25 - v68;
    let v72 = v67 + v69;
    let v73 = v67 - v69;
    let v74 = v70 + v72;
    let v75 = v70 - v72;
    let v76 = times_i(v73);
    let v77 = -v76;
    let v78 = v71 + v77;
    let v79 = v71 - v77;
    let v80 = times(v32, vec2(0.70710677, -0.70710677));
    let v81 = times_i(v42);
    let v82 = -v81;
    let v83 = times(v52, vec2(-0.70710677, -0.70710677));
    let v84 = v22 + v82;
    let v85 = v22 - v82;
    let v86 = v80 + v83;
    let v87 = v80 - v83;
    let v88 = v84 + v86;
    let v89 = v84 - v86;
    let v90 = times_i(v87);
    let v91 = -v90;
    let v92 = v85 + v91;
    let v93 = v85 - v91;
    let v94 = times(v36, vec2(0.38268343, -0.9238795));
    let v95 = times(v46, vec2(-0.70710677, -0.70710677));
    let v96 = times(v56, vec2(-0.9238795, 0.38268343));
    let v97 = v26 + v95;
    let v98 = v26 - v95;
    let v99 = v94 + v96;
    let v100 = v94 - v96;
    let v101 = v97 + v99;
    let v102 = v97 - v99;
    let v103 = times_i(v100);
    let v104 = -v103;
    let v105 = v98 + v104;
    let v106 = v98 - v104;
    let v107 = filter_at(v0, v0.lane);
    let v108 = times(v61, v107);
    let v109 = filter_at(v0, v0.lane + 1u);
    let v110 = times(v74, v109);
    let v111 = filter_at(v0, v0.lane + 2u);
    let v112 = times(v88, v111);
    let v113 = filter_at(v0, v0.lane + 3u);
    let v114 = times(v101, v113);
    let v115 = filter_at(v0, v0.lane + 4u);
    let v116 = times(v65, v115);
    let v117 = filter_at(v0, v0.lane + 5u);
    let v118 = times(v78, v117);
    let v119 = filter_at(v0, v0.lane + 6u);
    let v120 = times(v92, v119);
    let v121 = filter_at(v0, v0.lane + 7u);
    let v122 = times(v105, v121);
    let v123 = filter_at(v0, v0.lane + 8u);
    let v124 = times(v62, v123);
    let v125 = filter_at(v0, v0.lane + 9u);
    let v126 = times(v75, v125);
    let v127 = filter_at(v0, v0.lane + 10u);
    let v128 = times(v89, v127);
    let v129 = filter_at(v0, v0.lane + 11u);
    let v130 = times(v102, v129);
    let v131 = filter_at(v0, v0.lane + 12u);
    let v132 = times(v66, v131);
    let v133 = filter_at(v0, v0.lane + 13u);
    let v134 = times(v79, v133);
    let v135 = filter_at(v0, v0.lane + 14u);
    let v136 = times(v93, v135);
    let v137 = filter_at(v0, v0.lane + 15u);
    let v138 = times(v106, v137);
    let v139 = join_first(v0, v0.lane, v61, v108);
    let v140 = v139 + v124;
    let v141 = v139 - v124;
    let v142 = v116 + v132;
    let v143 = v116 - v132;
    let v144 = v140 + v142;
    let v145 = v140 - v142;
    let v146 = times_i(v143);
    let v147 = v141 + v146;
    let v148 = v141 - v146;
    let v149 = v110 + v126;
    let v150 = v110 - v126;
    let v151 = v118 + v134;
    let v152 = v118 - v134;
    let v153 = v149 + v151;
    let v154 = v149 - v151;
    let v155 = times_i(v152);
    let v156 = v150 + v155;
    let v157 = v150 - v155;
    let v158 = v112 + v128;
    let v159 = v112 - v128;
    let v160 = v120 + v136;
    let v161 = v120 - v136;
    let v162 = v158 + v160;
    let v163 = v158 - v160;
    let v164 = times_i(v161);
    let v165 = v159 + v164;
    let v166 = v159 - v164;
    let v167 = v114 + v130;
    let v168 = v114 - v130;
    let v169 = v122 + v138;
    let v170 = v122 - v138;
    let v171 = v167 + v169;
    let v172 = v167 - v169;
    let v173 = times_i(v170);
    let v174 = v168 + v173;
    let v175 = v168 - v173;
    let v176 = v144 + v162;
    let v177 = v144 - v162;
    let v178 = v153 + v171;
    let v179 = v153 - v171;
    let v180 = v176 + v178;
    let v181 = v176 - v178;
    let v182 = times_i(v179);
    let v183 = v177 + v182;
    let v184 = v177 - v182;
    let v185 = times(v156, vec2(0.9238795, 0.38268343));
    let v186 = times(v165, vec2(0.70710677, 0.70710677));
    let v187 = times(v174, vec2(0.38268343, 0.9238795));
    let v188 = v147 + v186;
    let v189 = v147 - v186;
    let v190 = v185 + v187;
    let v191 = v185 - v187;
    let v192 = v188 + v190;
    let v193 = v188 - v190;
    let v194 = times_i(v191);
    let v195 = v189 + v194;
    let v196 = v189 - v194;
    let v197 = times(v154, vec2(0.70710677, 0.70710677));
    let v198 = times_i(v163);
    let v199 = times(v172, vec2(-0.70710677, 0.70710677));
    let v200 = v145 + v198;
    let v201 = v145 - v198;
    let v202 = v197 + v199;
    let v203 = v197 - v199;
    let v204 = v200 + v202;
    let v205 = v200 - v202;
    let v206 = times_i(v203);
    let v207 = v201 + v206;
    let v208 = v201 - v206;
    let v209 = times(v157, vec2(0.38268343, 0.9238795));
    let v210 = times(v166, vec2(-0.70710677, 0.70710677));
    let v211 = times(v175, vec2(-0.9238795, -0.38268343));
    let v212 = v148 + v210;
    let v213 = v148 - v210;
    let v214 = v209 + v211;
    let v215 = v209 - v211;
    let v216 = v212 + v214;
    let v217 = v212 - v214;
    let v218 = times_i(v215);
    let v219 = v213 + v218;
    let v220 = v213 - v218;
    store_value(v0, v0.lane, v180);
    store_value(v0, v0.lane + 1u, v192);
    store_value(v0, v0.lane + 2u, v204);
    store_value(v0, v0.lane + 3u, v216);
    store_value(v0, v0.lane + 4u, v183);
    store_value(v0, v0.lane + 5u, v195);
    store_value(v0, v0.lane + 6u, v207);
    store_value(v0, v0.lane + 7u, v219);
    store_value(v0, v0.lane + 8u, v181);
    store_value(v0, v0.lane + 9u, v193);
    store_value(v0, v0.lane + 10u, v205);
    store_value(v0, v0.lane + 11u, v217);
    store_value(v0, v0.lane + 12u, v184);
    store_value(v0, v0.lane + 13u, v196);
    store_value(v0, v0.lane + 14u, v208);
    store_value(v0, v0.lane + 15u, v220);
}
