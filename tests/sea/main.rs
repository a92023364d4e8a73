//! The sea on a GPU: the simulation, what asks it for its surface, and the frames that show it.

mod eye;
mod foam;
mod frame;
mod layers;
mod maps;
mod mirror;
mod objects;
#[cfg(feature = "tune")]
mod ocean;
mod pictures;
mod query;
mod reload;
mod sampling;
mod studio;
#[path = "../support/tone.rs"]
mod tone_twin;
mod underwater;

/// Tests whose results are the same on any adapter. The checks on a second one leave them out
/// (.config/nextest.toml).
mod once {
    mod stability;
}
