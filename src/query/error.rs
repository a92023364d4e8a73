use crate::gpu::shader::ShaderError;
use crate::gpu::{Limit, ReadbackError};
use crate::ocean::OceanError;

/// The reasons why a query fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The option [`QueryOptions::in_flight`](super::QueryOptions::in_flight) is 0.
    #[error("in_flight is 0: it must be at least 1, so that a request can be in flight")]
    NoRequests,
    /// The option [`QueryOptions::capacity`](super::QueryOptions::capacity) is 0.
    #[error("capacity is 0: it must be at least 1, so that a request can have points")]
    NoPoints,
    /// The request has too many points.
    #[error("a request has {points} points, and QueryOptions::capacity is {capacity}")]
    Capacity {
        /// The number of requested points.
        points: usize,
        /// The option [`QueryOptions::capacity`](super::QueryOptions::capacity) that is exceeded.
        capacity: u32,
    },
    /// The device has no buffer for the requested number of points.
    #[error(
        "the device cannot hold requests of {capacity} points: they need {limit} = {needed}, and \
         it has {available}"
    )]
    Limit {
        /// The requested capacity in points.
        capacity: u32,
        /// The limit that is exceeded.
        limit: Limit,
        /// The value that the capacity needs.
        needed: u64,
        /// The value that the device was opened with.
        available: u64,
    },
    /// All requests are in flight. Poll the device, take answers, or ask for more requests at a time.
    #[error(
        "all {in_flight} requests are in flight: poll the device, take answers, or raise \
         QueryOptions::in_flight"
    )]
    Busy {
        /// The option [`QueryOptions::in_flight`](super::QueryOptions::in_flight) that is exhausted.
        in_flight: u32,
    },
    /// The request is for another time than the drawn one, and the queries have no maps for that.
    #[error("a query for a time ahead needs QueryOptions::ahead")]
    NotAhead,
    /// The ocean is not the one that the queries were made for.
    #[error("the queries were made for another ocean")]
    OtherOcean,
    /// The commands were dropped before submission, so there will be no answer.
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
