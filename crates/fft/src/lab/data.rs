//! Random images in the buffers of a transform, and its results.

use std::collections::BTreeMap;

use half::f16;

use super::gate::{points, wide_noise};
use super::reference::{Array, Shape};
use crate::descriptor::{Axis, Descriptor, Direction, Kind, Layout, Placement, Precision};
use crate::gpu::{self, ReadbackError};

/// Most bytes that are uploaded at once: the queue keeps a copy until they have arrived.
const UPLOAD_BYTES: usize = 256 << 20;

/// The number of different images. A larger batch repeats them: to make thousands takes longer than to measure
/// their transform. It is a prime, so that a kernel that confuses images by its strides does not meet equal ones.
const DIFFERENT: u32 = 61;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    All,
    /// The first and the last, whose results are read.
    Ends,
}

/// The layout of a batch in a buffer on one side of a transform, without views: dense, except that rows of
/// real numbers that are transformed in place leave room for half of their spectrum.
pub struct Stored {
    /// The extent and the numbers of an image or volume.
    pub shape: Shape,
    /// Numbers from one row of an image to the next.
    pub pitch: usize,
    /// Images in a layer, whose numbers are interleaved.
    interleaved: usize,
    layers: u32,
    precision: Precision,
}

impl Stored {
    /// The layout of the input of `task`.
    pub fn input(task: &Descriptor) -> Self {
        Self::of(task, Shape::input(task))
    }

    /// The layout of the output of `task`.
    pub fn output(task: &Descriptor) -> Self {
        Self::of(task, Shape::output(task))
    }

    fn of(task: &Descriptor, shape: Shape) -> Self {
        let width = task.size[0] as usize;
        let pitch = match (task.kind, task.placement) {
            (Kind::Real, Placement::InPlace) => 2 * (width / 2 + 1),
            _ => shape.extent[0] * shape.parts(),
        };
        let interleaved = match task.layout {
            Layout::Planar => 1,
            Layout::Pair => 2,
        };
        let layers = task.layout.layers(task.batch);
        Self { shape, pitch, interleaved, layers, precision: task.precision }
    }

    /// Bytes of one layer, padding included.
    pub fn layer_bytes(&self) -> u64 {
        let [_, height, depth] = self.shape.extent;
        let numbers = (self.pitch * self.interleaved) as u64 * (height * depth) as u64;
        numbers * u64::from(self.precision.bytes())
    }

    fn bytes(&self) -> u64 {
        self.layer_bytes() * u64::from(self.layers)
    }

    /// The index in its layer of each value's first number.
    fn places(&self, image: usize) -> impl Iterator<Item = usize> {
        let [width, height, depth] = self.shape.extent;
        let (parts, interleaved, pitch) = (self.shape.parts(), self.interleaved, self.pitch);
        (0..height * depth).flat_map(move |row| {
            let first = row * pitch * interleaved + image * parts;
            (0..width).map(move |x| first + x * parts * interleaved)
        })
    }

    /// Returns the bytes of a layer of such images.
    pub fn layer(&self, images: &[Array]) -> Vec<u8> {
        match self.precision {
            Precision::F64 => self.layer_by(images, f64::to_ne_bytes),
            Precision::F32 => self.layer_by(images, |number| (number as f32).to_ne_bytes()),
            Precision::F16 => self.layer_by(images, |number| f16::from_f64(number).to_ne_bytes()),
        }
    }

    // Number by number: of a large image, each array more would take longer than its transform.
    fn layer_by<const BYTES: usize>(
        &self,
        images: &[Array],
        kept: impl Fn(f64) -> [u8; BYTES],
    ) -> Vec<u8> {
        let mut bytes = vec![0; self.layer_bytes() as usize];
        let numbers = bytes.as_chunks_mut().0;
        let parts = self.shape.parts();
        for (image, values) in images.iter().enumerate() {
            let values = values.numbers().chunks_exact(parts);
            for (place, value) in self.places(image).zip(values) {
                for (number, part) in numbers[place..place + parts].iter_mut().zip(value) {
                    *number = kept(*part);
                }
            }
        }
        bytes
    }

    /// Image number `image` of a layer.
    pub fn image(&self, bytes: &[u8], image: usize) -> Array {
        match self.precision {
            Precision::F64 => self.image_by(bytes, image, f64::from_ne_bytes),
            Precision::F32 => self.image_by(bytes, image, |bytes| f32::from_ne_bytes(bytes).into()),
            Precision::F16 => {
                self.image_by(bytes, image, |bytes| f16::from_ne_bytes(bytes).to_f64())
            }
        }
    }

    fn image_by<const BYTES: usize>(
        &self,
        bytes: &[u8],
        image: usize,
        read: impl Fn([u8; BYTES]) -> f64,
    ) -> Array {
        let stored = bytes.as_chunks().0;
        let mut numbers = Vec::with_capacity(self.shape.numbers());
        for place in self.places(image) {
            numbers.extend(stored[place..][..self.shape.parts()].iter().map(|bytes| read(*bytes)));
        }
        Array::of_numbers(numbers, self.shape.is_real)
    }
}

/// Bytes of the input of `task`, all of the batch.
pub fn input_bytes(task: &Descriptor) -> u64 {
    Stored::input(task).bytes()
}

/// Returns the size of the output in bytes.
pub fn output_bytes(task: &Descriptor) -> u64 {
    Stored::output(task).bytes()
}

/// Returns the size of a buffer that holds the input or the output, in bytes.
pub fn data_bytes(task: &Descriptor) -> u64 {
    input_bytes(task).max(output_bytes(task))
}

/// A buffer for transforms to work on.
pub fn storage(device: &wgpu::Device, label: &str, bytes: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        // Whole words can be copied, and an odd number of 16-bit ones is none.
        size: bytes.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT),
        usage: wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// Random numbers in [-1, 1] as the input of `task`, image or volume `index`, rounded to its precision. The first
/// 61 indices have different ones, which the others repeat. Half of a spectrum is consistent: the ends of its rows
/// are those of real numbers, so that all libraries agree on its transform.
pub fn input(task: &Descriptor, index: u32) -> Array {
    let index = index % DIFFERENT;
    let shape = Shape::input(task);
    let count = shape.numbers();
    let mut numbers = Vec::with_capacity(count);
    let parts = || points(index).flatten().take(count);
    match task.precision {
        Precision::F64 => numbers.extend(wide_noise(index).take(count)),
        Precision::F32 => numbers.extend(parts().map(f64::from)),
        Precision::F16 => numbers.extend(parts().map(|part| f16::from_f32(part).to_f64())),
    }
    if (task.kind, task.direction) == (Kind::Real, Direction::Inverse) {
        mirror(&mut numbers, task, shape);
    }
    Array::of_numbers(numbers, shape.is_real)
}

/// The images of a batch whose results are checked: the first and the last.
pub fn ends(batch: u32) -> impl Iterator<Item = u32> {
    // There may be one only, such as a whole batch of lines.
    [0, batch - 1].into_iter().take(batch as usize)
}

/// Makes the first and the middle value of each row the conjugate of that of the opposite row.
fn mirror(numbers: &mut [f64], task: &Descriptor, shape: Shape) {
    let [width, height, depth] = shape.extent;
    let opposite = |n: usize, count: usize, axis: Axis| match task.axes.list().contains(&axis) {
        true => (count - n) % count,
        false => n,
    };
    let ends = if task.size[0].is_multiple_of(2) { vec![0, width - 1] } else { vec![0] };
    for z in 0..depth {
        for y in 0..height {
            let other =
                opposite(z, depth, Axis::Depth) * height + opposite(y, height, Axis::Column);
            for &x in &ends {
                let (here, there) = ((z * height + y) * width + x, other * width + x);
                if here < there {
                    numbers[2 * there] = numbers[2 * here];
                    numbers[2 * there + 1] = -numbers[2 * here + 1];
                } else if here == there {
                    numbers[2 * here + 1] = 0.0;
                }
            }
        }
    }
}

/// The layers of [`input`] in the form of a buffer.
pub struct Layers<'a> {
    task: &'a Descriptor,
    stored: Stored,
    made: BTreeMap<u32, Vec<u8>>,
}

impl<'a> Layers<'a> {
    /// The layers of the input of `task`.
    pub fn new(task: &'a Descriptor) -> Self {
        Self { task, stored: Stored::input(task), made: BTreeMap::new() }
    }

    /// The number of the first layers that come again, in the same order; all if none does.
    pub fn different(&self) -> u32 {
        self.stored.layers.min(DIFFERENT)
    }

    /// The bytes of a layer.
    pub fn bytes(&mut self, layer: u32) -> &[u8] {
        let Self { task, stored, made } = self;
        if stored.layers <= DIFFERENT {
            // None comes again.
            made.clear();
        }
        made.entry(layer % DIFFERENT).or_insert_with(|| {
            // The padding of an odd batch is an image like the others.
            let first = layer * stored.interleaved as u32;
            let images = first..first + stored.interleaved as u32;
            stored.layer(&images.map(|image| input(task, image)).collect::<Vec<_>>())
        })
    }
}

/// Writes [`input`] into the input of `task`.
pub(super) fn upload(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    task: &Descriptor,
    buffer: &wgpu::Buffer,
    which: Which,
) {
    let (stored, mut layers) = (Stored::input(task), Layers::new(task));
    let layer_bytes = stored.layer_bytes();
    // Parts of a word cannot be written: then all layers are, at once.
    let is_whole = layer_bytes.is_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT);
    // The device copies those that come again.
    let written = match which {
        Which::All if is_whole => layers.different(),
        _ => stored.layers,
    };
    let mut all = Vec::new();
    let mut pending = 0;
    for layer in 0..written {
        if which == Which::Ends && layer > 0 && layer + 1 < stored.layers && is_whole {
            continue;
        }
        let bytes = layers.bytes(layer);
        if !is_whole {
            all.extend(bytes);
            continue;
        }
        queue.write_buffer(buffer, u64::from(layer) * layer_bytes, bytes);
        pending += bytes.len();
        if pending >= UPLOAD_BYTES {
            queue.submit([]);
            pending = 0;
        }
    }
    if !is_whole {
        all.resize(all.len().next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT as usize), 0);
        queue.write_buffer(buffer, 0, &all);
    }
    if written < stored.layers {
        repeat(device, queue, buffer, u64::from(written) * layer_bytes, stored.bytes());
    }
}

/// Copies the first `period` bytes of `buffer` again and again, up to its first `bytes`.
fn repeat(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    buffer: &wgpu::Buffer,
    period: u64,
    bytes: u64,
) {
    // A buffer cannot be copied to itself.
    let one = storage(device, "fft::lab different layers", period);
    let mut encoder = device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &one, 0, period);
    for start in (period..bytes).step_by(period as usize) {
        encoder.copy_buffer_to_buffer(&one, 0, buffer, start, period.min(bytes - start));
    }
    queue.submit([encoder.finish()]);
    one.destroy();
}

/// Reads image or volume `index` of the input of `task`.
#[cfg(feature = "tune")]
pub async fn read_input(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    task: &Descriptor,
    input: &wgpu::Buffer,
    index: u32,
) -> Result<Array, ReadbackError> {
    read_image(device, queue, &Stored::input(task), input, index).await
}

/// Image or volume `index` of what `task` wrote to `output`.
pub async fn read_output(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    task: &Descriptor,
    output: &wgpu::Buffer,
    index: u32,
) -> Result<Array, ReadbackError> {
    read_image(device, queue, &Stored::output(task), output, index).await
}

/// Reads back the image's layer only.
async fn read_image(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    stored: &Stored,
    buffer: &wgpu::Buffer,
    index: u32,
) -> Result<Array, ReadbackError> {
    let (layer, image) = (index as usize / stored.interleaved, index as usize % stored.interleaved);
    let bytes = stored.layer_bytes();
    // Whole words around it.
    let first = layer as u64 * bytes;
    let start = first - first % wgpu::COPY_BUFFER_ALIGNMENT;
    let end = (first + bytes).next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT);
    let copy = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("fft::lab layer"),
        size: end - start,
        usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(buffer, start, &copy, 0, end - start);
    queue.submit([encoder.finish()]);
    let read = gpu::read_buffer(device, queue, &copy).await?;
    copy.destroy();
    Ok(stored.image(&read[(first - start) as usize..][..bytes as usize], image))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice as _;
    use crate::descriptor::Axes;

    /// Tasks with every layout of numbers in a buffer.
    fn tasks() -> Vec<Descriptor> {
        let mut tasks = Vec::new();
        for &kind in Kind::ALL {
            for &direction in Direction::ALL {
                for &layout in Layout::ALL {
                    for &placement in Placement::ALL {
                        for &precision in Precision::ALL {
                            tasks.push(Descriptor {
                                kind,
                                direction,
                                layout,
                                placement,
                                precision,
                                ..Descriptor::volume([5, 3, 2])
                            });
                        }
                    }
                }
            }
        }
        tasks
    }

    /// Layers of two images each, some of which come again.
    #[test]
    fn layers_hold_the_images_of_the_input() {
        let task = Descriptor { batch: 131, layout: Layout::Pair, ..Descriptor::image([3, 2]) };
        let mut layers = Layers::new(&task);
        for layer in 0..66 {
            let images = [2 * layer, 2 * layer + 1].map(|index| input(&task, index));
            assert_eq!(layers.bytes(layer), Stored::input(&task).layer(&images), "{layer}");
        }
        assert_ne!(layers.bytes(64).to_vec(), layers.bytes(0));
        assert_eq!(layers.made.len(), DIFFERENT as usize);
    }

    #[test]
    fn what_is_written_is_read_back() {
        for task in tasks() {
            let stored = Stored::input(&task);
            let images: Vec<_> =
                (0..stored.interleaved as u32).map(|index| input(&task, index)).collect();
            let layer = stored.layer(&images);
            assert_eq!(layer.len() as u64, stored.layer_bytes());
            for (index, image) in images.iter().enumerate() {
                assert_eq!(&stored.image(&layer, index), image, "{task:?}");
            }
        }
    }

    #[test]
    fn rows_in_place_leave_room_for_their_spectrum() {
        let task = Descriptor::image([5, 3]).real();
        assert_eq!((input_bytes(&task), output_bytes(&task)), (4 * 15, 8 * 9));
        let in_place = Descriptor { placement: Placement::InPlace, ..task.clone() };
        assert_eq!((input_bytes(&in_place), output_bytes(&in_place)), (8 * 9, 8 * 9));
        let back = Descriptor { direction: Direction::Inverse, ..task };
        assert_eq!((input_bytes(&back), output_bytes(&back)), (8 * 9, 4 * 15));
        let Array::Real(row) = input(&in_place, 0) else { panic!("real numbers") };
        let layer = Stored::input(&in_place).layer(&[Array::Real(row.clone())]);
        let numbers: Vec<f32> = bytemuck::pod_collect_to_vec(&layer);
        let stored = [row[0], row[1], row[2], row[3], row[4], 0.0, row[5]];
        assert_eq!(numbers[..7], stored.map(|number| number as f32));
    }

    /// Transforming half a spectrum back and forth returns that half.
    #[test]
    fn half_a_spectrum_is_that_of_real_numbers() {
        use crate::lab::reference::{Lines, transform};
        use crate::lab::{Accuracy, input};
        for (size, depth) in [([6, 4], 1), ([5, 3], 4), ([4, 2], 2), ([1, 6], 3)] {
            for axes in [Axes::Rows, Axes::Both, Axes::RowsAndDepths, Axes::All] {
                let task = Descriptor {
                    size,
                    depth,
                    axes,
                    kind: Kind::Real,
                    direction: Direction::Inverse,
                    normalization: crate::Normalization::Ortho,
                    precision: Precision::F64,
                    ..Descriptor::default()
                };
                let half = input(&task, 1);
                let mut lines = Lines::default();
                let real = transform(half.clone(), &task, &mut lines).unwrap();
                let forward = Descriptor { direction: Direction::Forward, ..task.clone() };
                let again = transform(real, &forward, &mut lines).unwrap();
                let error = Accuracy::between(&again, &half).relative_l2;
                assert!(error < 1e-15, "{error:.1e}: {task:?}");
            }
        }
    }
}
