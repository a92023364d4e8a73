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
//!
//! Choosing an algorithm, by what is known and by measuring:
//!
//! ```no_run
//! use seaway_fft::Descriptor;
//! use seaway_fft::gpu::Capabilities;
//! use seaway_fft::lab::{
//!     TuneOptions, by_rule, candidates, choose, copy_program, requirements, sweep, tune,
//! };
//!
//! # async fn f(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), Box<dyn std::error::Error>> {
//! let task = Descriptor::image([512, 512]);
//! let capabilities = Capabilities::of(device);
//! let (by_table, by_rule) = (choose(&task, &capabilities)?, by_rule(&task, &capabilities)?);
//! println!("{by_table:?} by the table, {by_rule:?} by rule");
//! println!("{:?}", requirements(&task, &capabilities)?);
//! println!("{} candidates", candidates(&task, &capabilities).len());
//! // The fastest on this device, and all of them; a plain copy of the same bytes is the bound.
//! let tuned = tune(device, queue, &task, TuneOptions::of(device)).await?;
//! println!("{:?}: {} us", tuned.configuration, tuned.median_us);
//! for ranked in sweep(device, queue, &task, TuneOptions::of(device)).await? {
//!     println!("{:?}: {} us", ranked.configuration, ranked.median_us);
//! }
//! println!("{:?}", copy_program(&task, &capabilities)?.dispatches);
//! # Ok(())
//! # }
//! ```

pub mod additive;
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
mod waiting;
mod workload;

pub use super::algorithms::{LinePlan, StagePlan};
pub use super::configuration::{
    Algorithm, Configuration, Entry, Field, GlobalParameters, LineParameters, LineShape,
    MultipassParameters, Parameters, PassParameters, PingPong, RegisterTiledLine,
    RegisterTiledParameters, SmoothLine, SmoothParameters, TransposeParameters, Twiddles, Value,
};
pub use super::planner::{by_rule, choose, program, requirements};
pub use super::program::{Access, Dispatch, Image, Kernel, Program, Role, Table};
pub use check::{Expected, References};
pub use clock_step::{ClockStep, to_known, to_multiple};
pub use copy::{copy_program, without_arithmetic};
pub use data::{Layers, Stored, ends, input};
pub use gate::{Accuracy, Gate, noise};
pub use reference::{Array, Shape};
pub use tuner::{
    AlgorithmChoice, HookGroups, Progress, ProgressCallback, Ranked, TuneError, TuneOptions, Tuned,
    candidates, sweep, tune,
};
#[cfg(feature = "tune")]
pub use tuner::{Origin, Store, choose as choose_tuned};
pub use waiting::waiting_workgroups;
pub use workload::{MAX_SETS, Workload, WorkloadError};
