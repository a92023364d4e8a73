//! A list of one algorithm, to show that adding one takes a line and a file.
#![allow(dead_code, reason = "a list of one does not use all that a list has")]

mod toy;

use super::AlgorithmFile;
use super::list::algorithms;
use crate::configuration::{Entry, Field, Parameters, PassParameters, Value, configurations};
use crate::descriptor::Descriptor;
use crate::error::Unsupported;
use crate::gpu::Capabilities;
use crate::program::{Problem, Program};

macro_rules! for_the_toy {
    ($callback:ident) => {
        $callback! {
            /// The smallest algorithm that is possible.
            Toy = "toy" in toy, PassParameters;
        }
    };
}
for_the_toy!(configurations);
for_the_toy!(algorithms);

/// The algorithm is listed, accepts its options only, runs, and is right.
#[test]
fn an_algorithm_is_one_file_and_one_line() {
    use crate::Buffers;
    use crate::choice::Choice as _;
    use crate::gpu::Context;
    use crate::lab::{Accuracy, Gate, cpu, data, noise};
    use crate::plan::{Plan, Trust};

    assert_eq!(Algorithm::NAMES, ["toy"]);
    assert!(Algorithm::Toy.description().contains("toy"));
    let mut configuration = Configuration::from(Algorithm::Toy);
    configuration.set("workgroup-size", Some(Value::Integer(32))).unwrap();
    let error = configuration.set("row-radix", Some(Value::Integer(8))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "toy has no parameter row-radix: it has twiddles, workgroup-size"
    );

    let context = seaway_core::testing::context();
    let Context { device, queue, capabilities, .. } = &context;
    let descriptor = Descriptor { size: [12, 10], ..Default::default() };
    let (program, complete) = configuration.build(&descriptor, capabilities, true).unwrap();
    assert_eq!(complete.get("workgroup-size"), Some(Value::Integer(32)));
    let plan = Plan::compile(device, program, Trust::Own).unwrap();
    let image = noise(0, 120);
    let buffer = || data::storage(device, "toy", plan.output_bytes());
    let (input, output) = (buffer(), buffer());
    queue.write_buffer(&input, 0, bytemuck::cast_slice(&image));
    let bound = plan.bind(device, &Buffers::new(&input, &output)).unwrap();
    context.submit(|encoder| bound.encode(&mut encoder.begin_compute_pass(&Default::default())));
    let result: Vec<[f32; 2]> = context.read(&output);

    let mut exact: Vec<[f64; 2]> = image.iter().map(|value| value.map(f64::from)).collect();
    cpu::transform(&mut exact, descriptor.size, descriptor.axes, descriptor.direction).unwrap();
    assert!(Gate::of(&descriptor).passes(Accuracy::of(&result, &exact)));
}
