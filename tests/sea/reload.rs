//! Shaders that change while a frame is drawn: what imports them is compiled again and nothing else, and
//! a broken one leaves the frame as it was and says where it is broken.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use seaway::frame::{Frame, FrameDesc};
use seaway::gpu::shader::LIBRARY;
use seaway::gpu::{Context, TextureSpec};
use seaway::profile::Recorder;
use seaway::settings::{Quality, QualityTier, Scenery, SeaState};
use seaway::{Ocean, OceanOptions, OceanPath};

use seaway_core::testing::context;

const RESOLUTION: [u32; 2] = [64, 36];
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

struct Bench {
    context: Context,
    frame: Frame,
    target: wgpu::Texture,
    /// The errors that reached the device's handler.
    uncaptured: Arc<Mutex<Vec<String>>>,
}

impl Bench {
    fn new(path: OceanPath) -> Self {
        let context = context();
        let uncaptured = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&uncaptured);
        let (device, queue) = (&context.device, &context.queue);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            heard.lock().unwrap().push(error.to_string());
        }));
        let quality =
            Quality { size: 32, cascades: 2, foam_texels: 0, ..Quality::of(QualityTier::Low) };
        let options = OceanOptions { path, ..OceanOptions::fixed(&quality) };
        let ocean = Ocean::new(device, queue, &SeaState::default(), options).unwrap();
        let frame = Frame::with_ocean(device, queue, ocean, &quality, FORMAT).unwrap();
        let target = TextureSpec::target("target", RESOLUTION, FORMAT)
            .with_usage(wgpu::TextureUsages::COPY_SRC)
            .create(device);
        Self { context, frame, target, uncaptured }
    }

    fn picture(&mut self) -> Vec<u8> {
        let desc = FrameDesc {
            time_s: 3.0,
            resolution: RESOLUTION,
            scenery: Scenery { buoys: 5, ..Default::default() },
            ..Default::default()
        };
        let Self { context, frame, target, .. } = self;
        let view = target.create_view(&Default::default());
        context.submit(|encoder| frame.record(&mut Recorder::new(encoder), &desc, &view));
        context.read_texels(target, 0, 0)
    }

    /// Reloads the frame with another text of one file, and returns the labels of what is compiled again.
    fn reload(&mut self, name: &str, text: &str) -> Result<Vec<&'static str>, String> {
        let sources = LIBRARY.embedded().with(name, text);
        let changed = sources.changed_since(&LIBRARY.embedded());
        assert_eq!(changed, BTreeSet::from([name.to_owned()]), "the change changes nothing");
        sources.during(|| self.frame.reload(&changed)).map_err(|error| error.to_string())
    }
}

fn embedded(name: &str) -> String {
    LIBRARY.embedded().get(name).unwrap_or_else(|| panic!("{name} is embedded")).to_owned()
}

/// `name` with `from` replaced by `to`, and the line that it stands on, from 1.
fn edited(name: &str, from: &str, to: &str) -> (String, usize) {
    let text = embedded(name);
    let at = text.find(from).unwrap_or_else(|| panic!("{name} has no {from:?}"));
    (text.replacen(from, to, 1), 1 + text[..at].matches('\n').count())
}

#[test]
fn a_change_rebuilds_what_imports_it_and_nothing_else() {
    for (path, cases) in [
        (
            OceanPath::Fused,
            &[
                ("shading/tone.wgsl", &["tone map"][..]),
                ("shading/foam.wgsl", &["water"]),
                ("shading/sky_blur.wgsl", &["sky"]),
                ("shading/sky_background.wgsl", &["background"]),
                ("shading/sky.wgsl", &["exposure", "water", "objects", "background"]),
                ("shading/glare.wgsl", &["glare"]),
                ("mesh/view.wgsl", &["visibility", "water", "objects", "background"]),
                ("maps/sample.wgsl", &["water", "objects"]),
                ("query/solve.wgsl", &["objects"]),
                ("objects/object.wgsl", &["objects"]),
                ("maps/mips.wgsl", &["mips"]),
                ("maps/store_texel.wgsl", &["fft"]),
                ("spectrum/evolve_wave.wgsl", &["fft"]),
                ("fft/common.wgsl", &["fft"]),
                // Another algorithm's, and the other path's.
                ("fft/split_radix.wgsl", &[]),
                ("maps/store.wgsl", &[]),
            ][..],
        ),
        (
            OceanPath::Plain,
            &[
                ("maps/store.wgsl", &["maps"]),
                ("maps/store_texel.wgsl", &["maps"]),
                ("spectrum/evolve_wave.wgsl", &["spectrum"]),
                ("fft/common.wgsl", &["fft"]),
            ],
        ),
    ] {
        let mut bench = Bench::new(path);
        let before = bench.picture();
        for (name, expected) in cases {
            let text = embedded(name) + "// a remark\n";
            assert_eq!(bench.reload(name, &text).as_deref(), Ok(*expected), "{path}: {name}");
            assert!(bench.picture() == before, "{path}: a remark in {name} changed the picture");
        }
        assert_eq!(*bench.uncaptured.lock().unwrap(), Vec::<String>::new());
    }
}

#[test]
fn a_broken_shader_says_where_and_changes_nothing() {
    let mut fused = Bench::new(OceanPath::Fused);
    let mut plain = Bench::new(OceanPath::Plain);
    let pictures = [fused.picture(), plain.picture()];
    for (of_plain, name, from, to) in [
        // In a file of its own, in one that is imported from afar, in a compute shader.
        (false, "shading/tone.wgsl", "return raised *", "return raized /"),
        (false, "shading/foam.wgsl", "let sum = pattern.x", "let sum = patern.x"),
        (false, "shading/atmosphere.wgsl", "fn ", "fnord "),
        (false, "shading/sky_blur.wgsl", "@compute", "@komputer"),
        // In the middle of a transform, between hooks; in each of the hooks.
        (false, "fft/common.wgsl", "fn ", "fnord "),
        (false, "spectrum/evolve_wave.wgsl", "omega * time_ticks", "omega * time_tix"),
        (false, "maps/store_texel.wgsl", "image % 2u", "image % 2.0"),
        (false, "maps/mips.wgsl", "fn ", "fnord "),
        (true, "fft/common.wgsl", "fn ", "fnord "),
        (true, "spectrum/evolve.wgsl", "let points = size", "let points = sizes"),
        (true, "maps/store.wgsl", "textureDimensions(", "textureDimension("),
        // It parses, and is wrong: a type that does not fit, which the validator finds.
        (false, "shading/tone.wgsl", "    return raised * raised;", "    return 1.0;"),
    ] {
        let bench = if of_plain { &mut plain } else { &mut fused };
        let (text, line) = edited(name, from, to);
        let error = bench.reload(name, &text).unwrap_err();
        assert!(error.starts_with(&format!("{name}:{line}: ")), "{name}:{line} is called {error}");
        assert!(bench.picture() == pictures[usize::from(of_plain)], "{name}: another picture");
    }
    // It compiles and does not fit what is bound to it.
    let (text, _) = edited("shading/tone.wgsl", "@binding(1)", "@binding(7)");
    let error = fused.reload("shading/tone.wgsl", &text).unwrap_err();
    assert!(error.contains("7") || error.contains("binding"), "{error}");
    assert!(fused.picture() == pictures[0]);

    for (bench, before) in [&mut fused, &mut plain].into_iter().zip(&pictures) {
        // Mended, it is taken, and is seen.
        let name = "shading/tone.wgsl";
        let (text, _) =
            edited(name, "let encoded = srgb_encode(light);", "let encoded = vec3(1.0, 0.0, 0.0);");
        assert_eq!(bench.reload(name, &text).as_deref(), Ok(&["tone map"][..]));
        let red = bench.picture();
        assert!(red.chunks_exact(4).all(|p| p[0] >= 254 && p[1] <= 1 && p[2] <= 1), "not red");
        let changed = BTreeSet::from([name.to_owned()]);
        LIBRARY.embedded().during(|| bench.frame.reload(&changed)).unwrap();
        assert!(bench.picture() == *before, "the old shader gives another picture than before");
        assert_eq!(*bench.uncaptured.lock().unwrap(), Vec::<String>::new());
    }
}
