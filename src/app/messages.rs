//! Messages for the user: GPU errors logged once each, and the toasts in the corner.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use crate::app::platform::{Instant, lock};

const TOAST: Duration = Duration::from_secs(6);

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Toast {
    pub text: String,
    pub is_error: bool,
    since: Instant,
}

/// Toasts and GPU errors, shared by clones.
#[derive(Clone, Default)]
pub(super) struct Messages(Arc<Mutex<Shared>>);

#[derive(Default)]
struct Shared {
    toasts: Vec<Toast>,
    gpu_errors: Vec<GpuError>,
}

/// Whether one device is lost, and why. Each device has its own watch, since dropping a device on purpose is
/// reported as a loss, too.
#[derive(Clone, Debug, Default)]
pub(super) struct DeviceWatch(Arc<Mutex<Option<String>>>);

impl DeviceWatch {
    pub fn lost(&self) -> Option<String> {
        lock(&self.0).clone()
    }

    fn report(&self, reason: wgpu::DeviceLostReason, text: String) {
        let text = if text.is_empty() { format!("{reason:?}").to_lowercase() } else { text };
        *lock(&self.0) = Some(text);
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct GpuError {
    pub text: String,
    pub count: u64,
    last: Instant,
}

impl Messages {
    /// Different GPU errors to keep: a broken frame has few different errors.
    const MAX_GPU_ERRORS: usize = 16;

    pub fn say(&self, text: impl Into<String>) {
        let text = text.into();
        log::info!("{text}");
        self.push(text, false);
    }

    pub fn warn(&self, text: impl Into<String>) {
        let text = text.into();
        log::warn!("{text}");
        self.push(text, true);
    }

    fn push(&self, text: String, is_error: bool) {
        let mut shared = self.lock();
        shared.toasts.retain(|toast| toast.text != text);
        shared.toasts.push(Toast { text, is_error, since: Instant::now() });
    }

    pub fn toasts(&self) -> Vec<Toast> {
        let mut shared = self.lock();
        shared.toasts.retain(|toast| toast.since.elapsed() < TOAST);
        shared.toasts.clone()
    }

    pub fn gpu_errors(&self) -> Vec<GpuError> {
        let shared = self.lock();
        shared.gpu_errors.iter().filter(|error| error.last.elapsed() < TOAST).cloned().collect()
    }

    /// Counts a GPU error, and logs it the first time.
    pub fn gpu_error(&self, text: String) {
        let mut shared = self.lock();
        if let Some(known) = shared.gpu_errors.iter_mut().find(|known| known.text == text) {
            known.count += 1;
            known.last = Instant::now();
            return;
        }
        if shared.gpu_errors.len() < Self::MAX_GPU_ERRORS {
            log::error!("GPU error (further ones of this text are not logged): {text}");
            shared.gpu_errors.push(GpuError { text, count: 1, last: Instant::now() });
        }
    }

    /// Handles errors of `device` here instead of panicking, and reports its loss to the watch.
    pub fn listen_to(&self, device: &wgpu::Device) -> DeviceWatch {
        let messages = self.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            messages.gpu_error(error.to_string());
        }));
        let watch = DeviceWatch::default();
        let reporter = watch.clone();
        device.set_device_lost_callback(move |reason, text| reporter.report(reason, text));
        watch
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        lock(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_errors_are_counted_not_repeated() {
        let messages = Messages::default();
        for _ in 0..1_000 {
            messages.gpu_error("bad bind group".to_owned());
        }
        messages.gpu_error("bad pipeline".to_owned());
        let errors = messages.gpu_errors();
        assert_eq!(errors.iter().map(|error| error.count).collect::<Vec<_>>(), [1_000, 1]);
        for index in 0..100 {
            messages.gpu_error(format!("error {index}"));
        }
        assert_eq!(messages.gpu_errors().len(), Messages::MAX_GPU_ERRORS);
        messages.say("saved");
        messages.say("saved");
        messages.warn("not saved");
        assert_eq!(messages.toasts().len(), 2);
    }
}
