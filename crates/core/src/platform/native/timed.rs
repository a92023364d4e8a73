//! The durations of submissions by the processor's clock, which waits for one after the other.

use std::time::Instant;

/// Durations in microseconds, available later.
#[derive(Debug)]
pub struct Timed(Option<Vec<f64>>);

impl Timed {
    /// Submits `commands` one after the other, each when the one before has ended. Fails where the device
    /// does not answer.
    pub fn begin(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        commands: Vec<wgpu::CommandBuffer>,
    ) -> Result<Self, wgpu::PollError> {
        let time = |commands| {
            let start = Instant::now();
            queue.submit([commands]);
            device.poll(wgpu::PollType::wait_indefinitely())?;
            Ok(start.elapsed().as_secs_f64() * 1e6)
        };
        commands.into_iter().map(time).collect::<Result<_, _>>().map(|done| Self(Some(done)))
    }

    /// Returns the durations when all commands have ended, once.
    pub fn take(&mut self) -> Option<Vec<f64>> {
        self.0.take()
    }

    /// Waits for the end of all commands, and returns their durations.
    pub async fn finish(self) -> Vec<f64> {
        self.0.unwrap_or_default()
    }
}
