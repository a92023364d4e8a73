//! The foam of the frames, which depends on what was before them: the steps that lead to each frame, and the
//! state of every point.

use crate::foam::PatchFoam;
use crate::foam::cover::Point;
use rayon::prelude::*;

use super::images;
use crate::cli::fields::Layer;

/// A step of the sea's time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its number, counted from the loop's first frame; some of the loop before are negative.
    pub number: i64,
    /// Whether foam begins with nothing, because the steps before it are left out.
    pub restarts: bool,
    /// The frame to write.
    pub frame: Option<u32>,
}

/// The steps that lead to `frames`, which ascend and are `per_frame` steps apart: `memory` of them before the
/// first, and others wherever so many are left out that nothing before them matters.
pub fn steps(frames: &[u32], per_frame: u32, memory: i64) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for &frame in frames {
        let end = i64::from(frame) * i64::from(per_frame);
        let going_on = steps.last().map(|last| last.number + 1).filter(|next| end - next < memory);
        let first = going_on.unwrap_or(end - memory);
        steps.extend((first..=end).map(|number| Step {
            number,
            restarts: going_on.is_none() && number == first,
            frame: (number == end).then_some(frame),
        }));
    }
    steps
}

/// Appends the steps to the frame after the loop's last, which is the first again, if `steps` hold every frame
/// of a loop of `frames`.
pub fn close(steps: &mut Vec<Step>, per_frame: u32, frames: u32) {
    let first = steps.iter().position(|step| step.frame == Some(0));
    let last = steps.last().and_then(|last| Some((last.number, last.frame?)));
    let (Some(first), Some((number, frame))) = (first, last) else { return };
    let is_whole = frame + 1 >= frames && steps[first + 1..].iter().all(|step| !step.restarts);
    if is_whole {
        let missing = (number + 1)..=i64::from(frames) * i64::from(per_frame);
        steps.extend(missing.map(|number| Step { number, restarts: false, frame: None }));
    }
}

/// The foam of every point, step by step.
pub struct History {
    foam: PatchFoam,
    choppiness: f64,
    loop_steps: i64,
    points: Vec<Point>,
    /// The foam of the loop's first frame.
    first: Option<Vec<Point>>,
    /// The largest difference of the foam after the loop's last frame from that at its first.
    pub loop_difference: Option<f64>,
}

impl History {
    pub fn new(foam: PatchFoam, choppiness: f64, loop_steps: i64) -> Self {
        let points = Vec::new();
        Self { foam, choppiness, loop_steps, points, first: None, loop_difference: None }
    }

    /// Takes the step, with the sea at its time.
    pub fn step(&mut self, step: &Step, points: usize, sea: &Layer) {
        if step.restarts {
            self.points = vec![Point::default(); points];
            self.first = None;
        }
        let Self { foam, choppiness, .. } = self;
        self.points.par_iter_mut().enumerate().for_each(|(at, point)| {
            let jacobian = images::surface(&sea.fields(at), *choppiness).jacobian();
            *point = foam.step(*point, jacobian);
        });
        if step.frame == Some(0) {
            self.first = Some(self.points.clone());
        }
        if let Some(first) = self.first.take_if(|_| step.number == self.loop_steps) {
            let differences = first.iter().zip(&self.points);
            let difference = differences.flat_map(|(a, b)| [a.fresh - b.fresh, a.old - b.old]);
            self.loop_difference = Some(difference.fold(0.0, |most, part| part.abs().max(most)));
        }
    }

    /// The share of foam at each point.
    pub fn shares(&self) -> Vec<f32> {
        self.points.iter().map(|point| point.share() as f32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(steps: &[Step]) -> Vec<i64> {
        steps.iter().map(|step| step.number).collect()
    }

    #[test]
    fn steps_lead_to_each_frame() {
        let plain = steps(&[0, 1, 5], 1, 0);
        assert_eq!(numbers(&plain), [0, 1, 5]);
        assert!(plain.iter().all(|step| step.frame == Some(step.number as u32)));
        let memory = steps(&[2, 3, 9], 2, 4);
        assert_eq!(numbers(&memory), [0, 1, 2, 3, 4, 5, 6, 14, 15, 16, 17, 18]);
        let restarts: Vec<i64> =
            memory.iter().filter(|step| step.restarts).map(|step| step.number).collect();
        assert_eq!(restarts, [0, 14]);
        let frames: Vec<u32> = memory.iter().filter_map(|step| step.frame).collect();
        assert_eq!(frames, [2, 3, 9]);
        assert_eq!(numbers(&steps(&[1, 4], 1, 3)), [-2, -1, 0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_whole_loop_closes() {
        let closed = |frames: &[u32]| {
            let mut steps = steps(frames, 2, 3);
            close(&mut steps, 2, 4);
            *numbers(&steps).last().unwrap()
        };
        assert_eq!(closed(&[0, 1, 2, 3]), 8);
        assert_eq!(closed(&[0, 1]), 2);
        assert_eq!(closed(&[1, 2, 3]), 6);
        assert_eq!(closed(&[0, 3]), 6);
        assert_eq!(closed(&[0, 1, 2, 3, 4, 5]), 10);
    }
}
