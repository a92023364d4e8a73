//! `seaway fft`.

use std::fs;
use std::path::{Path, PathBuf};

use npyz::num_complex::Complex;
use npyz::{NpyFile, WriterBuilder as _};
use seaway::fft::lab::cpu;
use seaway::fft::{Axes, Direction};

use crate::support::{NO_ADAPTER, Outcome, folder, seaway, seaway_with};
use crate::tolerance::near;

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

/// What NumPy 2.4 gives for this array: fft2, and ifft2 with the norm `ortho`.
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
    fft(&input, &output, "").expect(0, &["adapter: ", "32-bit"]);
    let (shape, result) = load::<Complex<f64>>(&output);
    assert_eq!(shape, [2, 4]);
    assert_close(&result, &SMALL_FFT2, 1e-6);
    fft(&input, &output, "--inverse --norm ortho").expect(0, &[]);
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

#[test]
fn what_cannot_be_transformed_is_refused() {
    let (input, output) = paths("fft-refused");
    let refused = |words: &[&str]| {
        fft(&input, &output, "").expect_failure(1, words);
        assert!(!output.exists());
    };
    refused(&["in.npy", "could not be read"]);
    fs::write(&input, "a,b\n1,2\n").unwrap();
    refused(&["in.npy", "no NumPy file"]);
    save(&input, &[8], npyz::Order::C, &[1.0_f32; 8]);
    refused(&["1 axes", "needs two"]);
    save(&input, &[0, 4, 4], npyz::Order::C, &[0.0_f32; 0]);
    refused(&["empty"]);
    save(&input, &[4, 4], npyz::Order::C, &[true; 16]);
    refused(&["complex64", "astype"]);
    save(&input, &[4, 4], npyz::Order::C, &[1.0_f32; 16]);
    let whole = fs::read(&input).unwrap();
    fs::write(&input, &whole[..whole.len() - 30]).unwrap();
    refused(&["cut short"]);

    fs::write(&input, whole).unwrap();
    fft(&input, &input.join("out.npy"), "--cpu").expect_failure(1, &["could not be written"]);
    let line = format!("fft {} {}", input.display(), output.display());
    seaway_with(&line, &NO_ADAPTER).expect_failure(3, &["no usable graphics adapter"]);
    seaway(&format!("{line} --norm sideways")).expect_failure(2, &["ortho"]);
    seaway("fft in.npy").expect_failure(2, &["OUT.npy"]);
}
