//! Estimates how long frames take, from a small frame of the low tier: on a software adapter the tiers
//! are minutes apart.

use std::time::{Duration, Instant};

use crate::OceanOptions;
use crate::choice::Choice as _;
use crate::foam::MEMORY_S;
use crate::settings::{Preset, Quality, QualityTier};
use indicatif::HumanDuration;

use super::device::Gpu;
use super::headless::Headless;
use super::scene::QualityArgs;

pub struct Work {
    pub seas: f64,
    /// Number of foam warm-ups, each of [`MEMORY_S`] of simulated time.
    pub warm_ups: f64,
    pub pixels: f64,
}

impl Work {
    /// Frames of one sea, `interval_s` apart.
    pub fn of_sequence(frames: u32, interval_s: f64, samples: u32, resolution: [u32; 2]) -> Self {
        let later = f64::from(frames.saturating_sub(1));
        Self {
            seas: 1.0,
            warm_ups: 1.0 + later * (interval_s / MEMORY_S).min(1.0),
            pixels: f64::from(frames) * f64::from(samples) * pixels(resolution),
        }
    }
}

pub fn pixels(resolution: [u32; 2]) -> f64 {
    resolution.map(f64::from).iter().product()
}

/// Time on this machine over time on the reference machine: two idle cores with lavapipe.
pub struct Slowdown(f64);

impl Slowdown {
    /// Draws a small frame of the low tier twice: the first time shaders are compiled, and the second
    /// time counts, in which the foam is warmed up again.
    pub fn measure(gpu: &Gpu, scene: &Preset) -> anyhow::Result<Self> {
        const RESOLUTION: [u32; 2] = [64, 36];
        let quality = Quality::of(QualityTier::Low);
        let ocean = OceanOptions::fixed(&quality);
        let mut headless = Headless::new(gpu.clone(), scene, &quality, ocean, RESOLUTION)?;
        let mut draw = |time_s| {
            let begun = Instant::now();
            headless.draw(time_s, 1, |_| ())?;
            headless.picture()?;
            anyhow::Ok(begun.elapsed().as_secs_f64())
        };
        draw(0.0)?;
        // So much later that nothing of the foam is left.
        let measured_s = draw(1000.0)?;
        Ok(Self(measured_s / reference_foam_s(&quality)))
    }

    /// Estimates the time of `work` at `quality`, which is based on `tier`.
    pub fn time(&self, tier: QualityTier, quality: &Quality, work: &Work) -> Duration {
        // Reference seconds to build a sea with its sky, and per pixel. (A frame of 960 x 540 pixels took
        // 0.24, 0.73, 1.4 and 2.0 s.)
        let (sea_s, pixel_s) = match tier {
            QualityTier::Low => (1.0, 0.46e-6),
            QualityTier::Medium => (3.0, 1.4e-6),
            QualityTier::High => (3.0, 2.8e-6),
            QualityTier::Ultra => (3.5, 3.9e-6),
        };
        let Work { seas, warm_ups, pixels } = work;
        let reference_s = seas * sea_s + warm_ups * reference_foam_s(quality) + pixels * pixel_s;
        Duration::from_secs_f64(self.0 * reference_s)
    }

    /// Returns the best tier whose frames take at most `within`, or the lowest, and prints it.
    pub fn best_tier(
        &self,
        args: &QualityArgs,
        work: &Work,
        within: Duration,
    ) -> anyhow::Result<QualityTier> {
        let mut chosen = None;
        for &tier in QualityTier::ALL {
            let time = self.time(tier, &args.resolve(tier)?, work);
            if chosen.is_none() || time <= within {
                chosen = Some((tier, time));
            }
        }
        let (tier, time) = chosen.expect("there are tiers");
        let about = about(time);
        eprintln!("Quality: {tier} (the frames take {about}); choose another with --quality");
        Ok(tier)
    }
}

/// Prints how long `work` takes at the tier of `args` and at the low one, where an adapter is slow and
/// no tier was chosen.
pub fn warn_of_software(
    gpu: &Gpu,
    scene: &Preset,
    args: &QualityArgs,
    work: &Work,
) -> anyhow::Result<()> {
    if args.tier().is_some() || !gpu.context.is_software() {
        return Ok(());
    }
    let slowdown = Slowdown::measure(gpu, scene)?;
    let about = |tier| anyhow::Ok(about(slowdown.time(tier, &args.resolve(tier)?, work)));
    let (tier, low) = (QualityArgs::FIXED_TIER, QualityTier::Low);
    eprintln!(
        "This is a software adapter: --quality {tier}, the default, takes {}, and --quality {low} {}",
        about(tier)?,
        about(low)?
    );
    Ok(())
}

fn about(time: Duration) -> String {
    format!("about {}", HumanDuration(time.max(Duration::from_secs(1))))
}

/// Estimates the seconds of a foam warm-up on the reference machine: a step's waves, and its texels.
/// (Measured: 1.5, 7.1 and 24 s at low, medium and high.)
fn reference_foam_s(quality: &Quality) -> f64 {
    if quality.foam_texels == 0 {
        return 0.0;
    }
    let steps = MEMORY_S * f64::from(quality.foam_steps_per_s);
    let texels = f64::from(quality.foam_texels).powi(2);
    steps * (8e-3 + 8.8e-7 * texels)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        quality: QualityArgs,
    }

    #[test]
    fn the_best_tier_is_the_finest_in_time() {
        let best = |options: &[&str], slowdown, within_s| {
            let Line { quality } = Line::parse_from([&["x"], options].concat());
            let work = Work::of_sequence(8, 0.25, 1, [960, 540]);
            Slowdown(slowdown).best_tier(&quality, &work, Duration::from_secs(within_s)).unwrap()
        };
        // On the reference machine the demo's frames take 4 s at low, 18 s at medium and 42 s at high.
        assert_eq!(best(&[], 1.0, 60), QualityTier::High);
        assert_eq!(best(&[], 2.0, 60), QualityTier::Medium);
        assert_eq!(best(&[], 4.0, 60), QualityTier::Low);
        assert_eq!(best(&[], 2.0, 1), QualityTier::Low);
        assert_eq!(best(&[], 0.01, 60), QualityTier::Ultra);
        assert_eq!(best(&["--foam-texels", "0"], 1.0, 60), QualityTier::Ultra);
    }
}
