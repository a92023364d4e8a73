//! The water around an eye, without waiting.

use super::patch::Patch;
use super::{EyeLevel, POINTS, Water, points};
use crate::frame::Frame;
use crate::ocean::Ocean;
use crate::profile::Recorder;
use crate::query::{Queries, QueryError, QueryOptions, Request, When};

const IN_FLIGHT: usize = 3;

/// The most frames after its request that an answer is used.
const MOST_FRAMES: u64 = 8;

/// An eye that moves farther in a frame has jumped.
const MOST_FLOWN_M: f64 = 50.0;

/// Follows the water around the eye of a window, from answers that come a frame or two late. Once warm
/// it does not allocate; where the eye is above all waves, it sends no requests.
///
/// A frame requests the water of its own time, at the predicted place of the eye when the answer
/// arrives. The last two answers are extrapolated to the time and place of the drawn frame.
///
/// ```no_run
/// use seaway::eye::{EyeLevel, EyeTracker};
/// use seaway::frame::{Frame, FrameDesc};
/// use seaway::profile::Recorder;
///
/// // Every frame; `EyeTracker::new` makes the tracker once.
/// fn record(
///     eye: &mut EyeTracker,
///     frame: &mut Frame,
///     recorder: &mut Recorder<'_>,
///     mut desc: FrameDesc,
///     target: &wgpu::TextureView,
/// ) {
///     let eye_level = EyeLevel::OnWater { height_m: EyeLevel::STANDING_M };
///     let camera = &mut desc.camera;
///     let eye_m = [camera.x_m, camera.y_m, camera.z_m];
///     if let Some(water) = eye.water(frame, eye_level, eye_m, desc.time_s) {
///         camera.y_m = eye_level.height_m(camera.y_m, &water);
///     }
///     frame.record(recorder, &desc, target);
///     eye.record(recorder, frame);
/// }
/// ```
#[derive(Debug)]
pub struct EyeTracker {
    queue: wgpu::Queue,
    /// The queries, or `None` after an error.
    queries: Option<Queries>,
    /// The ocean's number of the sea, and the number of seas so far.
    sea_number: u64,
    seas: u64,
    under_way: [Option<Asked>; IN_FLIGHT],
    newest: Option<Answered>,
    before: Option<Patch>,
    frame: u64,
    /// The frames from a request to its answer.
    lag: u64,
    /// The place of the eye in the frame before.
    last_m: Option<[f64; 2]>,
    wanted: Option<Wanted>,
}

#[derive(Clone, Copy, Debug)]
struct Wanted {
    place_m: [f64; 2],
    time_s: f64,
}

#[derive(Debug)]
struct Asked {
    request: Request,
    place_m: [f64; 2],
    sea: u64,
    frame: u64,
}

#[derive(Clone, Copy, Debug)]
struct Answered {
    patch: Patch,
    frame: u64,
}

impl EyeTracker {
    /// Follows the eye of `frame`'s pictures.
    ///
    /// # Errors
    /// [`QueryError`] where the device cannot query the frame's ocean.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        frame: &Frame,
    ) -> Result<Self, QueryError> {
        let options = QueryOptions {
            capacity: POINTS as u32,
            in_flight: IN_FLIGHT as u32,
            velocity: false,
            ahead: false,
        };
        Ok(Self {
            queries: Some(Queries::new(device, queue, frame.ocean(), options)?),
            queue: queue.clone(),
            sea_number: frame.ocean().sea_number(),
            seas: 0,
            under_way: Default::default(),
            newest: None,
            before: None,
            frame: 0,
            lag: 2,
            last_m: None,
            wanted: None,
        })
    }

    /// Continues from `other`, which followed the eye of another frame, until this one has answers.
    pub fn go_on_from(&mut self, other: &Self) {
        self.newest = other.newest;
        self.before = None;
        self.frame = other.frame;
        self.lag = other.lag;
        self.last_m = other.last_m;
        self.seas = other.seas + 1;
    }

    /// The water around an eye at `eye_m` (x, y, z) in the picture of `time_s`, as far as it is known:
    /// `None` before the first answers, and where it has [no effect](EyeLevel::needs_water). Call it once
    /// for every frame, before recording.
    pub fn water(
        &mut self,
        frame: &Frame,
        eye_level: EyeLevel,
        eye_m: [f64; 3],
        time_s: f64,
    ) -> Option<Water> {
        self.frame += 1;
        self.take_answers();
        self.follow(frame.ocean());
        let place_m = [eye_m[0], eye_m[2]];
        let last_m = self.last_m.replace(place_m).unwrap_or(place_m);
        self.wanted = None;
        if !eye_level.needs_water(eye_m[1], frame.sea_bounds()) {
            return None;
        }
        self.wanted = Some(Wanted { place_m: ahead(last_m, place_m, self.lag), time_s });
        let newest = self.newest.filter(|newest| self.frame - newest.frame <= MOST_FRAMES)?;
        Some(newest.patch.water(self.before.as_ref(), place_m, time_s))
    }

    /// Requests the water for the next frames from the sea that `frame` has just recorded into `recorder`.
    pub fn record(&mut self, recorder: &mut Recorder<'_>, frame: &Frame) {
        let Some(Wanted { place_m, time_s }) = self.wanted.take() else { return };
        let Some(room) = self.under_way.iter().position(Option::is_none) else { return };
        let points = points(place_m, frame.quality().finest_spacing_m);
        let Some(queries) = &mut self.queries else { return };
        let when = When::Drawn { time_s };
        match queries.record(&self.queue, recorder, frame.ocean(), when, &points) {
            Ok(request) => {
                let (sea, frame) = (self.seas, self.frame);
                self.under_way[room] = Some(Asked { request, place_m, sea, frame });
            }
            // The next frame sends it again.
            Err(QueryError::Busy { .. }) => {}
            Err(error) => {
                log::warn!("waves may rise above the eye: {error}");
                self.queries = None;
            }
        }
    }

    fn take_answers(&mut self) {
        for asked in &mut self.under_way {
            let Some(Asked { request, place_m, sea, frame }) = asked else { continue };
            let (time_s, place_m, sea, frame) = (request.time_s(), *place_m, *sea, *frame);
            let Some(answer) = request.answer_with(|found| Patch::new(time_s, place_m, sea, found))
            else {
                continue;
            };
            // Without an answer (dropped commands, a lost device) the next one has to do.
            *asked = None;
            let Ok(patch) = answer else { continue };
            if self.newest.is_none_or(|newest| newest.frame < frame) {
                self.before = self.newest.map(|newest| newest.patch);
                self.newest = Some(Answered { patch, frame });
                self.lag = (self.frame - frame).clamp(1, IN_FLIGHT as u64 + 1);
            }
        }
    }

    /// Starts without history after a change of the sea.
    fn follow(&mut self, ocean: &Ocean) {
        if self.sea_number != ocean.sea_number() {
            self.sea_number = ocean.sea_number();
            self.seas += 1;
        }
    }
}

/// The place of an eye `frames` frames later that was at `last_m` and is at `place_m`.
fn ahead(last_m: [f64; 2], place_m: [f64; 2], frames: u64) -> [f64; 2] {
    let flown_m = [place_m[0] - last_m[0], place_m[1] - last_m[1]];
    if flown_m[0].hypot(flown_m[1]) > MOST_FLOWN_M {
        return place_m;
    }
    [0, 1].map(|axis| place_m[axis] + frames as f64 * flown_m[axis])
}
