//! Shaders before the browser's compiler.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use seaway::fft::lab::{self, Algorithm};
use seaway::fft::{Descriptor, Direction, Layout};
use seaway::frame::Frame;
use seaway::gpu::{Capabilities, LimitsPreset, WGSL_LOG, shader};
use seaway::maps::MapFormat;
use seaway::settings::{Quality, QualityTier, SeaState};
use seaway::{Ocean, OceanOptions, OceanPath};
use seaway_core::choice::Choice as _;
use serde_json::{Value, json};

use crate::browser::{Browser, Site};
use crate::{SHOWN, SIZE};
use seaway_core::testing::context_within;

/// The WGSL that the library has handed to wgpu: each text once, with its label.
struct HandedOver(Mutex<BTreeMap<String, String>>);

static HANDED_OVER: HandedOver = HandedOver(Mutex::new(BTreeMap::new()));

impl HandedOver {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl log::Log for HandedOver {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.target() == WGSL_LOG
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            let text = record.args().to_string();
            let (label, wgsl) = text.split_once('\n').expect("a label and WGSL");
            self.lock().entry(wgsl.to_owned()).or_insert_with(|| label.to_owned());
        }
    }

    fn flush(&self) {}
}

/// Every shader that the program hands to WebGPU, as it is handed over: its WGSL, and its name.
fn shaders() -> BTreeMap<String, String> {
    let webgpu = Capabilities::webgpu_defaults();
    let mut all = BTreeMap::new();
    for algorithm in Algorithm::of_powers_of_two() {
        for size in [64, 256, 1024] {
            for layout in [Layout::Planar, Layout::Pair] {
                let direction = Direction::Inverse;
                let task = Descriptor {
                    size: [size; 2],
                    batch: 4,
                    layout,
                    direction,
                    ..Descriptor::default()
                };
                // Kernels that exceed WebGPU's limits are never handed over.
                let Ok(program) = lab::program(&task.by(algorithm), &webgpu) else { continue };
                for (place, kernel) in program.kernels.iter().enumerate() {
                    let name = format!("{algorithm} {size} {layout}, kernel {place}");
                    all.insert(kernel.wgsl.clone(), name);
                }
            }
        }
    }
    for (name, text) in shader::LIBRARY.files() {
        let has_entry = ["@compute", "@vertex", "@fragment"].iter().any(|word| text.contains(word));
        // These files are templates, which programs fill in and stages compose: they come from the frames.
        let is_whole = !name.starts_with("fft/") && name != "maps/mips.wgsl";
        if has_entry && is_whole {
            all.insert(shader::resolve(name).unwrap(), (*name).to_owned());
        }
    }
    for limits in [LimitsPreset::WebGpu, LimitsPreset::Adapter] {
        frames_and_oceans(limits);
    }
    all.append(&mut HANDED_OVER.lock());
    all
}

/// Has the library hand over what frames of every tier and oceans of every algorithm are made of, on a
/// device of those limits. No adapter compiles any of it before it runs.
fn frames_and_oceans(limits: LimitsPreset) {
    let context = context_within(limits);
    let (device, queue) = (&context.device, &context.queue);
    let sea = SeaState::default();
    for &tier in QualityTier::ALL {
        let quality = Quality { size: 64, ..Quality::of(tier) };
        let format = wgpu::TextureFormat::Bgra8UnormSrgb;
        let mut frame = Frame::new(device, queue, &sea, &quality, format).unwrap();
        frame.build_views().unwrap();
        frame.keep_layers().unwrap();
    }
    let quality = Quality::of(QualityTier::Low);
    let whole = OceanOptions { size: 256, ..OceanOptions::of(&quality) };
    let spectrum = Ocean::prepare(&sea, &whole).unwrap();
    let mut made = [0, 0];
    for algorithm in Algorithm::of_powers_of_two() {
        for &path in OceanPath::ALL {
            for map_format in [MapFormat::F16, MapFormat::F32] {
                let algorithm = Some(algorithm.into());
                let options = OceanOptions { algorithm, path, map_format, ..whole };
                // Kernels that exceed WebGPU's limits, or have no hooks, are never handed over.
                let ocean = Ocean::with_spectrum(device, queue, spectrum.clone(), options);
                made[usize::from(path == OceanPath::Fused)] += usize::from(ocean.is_ok());
            }
        }
    }
    assert!(
        made.iter().all(|made| *made >= Algorithm::of_powers_of_two().count()),
        "{made:?} oceans"
    );
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn every_shader_passes_the_browser_s_compiler() {
    let site = Site::serve();
    let mut browser = Browser::open(SIZE);
    // These are the shaders that the page itself hands over while it shows the sea.
    browser.before_pages(
        "if (window.GPUDevice) {
            window.modules = [];
            const create = GPUDevice.prototype.createShaderModule;
            GPUDevice.prototype.createShaderModule = function (descriptor) {
                const made = create.call(this, descriptor);
                modules.push(made.getCompilationInfo().then((info) => info.messages
                    .filter((message) => message.type === 'error')
                    .map((message) => `${descriptor.label}: ${message.message}`)));
                return made;
            };
        }",
    );
    browser.visit(&site.url(""));
    browser.wait_for_words(SHOWN);
    let of_page = browser.run("Promise.all(modules)");
    println!("{} modules of the page", of_page.as_array().unwrap().len());
    assert!(of_page.as_array().unwrap().len() >= 25, "{of_page}");
    assert!(of_page.as_array().unwrap().iter().all(|errors| *errors == json!([])), "{of_page}");

    browser.visit(&site.url("seaway.css"));
    // Where the adapter has 16-bit floats and subgroups, as the program asks for them.
    let has = browser.run(
        "(async () => {
            const adapter = await navigator.gpu.requestAdapter();
            const requiredFeatures =
                ['shader-f16', 'subgroups'].filter((name) => adapter.features.has(name));
            window.device = await adapter.requestDevice({ requiredFeatures });
            window.compile = async (code) => {
                const info = await device.createShaderModule({ code }).getCompilationInfo();
                const wrong = info.messages.filter((message) => message.type === 'error');
                return wrong.map((message) => `${message.lineNum}: ${message.message}`);
            };
            return requiredFeatures;
        })()",
    );
    // A wrong shader is noticed.
    assert_ne!(browser.run("compile('fn f() -> u32 { return 1.5; }')"), json!([]));
    let has: Vec<String> = serde_json::from_value(has).unwrap();
    let has = |feature: &str| has.iter().any(|name| name == feature);
    log::set_logger(&HANDED_OVER).expect("the only logger");
    log::set_max_level(log::LevelFilter::Trace);
    let shaders = shaders();
    println!("{} different shaders", shaders.len());
    assert!(shaders.len() > 350, "{}", shaders.len());
    let mut wrong = Vec::new();
    for (wgsl, name) in &shaders {
        let needs = [("enable f16;", "shader-f16"), ("subgroupShuffle", "subgroups")];
        if let Some((_, feature)) =
            needs.into_iter().find(|(line, feature)| wgsl.contains(line) && !has(feature))
        {
            println!("{name} needs {feature}, which this adapter has not");
            continue;
        }
        let errors = browser.run(&format!("compile({})", Value::from(wgsl.as_str())));
        if errors != json!([]) {
            wrong.push(format!("{name}: {errors}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), shaders.len());
}
