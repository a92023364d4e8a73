//! Errors of the device as values: the failure of a candidate or a size is no error of the program.

/// Runs `work`, and returns its result with the error that the device reports.
///
/// ```no_run
/// # async fn f(device: &wgpu::Device, wgsl: &'static str) {
/// use seaway_fft::lab::scope::scoped;
///
/// let shader = wgpu::ShaderModuleDescriptor { label: None, source: wgpu::ShaderSource::Wgsl(wgsl.into()) };
/// if let (_, Some(error)) = scoped(device, || device.create_shader_module(shader)).await {
///     println!("{error}");
/// }
/// # }
/// ```
pub async fn scoped<V>(device: &wgpu::Device, work: impl FnOnce() -> V) -> (V, Option<String>) {
    let (value, errors) = {
        let scopes = Scopes::open(device);
        (work(), scopes.close())
    };
    let mut said = None;
    for error in errors {
        said = said.or(error.await.map(|error| error.to_string()));
    }
    (value, said)
}

/// Catches every kind of error that this thread's work causes.
struct Scopes([wgpu::ErrorScopeGuard; 3]);

impl Scopes {
    fn open(device: &wgpu::Device) -> Self {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        Self([Internal, OutOfMemory, Validation].map(|filter| device.push_error_scope(filter)))
    }

    fn close(self) -> [impl Future<Output = Option<wgpu::Error>> + use<>; 3] {
        let [first, second, third] = self.0;
        // The innermost first.
        let third = third.pop();
        let second = second.pop();
        [third, second, first.pop()]
    }
}
