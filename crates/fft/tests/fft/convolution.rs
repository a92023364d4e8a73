//! Convolution and correlation against the sum that defines them.

use seaway_core::choice::Choice as _;
use seaway_fft::convolution::{Extent, Operation, Samples};
use seaway_fft::lab::{Accuracy, Algorithm, Value};
use seaway_fft::{Convolution, ConvolutionDescriptor, ConvolutionError, FftError, Region};

use crate::support::{download, gpu, random, storage, submit, upload_floats, with};
use seaway_core::testing::tolerance::at_most;

/// The gate of one transform: what two of them and a product come to is a third of it.
const RELATIVE_L2: f64 = 1e-6;

type Complex = [f64; 2];

/// An image: its width, its height and its values.
struct Image(usize, usize, Vec<Complex>);

impl Image {
    fn new([width, height]: [u32; 2], values: &[[f32; 2]]) -> Self {
        let values = values.iter().map(|value| value.map(f64::from)).collect();
        Self(width as usize, height as usize, values)
    }

    /// Returns the value at a place, which is zero beyond the image.
    fn at(&self, y: i64, x: i64) -> Complex {
        let Self(width, height, values) = self;
        let is_inside = (0..*width as i64).contains(&x) && (0..*height as i64).contains(&y);
        if is_inside { values[y as usize * width + x as usize] } else { [0.0; 2] }
    }
}

/// The definition, in double precision.
fn direct(image: &Image, kernel: &Image, operation: Operation, extent: Extent) -> Vec<Complex> {
    let a = [image.1, image.0].map(|length| length as i64);
    let b = [kernel.1, kernel.0].map(|length| length as i64);
    let full = [0, 1].map(|axis| a[axis] + b[axis] - 1);
    let is_circular = extent == Extent::Circular;
    let size = match extent {
        Extent::Full => full,
        Extent::Same | Extent::Circular => a,
        Extent::Valid => [0, 1].map(|axis| (a[axis] - b[axis]).abs() + 1),
    };
    let first = [0, 1].map(|axis| if is_circular { 0 } else { (full[axis] - size[axis]) / 2 });
    let mut result = Vec::new();
    for (row, column) in (0..size[0]).flat_map(|row| (0..size[1]).map(move |column| (row, column)))
    {
        let k = [row + first[0], column + first[1]];
        let mut sum = [0.0; 2];
        for (y, x) in (0..b[0]).flat_map(|y| (0..b[1]).map(move |x| (y, x))) {
            let n = [y, x];
            let mut place = [0, 1].map(|axis| match (operation, is_circular) {
                (Operation::Convolution, _) => k[axis] - n[axis],
                (Operation::Correlation, true) => k[axis] + n[axis],
                (Operation::Correlation, false) => k[axis] + n[axis] - (b[axis] - 1),
            });
            if is_circular {
                place = [0, 1].map(|axis| place[axis].rem_euclid(a[axis]));
            }
            let [re, im] = image.at(place[0], place[1]);
            let [kernel_re, kernel_im] = kernel.at(y, x);
            let kernel_im =
                if operation == Operation::Correlation { -kernel_im } else { kernel_im };
            sum[0] += re * kernel_re - im * kernel_im;
            sum[1] += re * kernel_im + im * kernel_re;
        }
        result.push(sum);
    }
    result
}

/// Random values of that many points, their imaginary parts 0 for real ones.
fn values(points: u32, batch: u32, samples: Samples) -> Vec<[f32; 2]> {
    let complex = random(points as usize, batch);
    let real = |[re, _]: [f32; 2]| [re, 0.0];
    if samples == Samples::Real { complex.into_iter().map(real).collect() } else { complex }
}

/// Returns the values in the order of a buffer.
fn floats(values: &[[f32; 2]], samples: Samples) -> Vec<f32> {
    match samples {
        Samples::Real => values.iter().map(|[re, _]| *re).collect(),
        Samples::Complex => values.as_flattened().to_vec(),
    }
}

fn complex(floats: &[f32], samples: Samples) -> Vec<[f32; 2]> {
    match samples {
        Samples::Real => floats.iter().map(|re| [*re, 0.0]).collect(),
        Samples::Complex => floats.as_chunks().0.to_vec(),
    }
}

fn area([width, height]: [u32; 2]) -> u32 {
    width * height
}

fn run(convolution: &Convolution, images: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let samples = convolution.descriptor().samples;
    let input = upload_floats(&floats(images, samples));
    let output = storage(convolution.output_bytes());
    let bound = convolution.bind(&gpu().device, &input, &output).unwrap();
    submit(|pass| bound.encode(pass));
    complex(&download(&output), samples)
}

fn assert_is_direct(
    descriptor: &ConvolutionDescriptor,
    result: &[[f32; 2]],
    images: &[[f32; 2]],
    kernel: &[[f32; 2]],
) {
    let &ConvolutionDescriptor { image, operation, extent, .. } = descriptor;
    let kernel = Image::new(descriptor.kernel, kernel);
    let exact: Vec<Complex> = images
        .chunks_exact(area(image) as usize)
        .flat_map(|values| direct(&Image::new(image, values), &kernel, operation, extent))
        .collect();
    let accuracy = Accuracy::of(result, &exact);
    at_most(accuracy.relative_l2, RELATIVE_L2, format_args!("error of {descriptor:?}"));
}

fn check(descriptor: &ConvolutionDescriptor) -> Convolution {
    let context = gpu();
    let &ConvolutionDescriptor { image, batch, samples, .. } = descriptor;
    let convolution = Convolution::new(&context.device, descriptor).unwrap();
    convolution.write_tables(&context.queue);
    let images = values(area(image), batch, samples);
    // Not the images' values, where both have as many points.
    let kernel: Vec<_> = values(area(descriptor.kernel) + 1, 1, samples).split_off(1);
    let kernel_floats = floats(&kernel, samples);
    convolution.set_kernel(&context.device, &context.queue, &kernel_floats).unwrap();
    assert_is_direct(descriptor, &run(&convolution, &images), &images, &kernel);
    convolution
}

/// Tables in textures are written before anything is bound.
#[test]
fn twiddle_factors_may_come_from_textures() {
    let algorithm = Some(with(Algorithm::MixedRadix, &[("twiddles", Value::Choice("texture"))]));
    let (image, kernel) = ([13, 9], [5, 4]);
    check(&ConvolutionDescriptor { image, kernel, algorithm, ..Default::default() });
}

#[test]
fn every_extent_and_operation_is_the_sum() {
    for (image, kernel, batch) in [([13, 9], [5, 4], 3), ([4, 5], [9, 7], 2)] {
        for &extent in Extent::ALL {
            for &operation in Operation::ALL {
                for &samples in Samples::ALL {
                    let plain = ConvolutionDescriptor::default();
                    check(&ConvolutionDescriptor {
                        image,
                        kernel,
                        batch,
                        samples,
                        operation,
                        extent,
                        ..plain
                    });
                }
            }
        }
    }
}

#[test]
fn one_point_and_lines_are_convolved_too() {
    let plain = ConvolutionDescriptor::default();
    for (image, kernel) in [([1, 1], [1, 1]), ([1, 1], [3, 2]), ([17, 1], [4, 1]), ([1, 6], [1, 6])]
    {
        for extent in [Extent::Full, Extent::Circular] {
            let samples = Samples::Complex;
            check(&ConvolutionDescriptor { image, kernel, extent, samples, ..plain.clone() });
        }
        check(&ConvolutionDescriptor { image, kernel, ..plain.clone() });
    }
}

#[test]
fn four_dispatches_do_it() {
    let convolution = check(&ConvolutionDescriptor {
        image: [100, 60],
        kernel: [29, 31],
        extent: Extent::Full,
        ..Default::default()
    });
    assert_eq!(convolution.padded_size(), [128, 90]);
    assert_eq!(convolution.result_size(), [128, 90]);
    let device = &gpu().device;
    let (input, output) = (storage(convolution.input_bytes()), storage(convolution.output_bytes()));
    let bound = convolution.bind(device, &input, &output).unwrap();
    assert_eq!(bound.dispatch_count(), 4);
    // Half of the spectra of 90 rows, thrice, and tables.
    let (memory, spectra) = (bound.memory().bytes(), 3 * 8 * 65 * 90);
    assert!(memory < spectra + spectra / 4, "{memory}");
}

#[test]
fn algorithms_of_several_dispatches_have_their_working_memory() {
    check(&ConvolutionDescriptor {
        image: [27, 11],
        kernel: [6, 6],
        batch: 2,
        samples: Samples::Complex,
        extent: Extent::Full,
        algorithm: Some(Algorithm::CooleyTukeyMultipass.into()),
        ..Default::default()
    });
}

#[test]
fn kernels_can_be_replaced_and_come_from_the_gpu() {
    let context = gpu();
    let (device, queue) = (&context.device, &context.queue);
    let descriptor =
        ConvolutionDescriptor { image: [9, 8], kernel: [3, 3], batch: 2, ..Default::default() };
    let convolution = Convolution::new(device, &descriptor).unwrap();
    let images = values(72, 2, Samples::Real);
    // Until there is one, it is zero.
    assert!(run(&convolution, &images).iter().flatten().all(|part| *part == 0.0));
    let [first, second] = [10, 11]
        .map(|points| values(points, 1, Samples::Real).into_iter().take(9).collect::<Vec<_>>());
    let input = upload_floats(&floats(&images, Samples::Real));
    let output = storage(convolution.output_bytes());
    let bound = convolution.bind(device, &input, &output).unwrap();
    let result = || {
        submit(|pass| bound.encode(pass));
        complex(&download(&output), Samples::Real)
    };
    convolution.set_kernel(device, queue, &floats(&first, Samples::Real)).unwrap();
    assert_is_direct(&descriptor, &result(), &images, &first);
    convolution.set_kernel(device, queue, &floats(&second, Samples::Real)).unwrap();
    assert_is_direct(&descriptor, &result(), &images, &second);

    // From within a buffer, in the pass before.
    let alignment = u64::from(device.limits().min_storage_buffer_offset_alignment);
    let mut padded = vec![f32::NAN; alignment as usize / 4];
    padded.extend(floats(&first, Samples::Real));
    let buffer = upload_floats(&padded);
    let region = Region { buffer: &buffer, offset: alignment };
    let transform = convolution.bind_kernel(device, region).unwrap();
    submit(|pass| {
        transform.encode(pass);
        bound.encode(pass);
    });
    let found = complex(&download(&output), Samples::Real);
    assert_is_direct(&descriptor, &found, &images, &first);
}

/// Bad values in one image stay in that image.
#[test]
fn images_do_not_mix() {
    let context = gpu();
    let descriptor =
        ConvolutionDescriptor { image: [9, 8], kernel: [3, 3], batch: 3, ..Default::default() };
    let convolution = Convolution::new(&context.device, &descriptor).unwrap();
    let mut images = values(72, 3, Samples::Real);
    let kernel = values(9, 1, Samples::Real);
    let kernel_floats = floats(&kernel, Samples::Real);
    convolution.set_kernel(&context.device, &context.queue, &kernel_floats).unwrap();
    images[72 + 40][0] = f32::NAN;
    let result = run(&convolution, &images);
    assert!(result[72..144].iter().any(|[re, _]| re.is_nan()));
    for image in [0, 2] {
        let part = |values: &[[f32; 2]]| values[image * 72..][..72].to_vec();
        assert_is_direct(&descriptor, &part(&result), &part(&images), &kernel);
    }
}

#[test]
fn what_cannot_be_convolved_is_refused() {
    let context = gpu();
    let device = &context.device;
    let plain = ConvolutionDescriptor { image: [8, 6], kernel: [3, 3], ..Default::default() };
    let refused = |descriptor: ConvolutionDescriptor| {
        Convolution::new(device, &descriptor).expect_err("something is wrong")
    };
    for (image, kernel, batch) in [([0, 6], [3, 3], 1), ([8, 6], [3, 0], 1), ([8, 6], [3, 3], 0)] {
        let error = refused(ConvolutionDescriptor { image, kernel, batch, ..plain.clone() });
        assert_eq!(error, ConvolutionError::Empty { image, kernel, batch });
    }
    let crossed = ConvolutionDescriptor { kernel: [9, 3], extent: Extent::Valid, ..plain.clone() };
    let error = refused(crossed);
    assert!(matches!(error, ConvolutionError::NeitherWithin { .. }), "{error:?}");
    let huge = [[u32::MAX, 3], [1 << 16, 1 << 16], [u32::MAX; 2]];
    for (image, extent) in
        huge.into_iter().flat_map(|image| Extent::ALL.iter().map(move |extent| (image, *extent)))
    {
        let error = refused(ConvolutionDescriptor { image, extent, ..plain.clone() });
        assert!(
            matches!(error, ConvolutionError::Fft(FftError::Unsupported(_))),
            "{image:?}: {error:?}"
        );
    }

    let convolution = Convolution::new(device, &plain).unwrap();
    let error = convolution.set_kernel(device, &context.queue, &[0.0; 8]).unwrap_err();
    assert_eq!(error, ConvolutionError::KernelLength { given: 8, needed: 9 });
    let (input, output) = (storage(convolution.input_bytes()), storage(convolution.output_bytes()));
    let refused = |input: &wgpu::Buffer, output: &wgpu::Buffer| {
        let error = convolution.bind(device, input, output).unwrap_err();
        let ConvolutionError::Fft(error) = error else { panic!("{error:?}") };
        error
    };
    let small = storage(convolution.output_bytes() - 4);
    assert!(matches!(refused(&input, &small), FftError::TooSmall { region: "output", .. }));
    assert!(matches!(refused(&small, &output), FftError::TooSmall { region: "input", .. }));
    assert!(matches!(refused(&input, &input), FftError::SharedBuffer { .. }));
    let copied = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: convolution.output_bytes(),
        usage: wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    assert_eq!(refused(&input, &copied), FftError::Usage { region: "output" });
    let region = Region { buffer: &input, offset: 4 };
    let error = convolution.bind_kernel(device, region).unwrap_err();
    assert!(matches!(error, ConvolutionError::Fft(FftError::Misaligned { .. })), "{error:?}");
}
