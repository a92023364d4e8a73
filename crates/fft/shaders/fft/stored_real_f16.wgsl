// How a real number is kept in buffers: in a 16-bit float.

alias StoredReal = f16;

fn to_stored_real(value: Real) -> StoredReal {
    return f16(value);
}

fn from_stored_real(stored: StoredReal) -> Real {
    return f32(stored);
}
