//! Why a question has no answer.

use crate::gpu::shader::ShaderError;
use crate::gpu::{Limit, ReadbackError};
use crate::ocean::OceanError;

/// Why the sea cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// [`QueryOptions::in_flight`](super::QueryOptions::in_flight) is 0.
    #[error("in_flight is 0: it must be at least 1, so that a request can be under way")]
    NoRequests,
    /// [`QueryOptions::capacity`](super::QueryOptions::capacity) is 0.
    #[error("no point could ever be asked about: capacity is 0, and has to be 1 at least")]
    NoPoints,
    /// More points than there is room for.
    #[error("a request has {points} points, and QueryOptions::capacity is {capacity}")]
    Capacity {
        /// Points asked about.
        points: usize,
        /// [`QueryOptions::capacity`](super::QueryOptions::capacity).
        capacity: u32,
    },
    /// The device has no buffer for so many points.
    #[error(
        "the device cannot hold requests of {capacity} points: they need {limit} = {needed}, and \
         it has {available}"
    )]
    Limit {
        /// The capacity asked for.
        capacity: u32,
        /// The limit.
        limit: Limit,
        /// What so many points need.
        needed: u64,
        /// What the device was opened with.
        available: u64,
    },
    /// All requests are under way. Poll the device, take answers, or ask for more requests at a time.
    #[error(
        "all {in_flight} requests are under way: poll the device, take answers, or raise \
         QueryOptions::in_flight"
    )]
    Busy {
        /// [`QueryOptions::in_flight`](super::QueryOptions::in_flight).
        in_flight: u32,
    },
    /// The sea at another time than the drawn one was asked for, and there are no maps for that.
    #[error("a query for a time ahead needs QueryOptions::ahead")]
    NotAhead,
    /// Another ocean than the one that the queries were made for.
    #[error("the queries were made for another ocean")]
    OtherOcean,
    /// The commands were dropped before they were submitted: there will be no answer.
    #[error("the commands of the request were dropped before they were submitted")]
    NotSubmitted,
    /// The device was lost before the answer came back.
    #[error("the device was lost before the answer came back")]
    Lost,
    /// The answer did not come back.
    #[error(transparent)]
    Readback(#[from] ReadbackError),
    /// The ocean's twin for velocities or other times cannot be made.
    #[error(transparent)]
    Ocean(#[from] OceanError),
    /// A shader file on disk was broken; the embedded ones are sound.
    #[error(transparent)]
    Shader(#[from] ShaderError),
}
