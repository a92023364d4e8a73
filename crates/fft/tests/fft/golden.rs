//! A few register-tiled kernels as they come out, for a reader to see and a change to show: part of
//! them is generated. Needs no adapter.
//!
//! After a change of a kernel that is meant, write them again and look at the difference:
//!
//! ```sh
//! UPDATE_REFERENCES=1 cargo test --test fft golden
//! ```

use std::fs;
use std::path::Path;

use seaway_fft::gpu::Capabilities;
use seaway_fft::lab::{Algorithm, Kernel, Value, program};
use seaway_fft::{Axis, Descriptor, Direction, Layout, LoadHook};

use crate::support::with;

/// The kernel of `descriptor` along `axis`, within WebGPU's default limits.
fn kernel(descriptor: &Descriptor, axis: Axis) -> Kernel {
    let mut program = program(descriptor, &Capabilities::webgpu_defaults()).unwrap();
    let mut dispatches = program.dispatches.iter();
    let index = dispatches.find(|dispatch| dispatch.axis == axis).expect("both axes").kernel;
    program.kernels.swap_remove(index)
}

/// The first line in which two texts differ.
fn first_difference(expected: &str, found: &str) -> Option<String> {
    if expected == found {
        return None;
    }
    let (mut expected, mut found) = (expected.split('\n'), found.split('\n'));
    (1..).find_map(|number| {
        let lines = (expected.next(), found.next());
        let text = |line: Option<&str>| line.unwrap_or("(the end)").to_owned();
        (lines.0 != lines.1).then(|| {
            format!("line {number} was\n    {}\nand is\n    {}", text(lines.0), text(lines.1))
        })
    })
}

/// `golden/<name>.wgsl` holds `kernel`, or is made to.
#[track_caller]
fn holds(name: &str, kernel: &Kernel) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fft/golden");
    let path = folder.join(name).with_extension("wgsl");
    if std::env::var_os("UPDATE_REFERENCES").is_some() {
        fs::create_dir_all(folder).unwrap();
        fs::write(&path, &kernel.wgsl).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if let Some(difference) = first_difference(&expected, &kernel.wgsl) {
        panic!("{}: {difference}\nUPDATE_REFERENCES=1 writes it again", path.display());
    }
}

#[test]
fn golden_row_of_64_points() {
    let descriptor = Descriptor { size: [64, 64], layout: Layout::Planar, ..Default::default() }
        .by(Algorithm::StockhamR8);
    holds("stockham-r8-row-64-planar", &kernel(&descriptor, Axis::Row));
}

/// Two stages of radix 16, with the factors from a table.
#[test]
fn golden_column_of_256_points() {
    let table = with(Algorithm::StockhamR16, &[("twiddles", Value::Choice("table"))]);
    let descriptor = Descriptor { size: [256, 256], layout: Layout::Pair, ..Default::default() };
    holds("stockham-r16-column-256-pair-table", &kernel(&descriptor.by(table), Axis::Column));
}

/// The kernel has the form of the ocean's rows: a hook prepares two layers at once, which are
/// transformed in turn and stored in tiles.
#[test]
fn golden_row_of_512_in_tiles_from_a_hook() {
    let hook = LoadHook::preparing(
        2,
        "a wave and its double",
        "alias Prepared = Element;
fn prepare(group: u32, y: u32, x: u32) -> Prepared {
    return Element(f32(group + y + x));
}
fn load_prepared(prepared: Prepared, layer: u32, y: u32, x: u32) -> Element {
    return prepared * f32(1u + layer % 2u);
}
",
        Vec::new(),
    );
    let tiles = Value::Flag(true);
    let descriptor = Descriptor {
        size: [512, 512],
        batch: 4,
        direction: Direction::Inverse,
        layout: Layout::Pair,
        load: Some(hook),
        ..Default::default()
    }
    .by(with(Algorithm::StockhamR8, &[("tiles", tiles), ("layers-in-turn", Value::Flag(true))]));
    holds("stockham-r8-row-512-pair-tiles-hook-in-turn", &kernel(&descriptor, Axis::Row));
}

/// Two stages of radices that are no powers of two; the second leaves some invocations at rest.
#[test]
fn golden_row_of_60_points() {
    let descriptor = Descriptor { size: [60, 7], ..Default::default() }.by(Algorithm::MixedRadix);
    holds("mixed-radix-row-60-planar", &kernel(&descriptor, Axis::Row));
}

/// The last step, which reverses the digits, of parts that neighbouring invocations load along and
/// store across.
#[test]
fn golden_last_step_of_a_row_of_1000_points() {
    let descriptor = Descriptor::lines(1000, 3).by(Algorithm::FourStep);
    let mut program = program(&descriptor, &Capabilities::webgpu_defaults()).unwrap();
    holds("four-step-row-1000-last-planar", &program.kernels.pop().unwrap());
}

/// There and back through the filter in one kernel.
#[test]
fn golden_column_of_19_points() {
    let descriptor = Descriptor { size: [5, 19], layout: Layout::Pair, ..Default::default() }
        .by(Algorithm::Bluestein);
    holds("bluestein-column-19-pair", &kernel(&descriptor, Axis::Column));
}

/// A convolution of all points but one, whose sum the first one joins.
#[test]
fn golden_column_of_17_points() {
    let descriptor = Descriptor { size: [5, 17], layout: Layout::Pair, ..Default::default() }
        .by(Algorithm::Rader);
    holds("rader-column-17-pair", &kernel(&descriptor, Axis::Column));
}

#[test]
fn golden_differences_are_told_by_their_first_line() {
    assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
    assert_eq!(
        first_difference("a\nb\nc\n", "a\nd\nc\n").unwrap(),
        "line 2 was\n    b\nand is\n    d"
    );
    assert_eq!(first_difference("a", "a\nb").unwrap(), "line 2 was\n    (the end)\nand is\n    b");
}
