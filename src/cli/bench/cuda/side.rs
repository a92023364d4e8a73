//! How what a transform reads and writes lies in memory.

use seaway::fft::lab::{Array, Shape};
use seaway::fft::{Descriptor, Kind, Placement};

/// How a batch lies on one side of a transform.
#[derive(Clone, Copy)]
pub struct Side {
    pub shape: Shape,
    /// Numbers from one row to the next: of real ones in place there is room for half a spectrum.
    pub pitch: usize,
    number_bytes: usize,
}

impl Side {
    /// Of what `task` transforms, and of what it gives.
    pub fn of(task: &Descriptor) -> [Self; 2] {
        let number_bytes = task.precision.bytes() as usize;
        [Shape::input(task), Shape::output(task)].map(|shape| {
            let pitch = match (task.kind, task.placement) {
                (Kind::Real, Placement::InPlace) => 2 * (task.size[0] as usize / 2 + 1),
                _ => shape.extent[0] * shape.parts(),
            };
            Self { shape, pitch, number_bytes }
        })
    }

    /// Bytes of one image or volume.
    pub fn bytes(&self) -> usize {
        let [_, height, depth] = self.shape.extent;
        self.pitch * height * depth * self.number_bytes
    }

    /// One image or volume as it lies in memory.
    pub fn stored(&self, array: &Array) -> Vec<u8> {
        let row = self.shape.extent[0] * self.shape.parts();
        let mut bytes = Vec::with_capacity(self.bytes());
        for numbers in array.numbers().chunks_exact(row) {
            for place in 0..self.pitch {
                let number = numbers.get(place).copied().unwrap_or(0.0);
                match self.number_bytes {
                    8 => bytes.extend(number.to_ne_bytes()),
                    _ => bytes.extend((number as f32).to_ne_bytes()),
                }
            }
        }
        bytes
    }

    /// The reverse.
    pub fn array(&self, bytes: &[u8]) -> Array {
        let row = self.shape.extent[0] * self.shape.parts();
        let mut numbers = Vec::with_capacity(self.shape.numbers());
        for bytes in bytes.chunks_exact(self.pitch * self.number_bytes) {
            let bytes = &bytes[..row * self.number_bytes];
            match self.number_bytes {
                8 => numbers
                    .extend(bytes.as_chunks().0.iter().map(|bytes| f64::from_ne_bytes(*bytes))),
                _ => numbers.extend(
                    bytes.as_chunks().0.iter().map(|bytes| f64::from(f32::from_ne_bytes(*bytes))),
                ),
            }
        }
        Array::of_numbers(numbers, self.shape.is_real)
    }
}
