//! Shaders before the browser's compiler.

use seaway::choice::Choice as _;
use seaway::fft::lab::{self, Algorithm};
use seaway::fft::{Descriptor, Direction, Layout};
use seaway::gpu::{Capabilities, shader};
use serde_json::{Value, json};

use crate::browser::{Browser, Site};
use crate::{SHOWN, SIZE};

/// Every shader that the program hands to WebGPU, composed as it is handed over.
fn shaders() -> Vec<(String, String)> {
    let webgpu = Capabilities::webgpu_defaults();
    let mut all = Vec::new();
    for &algorithm in Algorithm::ALL {
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
                // What WebGPU's limits are too small for is never handed over.
                let Ok(program) = lab::program(&task.by(algorithm), &webgpu) else { continue };
                for (place, kernel) in program.kernels.iter().enumerate() {
                    let name = format!("{algorithm} {size} {layout}, kernel {place}");
                    all.push((name, kernel.wgsl.clone()));
                }
            }
        }
    }
    for (name, text) in shader::EMBEDDED {
        let has_entry = ["@compute", "@vertex", "@fragment"].iter().any(|word| text.contains(word));
        // Those are templates, which programs fill in and stages compose: they come from the page.
        let is_whole = !name.starts_with("fft/") && *name != "maps/mips.wgsl";
        if has_entry && is_whole {
            all.push(((*name).to_owned(), shader::resolve(name).unwrap()));
        }
    }
    all.sort_by(|one, other| one.1.cmp(&other.1));
    all.dedup_by(|one, other| one.1 == other.1);
    all
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn every_shader_passes_the_browser_s_compiler() {
    let site = Site::serve();
    let mut browser = Browser::open(SIZE);
    // What the page itself hands over, while it shows the sea.
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
    // Where the adapter has 16-bit floats, as the program asks for them.
    let has_f16 = browser.run(
        "(async () => {
            const adapter = await navigator.gpu.requestAdapter();
            const requiredFeatures = ['shader-f16'].filter((name) => adapter.features.has(name));
            window.device = await adapter.requestDevice({ requiredFeatures });
            window.compile = async (code) => {
                const info = await device.createShaderModule({ code }).getCompilationInfo();
                const wrong = info.messages.filter((message) => message.type === 'error');
                return wrong.map((message) => `${message.lineNum}: ${message.message}`);
            };
            return requiredFeatures.length > 0;
        })()",
    );
    // What is wrong is seen to be.
    assert_ne!(browser.run("compile('fn f() -> u32 { return 1.5; }')"), json!([]));
    let shaders = shaders();
    println!("{} different shaders", shaders.len());
    assert!(shaders.len() > 250, "{}", shaders.len());
    let mut wrong = Vec::new();
    for (name, wgsl) in &shaders {
        if wgsl.contains("enable f16;") && has_f16 != true {
            println!("{name} needs 16-bit floats, which this adapter has not");
            continue;
        }
        let errors = browser.run(&format!("compile({})", Value::from(wgsl.as_str())));
        if errors != json!([]) {
            wrong.push(format!("{name}: {errors}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), shaders.len());
}
