const ROWS: bool = true;
const SIGN: Real = 1.0;
const SCALE: Real = 1.0;
const TURN: u32 = 8388608u;
const TURN_REST: f32 = 0.0;
const LOAD_IS_CLIPPED: bool = false;
const LOAD_EXTENT: u32 = 512u;
const STORE_IS_CLIPPED: bool = false;
const STORE_EXTENT: u32 = 512u;
const WIDTH: u32 = 512u;
const HEIGHT: u32 = 512u;
const LOAD_WIDTH: u32 = 512u;
const LOAD_HEIGHT: u32 = 512u;
const LOAD_SLICE: u32 = 512u;
const STORE_WIDTH: u32 = 512u;
const STORE_HEIGHT: u32 = 512u;
const STORE_SLICE: u32 = 512u;
const IMAGE_LINES: u32 = 512u;
const LENGTH: u32 = 512u;
const LOG2_LENGTH: u32 = 9u;
const PERIOD: u32 = 512u;
const TABLE_STEP: u32 = 1u;
const WORKGROUP_SIZE: u32 = 128u;
const LINES: u32 = 2u;
const LANES: u32 = 64u;
const LANES_ABREAST: u32 = 4u;
const IMAGES_ABREAST: u32 = 1u;
const PADDING: u32 = 8u;
const LINE_SLOTS: u32 = 576u;
const LINES_ABREAST: u32 = 2u;
const TILE_ROWS: u32 = 64u;
const TILE_COLUMNS: u32 = 4u;
const LAYERS_PER_PREPARE: u32 = 2u;
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

// An image between its row pass and its column pass, where nobody else looks: in tiles of as many
// columns as a workgroup of the column pass transforms, and of more rows than one of the row pass
// does. A tile is contiguous: what a workgroup of the column pass reads lies in pieces of whole cache
// lines, and few of them, and what neighbouring workgroups of the row pass write at a time, side by
// side. In row-major order the column pass would touch a few elements of every row.

// Place of (x, y) in a layer. Its tile begins at ((y / TILE_ROWS) (WIDTH / TILE_COLUMNS) + x / TILE_COLUMNS)
// TILE_ROWS TILE_COLUMNS. In the tile it is number (y mod TILE_ROWS) TILE_COLUMNS + x mod TILE_COLUMNS. In the form
// below, a constant step along a line that is a multiple of a tile's side only adds a constant, which compilers find.
fn in_tiles(y: u32, x: u32) -> u32 {
    var row = y * TILE_COLUMNS;
    if (TILE_ROWS < HEIGHT) {
        row = y * WIDTH - (y % TILE_ROWS) * (WIDTH - TILE_COLUMNS);
    }
    return row + x * TILE_ROWS - (x % TILE_COLUMNS) * (TILE_ROWS - 1u);
}
// The buffer that a kernel stores to.

@group(0) @binding(1) var<storage, read_write> destination: array<Stored>;
// Where a kernel's values go: as in store.wgsl, but each layer in tiles.





fn store(layer: u32, y: u32, x: u32, value: Element) {
    destination[layer * HEIGHT * WIDTH + in_tiles(y, x)] = to_stored(value);
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

alias Prepared = Element;
fn prepare(group: u32, y: u32, x: u32) -> Prepared {
    return Element(f32(group + y + x));
}
fn load_prepared(prepared: Prepared, layer: u32, y: u32, x: u32) -> Element {
    return prepared * f32(1u + layer % 2u);
}
// For kernels that load one layer at a time, from a hook that prepares several.

fn load(layer: u32, y: u32, x: u32) -> Element {
    return load_prepared(prepare(layer / LAYERS_PER_PREPARE, y, x), layer, y, x);
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
// For register-tiled kernels that transform layers in turn, from what a load hook prepared once for
// `group` of them.

fn prepare_value(group: u32, place: Place, m: u32) -> Prepared {
    let at = value_at(place, m);
    return prepare(group, at.y, at.x);
}

fn load_prepared_value(prepared: Prepared, layer: u32, place: Place, m: u32) -> Element {
    let at = value_at(place, m);
    return load_prepared(prepared, layer, at.y, at.x);
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

// 512 = 8 x 8 x 8, 8 values in each of 64 invocations
fn transform_line(group: u32, place: Place) {
    let v0 = prepare_value(group, place, 0u);
    let v1 = prepare_value(group, place, 1u);
    let v2 = prepare_value(group, place, 2u);
    let v3 = prepare_value(group, place, 3u);
    let v4 = prepare_value(group, place, 4u);
    let v5 = prepare_value(group, place, 5u);
    let v6 = prepare_value(group, place, 6u);
    let v7 = prepare_value(group, place, 7u);
    let v8 = place.lane % 8u * 8u;
    let v9 = twiddle(1u * v8);
    let v10 = twiddle_product(v9, vec2(0.70710677, 0.70710677));
    let v11 = twiddle_square(v9);
    let v12 = twiddle_square(v11);
    let v13 = place.lane % 64u * 1u;
    let v14 = twiddle(1u * v13);
    let v15 = twiddle_product(v14, vec2(0.70710677, 0.70710677));
    let v16 = twiddle_square(v14);
    let v17 = twiddle_square(v16);

    for (var number = 0u; number < 2u; number += 1u) {
        let v18 = group * 2u + number;
        let v19 = load_prepared_value(v0, v18, place, 0u);
        let v20 = load_prepared_value(v1, v18, place, 1u);
        let v21 = load_prepared_value(v2, v18, place, 2u);
        let v22 = load_prepared_value(v3, v18, place, 3u);
        let v23 = load_prepared_value(v4, v18, place, 4u);
        let v24 = load_prepared_value(v5, v18, place, 5u);
        let v25 = load_prepared_value(v6, v18, place, 6u);
        let v26 = load_prepared_value(v7, v18, place, 7u);
        let v27 = v19 + v23;
        let v28 = v19 - v23;
        let v29 = v21 + v25;
        let v30 = v21 - v25;
        let v31 = v27 + v29;
        let v32 = v27 - v29;
        let v33 = times_i(v30);
        let v34 = v28 + v33;
        let v35 = v28 - v33;
        let v36 = v20 + v24;
        let v37 = v20 - v24;
        let v38 = v22 + v26;
        let v39 = v22 - v26;
        let v40 = v36 + v38;
        let v41 = v36 - v38;
        let v42 = times_i(v39);
        let v43 = v37 + v42;
        let v44 = v37 - v42;
        let v45 = v31 + v40;
        let v46 = v31 - v40;
        let v47 = times_add(v43, vec2(0.70710677, 0.70710677), v34);
        let v48 = fma(v34, Element(2.0), -v47);
        let v49 = times_i(v41);
        let v50 = v32 + v49;
        let v51 = v32 - v49;
        let v52 = times_add(v44, vec2(-0.70710677, 0.70710677), v35);
        let v53 = fma(v35, Element(2.0), -v52);

        // Exchange, and stage 1.
        let v54 = slot(place, place.lane * 8u);
        let v55 = slot(place, place.lane);
        workgroupBarrier();
        exchange[v54] = v45.xy;
        exchange[slot_after(v54, 1u)] = v47.xy;
        exchange[slot_after(v54, 2u)] = v50.xy;
        exchange[slot_after(v54, 3u)] = v52.xy;
        exchange[slot_after(v54, 4u)] = v46.xy;
        exchange[slot_after(v54, 5u)] = v48.xy;
        exchange[slot_after(v54, 6u)] = v51.xy;
        exchange[slot_after(v54, 7u)] = v53.xy;
        workgroupBarrier();
        let v56 = exchange[v55];
        let v57 = exchange[slot_after(v55, 64u)];
        let v58 = exchange[slot_after(v55, 128u)];
        let v59 = exchange[slot_after(v55, 192u)];
        let v60 = exchange[slot_after(v55, 256u)];
        let v61 = exchange[slot_after(v55, 320u)];
        let v62 = exchange[slot_after(v55, 384u)];
        let v63 = exchange[slot_after(v55, 448u)];
        workgroupBarrier();
        exchange[v54] = v45.zw;
        exchange[slot_after(v54, 1u)] = v47.zw;
        exchange[slot_after(v54, 2u)] = v50.zw;
        exchange[slot_after(v54, 3u)] = v52.zw;
        exchange[slot_after(v54, 4u)] = v46.zw;
        exchange[slot_after(v54, 5u)] = v48.zw;
        exchange[slot_after(v54, 6u)] = v51.zw;
        exchange[slot_after(v54, 7u)] = v53.zw;
        workgroupBarrier();
        let v64 = exchange[v55];
        let v65 = exchange[slot_after(v55, 64u)];
        let v66 = exchange[slot_after(v55, 128u)];
        let v67 = exchange[slot_after(v55, 192u)];
        let v68 = exchange[slot_after(v55, 256u)];
        let v69 = exchange[slot_after(v55, 320u)];
        let v70 = exchange[slot_after(v55, 384u)];
        let v71 = exchange[slot_after(v55, 448u)];
        let v72 = Element(v56, v64);
        let v73 = Element(v57, v65);
        let v74 = Element(v58, v66);
        let v75 = Element(v59, v67);
        let v76 = Element(v60, v68);
        let v77 = Element(v61, v69);
        let v78 = Element(v62, v70);
        let v79 = Element(v63, v71);
        let v80 = times_add(v76, v12, v72);
        let v81 = fma(v72, Element(2.0), -v80);
        let v82 = times_add(v78, v12, v74);
        let v83 = fma(v74, Element(2.0), -v82);
        let v84 = times_add(v82, v11, v80);
        let v85 = fma(v80, Element(2.0), -v84);
        let v86 = times_add(v83, vec2(-v11.y, v11.x), v81);
        let v87 = fma(v81, Element(2.0), -v86);
        let v88 = times_add(v77, v12, v73);
        let v89 = fma(v73, Element(2.0), -v88);
        let v90 = times_add(v79, v12, v75);
        let v91 = fma(v75, Element(2.0), -v90);
        let v92 = times_add(v90, v11, v88);
        let v93 = fma(v88, Element(2.0), -v92);
        let v94 = times_add(v91, vec2(-v11.y, v11.x), v89);
        let v95 = fma(v89, Element(2.0), -v94);
        let v96 = times_add(v92, v9, v84);
        let v97 = fma(v84, Element(2.0), -v96);
        let v98 = times_add(v94, v10, v86);
        let v99 = fma(v86, Element(2.0), -v98);
        let v100 = times_add(v93, vec2(-v9.y, v9.x), v85);
        let v101 = fma(v85, Element(2.0), -v100);
        let v102 = times_add(v95, vec2(-v10.y, v10.x), v87);
        let v103 = fma(v87, Element(2.0), -v102);

        // Exchange, and stage 2.
        let v104 = slot(place, place.lane / 8u * 64u + place.lane % 8u);
        let v105 = slot(place, place.lane);
        workgroupBarrier();
        exchange[v104] = v96.xy;
        exchange[slot_after(v104, 8u)] = v98.xy;
        exchange[slot_after(v104, 16u)] = v100.xy;
        exchange[slot_after(v104, 24u)] = v102.xy;
        exchange[slot_after(v104, 32u)] = v97.xy;
        exchange[slot_after(v104, 40u)] = v99.xy;
        exchange[slot_after(v104, 48u)] = v101.xy;
        exchange[slot_after(v104, 56u)] = v103.xy;
        workgroupBarrier();
        let v106 = exchange[v105];
        let v107 = exchange[slot_after(v105, 64u)];
        let v108 = exchange[slot_after(v105, 128u)];
        let v109 = exchange[slot_after(v105, 192u)];
        let v110 = exchange[slot_after(v105, 256u)];
        let v111 = exchange[slot_after(v105, 320u)];
        let v112 = exchange[slot_after(v105, 384u)];
        let v113 = exchange[slot_after(v105, 448u)];
        workgroupBarrier();
        exchange[v104] = v96.zw;
        exchange[slot_after(v104, 8u)] = v98.zw;
        exchange[slot_after(v104, 16u)] = v100.zw;
        exchange[slot_after(v104, 24u)] = v102.zw;
        exchange[slot_after(v104, 32u)] = v97.zw;
        exchange[slot_after(v104, 40u)] = v99.zw;
        exchange[slot_after(v104, 48u)] = v101.zw;
        exchange[slot_after(v104, 56u)] = v103.zw;
        workgroupBarrier();
        let v114 = exchange[v105];
        let v115 = exchange[slot_after(v105, 64u)];
        let v116 = exchange[slot_after(v105, 128u)];
        let v117 = exchange[slot_after(v105, 192u)];
        let v118 = exchange[slot_after(v105, 256u)];
        let v119 = exchange[slot_after(v105, 320u)];
        let v120 = exchange[slot_after(v105, 384u)];
        let v121 = exchange[slot_after(v105, 448u)];
        let v122 = Element(v106, v114);
        let v123 = Element(v107, v115);
        let v124 = Element(v108, v116);
        let v125 = Element(v109, v117);
        let v126 = Element(v110, v118);
        let v127 = Element(v111, v119);
        let v128 = Element(v112, v120);
        let v129 = Element(v113, v121);
        let v130 = times_add(v126, v17, v122);
        let v131 = fma(v122, Element(2.0), -v130);
        let v132 = times_add(v128, v17, v124);
        let v133 = fma(v124, Element(2.0), -v132);
        let v134 = times_add(v132, v16, v130);
        let v135 = fma(v130, Element(2.0), -v134);
        let v136 = times_add(v133, vec2(-v16.y, v16.x), v131);
        let v137 = fma(v131, Element(2.0), -v136);
        let v138 = times_add(v127, v17, v123);
        let v139 = fma(v123, Element(2.0), -v138);
        let v140 = times_add(v129, v17, v125);
        let v141 = fma(v125, Element(2.0), -v140);
        let v142 = times_add(v140, v16, v138);
        let v143 = fma(v138, Element(2.0), -v142);
        let v144 = times_add(v141, vec2(-v16.y, v16.x), v139);
        let v145 = fma(v139, Element(2.0), -v144);
        let v146 = times_add(v142, v14, v134);
        let v147 = fma(v134, Element(2.0), -v146);
        let v148 = times_add(v144, v15, v136);
        let v149 = fma(v136, Element(2.0), -v148);
        let v150 = times_add(v143, vec2(-v14.y, v14.x), v135);
        let v151 = fma(v135, Element(2.0), -v150);
        let v152 = times_add(v145, vec2(-v15.y, v15.x), v137);
        let v153 = fma(v137, Element(2.0), -v152);

        store_value(v18, place, 0u, v146);
        store_value(v18, place, 1u, v148);
        store_value(v18, place, 2u, v150);
        store_value(v18, place, 3u, v152);
        store_value(v18, place, 4u, v147);
        store_value(v18, place, 5u, v149);
        store_value(v18, place, 6u, v151);
        store_value(v18, place, 7u, v153);
    }
}
