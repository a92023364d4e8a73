//! The study of transforms: the algorithms and their parameters, the programs that result, timing and
//! checking, and choosing the fastest by measuring.
//!
//! ```
//! use seaway_fft::Descriptor;
//! use seaway_fft::gpu::Capabilities;
//! use seaway_fft::lab::{Algorithm, Configuration, Value, program};
//!
//! // No GPU is needed to see the kernels of a transform.
//! let mut configuration = Configuration::from(Algorithm::StockhamR8);
//! configuration.set("row-lines", Some(Value::Integer(2)))?;
//! let descriptor = Descriptor::image([512, 512]).by(configuration);
//! let program = program(&descriptor, &Capabilities::webgpu_defaults())?;
//! for dispatch in &program.dispatches {
//!     println!("{dispatch:?}");
//! }
//! println!("{}", program.kernels[0].wgsl);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod clock_step;
mod copy;
pub mod cpu;
pub mod data;
mod gate;
pub mod reference;
pub mod scope;
pub mod timing;
mod tuner;
mod workload;

pub use super::algorithms::{LinePlan, StagePlan};
pub use super::configuration::{
    Algorithm, Configuration, Entry, Field, GlobalParameters, LineParameters, LineShape,
    Parameters, PassParameters, PingPong, RegisterTiledLine, RegisterTiledParameters, SmoothLine,
    SmoothParameters, TransposeParameters, Twiddles, Value,
};
pub use super::planner::{by_rule, choose, program, requirements};
pub use super::program::{Access, Dispatch, Kernel, Program, Role, Table};
pub use check::{Expected, References};
pub use clock_step::{ClockStep, to_known, to_multiple};
pub use copy::copy_program;
pub use data::{Stored, input};
pub use gate::{Accuracy, Gate, noise};
pub use reference::{Array, Shape};
pub use tuner::{
    AlgorithmChoice, HookGroups, Progress, ProgressCallback, Ranked, TuneError, TuneOptions, Tuned,
    candidates, sweep, tune,
};
#[cfg(feature = "tune")]
pub use tuner::{Origin, Store, choose as choose_tuned};
pub use workload::{MAX_SETS, Workload, WorkloadError};
