//! Reads pictures and compiles kernels for them, which take longer than a frame.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::JoinHandle;

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

/// A thread that does one job.
pub struct Loader {
    result: Receiver<Result<Loaded, String>>,
    thread: Option<JoinHandle<()>>,
}

impl Loader {
    pub fn start(context: &Context, job: Job, algorithm: AlgorithmChoice, linear: bool) -> Self {
        let (sender, result) = channel();
        let context = context.clone();
        let thread = std::thread::spawn(move || {
            // The receiver is gone once the window has closed.
            let _ = sender.send(load(&context, job, algorithm, linear));
        });
        Self { result, thread: Some(thread) }
    }

    pub fn take(&self) -> Option<Result<Loaded, String>> {
        match self.result.try_recv() {
            Ok(result) => Some(result),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("the loading thread has ended".into())),
        }
    }
}

impl Drop for Loader {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn load(
    context: &Context,
    job: Job,
    algorithm: AlgorithmChoice,
    linear: bool,
) -> Result<Loaded, String> {
    let configuration = algorithm.named().map(Into::into);
    let (path, picture) = match job {
        Job::By(path, picture, filter) => {
            let filter = filter.by(&context.device, configuration);
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
    let filter = ImageFilter::new(&context.device, &descriptor);
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
