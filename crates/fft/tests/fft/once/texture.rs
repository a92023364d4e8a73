//! Twiddle factors from a texture.

use seaway_fft::lab::timing::Regime;
use seaway_fft::lab::{Accuracy, Algorithm, Gate, References, Value, Workload, program};
use seaway_fft::{Axes, Buffers, Descriptor, FftError, Plan};

use crate::support::{assert_accurate, exact, gpu, random, run_plan, storage, with};

fn in_texture(task: Descriptor, algorithm: Algorithm) -> Descriptor {
    task.by(with(algorithm, &[("twiddles", Value::Choice("texture"))]))
}

#[test]
fn long_tables_lie_in_several_rows_of_texels() {
    // The last row is full, or not. Butterflies of two points take factors of half a turn.
    for (algorithm, length) in
        [(Algorithm::CooleyTukeyMultipass, 1 << 15), (Algorithm::FourStep, 10_000)]
    {
        let line = Descriptor { size: [length, 1], axes: Axes::Rows, ..Default::default() };
        let task = in_texture(line, algorithm);
        let values = random(length as usize, 1);
        let reference = exact(&values, &task);
        let mut program = program(&task, &gpu().capabilities).unwrap();
        let run = |program| {
            let plan = Plan::from_program(&gpu().device, program).unwrap();
            run_plan(&plan, &task, &values)
        };
        assert_accurate(&task, &run(program.clone()), &reference);
        // A broken kernel that reads every row as the first.
        for kernel in &mut program.kernels {
            assert!(kernel.wgsl.contains("at / TABLE_ROW"), "{}", kernel.wgsl);
            kernel.wgsl = kernel.wgsl.replace("at / TABLE_ROW", "0u");
        }
        assert!(!Gate::of(&task).passes(Accuracy::of(&run(program), &reference)), "{algorithm}");
    }
}

/// Their other factors lie in a buffer.
#[test]
fn real_data_takes_factors_from_a_texture() {
    let task = in_texture(Descriptor::image([60, 12]).real(), Algorithm::MixedRadix);
    let accuracy = pollster::block_on(async {
        let workload = Workload::new(&gpu().device, &gpu().queue, &task, Regime::Hot).await;
        let workload = workload.unwrap();
        workload.run();
        workload.accuracy(0..1, &mut References::default()).await.unwrap()
    });
    assert!(Gate::of(&task).passes(accuracy), "{}", Gate::of(&task).describe(accuracy));
}

#[test]
fn a_plan_binds_once_its_tables_are_written() {
    let task = in_texture(Descriptor::image([16; 2]), Algorithm::StockhamR2);
    let plan = Plan::new(&gpu().device, &task).unwrap();
    let [input, output] = [plan.input_bytes(), plan.output_bytes()].map(storage);
    let bind = || plan.bind(&gpu().device, &Buffers::new(&input, &output)).map(|_| ());
    assert_eq!(bind().unwrap_err(), FftError::Tables);
    plan.write_tables(&gpu().queue);
    bind().unwrap();
}
