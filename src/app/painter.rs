//! egui: window events in, triangles out.

use egui::{ClippedPrimitive, TextureId};
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use super::ui::theme;
use crate::gpu::Context;
use crate::profile::Recorder;

/// The panels' side of the window.
pub(super) struct Painter {
    egui: egui::Context,
    input: egui_winit::State,
    renderer: Renderer,
}

/// What one run of the panels is to look like.
pub(super) struct Painted {
    primitives: Vec<ClippedPrimitive>,
    screen: ScreenDescriptor,
    free: Vec<TextureId>,
}

impl Painter {
    /// A painter that draws in `format`.
    pub fn new(
        context: &Context,
        window: &Window,
        event_loop: &ActiveEventLoop,
        format: wgpu::TextureFormat,
    ) -> Self {
        let egui = egui::Context::default();
        theme::apply(&egui);
        let input = egui_winit::State::new(
            egui.clone(),
            egui::ViewportId::ROOT,
            event_loop,
            Some(window.scale_factor() as f32),
            None,
            Some(context.capabilities.max_texture_dimension_2d as usize),
        );
        let renderer = Renderer::new(&context.device, format, RendererOptions::default());
        Self { egui, input, renderer }
    }

    /// Feeds one event. Says whether a panel used it up.
    pub fn on_event(&mut self, window: &Window, event: &WindowEvent) -> bool {
        self.input.on_window_event(window, event).consumed
    }

    /// A text field has the keyboard.
    pub fn wants_keyboard(&self) -> bool {
        self.egui.egui_wants_keyboard_input()
    }

    /// Runs the panels for a target of `size` pixels.
    pub fn run(
        &mut self,
        context: &Context,
        window: &Window,
        event_loop: &ActiveEventLoop,
        size: [u32; 2],
        add: impl FnMut(&mut egui::Ui),
    ) -> Painted {
        let input = self.input.take_egui_input(window);
        let mut output = self.egui.run_ui(input, add);
        self.input.handle_platform_output_with_event_loop(
            window,
            event_loop,
            std::mem::take(&mut output.platform_output),
        );
        for (id, deltas) in output.textures_delta.set.drain() {
            for delta in deltas {
                self.renderer.update_texture(&context.device, &context.queue, id, &delta);
            }
        }
        let free = output.textures_delta.free.drain().collect();
        let pixels_per_point = output.pixels_per_point;
        let primitives =
            self.egui.tessellate(std::mem::take(&mut output.shapes), output.pixels_per_point);
        Painted {
            primitives,
            screen: ScreenDescriptor { size_in_pixels: size, pixels_per_point },
            free,
        }
    }

    /// Uploads what [`Painter::paint`] draws.
    pub fn upload(
        &mut self,
        context: &Context,
        encoder: &mut wgpu::CommandEncoder,
        painted: &Painted,
    ) {
        // Only paint callbacks, which the panels do not use, give commands of their own.
        self.renderer.update_buffers(
            &context.device,
            &context.queue,
            encoder,
            &painted.primitives,
            &painted.screen,
        );
    }

    /// Draws the panels over `target`.
    pub fn paint(
        &self,
        recorder: &mut Recorder<'_>,
        target: &wgpu::TextureView,
        painted: &Painted,
    ) {
        recorder.render(
            &wgpu::RenderPassDescriptor {
                label: Some("panels"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
                })],
                ..Default::default()
            },
            |pass| self.renderer.render(pass, &painted.primitives, &painted.screen),
        );
    }

    /// The frame is submitted: textures that it was the last to use can go.
    pub fn free(&mut self, painted: &Painted) {
        for id in &painted.free {
            self.renderer.free_texture(id);
        }
    }
}
