//! Tests of the command `seaway fft`.

mod reference;

use std::fs;
use std::path::{Path, PathBuf};

use npyz::num_complex::Complex;
use npyz::{NpyFile, WriterBuilder as _};
use seaway::fft::lab::cpu;
use seaway::fft::{Axes, Direction};

use crate::support::{NO_ADAPTER, Outcome, folder, seaway, seaway_with};
use reference::{Case, Choices, DTYPES, generator};
use seaway_core::testing::tolerance::{at_most, near};

fn save<T: npyz::AutoSerialize + Clone>(
    path: &Path,
    shape: &[u64],
    order: npyz::Order,
    values: &[T],
) {
    let file = fs::File::create(path).unwrap();
    let options = npyz::WriteOptions::new().default_dtype().shape(shape).order(order);
    let mut writer = options.writer(file).begin_nd().unwrap();
    writer.extend(values.iter().cloned()).unwrap();
    writer.finish().unwrap();
}

pub fn load<T: npyz::Deserialize>(path: &Path) -> (Vec<u64>, Vec<T>) {
    let file = NpyFile::new(fs::File::open(path).unwrap()).unwrap();
    assert_eq!(file.order(), npyz::Order::C);
    (file.shape().to_vec(), file.into_vec().expect("of this type"))
}

fn fft(input: &Path, output: &Path, options: &str) -> Outcome {
    seaway(&format!("fft {} {} {options}", input.display(), output.display()))
}

fn paths(test: &str) -> (PathBuf, PathBuf) {
    let folder = folder(test);
    (folder.join("in.npy"), folder.join("out.npy"))
}

#[test]
fn auto_computes_the_same() {
    let (input, output) = paths("fft-auto");
    let values: Vec<Complex<f64>> =
        (0..3 * 8 * 16).map(|n| Complex::new(f64::from(n % 7), f64::from(n % 5) - 1.0)).collect();
    save(&input, &[3, 8, 16], npyz::Order::C, &values);
    fft(&input, &output, "--algorithm stockham-r2").expect(0, &[]);
    let (_, named) = load::<Complex<f64>>(&output);
    fft(&input, &output, "--algorithm auto").expect(0, &["auto, 16x8, batch 3: "]);
    let (shape, chosen) = load::<Complex<f64>>(&output);
    assert_eq!(shape, [3, 8, 16]);
    let named: Vec<[f64; 2]> = named.iter().map(|value| [value.re, value.im]).collect();
    assert_close(&chosen, &named, 1e-6);
}

#[track_caller]
fn assert_close(result: &[Complex<f64>], expected: &[[f64; 2]], tolerance: f64) {
    assert_eq!(result.len(), expected.len());
    let largest = expected.iter().flatten().fold(0.0_f64, |largest, part| largest.max(part.abs()));
    for (value, exact) in result.iter().zip(expected) {
        near(value.re, exact[0], tolerance * largest, format_args!("real part of {value}"));
        near(value.im, exact[1], tolerance * largest, format_args!("imaginary part of {value}"));
    }
}

/// The results of NumPy 2.4 for this array: fft2, and ifft2 with the norm `ortho`.
const SMALL: [[f64; 2]; 8] = [
    [1.0, 2.0],
    [-3.0, 0.0],
    [0.0, 0.5],
    [2.0, 0.0],
    [0.0, 0.0],
    [1.0, -1.0],
    [4.0, 0.0],
    [-2.5, 1.0],
];
const SMALL_FFT2: [[f64; 2]; 8] = [
    [2.5, 2.5],
    [-5.0, 3.0],
    [7.5, 2.5],
    [-1.0, 0.0],
    [-2.5, 2.5],
    [7.0, 10.0],
    [-3.5, 2.5],
    [3.0, -7.0],
];
const SMALL_IFFT2_ORTHO: [[f64; 2]; 8] = [
    [0.88388348, 0.88388348],
    [-0.35355339, 0.0],
    [2.65165043, 0.88388348],
    [-1.76776695, 1.06066017],
    [-0.88388348, 0.88388348],
    [1.06066017, -2.47487373],
    [-1.23743687, 0.88388348],
    [2.47487373, 3.53553391],
];

fn complex(values: &[[f64; 2]]) -> Vec<Complex<f64>> {
    values.iter().map(|&[re, im]| Complex { re, im }).collect()
}

#[test]
fn it_agrees_with_numpy_on_a_known_answer() {
    let (input, output) = paths("fft-known");
    save(&input, &[2, 4], npyz::Order::C, &complex(&SMALL));
    fft(&input, &output, "").expect(0, &["adapter: "]);
    let (shape, result) = load::<Complex<f64>>(&output);
    assert_eq!(shape, [2, 4]);
    assert_close(&result, &SMALL_FFT2, 1e-6);
    fft(&input, &output, "--inverse --norm ortho --precision f32").expect(0, &[]);
    assert_close(&load(&output).1, &SMALL_IFFT2_ORTHO, 1e-6);

    // On the processor, without an adapter, in 64-bit floats.
    let line = format!("fft {} {} --cpu", input.display(), output.display());
    seaway_with(&line, &NO_ADAPTER).expect(0, &[]);
    assert_close(&load(&output).1, &SMALL_FFT2, 1e-14);

    // The same array in Fortran order.
    let swapped: Vec<_> = [0, 4, 1, 5, 2, 6, 3, 7].map(|index| SMALL[index]).to_vec();
    save(&input, &[2, 4], npyz::Order::Fortran, &complex(&swapped));
    fft(&input, &output, "--cpu").expect(0, &[]);
    assert_close(&load(&output).1, &SMALL_FFT2, 1e-14);
}

#[test]
fn norms_divide_where_numpy_does() {
    let (input, output) = paths("fft-norms");
    // An impulse at the origin becomes a constant: the scale.
    let mut impulse = vec![0.0_f32; 64];
    impulse[0] = 1.0;
    save(&input, &[4, 16], npyz::Order::C, &impulse);
    for (options, scale) in [
        ("--norm backward", 1.0),
        ("--norm backward --inverse", 1.0 / 64.0),
        ("--norm ortho", 1.0 / 8.0),
        ("--norm ortho --inverse", 1.0 / 8.0),
        ("--norm forward", 1.0 / 64.0),
        ("--norm forward --inverse", 1.0),
    ] {
        fft(&input, &output, options).expect(0, &[]);
        let (shape, values) = load::<Complex<f32>>(&output);
        assert_eq!(shape, [4, 16], "{options}");
        assert!(
            values.iter().all(|v| (v.re - scale).abs() < 1e-6 && v.im.abs() < 1e-6),
            "{options}: {values:?}"
        );
    }
}

#[test]
fn arrays_of_any_shape_are_transformed() {
    let (input, output) = paths("fft-any-shape");
    let values: Vec<Complex<f64>> =
        (0..3 * 17 * 15).map(|n| Complex::new(f64::from(n % 7), f64::from(n % 5) - 1.0)).collect();
    for shape in [[3, 17, 15], [17, 45, 1]] {
        save(&input, &shape, npyz::Order::C, &values);
        fft(&input, &output, "--cpu --norm ortho").expect(0, &[]);
        let (_, exact) = load::<Complex<f64>>(&output);
        let exact: Vec<[f64; 2]> = exact.iter().map(|value| [value.re, value.im]).collect();
        fft(&input, &output, "--norm ortho").expect(0, &["adapter: "]);
        let (found, result) = load::<Complex<f64>>(&output);
        assert_eq!(found, shape);
        assert_close(&result, &exact, 1e-6);
    }
}

#[test]
fn batches_are_transformed_image_by_image() {
    let (input, output) = paths("fft-batch");
    let (height, width) = (16_u32, 32_u32);
    let points = (width * height) as usize;
    // Integers, of a size that 32-bit floats would lose beside 1.
    let values: Vec<i64> =
        (0..6 * points as i64).map(|i| (i * 7919 % 2003 - 1001) * 1_000_000).collect();
    save(&input, &[2, 3, height.into(), width.into()], npyz::Order::C, &values);
    let mut exact: Vec<[f64; 2]> = values.iter().map(|&value| [value as f64, 0.0]).collect();
    for image in exact.chunks_exact_mut(points) {
        cpu::transform(image, [width, height], Axes::Both, Direction::Forward).unwrap();
    }
    for options in ["", "--algorithm stockham-r4 --limits webgpu", "--cpu"] {
        fft(&input, &output, options).expect(0, &[]);
        let (shape, result) = load::<Complex<f64>>(&output);
        assert_eq!(shape, [2, 3, 16, 32]);
        assert_close(&result, &exact, if options == "--cpu" { 1e-13 } else { 2e-6 });
    }
}

#[test]
fn an_axis_of_one_point_is_left_alone() {
    let (input, output) = paths("fft-line");
    save(&input, &[1, 4], npyz::Order::C, &[1.0_f64, 2.0, 3.0, 4.0]);
    fft(&input, &output, "").expect(0, &[]);
    let exact = [[10.0, 0.0], [-2.0, 2.0], [-2.0, 0.0], [-2.0, -2.0]];
    assert_close(&load(&output).1, &exact, 1e-6);
    save(&input, &[1, 1], npyz::Order::C, &[5.0_f64]);
    fft(&input, &output, "").expect(0, &[]);
    assert_close(&load(&output).1, &[[5.0, 0.0]], 0.0);
}

/// The processor answers a hundred random questions as the definitions do.
#[test]
fn every_transform_matches_numpy_and_scipy() {
    let (input, output) = paths("fft-kinds");
    let choices = Choices {
        kinds: &["complex", "real", "dct1", "dct2", "dct3", "dct4"],
        lengths: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 17, 24, 25, 31, 37, 40],
        dtypes: DTYPES,
    };
    let mut random = generator(1);
    for _ in 0..100 {
        let case = Case::random(&mut random, &choices);
        case.save(&input);
        let options = case.options();
        let line = format!("fft {} {} --cpu {options}", input.display(), output.display());
        seaway_with(&line, &NO_ADAPTER).expect(0, &[]);
        // In double precision, rounded once where the result is of 32-bit floats.
        let tolerance = if case.is_single() { 1e-7 } else { 1e-13 };
        let what = format!("error of {options} of {:?} {}", case.shape, case.dtype);
        at_most(case.error(&output), tolerance, what);
    }
}

/// The same on the GPU, of few lengths: every one is a kernel to compile.
#[test]
fn every_kind_of_transform_is_computed_on_the_gpu() {
    let (input, output) = paths("fft-kinds-gpu");
    let choices = Choices {
        kinds: &["complex", "real", "dct1", "dct2", "dct3", "dct4"],
        lengths: &[1, 2, 5, 8, 9],
        dtypes: &["c8", "f4", "f8"],
    };
    let mut random = generator(2);
    for _ in 0..24 {
        let case = Case::random(&mut random, &choices);
        case.save(&input);
        let options = case.options();
        let said = fft(&input, &output, &options).expect(0, &[]).stderr;
        let is_single = case.is_single() || said.contains("computed in 32-bit floats");
        let what = format!("error of {options} of {:?} {}", case.shape, case.dtype);
        at_most(case.error(&output), if is_single { 1e-6 } else { 1e-13 }, what);
    }
}

/// In 64-bit floats where the adapter has them, in 32-bit ones where it has not or where they are
/// asked for.
#[test]
fn doubles_are_computed_in_doubles_where_there_are_any() {
    let (input, output) = paths("fft-doubles");
    let choices = Choices { kinds: &["complex"], lengths: &[5, 8], dtypes: &["c16"] };
    let case = Case::random(&mut generator(3), &choices);
    case.save(&input);
    let options = case.options();
    let error = || case.error(&output);
    let said = fft(&input, &output, &options).expect(0, &["adapter: "]).stderr;
    let is_single = said.contains("computed in 32-bit floats");
    at_most(error(), if is_single { 1e-6 } else { 1e-13 }, "error of doubles");
    fft(&input, &output, &format!("{options} --precision f32")).expect(0, &[]);
    at_most(error(), 1e-6, "error of doubles in 32-bit floats");
    // WebGPU guarantees none.
    let options = format!("{options} --limits webgpu");
    let said = fft(&input, &output, &options).expect(0, &["computed in 32-bit floats"]).stderr;
    assert!(said.contains("--cpu"), "{said}");
    let options = format!("{options} --precision f64");
    fft(&input, &output, &options).expect_failure(3, &["SHADER_F64", "--cpu"]);
}

/// NumPy takes no imaginary part of the first and the middle bin, and pads or crops the others.
#[test]
fn half_spectra_are_cropped_or_padded_on_request() {
    let (input, output) = paths("fft-last-length");
    let half = [[1.0, 5.0], [0.5, -1.0], [0.25, 3.0]];
    save(&input, &[3], npyz::Order::C, &complex(&half));
    // The results of NumPy 2.4: irfft of it, irfft(.., 3) and irfft(.., 7).
    let known: [(&str, &[f64]); 3] = [
        ("", &[0.5625, 0.6875, 0.0625, -0.3125]),
        ("--last-length 3", &[2.0 / 3.0, 0.744_016_935_856_292_4, -0.410_683_602_522_959_05]),
        (
            "--last-length 7",
            &[
                0.357_142_857_142_857_1,
                -0.396_239_310_467_757_95,
                0.697_164_698_737_353_1,
                0.852_790_343_724_320_3,
                -0.735_425_762_859_478_1,
                -0.603_737_660_996_645_6,
                0.828_304_834_719_351_1,
            ],
        ),
    ];
    for (options, exact) in known {
        fft(&input, &output, &format!("--kind real --inverse --cpu {options}")).expect(0, &[]);
        let (shape, values) = load::<f64>(&output);
        assert_eq!(shape, [exact.len() as u64], "{options}");
        for (value, exact) in values.iter().zip(exact) {
            near(*value, *exact, 1e-14, options);
        }
    }
}

#[test]
fn what_is_not_finite_passes_through() {
    let (input, output) = paths("fft-not-finite");
    let mut values = vec![Complex { re: 1.0_f32, im: 0.0 }; 3 * 8];
    values[10].re = f32::NAN;
    values[17].im = f32::INFINITY;
    save(&input, &[3, 8], npyz::Order::C, &values);
    for options in ["--axes -1", "--axes -1 --cpu"] {
        fft(&input, &output, options).expect(0, &[]);
        let (_, values) = load::<Complex<f32>>(&output);
        assert!(values[..8].iter().all(|z| z.re.is_finite() && z.im.is_finite()), "{options}");
        assert!(values[8..16].iter().all(|z| z.re.is_nan() || z.im.is_nan()), "{options}");
        assert!(values[16..].iter().all(|z| !(z.re.is_finite() && z.im.is_finite())), "{options}");
    }
}

/// However large a line is, it takes nothing from another.
#[test]
fn lines_of_any_size_stand_side_by_side() {
    let (input, output) = paths("fft-far-apart");
    let lines: Vec<f32> = [1e30_f32, 1e-20].iter().flat_map(|value| [*value; 8]).collect();
    save(&input, &[2, 8], npyz::Order::C, &lines);
    fft(&input, &output, "--axes -1").expect(0, &[]);
    let (_, values) = load::<Complex<f32>>(&output);
    for (line, value) in [(0, 1e30), (1, 1e-20)] {
        let sum = f64::from(values[8 * line].re);
        assert!((sum / (8.0 * value) - 1.0).abs() < 1e-6, "{sum}");
    }
}

#[test]
fn an_empty_batch_has_an_empty_result() {
    let (input, output) = paths("fft-empty");
    save(&input, &[0, 4, 6], npyz::Order::C, &[0.0_f32; 0]);
    for (options, shape) in [
        ("", [0, 4, 6]),
        ("--kind real", [0, 4, 4]),
        ("--kind real --inverse", [0, 4, 10]),
        ("--kind real --axes 2,1", [0, 3, 6]),
        ("--kind dct2 --norm ortho", [0, 4, 6]),
    ] {
        // There is nothing to compute, and so nothing to open.
        let line = format!("fft {} {} {options}", input.display(), output.display());
        seaway_with(&line, &NO_ADAPTER).expect(0, &[]);
        let file = NpyFile::new(fs::File::open(&output).unwrap()).unwrap();
        assert_eq!(file.shape(), shape, "{options}");
    }
}

#[test]
fn what_cannot_be_transformed_is_refused() {
    let (input, output) = paths("fft-refused");
    let refused = |words: &[&str]| {
        fft(&input, &output, "").expect_failure(1, words);
        assert!(!output.exists());
    };
    refused(&["in.npy", "could not be read"]);
    fs::write(&input, "a,b\n1,2\n").unwrap();
    refused(&["in.npy", "not a NumPy file"]);
    save(&input, &[], npyz::Order::C, &[1.0_f32]);
    refused(&["0 axes", "nothing to transform"]);
    save(&input, &[4, 0, 4], npyz::Order::C, &[0.0_f32; 0]);
    refused(&["empty along axis 1", "invalid number of data points (0)"]);
    save(&input, &[4, 4], npyz::Order::C, &[1.0_f32; 16]);
    let whole = fs::read(&input).unwrap();
    fs::write(&input, &whole[..whole.len() - 30]).unwrap();
    refused(&["cut short"]);

    fs::write(&input, whole).unwrap();
    fft(&input, &input.join("out.npy"), "--cpu")
        .expect_failure(1, &["cannot be written", "there is no folder"]);
    let line = format!("fft {} {}", input.display(), output.display());
    seaway_with(&line, &NO_ADAPTER).expect_failure(3, &["no usable graphics adapter"]);
    let usage = |options: &str, words: &[&str]| {
        seaway(&format!("{line} {options}")).expect_failure(2, words);
    };
    usage("--norm sideways", &["ortho"]);
    usage("--kind dct5", &["dct4"]);
    usage("--axes 0,0", &["axis 0 twice"]);
    usage("--axes x", &["--axes"]);
    usage("--last-length 4", &["--kind real --inverse"]);
    usage("--kind real --inverse --last-length 0", &["--last-length"]);
    usage("--cpu --precision f32", &["--precision"]);
    usage("--precision f16", &["f64"]);
    // The errors that only this array has.
    let refused = |options: &str, words: &[&str]| {
        seaway(&format!("{line} --cpu {options}")).expect_failure(1, words);
        assert!(!output.exists());
    };
    refused("--axes 2", &["[4, 4]", "axis 2", "from 0 to 1"]);
    refused("--axes -3", &["axis -3"]);
    refused("--axes 1,-1", &["axis 1 twice"]);
    save(&input, &[4, 1], npyz::Order::C, &complex(&SMALL[..4]));
    refused("--kind real", &["complex", "array.real"]);
    refused("--kind dct1", &["axis 1", "dct2"]);
    refused("--kind real --inverse", &["invalid number of data points (0)", "--last-length"]);
    seaway("fft in.npy").expect_failure(2, &["OUT.npy"]);
}
