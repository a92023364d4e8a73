//! NumPy's files: read as arrays of numbers, written as those or as plain 32-bit floats.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek as _};
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use half::f16;
use npyz::num_complex::Complex;
use npyz::{DType, Deserialize, NpyFile, Order, WriterBuilder as _};
use seaway_core::atomic_write;

/// An array in C order.
pub struct Array {
    pub shape: Vec<usize>,
    /// A number for each value, or real and imaginary part.
    pub parts: Vec<f64>,
    pub is_complex: bool,
    /// Whether its floats have at most 32 bits, so that its transform has those, too (NumPy 2's rule).
    pub single: bool,
}

impl Array {
    pub fn components(&self) -> usize {
        1 + usize::from(self.is_complex)
    }

    /// The same numbers, real ones with imaginary parts of 0.
    pub fn into_complex(self) -> Self {
        if self.is_complex {
            return self;
        }
        let parts = self.parts.iter().flat_map(|part| [*part, 0.0]).collect();
        Self { parts, is_complex: true, ..self }
    }
}

/// Reads numbers of any kind that NumPy transforms, except 128-bit floats.
pub fn read(path: &Path) -> anyhow::Result<Array> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("{name} could not be read"))?;
    let file_bytes = file.metadata().map_or(u64::MAX, |metadata| metadata.len());
    let npy = NpyFile::new(BufReader::new(file))
        .with_context(|| format!("{name} is not a NumPy file (.npy)"))?;
    let shape = npy.shape().to_vec();
    let (order, dtype) = (npy.order(), npy.dtype());
    // Judged before anything of that size is allocated.
    let count = shape.iter().try_fold(1_u64, |count, length| count.checked_mul(*length));
    let item_bytes = dtype.num_bytes().unwrap_or(1) as u64;
    let bytes = count.and_then(|count| count.checked_mul(item_bytes));
    ensure!(
        bytes.is_some_and(|bytes| bytes <= file_bytes),
        "{name} is cut short: its shape {shape:?} needs more data than the file holds"
    );
    let numbers = numbers(npy).with_context(|| match &dtype {
        DType::Plain(kind) => format!("the values of {name}, of type {kind}, could not be read"),
        _ => format!("the records of {name} could not be read"),
    })?;
    let lengths = shape.iter().map(|length| usize::try_from(*length));
    let mut shape = lengths.collect::<Result<Vec<_>, _>>().context("a length is too large")?;
    let Numbers { mut parts, is_complex, single } = numbers;
    if order == Order::Fortran {
        // The first axis is the fastest: in C order the axes are the other way around.
        let reversed: Vec<_> = (0..shape.len()).rev().collect();
        shape.reverse();
        let components = 1 + usize::from(is_complex);
        (shape, parts) = permuted(&parts, components, &shape, &reversed);
    }
    Ok(Array { shape, parts, is_complex, single })
}

/// The contents of a file, in its own order.
struct Numbers {
    parts: Vec<f64>,
    is_complex: bool,
    single: bool,
}

fn numbers<R: Read>(npy: NpyFile<R>) -> anyhow::Result<Numbers> {
    /// Reads numbers of type `T`, or returns the file for another try.
    fn of<T: Deserialize, R: Read, const COMPONENTS: usize>(
        npy: NpyFile<R>,
        single: bool,
        convert: impl Fn(T) -> [f64; COMPONENTS],
    ) -> Result<io::Result<Numbers>, NpyFile<R>> {
        let count = npy.len() as usize * COMPONENTS;
        npy.try_data().map(|values| {
            let mut parts = Vec::with_capacity(count);
            for value in values {
                parts.extend(convert(value?));
            }
            Ok(Numbers { parts, is_complex: COMPONENTS == 2, single })
        })
    }
    // One type after the other, until one is the file's.
    macro_rules! first_of {
        ($npy:ident: $( $kind:ty, $single:literal, $convert:expr; )*) => {{
            $(
                let $npy = match of::<$kind, R, _>($npy, $single, $convert) {
                    Ok(numbers) => return numbers.context("the file is cut short"),
                    Err(npy) => npy,
                };
            )*
            drop($npy);
        }};
    }
    first_of!(npy:
        Complex<f32>, true, |z| [z.re.into(), z.im.into()];
        Complex<f64>, false, |z| [z.re, z.im];
        f32, true, |x| [x.into()];
        f64, false, |x| [x];
        f16, true, |x| [x.to_f64()];
        i8, false, |x| [x.into()];
        u8, false, |x| [x.into()];
        i16, false, |x| [x.into()];
        u16, false, |x| [x.into()];
        i32, false, |x| [x.into()];
        u32, false, |x| [x.into()];
        i64, false, |x| [x as f64];
        u64, false, |x| [x as f64];
        bool, false, |x| [f64::from(u8::from(x))];
    );
    bail!(
        "`seaway fft` reads complex64, complex128, float16, float32, float64, integers and bool: \
         convert it, as in array.astype(\"complex128\")"
    )
}

/// The array of `shape` whose axis i is axis `axes[i]` of the given one, and its shape; both in C order, with
/// `components` numbers to a value.
pub fn permuted(
    parts: &[f64],
    components: usize,
    shape: &[usize],
    axes: &[usize],
) -> (Vec<usize>, Vec<f64>) {
    // Values from one to the next along each axis, in the order of the result's axes.
    let stride = |axis: &usize| shape[axis + 1..].iter().product::<usize>();
    let strides: Vec<usize> = axes.iter().map(stride).collect();
    let result: Vec<usize> = axes.iter().map(|axis| shape[*axis]).collect();
    let mut index = vec![0; axes.len()];
    let mut place = 0;
    let mut to = Vec::with_capacity(parts.len());
    for _ in 0..parts.len() / components {
        to.extend_from_slice(&parts[place * components..][..components]);
        // Counts up, the last axis first.
        for ((index, length), stride) in index.iter_mut().zip(&result).zip(&strides).rev() {
            *index += 1;
            place += stride;
            if *index < *length {
                break;
            }
            place -= stride * length;
            *index = 0;
        }
    }
    (result, to)
}

/// Writes `array` to `path` atomically: as complex64 or complex128, float32 or float64. `-` is stdout.
pub fn write(path: &Path, array: &Array) -> anyhow::Result<()> {
    let shape: Vec<u64> = array.shape.iter().map(|length| *length as u64).collect();
    let reals = array.parts.iter().copied();
    let complex = || array.parts.as_chunks::<2>().0.iter();
    let write = |file: &mut File| match (array.is_complex, array.single) {
        (true, true) => {
            let single = |[re, im]: &[f64; 2]| Complex { re: *re as f32, im: *im as f32 };
            fill(file, &shape, complex().map(single))
        }
        (true, false) => fill(file, &shape, complex().map(|[re, im]| Complex { re: *re, im: *im })),
        (false, true) => fill(file, &shape, reals.map(|part| part as f32)),
        (false, false) => fill(file, &shape, reals),
    };
    if is_stdout(path) {
        let to_stdout = || {
            let mut draft = tempfile::tempfile()?;
            write(&mut draft)?;
            draft.rewind()?;
            io::copy(&mut draft, &mut io::stdout().lock()).map(drop)
        };
        return to_stdout().context("the result could not be written");
    }
    atomic_write::write(path, write)
        .with_context(|| format!("{} could not be written", path.display()))
}

pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Writes `values`, whose number is the product of `shape`, to `path` as float32, atomically.
pub fn write_f32(path: &Path, shape: &[u64], values: &[f32]) -> anyhow::Result<()> {
    atomic_write::write(path, |file| fill(file, shape, values.iter().copied()))
        .with_context(|| format!("{} could not be written", path.display()))
}

/// The bytes of a file with `values` as float32, whose number is the product of `shape`.
pub fn encode_f32(shape: &[u64], values: impl Iterator<Item = f64>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    encode(&mut bytes, shape, values.map(|value| value as f32))?;
    Ok(bytes)
}

fn fill<T: npyz::AutoSerialize>(
    file: &mut File,
    shape: &[u64],
    values: impl Iterator<Item = T>,
) -> io::Result<()> {
    let mut file = BufWriter::new(file);
    encode(&mut file, shape, values)?;
    file.into_inner()?.sync_all()
}

/// Little endian on every machine that has a GPU, and in C order.
fn encode<T: npyz::AutoSerialize>(
    to: &mut impl io::Write,
    shape: &[u64],
    values: impl Iterator<Item = T>,
) -> io::Result<()> {
    let mut writer =
        npyz::WriteOptions::new().default_dtype().shape(shape).writer(to).begin_nd()?;
    writer.extend(values)?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fortran_order_has_the_first_axis_fastest() {
        let at = |i: u32, j: u32, k: u32| [f64::from(i), f64::from(10 * j + k)];
        let mut fortran = Vec::new();
        for k in 0..4 {
            for j in 0..3 {
                fortran.extend((0..2).flat_map(|i| at(i, j, k)));
            }
        }
        let mut c = Vec::new();
        for i in 0..2 {
            for j in 0..3 {
                c.extend((0..4).flat_map(|k| at(i, j, k)));
            }
        }
        assert_eq!(permuted(&fortran, 2, &[4, 3, 2], &[2, 1, 0]), (vec![2, 3, 4], c));
    }
}
