//! The commands of one frame: the sea, the panels above it, and captures and screenshots of it.

use super::{Graphics, Running};
use crate::app::painter::Painted;
use crate::app::platform::Instant;
use crate::app::scaled::{Scaled, scaled_size};
use crate::app::session::{DockTab, Session};
use crate::frame::FrameDesc;
use crate::gpu::{TextureSpec, color_attachment};
use crate::profile::{self, Recorder};
use crate::settings::CameraPose;

impl Graphics {
    pub(super) fn record(
        &mut self,
        session: &Session,
        camera: CameraPose,
        texture: &wgpu::SurfaceTexture,
        painted: Option<&Painted>,
    ) {
        let device = &self.screen.context.device;
        let frame = self.running.as_ref().map(|running| &running.frame);
        let is_wanted = session.dock == Some(DockTab::Measure);
        self.retired.extend(self.measuring.keep_up(is_wanted, device, frame));
        let resolution = scaled_size(self.screen.surface.size(), session.render_scale);
        if resolution == self.screen.surface.size() {
            self.scaled = None;
        } else if self.scaled.as_ref().is_none_or(|scaled| scaled.size() != resolution) {
            self.scaled = Some(Scaled::new(device, self.screen.surface.format(), resolution));
        }
        let desc = FrameDesc {
            time_s: session.clock.time_s,
            resolution,
            camera,
            debug: self.shown(session),
            scenery: self.scenery(session),
            ..FrameDesc::from(&session.scene)
        };
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("Graphics::record"),
        });
        {
            profile::scope!("encode");
            if let Some(painted) = painted {
                self.screen.painter.upload(&self.screen.context, &mut encoder, painted);
            }
            let view = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
            let mut recorder = self.screen.profiler.recorder(&mut encoder);
            if let Some(running) = &mut self.running
                && let Some(change) = &mut running.change
            {
                let share = change.share(Instant::now(), session.clock.paused);
                running.frame.record_change(&mut recorder, desc.time_s, share);
                if share == 1.0 {
                    running.change = None;
                    self.measuring.set_sea(running.frame.ocean().spectrum());
                }
            }
            draw(device, &mut recorder, &mut self.running, self.scaled.as_ref(), &desc, &view);
            if let Some(Running { frame, eye, .. }) = &mut self.running {
                eye.record(&mut recorder, frame);
            }
            self.screen.painter.paint(&self.screen.context, &mut recorder, &view, painted);
            if let Some(running) = &self.running {
                self.measuring.record(&mut recorder, running.frame.foam(), desc.time_s);
            }
        }
        let screenshot = self.screenshot_wanted.then(|| {
            let texture = TextureSpec::target(
                "Graphics::screenshot",
                [texture.texture.width(), texture.texture.height()],
                self.screen.surface.format(),
            )
            .with_usage(wgpu::TextureUsages::COPY_SRC)
            .create(device);
            let view = texture.create_view(&Default::default());
            let mut recorder = Recorder::new(&mut encoder);
            draw(device, &mut recorder, &mut self.running, self.scaled.as_ref(), &desc, &view);
            self.screen.painter.paint(&self.screen.context, &mut recorder, &view, painted);
            texture
        });
        {
            profile::scope!("submit");
            self.screen.profiler.submit(&self.screen.context.queue, [], encoder);
            self.measuring.submitted();
        }
        if let Some(texture) = screenshot {
            self.screenshot_wanted = false;
            self.writers.screenshot(&self.screen.context, texture, &self.screen.messages);
        }
    }
}

/// Draws the picture without panels.
fn draw(
    device: &wgpu::Device,
    recorder: &mut Recorder<'_>,
    running: &mut Option<Running>,
    scaled: Option<&Scaled>,
    desc: &FrameDesc,
    target: &wgpu::TextureView,
) {
    match (running, scaled) {
        (Some(running), Some(scaled)) => {
            running.frame.record(recorder, desc, scaled.view());
            scaled.stretch(device, recorder, target);
        }
        (Some(running), None) => running.frame.record(recorder, desc, target),
        (None, _) => clear(recorder, target),
    }
}

/// Clears to a dark sea while there is no frame.
fn clear(recorder: &mut Recorder<'_>, target: &wgpu::TextureView) {
    let colour = wgpu::Color { r: 0.02, g: 0.06, b: 0.09, a: 1.0 };
    recorder.render(
        &wgpu::RenderPassDescriptor {
            label: Some("clear"),
            color_attachments: &[Some(color_attachment(target, wgpu::LoadOp::Clear(colour)))],
            ..Default::default()
        },
        |_| {},
    );
}
