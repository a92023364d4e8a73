// How an element of layout `Pair` is kept in buffers: in 16-bit floats, which every device packs.
//
// Times 512: what is below 2^-23 then loses bits, where it would be below 2^-14, as much of a calm sea
// is between its passes. What is beyond 90 is not kept, but ends there. The sum of 512 such values, each
// turned anyhow, is below 65504, the largest 16-bit float.

alias Stored = vec2<u32>;

const PACKED_SCALE: f32 = 512.0;
const PACKED_MOST: f32 = 46304.0;

fn to_stored(value: Element) -> Stored {
    let scaled = clamp(value * PACKED_SCALE, Element(-PACKED_MOST), Element(PACKED_MOST));
    return vec2(pack2x16float(scaled.xy), pack2x16float(scaled.zw));
}

fn from_stored(stored: Stored) -> Element {
    return vec4(unpack2x16float(stored.x), unpack2x16float(stored.y)) / PACKED_SCALE;
}
