//! Times work on the processor.

use crate::fft::lab::timing::{Measurement, Method, Timer};
use crate::platform::Instant;

/// Times work on the processor, as `fft::lab::timing` times work on the GPU, but with as many repetitions as
/// fill a sample. The page of a browser waits for all of them.
pub fn measure(method: &Method, mut work: impl FnMut()) -> Measurement {
    let mut time_us = |repetitions: u32| {
        let start = Instant::now();
        (0..repetitions).for_each(|_| work());
        start.elapsed().as_secs_f64() * 1e6 / f64::from(repetitions)
    };
    let method = Method { max_repetitions: u32::MAX, ..*method };
    // Clocks of browsers have steps of up to 0.1 ms.
    let mut together = 1;
    let mut once_us = time_us(together);
    while once_us * f64::from(together) < 1000.0 && together < 1 << 20 {
        together *= 2;
        once_us = time_us(together);
    }
    let once_us = once_us.max(0.01);
    let repetitions = method.repetitions(once_us);
    let samples = method.samples_within_budget(once_us * f64::from(repetitions));
    let mut samples_us: Vec<f64> = match samples {
        1 if method.samples > 1 => vec![once_us],
        _ => (0..samples).map(|_| time_us(repetitions)).collect(),
    };
    samples_us.sort_by(f64::total_cmp);
    Measurement { samples_us, repetitions, timer: Timer::Wall }
}
