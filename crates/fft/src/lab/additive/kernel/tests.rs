use seaway_core::testing::{assert_valid, shared_context};

use super::super::tests::{product_by_definition, random};
use super::super::{Field, KnownAnswers, Method};
use super::*;
use crate::gpu::Context;

fn transform(degree: u32, method: Method, bits: u32) -> Transform {
    Transform::new(&Field::new(degree).unwrap(), method, bits).unwrap()
}

fn upload(context: &Context, values: &[u32]) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    gpu::filled(&context.device, "test", usage, bytemuck::cast_slice(values))
}

fn run(context: &Context, plan: &AdditivePlan, values: &[u32], direction: Direction) -> Vec<u32> {
    let buffer = upload(context, values);
    let bound = plan.bind(&context.device, &buffer).unwrap();
    context.submit(|encoder| {
        bound.encode(&mut encoder.begin_compute_pass(&Default::default()), direction);
    });
    context.read(&buffer)
}

fn expected(transform: &Transform, values: &[u32], direction: Direction) -> Vec<u32> {
    let mut expected = values.to_vec();
    for line in expected.chunks_exact_mut(transform.length()) {
        transform.transform(line, direction).unwrap();
    }
    expected
}

/// Checks both directions of a plan on random lines.
fn check_plan(plan: &AdditivePlan, transform: &Transform, lines: u32) {
    let values = random(transform.field(), transform.length() * lines as usize, lines.into());
    for direction in [Direction::Forward, Direction::Inverse] {
        let found = run(shared_context(), plan, &values, direction);
        let degree = transform.field().degree();
        assert!(
            found == expected(transform, &values, direction),
            "{:?} {direction} {} over 2^{degree}, {lines} lines",
            transform.method(),
            transform.length(),
        );
    }
}

#[test]
fn kernels_are_valid_within_webgpus_limits() {
    let webgpu = Capabilities::webgpu_defaults();
    for degree in [1, 2, 6, 8, 12, 15, 16] {
        for &method in Method::ALL {
            for bits in [0, 1, degree / 2, degree] {
                for &product in Product::ALL {
                    let transform = transform(degree, method, bits);
                    let program = Program::new(&transform, 3, product, &webgpu).unwrap();
                    let Program { forward, inverse, product, .. } = program;
                    let kernels = forward.into_iter().chain(inverse).chain([product]);
                    assert_valid(kernels.map(|kernel| (kernel.label, kernel.wgsl)));
                }
            }
        }
    }
}

#[test]
fn the_new_transform_stays_in_workgroup_memory() {
    let dispatches = |method, bits, bytes| {
        let capabilities =
            Capabilities { max_workgroup_storage_bytes: bytes, ..Capabilities::webgpu_defaults() };
        let transform = transform(16, method, bits);
        Program::new(&transform, 1, Product::Shifts, &capabilities).unwrap().forward.len()
    };
    for &method in Method::ALL {
        assert_eq!(dispatches(method, 12, 16 << 10), 1);
    }
    assert_eq!(dispatches(Method::GaoMateer, 16, 16 << 10), 4);
    assert_eq!(dispatches(Method::WangZhuCantor, 16, 16 << 10), 13);
}

#[test]
fn kernels_give_the_processors_values() {
    let device = &shared_context().device;
    for &method in Method::ALL {
        // With Cantor's basis, without, and with a part of it.
        for (degree, bits) in [(1, 0), (1, 1), (2, 2), (5, 5), (8, 7), (12, 6), (16, 9)] {
            for &product in Product::ALL {
                // Lines that do not fill the last window.
                let transform = transform(degree, method, bits);
                let plan = AdditivePlan::new(device, &transform, 3, product).unwrap();
                check_plan(&plan, &transform, 3);
            }
        }
    }
}

#[test]
fn long_lines_pass_through_storage() {
    let context = shared_context();
    let new = Method::GaoMateer;
    for (method, degree, bits) in [(Method::WangZhuCantor, 12, 12), (new, 12, 12), (new, 16, 16)] {
        let transform = transform(degree, method, bits);
        // Windows of 1024 values.
        let capabilities = Capabilities {
            max_workgroup_storage_bytes: 4 << 10,
            ..Capabilities::of(&context.device)
        };
        let program = Program::new(&transform, 2, Product::default(), &capabilities).unwrap();
        assert!(program.forward.len() > 1);
        check_plan(&AdditivePlan::from_program(&context.device, &program), &transform, 2);
    }
}

#[test]
fn products_of_polynomials_are_those_by_definition() {
    let context = shared_context();
    for &method in Method::ALL {
        let transform = transform(16, method, 8);
        let (field, lines) = (transform.field(), 5);
        let plan = AdditivePlan::new(&context.device, &transform, lines, Product::Logs).unwrap();
        let lengths = [100, 157];
        let lines_of = |length, seed| -> Vec<Vec<u32>> {
            random(field, length * lines as usize, seed)
                .chunks(length)
                .map(<[u32]>::to_vec)
                .collect()
        };
        let [a, b] = [lines_of(lengths[0], 1), lines_of(lengths[1], 2)];
        let buffers = [&a, &b].map(|polynomials| {
            let padded: Vec<u32> = polynomials
                .iter()
                .flat_map(|line| line.iter().copied().chain([0].repeat(256 - line.len())))
                .collect();
            upload(context, &padded)
        });
        let bound = plan.bind_product(&context.device, &buffers[0], &buffers[1]).unwrap();
        context.submit(|encoder| {
            bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
        });
        let found: Vec<u32> = context.read(&buffers[0]);
        for ((found, a), b) in found.chunks_exact(256).zip(&a).zip(&b) {
            assert_eq!(found, product_by_definition(field, a, b));
            assert_eq!(found, transform.multiply(a, b).unwrap());
        }
    }
}

#[test]
fn a_broken_kernel_is_noticed() {
    use Direction::{Forward, Inverse};
    let context = shared_context();
    let answers = KnownAnswers::new(&Field::new(8).unwrap(), 6, 2).unwrap();
    for &method in Method::ALL {
        let transform = transform(8, method, 6);
        let capabilities = Capabilities::of(&context.device);
        let program = Program::new(&transform, 2, Product::Shifts, &capabilities).unwrap();
        let is_right = |program: &Program, direction| {
            let plan = AdditivePlan::from_program(&context.device, program);
            run(context, &plan, answers.given(direction), direction) == answers.expected(direction)
        };
        assert!(is_right(&program, Forward) && is_right(&program, Inverse));
        // The weight of a butterfly, its second sum, and the last term of a quotient and of a remainder.
        for (direction, line, broken) in [
            (Forward, "times(weight, points[high])", "times(weight ^ 1u, points[high])"),
            (Forward, "points[high] ^= a;", "points[high] = a;"),
            (Forward, "points[high + select", "points[low + select"),
            (Forward, "n >= 1u", "n >= 2u"),
            (Inverse, "times(weight, b)", "times(weight ^ 1u, b)"),
            (Inverse, "n >= 1u", "n >= 2u"),
        ] {
            let mut program = program.clone();
            let kernel = match direction {
                Forward => &mut program.forward[0],
                Inverse => &mut program.inverse[0],
            };
            assert!(kernel.wgsl.contains(line), "{line} in {}", kernel.wgsl);
            kernel.wgsl = kernel.wgsl.replacen(line, broken, 1);
            assert!(!is_right(&program, direction), "{method} {direction}: {line}");
        }
    }
}

#[test]
fn buffers_and_limits_are_checked() {
    let context = shared_context();
    let transform = transform(8, Method::GaoMateer, 4);
    let device = &context.device;
    let new = |lines| AdditivePlan::new(device, &transform, lines, Product::default());
    assert_eq!(
        new(0).unwrap_err().to_string(),
        "an FFT of 16 x 1 points in a batch of 0 is empty: all must be at least 1"
    );
    assert!(new(u32::MAX).unwrap_err().to_string().contains("maxStorageBufferBindingSize"));
    let plan = new(2).unwrap();
    let small = upload(context, &[0; 16]);
    assert_eq!(
        plan.bind(device, &small).unwrap_err().to_string(),
        "the FFT's input needs 128 bytes, and its buffer has 64 from offset 0"
    );
    let uniform = gpu::filled(device, "test", wgpu::BufferUsages::UNIFORM, &[0; 128]);
    assert!(plan.bind(device, &uniform).is_err());
    let lines = upload(context, &[0; 32]);
    assert!(plan.bind_product(device, &lines, &lines).is_err());
}
