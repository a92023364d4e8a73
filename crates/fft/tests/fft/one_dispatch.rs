//! Both axes in one dispatch, whose workgroups wait for each other. A software adapter runs few workgroups at
//! once: there, each image has one.

use seaway_fft::gpu::Capabilities;
use seaway_fft::lab::{Algorithm, Program, Value, program};
use seaway_fft::{
    Axes, Buffers, Descriptor, Direction, Layout, Placement, Plan, Unsupported, WaitError,
};

use crate::support::{
    assert_accurate, download, exact, gpu, pack, random, storage, submit, unpack, upload_floats,
    with,
};

fn with_coherent_storage() -> Capabilities {
    Capabilities { coherent_storage: true, ..gpu().capabilities.clone() }
}

/// The program of one dispatch with `lines` in a workgroup, for the device of these tests. The memory of a
/// processor is coherent without being declared so.
pub fn joined(
    algorithm: Algorithm,
    descriptor: &Descriptor,
    parameters: &[(&'static str, Value)],
    lines: Option<u32>,
) -> Program {
    let flag = [("one-dispatch", Value::Flag(true))];
    let mut configuration = with(algorithm, &[&flag[..], parameters].concat());
    configuration.set("row-lines", lines.map(Value::Integer)).unwrap();
    let mut program =
        program(&descriptor.clone().by(configuration), &with_coherent_storage()).unwrap();
    if !gpu().capabilities.coherent_storage {
        program.kernels[0].wgsl = program.kernels[0].wgsl.replace("@coherent ", "");
    }
    program
}

/// Several transforms in turn, between which nothing resets what workgroups wait by.
#[test]
fn one_dispatch_transforms_both_axes() {
    let (sizes, is_software): (&[u32], _) = match gpu().is_software() {
        true => (&[2, 16, 32], true),
        false => (&[2, 16, 64, 128, 256, 512], false),
    };
    for &size in sizes {
        for (layout, placement, algorithm, direction) in [
            (Layout::Planar, Placement::OutOfPlace, Algorithm::StockhamR8, Direction::Forward),
            (Layout::Planar, Placement::InPlace, Algorithm::StockhamR8, Direction::Inverse),
            (Layout::Pair, Placement::OutOfPlace, Algorithm::StockhamR16, Direction::Inverse),
            (Layout::Pair, Placement::InPlace, Algorithm::StockhamR8, Direction::Inverse),
        ] {
            let batch = 3;
            let descriptor =
                Descriptor { batch, layout, placement, direction, ..Descriptor::image([size; 2]) };
            let program = joined(algorithm, &descriptor, &[], is_software.then_some(size));
            let [dispatch] = &program.dispatches[..] else { panic!("one dispatch") };
            assert!(!is_software || dispatch.workgroups[0] == 1, "{:?}", dispatch.workgroups);
            let plan = Plan::from_program(&gpu().device, program).unwrap();

            let points = (size * size) as usize;
            let mut images = random(points, batch);
            // Zeros are values, too.
            images[..points].fill([0.0; 2]);
            let reference = exact(&images, &descriptor);
            let input = storage(plan.output_bytes());
            let output = match placement {
                Placement::OutOfPlace => storage(plan.output_bytes()),
                Placement::InPlace => input.clone(),
            };
            let bound = plan.bind(&gpu().device, &Buffers::new(&input, &output)).unwrap();
            // The values of another turn would be wrong.
            for turn in 1..=3_u8 {
                let images: Vec<_> =
                    images.iter().map(|z| z.map(|x| x * f32::from(turn))).collect();
                let reference: Vec<_> =
                    reference.iter().map(|z| z.map(|x| x * f64::from(turn))).collect();
                let floats = pack(&images, points, layout);
                gpu().queue.write_buffer(&input, 0, bytemuck::cast_slice(&floats));
                submit(|pass| bound.encode(pass));
                let result = unpack(&download(&output), points, batch, layout);
                assert_accurate(&descriptor, &result, &reference);
                let context = gpu();
                pollster::block_on(bound.check(&context.device, &context.queue)).unwrap();
            }
        }
    }
}

/// Rows that store the bit of the turn before are never seen, and those that store in every other turn only in
/// that one.
#[test]
fn waiting_in_vain_is_reported() {
    let store = "passed[passed_index(layer, y, x)] = to_words(value);";
    for (lines, text, other, turns_seen) in [
        (8, "| Words(turn_bit)", "| Words(1u - turn_bit)", 0),
        (16, store, &*format!("if (turn_bit == 1u) {{ {store} }}"), 1),
    ] {
        let descriptor = Descriptor { batch: 2, ..Descriptor::image([16; 2]) };
        let mut program = joined(Algorithm::StockhamR8, &descriptor, &[], Some(lines));
        assert_eq!(program.dispatches[0].workgroups, [16 / lines, 2, 1]);
        let wgsl = &mut program.kernels[0].wgsl;
        for (text, other) in
            [("const LOOKS: u32 = 65535u;", "const LOOKS: u32 = 2u;"), (text, other)]
        {
            assert!(wgsl.contains(text));
            *wgsl = wgsl.replace(text, other);
        }
        let context = gpu();
        let plan = Plan::from_program(&context.device, program).unwrap();
        let images = pack(&random(256, 2), 256, descriptor.layout);
        let input = upload_floats(&images);
        let output = storage(plan.output_bytes());
        let bound = plan.bind(&context.device, &Buffers::new(&input, &output)).unwrap();
        let check = || pollster::block_on(bound.check(&context.device, &context.queue));
        for _ in 0..turns_seen {
            submit(|pass| bound.encode(pass));
        }
        check().unwrap();
        submit(|pass| bound.encode(pass));
        assert!(matches!(check(), Err(WaitError::InVain)));
        // Another plan can begin again from the input.
        assert_eq!(download(&input), images);
    }
}

#[test]
fn one_dispatch_says_what_it_cannot_do() {
    let able = with_coherent_storage();
    let refusal = |descriptor: Descriptor, parameters: &[(&str, Value)], device: &Capabilities| {
        let flag = [("one-dispatch", Value::Flag(true))];
        let configuration = with(Algorithm::StockhamR8, &[&flag[..], parameters].concat());
        program(&descriptor.by(configuration), device).unwrap_err()
    };
    let square = || Descriptor::image([64; 2]);
    let webgpu = Capabilities::webgpu_defaults();
    assert_eq!(refusal(square(), &[], &webgpu), Unsupported::Coherent);
    let few = Capabilities { waiting_workgroups: 4, ..able.clone() };
    assert!(matches!(refusal(square(), &[], &few), Unsupported::Waiting { available: 4, .. }));
    // Images within a workgroup wait for nobody else.
    let lines = [("row-lines", Value::Integer(64)), ("column-lines", Value::Integer(64))];
    let parameters = [&[("one-dispatch", Value::Flag(true))], &lines[..]].concat();
    let within = Descriptor { batch: 100, ..square() }.by(with(Algorithm::StockhamR8, &parameters));
    assert_eq!(program(&within, &few).map(|_| ()), Ok(()));
    let of_parameter =
        |error| matches!(error, Unsupported::Parameter { parameter: "one-dispatch", .. });
    assert!(of_parameter(refusal(Descriptor::image([64, 32]), &[], &able)));
    assert!(of_parameter(refusal(Descriptor { axes: Axes::Rows, ..square() }, &[], &able)));
    assert!(of_parameter(refusal(square(), &[("tiles", Value::Flag(true))], &able)));
    let lines = [("row-lines", Value::Integer(2)), ("column-lines", Value::Integer(4))];
    assert!(of_parameter(refusal(square(), &lines, &able)));
    let narrow = Capabilities { max_workgroups_per_dimension: 8, ..able };
    assert!(of_parameter(refusal(square(), &[("row-lines", Value::Integer(2))], &narrow)));
}
