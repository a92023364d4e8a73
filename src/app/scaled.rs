//! A picture drawn to its own target and then put over the window: the frame in fewer pixels, for adapters
//! that cannot fill it, and the panels, which are drawn less often than the frame.

use wgpu::util::{TextureBlitter, TextureBlitterBuilder};

use crate::app::platform;
use crate::gpu::TextureSpec;
use crate::profile::Recorder;

/// A target and the pipeline that stretches it over another.
pub(super) struct Scaled {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    blitter: TextureBlitter,
}

impl Drop for Scaled {
    /// The commands are submitted by then. Otherwise a browser keeps a texture for each size of a window that
    /// is dragged.
    fn drop(&mut self) {
        if platform::FREES_LATE {
            self.texture.destroy();
        }
    }
}

impl Scaled {
    /// Makes a target of `size` pixels, interpolated when it is stretched.
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat, size: [u32; 2]) -> Self {
        let blitter =
            TextureBlitterBuilder::new(device, format).sample_type(wgpu::FilterMode::Linear);
        Self::with_blitter(device, format, size, blitter.build())
    }

    /// Makes a target of `size` pixels that is blended over others of its size, as premultiplied colours.
    pub fn overlay(device: &wgpu::Device, format: wgpu::TextureFormat, size: [u32; 2]) -> Self {
        let blitter = TextureBlitterBuilder::new(device, format)
            .sample_type(wgpu::FilterMode::Nearest)
            .blend_state(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        Self::with_blitter(device, format, size, blitter.build())
    }

    fn with_blitter(
        device: &wgpu::Device,
        format: wgpu::TextureFormat,
        [width, height]: [u32; 2],
        blitter: TextureBlitter,
    ) -> Self {
        let texture = TextureSpec::target("Scaled::texture", [width, height], format)
            .with_usage(wgpu::TextureUsages::TEXTURE_BINDING)
            .create(device);
        let view = texture.create_view(&Default::default());
        Self { texture, view, blitter }
    }

    pub fn format(&self) -> wgpu::TextureFormat {
        self.texture.format()
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.texture.width(), self.texture.height()]
    }

    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// Draws the picture over all of `target`.
    pub fn stretch(
        &self,
        device: &wgpu::Device,
        recorder: &mut Recorder<'_>,
        target: &wgpu::TextureView,
    ) {
        self.blitter.copy(device, recorder.encoder(), &self.view, target);
    }
}

/// Returns `scale` times `size`, at least a pixel.
pub(super) fn scaled_size(size: [u32; 2], scale: f64) -> [u32; 2] {
    size.map(|side| ((f64::from(side) * scale).round() as u32).clamp(1, side.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_sizes_stay_between_a_pixel_and_the_window() {
        assert_eq!(scaled_size([960, 540], 0.5), [480, 270]);
        assert_eq!(scaled_size([1, 3], 0.25), [1, 1]);
        assert_eq!(scaled_size([7, 7], 1.0), [7, 7]);
        assert_eq!(scaled_size([7, 7], f64::NAN), [1, 1]);
    }
}
