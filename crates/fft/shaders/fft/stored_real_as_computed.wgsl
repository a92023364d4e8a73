// How a real number is kept in buffers: as it is.

alias StoredReal = Real;

fn to_stored_real(value: Real) -> StoredReal {
    return value;
}

fn from_stored_real(stored: StoredReal) -> Real {
    return stored;
}
