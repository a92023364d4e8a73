//! A request in flight, and its answer.

use std::sync::Arc;

use super::gpu::Slot;
use super::gpu_data::QueryAnswer;
use super::{QueryError, SurfacePoint};
use crate::gpu::ReadbackError;

/// A request whose answer is in flight. Dropping it cancels the request, at no more than the cost of an
/// unread answer.
#[derive(Debug)]
pub struct Request {
    pub(super) number: u64,
    pub(super) time_s: f64,
    pub(super) origin_m: [f64; 2],
    pub(super) points: usize,
    pub(super) has_velocity: bool,
    /// `None` once the request is answered.
    pub(super) slot: Option<Arc<Slot>>,
}

/// The surface at the points of a [`Request`].
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The [`Request::number`] of the request.
    pub request: u64,
    /// The time of the sea.
    pub time_s: f64,
    /// The surface at each point, in the order of the request.
    pub points: Vec<SurfacePoint>,
}

impl Request {
    /// The number of the request among those of its queries, from 0.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The time of the queried sea.
    pub fn time_s(&self) -> f64 {
        self.time_s
    }

    /// Returns whether the answer, or an error, has been given.
    pub fn is_answered(&self) -> bool {
        self.slot.is_none()
    }

    /// Returns the answer once it has arrived, and `None` before and after. It never waits. An answer
    /// arrives by a poll of the device, or another submission.
    ///
    /// # Errors
    /// [`QueryError::NotSubmitted`] where the commands were dropped, [`QueryError::Lost`] where the
    /// device was lost.
    pub fn answer(&mut self) -> Option<Result<Answer, QueryError>> {
        let (request, time_s) = (self.number, self.time_s);
        self.answer_with(|points| Answer { request, time_s, points: points.collect() })
    }

    /// Passes the surface at each of the points to `read`, in order, as [`Request::answer`] returns it.
    /// It does not allocate.
    ///
    /// # Errors
    /// Those of [`Request::answer`].
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
            let in_world = |from_origin: [f32; 2]| {
                [0, 1].map(|i| self.origin_m[i] + f64::from(from_origin[i]))
            };
            SurfacePoint {
                height_m: found.height_m.into(),
                normal: found.normal.map(f64::from),
                velocity_mps: self.has_velocity.then(|| found.velocity_mps.map(f64::from)),
                position_m: in_world(found.position),
                at_rest_m: in_world(found.at_rest),
                jacobian: found.jacobian.into(),
                residual_m: found.residual_m.into(),
            }
        })
    }
}
