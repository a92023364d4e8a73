//! Real data, cosine transforms, volumes and views: what only the general algorithms take.

use seaway_core::choice::Choice as _;
use seaway_fft::gpu::Capabilities;
use seaway_fft::lab::{Accuracy, Algorithm, Twiddles, Value};
use seaway_fft::{
    self, Axes, Axis, Buffers, Descriptor, Direction, Kind, Layout, Normalization, Placement, Plan,
    Unsupported, View,
};

use crate::support::{
    download, download_bytes, gpu, random, submit, upload_bytes, upload_floats, with,
};
use seaway_core::testing::tolerance::at_most;

type Complex = [f64; 2];

/// Returns the transform of one line by the definition.
fn line(values: &[Complex], kind: Kind, direction: Direction, reals: usize) -> Vec<Complex> {
    let count = values.len();
    let sum = |terms: &mut dyn Iterator<Item = Complex>| {
        terms.fold([0.0; 2], |sum, term| [sum[0] + term[0], sum[1] + term[1]])
    };
    let root = |numerator: usize, denominator: usize| {
        let angle = std::f64::consts::TAU * (numerator % denominator) as f64 / denominator as f64;
        [angle.cos(), direction.sign() * angle.sin()]
    };
    let times = |a: Complex, b: Complex| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    let cosine = |numerator: usize, denominator: usize| root(numerator, denominator)[0];
    let n = |values: &[Complex], j: usize| values[j][0];
    let form = match (kind, direction) {
        (Kind::Dct2, Direction::Inverse) => Kind::Dct3,
        (Kind::Dct3, Direction::Inverse) => Kind::Dct2,
        (kind, _) => kind,
    };
    match (form, direction) {
        (Kind::Complex, _) => (0..count)
            .map(|k| sum(&mut (0..count).map(|j| times(values[j], root(j * k, count)))))
            .collect(),
        (Kind::Real, Direction::Forward) => (0..count / 2 + 1)
            .map(|k| sum(&mut (0..count).map(|j| times([values[j][0], 0.0], root(j * k, count)))))
            .collect(),
        (Kind::Real, Direction::Inverse) => (0..reals)
            .map(|j| {
                let whole = (0..reals).map(|k| {
                    let value = if k <= reals / 2 {
                        values[k]
                    } else {
                        let [re, im] = values[reals - k];
                        [re, -im]
                    };
                    let is_real = k == 0 || 2 * k == reals;
                    let value = if is_real { [value[0], 0.0] } else { value };
                    times(value, root(j * k, reals))
                });
                [sum(&mut { whole })[0], 0.0]
            })
            .collect(),
        (form, _) => (0..count)
            .map(|k| {
                let term = |j: usize| match form {
                    Kind::Dct1 if j == 0 => n(values, 0),
                    Kind::Dct1 if j + 1 == count => {
                        n(values, j) * if k % 2 == 0 { 1.0 } else { -1.0 }
                    }
                    Kind::Dct1 => 2.0 * n(values, j) * cosine(k * j, 2 * (count - 1)),
                    Kind::Dct2 => 2.0 * n(values, j) * cosine(k * (2 * j + 1), 4 * count),
                    Kind::Dct3 if j == 0 => n(values, 0),
                    Kind::Dct3 => 2.0 * n(values, j) * cosine(j * (2 * k + 1), 4 * count),
                    _ => 2.0 * n(values, j) * cosine((2 * k + 1) * (2 * j + 1), 8 * count),
                };
                [(0..count).map(term).sum(), 0.0]
            })
            .collect(),
    }
}

/// The same along one axis of an array of `size`, with the factors that scipy's `norm="ortho"` has at
/// the ends of lines.
fn along(
    values: &[Complex],
    size: &mut [u32; 3],
    axis: Axis,
    descriptor: &Descriptor,
) -> Vec<Complex> {
    let number = axis as usize;
    let real_rows = descriptor.kind == Kind::Real && axis == Axis::Row;
    let kind =
        if descriptor.kind == Kind::Real && !real_rows { Kind::Complex } else { descriptor.kind };
    let before: u32 = size[..number].iter().product();
    let after: u32 = size[number + 1..].iter().product();
    let (step, count) = (before as usize, size[number] as usize);
    let direction = descriptor.direction;
    let is_type_3 = matches!(
        (kind, direction),
        (Kind::Dct3, Direction::Forward) | (Kind::Dct2, Direction::Inverse)
    );
    let ortho = kind.is_cosine() && descriptor.normalization == Normalization::Ortho;
    let reals = descriptor.size[0] as usize;
    let mut results = Vec::new();
    let mut length = count;
    for z in 0..after as usize {
        for x in 0..step {
            let at = |j: usize| values[(z * count + j) * step + x];
            let mut values: Vec<_> = (0..count).map(at).collect();
            let root = std::f64::consts::SQRT_2;
            if ortho && (is_type_3 || kind == Kind::Dct1) {
                values[0][0] *= root;
            }
            if ortho && kind == Kind::Dct1 {
                values[count - 1][0] *= root;
            }
            let mut found = line(&values, kind, direction, reals);
            let is_type_2 = matches!(kind, Kind::Dct2 | Kind::Dct3) && !is_type_3;
            if ortho && (is_type_2 || kind == Kind::Dct1) {
                found[0][0] /= root;
            }
            if ortho && kind == Kind::Dct1 {
                found[count - 1][0] /= root;
            }
            length = found.len();
            results.push(found);
        }
    }
    size[number] = length as u32;
    let mut values = Vec::new();
    let factor = descriptor.factor(axis);
    for lines in results.chunks_exact(step) {
        for j in 0..length {
            values.extend(lines.iter().map(|line| line[j].map(|part| part * factor)));
        }
    }
    values
}

/// Returns the places of a view's values, in the order of x, y, z and the batch.
fn places(view: &View, batch: u32) -> Vec<usize> {
    let [width, height, depth] = view.extent;
    let [sx, sy, sz, sb] = view.strides;
    let mut places = Vec::new();
    for b in 0..batch {
        for z in 0..depth {
            for y in 0..height {
                for x in 0..width {
                    places.push((view.offset + b * sb + z * sz + y * sy + x * sx) as usize);
                }
            }
        }
    }
    places
}

/// The values at `places` of a buffer, each of which has the given number of floats.
fn gather(floats: &[f32], places: &[usize], reals: bool) -> Vec<[f32; 2]> {
    let at = |place: &usize| match reals {
        true => [floats[*place], 0.0],
        false => [floats[2 * place], floats[2 * place + 1]],
    };
    places.iter().map(at).collect()
}

/// Returns the whole data of the transform: the view's values, and zeros beyond.
fn whole(values: &[[f32; 2]], extent: [u32; 3], size: [u32; 3], batch: u32) -> Vec<Vec<Complex>> {
    let [width, height, depth] = extent.map(|side| side as usize);
    let inside = |x: usize, y: usize, z: usize| x < width && y < height && z < depth;
    let [w, h, d] = size.map(|side| side as usize);
    (0..batch as usize)
        .map(|b| {
            let mut image = Vec::new();
            for place in 0..w * h * d {
                let (x, y, z) = (place % w, place / w % h, place / w / h);
                let at = ((b * depth + z) * height + y) * width + x;
                let value = if inside(x, y, z) { values[at] } else { [0.0; 2] };
                image.push(value.map(f64::from));
            }
            image
        })
        .collect()
}

/// A value that no transform writes.
const UNTOUCHED: f32 = 123.25;

/// Transforms random data by `plan` and compares with the definition; gives the error.
#[track_caller]
fn judge(plan: &Plan, descriptor: &Descriptor) -> f64 {
    let batch = descriptor.batch;
    let (input, output) = (descriptor.input_view(), descriptor.output_view());
    let reals = [descriptor.loads_reals(), descriptor.stores_reals()];
    let floats = |bytes: u64| bytes as usize / 4;
    let in_place = descriptor.placement == Placement::InPlace;
    let bytes = if in_place { plan.output_bytes() } else { plan.input_bytes() };
    let noise = random(floats(bytes).div_ceil(2), 1);
    let data = noise.as_flattened()[..floats(bytes)].to_vec();
    let source = upload_floats(&data);
    let (bound, result) = if in_place {
        (plan.bind(&gpu().device, &Buffers::in_place(&source)).unwrap(), source)
    } else {
        let result = upload_floats(&vec![UNTOUCHED; floats(plan.output_bytes())]);
        (plan.bind(&gpu().device, &Buffers::new(&source, &result)).unwrap(), result)
    };
    submit(|pass| bound.encode(pass));
    let found = download(&result);

    let values = gather(&data, &places(&input, batch), reals[0]);
    let mut exact = Vec::new();
    for mut image in whole(&values, input.extent, descriptor.input_size(), batch) {
        let mut size = descriptor.input_size();
        for axis in descriptor.order() {
            image = along(&image, &mut size, axis, descriptor);
        }
        assert_eq!(size, descriptor.output_size(), "{descriptor:?}");
        let [w, h, _] = size.map(|side| side as usize);
        let [width, height, depth] = output.extent.map(|side| side as usize);
        for z in 0..depth {
            for y in 0..height {
                exact.extend_from_slice(&image[(z * h + y) * w..][..width]);
            }
        }
    }
    let places = places(&output, batch);
    let seen = gather(&found, &places, reals[1]);
    let accuracy = Accuracy::of(&seen, &exact);
    at_most(accuracy.relative_l2, 1.4e-6, format_args!("error of {descriptor:?}"));
    if !in_place && descriptor.output.is_some() {
        let mut others = vec![true; found.len()];
        for place in places {
            match reals[1] {
                true => others[place] = false,
                false => others[2 * place..][..2].fill(false),
            }
        }
        let touched = others.iter().zip(&found).any(|(other, value)| *other && *value != UNTOUCHED);
        assert!(!touched, "{descriptor:?} writes beside its output");
    }
    accuracy.relative_l2
}

#[track_caller]
fn check(descriptor: &Descriptor) {
    let plan = Plan::new(&gpu().device, descriptor).unwrap_or_else(|error| {
        panic!("{descriptor:?}: {error}");
    });
    judge(&plan, descriptor);
}

/// Within so little workgroup memory that short lines take several passes.
#[track_caller]
fn check_in_passes(descriptor: &Descriptor) {
    let little = Capabilities {
        max_workgroup_storage_bytes: 256,
        max_workgroup_invocations: 16,
        ..Capabilities::webgpu_defaults()
    };
    let program = seaway_fft::lab::program(descriptor, &little)
        .unwrap_or_else(|error| panic!("{descriptor:?}: {error}"));
    let dispatches = program.dispatches.len();
    assert!(dispatches > descriptor.axes.list().len(), "{descriptor:?}: {dispatches}");
    let plan = Plan::from_program(&gpu().device, program).unwrap();
    judge(&plan, descriptor);
}

fn real(size: [u32; 2], direction: Direction) -> Descriptor {
    Descriptor { direction, batch: 2, ..Descriptor::image(size).real() }
}

#[test]
fn real_data_have_half_a_spectrum() {
    for (number, size) in
        [[1, 1], [1, 4], [2, 3], [3, 2], [4, 1], [5, 7], [8, 5], [9, 4], [30, 3], [34, 2], [64, 16]]
            .into_iter()
            .enumerate()
    {
        for &direction in Direction::ALL {
            for &placement in Placement::ALL {
                let normalization = Normalization::ALL[number % 3];
                let axes = if number % 4 == 2 { Axes::Rows } else { Axes::Both };
                check(&Descriptor { placement, normalization, axes, ..real(size, direction) });
            }
        }
    }
}

#[test]
fn long_lines_of_real_data() {
    for width in [1000, 1009, 1080, 2018] {
        for &direction in Direction::ALL {
            check(&Descriptor { axes: Axes::Rows, ..real([width, 2], direction) });
        }
    }
    let table = with(Algorithm::MixedRadix, &[("twiddles", Value::Choice(Twiddles::Table.name()))]);
    for &direction in Direction::ALL {
        check(&real([100, 6], direction).by(table));
    }
}

#[test]
fn one_more_pass_joins_lines_in_several_passes() {
    for width in [512, 260, 268] {
        for &direction in Direction::ALL {
            for &placement in Placement::ALL {
                check_in_passes(&Descriptor { placement, ..real([width, 3], direction) });
            }
        }
    }
    for kind in [Kind::Dct1, Kind::Dct2, Kind::Dct3, Kind::Dct4] {
        for size in [[257, 2], [2, 256], [3, 133]] {
            for &placement in Placement::ALL {
                let batch = 2;
                check_in_passes(&Descriptor { size, kind, placement, batch, ..Default::default() });
            }
        }
    }
}

#[test]
fn cosine_transforms_of_every_short_length() {
    for kind in [Kind::Dct1, Kind::Dct2, Kind::Dct3, Kind::Dct4] {
        for length in 1..=18 {
            let size = [length, length + 1];
            if kind == Kind::Dct1 && length == 1 {
                continue;
            }
            let turn = length as usize;
            check(&Descriptor {
                size,
                kind,
                batch: 1 + length % 2,
                direction: Direction::ALL[turn % 2],
                placement: Placement::ALL[turn / 2 % 2],
                normalization: Normalization::ALL[turn % 3],
                ..Default::default()
            });
        }
    }
}

#[test]
fn cosine_transforms_of_longer_lines() {
    for kind in [Kind::Dct1, Kind::Dct2, Kind::Dct3, Kind::Dct4] {
        for length in [97, 240, 501] {
            let normalization = Normalization::Ortho;
            let size = [length, 2];
            check(&Descriptor {
                size,
                kind,
                axes: Axes::Rows,
                normalization,
                ..Default::default()
            });
        }
    }
}

#[test]
fn volumes_along_any_axes() {
    for kind in [Kind::Complex, Kind::Real, Kind::Dct2] {
        for (number, &axes) in Axes::ALL.iter().enumerate() {
            if kind == Kind::Real && !axes.list().contains(&Axis::Row) {
                continue;
            }
            for &direction in Direction::ALL {
                let placement = Placement::ALL[number % 2];
                let normalization = Normalization::ALL[number % 3];
                check(&Descriptor {
                    size: [6, 5],
                    depth: 4,
                    batch: 2,
                    kind,
                    axes,
                    direction,
                    placement,
                    normalization,
                    ..Default::default()
                });
            }
        }
    }
    let pairs = Descriptor { batch: 2, ..Descriptor::volume([16, 4, 8]) };
    let plan = Plan::new(&gpu().device, &Descriptor { layout: Layout::Pair, ..pairs.clone() });
    assert!(plan.is_ok(), "{plan:?}");
    check(&pairs);
    check_in_passes(&Descriptor::volume([3, 2, 128]));
}

#[test]
fn views_have_strides_and_zeros_beyond_them() {
    let size = [12, 10];
    let image = |width: u32, height: u32, pitch: u32| View {
        offset: 0,
        extent: [width, height, 1],
        strides: [1, pitch, 0, pitch * height + 3],
    };
    let spread = View { offset: 5, extent: [12, 10, 1], strides: [20, 2, 0, 1] };
    let base = Descriptor { size, batch: 2, ..Default::default() };
    for (input, output) in [
        (Some(image(12, 10, 17)), None),
        (None, Some(image(12, 10, 15))),
        (Some(image(7, 4, 9)), Some(image(5, 3, 5))),
        (Some(spread), Some(spread)),
        (Some(image(12, 4, 12)), None),
    ] {
        for &direction in Direction::ALL {
            check(&Descriptor { input, output, direction, ..base.clone() });
        }
    }
    let both = Some(image(12, 10, 14));
    check(&Descriptor { output: both, placement: Placement::InPlace, ..base.clone() });
    let half = |width: u32, height: u32, pitch: u32| View {
        offset: 0,
        extent: [width, height, 1],
        strides: [1, pitch, 0, pitch * 10],
    };
    for (input, output) in [
        (Some(half(12, 10, 16)), Some(half(7, 10, 8))),
        (Some(half(7, 5, 15)), None),
        (Some(half(8, 10, 14)), Some(half(4, 6, 4))),
    ] {
        let forward = Descriptor { kind: Kind::Real, input, output, ..base.clone() };
        check(&forward);
        let direction = Direction::Inverse;
        check(&Descriptor { input: output, output: input, direction, ..forward });
    }
    for kind in [Kind::Dct1, Kind::Dct2, Kind::Dct3, Kind::Dct4] {
        let (input, output) = (Some(image(9, 4, 13)), Some(image(5, 10, 16)));
        check(&Descriptor { kind, input, output, ..base.clone() });
    }
    let volume = Descriptor {
        depth: 6,
        axes: Axes::All,
        input: Some(View { offset: 0, extent: [5, 10, 3], strides: [1, 6, 70, 240] }),
        output: Some(View { offset: 0, extent: [12, 4, 6], strides: [4, 50, 201, 1] }),
        ..base.clone()
    };
    check(&volume);
    check_in_passes(&Descriptor {
        size: [256, 3],
        input: Some(View { offset: 0, extent: [50, 2, 1], strides: [1, 60, 0, 120] }),
        output: Some(View { offset: 0, extent: [40, 3, 1], strides: [1, 40, 0, 120] }),
        ..base
    });
}

#[test]
fn rader_takes_views_and_volumes() {
    let image = |width: u32, height: u32, pitch: u32| View {
        offset: 2,
        extent: [width, height, 1],
        strides: [1, pitch, 0, pitch * height + 3],
    };
    let base = Descriptor { size: [17, 5], batch: 2, ..Default::default() }.by(Algorithm::Rader);
    check(&Descriptor {
        input: Some(image(7, 4, 9)),
        output: Some(image(5, 3, 5)),
        ..base.clone()
    });
    check(&Descriptor { batch: 2, ..Descriptor::volume([5, 7, 3]).by(Algorithm::Rader) });
    let rows = Descriptor { axes: Axes::Rows, size: [113, 2], ..base };
    check_in_passes(&Descriptor { input: Some(image(50, 2, 60)), ..rows.clone() });
    check_in_passes(&Descriptor { output: Some(image(40, 2, 41)), ..rows });
}

/// A NaN or an infinity is in every result of its line, and in no other line, as in NumPy and SciPy. The
/// imaginary parts of a spectrum's first value and of its middle one are ignored.
#[test]
fn what_is_not_finite_stays_in_its_line() {
    let of_kind = |kind: Kind| match kind {
        Kind::Complex | Kind::Real => Direction::ALL,
        _ => &Direction::ALL[..1],
    };
    let tasks = Kind::ALL[1..].iter().flat_map(|kind| of_kind(*kind).iter().map(|d| (*kind, *d)));
    for (kind, direction) in tasks {
        for (length, algorithm) in [
            (24, Algorithm::MixedRadix),
            (15, Algorithm::MixedRadix),
            (40, Algorithm::FourStep),
            (34, Algorithm::Bluestein),
        ] {
            // A cosine transform of type I of one more point is as long.
            let size = [if kind == Kind::Dct1 { length + 1 } else { length }, 3];
            let descriptor = Descriptor { axes: Axes::Rows, ..real(size, direction) };
            let descriptor = Descriptor { kind, batch: 1, ..descriptor }.by(algorithm);
            let plan = Plan::new(&gpu().device, &descriptor)
                .unwrap_or_else(|error| panic!("{descriptor:?}: {error}"));
            let run = |data: &[f32]| {
                let (source, result) = (
                    upload_floats(data),
                    upload_floats(&vec![0.0; plan.output_bytes() as usize / 4]),
                );
                let bound = plan.bind(&gpu().device, &Buffers::new(&source, &result)).unwrap();
                submit(|pass| bound.encode(pass));
                download(&result)
            };
            let noise = random(plan.input_bytes() as usize / 8 + 1, 1);
            let floats = plan.input_bytes() as usize / 4;
            let sound = noise.as_flattened()[..floats].to_vec();
            let expected = run(&sound);
            let is_spectrum = kind == Kind::Real && direction == Direction::Inverse;
            // In the middle line: its first number that counts, one after it, and its last. (Of a real
            // spectrum the bin in the middle of the middle counts for every other result only, in NumPy
            // as here.)
            let [first, last] = [floats / 3, floats / 3 * 2 - 1];
            let last = if is_spectrum { last - 1 } else { last };
            let parts = if descriptor.stores_reals() { 1 } else { 2 };
            for place in [first, first + 2, last] {
                for bad in [f32::NAN, f32::INFINITY] {
                    let mut data = sound.clone();
                    data[place] = bad;
                    let result = run(&data);
                    let line = result.len() / 3;
                    for (number, (values, before)) in
                        result.chunks_exact(parts).zip(expected.chunks_exact(parts)).enumerate()
                    {
                        let finite = values.iter().all(|part| part.is_finite());
                        let is_other = number * parts / line != 1;
                        assert_eq!(finite, is_other, "{bad} at {place}: {descriptor:?} {number}");
                        assert!(!finite || values == before, "{bad} at {place}: {descriptor:?}");
                    }
                }
            }
            if is_spectrum {
                let ends =
                    if length % 2 == 0 { vec![first + 1, last + 1] } else { vec![first + 1] };
                for place in ends {
                    let mut data = sound.clone();
                    data[place] = f32::NAN;
                    assert_eq!(run(&data), expected, "{place}: {descriptor:?}");
                }
            }
        }
    }
}

/// Half of a spectrum is half the memory in place; between two buffers, whose rows lie apart from the
/// sectors of memory, it takes its way through a third of half the size.
#[test]
fn real_data_take_half_the_memory() {
    for (placement, most) in [(Placement::InPlace, 0.502), (Placement::OutOfPlace, 0.753)] {
        let bytes = |kind: Kind, direction: Direction| {
            let size = [1024; 2];
            let descriptor =
                Descriptor { size, batch: 16, kind, direction, placement, ..Default::default() };
            let descriptor = descriptor.by(Algorithm::MixedRadix);
            let program =
                seaway_fft::lab::program(&descriptor, &Capabilities::webgpu_defaults()).unwrap();
            let scratch = program.scratch_bytes + program.second_scratch_bytes;
            let input = if program.in_place { 0 } else { program.input_bytes };
            (input + program.output_bytes + scratch) as f64
        };
        for &direction in Direction::ALL {
            let share = bytes(Kind::Real, direction) / bytes(Kind::Complex, direction);
            assert!(share <= most, "{placement} {direction}: {share}");
        }
    }
}

/// Lines with twice the values that workgroup memory holds of one component.
#[test]
fn long_lines_cross_workgroup_memory_in_halves() {
    let little = Capabilities {
        max_workgroup_storage_bytes: 256,
        max_workgroup_invocations: 16,
        ..Capabilities::webgpu_defaults()
    };
    let rows = |size| Descriptor { size, axes: Axes::Rows, batch: 2, ..Default::default() };
    let real = |size, direction| Descriptor { kind: Kind::Real, direction, ..rows(size) };
    for descriptor in [
        rows([128, 3]).by(Algorithm::MixedRadix),
        rows([128, 3]).by(with(Algorithm::MixedRadix, &[("row-bank-padding", Value::Flag(false))])),
        // Two results of a line are brought together.
        real([256, 3], Direction::Forward).by(Algorithm::MixedRadix),
        real([256, 3], Direction::Inverse).by(Algorithm::MixedRadix),
        Descriptor { kind: Kind::Dct2, ..rows([256, 3]) }.by(Algorithm::MixedRadix),
    ] {
        let program = seaway_fft::lab::program(&descriptor, &little)
            .unwrap_or_else(|error| panic!("{descriptor:?}: {error}"));
        assert_eq!(program.dispatches.len(), 1, "{descriptor:?}");
        judge(&Plan::from_program(&gpu().device, program).unwrap(), &descriptor);
    }
    // There and back; but pairs of a line that is padded may be in one half.
    let little = Capabilities { max_workgroup_storage_bytes: 512, ..little };
    let exchange = with(Algorithm::Bluestein, &[("row-exchange", Value::Integer(2))]);
    let chirped = rows([64, 3]).by(exchange);
    let program = seaway_fft::lab::program(&chirped, &little).unwrap();
    assert_eq!(program.dispatches.len(), 1);
    judge(&Plan::from_program(&gpu().device, program).unwrap(), &chirped);
    let paired = real([128, 3], Direction::Forward).by(exchange);
    let error = seaway_fft::lab::program(&paired, &little).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("needs 1024 bytes"), "{error}");
}

/// The needs of columns do not limit the depths, of which there may be few.
#[test]
fn flat_volumes_take_a_pass_for_each_axis() {
    let h200 = Capabilities {
        max_workgroup_storage_bytes: 48 << 10,
        max_workgroup_invocations: 1024,
        ..Capabilities::webgpu_defaults()
    };
    for capabilities in [Capabilities::webgpu_defaults(), h200] {
        for (size, depth) in [([64, 64], 8), ([256, 256], 8), ([256, 256], 32), ([512, 512], 64)] {
            let descriptor = Descriptor { size, depth, axes: Axes::All, ..Default::default() };
            let descriptor = descriptor.by(Algorithm::MixedRadix);
            let program = seaway_fft::lab::program(&descriptor, &capabilities)
                .unwrap_or_else(|error| panic!("{size:?} x {depth}: {error}"));
            assert_eq!(program.dispatches.len(), 3);
        }
    }
}

/// The short-time transform: each window is a row, and they overlap.
#[test]
fn windows_that_are_read_may_overlap() {
    let windows = View { offset: 3, extent: [16, 7, 1], strides: [1, 4, 0, 50] };
    let kind = Kind::Real;
    let rows = Descriptor { batch: 2, ..Descriptor::lines(16, 7) };
    check(&Descriptor { kind, input: Some(windows), ..rows.clone() });
    let error = Plan::new(&gpu().device, &Descriptor { output: Some(windows), ..rows });
    assert!(error.unwrap_err().to_string().contains("share a place"));
}

/// Storage buffers are bound in whole words of 4 bytes.
#[test]
fn an_odd_number_of_16_bit_floats_is_bound() {
    use seaway_fft::Precision;
    if !gpu().capabilities.shader_f16 {
        return;
    }
    for kind in [Kind::Real, Kind::Dct2] {
        let descriptor = Descriptor { kind, precision: Precision::F16, ..Descriptor::lines(15, 1) };
        let plan = Plan::new(&gpu().device, &descriptor).unwrap();
        assert_eq!((plan.input_bytes(), plan.output_bytes()), (32, 32));
        // 0x3c00 is 1.0.
        let ones: Vec<u8> = [0x00, 0x3c].repeat(16);
        let (source, result) = (upload_bytes(&ones), upload_bytes(&[0; 32]));
        let bound = plan.bind(&gpu().device, &Buffers::new(&source, &result)).unwrap();
        submit(|pass| bound.encode(pass));
        let found: Vec<half::f16> = bytemuck::pod_collect_to_vec(&download_bytes(&result));
        let sum = if kind == Kind::Real { 15.0 } else { 30.0 };
        assert_eq!(found[0].to_f32(), sum, "{kind}");
        assert!(found[1..15].iter().all(|value| value.to_f32().abs() < 0.05), "{found:?}");
    }
}

/// A hook that gives the values replaces nothing, and rows of real numbers need no more room.
#[test]
fn a_hook_leaves_real_rows_dense() {
    let hook = seaway_fft::LoadHook::new(
        "ones",
        "fn load(layer: u32, y: u32, x: u32) -> Element { return Element(f32(x + y == 0u), 0.0); }",
        Vec::new(),
    );
    let descriptor = Descriptor {
        placement: Placement::InPlace,
        load: Some(hook),
        ..real([15, 4], Direction::Inverse)
    };
    assert_eq!(descriptor.output_view(), View::dense([15, 4, 1]));
    let plan = Plan::new(&gpu().device, &descriptor).unwrap();
    let result = upload_floats(&vec![UNTOUCHED; plan.output_bytes() as usize / 4]);
    let layout = plan.load_layout().expect("it loads by a hook");
    let nothing = gpu().device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout,
        entries: &[],
    });
    let output = Some((&result).into());
    let buffers = Buffers { output, load: Some(&nothing), ..Buffers::default() };
    let bound = plan.bind(&gpu().device, &buffers).unwrap();
    submit(|pass| bound.encode(pass));
    // The spectrum's first value is the sum of a constant.
    assert!(download(&result).iter().all(|value| (value - 1.0).abs() < 1e-6));
}

#[test]
fn what_cannot_be_says_what_can() {
    let refused = |descriptor: Descriptor| {
        seaway_fft::lab::program(&descriptor, &Capabilities::webgpu_defaults())
            .unwrap_err()
            .to_string()
    };
    let base = Descriptor::image([8, 4]).real();
    assert!(refused(Descriptor { axes: Axes::Columns, ..base.clone() }).contains("rows"));
    assert!(refused(Descriptor { layout: Layout::Pair, ..base.clone() }).contains("planar"));
    let single = Descriptor { size: [8, 1], kind: Kind::Dct1, ..Default::default() };
    assert!(refused(single).contains("from 2 on"));
    let view = |extent: [u32; 3], strides: [u32; 4]| Some(View { offset: 0, extent, strides });
    for (output, expected) in [
        (view([9, 4, 1], [1, 9, 0, 36]), "9 of 8 points along the row"),
        (view([0, 4, 1], [1, 9, 0, 36]), "0 of 8 points along the row"),
        (view([8, 4, 1], [1, 7, 0, 36]), "share a place"),
        (view([8, 4, 1], [1, 0, 0, 36]), "share a place"),
    ] {
        let kind = Kind::Complex;
        let error = refused(Descriptor { output, kind, ..base.clone() });
        assert!(error.contains(expected), "{error}");
    }
    let rows = Descriptor { kind: Kind::Complex, axes: Axes::Rows, ..base.clone() };
    let error = refused(Descriptor { input: view([8, 2, 1], [1, 8, 0, 36]), ..rows });
    assert!(error.contains("not transformed"), "{error}");
    let named = base.by(Algorithm::StockhamR4);
    let error = seaway_fft::lab::program(&named, &Capabilities::webgpu_defaults()).unwrap_err();
    assert!(matches!(error, Unsupported::Plain { .. }), "{error}");
    assert!(error.to_string().contains("mixed-radix"), "{error}");
}
