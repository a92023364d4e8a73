// The 16-bit floats of stored_pair_packed.wgsl, where the device has such a type: a limit takes half as many steps in
// it. A value that is too large for the type is infinite, and then ends at the limit, too.

alias Stored = vec4<f16>;

const PACKED_SCALE: f32 = 512.0;
const PACKED_MOST: f16 = 46304.0h;

fn to_stored(value: Element) -> Stored {
    let scaled = vec4<f16>(value * PACKED_SCALE);
    return clamp(scaled, Stored(-PACKED_MOST), Stored(PACKED_MOST));
}

fn from_stored(stored: Stored) -> Element {
    return Element(stored) / PACKED_SCALE;
}
