#[cfg(feature = "profile")]
use crate::gpu::Mark;

/// A command encoder, with GPU timers if the program profiles.
pub struct Recorder<'a> {
    encoder: &'a mut wgpu::CommandEncoder,
    #[cfg(feature = "profile")]
    timers: Option<&'a super::GpuTimers>,
}

impl<'a> Recorder<'a> {
    /// The name of a render pass without a label.
    #[cfg(feature = "profile")]
    const UNNAMED: &'static str = "render";

    /// Records into `encoder` without timing.
    pub fn new(encoder: &'a mut wgpu::CommandEncoder) -> Self {
        Self {
            encoder,
            #[cfg(feature = "profile")]
            timers: None,
        }
    }

    /// Records and times every pass and stage.
    #[cfg(feature = "profile")]
    pub fn timed(
        encoder: &'a mut wgpu::CommandEncoder,
        timers: Option<&'a super::GpuTimers>,
    ) -> Self {
        Self { encoder, timers }
    }

    /// The encoder, for copies and other untimed commands.
    pub fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        self.encoder
    }

    /// Records compute stages in as few passes as their timing allows: one, unless the device
    /// can time passes only as a whole.
    pub fn compute(&mut self, label: &'static str, body: impl FnOnce(&mut Stages<'_, '_>)) {
        #[cfg(feature = "profile")]
        let _scope = super::cpu_scopes::open(label);
        #[cfg(feature = "profile")]
        if let Some(timers) = self.timers {
            if timers.splits_passes() {
                timers.split(label);
                return body(&mut Stages(StagesKind::PassEach { encoder: self.encoder, timers }));
            }
            let mark = timers.mark(label, 0);
            let mut pass = self.encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some(label),
                timestamp_writes: mark.as_ref().map(Mark::compute_writes),
            });
            return body(&mut Stages(StagesKind::Timed { pass: &mut pass, timers, mark: None }));
        }
        let mut pass = self.encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(label),
            timestamp_writes: None,
        });
        body(&mut Stages(StagesKind::Plain { pass: &mut pass }));
    }

    /// Records one render pass; the descriptor's label names it in the profiler. The pass's own lifetime is
    /// erased, as egui wants it; it ends before this returns all the same.
    pub fn render(
        &mut self,
        descriptor: &wgpu::RenderPassDescriptor<'_>,
        body: impl FnOnce(&mut wgpu::RenderPass<'static>),
    ) {
        #[cfg(feature = "profile")]
        let _scope = super::cpu_scopes::open(descriptor.label.unwrap_or(Self::UNNAMED));
        #[cfg(feature = "profile")]
        if let Some(timers) = self.timers {
            let label = descriptor.label.unwrap_or(Self::UNNAMED);
            let mark = timers.mark(label, 0);
            let timed = wgpu::RenderPassDescriptor {
                timestamp_writes: mark.as_ref().map(Mark::render_writes),
                ..descriptor.clone()
            };
            return body(&mut self.encoder.begin_render_pass(&timed).forget_lifetime());
        }
        body(&mut self.encoder.begin_render_pass(descriptor).forget_lifetime());
    }

    /// Records one render pass, as [`Recorder::render`] does, that draws to `target` alone.
    pub fn render_to(
        &mut self,
        label: &'static str,
        target: &wgpu::TextureView,
        load: wgpu::LoadOp<wgpu::Color>,
        body: impl FnOnce(&mut wgpu::RenderPass<'static>),
    ) {
        let descriptor = wgpu::RenderPassDescriptor {
            label: Some(label),
            color_attachments: &[Some(crate::gpu::color_attachment(target, load))],
            ..Default::default()
        };
        self.render(&descriptor, body);
    }
}

/// A sequence of compute stages; see [`Recorder::compute`].
pub struct Stages<'a, 'encoder>(StagesKind<'a, 'encoder>);

enum StagesKind<'a, 'encoder> {
    Plain {
        pass: &'a mut wgpu::ComputePass<'encoder>,
    },
    #[cfg(feature = "profile")]
    Timed {
        pass: &'a mut wgpu::ComputePass<'encoder>,
        timers: &'a super::GpuTimers,
        mark: Option<Mark>,
    },
    #[cfg(feature = "profile")]
    PassEach {
        encoder: &'a mut wgpu::CommandEncoder,
        timers: &'a super::GpuTimers,
    },
}

impl Stages<'_, '_> {
    /// Records one stage under its name.
    #[cfg_attr(
        not(feature = "profile"),
        expect(unused_variables, reason = "only timers need the name")
    )]
    pub fn stage(&mut self, label: &'static str, body: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
        #[cfg(feature = "profile")]
        let _scope = super::cpu_scopes::open(label);
        match &mut self.0 {
            StagesKind::Plain { pass } => body(pass),
            #[cfg(feature = "profile")]
            StagesKind::Timed { pass, timers, mark } => {
                let before = mark.take();
                let is_first = before.is_none();
                *mark = timers.mark_stage(label, before);
                if let Some(mark) = mark {
                    if is_first {
                        mark.begin(pass);
                    }
                    timers.settle(pass);
                }
                body(pass);
                if let Some(mark) = mark {
                    mark.end(pass);
                }
            }
            #[cfg(feature = "profile")]
            StagesKind::PassEach { encoder, timers } => {
                let mark = timers.mark(label, 1);
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                    label: Some(label),
                    timestamp_writes: mark.as_ref().map(Mark::compute_writes),
                });
                timers.settle(&mut pass);
                body(&mut pass);
            }
        }
    }
}
