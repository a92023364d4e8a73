//! Writes screenshots and captures behind the frames.

use super::messages::Messages;
use crate::app::platform::{Exporter, STRINGS, Task};
use crate::gpu::{Context, read_texture};
use crate::profile::{Capture, CaptureInfo};

#[derive(Default)]
pub(super) struct Writers {
    tasks: Vec<Task>,
    exporter: Exporter,
}

impl Writers {
    #[cfg(test)]
    pub fn within(folder: std::path::PathBuf) -> Self {
        Self { tasks: Vec::new(), exporter: Exporter::within(folder) }
    }

    /// Reads `texture` back and writes it as PNG.
    pub fn screenshot(&mut self, context: &Context, texture: wgpu::Texture, messages: &Messages) {
        let context = context.clone();
        self.spawn("screenshot", messages, async move |exporter: Exporter| {
            let bytes = read_texture(&context.device, &context.queue, &texture, 0, 0).await;
            let png = png_of(&texture, bytes.map_err(|error| error.to_string())?)?;
            Ok(format!("Screenshot saved as {}", exporter.picture("seaway", "png", &png)?))
        });
    }

    pub fn capture(&mut self, capture: Capture, info: CaptureInfo, messages: &Messages) {
        self.spawn("capture", messages, async move |exporter: Exporter| {
            Ok(format!(
                "Capture of {} saved as {} ({})",
                capture.describe(),
                exporter.capture(&capture, &info)?,
                STRINGS.capture_opens
            ))
        });
    }

    pub fn text(
        &mut self,
        what: &'static str,
        extension: &'static str,
        text: String,
        messages: &Messages,
    ) {
        self.spawn(what, messages, async move |exporter: Exporter| {
            let place = exporter.file(&format!("seaway-{what}"), extension, text.as_bytes())?;
            Ok(format!("Saved as {place}"))
        });
    }

    fn spawn(
        &mut self,
        what: &'static str,
        messages: &Messages,
        write: impl AsyncFnOnce(Exporter) -> Result<String, String> + Send + 'static,
    ) {
        self.tasks.retain(|task| !task.is_finished());
        let (exporter, task_messages) = (self.exporter.clone(), messages.clone());
        let task = Task::spawn(what, move || async move {
            match write(exporter).await {
                Ok(done) => task_messages.say(done),
                Err(error) => task_messages.warn(format!("The {what} could not be saved: {error}")),
            }
        });
        match task {
            Ok(task) => self.tasks.push(task),
            Err(error) => messages.warn(format!("The {what} could not be saved: {error}")),
        }
    }
}

impl Drop for Writers {
    /// A picture taken just before the window closed is still written.
    fn drop(&mut self) {
        self.tasks.drain(..).for_each(Task::finish);
    }
}

fn png_of(texture: &wgpu::Texture, mut bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    let bgra = match texture.format().remove_srgb_suffix() {
        wgpu::TextureFormat::Bgra8Unorm => true,
        wgpu::TextureFormat::Rgba8Unorm => false,
        other => {
            return Err(format!(
                "the window's format, {other:?}, does not have 8 bits per channel"
            ));
        }
    };
    for pixel in bytes.as_chunks_mut::<4>().0 {
        if bgra {
            pixel.swap(0, 2);
        }
        // Viewers must not blend by an alpha that the window's compositor ignores.
        pixel[3] = 255;
    }
    let mut png = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut png);
    let (width, height) = (texture.width(), texture.height());
    image::ImageEncoder::write_image(
        encoder,
        &bytes,
        width,
        height,
        image::ExtendedColorType::Rgba8,
    )
    .map_err(|error| error.to_string())?;
    Ok(png)
}
