//! The `seaway` program: the window, and the same frames and transforms without one.

fn main() -> std::process::ExitCode {
    seaway::main()
}
