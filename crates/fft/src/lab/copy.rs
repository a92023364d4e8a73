//! The upper bound of a transform's speed: kernels that move the same bytes in the same passes and placement
//! and compute nothing.

use super::data;
use crate::configuration::{Algorithm, Twiddles};
use crate::descriptor::{Axis, Descriptor, Kind, Layout, Precision};
use crate::error::Unsupported;
use crate::gpu::Capabilities;
use crate::planner;
use crate::program::Problem;
use crate::program::kernel::{self, Ends, KernelParts, TableNumbers};
use crate::program::{Dispatch, Program, Role};

/// Elements that each invocation copies, all read before the first is written.
const ELEMENTS: u32 = 4;

/// A copy needs no factors, and these take no binding.
const NO_TABLE: Twiddles = Twiddles::SinCos;

/// Returns a program that copies the data of `descriptor`: one dispatch for each axis, the first from input
/// to output, the others in place. Its algorithm is ignored. Between real numbers and half of their spectrum
/// it moves the smaller of the two: one number of each row less.
///
/// # Errors
/// [`Unsupported`] with the limit that the copy exceeds.
pub fn copy_program(
    descriptor: &Descriptor,
    capabilities: &Capabilities,
) -> Result<Program, Unsupported> {
    let plain = Descriptor { load: None, store: None, ..descriptor.clone() };
    let is_image = plain.kind == Kind::Complex && plain.depth == 1;
    let moved = match is_image && plain.precision != Precision::F64 {
        true => plain.clone(),
        false => carrier(&plain),
    };
    let problem = Problem::new(&moved, "copy".to_owned(), capabilities, true)?;
    let [width, height] = moved.size;
    let elements = width * height;
    let bytes = u64::from(elements) * u64::from(moved.element_bytes());
    let bytes = bytes * u64::from(problem.layers());
    let workgroup_size = capabilities.max_workgroup_invocations.min(256);
    let mut kernels = Vec::new();
    let mut dispatches = Vec::new();
    let mut source = problem.source();
    for &axis in plain.axes.list() {
        let kernel = KernelParts {
            body: "#import \"fft/copy.wgsl\"\n",
            scales: false,
            constants: &[("ELEMENTS", elements)],
            ..KernelParts::new(
                &problem,
                // The carrier has rows only.
                if moved.axes == plain.axes { axis } else { Axis::Row },
                Ends::buffers(source, Role::Output),
                NO_TABLE,
                workgroup_size,
            )
        }
        .compose(&problem);
        dispatches.push(Dispatch {
            kernel: kernels.len(),
            axis,
            roles: kernel::roles(&kernel, source, Role::Output, TableNumbers::default()),
            params: Vec::new(),
            workgroups: problem.workgroups(elements.div_ceil(workgroup_size * ELEMENTS))?,
            bytes_read: bytes,
            bytes_written: bytes,
        });
        kernels.push(kernel);
        source = Role::Output;
    }
    let mut program = Program::new(&problem, NO_TABLE, kernels, dispatches);
    // At least what the kernels bind.
    program.input_bytes = data::input_bytes(&plain).max(bytes);
    program.output_bytes = data::output_bytes(&plain).max(bytes);
    Ok(program)
}

/// Returns `cooley-tukey-multipass` of `descriptor` without its arithmetic: every pass reads and writes the same
/// points, and computes only where they are (Lloyd, Boyd and Govindaraju 2008, section 5). The result is the
/// data in bit-reversed order along each axis.
///
/// # Errors
/// [`Unsupported`] where the algorithm does not support the problem.
pub fn without_arithmetic(
    descriptor: &Descriptor,
    capabilities: &Capabilities,
) -> Result<Program, Unsupported> {
    let task = descriptor.clone().by(Algorithm::CooleyTukeyMultipass);
    let mut program = planner::program(&task, capabilities)?;
    for kernel in &mut program.kernels {
        kernel.wgsl = kernel
            .wgsl
            .replace("times(b, twiddle(within * (HALF >> stage.number)))", "b")
            .replace("a + wb", "a")
            .replace("a - wb", "wb");
    }
    Ok(program)
}

/// Lines of complex numbers in 32-bit floats with as many bytes as the data of `task`.
fn carrier(task: &Descriptor) -> Descriptor {
    let bytes = data::input_bytes(task).min(data::output_bytes(task));
    let layers = task.layout.layers(task.batch).max(1);
    // A copy is as wide as the elements, up to the widest there is.
    let (layout, batch) = match task.element_bytes() >= Layout::Pair.element_bytes() {
        true => (Layout::Pair, layers.saturating_mul(2)),
        false => (Layout::Planar, layers),
    };
    let elements = bytes / u64::from(layers) / u64::from(layout.element_bytes());
    // Larger numbers exceed every limit, and are refused for that.
    let line = Descriptor::lines(u32::try_from(elements).unwrap_or(u32::MAX).max(1), 1);
    Descriptor { batch, layout, placement: task.placement, ..line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice as _;
    use crate::descriptor::{Axes, Direction, Placement};
    use crate::lab::Workload;
    use crate::lab::timing::Regime;

    #[test]
    fn a_copy_moves_the_bytes_of_every_kind() {
        let capabilities = Capabilities { shader_f16: true, ..Capabilities::webgpu_defaults() };
        for &kind in Kind::ALL {
            for &precision in Precision::ALL {
                for &placement in Placement::ALL {
                    for &direction in Direction::ALL {
                        let (size, depth, axes) = ([64, 32], 16, Axes::All);
                        let task = Descriptor {
                            size,
                            depth,
                            axes,
                            batch: 2,
                            kind,
                            precision,
                            placement,
                            direction,
                            ..Descriptor::default()
                        };
                        let program = copy_program(&task, &capabilities).unwrap();
                        assert_eq!(program.dispatches.len(), 3);
                        assert_eq!(program.in_place, placement == Placement::InPlace);
                        let sides = data::input_bytes(&task) + data::output_bytes(&task);
                        let moved = program.bytes_moved() as f64 / 3.0 / sides as f64;
                        // Half a spectrum is a number longer in 32.
                        assert!((0.96..=1.0).contains(&moved), "{moved}: {task:?}");
                        assert!(program.input_bytes >= data::input_bytes(&task));
                    }
                }
            }
        }
    }

    #[test]
    fn passes_without_arithmetic_reverse_the_bits() {
        let context = seaway_core::testing::context();
        let (device, queue) = (&context.device, &context.queue);
        let task = Descriptor { batch: 1, axes: Axes::Rows, ..Descriptor::image([16, 2]) };
        let workload = Workload::without_arithmetic(device, queue, &task, Regime::Hot);
        let workload = pollster::block_on(workload).unwrap();
        workload.run();
        let found = pollster::block_on(workload.output(0)).unwrap();
        let given = data::input(&task, 0);
        let place = |n: usize| n / 16 * 16 + ((n % 16).reverse_bits() >> (usize::BITS - 4));
        let value = |n: usize| &given.numbers()[2 * n..2 * n + 2];
        let reversed: Vec<f64> = (0..32).flat_map(|n| value(place(n)).to_vec()).collect();
        assert_eq!(found.numbers(), reversed);
    }
}
