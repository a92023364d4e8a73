//! A band-pass filter of images, the application of Lloyd, Boyd and Govindaraju, "Fast computation of general
//! Fourier transforms on GPUs" (2008), figure 1: an image is transformed, frequencies beyond the [`Band`] are
//! removed, and the rest is transformed back, in four dispatches where an algorithm has one an axis. It takes
//! any size; red, green and blue are the parts of two complex images in one paired transform, whose first
//! pass loads the pixels and whose others weigh the spectrum and store the result by hooks.
//!
//! The transform treats the image as periodic: content that leaves it at one edge enters at the opposite one.
//!
//! ```no_run
//! use seaway::filter::{Band, Channels, FilterDescriptor, ImageFilter};
//!
//! # fn f(
//! #     device: &wgpu::Device, queue: &wgpu::Queue, encoder: &mut wgpu::CommandEncoder,
//! #     pixels: &[f32],
//! # ) -> Result<(), Box<dyn std::error::Error>> {
//! let descriptor =
//!     FilterDescriptor { size: [640, 480], channels: Channels::Colour, algorithm: None };
//! let filter = ImageFilter::new(device, queue, &descriptor)?;
//! filter.set_pixels(queue, pixels);
//! // Details of less than a tenth of the image disappear; a falloff avoids ringing.
//! filter.set_band(queue, &Band::new(0.0, 10.0, 4.0)?, 0.0);
//! filter.encode(&mut encoder.begin_compute_pass(&Default::default()));
//! let filtered: &wgpu::Buffer = filter.result();
//! # Ok(())
//! # }
//! ```

mod band;
#[cfg(feature = "cli")]
pub mod picture;
mod power;

pub use band::{Band, BandError};
pub use power::{BLACK_DB, log_power};

use crate::fft::lab::Configuration;
use crate::fft::{
    Bound, Buffers, Descriptor, Direction, FftError, Layout, LoadHook, Normalization, Plan,
    StoreHook, Unsupported,
};
use crate::gpu::{self, Allocations, Memory, Uniform, bindings, wgsl_struct};

/// The channels of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channels {
    /// Grey and opacity: 2 floats.
    Grey,
    /// Red, green, blue and opacity: 4 floats.
    Colour,
}

impl Channels {
    /// The number of floats of a pixel. The last is its opacity, which is not filtered.
    pub fn floats(self) -> usize {
        match self {
            Self::Grey => 2,
            Self::Colour => 4,
        }
    }

    fn layout(self) -> Layout {
        match self {
            Self::Grey => Layout::Planar,
            Self::Colour => Layout::Pair,
        }
    }

    /// The WGSL constants of a hook, with a prefix because one kernel may have two hooks.
    fn constants(self, prefix: &str, [width, height]: [u32; 2]) -> String {
        let channels = match self {
            Self::Grey => "1.0, 0.0",
            Self::Colour => "1.0, 1.0, 1.0, 0.0",
        };
        format!(
            "const {prefix}_WIDTH: u32 = {width}u;\nconst {prefix}_HEIGHT: u32 = {height}u;\n\
             // 1 for what is filtered, 0 for opacity.\n\
             const {prefix}_CHANNELS: Element = Element({channels});\n"
        )
    }
}

/// The shape and the algorithm of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterDescriptor {
    /// The width and height of the image in pixels, which may be any.
    pub size: [u32; 2],
    /// The channels of its pixels.
    pub channels: Channels,
    /// The algorithm of the transforms; `None` takes the best known.
    pub algorithm: Option<Configuration>,
}

wgsl_struct! {
    struct FilterBand {
        least: u32,
        most: u32,
        low: f32,
        high: f32,
        falloff: f32,
        offset: f32,
    }
}

impl FilterBand {
    fn new(band: &Band, offset: f32) -> Self {
        let [least, most] = band.squares();
        Self {
            least,
            most,
            low: band.low() as f32,
            high: band.high().min(f64::from(f32::MAX)) as f32,
            falloff: band.falloff() as f32,
            offset,
        }
    }
}

/// A filter of images of one size, with its buffers.
#[derive(Clone, Debug)]
pub struct ImageFilter {
    descriptor: FilterDescriptor,
    forward: Bound,
    back: Bound,
    buffers: FilterBuffers,
    memory: Memory,
}

/// The buffers, which do not depend on the algorithm. All except the band are `[y][x]`, an element a pixel.
#[derive(Clone, Debug)]
struct FilterBuffers {
    pixels: wgpu::Buffer,
    spectrum: wgpu::Buffer,
    result: wgpu::Buffer,
    band: Uniform<FilterBand>,
}

impl ImageFilter {
    /// Plans the transforms, compiles their kernels and creates the buffers. At first all frequencies
    /// pass, and the image is black.
    ///
    /// # Errors
    /// [`FftError`] where the device cannot hold the image, or the algorithm does not support its size.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        descriptor: &FilterDescriptor,
    ) -> Result<Self, FftError> {
        // The plans come first, since they reject images that are too large for buffers.
        let plans = Plans::new(device, descriptor)?;
        let [width, height] = descriptor.size.map(u64::from);
        let bytes = 4 * descriptor.channels.floats() as u64 * width * height;
        let buffer = |label, size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let (storage, from, to) = (
            wgpu::BufferUsages::STORAGE,
            wgpu::BufferUsages::COPY_SRC,
            wgpu::BufferUsages::COPY_DST,
        );
        let buffers = FilterBuffers {
            pixels: buffer("ImageFilter::pixels", bytes, storage | to),
            spectrum: buffer("ImageFilter::spectrum", bytes, storage | from),
            result: buffer("ImageFilter::result", bytes, storage | from),
            band: Uniform::with(device, "ImageFilter::band", &FilterBand::new(&Band::ALL, 0.0)),
        };
        plans.bind(device, queue, descriptor, buffers)
    }

    /// A filter by another algorithm of the same image, in the same buffers and with the same band.
    ///
    /// # Errors
    /// Those of [`ImageFilter::new`].
    pub fn by(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        algorithm: Option<Configuration>,
    ) -> Result<Self, FftError> {
        let descriptor = FilterDescriptor { algorithm, ..self.descriptor.clone() };
        Plans::new(device, &descriptor)?.bind(device, queue, &descriptor, self.buffers.clone())
    }

    /// The descriptor that it was built from.
    pub fn descriptor(&self) -> &FilterDescriptor {
        &self.descriptor
    }

    /// The forward transform without hooks, for finding the algorithms that support it.
    pub fn task(descriptor: &FilterDescriptor) -> Descriptor {
        Descriptor {
            size: descriptor.size,
            batch: match descriptor.channels {
                Channels::Grey => 1,
                Channels::Colour => 2,
            },
            layout: descriptor.channels.layout(),
            algorithm: descriptor.algorithm,
            ..Descriptor::default()
        }
    }

    /// Sets the image: `[y][x]` with [`Channels::floats`] floats a pixel.
    ///
    /// # Panics
    /// Panics where it does not have the descriptor's size.
    pub fn set_pixels(&self, queue: &wgpu::Queue, pixels: &[f32]) {
        let [width, height] = self.descriptor.size.map(|side| side as usize);
        assert_eq!(pixels.len(), width * height * self.descriptor.channels.floats(), "pixels");
        queue.write_buffer(&self.buffers.pixels, 0, bytemuck::cast_slice(pixels));
    }

    /// Sets the band, and the offset added to every value of the result, from the next submission on.
    pub fn set_band(&self, queue: &wgpu::Queue, band: &Band, offset: f32) {
        self.buffers.band.write(queue, &FilterBand::new(band, offset));
    }

    /// Records the filter's dispatches into a pass.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.forward.encode(pass);
        self.back.encode(pass);
    }

    /// The filtered image, `[y][x]` in the layout of [`ImageFilter::set_pixels`].
    pub fn result(&self) -> &wgpu::Buffer {
        &self.buffers.result
    }

    /// The filtered spectrum, not scaled, `[ky][kx]` in natural order: (re, im) of red + i green and of
    /// blue for a colour image, (re, im) of a grey one.
    pub fn spectrum(&self) -> &wgpu::Buffer {
        &self.buffers.spectrum
    }

    /// The number of dispatches of the filter.
    pub fn dispatch_count(&self) -> usize {
        self.forward.dispatch_count() + self.back.dispatch_count()
    }

    /// The memory that it takes on the GPU.
    pub fn memory(&self) -> Memory {
        self.memory
    }
}

struct Plans([Plan; 2]);

impl Plans {
    fn new(device: &wgpu::Device, descriptor: &FilterDescriptor) -> Result<Self, FftError> {
        let module = |hook: &str, file: &str, prefix: &str| {
            let constants = descriptor.channels.constants(prefix, descriptor.size);
            let text = format!("#import \"filter/{file}.wgsl\"\n{constants}");
            let module = gpu::shader::LIBRARY.compose_text(hook, &text);
            module.map_err(|error| Unsupported::Hook {
                hook: hook.to_owned(),
                message: error.to_string(),
            })
        };
        let entries =
            |types: &[wgpu::BindingType]| bindings::entries(wgpu::ShaderStages::COMPUTE, types);
        let (read, write) = (bindings::storage_read(), bindings::storage_read_write());
        let load =
            LoadHook::new("the image", module("the image", "load", "PICTURE")?, entries(&[read]));
        let weigh = StoreHook::new(
            "the band",
            module("the band", "weigh", "FILTER")?,
            entries(&[bindings::uniform(), write]),
        );
        let store = StoreHook::new(
            "the result",
            module("the result", "store", "FILTER")?,
            entries(&[bindings::uniform(), read, write]),
        );
        // SAFETY: they index within the width and height of one layer, which is bound; they have no
        // loops.
        let (load, weigh, store) =
            unsafe { (load.unchecked(), weigh.unchecked(), store.unchecked()) };
        let task = ImageFilter::task(descriptor);
        let forward = Descriptor { load: Some(load), store: Some(weigh), ..task.clone() };
        let back = Descriptor {
            direction: Direction::Inverse,
            normalization: Normalization::Points,
            store: Some(store),
            ..task
        };
        Ok(Self([Plan::new(device, &forward)?, Plan::new(device, &back)?]))
    }

    fn bind(
        self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        descriptor: &FilterDescriptor,
        buffers: FilterBuffers,
    ) -> Result<ImageFilter, FftError> {
        let Self([forward, back]) = self;
        forward.write_tables(queue);
        back.write_tables(queue);
        let FilterBuffers { pixels, spectrum, result, band } = &buffers;
        let group = |layout: Option<&wgpu::BindGroupLayout>, of: &[&dyn bindings::Resource]| {
            layout.map(|layout| bindings::group(device, "ImageFilter", layout, of))
        };
        // The store hook leaves the output as working memory, for algorithms of several dispatches.
        let bytes = forward.output_bytes().max(back.output_bytes());
        let work = (forward.needs_output() || back.needs_output()).then(|| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("ImageFilter::work"),
                size: bytes,
                usage: wgpu::BufferUsages::STORAGE,
                mapped_at_creation: false,
            })
        });
        let output = |plan: &Plan| work.as_ref().filter(|_| plan.needs_output()).map(Into::into);
        let memory = [pixels, spectrum, result].into_iter().chain(&work);
        let memory =
            memory.fold(band.allocations::<Memory>(), |memory, buffer| memory.with_buffer(buffer));
        let forward = forward.bind(
            device,
            &Buffers {
                output: output(&forward),
                load: group(forward.load_layout(), &[pixels]).as_ref(),
                store: group(forward.store_layout(), &[band, spectrum]).as_ref(),
                ..Buffers::default()
            },
        )?;
        let back = back.bind(
            device,
            &Buffers {
                input: Some(spectrum.into()),
                output: output(&back),
                store: group(back.store_layout(), &[band, pixels, result]).as_ref(),
                ..Buffers::default()
            },
        )?;
        let memory = memory + forward.memory() + back.memory();
        Ok(ImageFilter { descriptor: descriptor.clone(), forward, back, buffers, memory })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{assert_layout, shader};

    #[test]
    fn both_sides_agree_on_the_band() {
        assert_layout::<FilterBand>(&shader::source("filter/pass_band.wgsl").unwrap());
    }
}
