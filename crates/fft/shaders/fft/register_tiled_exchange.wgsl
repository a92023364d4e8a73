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
