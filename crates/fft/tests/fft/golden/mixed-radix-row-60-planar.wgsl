const ROWS: bool = true;
const SIGN: Real = -1.0;
const SCALE: Real = 1.0;
const TURN: u32 = 71582788u;
const TURN_REST: f32 = 0.26666668;
const LOAD_IS_CLIPPED: bool = false;
const LOAD_EXTENT: u32 = 60u;
const STORE_IS_CLIPPED: bool = false;
const STORE_EXTENT: u32 = 60u;
const WIDTH: u32 = 60u;
const HEIGHT: u32 = 7u;
const LOAD_WIDTH: u32 = 60u;
const LOAD_HEIGHT: u32 = 7u;
const LOAD_SLICE: u32 = 7u;
const STORE_WIDTH: u32 = 60u;
const STORE_HEIGHT: u32 = 7u;
const STORE_SLICE: u32 = 7u;
const IMAGE_LINES: u32 = 7u;
const LENGTH: u32 = 60u;
const LOG2_LENGTH: u32 = 5u;
const PERIOD: u32 = 60u;
const TABLE_STEP: u32 = 1u;
const WORKGROUP_SIZE: u32 = 28u;
const LINES: u32 = 7u;
const LANES: u32 = 4u;
const COUNT: u32 = 7u;
const RAGGED: u32 = 0u;
const PARTS: u32 = 1u;
const PART: u32 = 60u;
const BEFORE: u32 = 1u;
const AFTER: u32 = 1u;
const LINE_SLOTS: u32 = 60u;
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
// For smooth_line.wgsl: results as they are.

fn store_value(place: Place, n: u32, value: Element) {
    if (!is_none(place)) {
        leave(place.layer, place.line, point_at(place, n), value);
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
    return part;
}


// What crosses workgroup memory at a time.
alias Exchanged = vec2<Real>;

// 60 = 15 x 4, up to 16 values in each of 4 invocations
fn transform_line(layer: u32, tile: u32, invocation: u32) {
    let v0 = find_place(layer, tile, invocation, true);
    // Stage 0: radix 15.
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
    let v11 = load_value(v0, v0.lane + 40u);
    let v12 = load_value(v0, v0.lane + 44u);
    let v13 = load_value(v0, v0.lane + 48u);
    let v14 = load_value(v0, v0.lane + 52u);
    let v15 = load_value(v0, v0.lane + 56u);
    let v16 = v4 + v13;
    let v17 = v7 + v10;
    let v18 = v4 - v13;
    let v19 = v7 - v10;
    let v20 = v1 + v16;
    let v21 = v20 + v17;
    let v22 = fma(v16, Element(0.309017), v1);
    let v23 = v18 * -0.95105654;
    let v24 = fma(v17, Element(-0.809017), v22);
    let v25 = fma(v19, Element(-0.58778524), v23);
    let v26 = times_i(v25);
    let v27 = v24 + v26;
    let v28 = v24 - v26;
    let v29 = fma(v16, Element(-0.809017), v1);
    let v30 = v18 * -0.58778524;
    let v31 = fma(v17, Element(0.309017), v29);
    let v32 = fma(v19, Element(0.95105654), v30);
    let v33 = times_i(v32);
    let v34 = v31 + v33;
    let v35 = v31 - v33;
    let v36 = v9 + v3;
    let v37 = v12 + v15;
    let v38 = v9 - v3;
    let v39 = v12 - v15;
    let v40 = v6 + v36;
    let v41 = v40 + v37;
    let v42 = fma(v36, Element(0.309017), v6);
    let v43 = v38 * -0.95105654;
    let v44 = fma(v37, Element(-0.809017), v42);
    let v45 = fma(v39, Element(-0.58778524), v43);
    let v46 = times_i(v45);
    let v47 = v44 + v46;
    let v48 = v44 - v46;
    let v49 = fma(v36, Element(-0.809017), v6);
    let v50 = v38 * -0.58778524;
    let v51 = fma(v37, Element(0.309017), v49);
    let v52 = fma(v39, Element(0.95105654), v50);
    let v53 = times_i(v52);
    let v54 = v51 + v53;
    let v55 = v51 - v53;
    let v56 = v14 + v8;
    let v57 = v2 + v5;
    let v58 = v14 - v8;
    let v59 = v2 - v5;
    let v60 = v11 + v56;
    let v61 = v60 + v57;
    let v62 = fma(v56, Element(0.309017), v11);
    let v63 = v58 * -0.95105654;
    let v64 = fma(v57, Element(-0.809017), v62);
    let v65 = fma(v59, Element(-0.58778524), v63);
    let v66 = times_i(v65);
    let v67 = v64 + v66;
    let v68 = v64 - v66;
    let v69 = fma(v56, Element(-0.809017), v11);
    let v70 = v58 * -0.58778524;
    let v71 = fma(v57, Element(0.309017), v69);
    let v72 = fma(v59, Element(0.95105654), v70);
    let v73 = times_i(v72);
    let v74 = v71 + v73;
    let v75 = v71 - v73;
    let v76 = v41 + v61;
    let v77 = v41 - v61;
    let v78 = v21 + v76;
    let v79 = fma(v76, Element(-0.5), v21);
    let v80 = v77 * -0.8660254;
    let v81 = times_i(v80);
    let v82 = v79 + v81;
    let v83 = v79 - v81;
    let v84 = v47 + v67;
    let v85 = v47 - v67;
    let v86 = v27 + v84;
    let v87 = fma(v84, Element(-0.5), v27);
    let v88 = v85 * -0.8660254;
    let v89 = times_i(v88);
    let v90 = v87 + v89;
    let v91 = v87 - v89;
    let v92 = v54 + v74;
    let v93 = v54 - v74;
    let v94 = v34 + v92;
    let v95 = fma(v92, Element(-0.5), v34);
    let v96 = v93 * -0.8660254;
    let v97 = times_i(v96);
    let v98 = v95 + v97;
    let v99 = v95 - v97;
    let v100 = v55 + v75;
    let v101 = v55 - v75;
    let v102 = v35 + v100;
    let v103 = fma(v100, Element(-0.5), v35);
    let v104 = v101 * -0.8660254;
    let v105 = times_i(v104);
    let v106 = v103 + v105;
    let v107 = v103 - v105;
    let v108 = v48 + v68;
    let v109 = v48 - v68;
    let v110 = v28 + v108;
    let v111 = fma(v108, Element(-0.5), v28);
    let v112 = v109 * -0.8660254;
    let v113 = times_i(v112);
    let v114 = v111 + v113;
    let v115 = v111 - v113;

    // Stage 1: radix 4.
    let v116 = slot(v0, v0.lane * 15u);
    let v117 = slot(v0, v0.lane);
    let v118 = v0.lane + 4u;
    let v119 = slot(v0, v118);
    let v120 = v0.lane + 8u;
    let v121 = slot(v0, v120);
    let v122 = v0.lane + 12u;
    let v123 = slot(v0, v122);
    exchange[v116] = v78;
    exchange[v116 + 1u] = v90;
    exchange[v116 + 2u] = v99;
    exchange[v116 + 3u] = v102;
    exchange[v116 + 4u] = v114;
    exchange[v116 + 5u] = v83;
    exchange[v116 + 6u] = v86;
    exchange[v116 + 7u] = v98;
    exchange[v116 + 8u] = v107;
    exchange[v116 + 9u] = v110;
    exchange[v116 + 10u] = v82;
    exchange[v116 + 11u] = v91;
    exchange[v116 + 12u] = v94;
    exchange[v116 + 13u] = v106;
    exchange[v116 + 14u] = v115;
    workgroupBarrier();
    let v124 = exchange[v117];
    let v125 = exchange[v117 + 15u];
    let v126 = exchange[v117 + 30u];
    let v127 = exchange[v117 + 45u];
    let v128 = exchange[v119];
    let v129 = exchange[v119 + 15u];
    let v130 = exchange[v119 + 30u];
    let v131 = exchange[v119 + 45u];
    let v132 = exchange[v121];
    let v133 = exchange[v121 + 15u];
    let v134 = exchange[v121 + 30u];
    let v135 = exchange[v121 + 45u];
    var v136: Exchanged;
    var v137: Exchanged;
    var v138: Exchanged;
    var v139: Exchanged;
    if (v122 < 15u) {
        v136 = exchange[v123];
        v137 = exchange[v123 + 15u];
        v138 = exchange[v123 + 30u];
        v139 = exchange[v123 + 45u];
    }
    let v140 = v0.lane % 15u * 1u;
    let v141 = twiddle(v140);
    let v142 = twiddle_square(v141);
    let v143 = twiddle_product(v141, v142);
    let v144 = times(v125, v141);
    let v145 = times(v126, v142);
    let v146 = times(v127, v143);
    let v147 = v124 + v145;
    let v148 = v124 - v145;
    let v149 = v144 + v146;
    let v150 = v144 - v146;
    let v151 = v147 + v149;
    let v152 = v147 - v149;
    let v153 = times_i(v150);
    let v154 = -v153;
    let v155 = v148 + v154;
    let v156 = v148 - v154;
    store_value(v0, v0.lane, v151);
    store_value(v0, v0.lane + 15u, v155);
    store_value(v0, v0.lane + 30u, v152);
    store_value(v0, v0.lane + 45u, v156);
    let v157 = v0.lane + 4u;
    let v158 = v157 % 15u * 1u;
    let v159 = twiddle(v158);
    let v160 = twiddle_square(v159);
    let v161 = twiddle_product(v159, v160);
    let v162 = times(v129, v159);
    let v163 = times(v130, v160);
    let v164 = times(v131, v161);
    let v165 = v128 + v163;
    let v166 = v128 - v163;
    let v167 = v162 + v164;
    let v168 = v162 - v164;
    let v169 = v165 + v167;
    let v170 = v165 - v167;
    let v171 = times_i(v168);
    let v172 = -v171;
    let v173 = v166 + v172;
    let v174 = v166 - v172;
    store_value(v0, v157, v169);
    store_value(v0, v157 + 15u, v173);
    store_value(v0, v157 + 30u, v170);
    store_value(v0, v157 + 45u, v174);
    let v175 = v0.lane + 8u;
    let v176 = v175 % 15u * 1u;
    let v177 = twiddle(v176);
    let v178 = twiddle_square(v177);
    let v179 = twiddle_product(v177, v178);
    let v180 = times(v133, v177);
    let v181 = times(v134, v178);
    let v182 = times(v135, v179);
    let v183 = v132 + v181;
    let v184 = v132 - v181;
    let v185 = v180 + v182;
    let v186 = v180 - v182;
    let v187 = v183 + v185;
    let v188 = v183 - v185;
    let v189 = times_i(v186);
    let v190 = -v189;
    let v191 = v184 + v190;
    let v192 = v184 - v190;
    store_value(v0, v175, v187);
    store_value(v0, v175 + 15u, v191);
    store_value(v0, v175 + 30u, v188);
    store_value(v0, v175 + 45u, v192);
    let v193 = v0.lane + 12u;
    if (v193 < 15u) {
        let v194 = v193 % 15u * 1u;
        let v195 = twiddle(v194);
        let v196 = twiddle_square(v195);
        let v197 = twiddle_product(v195, v196);
        let v198 = times(v137, v195);
        let v199 = times(v138, v196);
        let v200 = times(v139, v197);
        let v201 = v136 + v199;
        let v202 = v136 - v199;
        let v203 = v198 + v200;
        let v204 = v198 - v200;
        let v205 = v201 + v203;
        let v206 = v201 - v203;
        let v207 = times_i(v204);
        let v208 = -v207;
        let v209 = v202 + v208;
        let v210 = v202 - v208;
        store_value(v0, v193, v205);
        store_value(v0, v193 + 15u, v209);
        store_value(v0, v193 + 30u, v206);
        store_value(v0, v193 + 45u, v210);
    }
}
