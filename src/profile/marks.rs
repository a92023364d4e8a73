//! Checks the marks of stages inside a pass.
//!
//! A stage is marked where it begins and where it ends, and a pass is too. In llvmpipe, Mesa's software
//! adapter, the drawing threads take the timestamps when they come to them, while its dispatches run at once:
//! of a pass of 19 ms, the first stage seems to take 0.03, or its time is found in the drawing before it. A
//! barrier makes one wait for the other, so that [`Settler`] makes every mark right there.
//!
//! On every other device, and in case that is not enough, each frame is checked: a stage's time is dropped
//! unless it adds up with the others' ([`drop_stages_that_do_not_add_up`]). A trial run at the start would
//! not do: llvmpipe's timestamps are right until something is drawn.

use super::GpuScope;
use crate::gpu::{ComputeKernel, bindings, compute_kernel};

/// Forces the marks recorded so far before all later commands: two dispatches that must wait for each other,
/// some microseconds of a processor's time.
pub(super) struct Settler {
    kernel: ComputeKernel,
    bind_group: wgpu::BindGroup,
}

impl Settler {
    const WGSL: &str = "
        @group(0) @binding(0) var<storage, read_write> count: u32;
        @compute @workgroup_size(1)
        fn settle() { count += 1u; }";

    /// `None` if marks are right anyway, as on everything but processors.
    pub(super) fn for_device(device: &wgpu::Device) -> Option<Self> {
        (device.adapter_info().device_type == wgpu::DeviceType::Cpu).then(|| Self::new(device))
    }

    fn new(device: &wgpu::Device) -> Self {
        let count = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Settler::count"),
            size: 4,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        });
        let bindings::Group { layout, bind_group } = bindings::bind(
            device,
            "Settler::bind_group",
            wgpu::ShaderStages::COMPUTE,
            &[(bindings::storage_read_write(), &count)],
        );
        let kernel =
            compute_kernel(device, "Settler::kernel", Self::WGSL, "settle", &[Some(&layout)]);
        Self { kernel, bind_group }
    }

    /// Leaves its own pipeline and group 0 bound.
    pub(super) fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.kernel.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        for _ in 0..2 {
            pass.dispatch_workgroups(1, 1, 1);
        }
    }
}

/// Share of a pass that it may spend outside its stages, if that is more than the time of barriers and marks.
const UNMARKED_SHARE: f64 = 0.25;

/// Time of barriers and marks for each stage on a GPU: some microseconds.
pub(super) const UNMARKED_NS: u64 = 20_000;

/// [`UNMARKED_NS`] on a processor, whose threads may have to wait their turn at each mark.
pub(super) const UNMARKED_BY_THREADS_NS: u64 = 5_000_000;

/// Drops the stages (scopes of depth 1 and more, each after its pass) of those passes whose stages do not add
/// up, though each may miss `unmarked_ns`.
pub(super) fn drop_stages_that_do_not_add_up(scopes: &mut Vec<GpuScope>, unmarked_ns: u64) {
    let mut kept = 0;
    let mut from = 0;
    while from < scopes.len() {
        let stages = scopes[from + 1..].iter().take_while(|scope| scope.depth > 0).count();
        let end = from + 1 + stages;
        let [pass, stages @ ..] = &scopes[from..end] else { unreachable!("not empty") };
        let keep = if adds_up(pass, stages, unmarked_ns) { end } else { from + 1 };
        for index in from..keep {
            scopes.swap(kept, index);
            kept += 1;
        }
        from = end;
    }
    scopes.truncate(kept);
}

/// Whether the stages run one after the other within the pass, and fill it.
fn adds_up(pass: &GpuScope, stages: &[GpuScope], unmarked_ns: u64) -> bool {
    let mut end_ns = pass.start_ns;
    let mut marked_ns = 0;
    for stage in stages {
        if stage.start_ns < end_ns || stage.end_ns < stage.start_ns {
            return false;
        }
        end_ns = stage.end_ns;
        marked_ns += stage.end_ns - stage.start_ns;
    }
    let whole_ns = pass.end_ns.saturating_sub(pass.start_ns);
    let allowed_ns =
        (unmarked_ns * stages.len() as u64).max((UNMARKED_SHARE * whole_ns as f64) as u64);
    stages.is_empty() || end_ns <= pass.end_ns && whole_ns - marked_ns <= allowed_ns
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Label, depth, and times in microseconds.
    type Scope = (&'static str, u32, u64, u64);

    fn scopes(of: &[Scope]) -> Vec<GpuScope> {
        of.iter()
            .map(|&(label, depth, start_us, end_us)| GpuScope {
                label: label.into(),
                start_ns: 1000 * start_us,
                end_ns: 1000 * end_us,
                depth,
            })
            .collect()
    }

    fn kept(of: &[Scope]) -> Vec<GpuScope> {
        let mut scopes = scopes(of);
        drop_stages_that_do_not_add_up(&mut scopes, UNMARKED_NS);
        scopes
    }

    #[test]
    fn stages_that_add_up_stay() {
        // A GPU: gaps of some microseconds, more than the stages of a small sea take.
        for frame in [
            [("ocean", 0, 0, 90), ("rows", 1, 2, 33), ("columns", 1, 36, 60), ("mips", 1, 62, 89)],
            [("ocean", 0, 0, 24), ("rows", 1, 3, 5), ("columns", 1, 9, 11), ("mips", 1, 15, 22)],
            [("water", 0, 0, 9), ("tone", 0, 10, 11), ("sky", 0, 11, 19), ("tables", 1, 12, 19)],
        ] {
            assert_eq!(kept(&frame), scopes(&frame));
        }
        assert_eq!(kept(&[]), []);
    }

    #[test]
    fn inconsistent_stages_go_and_their_pass_stays() {
        for stages in [
            // llvmpipe measured this: no stage has the work of the first, 19 ms.
            [("rows", 1, 6990, 7000), ("columns", 1, 7010, 9990)],
            // All marked when the pass began, or when it was over.
            [("rows", 1, 0, 10), ("columns", 1, 10, 20)],
            [("rows", 1, 9970, 9980), ("columns", 1, 9980, 9990)],
            // Out of order, and beyond the pass.
            [("rows", 1, 0, 9000), ("columns", 1, 3000, 8000)],
            [("rows", 1, 5000, 0), ("columns", 1, 5000, 10_000)],
            [("rows", 1, 0, 5000), ("columns", 1, 5000, 20_000)],
            // Never written.
            [("rows", 1, 0, 0), ("columns", 1, 0, 0)],
        ] {
            let (pass, next) = (("ocean", 0, 0, 10_000), ("water", 0, 10_000, 12_000));
            let frame = [pass, stages[0], stages[1], next];
            assert_eq!(kept(&frame), scopes(&[pass, next]), "{stages:?}");
            let right = [("sky", 0, 12_000, 13_000), ("tables", 1, 12_000, 13_000)];
            let frame = [pass, stages[0], stages[1], next, right[0], right[1]];
            assert_eq!(kept(&frame), scopes(&[pass, next, right[0], right[1]]));
        }
    }

    #[test]
    fn a_thread_may_have_waited() {
        let waited = [("ocean", 0, 0, 5000), ("rows", 1, 10, 30), ("columns", 1, 4500, 4990)];
        assert_eq!(kept(&waited).len(), 1);
        let mut frame = scopes(&waited);
        drop_stages_that_do_not_add_up(&mut frame, UNMARKED_BY_THREADS_NS);
        assert_eq!(frame, scopes(&waited));
        let lost =
            [("ocean", 0, 0, 50_000), ("rows", 1, 30_000, 30_010), ("columns", 1, 30_010, 49_990)];
        let mut frame = scopes(&lost);
        drop_stages_that_do_not_add_up(&mut frame, UNMARKED_BY_THREADS_NS);
        assert_eq!(frame.len(), 1);
    }
}
