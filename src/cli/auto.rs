//! `--algorithm auto`: the fastest for the adapter and the transform, measured once.

use std::ops::ControlFlow;
use std::time::Instant;

use seaway::fft::{
    Algorithm, AlgorithmChoice, Descriptor, FftError, Progress, TuneError, TuneOptions, Tuning,
};
use seaway::gpu::Context;
use seaway::tuned::{self, Origin, Store};

use super::device::Gpu;
use super::fft_options;
use super::render::progress_bar;

// No documentation comment on what is flattened: clap would take it for the command's.

// What every command that takes `--algorithm auto` takes too.
#[derive(clap::Args)]
pub struct Auto {
    /// For --algorithm auto: measure anew, and neither read nor write what is kept
    #[arg(long)]
    pub no_cache: bool,
}

impl Auto {
    /// `task` by the algorithm that was asked for. What is chosen for `auto` is said on stderr, with
    /// its time and where it is kept.
    pub fn resolve(
        &self,
        gpu: &Gpu,
        choice: AlgorithmChoice,
        task: &Descriptor,
    ) -> anyhow::Result<Descriptor> {
        match choice {
            AlgorithmChoice::Named(algorithm) => Ok(Descriptor { algorithm, ..task.clone() }),
            AlgorithmChoice::Auto => self.choose(gpu, task),
        }
    }

    fn choose(&self, gpu: &Gpu, task: &Descriptor) -> anyhow::Result<Descriptor> {
        let store = if self.no_cache { None } else { Store::of_user() };
        let bar = progress_bar(1, "FFTs measured");
        let mut progress = |step: Progress| {
            bar.set_length(u64::from(step.of));
            bar.set_position(u64::from(step.candidate - 1));
            ControlFlow::Continue(())
        };
        let options =
            TuneOptions { progress: Some(&mut progress), ..TuneOptions::of(&gpu.context.device) };
        let start = Instant::now();
        let Context { device, queue, adapter_info, .. } = &gpu.context;
        let chosen = tuned::choose(device, queue, adapter_info, task, options, store.as_ref());
        let chosen = pollster::block_on(chosen);
        bar.finish_and_clear();
        // The GPU's own complaint comes first: it is the cause of a failed measurement.
        gpu.check()?;
        let (tuned, origin) = match chosen {
            Ok(chosen) => chosen,
            // None can: the reason is found again where its program is asked for.
            Err(TuneError::Fft(FftError::Unsupported(_))) => return Ok(first(task)),
            Err(error) => return Err(error.into()),
        };

        let flags = fft_options::flags(&tuned.tuning);
        let with = if flags.is_empty() { String::new() } else { format!(" {flags}") };
        let from = match origin {
            Origin::Kept => "measured before",
            Origin::Measured => &format!(
                "the best of {} in {:.1} s",
                tuned.candidates,
                start.elapsed().as_secs_f64()
            ),
        };
        let place = match &store {
            Some(store) => format!("kept in {}", store.path().display()),
            None => "not kept".to_owned(),
        };
        let [width, height] = task.size;
        eprintln!(
            "auto, {width}x{height}, batch {}: {}{with}, {} ({from}; {place})",
            task.batch,
            tuned.algorithm,
            time(tuned.median_us)
        );
        Ok(tuned.apply(task))
    }
}

/// `task` by the algorithm that comes to mind first.
fn first(task: &Descriptor) -> Descriptor {
    let (algorithm, tuning) = (Algorithm::StockhamR8, Tuning::default());
    Descriptor { algorithm, tuning, ..task.clone() }
}

/// `12.3 us`.
fn time(us: f64) -> String {
    if us < 10_000.0 { format!("{us:.1} us") } else { format!("{:.1} ms", us / 1000.0) }
}
