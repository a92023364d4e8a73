const ROWS: bool = false;
const SIGN: Real = -1.0;
const SCALE: Real = 1.0;
const LOAD_IS_CLIPPED: bool = false;
const LOAD_EXTENT: u32 = 256u;
const STORE_IS_CLIPPED: bool = false;
const STORE_EXTENT: u32 = 256u;
const WIDTH: u32 = 512u;
const HEIGHT: u32 = 256u;
const LOAD_WIDTH: u32 = 512u;
const LOAD_HEIGHT: u32 = 256u;
const LOAD_SLICE: u32 = 256u;
const STORE_WIDTH: u32 = 512u;
const STORE_HEIGHT: u32 = 256u;
const STORE_SLICE: u32 = 256u;
const IMAGE_LINES: u32 = 512u;
const LENGTH: u32 = 256u;
const LOG2_LENGTH: u32 = 8u;
const PERIOD: u32 = 256u;
const TABLE_STEP: u32 = 1u;
const WORKGROUP_SIZE: u32 = 128u;
const LINES: u32 = 8u;
const LANES: u32 = 16u;
const LANES_ABREAST: u32 = 1u;
const IMAGES_ABREAST: u32 = 1u;
const PADDING: u32 = 16u;
const LINE_SLOTS: u32 = 272u;
const LINES_ABREAST: u32 = 8u;
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

// Twiddle factors from a table that the plan computed in double precision: exp(SIGN 2 pi i k / L),
// where L = PERIOD * TABLE_STEP is the longest of several, which then share one table.

@group(0) @binding(2) var<storage, read> twiddles: array<vec2<Real>>;

// exp(SIGN 2 pi i k / PERIOD), for k < PERIOD.
fn twiddle(k: u32) -> vec2<Real> {
    return twiddles[k * TABLE_STEP];
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
alias Exchanged = f32;

// 256 = 16 x 16, 16 values in each of 16 invocations
fn transform_line(layer: u32, place: Place) {
    let v0 = load_value(layer, place, 0u);
    let v1 = load_value(layer, place, 1u);
    let v2 = load_value(layer, place, 2u);
    let v3 = load_value(layer, place, 3u);
    let v4 = load_value(layer, place, 4u);
    let v5 = load_value(layer, place, 5u);
    let v6 = load_value(layer, place, 6u);
    let v7 = load_value(layer, place, 7u);
    let v8 = load_value(layer, place, 8u);
    let v9 = load_value(layer, place, 9u);
    let v10 = load_value(layer, place, 10u);
    let v11 = load_value(layer, place, 11u);
    let v12 = load_value(layer, place, 12u);
    let v13 = load_value(layer, place, 13u);
    let v14 = load_value(layer, place, 14u);
    let v15 = load_value(layer, place, 15u);
    let v16 = v0 + v8;
    let v17 = v0 - v8;
    let v18 = v4 + v12;
    let v19 = v4 - v12;
    let v20 = v16 + v18;
    let v21 = v16 - v18;
    let v22 = times_i(v19);
    let v23 = v17 - v22;
    let v24 = v17 + v22;
    let v25 = v2 + v10;
    let v26 = v2 - v10;
    let v27 = v6 + v14;
    let v28 = v6 - v14;
    let v29 = v25 + v27;
    let v30 = v25 - v27;
    let v31 = times_i(v28);
    let v32 = v26 - v31;
    let v33 = v26 + v31;
    let v34 = v20 + v29;
    let v35 = v20 - v29;
    let v36 = times_add(v32, vec2(0.70710677, -0.70710677), v23);
    let v37 = fma(v23, Element(2.0), -v36);
    let v38 = times_i(v30);
    let v39 = v21 - v38;
    let v40 = v21 + v38;
    let v41 = times_add(v33, vec2(-0.70710677, -0.70710677), v24);
    let v42 = fma(v24, Element(2.0), -v41);
    let v43 = v1 + v9;
    let v44 = v1 - v9;
    let v45 = v5 + v13;
    let v46 = v5 - v13;
    let v47 = v43 + v45;
    let v48 = v43 - v45;
    let v49 = times_i(v46);
    let v50 = v44 - v49;
    let v51 = v44 + v49;
    let v52 = v3 + v11;
    let v53 = v3 - v11;
    let v54 = v7 + v15;
    let v55 = v7 - v15;
    let v56 = v52 + v54;
    let v57 = v52 - v54;
    let v58 = times_i(v55);
    let v59 = v53 - v58;
    let v60 = v53 + v58;
    let v61 = v47 + v56;
    let v62 = v47 - v56;
    let v63 = times_add(v59, vec2(0.70710677, -0.70710677), v50);
    let v64 = fma(v50, Element(2.0), -v63);
    let v65 = times_i(v57);
    let v66 = v48 - v65;
    let v67 = v48 + v65;
    let v68 = times_add(v60, vec2(-0.70710677, -0.70710677), v51);
    let v69 = fma(v51, Element(2.0), -v68);
    let v70 = v34 + v61;
    let v71 = v34 - v61;
    let v72 = times_add(v63, vec2(0.9238795, -0.38268343), v36);
    let v73 = fma(v36, Element(2.0), -v72);
    let v74 = times_add(v66, vec2(0.70710677, -0.70710677), v39);
    let v75 = fma(v39, Element(2.0), -v74);
    let v76 = times_add(v68, vec2(0.38268343, -0.9238795), v41);
    let v77 = fma(v41, Element(2.0), -v76);
    let v78 = times_i(v62);
    let v79 = v35 - v78;
    let v80 = v35 + v78;
    let v81 = times_add(v64, vec2(-0.38268343, -0.9238795), v37);
    let v82 = fma(v37, Element(2.0), -v81);
    let v83 = times_add(v67, vec2(-0.70710677, -0.70710677), v40);
    let v84 = fma(v40, Element(2.0), -v83);
    let v85 = times_add(v69, vec2(-0.9238795, -0.38268343), v42);
    let v86 = fma(v42, Element(2.0), -v85);

    // Exchange, and stage 1.
    let v87 = slot(place, place.lane * 16u);
    let v88 = slot(place, place.lane);
    exchange[v87] = v70.x;
    exchange[slot_after(v87, 1u)] = v72.x;
    exchange[slot_after(v87, 2u)] = v74.x;
    exchange[slot_after(v87, 3u)] = v76.x;
    exchange[slot_after(v87, 4u)] = v79.x;
    exchange[slot_after(v87, 5u)] = v81.x;
    exchange[slot_after(v87, 6u)] = v83.x;
    exchange[slot_after(v87, 7u)] = v85.x;
    exchange[slot_after(v87, 8u)] = v71.x;
    exchange[slot_after(v87, 9u)] = v73.x;
    exchange[slot_after(v87, 10u)] = v75.x;
    exchange[slot_after(v87, 11u)] = v77.x;
    exchange[slot_after(v87, 12u)] = v80.x;
    exchange[slot_after(v87, 13u)] = v82.x;
    exchange[slot_after(v87, 14u)] = v84.x;
    exchange[slot_after(v87, 15u)] = v86.x;
    workgroupBarrier();
    let v89 = exchange[v88];
    let v90 = exchange[slot_after(v88, 16u)];
    let v91 = exchange[slot_after(v88, 32u)];
    let v92 = exchange[slot_after(v88, 48u)];
    let v93 = exchange[slot_after(v88, 64u)];
    let v94 = exchange[slot_after(v88, 80u)];
    let v95 = exchange[slot_after(v88, 96u)];
    let v96 = exchange[slot_after(v88, 112u)];
    let v97 = exchange[slot_after(v88, 128u)];
    let v98 = exchange[slot_after(v88, 144u)];
    let v99 = exchange[slot_after(v88, 160u)];
    let v100 = exchange[slot_after(v88, 176u)];
    let v101 = exchange[slot_after(v88, 192u)];
    let v102 = exchange[slot_after(v88, 208u)];
    let v103 = exchange[slot_after(v88, 224u)];
    let v104 = exchange[slot_after(v88, 240u)];
    workgroupBarrier();
    exchange[v87] = v70.y;
    exchange[slot_after(v87, 1u)] = v72.y;
    exchange[slot_after(v87, 2u)] = v74.y;
    exchange[slot_after(v87, 3u)] = v76.y;
    exchange[slot_after(v87, 4u)] = v79.y;
    exchange[slot_after(v87, 5u)] = v81.y;
    exchange[slot_after(v87, 6u)] = v83.y;
    exchange[slot_after(v87, 7u)] = v85.y;
    exchange[slot_after(v87, 8u)] = v71.y;
    exchange[slot_after(v87, 9u)] = v73.y;
    exchange[slot_after(v87, 10u)] = v75.y;
    exchange[slot_after(v87, 11u)] = v77.y;
    exchange[slot_after(v87, 12u)] = v80.y;
    exchange[slot_after(v87, 13u)] = v82.y;
    exchange[slot_after(v87, 14u)] = v84.y;
    exchange[slot_after(v87, 15u)] = v86.y;
    workgroupBarrier();
    let v105 = exchange[v88];
    let v106 = exchange[slot_after(v88, 16u)];
    let v107 = exchange[slot_after(v88, 32u)];
    let v108 = exchange[slot_after(v88, 48u)];
    let v109 = exchange[slot_after(v88, 64u)];
    let v110 = exchange[slot_after(v88, 80u)];
    let v111 = exchange[slot_after(v88, 96u)];
    let v112 = exchange[slot_after(v88, 112u)];
    let v113 = exchange[slot_after(v88, 128u)];
    let v114 = exchange[slot_after(v88, 144u)];
    let v115 = exchange[slot_after(v88, 160u)];
    let v116 = exchange[slot_after(v88, 176u)];
    let v117 = exchange[slot_after(v88, 192u)];
    let v118 = exchange[slot_after(v88, 208u)];
    let v119 = exchange[slot_after(v88, 224u)];
    let v120 = exchange[slot_after(v88, 240u)];
    let v121 = Element(v89, v105);
    let v122 = Element(v90, v106);
    let v123 = Element(v91, v107);
    let v124 = Element(v92, v108);
    let v125 = Element(v93, v109);
    let v126 = Element(v94, v110);
    let v127 = Element(v95, v111);
    let v128 = Element(v96, v112);
    let v129 = Element(v97, v113);
    let v130 = Element(v98, v114);
    let v131 = Element(v99, v115);
    let v132 = Element(v100, v116);
    let v133 = Element(v101, v117);
    let v134 = Element(v102, v118);
    let v135 = Element(v103, v119);
    let v136 = Element(v104, v120);
    let v137 = place.lane % 16u * 1u;
    let v138 = twiddle(1u * v137);
    let v139 = twiddle(1u * v137 + 16u);
    let v140 = twiddle(1u * v137 + 32u);
    let v141 = twiddle(1u * v137 + 48u);
    let v142 = twiddle(2u * v137);
    let v143 = twiddle(2u * v137 + 32u);
    let v144 = twiddle(4u * v137);
    let v145 = twiddle(8u * v137);
    let v146 = times_add(v129, v145, v121);
    let v147 = fma(v121, Element(2.0), -v146);
    let v148 = times_add(v133, v145, v125);
    let v149 = fma(v125, Element(2.0), -v148);
    let v150 = times_add(v148, v144, v146);
    let v151 = fma(v146, Element(2.0), -v150);
    let v152 = times_add(v149, vec2(v144.y, -v144.x), v147);
    let v153 = fma(v147, Element(2.0), -v152);
    let v154 = times_add(v131, v145, v123);
    let v155 = fma(v123, Element(2.0), -v154);
    let v156 = times_add(v135, v145, v127);
    let v157 = fma(v127, Element(2.0), -v156);
    let v158 = times_add(v156, v144, v154);
    let v159 = fma(v154, Element(2.0), -v158);
    let v160 = times_add(v157, vec2(v144.y, -v144.x), v155);
    let v161 = fma(v155, Element(2.0), -v160);
    let v162 = times_add(v158, v142, v150);
    let v163 = fma(v150, Element(2.0), -v162);
    let v164 = times_add(v160, v143, v152);
    let v165 = fma(v152, Element(2.0), -v164);
    let v166 = times_add(v159, vec2(v142.y, -v142.x), v151);
    let v167 = fma(v151, Element(2.0), -v166);
    let v168 = times_add(v161, vec2(v143.y, -v143.x), v153);
    let v169 = fma(v153, Element(2.0), -v168);
    let v170 = times_add(v130, v145, v122);
    let v171 = fma(v122, Element(2.0), -v170);
    let v172 = times_add(v134, v145, v126);
    let v173 = fma(v126, Element(2.0), -v172);
    let v174 = times_add(v172, v144, v170);
    let v175 = fma(v170, Element(2.0), -v174);
    let v176 = times_add(v173, vec2(v144.y, -v144.x), v171);
    let v177 = fma(v171, Element(2.0), -v176);
    let v178 = times_add(v132, v145, v124);
    let v179 = fma(v124, Element(2.0), -v178);
    let v180 = times_add(v136, v145, v128);
    let v181 = fma(v128, Element(2.0), -v180);
    let v182 = times_add(v180, v144, v178);
    let v183 = fma(v178, Element(2.0), -v182);
    let v184 = times_add(v181, vec2(v144.y, -v144.x), v179);
    let v185 = fma(v179, Element(2.0), -v184);
    let v186 = times_add(v182, v142, v174);
    let v187 = fma(v174, Element(2.0), -v186);
    let v188 = times_add(v184, v143, v176);
    let v189 = fma(v176, Element(2.0), -v188);
    let v190 = times_add(v183, vec2(v142.y, -v142.x), v175);
    let v191 = fma(v175, Element(2.0), -v190);
    let v192 = times_add(v185, vec2(v143.y, -v143.x), v177);
    let v193 = fma(v177, Element(2.0), -v192);
    let v194 = times_add(v186, v138, v162);
    let v195 = fma(v162, Element(2.0), -v194);
    let v196 = times_add(v188, v139, v164);
    let v197 = fma(v164, Element(2.0), -v196);
    let v198 = times_add(v190, v140, v166);
    let v199 = fma(v166, Element(2.0), -v198);
    let v200 = times_add(v192, v141, v168);
    let v201 = fma(v168, Element(2.0), -v200);
    let v202 = times_add(v187, vec2(v138.y, -v138.x), v163);
    let v203 = fma(v163, Element(2.0), -v202);
    let v204 = times_add(v189, vec2(v139.y, -v139.x), v165);
    let v205 = fma(v165, Element(2.0), -v204);
    let v206 = times_add(v191, vec2(v140.y, -v140.x), v167);
    let v207 = fma(v167, Element(2.0), -v206);
    let v208 = times_add(v193, vec2(v141.y, -v141.x), v169);
    let v209 = fma(v169, Element(2.0), -v208);

    store_value(layer, place, 0u, v194);
    store_value(layer, place, 1u, v196);
    store_value(layer, place, 2u, v198);
    store_value(layer, place, 3u, v200);
    store_value(layer, place, 4u, v202);
    store_value(layer, place, 5u, v204);
    store_value(layer, place, 6u, v206);
    store_value(layer, place, 7u, v208);
    store_value(layer, place, 8u, v195);
    store_value(layer, place, 9u, v197);
    store_value(layer, place, 10u, v199);
    store_value(layer, place, 11u, v201);
    store_value(layer, place, 12u, v203);
    store_value(layer, place, 13u, v205);
    store_value(layer, place, 14u, v207);
    store_value(layer, place, 15u, v209);
}
