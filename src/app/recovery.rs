//! What mends a surface that gives no texture, a device that is gone, and how both are provoked
//! in tests.

use std::time::Duration;

use crate::app::platform::Instant;
use crate::choice::choices;

/// What to do about a frame without a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Nothing can be seen: wait for the window to change.
    Hide,
    /// Ask again with the next frame.
    Retry,
    /// Configure the surface again, for the size that the window has now.
    Configure,
    /// Make another surface for the same window.
    Replace,
}

/// How the surface has fared of late.
#[derive(Debug, Default)]
pub(super) struct SurfaceHealth {
    /// Frames in a row without a texture.
    failures: u32,
}

impl SurfaceHealth {
    /// Failures in a row after which the surface itself is doubted.
    const DOUBTED: u32 = 10;
    /// Failures in a row that are worth a message.
    const WORTH_A_MESSAGE: u32 = 30;

    /// A texture was to be had.
    pub fn succeeded(&mut self) {
        self.failures = 0;
    }

    /// None was: what mends that.
    pub fn failed(&mut self, how: SurfaceFailure) -> Remedy {
        if how == SurfaceFailure::Occluded {
            return Remedy::Hide;
        }
        self.failures += 1;
        match how {
            SurfaceFailure::Lost => Remedy::Replace,
            // What configuring has not mended ten times over, it will not mend.
            _ if self.failures.is_multiple_of(Self::DOUBTED) => Remedy::Replace,
            SurfaceFailure::Timeout => Remedy::Retry,
            _ => Remedy::Configure,
        }
    }

    /// It has failed for so long that the user should know; once per spell.
    pub fn deserves_a_message(&self) -> bool {
        self.failures == Self::WORTH_A_MESSAGE
    }
}

/// Why there is no texture: [`wgpu::CurrentSurfaceTexture`] without the textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SurfaceFailure {
    /// The display did not give a texture back in time.
    Timeout,
    /// The window is covered or minimised.
    Occluded,
    /// The surface no longer fits its window.
    Outdated,
    /// The surface is gone.
    Lost,
    /// wgpu refused, and has told the error's listener why.
    Validation,
}

/// The texture, or why there is none.
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

/// Counts lost devices, to give up on one that is lost again and again.
#[derive(Debug, Default)]
pub(super) struct DeviceLosses {
    count: u32,
    last: Option<Instant>,
}

impl DeviceLosses {
    /// Losses in a row before giving up.
    const MAX: u32 = 3;
    /// A device that lasted so long was a good one.
    const FORGIVEN_AFTER: Duration = Duration::from_secs(60);

    /// A device was lost at `now`. Says whether to open it again.
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
    /// What tests make fail: nothing else reaches the code that mends it.
    pub enum Fault {
        /// The surface gives no texture in time.
        SurfaceTimeout = "surface-timeout",
        /// The surface no longer fits its window.
        SurfaceOutdated = "surface-outdated",
        /// The surface is lost.
        SurfaceLost = "surface-lost",
        /// The device is lost.
        DeviceLost = "device-lost",
    }
}

impl Fault {
    /// As a failure of the surface, if it is one.
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
    fn a_surface_that_goes_on_failing_is_replaced_and_reported_once() {
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
