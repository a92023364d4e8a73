//! What the window writes: screenshots and captures, on threads of their own.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use super::messages::Messages;
use crate::gpu::{Context, read_texture};
use crate::profile::{Capture, CaptureInfo};
use crate::whole_file;

/// Writers that are still at work.
pub(super) struct Writers {
    threads: Vec<JoinHandle<()>>,
    /// Where captures and tables go.
    folder: PathBuf,
}

impl Default for Writers {
    /// To where the program was started.
    fn default() -> Self {
        Self::within(working_folder())
    }
}

impl Writers {
    /// To `folder`.
    pub fn within(folder: PathBuf) -> Self {
        Self { threads: Vec::new(), folder }
    }

    /// Reads `texture` back and writes it as PNG.
    pub fn screenshot(&mut self, context: &Context, texture: wgpu::Texture, messages: &Messages) {
        let context = context.clone();
        self.spawn("screenshot", messages, move || {
            let bytes =
                pollster::block_on(read_texture(&context.device, &context.queue, &texture, 0, 0))
                    .map_err(|error| error.to_string())?;
            let path = unused_path(&pictures_folder(), "seaway", "png");
            write_png(&path, &texture, bytes)?;
            Ok(format!("Screenshot: {}", path.display()))
        });
    }

    /// Writes a capture.
    pub fn capture(&mut self, capture: Capture, info: CaptureInfo, messages: &Messages) {
        let within = self.folder.clone();
        self.spawn("capture", messages, move || {
            let folder = unused_path(&within, "seaway", "");
            capture.write(&folder, &info).map_err(|error| error.to_string())?;
            Ok(format!(
                "Capture of {}: {} (open its trace.json with ui.perfetto.dev, its capture.puffin \
                 with puffin_viewer)",
                capture.describe(),
                folder.display()
            ))
        });
    }

    /// Writes `text` to `seaway-WHAT-DATE.EXTENSION`.
    pub fn text(
        &mut self,
        what: &'static str,
        extension: &'static str,
        text: String,
        messages: &Messages,
    ) {
        let within = self.folder.clone();
        self.spawn(what, messages, move || {
            let path = unused_path(&within, &format!("seaway-{what}"), extension);
            whole_file::write(&path, |file| file.write_all(text.as_bytes()))
                .map_err(|error| format!("{}: {error}", path.display()))?;
            Ok(format!("Saved {}", path.display()))
        });
    }

    fn spawn(
        &mut self,
        what: &'static str,
        messages: &Messages,
        write: impl FnOnce() -> Result<String, String> + Send + 'static,
    ) {
        self.threads.retain(|thread| !thread.is_finished());
        let thread_messages = messages.clone();
        let thread =
            std::thread::Builder::new().name(what.to_owned()).spawn(move || match write() {
                Ok(done) => thread_messages.say(done),
                Err(error) => thread_messages.warn(format!("The {what} was not saved: {error}")),
            });
        match thread {
            Ok(thread) => self.threads.push(thread),
            Err(error) => messages.warn(format!("The {what} was not saved: {error}")),
        }
    }
}

impl Drop for Writers {
    /// A picture taken just before the window closed is still written.
    fn drop(&mut self) {
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn write_png(path: &Path, texture: &wgpu::Texture, mut bytes: Vec<u8>) -> Result<(), String> {
    let bgra = match texture.format().remove_srgb_suffix() {
        wgpu::TextureFormat::Bgra8Unorm => true,
        wgpu::TextureFormat::Rgba8Unorm => false,
        other => return Err(format!("the window's format, {other:?}, is not one of 8 bits")),
    };
    for pixel in bytes.as_chunks_mut::<4>().0 {
        if bgra {
            pixel.swap(0, 2);
        }
        // What the window's compositor ignores, viewers must not blend.
        pixel[3] = 255;
    }
    image::save_buffer_with_format(
        path,
        &bytes,
        texture.width(),
        texture.height(),
        image::ExtendedColorType::Rgba8,
        image::ImageFormat::Png,
    )
    .map_err(|error| format!("{}: {error}", path.display()))
}

/// The user's pictures, else where the program was started.
fn pictures_folder() -> PathBuf {
    dirs::picture_dir().filter(|folder| folder.is_dir()).unwrap_or_else(working_folder)
}

fn working_folder() -> PathBuf {
    std::env::current_dir().unwrap_or_else(|_| std::env::temp_dir())
}

/// `folder/name-date-time.extension`, or without one for a folder, with a number where that is
/// taken.
fn unused_path(folder: &Path, name: &str, extension: &str) -> PathBuf {
    let stamp = chrono::Local::now().format("%Y-%m-%d_%H-%M-%S");
    let dot = if extension.is_empty() { "" } else { "." };
    let plain = folder.join(format!("{name}-{stamp}{dot}{extension}"));
    let mut numbered =
        (2..).map(|number| folder.join(format!("{name}-{stamp}-{number}{dot}{extension}")));
    if plain.exists() { numbered.find(|path| !path.exists()).unwrap_or(plain) } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_never_replace_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let mut paths = Vec::new();
        for _ in 0..4 {
            let path = unused_path(folder.path(), "seaway", "png");
            assert!(!path.exists(), "{}", path.display());
            std::fs::write(&path, []).unwrap();
            paths.push(path);
        }
        paths.dedup();
        assert_eq!(paths.len(), 4);
    }
}
