//! `shaders/` is part of the library: a new file there builds it again.

fn main() {
    println!("cargo::rerun-if-changed=shaders");
}
