//! The `seaway` program: the window, and the same frames and transforms without one.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
