//! `seaway sweep`: searches all parameters of the generated FFTs for the fastest on this adapter. Its results
//! go into the planner's table.

use crate::fft::lab::{self, Ranked, TuneOptions, Tuned};
use crate::fft::{Descriptor, Direction, Layout, Placement, Precision};
use crate::{Ocean, OceanOptions, OceanPath};
use anyhow::ensure;

use super::Global;
use super::args;
use super::auto::searched;
use super::device::Gpu;
use super::fft_options::{self, Scale};
use super::output;

#[derive(clap::Args)]
pub struct Args {
    /// Sides of the square images, in points
    #[arg(
        long,
        value_name = "N,..",
        value_delimiter = ',',
        required = true,
        value_parser = args::number(1..=8192_u32)
    )]
    size: Vec<u32>,
    /// Number of complex images in a batch; with --ocean, four per cascade
    #[arg(long, value_name = "N", default_value = "4", value_parser = args::number(1..=65_535_u32))]
    batch: u32,
    /// Where results are written: to other buffers (out-of-place), or over the input (in-place)
    #[arg(
        long,
        value_name = "NAME",
        default_value = "in-place",
        conflicts_with = "ocean",
        value_parser = args::choice::<Placement>()
    )]
    placement: Placement,
    /// Memory layout of the images: planar (one after another), or pair (two interleaved, as in the ocean)
    #[arg(
        long,
        value_name = "NAME",
        default_value = "pair",
        conflicts_with = "ocean",
        value_parser = args::choice::<Layout>()
    )]
    layout: Layout,
    /// Precision of the numbers in memory
    #[arg(
        long,
        value_name = "NAME",
        default_value = "f32",
        conflicts_with = "ocean",
        value_parser = args::choice::<Precision>()
    )]
    precision: Precision,
    #[command(flatten)]
    scale: Scale,
    /// Search for the transform of the fused ocean, which evolves the spectrum and writes the maps itself
    #[arg(long)]
    ocean: bool,
    /// Number of the fastest candidates to show
    #[arg(long, value_name = "N", default_value = "8", value_parser = args::number(1..=48_usize))]
    best: usize,
    /// Search for seconds only, as `--algorithm auto` does, without storing the result: for a
    /// comparison with a full search
    #[arg(long)]
    quick: bool,
    /// Print the fastest as an entry of the planner's table (TOML)
    #[arg(long)]
    entry: bool,
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    ensure!(
        !args.ocean || args.batch.is_multiple_of(4),
        "--batch is not a multiple of 4: --ocean has four images per cascade"
    );
    let gpu = Gpu::open(global.limits)?;
    for &size in &args.size {
        let ranked = sweep(args, &gpu, size)?;
        let text =
            if args.entry { entry(args, &gpu, size, &ranked)? } else { table(&ranked, args.best) };
        output::print(&text)?;
    }
    Ok(())
}

fn sweep(args: &Args, gpu: &Gpu, size: u32) -> anyhow::Result<Vec<Ranked>> {
    let crate::gpu::Context { device, queue, .. } = &gpu.context;
    let search = async |options: TuneOptions<'_>| {
        if args.ocean {
            let ocean = OceanOptions {
                size,
                cascades: args.batch / 4,
                path: OceanPath::Fused,
                ..OceanOptions::default()
            };
            return Ok(match args.quick {
                true => alone(Ocean::tune(device, queue, &ocean, options).await?),
                false => Ocean::sweep(device, queue, &ocean, options).await?,
            });
        }
        let task = task(args, size);
        anyhow::Ok(match args.quick {
            true => alone(lab::tune(device, queue, &task, options).await?),
            false => lab::sweep(device, queue, &task, options).await?,
        })
    };
    let (ranked, seconds) = searched(gpu, search)?;
    let ranked = ranked?;
    eprintln!("{size} x {size}, batch {}: {seconds:.1} s", args.batch);
    Ok(ranked)
}

/// Ranks the single result of a search.
fn alone(tuned: Tuned) -> Vec<Ranked> {
    let Tuned { configuration, median_us, ratio_to_default, .. } = tuned;
    vec![Ranked { configuration, median_us, ratio_to_default }]
}

fn task(args: &Args, size: u32) -> Descriptor {
    Descriptor {
        size: [size; 2],
        batch: args.batch,
        direction: Direction::Inverse,
        normalization: args.scale.normalization(args.precision),
        layout: args.layout,
        precision: args.precision,
        placement: args.placement,
        ..Descriptor::default()
    }
}

fn table(ranked: &[Ranked], best: usize) -> String {
    let mut rows = vec![["us", "time / best known", "algorithm", ""].map(String::from).to_vec()];
    for Ranked { configuration, median_us, ratio_to_default } in ranked.iter().take(best) {
        rows.push(vec![
            format!("{median_us:.2}"),
            format!("{ratio_to_default:.3}"),
            configuration.algorithm().to_string(),
            fft_options::flags(configuration),
        ]);
    }
    output::table(&rows)
}

/// An entry of `crates/fft/src/planner/measured.toml` for the fastest.
fn entry(args: &Args, gpu: &Gpu, size: u32, ranked: &[Ranked]) -> anyhow::Result<String> {
    let Some(best) = ranked.first() else { anyhow::bail!("nothing could be timed") };
    let info = &gpu.context.adapter_info;
    let (layout, placement) = match args.ocean {
        true => (Layout::Pair, Placement::InPlace),
        false => (args.layout, args.placement),
    };
    Ok(format!(
        "# {:.2} us, {:.3} of the time of the best known before\n[[measured]]\n\
         vendor_id = {:#x}\nadapter = \"{}, {}\"\nsize = {size}\nbatch = [{batch}, {batch}]\n\
         layout = \"{layout}\"\nprecision = \"{}\"\nplacement = \"{placement}\"\nhooks = {}\n\
         algorithm = \"{}\"\nparameters = \"{}\"\n\n",
        best.median_us,
        best.ratio_to_default,
        info.vendor,
        info.name,
        chrono::Utc::now().format("%Y-%m-%d"),
        args.precision,
        args.ocean,
        best.configuration.algorithm(),
        fft_options::flags(&best.configuration),
        batch = args.batch,
    ))
}
