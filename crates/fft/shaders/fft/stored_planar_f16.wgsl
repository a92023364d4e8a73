// How an element of layout `Planar` is kept in buffers: in 16-bit floats.

alias Stored = vec2<f16>;

fn to_stored(value: Element) -> Stored {
    return vec2<f16>(value);
}

fn from_stored(stored: Stored) -> Element {
    return vec2<f32>(stored);
}
