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
