//! The ceiling of a transform: kernels that move the same bytes in the same passes and placement
//! and compute nothing.

use crate::fft::algorithms::Twiddles;
use crate::fft::descriptor::Descriptor;
use crate::fft::error::Unsupported;
use crate::fft::program::Problem;
use crate::fft::program::kernel::{self, Ends, KernelParts, TableNumbers};
use crate::fft::program::{Dispatch, Program, Role};
use crate::gpu::Capabilities;

/// Elements that each invocation copies, all read before the first is written.
const ELEMENTS: u32 = 4;

/// A copy turns nothing; these at least bind nothing.
const NO_TABLE: Twiddles = Twiddles::SinCos;

/// A program that copies where `descriptor` transforms: one dispatch for each axis, the first from
/// input to output, the others in place. Its algorithm is not looked at.
///
/// # Errors
/// [`Unsupported`], naming the limit that stands in the way.
pub fn copy_program(
    descriptor: &Descriptor,
    capabilities: &Capabilities,
) -> Result<Program, Unsupported> {
    let descriptor = &Descriptor { load: None, store: None, ..descriptor.clone() };
    let problem = Problem::new(descriptor, "copy".to_owned(), capabilities, true)?;
    let [width, height] = descriptor.size;
    let elements = width * height;
    let workgroup_size = capabilities.max_workgroup_invocations.min(256);
    let mut kernels = Vec::new();
    let mut dispatches = Vec::new();
    let mut source = problem.source();
    for &axis in descriptor.axes.list() {
        let kernel = KernelParts {
            body: "#import \"fft/copy.wgsl\"\n",
            axis,
            ends: Ends::buffers(source, Role::Output),
            scales: false,
            transposes: false,
            has_params: false,
            has_chirps: false,
            has_twists: false,
            split: false,
            is_in_bounds: false,
            period: None,
            length: None,
            direction: problem.descriptor.direction,
            twiddles: NO_TABLE,
            workgroup_size,
            workgroup_bytes: 0,
            constants: &[("ELEMENTS", elements)],
        }
        .compose(&problem);
        dispatches.push(Dispatch {
            kernel: kernels.len(),
            axis,
            roles: kernel::roles(&kernel, source, Role::Output, TableNumbers::default()),
            params: Vec::new(),
            workgroups: problem.workgroups(elements.div_ceil(workgroup_size * ELEMENTS))?,
            bytes_read: problem.data_bytes(),
            bytes_written: problem.data_bytes(),
        });
        kernels.push(kernel);
        source = Role::Output;
    }
    Ok(Program::new(&problem, NO_TABLE, kernels, dispatches))
}
