// How an element of layout `Pair` is kept in buffers: in 16-bit floats, which every device packs.

alias Stored = vec2<u32>;

fn to_stored(value: Element) -> Stored {
    return vec2(pack2x16float(value.xy), pack2x16float(value.zw));
}

fn from_stored(stored: Stored) -> Element {
    return vec4(unpack2x16float(stored.x), unpack2x16float(stored.y));
}
