//! Additive transforms against the definition, exactly.

use super::super::args::Algorithms;
use super::super::device::Gpu;
use super::{Args, Errors, Row};
use crate::bench::other;
use crate::bench::{Outcome, Size};
use crate::choice::Choice as _;
use crate::fft::lab::additive::{
    AdditiveError, AdditivePlan, Field, KnownAnswers, MAX_DEGREE, Method, Product, Transform,
};
use crate::fft::{Direction, FftError, Normalization};
use crate::gpu::{self, Context};

/// Lines of elements of GF(2^degree).
#[derive(Clone, Copy)]
pub(super) struct Case {
    degree: u32,
    size: Size,
    lines: u32,
}

/// The degree, the values of a line and the lines: fields with Cantor's basis, with a part of it and without, and
/// lines that fit in workgroup memory or do not.
const LIST: &[(u32, u32, u32)] =
    &[(1, 2, 5), (5, 32, 3), (8, 256, 4), (12, 1024, 3), (16, 1, 4), (16, 64, 4), (16, 16_384, 1)];

/// The cases that `--all` adds. The definition of the last takes 2^32 products.
const MORE: &[(u32, u32, u32)] = &[
    (2, 4, 1),
    (4, 16, 3),
    (6, 64, 4),
    (12, 4096, 4),
    (15, 8192, 2),
    (16, 4096, 4),
    (16, 65_536, 1),
];

/// The methods that the options name. Without a name they are among all algorithms, as long as no option asks for
/// FFTs.
pub(super) fn methods(args: &Args) -> &[Method] {
    let tasks = &args.tasks;
    match &tasks.algorithm {
        Algorithms::These(_, methods) => methods,
        Algorithms::All => {
            let is_open = tasks.size.is_empty()
                && tasks.kind.is_empty()
                && tasks.precision.is_empty()
                && !args.parameters.0.is_set();
            let has_lines = tasks.dimensions.is_empty() || tasks.dimensions.contains(&1);
            if is_open && has_lines { Method::ALL } else { &[] }
        }
    }
}

pub(super) fn cases(args: &Args) -> Vec<Case> {
    let Args { tasks, all, .. } = args;
    let or = |usual: &[u32]| if tasks.batch.is_empty() { usual } else { &tasks.batch[..] }.to_vec();
    let mut cases = Vec::new();
    for &(degree, length, lines) in LIST.iter().chain(MORE.iter().filter(|_| *all)) {
        if tasks.size.is_empty() {
            let size = Size::Side(length);
            cases.extend(or(&[lines]).into_iter().map(|lines| Case { degree, size, lines }));
        }
    }
    for &size in &tasks.size {
        let degree = MAX_DEGREE;
        cases.extend(or(&[1, 4]).into_iter().map(|lines| Case { degree, size, lines }));
    }
    cases
}

/// Adds a row for each of the chosen transforms, cases and directions.
pub fn verify_all(args: &Args, gpu: &Gpu, rows: &mut Vec<Row>) -> anyhow::Result<()> {
    let methods = methods(args);
    for Case { degree, size, lines } in cases(args).into_iter().filter(|_| !methods.is_empty()) {
        let field = Field::new(degree)?;
        let bits = match size.extent(1) {
            Some([length, ..]) if length.is_power_of_two() => Ok(length.ilog2()),
            _ => Err("an additive transform takes lines of 2^k values".to_owned()),
        };
        let answers = bits.and_then(|bits| {
            KnownAnswers::new(&field, bits, lines).map_err(|error| error.to_string())
        });
        for &method in methods {
            for &direction in Direction::ALL {
                let outcome = match &answers {
                    Ok(answers) => verify(gpu, &field, method, answers, direction)?,
                    Err(reason) => Outcome::skipped(reason),
                };
                rows.push(Row {
                    algorithm: method.name(),
                    kind: "additive",
                    dimensions: 1,
                    size,
                    batch: lines,
                    direction,
                    normalization: Normalization::None,
                    precision: format!("GF(2^{degree})"),
                    outcome,
                });
            }
        }
    }
    Ok(())
}

/// Transforms the lines of `answers`, multiplying in each way.
fn verify(
    gpu: &Gpu,
    field: &Field,
    method: Method,
    answers: &KnownAnswers,
    direction: Direction,
) -> anyhow::Result<Outcome<Errors>> {
    let Context { device, queue, .. } = &gpu.context;
    let transform = Transform::new(field, method, answers.bits())?;
    let mut worst: f64 = 0.0;
    for &product in Product::ALL {
        let plan = match AdditivePlan::new(device, &transform, answers.lines(), product) {
            Ok(plan) => plan,
            Err(AdditiveError::Fft(FftError::Unsupported(reason))) => {
                return Ok(Outcome::skipped(reason));
            }
            Err(error) => return Err(error.into()),
        };
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let given = bytemuck::cast_slice(answers.given(direction));
        let buffer = gpu::filled(device, "additive", usage, given);
        let bound = plan.bind(device, &buffer)?;
        let mut encoder = device.create_command_encoder(&Default::default());
        bound.encode(&mut encoder.begin_compute_pass(&Default::default()), direction);
        queue.submit([encoder.finish()]);
        let found = pollster::block_on(gpu::read_buffer(device, queue, &buffer));
        // The GPU's own complaint comes first: it is the cause of a failed read-back.
        gpu.check()?;
        let found: Vec<u32> = bytemuck::pod_collect_to_vec(&found?);
        worst = worst.max(other::mistakes(&found, answers.expected(direction)));
    }
    Ok(Outcome::Measured(Errors {
        relative_l2_error: Some(worst),
        max_error: Some(worst),
        passed: worst == 0.0,
    }))
}
