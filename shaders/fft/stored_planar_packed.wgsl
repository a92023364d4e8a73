// How an element of layout `Planar` is kept in buffers: in 16-bit floats, which every device packs.

alias Stored = u32;

fn to_stored(value: Element) -> Stored {
    return pack2x16float(value);
}

fn from_stored(stored: Stored) -> Element {
    return unpack2x16float(stored);
}
