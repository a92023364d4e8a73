//! What people study: the algorithms and their parameters, the programs that they come to, how they
//! are timed and checked, and how the fastest is chosen by measuring.

mod copy;
pub mod cpu;
mod gate;
pub mod timing;
mod tuner;

pub use super::algorithms::{
    Algorithm, LineTuning, PingPong, StagePlan, Tuning, Twiddles, program,
};
pub use super::program::{Access, Dispatch, Kernel, Program, Role, Table};
pub use copy::copy_program;
pub use gate::{Accuracy, Gate, noise};
pub use tuner::{
    AlgorithmChoice, Candidate, HookGroups, Progress, ProgressCallback, TuneError, TuneOptions,
    Tuned, candidates, check_any, tune,
};
