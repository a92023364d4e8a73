//! The loop of the sea: a whole number of frames.

use std::f64::consts::TAU;

use crate::settings::SeaState;
use crate::spectrum::{Clock, SeaSummary, WaveSystem};
use anyhow::ensure;

use crate::cli::exit::Usage;

/// The peak periods of a loop whose waves are as good as free.
const PEAK_PERIODS: f64 = 8.0;
/// The most frames of a loop.
const MOST_FRAMES: f64 = 100_000.0;
/// The longest loop: that of the sea's own setting.
pub const LONGEST_LOOP_S: f64 = 3600.0;

/// A loop of whole frames.
#[derive(Clone, Copy, Debug)]
pub struct Loop {
    asked_s: Option<f64>,
    pub frames: u32,
    pub fps: f64,
    peak_period_s: f64,
}

impl Loop {
    /// The loop of `sea` at `fps` frames a second, near `loop_s`, the loop of the sea's own setting, or 8 peak
    /// periods.
    pub fn new(loop_s: Option<f64>, fps: f64, sea: &SeaState) -> anyhow::Result<Self> {
        let peak_period_s = SeaSummary::of(sea).peak_period_s;
        let of_sea = Some(sea.loop_period_s).filter(|loop_s| *loop_s > 0.0);
        let asked_s = loop_s.or(of_sea);
        let wanted_s = asked_s.unwrap_or(PEAK_PERIODS * peak_period_s);
        let frames = (wanted_s * fps).round().min((LONGEST_LOOP_S * fps).floor()).max(1.0);
        ensure!(
            frames <= MOST_FRAMES && frames / fps <= LONGEST_LOOP_S,
            Usage(format!(
                "a loop of {wanted_s:.1} s at --fps {fps} would be {frames} frame(s): choose another \
                 --loop-s or --fps, for 1 to {MOST_FRAMES} frames in at most {LONGEST_LOOP_S} s"
            ))
        );
        Ok(Self { asked_s, frames: frames as u32, fps, peak_period_s })
    }

    pub fn seconds(&self) -> f64 {
        f64::from(self.frames) / self.fps
    }

    /// The length of the loop in words.
    fn length(&self) -> String {
        let loop_s = self.seconds();
        let frames = match self.frames {
            1 => "1 frame".to_owned(),
            frames => format!("{frames} frames"),
        };
        match self.asked_s {
            Some(asked_s) if (asked_s - loop_s).abs() > 1e-9 => {
                format!("the loop of {asked_s} s is rounded to {frames}, {loop_s:.6} s")
            }
            Some(_) => format!("the loop is {frames}, {loop_s} s"),
            None => format!("the loop is 8 peak periods: {frames}, {loop_s:.6} s"),
        }
    }

    /// Says how long the loop is, and what it changes in `sea`, which has it.
    pub fn describe(&self, sea: &SeaState) {
        eprintln!("{}", self.length());
        let loop_s = self.seconds();
        // (8 peak periods may have been rounded down.)
        let periods = (loop_s + 0.5 / self.fps) / self.peak_period_s;
        if periods < PEAK_PERIODS {
            let clock = Clock::of(sea);
            let changes = WaveSystem::of(sea).into_iter().map(|system| {
                let peak = system.frequency.peak_rad_per_s();
                let [from_s, to_s] =
                    [peak, clock.omega_rad_per_s(clock.multiple(peak))].map(|omega| TAU / omega);
                format!("; the {} of {from_s:.1} s becomes one of {to_s:.1} s", system.name)
            });
            eprintln!(
                "warning: a loop of {loop_s:.1} s has {periods:.1} peak periods, and fewer than 8 \
                 change the sea{}",
                changes.collect::<String>()
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_loop_is_in_words() {
        let length = |loop_s: f64, fps: f64| {
            Loop::new(Some(loop_s), fps, &SeaState::default()).unwrap().length()
        };
        assert_eq!(length(0.1, 0.001), "the loop of 0.1 s is rounded to 1 frame, 1000.000000 s");
        assert_eq!(length(2.0, 30.0), "the loop is 60 frames, 2 s");
    }

    /// A step that is a loop later is at the same tick of the sea's clock, whose loop is exact.
    #[test]
    fn steps_of_the_next_loop_are_at_the_same_ticks() {
        for (fps, frames) in [(30.0, 601), (23.976, 97), (7.0, 3), (60.0, 99_999)] {
            let loop_s = f64::from(frames) / fps;
            let clock = Clock::of(&SeaState { loop_period_s: loop_s, ..Default::default() });
            for frame in (0..frames).step_by(1 + frames as usize / 1000) {
                let ticks = |number: i32| clock.ticks(f64::from(number) / fps);
                assert_eq!(ticks(frame), ticks(frame + frames), "{fps} {frame}");
            }
            assert_eq!(clock.ticks(loop_s), 0);
        }
    }
}
