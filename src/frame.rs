//! The one place where the stages are wired in order.

use crate::fft;
use crate::profile::Recorder;
use crate::settings::{CameraPose, Light, Quality, SeaState};
use crate::spectrum::InitialSpectrum;

/// What one frame shows: the only input besides the sea itself, so that a window, a headless
/// render and a test that pass the same description get the same picture.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameDesc {
    /// Time of the sea, in seconds.
    pub time_s: f64,
    /// Width and height of the target, in pixels.
    pub resolution: [u32; 2],
    /// Where the eye is.
    pub camera: CameraPose,
    /// Sun, air and exposure.
    pub light: Light,
}

/// Why a frame cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {}

/// Everything that a frame needs, from sea to picture.
pub struct Frame {
    _device: wgpu::Device,
    _queue: wgpu::Queue,
}

impl Frame {
    /// Builds every stage. `target_format` is the format of the views that [`Frame::record`] draws to.
    ///
    /// # Errors
    /// [`FrameError`] where the device cannot run the size, the algorithm or the quality.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        _sea: &SeaState,
        _quality: &Quality,
        _algorithm: fft::Algorithm,
        _target_format: wgpu::TextureFormat,
    ) -> Result<Self, FrameError> {
        Ok(Self { _device: device.clone(), _queue: queue.clone() })
    }

    /// Changes the sea, at once. `initial` has the size and the cascades that the frame was built
    /// with.
    pub fn set_spectrum(&mut self, _initial: &InitialSpectrum) {}

    /// Records one frame into `target`, which has `desc.resolution`.
    pub fn record(
        &mut self,
        recorder: &mut Recorder<'_>,
        _desc: &FrameDesc,
        target: &wgpu::TextureView,
    ) {
        recorder.render(
            &wgpu::RenderPassDescriptor {
                label: Some("water"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color { r: 0.02, g: 0.1, b: 0.2, a: 1.0 }),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            },
            |_| {},
        );
    }
}
