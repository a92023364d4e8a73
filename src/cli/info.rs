//! `seaway info`: the adapters and their capabilities.

use crate::choice::Choice as _;
use crate::fft::lab::Algorithm;
use crate::fft::{self, Descriptor, Direction, Layout};
use crate::gpu::{self, Capabilities, Context, ContextOptions, LimitsPreset};
use serde::Serialize;

use super::Global;
use super::device::Limits;
use super::output::{self, Format};

const SIZES: [u32; 10] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192];

#[derive(clap::Args)]
pub struct Args {
    /// Output format; JSON also says why an algorithm cannot run other sizes
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// One adapter. The field names are the keys of the JSON output, which is stable.
#[derive(Serialize)]
struct Adapter {
    name: String,
    backend: String,
    device_type: String,
    driver: String,
    driver_info: String,
    vendor_id: u32,
    device_id: u32,
    /// Whether the other commands would use it.
    selected: bool,
    /// The capabilities of a device opened on it with `--limits`.
    capabilities: Capabilities,
    fft: Vec<Fft>,
}

#[derive(Serialize)]
struct Fft {
    algorithm: &'static str,
    /// Sides of square transforms, smallest first.
    sizes: Vec<u32>,
    /// The smallest unsupported size, with the reason.
    refused: Option<Refused>,
}

#[derive(Serialize)]
struct Refused {
    size: u32,
    reason: String,
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    let instance = Context::headless_instance();
    // The device that the other commands would open, with its errors.
    let options = ContextOptions { limits: global.limits.into(), ..Default::default() };
    let opened = pollster::block_on(Context::new(instance.clone(), options));
    let selected = opened.as_ref().ok().map(|context| context.adapter_info.clone());
    let adapters: Vec<Adapter> = pollster::block_on(gpu::list_adapters(&instance))
        .iter()
        .map(|adapter| describe(adapter, global.limits, selected.as_ref()))
        .collect();
    match args.format {
        Format::Json => output::print_json(&adapters)?,
        Format::Table => output::print(&adapters.iter().map(text).collect::<Vec<_>>().join("\n"))?,
    }
    match opened {
        Ok(context) => {
            eprintln!("adapter: {}", context.describe());
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

fn describe(
    adapter: &wgpu::Adapter,
    limits: Limits,
    selected: Option<&wgpu::AdapterInfo>,
) -> Adapter {
    let info = adapter.get_info();
    let (features, limits) = LimitsPreset::from(limits).of(adapter);
    let capabilities = Capabilities {
        min_subgroup_size: gpu::min_subgroup_size(features, &info),
        ..Capabilities::from_parts(features, &limits)
    };
    Adapter {
        selected: selected == Some(&info),
        backend: info.backend.to_string(),
        device_type: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete_gpu",
            wgpu::DeviceType::IntegratedGpu => "integrated_gpu",
            wgpu::DeviceType::VirtualGpu => "virtual_gpu",
            wgpu::DeviceType::Cpu => "cpu",
            wgpu::DeviceType::Other => "other",
        }
        .to_owned(),
        vendor_id: info.vendor,
        device_id: info.device,
        name: info.name,
        driver: info.driver,
        driver_info: info.driver_info,
        fft: ffts(&capabilities),
        capabilities,
    }
}

/// The squares that each algorithm can transform in the ocean's way: one pair of complex images, inverse.
/// With one pair the algorithm sets the bounds and not the size of a batch.
fn ffts(capabilities: &Capabilities) -> Vec<Fft> {
    let of = |&algorithm: &Algorithm| {
        let (mut sizes, mut refused) = (Vec::new(), None);
        for size in SIZES {
            let descriptor = Descriptor {
                size: [size; 2],
                batch: 2,
                direction: Direction::Inverse,
                layout: Layout::Pair,
                ..Descriptor::default()
            }
            .by(algorithm);
            match fft::lab::program(&descriptor, capabilities) {
                Ok(_) => sizes.push(size),
                Err(error) => {
                    refused.get_or_insert(Refused { size, reason: error.to_string() });
                }
            }
        }
        Fft { algorithm: algorithm.name(), sizes, refused }
    };
    Algorithm::ALL.iter().map(of).collect()
}

fn text(adapter: &Adapter) -> String {
    let Adapter { name, backend, device_type, driver, driver_info, .. } = adapter;
    let used = if adapter.selected { " (used by default)" } else { "" };
    let c = &adapter.capabilities;
    let features = [
        ("16-bit floats", c.shader_f16),
        ("64-bit floats", c.shader_f64),
        ("subgroups", c.min_subgroup_size > 0),
        ("coherent storage", c.coherent_storage),
        ("filtered 32-bit textures", c.float32_filterable),
        ("read-write 32-bit textures", c.read_write_textures),
        ("timing of passes", c.timestamps),
        ("timing within passes", c.timestamps_inside_passes),
    ];
    let has = |wanted: bool| {
        let names: Vec<_> =
            features.iter().filter(|(_, has)| *has == wanted).map(|(name, _)| *name).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let mut rows: Vec<(String, String)> = [
        ("driver", format!("{driver} {driver_info}").trim().to_owned()),
        ("features", has(true)),
        ("missing", has(false)),
        (
            "workgroup",
            format!(
                "{} KiB of memory, {} invocations",
                c.max_workgroup_storage_bytes / 1024,
                c.max_workgroup_invocations
            ),
        ),
        ("storage binding", format!("{} MiB", c.max_storage_binding_bytes >> 20)),
        ("texture", format!("{0} x {0}", c.max_texture_dimension_2d)),
    ]
    .map(|(what, value)| (what.to_owned(), value))
    .into();
    rows.extend(by_sizes(&adapter.fft));
    let rows: Vec<_> =
        rows.into_iter().map(|(what, value)| vec![format!("  {what}"), value]).collect();
    format!("{name} ({backend}, {device_type}){used}\n{}", output::table(&rows))
}

/// Groups the algorithms by their sizes. The JSON output gives the reasons for the missing ones.
fn by_sizes(ffts: &[Fft]) -> Vec<(String, String)> {
    let mut groups: Vec<(&[u32], Vec<&str>)> = Vec::new();
    for fft in ffts {
        match groups.iter_mut().find(|(sizes, _)| *sizes == fft.sizes) {
            Some((_, names)) => names.push(fft.algorithm),
            None => groups.push((&fft.sizes, vec![fft.algorithm])),
        }
    }
    groups
        .into_iter()
        .map(|(of, names)| (format!("FFTs, {}", sizes(of)), names.join(" ")))
        .collect()
}

/// `16 to 2048` if no power of two is missing between.
fn sizes(sizes: &[u32]) -> String {
    match sizes {
        [] => "no power of two".to_owned(),
        [only] => only.to_string(),
        [first, .., last] if sizes.is_sorted_by(|a, b| *b == 2 * a) => format!("{first} to {last}"),
        _ => sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algorithms_of_the_same_sizes_share_a_line() {
        let fft =
            |algorithm, sizes: &[u32]| Fft { algorithm, sizes: sizes.to_vec(), refused: None };
        let ffts =
            [fft("a", &[16, 32, 64]), fft("b", &[16, 64]), fft("c", &[16, 32, 64]), fft("d", &[])];
        let lines: Vec<_> =
            by_sizes(&ffts).into_iter().map(|(sizes, names)| format!("{sizes}: {names}")).collect();
        assert_eq!(lines, ["FFTs, 16 to 64: a c", "FFTs, 16 64: b", "FFTs, no power of two: d"]);
        assert_eq!(sizes(&[128]), "128");
    }
}
