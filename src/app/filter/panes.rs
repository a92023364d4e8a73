//! The layout of picture and spectrum in the window, and their drawing.

use crate::filter::{BLACK_DB, ImageFilter};
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    Pipelines, RenderDescriptor, RenderPipeline, Uniform, bindings, color_attachment, wgsl_struct,
};
use crate::profile::Recorder;

wgsl_struct! {
    /// Mirrors the uniform of `shaders/filter/show.wgsl`.
    struct FilterPanes {
        picture: [f32; 4],
        spectrum: [f32; 4],
        size: [u32; 2],
        floats: u32,
        is_linear: u32,
        target_encodes: u32,
        black_db: f32,
        _padding: [u32; 2],
    }
}

/// Pixels between the panes and around them.
const GAP: f32 = 8.0;

/// Returns left, top, width and height of two panes of the shape of a picture of `size` in a window, to the
/// right of `left` pixels: beside or below each other, whichever is larger.
pub fn arrange(window: [u32; 2], left: f32, size: [u32; 2]) -> [[f32; 4]; 2] {
    let [width, height] = window.map(|side| side as f32);
    let left = if left < 0.6 * width { left } else { 0.0 };
    let room = [(width - left - 2.0 * GAP).max(2.0), (height - 2.0 * GAP).max(2.0)];
    let aspect = size.map(|side| side as f32);
    let scale = |cell: [f32; 2]| (cell[0] / aspect[0]).min(cell[1] / aspect[1]);
    let beside = [((room[0] - GAP) / 2.0).max(1.0), room[1]];
    let below = [room[0], ((room[1] - GAP) / 2.0).max(1.0)];
    let (cell, step) = match scale(beside) >= scale(below) {
        true => (beside, [beside[0] + GAP, 0.0]),
        false => (below, [0.0, below[1] + GAP]),
    };
    let pane = aspect.map(|side| (side * scale(cell)).floor().max(1.0));
    [0.0, 1.0].map(|number| {
        let corner = [left + GAP, GAP];
        let at = |axis: usize| {
            (corner[axis] + number * step[axis] + (cell[axis] - pane[axis]) / 2.0).floor()
        };
        [at(0), at(1), pane[0], pane[1]]
    })
}

pub struct Panes {
    pipeline: RenderPipeline,
    layout: bindings::Layout,
    uniform: Uniform<FilterPanes>,
    encodes: bool,
    /// Belongs to the filter that is shown.
    group: Option<wgpu::BindGroup>,
}

impl Panes {
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Result<Self, ShaderError> {
        let types = [bindings::uniform(), bindings::storage_read(), bindings::storage_read()];
        let layout = bindings::layout(device, "Panes_layout", wgpu::ShaderStages::FRAGMENT, &types);
        let pipeline = Pipelines::new(device).render(RenderDescriptor {
            groups: vec![Some(layout.clone())],
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Default::default()
            },
            ..RenderDescriptor::new("panes", "filter/show.wgsl", ["vertex", "fragment"], format)
        })?;
        let uniform = Uniform::new(device, "Panes::uniform");
        Ok(Self { pipeline, layout, uniform, encodes: format.is_srgb(), group: None })
    }

    pub fn show(&mut self, device: &wgpu::Device, filter: &ImageFilter) {
        let resources: [&dyn bindings::Resource; 3] =
            [self.uniform.buffer(), filter.result(), filter.spectrum()];
        self.group = Some(bindings::group(device, "Panes", &self.layout, &resources));
    }

    /// Places the panes for all later submissions.
    pub fn place(
        &self,
        queue: &wgpu::Queue,
        filter: &ImageFilter,
        [picture, spectrum]: [[f32; 4]; 2],
        is_linear: bool,
    ) {
        let descriptor = filter.descriptor();
        self.uniform.write(
            queue,
            &FilterPanes {
                picture,
                spectrum,
                size: descriptor.size,
                floats: descriptor.channels.floats() as u32,
                is_linear: is_linear.into(),
                target_encodes: self.encodes.into(),
                black_db: BLACK_DB as f32,
                _padding: [0; 2],
            },
        );
    }

    /// Draws the panes over all of `target`; an empty window where there is no filter yet.
    pub fn record(&self, recorder: &mut Recorder<'_>, target: &wgpu::TextureView) {
        let colour = wgpu::Color { r: 0.055, g: 0.067, b: 0.078, a: 1.0 };
        recorder.render(
            &wgpu::RenderPassDescriptor {
                label: Some("panes"),
                color_attachments: &[Some(color_attachment(target, wgpu::LoadOp::Clear(colour)))],
                ..Default::default()
            },
            |pass| {
                let Some(group) = &self.group else { return };
                self.pipeline.bind(pass, &[Some(group)]);
                pass.draw(0..4, 0..1);
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{assert_layout, shader};

    #[test]
    fn both_sides_agree_on_the_panes() {
        assert_layout::<FilterPanes>(&shader::resolve("filter/show.wgsl").unwrap());
    }

    #[test]
    fn panes_lie_in_the_window_without_overlap() {
        for window in [[1280, 720], [600, 1200], [200, 100], [3840, 2160], [1, 1]] {
            for size in [[1920, 1080], [1, 1], [100, 3000], [4000, 10]] {
                let panes = arrange(window, 300.0, size);
                let [one, other] = panes;
                let beyond = one[0] + one[2] <= other[0] || one[1] + one[3] <= other[1];
                let is_tiny = window[0] < 16;
                assert!(beyond || is_tiny, "{window:?} {size:?}: {panes:?}");
                for [left, top, width, height] in panes {
                    assert!(width >= 1.0 && height >= 1.0 && left >= 0.0 && top >= 0.0);
                    let fits = left + width <= window[0] as f32 && top + height <= window[1] as f32;
                    assert!(fits || is_tiny, "{window:?} {size:?}: {panes:?}");
                }
            }
        }
        let [one, other] = arrange([1280, 720], 300.0, [1920, 1080]);
        assert!(one[1] < other[1] || one[0] < other[0]);
        assert_eq!((one[2], one[3]), (other[2], other[3]));
    }
}
