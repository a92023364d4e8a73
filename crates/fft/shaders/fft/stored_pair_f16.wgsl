// How an element of layout `Pair` is kept in buffers: in 16-bit floats.

alias Stored = vec4<f16>;

fn to_stored(value: Element) -> Stored {
    return vec4<f16>(value);
}

fn from_stored(stored: Stored) -> Element {
    return vec4<f32>(stored);
}
