//! Tests of the profiler's times of frames. puffin's scopes are global to a process: no other test
//! that records frames may run in this one.
#![cfg(feature = "profile")]

mod capture;
mod timers;

use seaway::gpu::TextureSpec;
use seaway::profile::Recorder;

use seaway_core::testing::context;

/// Returns a device of the context's adapter without `features`.
fn device_without(features: wgpu::Features) -> (wgpu::Device, wgpu::Queue) {
    let context = context();
    let required_features = context.device.features() - features;
    let descriptor = wgpu::DeviceDescriptor { required_features, ..Default::default() };
    pollster::block_on(context.adapter.request_device(&descriptor)).unwrap()
}

/// A small picture to draw to.
struct Target(wgpu::TextureView);

impl Target {
    fn new(device: &wgpu::Device) -> Self {
        let spec = TextureSpec::target("target", [64; 2], wgpu::TextureFormat::Rgba8Unorm);
        Self(spec.create(device).create_view(&Default::default()))
    }

    /// Records a pass that draws nothing.
    fn draw(&self, recorder: &mut Recorder<'_>) {
        let attachment = wgpu::RenderPassColorAttachment {
            view: &self.0,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations::default(),
        };
        let descriptor = wgpu::RenderPassDescriptor {
            label: Some("draw"),
            color_attachments: &[Some(attachment)],
            ..Default::default()
        };
        recorder.render(&descriptor, |_| {});
    }
}
