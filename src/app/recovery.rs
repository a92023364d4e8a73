//! Recovery from surfaces without a texture and lost devices, and the faults that tests inject.

use std::time::Duration;

use crate::app::platform::Instant;
use crate::choice::choices;

/// The reaction to a frame without a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// The window is hidden: wait for it to change.
    Hide,
    Retry,
    /// Configure the surface again, for the window's present size.
    Configure,
    /// Make another surface for the same window.
    Replace,
}

#[derive(Debug, Default)]
pub(super) struct SurfaceHealth {
    failures: u32,
}

impl SurfaceHealth {
    /// Failures in a row after which the surface itself is suspected.
    const DOUBTED: u32 = 10;
    /// Failures in a row that are worth a message.
    const WORTH_A_MESSAGE: u32 = 30;

    pub fn succeeded(&mut self) {
        self.failures = 0;
    }

    /// Counts a frame without a texture, and returns the remedy.
    pub fn failed(&mut self, how: SurfaceFailure) -> Remedy {
        if how == SurfaceFailure::Occluded {
            return Remedy::Hide;
        }
        self.failures += 1;
        match how {
            SurfaceFailure::Lost => Remedy::Replace,
            // After ten failures, configuring will not help.
            _ if self.failures.is_multiple_of(Self::DOUBTED) => Remedy::Replace,
            SurfaceFailure::Timeout => Remedy::Retry,
            _ => Remedy::Configure,
        }
    }

    /// Whether it has failed for so long that the user should know; once per series of failures.
    pub fn deserves_a_message(&self) -> bool {
        self.failures == Self::WORTH_A_MESSAGE
    }
}

/// Why there is no texture: [`wgpu::CurrentSurfaceTexture`] without the textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SurfaceFailure {
    /// The display did not return a texture in time.
    Timeout,
    Occluded,
    /// The surface no longer fits its window.
    Outdated,
    Lost,
    /// wgpu refused, and has reported the reason to the error handler.
    Validation,
}

/// Returns the texture, or why there is none.
pub(super) fn texture_of(
    outcome: wgpu::CurrentSurfaceTexture,
) -> Result<wgpu::SurfaceTexture, SurfaceFailure> {
    use wgpu::CurrentSurfaceTexture as Outcome;
    match outcome {
        // Suboptimal is shown once at the old size: the resize event that follows mends it.
        Outcome::Success(texture) | Outcome::Suboptimal(texture) => Ok(texture),
        Outcome::Timeout => Err(SurfaceFailure::Timeout),
        Outcome::Occluded => Err(SurfaceFailure::Occluded),
        Outcome::Outdated => Err(SurfaceFailure::Outdated),
        Outcome::Lost => Err(SurfaceFailure::Lost),
        Outcome::Validation => Err(SurfaceFailure::Validation),
    }
}

/// Counts lost devices, to give up on one that is lost several times in a row.
#[derive(Debug, Default)]
pub(super) struct DeviceLosses {
    count: u32,
    last: Option<Instant>,
}

impl DeviceLosses {
    const MAX: u32 = 3;
    /// A device that lasted this long resets the count.
    const FORGIVEN_AFTER: Duration = Duration::from_secs(60);

    /// Records a device lost at `now`. Returns whether to open it again.
    pub fn try_again(&mut self, now: Instant) -> bool {
        if self.last.is_some_and(|last| now.duration_since(last) > Self::FORGIVEN_AFTER) {
            self.count = 0;
        }
        self.last = Some(now);
        self.count += 1;
        self.count <= Self::MAX
    }
}

choices! {
    /// The faults that tests inject, since nothing else reaches the code that recovers from them.
    pub enum Fault {
        /// The surface gives no texture in time.
        SurfaceTimeout = "surface-timeout",
        /// The surface no longer fits its window.
        SurfaceOutdated = "surface-outdated",
        /// The surface is lost and must be made again.
        SurfaceLost = "surface-lost",
        /// The device is lost, as by a crash of its driver.
        DeviceLost = "device-lost",
    }
}

impl Fault {
    pub(super) fn of_surface(self) -> Option<SurfaceFailure> {
        match self {
            Self::SurfaceTimeout => Some(SurfaceFailure::Timeout),
            Self::SurfaceOutdated => Some(SurfaceFailure::Outdated),
            Self::SurfaceLost => Some(SurfaceFailure::Lost),
            Self::DeviceLost => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_of_the_surface_has_its_remedy() {
        let first = |how| SurfaceHealth::default().failed(how);
        assert_eq!(first(SurfaceFailure::Timeout), Remedy::Retry);
        assert_eq!(first(SurfaceFailure::Occluded), Remedy::Hide);
        assert_eq!(first(SurfaceFailure::Outdated), Remedy::Configure);
        assert_eq!(first(SurfaceFailure::Validation), Remedy::Configure);
        assert_eq!(first(SurfaceFailure::Lost), Remedy::Replace);
    }

    #[test]
    fn wgpu_s_outcomes_are_told_apart() {
        use wgpu::CurrentSurfaceTexture as Outcome;
        for (outcome, expected) in [
            (Outcome::Timeout, SurfaceFailure::Timeout),
            (Outcome::Occluded, SurfaceFailure::Occluded),
            (Outcome::Outdated, SurfaceFailure::Outdated),
            (Outcome::Lost, SurfaceFailure::Lost),
            (Outcome::Validation, SurfaceFailure::Validation),
        ] {
            assert_eq!(texture_of(outcome).err(), Some(expected));
        }
    }

    #[test]
    fn a_failing_surface_is_replaced_and_reported_once() {
        let mut health = SurfaceHealth::default();
        let (mut replaced, mut reported) = (0, 0);
        for _ in 0..100 {
            let remedy = health.failed(SurfaceFailure::Outdated);
            replaced += u32::from(remedy == Remedy::Replace);
            reported += u32::from(health.deserves_a_message());
        }
        assert_eq!((replaced, reported), (10, 1));
        // A window that is covered for long is no failure.
        for _ in 0..100 {
            assert_eq!(health.failed(SurfaceFailure::Occluded), Remedy::Hide);
        }
        health.succeeded();
        assert_eq!(health.failed(SurfaceFailure::Outdated), Remedy::Configure);
    }

    #[test]
    fn a_device_lost_again_and_again_is_given_up() {
        let start = Instant::now();
        let mut losses = DeviceLosses::default();
        for second in 0..3 {
            assert!(losses.try_again(start + Duration::from_secs(second)));
        }
        assert!(!losses.try_again(start + Duration::from_secs(3)));
        // One a day is bearable.
        let mut losses = DeviceLosses::default();
        for day in 0..10 {
            assert!(losses.try_again(start + Duration::from_secs(86_400 * day)));
        }
    }
}
