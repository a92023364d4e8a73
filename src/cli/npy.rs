//! NumPy's files: read as complex images, written as those or as plain 32-bit floats.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read};
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use npyz::num_complex::Complex;
use npyz::{DType, Deserialize, NpyFile, Order, WriterBuilder as _};
use seaway::fft::lab::cpu;
use seaway::whole_file;

/// An array in C order.
pub struct Array {
    pub shape: Vec<u64>,
    pub values: Vec<cpu::Complex>,
    /// Of 32-bit floats, so that its transform is too (NumPy 2's rule).
    pub single: bool,
}

/// Reads numbers of any kind that NumPy transforms.
pub fn read(path: &Path) -> anyhow::Result<Array> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("{name} could not be read"))?;
    let file_bytes = file.metadata().map_or(u64::MAX, |metadata| metadata.len());
    let npy = NpyFile::new(BufReader::new(file))
        .with_context(|| format!("{name} is no NumPy file (.npy)"))?;
    let shape = npy.shape().to_vec();
    let (order, dtype) = (npy.order(), npy.dtype());
    // Judged before anything of that size is allocated.
    let count = shape.iter().try_fold(1_u64, |count, length| count.checked_mul(*length));
    let item_bytes = dtype.num_bytes().unwrap_or(1) as u64;
    let bytes = count.and_then(|count| count.checked_mul(item_bytes));
    ensure!(
        bytes.is_some_and(|bytes| bytes <= file_bytes),
        "{name} is cut short: its shape {shape:?} takes more than it holds"
    );
    let (values, single) = values(npy).with_context(|| match &dtype {
        DType::Plain(kind) => format!("the values of {name}, of type {kind}, could not be read"),
        _ => format!("the records of {name} could not be read"),
    })?;
    let values = match order {
        Order::C => values,
        Order::Fortran => c_order(&values, &shape),
    };
    Ok(Array { shape, values, single })
}

/// The values in the order of the file, and whether they are of 32-bit floats.
fn values<R: Read>(npy: NpyFile<R>) -> anyhow::Result<(Vec<cpu::Complex>, bool)> {
    /// Those of type `T`, or the file for another try.
    fn of<T: Deserialize, R: Read>(
        npy: NpyFile<R>,
        convert: impl Fn(T) -> cpu::Complex,
    ) -> Result<io::Result<Vec<cpu::Complex>>, NpyFile<R>> {
        npy.try_data().map(|values| values.map(|value| value.map(&convert)).collect())
    }
    // One type after the other, until one is the file's.
    macro_rules! first_of {
        ($npy:ident: $( $kind:ty, $single:literal, $convert:expr; )*) => {{
            $(
                let $npy = match of::<$kind, R>($npy, $convert) {
                    Ok(values) => return Ok((values.context("the file is cut short")?, $single)),
                    Err(npy) => npy,
                };
            )*
            drop($npy);
        }};
    }
    first_of!(npy:
        Complex<f32>, true, |z| [z.re.into(), z.im.into()];
        Complex<f64>, false, |z| [z.re, z.im];
        f32, true, |x| [x.into(), 0.0];
        f64, false, |x| [x, 0.0];
        i8, false, |x| [x.into(), 0.0];
        u8, false, |x| [x.into(), 0.0];
        i16, false, |x| [x.into(), 0.0];
        u16, false, |x| [x.into(), 0.0];
        i32, false, |x| [x.into(), 0.0];
        u32, false, |x| [x.into(), 0.0];
        i64, false, |x| [x as f64, 0.0];
        u64, false, |x| [x as f64, 0.0];
    );
    bail!(
        "this takes complex64, complex128, float32, float64 and integers: convert it, as in \
         array.astype(\"complex64\")"
    )
}

/// The values of an array in Fortran order, whose first axis is the fastest, in C order.
fn c_order(values: &[cpu::Complex], shape: &[u64]) -> Vec<cpu::Complex> {
    let mut index = vec![0; shape.len()];
    (0..values.len())
        .map(|_| {
            let place = index
                .iter()
                .zip(shape)
                .rev()
                .fold(0, |place, (index, length)| place * length + index);
            // Counts up, the last axis first.
            for (index, length) in index.iter_mut().zip(shape).rev() {
                *index += 1;
                if *index < *length {
                    break;
                }
                *index = 0;
            }
            values[place as usize]
        })
        .collect()
}

/// Writes `array` to `path`, whole or not at all.
pub fn write(path: &Path, array: &Array) -> anyhow::Result<()> {
    whole_file::write(path, |file| {
        if array.single {
            let single = |[re, im]: cpu::Complex| Complex { re: re as f32, im: im as f32 };
            fill(file, &array.shape, array.values.iter().copied().map(single))
        } else {
            let double = |[re, im]: cpu::Complex| Complex { re, im };
            fill(file, &array.shape, array.values.iter().copied().map(double))
        }
    })
    .with_context(|| format!("{} could not be written", path.display()))
}

/// Writes `values`, whose number is the product of `shape`, to `path` as float32, whole or not at
/// all.
pub fn write_f32(path: &Path, shape: &[u64], values: &[f32]) -> anyhow::Result<()> {
    whole_file::write(path, |file| fill(file, shape, values.iter().copied()))
        .with_context(|| format!("{} could not be written", path.display()))
}

/// Little endian on every machine that has a GPU, and in C order.
fn fill<T: npyz::AutoSerialize>(
    file: &mut File,
    shape: &[u64],
    values: impl Iterator<Item = T>,
) -> io::Result<()> {
    let mut file = BufWriter::new(file);
    let mut writer =
        npyz::WriteOptions::new().default_dtype().shape(shape).writer(&mut file).begin_nd()?;
    writer.extend(values)?;
    writer.finish()?;
    file.into_inner()?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fortran_order_has_the_first_axis_fastest() {
        let shape = [2, 3, 4];
        let at = |i: u64, j: u64, k: u64| [i as f64, (10 * j + k) as f64];
        let mut fortran = Vec::new();
        for k in 0..4 {
            for j in 0..3 {
                fortran.extend((0..2).map(|i| at(i, j, k)));
            }
        }
        let mut c = Vec::new();
        for i in 0..2 {
            for j in 0..3 {
                c.extend((0..4).map(|k| at(i, j, k)));
            }
        }
        assert_eq!(c_order(&fortran, &shape), c);
    }
}
