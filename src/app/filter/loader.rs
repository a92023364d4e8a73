//! Reads pictures and compiles kernels for them, which take longer than a frame.

use std::path::PathBuf;
use std::sync::Arc;

use crate::fft::lab::AlgorithmChoice;
use crate::filter::picture::{Depth, Picture};
use crate::filter::{FilterDescriptor, ImageFilter};
use crate::gpu::Context;

pub struct Loaded {
    pub path: PathBuf,
    pub picture: Arc<Picture>,
    pub filter: ImageFilter,
    pub algorithm: AlgorithmChoice,
}

pub enum Job {
    Open(PathBuf),
    /// A picture that is already in memory.
    Show(PathBuf, Arc<Picture>),
    By(PathBuf, Arc<Picture>, Box<ImageFilter>),
}

/// Does `job`, which takes longer than a frame.
///
/// # Errors
/// A message that says why there is no such picture or filter.
pub fn load(
    context: &Context,
    job: Job,
    algorithm: AlgorithmChoice,
    linear: bool,
) -> Result<Loaded, String> {
    let configuration = algorithm.named().map(Into::into);
    let (path, picture) = match job {
        Job::By(path, picture, filter) => {
            let filter = filter.by(&context.device, &context.queue, configuration);
            let filter = filter.map_err(|error| error.to_string())?;
            return Ok(Loaded { path, picture, filter, algorithm });
        }
        Job::Open(path) => {
            let picture = Picture::read(&path).map_err(|error| error.to_string())?;
            (path, Arc::new(picture))
        }
        Job::Show(path, picture) => (path, picture),
    };
    let descriptor = FilterDescriptor {
        size: picture.size,
        channels: picture.channels,
        algorithm: configuration,
    };
    let filter = ImageFilter::new(&context.device, &context.queue, &descriptor);
    let filter = filter.map_err(|error| format!("{}: {error}", path.display()))?;
    if linear && picture.depth != Depth::Float {
        let mut light = Picture::clone(&picture);
        light.decode_srgb();
        filter.set_pixels(&context.queue, &light.pixels);
    } else {
        filter.set_pixels(&context.queue, &picture.pixels);
    }
    Ok(Loaded { path, picture, filter, algorithm })
}
