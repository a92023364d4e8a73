//! Exact products of large integers and of polynomials, by a Fourier transform on the GPU. Two integers
//! of a million decimal digits are multiplied, and the product is compared with num-bigint's.
//!
//!     cargo run --release --example multiply -- [DIGITS] [SEED]
//!
//! A product of polynomials is a convolution of their coefficients, and so a product of spectra. Both
//! polynomials share one complex transform: with z = a + i b, the imaginary part of z * z is 2 a * b. The
//! store hook of the first plan squares the spectrum, and the second plan transforms it back. An integer
//! is a polynomial in its base, and carries turn the coefficients of the product into digits.
//!
//! # Why rounding finds the right integers
//! The coefficients of the product are integers, and the transforms add an error to each. Rounding removes
//! it if it is less than 1/2. For n digits of a base B, the norms of both polynomials bound the error by
//! 3 e n B^2, where e is the relative error of one transform.
//!
//! - 64-bit floats have e < 1e-14 (the gate of `seaway verify` in this precision). With B = 2^10, the
//!   bound is 0.01 for a million decimal digits: the product is right.
//! - 32-bit floats have e of a few 1e-7, and a base that keeps that bound would be too small to be of use.
//!   Each digit d becomes d - B with probability d / B and carries one, so that its mean is 0 whatever the
//!   integers are. The error then grows with the root of n, and not with n: with B = 2^4 the largest is
//!   about 0.1 for a million decimal digits. No bound is certain, so the largest distance to an integer
//!   must be below 1/4, and the product must be right modulo the prime 2^61 - 1.

use std::time::Instant;

use num_bigint::BigUint;
use rand::{Rng, RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use seaway::fft::{Buffers, Descriptor, Direction, Normalization, Plan, Precision, StoreHook};
use seaway::gpu::{self, Context};

type Error = Box<dyn std::error::Error>;

/// The largest distance to an integer that is accepted. Errors of more than 3/4 would be taken for smaller
/// ones, and are far less probable.
const LARGEST_DISTANCE: f64 = 0.25;
/// A Mersenne prime.
const PRIME: u64 = (1 << 61) - 1;

/// Stores the square of the spectrum.
const STORE_SQUARED: &str = "
@group(2) @binding(0) var<storage, read_write> spectrum: array<Element>;
fn store(layer: u32, y: u32, x: u32, value: Element) {
    let product = value.x * value.y;
    spectrum[x] = Element(value.x * value.x - value.y * value.y, product + product);
}
";

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let digits = arguments.next().map_or(Ok(1_000_000), |digits| digits.parse())?;
    let seed = arguments.next().map_or(Ok(1), |seed| seed.parse())?;
    run(digits, seed)
}

#[test]
fn products_are_exact() {
    for digits in [1, 50, 20_000] {
        run(digits, 2).unwrap();
    }
}

fn run(digits: u32, seed: u64) -> Result<(), Error> {
    let context =
        pollster::block_on(Context::new(Context::headless_instance(), Default::default()))?;
    println!("{}", context.describe());
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let [a, b] = [(); 2].map(|()| random_integer(digits, &mut rng));
    let start = Instant::now();
    let expected = &a * &b;
    println!("two integers of {digits} digits");
    println!("  num-bigint  {:9.2} ms", milliseconds(start));
    let mut precisions = vec![Precision::F32];
    if context.capabilities.shader_f64 {
        precisions.push(Precision::F64);
    } else {
        println!("  f64         not run: the adapter has no 64-bit floats");
    }
    for precision in precisions {
        multiply_integers(&context, precision, [&a, &b], &expected, &mut rng)?;
        multiply_polynomials(&context, precision, &mut rng)?;
    }
    Ok(())
}

/// Multiplies two integers and compares the product with `expected`.
fn multiply_integers(
    context: &Context,
    precision: Precision,
    factors: [&BigUint; 2],
    expected: &BigUint,
    rng: &mut impl Rng,
) -> Result<(), Error> {
    let bits = if precision == Precision::F64 { 10 } else { 4 };
    let start = Instant::now();
    let [a, b] = factors.map(|factor| balanced_digits(factor, bits, rng));
    let balanced_ms = milliseconds(start);
    let convolver = Convolver::new(context, precision, a.len() + b.len() - 1)?;
    convolver.run(&a, &b)?; // compiles the kernels

    let start = Instant::now();
    let (coefficients, distance) = convolver.run(&a, &b)?;
    let transforms_ms = milliseconds(start);
    let product = carried(&coefficients, bits);
    let whole_ms = balanced_ms + milliseconds(start);
    println!(
        "  {precision}         {whole_ms:9.2} ms, of which transforms {transforms_ms:.2} ms: {} points, \
         base 2^{bits}, largest distance to an integer {distance:.1e}",
        convolver.points
    );
    if distance > LARGEST_DISTANCE {
        return Err(
            format!("a distance above {LARGEST_DISTANCE} does not tell integers apart").into()
        );
    }
    let [a, b, ab] = [factors[0], factors[1], &product].map(|number| number % PRIME);
    if a * b % PRIME != ab {
        return Err("the product is wrong modulo 2^61 - 1".into());
    }
    if product != *expected {
        return Err("the product is not num-bigint's".into());
    }
    Ok(())
}

/// Multiplies two polynomials of random coefficients and compares the product with the definition.
fn multiply_polynomials(
    context: &Context,
    precision: Precision,
    rng: &mut impl Rng,
) -> Result<(), Error> {
    let largest = if precision == Precision::F64 { 10_000 } else { 20 };
    let mut random = |terms: usize| -> Vec<i32> {
        (0..terms).map(|_| rng.random_range(-largest..=largest)).collect()
    };
    let [a, b] = [random(3000), random(1001)];
    let convolver = Convolver::new(context, precision, a.len() + b.len() - 1)?;
    let (product, distance) = convolver.run(&a, &b)?;
    println!(
        "  {precision}         polynomials of 3000 and 1001 coefficients up to {largest}, largest \
         distance to an integer {distance:.1e}"
    );
    let mut expected = vec![0; product.len()];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            expected[i + j] += i64::from(*a) * i64::from(*b);
        }
    }
    if distance > LARGEST_DISTANCE || product != expected {
        return Err("the polynomials' product is not that of the definition".into());
    }
    Ok(())
}

/// The plans and buffers of products with at most `points` coefficients.
struct Convolver<'a> {
    context: &'a Context,
    precision: Precision,
    terms: usize,
    points: u32,
    forward: Plan,
    inverse: Plan,
    data: wgpu::Buffer,
    spectrum: wgpu::Buffer,
    work: wgpu::Buffer,
}

impl<'a> Convolver<'a> {
    fn new(context: &'a Context, precision: Precision, terms: usize) -> Result<Self, Error> {
        // A circular convolution of at least so many points is the linear one.
        let points = u32::try_from(terms.next_power_of_two())?;
        let device = &context.device;
        let line = Descriptor { precision, ..Descriptor::lines(points, 1) };
        let squared = StoreHook::new("square", STORE_SQUARED, vec![storage_entry()]);
        let forward = Plan::new(device, &Descriptor { store: Some(squared), ..line.clone() })?;
        let inverse = Plan::new(
            device,
            &Descriptor {
                direction: Direction::Inverse,
                normalization: Normalization::Points,
                ..line
            },
        )?;
        let storage = || {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: u64::from(points) * 2 * u64::from(precision.bytes()),
                usage: wgpu::BufferUsages::STORAGE
                    | wgpu::BufferUsages::COPY_DST
                    | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            })
        };
        let [data, spectrum, work] = [(); 3].map(|()| storage());
        Ok(Self { context, precision, terms, points, forward, inverse, data, spectrum, work })
    }

    /// Returns the coefficients of the product, and the largest distance of a result to an integer.
    fn run(&self, a: &[i32], b: &[i32]) -> Result<(Vec<i64>, f64), Error> {
        let Context { device, queue, .. } = self.context;
        let is_double = self.precision == Precision::F64;
        let mut values = vec![0.0_f64; 2 * self.points as usize];
        a.iter().zip(values.iter_mut().step_by(2)).for_each(|(from, to)| *to = f64::from(*from));
        b.iter()
            .zip(values[1..].iter_mut().step_by(2))
            .for_each(|(from, to)| *to = f64::from(*from));
        match is_double {
            true => queue.write_buffer(&self.data, 0, bytemuck::cast_slice(&values)),
            false => {
                let values: Vec<f32> = values.iter().map(|value| *value as f32).collect();
                queue.write_buffer(&self.data, 0, bytemuck::cast_slice(&values));
            }
        }

        let layout = self.forward.store_layout().expect("a plan with a hook has its layout");
        let spectrum = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: self.spectrum.as_entire_binding(),
            }],
        });
        let buffers = Buffers { store: Some(&spectrum), ..Buffers::new(&self.data, &self.work) };
        let forward = self.forward.bind(device, &buffers)?;
        let inverse = self.inverse.bind(device, &Buffers::new(&self.spectrum, &self.work))?;
        let mut encoder = device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            forward.encode(&mut pass);
            inverse.encode(&mut pass);
        }
        queue.submit([encoder.finish()]);

        let bytes = pollster::block_on(gpu::read_buffer(device, queue, &self.work))?;
        let result: Vec<f64> = match is_double {
            true => bytemuck::pod_collect_to_vec(&bytes),
            false => {
                let result: Vec<f32> = bytemuck::pod_collect_to_vec(&bytes);
                result.into_iter().map(f64::from).collect()
            }
        };
        let halves = result.iter().skip(1).step_by(2).map(|twice| 0.5 * twice);
        let mut distance = 0.0_f64;
        let coefficients = halves.take(self.terms).map(|value| {
            distance = distance.max((value - value.round()).abs());
            value.round() as i64
        });
        Ok((coefficients.collect(), distance))
    }
}

/// A random integer of that many decimal digits, the first of which can be a zero.
fn random_integer(digits: u32, rng: &mut impl Rng) -> BigUint {
    let bits = (f64::from(digits) * 10_f64.log2()) as usize;
    let words = (0..bits.div_ceil(32)).map(|_| rng.random()).collect();
    BigUint::new(words) >> (bits.div_ceil(32) * 32 - bits)
}

/// The digits of `number` in base 2^bits, least first: each is d or d - 2^bits, with a mean of 0.
fn balanced_digits(number: &BigUint, bits: u64, rng: &mut impl Rng) -> Vec<i32> {
    let base = 1 << bits;
    let words = number.to_u32_digits();
    let digit = |index: u64| {
        let (word, shift) = ((index * bits / 32) as usize, index * bits % 32);
        let [low, high] =
            [word, word + 1].map(|at| words.get(at).map_or(0, |word| u64::from(*word)));
        ((low | high << 32) >> shift) as i32 & (base - 1)
    };
    let mut carry = 0;
    // The last is for a carry.
    let count = number.bits().div_ceil(bits) + 1;
    let balanced = (0..count).map(|index| {
        let digit = digit(index) + carry;
        carry = i32::from(index + 1 < count && rng.random_range(0..base) < digit);
        digit - carry * base
    });
    balanced.collect()
}

/// The value of a polynomial at 2^bits, which is not negative.
fn carried(coefficients: &[i64], bits: u64) -> BigUint {
    let (mut words, mut word, mut filled) = (Vec::new(), 0_u64, 0);
    let mut carry = 0_i64;
    // The carry has 64 bits at most.
    for coefficient in coefficients.iter().copied().chain([0; 64]) {
        carry += coefficient;
        word |= ((carry & ((1 << bits) - 1)) as u64) << filled;
        carry >>= bits;
        filled += bits;
        if filled >= 32 {
            words.push(word as u32);
            word >>= 32;
            filled -= 32;
        }
    }
    words.push(word as u32);
    BigUint::new(words)
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

fn storage_entry() -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding: 0,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only: false },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    }
}
