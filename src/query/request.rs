//! A question that is under way, and its answer.

use std::sync::Arc;

use super::gpu::Slot;
use super::gpu_data::QueryAnswer;
use super::{QueryError, SurfacePoint};
use crate::gpu::ReadbackError;

/// What was asked, while the answer is under way. Dropping it forgets the question, which costs no more
/// than the answer that nobody reads.
#[derive(Debug)]
pub struct Request {
    pub(super) number: u64,
    pub(super) time_s: f64,
    pub(super) origin_m: [f64; 2],
    pub(super) points: usize,
    pub(super) has_velocity: bool,
    /// `None` once it is answered.
    pub(super) slot: Option<Arc<Slot>>,
}

/// The surface at the points of a [`Request`].
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// [`Request::number`].
    pub request: u64,
    /// The time of the sea.
    pub time_s: f64,
    /// One for each point, in the order in which they were asked about.
    pub points: Vec<SurfacePoint>,
}

impl Request {
    /// Counts the requests of some queries, from 0.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The time of the sea that is asked about.
    pub fn time_s(&self) -> f64 {
        self.time_s
    }

    /// The answer has been given, or that there is none.
    pub fn is_answered(&self) -> bool {
        self.slot.is_none()
    }

    /// The answer, if it is here: once, and `None` before and after. Never waits. It takes a poll of the
    /// device, or another submission, for it to come.
    ///
    /// # Errors
    /// [`QueryError::NotSubmitted`] where the commands were dropped, [`QueryError::Lost`] where the
    /// device was lost.
    pub fn answer(&mut self) -> Option<Result<Answer, QueryError>> {
        let (request, time_s) = (self.number, self.time_s);
        self.answer_with(|points| Answer { request, time_s, points: points.collect() })
    }

    /// As [`Request::answer`], handing the surface at each of the points to `read`, in their order:
    /// allocates nothing.
    ///
    /// # Errors
    /// As [`Request::answer`].
    pub fn answer_with<R>(
        &mut self,
        read: impl FnOnce(&mut dyn Iterator<Item = SurfacePoint>) -> R,
    ) -> Option<Result<R, QueryError>> {
        let readback = &self.slot.as_ref()?.readback;
        let answer = readback.read(|bytes| read(&mut self.points(bytes)))?;
        self.slot = None;
        Some(answer.map_err(|error| match error {
            ReadbackError::NotSubmitted => QueryError::NotSubmitted,
            ReadbackError::Map(_) => QueryError::Lost,
            error => QueryError::Readback(error),
        }))
    }

    fn points<'a>(&'a self, bytes: &'a [u8]) -> impl Iterator<Item = SurfacePoint> + 'a {
        let stride = size_of::<QueryAnswer>();
        bytes.chunks_exact(stride).take(self.points).map(|bytes| {
            let found: QueryAnswer = bytemuck::pod_read_unaligned(bytes);
            SurfacePoint {
                height_m: found.height_m.into(),
                normal: found.normal.map(f64::from),
                velocity_mps: self.has_velocity.then(|| found.velocity_mps.map(f64::from)),
                at_rest_m: [0, 1].map(|i| self.origin_m[i] + f64::from(found.at_rest[i])),
                jacobian: found.jacobian.into(),
                residual_m: found.residual_m.into(),
            }
        })
    }
}
