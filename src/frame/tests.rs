//! Tests of every setting at its extremes: no slider may put a NaN into the picture. The HDR target is
//! searched, since tone mapping turns a NaN into some colour.

use half::f16;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};

use super::*;
use crate::eye;
use crate::gpu::{Context, LimitsPreset, Memory, TextureSpec, bindings, filled, read_texture};
use crate::objects::{Model, Stand, post};
use crate::query::{Queries, QueryOptions, When};
use crate::settings::table::random;
use crate::settings::{Kind, Preset, QualityTier, Settings};
use crate::shading::HDR_FORMAT;
use seaway_core::testing::context_within;

const RESOLUTION: [u32; 2] = [64, 36];

fn quality() -> Quality {
    Quality { size: 32, cascades: 3, foam_texels: 0, ..Quality::of(QualityTier::Low) }
}

/// Both ends of every field, the others at their defaults, and both ends of all fields together.
fn extremes<S: Settings>() -> Vec<(String, S)> {
    let mut extremes = Vec::new();
    let mut ends = [S::default(), S::default()];
    for field in S::FIELDS {
        let values = match field.kind {
            Kind::Choice(_) => field.kind.values(),
            kind => vec![kind.values()[0], *kind.values().last().unwrap()],
        };
        for value in &values {
            let mut settings = S::default();
            field.set(&mut settings, *value).unwrap();
            extremes.push((format!("{} = {value}", field.name), settings));
        }
        field.set(&mut ends[0], values[0]).unwrap();
        field.set(&mut ends[1], values[values.len() - 1]).unwrap();
    }
    let [low, high] = ends;
    extremes.extend([("everything low".to_owned(), low), ("everything high".to_owned(), high)]);
    extremes
}

/// Counts pixels of the HDR target by fault: `[not a number, no light at all, too bright]`.
fn count_faults(context: &Context, hdr: &wgpu::TextureView) -> [u32; 3] {
    const WGSL: &str = "
        @group(0) @binding(0) var hdr: texture_2d<f32>;
        @group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>, 3>;
        @compute @workgroup_size(8, 8)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            if any(id.xy >= textureDimensions(hdr)) { return; }
            let light = textureLoad(hdr, id.xy, 0);
            let bits = bitcast<vec4<u32>>(light);
            if any((bits & vec4(0x7fffffffu)) > vec4(0x7f800000u)) { atomicAdd(&counts[0], 1u); }
            if all(light.rgb == vec3(0.0)) { atomicAdd(&counts[1], 1u); }
            // With six stops more than is automatic, that is 30 times white.
            if all(light.rgb > vec3(2000.0)) { atomicAdd(&counts[2], 1u); }
        }";

    counted(context, WGSL, hdr)
}

/// Runs a kernel over a texture that adds to three counts.
fn counted(context: &Context, wgsl: &str, texture: &wgpu::TextureView) -> [u32; 3] {
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let count = filled(&context.device, "counts", usage, &[0; 12]);
    let bindings::Group { layout, bind_group } = bindings::bind(
        &context.device,
        "counts",
        wgpu::ShaderStages::COMPUTE,
        &[
            (bindings::unfiltered_texture(wgpu::TextureViewDimension::D2), texture),
            (bindings::storage_read_write(), &count),
        ],
    );
    let sides = [texture.texture().width(), texture.texture().height()];
    let workgroups = sides.map(|side| side.div_ceil(8));
    context.run(wgsl, "main", &[Some((&layout, &bind_group))], workgroups);
    context.read(&count).try_into().unwrap()
}

struct Bench {
    context: Context,
    frame: Frame,
    target: wgpu::TextureView,
}

impl Bench {
    fn new() -> Self {
        Self::of(&quality())
    }

    fn of(quality: &Quality) -> Self {
        let context = context_within(LimitsPreset::WebGpu);
        let (device, queue) = (&context.device, &context.queue);
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let sea = SeaState::default();
        let frame = Frame::new(device, queue, &sea, quality, format).unwrap();
        let target = TextureSpec::target("target", RESOLUTION, format)
            .with_usage(wgpu::TextureUsages::COPY_SRC)
            .create_view(device);
        Self { context, frame, target }
    }

    fn set_sea(&mut self, sea: &SeaState) {
        let options = *self.frame.ocean().options();
        let foam = FoamSea::new(sea, options.cascades, self.frame.foam().options()).unwrap();
        self.frame.set_spectrum(&Ocean::prepare(sea, &options).unwrap(), foam).unwrap();
    }

    /// Builds the frame again, with the pipelines that it has in common with the one before.
    fn set_quality(&mut self, what: &str, quality: &Quality) {
        let Self { frame, context, .. } = self;
        let Context { device, queue, .. } = &*context;
        let (pipelines, options) = (frame.pipelines(), OceanOptions::of(quality));
        let ocean = Ocean::new(pipelines, queue, &SeaState::default(), options).unwrap();
        *frame = Frame::with_ocean(device, queue, ocean, quality, wgpu::TextureFormat::Rgba8Unorm)
            .unwrap_or_else(|error| panic!("{what}: {error}"));
    }

    /// The drawing pose of `camera`, out of the water: it is dark inside a wave.
    fn out_of_the_water(
        &mut self,
        queries: &mut Queries,
        camera: &CameraPose,
        time_s: f64,
    ) -> CameraPose {
        let Context { device, queue, .. } = &self.context;
        let ocean = self.frame.ocean();
        let spacing_m = self.frame.quality().finest_spacing_m;
        let points = eye::points([camera.x_m, camera.z_m], spacing_m);
        let mut request = self.context.submit(|encoder| {
            ocean.encode(encoder, time_s);
            queries.encode(queue, encoder, ocean, When::Drawn { time_s }, &points).unwrap()
        });
        device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        let water = eye::Water::of(&request.answer().unwrap().unwrap().points);
        let y_m = eye::EyeLevel::OverStillWater.height_m(camera.y_m, &water);
        CameraPose { y_m, ..camera.clone() }
    }

    fn check(&mut self, what: &str, camera: &CameraPose, light: &Light) {
        self.check_at(what, 86_400.25, camera, light);
    }

    fn check_at(&mut self, what: &str, time_s: f64, camera: &CameraPose, light: &Light) {
        self.check_under(what, time_s, camera, light, &Clouds::default());
    }

    fn check_under(
        &mut self,
        what: &str,
        time_s: f64,
        camera: &CameraPose,
        light: &Light,
        clouds: &Clouds,
    ) {
        let desc = FrameDesc {
            time_s,
            resolution: RESOLUTION,
            camera: camera.clone(),
            light: light.clone(),
            clouds: clouds.clone(),
            scenery: Scenery { buoys: 8, ..Default::default() },
            ..Default::default()
        };
        let Self { context, frame, target } = self;
        context.submit(|encoder| frame.record(&mut Recorder::new(encoder), &desc, target));
        let [none, dark, glaring] = count_faults(context, &frame.targets.composite.hdr);
        assert_eq!(none, 0, "{what}: pixels that are no numbers");
        let all = RESOLUTION[0] * RESOLUTION[1];
        // No light reaches deep water.
        assert!(dark < all || camera.y_m < -10.0, "{what}: a black picture");
        assert!(glaring < all, "{what}: a white picture");
    }
}

#[test]
fn the_search_for_nans_finds_one() {
    let context = context_within(LimitsPreset::WebGpu);
    let device = &context.device;
    let texture = TextureSpec::new(
        "target",
        [3, 1],
        HDR_FORMAT,
        wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
    )
    .create(device);
    let texels =
        [f16::ONE, f16::NAN, f16::INFINITY].map(|red| [red, f16::ZERO, f16::ZERO, f16::ZERO]);
    context.queue.write_texture(
        texture.as_image_copy(),
        bytemuck::cast_slice(&texels),
        wgpu::TexelCopyBufferLayout { bytes_per_row: Some(24), ..Default::default() },
        texture.size(),
    );
    let view = texture.create_view(&Default::default());
    assert_eq!(count_faults(&context, &view), [1, 0, 0]);
}

/// Independent arithmetic, so that the test notices a forgotten buffer.
#[test]
fn memory_is_that_of_the_stages() {
    let gpu = context_within(LimitsPreset::WebGpu);
    let (n, cascades) = (64_u64, 2_u64);
    let points = n * n * cascades;
    let of = |bytes: u64| Memory { buffer_bytes: bytes, texture_bytes: 0 };
    for (msaa_samples, samples, lens_glare) in [(1, 1, false), (4, 4, true)] {
        let quality = Quality {
            size: 64,
            cascades: 2,
            msaa_samples,
            lens_glare,
            ..Quality::of(QualityTier::Low)
        };
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let sea = SeaState::default();
        let ocean = Ocean::new(
            &gpu.device,
            &gpu.queue,
            &sea,
            OceanOptions {
                algorithm: Some(crate::fft::lab::Algorithm::StockhamR2.into()),
                ..OceanOptions::of(&quality)
            },
        )
        .unwrap();
        let mut frame =
            Frame::with_ocean(&gpu.device, &gpu.queue, ocean, &quality, format).unwrap();
        frame.fit_targets([320, 180]);
        let memory = frame.memory();
        let stage = |name| memory.of(name).unwrap();
        // Each wave of a half plane has two complex amplitudes, a frequency and an axis, and each point two
        // vec4; the time has a table of 256 x 256 bytes, and there is a uniform.
        let waves = n * (n / 2 + 1) * cascades;
        assert_eq!(stage("spectrum"), of(24 * waves + 32 * points + 65_536 + 80));
        // Every level of both kinds of map has four 16-bit floats.
        let texels: u64 = (0..=4).map(|level| (n >> level).pow(2)).sum();
        assert_eq!(stage("maps").texture_bytes, 8 * 2 * cascades * texels);
        let (cells, finest) = (u64::from(quality.tile_cells), 2 * 3);
        let indices = cells * cells * finest * 2;
        let tiles = 16 * crate::mesh::MAX_TILES as u64;
        let vertices = 16 * (crate::mesh::FIRST_TILES * (cells + 1).pow(2) + 1);
        let least = indices + tiles + vertices;
        assert!((least..least + 1024).contains(&stage("mesh").buffer_bytes));
        let sky = 128 * 32 + 32 * 16 + 64 * 64 * 4 + 48 * 32 * 6;
        assert_eq!(stage("sky").texture_bytes, 8 * sky);
        let foam: u64 = (0..9).map(|level| (256_u64 >> level).pow(2)).sum();
        assert_eq!(stage("water").texture_bytes, 2 * foam);
        let pixels = 320 * 180;
        // Two pyramids from half the size, or one dark texel.
        let levels = if lens_glare { 5 } else { 0 };
        let glare: u64 = (0..levels).map(|level| (160_u64 >> level) * (90 >> level)).sum();
        // Each sample has its triangle, its light, and depth; each pixel its light, and the picture;
        // each four pixels their overlay. There are no clouds except for one texel.
        let targets = (8 + 8 + 2 + (4 + 8 + 4) * samples) * pixels + 8 * (2 * glare + 1) + 8;
        assert_eq!(stage("targets").texture_bytes, targets);
        let transform = frame.ocean.options().hooked_transform().unwrap();
        let program = crate::fft::lab::program(&transform, &gpu.capabilities).unwrap();
        let tables: u64 = program.tables.iter().map(|table| 8 * table.values.len() as u64).sum();
        let has_params = program.dispatches.iter().any(|dispatch| !dispatch.params.is_empty());
        let params = if has_params { 256 * program.dispatches.len() as u64 } else { 0 };
        assert_eq!(stage("fft"), of(tables + params + program.scratch_bytes));
        assert!(stage("fft").bytes() > 0);
        let sum: u64 = memory.stages().iter().map(|(_, memory)| memory.bytes()).sum();
        assert_eq!(memory.total().bytes(), sum);
    }
}

/// The sums of green light and of cover over an overlay.
fn light_and_cover(context: &Context, overlay: &wgpu::TextureView) -> [f64; 2] {
    const WGSL: &str = "
        @group(0) @binding(0) var overlay: texture_2d<f32>;
        @group(0) @binding(1) var<storage, read_write> sums: array<atomic<u32>, 3>;
        @compute @workgroup_size(8, 8)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            if any(id.xy >= textureDimensions(overlay)) { return; }
            let texel = textureLoad(overlay, id.xy, 0);
            atomicAdd(&sums[0], u32(4096.0 * texel.g));
            atomicAdd(&sums[1], u32(4096.0 * texel.a));
        }";
    let [light, cover, _] = counted(context, WGSL, overlay);
    [light, cover].map(|sum| f64::from(sum) / 4096.0)
}

/// A wall beside the view lies between low sun and the spray before the eye.
#[test]
fn spray_lies_in_the_shadow_of_objects() {
    let quality = Quality { foam_texels: 16, spray_cells: 8, object_texels: 64, ..quality() };
    let mut bench = Bench::of(&quality);
    bench.set_sea(&SeaState { spray: 4.0, ..Preset::load("storm").unwrap().sea });
    let mut wall = post();
    for vertex in &mut wall.vertices {
        // 200 m long, 2 m thick and 60 m high.
        let [x, y, z] = vertex.position_m;
        vertex.position_m = [x / 0.15 * 100.0, y / 2.5 * 60.0, z / 0.15];
    }
    // The mean light of the spray, by the side of the view on which the wall stands.
    let mut light = |z_m: f64| {
        let stand = Stand::Fixed { height_m: 0.0 };
        let object = Object { position_m: [100.0, z_m], stand, ..Default::default() };
        bench.frame.set_objects(std::slice::from_ref::<Model>(&wall), vec![object]).unwrap();
        let desc = FrameDesc {
            time_s: 20.0,
            resolution: RESOLUTION,
            camera: CameraPose { y_m: 9.0, yaw_deg: 0.0, ..Default::default() },
            light: Light {
                sun_elevation_deg: 20.0,
                sun_azimuth_deg: 90.0,
                exposure_ev: 0.0,
                ..Default::default()
            },
            clouds: Clouds::none(),
            scenery: Scenery { buoys: 1, ..Default::default() },
            ..Default::default()
        };
        let Bench { context, frame, target } = &mut bench;
        frame.settle(&desc);
        context.submit(|encoder| frame.record(&mut Recorder::new(encoder), &desc, target));
        let [light, cover] = light_and_cover(context, &frame.targets.composite.overlay);
        assert!(cover > 1.0, "there is spray");
        light / cover
    };
    let [shaded, lit] = [70.0, -70.0].map(&mut light);
    assert!(shaded < 0.8 * lit, "{shaded} in the shadow, {lit} in the sun");
}

/// The voyage from one hour of a recorded sea to another. The picture does not jump where it begins, and the
/// waves at its end are those of the other hour.
#[test]
fn a_sea_changes_without_a_jump() {
    let mut bench = Bench::of(&Quality { foam_texels: 16, ..quality() });
    let hour = |hour: f64| {
        let mut sea = Preset::load("measured-gale").unwrap().sea;
        sea.follow_hour(hour);
        sea
    };
    let (from, to) = (hour(5.0), hour(7.0));
    bench.set_sea(&from);
    let desc = FrameDesc {
        time_s: 1000.0,
        resolution: RESOLUTION,
        camera: CameraPose { y_m: 12.0, yaw_deg: 160.0, ..Default::default() },
        ..Default::default()
    };
    bench.frame.settle(&desc);
    let heights = |bench: &Bench| {
        let Context { device, queue, .. } = &bench.context;
        let texture = bench.frame.ocean().maps().texture();
        pollster::block_on(read_texture(device, queue, texture, 0, 0)).unwrap()
    };
    // The picture after a share of the change.
    let draw = |bench: &mut Bench, share: Option<f64>| {
        let Bench { context, frame, target } = bench;
        context.submit(|encoder| {
            let recorder = &mut Recorder::new(encoder);
            if let Some(share) = share {
                frame.record_change(recorder, desc.time_s, share);
            }
            frame.record(recorder, &desc, target);
        });
        let Context { device, queue, .. } = context;
        pollster::block_on(read_texture(device, queue, target.texture(), 0, 0)).unwrap()
    };
    let difference = |one: &[u8], other: &[u8]| {
        let squares = one.iter().zip(other).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2));
        (squares.sum::<f64>() / one.len() as f64).sqrt()
    };
    // The first frame meets the light that the next ones are exposed for.
    draw(&mut bench, None);
    let before = draw(&mut bench, None);
    let waves_before = heights(&bench);
    let options = *bench.frame.ocean().options();
    let initial = Ocean::prepare(&to, &options).unwrap();
    let foam = FoamSea::new(&to, options.cascades, bench.frame.foam().options()).unwrap();
    assert!(bench.frame.change_spectrum(&initial, foam, desc.time_s).unwrap());
    let begun = draw(&mut bench, Some(0.0));
    assert_eq!(heights(&bench), waves_before);
    let half = draw(&mut bench, Some(0.5));
    let done = draw(&mut bench, Some(1.0));
    let at_end = heights(&bench);
    bench.set_sea(&to);
    let other = draw(&mut bench, None);
    assert_eq!(heights(&bench), at_end);
    let [jump, step, whole] = [&begun, &half, &other].map(|shown| difference(&before, shown));
    assert!(jump < 0.02 * whole && step < whole, "{jump}, {step} of {whole}");
    // Foam remembers the sea before.
    let rest = difference(&done, &other);
    assert!(rest < 0.5 * whole, "{rest} of {whole}");

    let waves = SeaState { seed: 9, ..to };
    let foam = FoamSea::new(&waves, options.cascades, bench.frame.foam().options()).unwrap();
    let initial = Ocean::prepare(&waves, &options).unwrap();
    assert!(!bench.frame.change_spectrum(&initial, foam, desc.time_s).unwrap());
}

/// Tests that take long, and find on one adapter what they would find on another.
mod once {
    use super::*;

    #[test]
    fn no_slider_at_its_end_draws_a_nan() {
        let mut bench = Bench::new();
        // On the waves, where near triangles are clipped, and from above.
        let low = CameraPose { y_m: 1.0, pitch_deg: -20.0, ..CameraPose::default() };
        let poses = [CameraPose::default(), low];
        for (what, sea) in extremes::<SeaState>() {
            bench.set_sea(&sea);
            for pose in &poses {
                bench.check(&what, pose, &Light::default());
            }
        }
        bench.set_sea(&SeaState::default());
        for (what, light) in extremes::<Light>() {
            for pose in &poses {
                bench.check(&what, pose, &light);
            }
        }
        for (what, camera) in extremes::<CameraPose>() {
            bench.check(&what, &camera, &Light::default());
        }
    }

    #[test]
    fn no_cloud_setting_at_its_end_draws_a_nan() {
        let mut bench = Bench::of(&Quality { cloud_steps: 6, cloud_texels: 16, ..quality() });
        // Below the clouds, into the sun, and above them.
        let high = CameraPose { y_m: 6_000.0, ..CameraPose::default() };
        let up = CameraPose { pitch_deg: 30.0, ..CameraPose::default() };
        for (what, clouds) in extremes::<Clouds>() {
            for pose in [&up, &high] {
                bench.check_under(&what, 86_400.25, pose, &Light::default(), &clouds);
            }
        }
        for (what, light) in extremes::<Light>() {
            bench.check(&format!("{what}, clouded"), &up, &light);
        }
    }

    #[test]
    fn no_quality_at_its_end_draws_a_nan() {
        let mut bench = Bench::new();
        for (what, mut extreme) in extremes::<Quality>() {
            // A fine mesh takes most of the time, and its vertices follow the same path as coarse ones.
            let has_own_mesh =
                ["tile", "finest", "everything"].iter().any(|word| what.starts_with(word));
            if !has_own_mesh {
                extreme.tile_cells = quality().tile_cells;
                extreme.finest_spacing_m = quality().finest_spacing_m;
            }
            // Another test shows that sizes beyond WebGPU's limits are refused.
            extreme.size = extreme.size.min(256);
            // A software adapter takes seconds for a step of the largest.
            extreme.foam_texels = extreme.foam_texels.min(16);
            extreme.cloud_texels = extreme.cloud_texels.min(16);
            // The kernels of clouds take seconds to compile for each set of settings.
            if !what.starts_with("cloud") && !what.starts_with("everything") {
                extreme.cloud_steps = 0;
            }
            bench.set_quality(&what, &extreme);
            bench.check(&what, &CameraPose::default(), &Light::default());
        }
    }

    /// From below and at the surface, with shafts of light and four samples.
    #[test]
    fn no_view_from_below_draws_a_nan() {
        let medium = Quality::of(QualityTier::Medium);
        let quality = Quality { msaa_samples: 4, shaft_steps: medium.shaft_steps, ..quality() };
        assert!(quality.shaft_steps > 0);
        let mut bench = Bench::of(&quality);
        let poses = [(-1.5, 25.0), (-1.5, -25.0), (0.0, 0.0), (-30.0, 89.0)];
        let poses =
            poses.map(|(y_m, pitch_deg)| CameraPose { y_m, pitch_deg, ..Default::default() });
        for preset in ["shallow-bay", "reef-lagoon", "gale"] {
            bench.set_sea(&Preset::load(preset).unwrap().sea);
            for pose in &poses {
                for (what, light) in extremes::<Light>() {
                    bench.check(&format!("{preset}, {what}"), pose, &light);
                }
            }
        }
    }

    /// A random sea, light and place, at any time, make a picture that is neither black nor white and has no
    /// NaN. `SEAWAY_RANDOM_SETTINGS=1000` tries 1000 of them.
    #[test]
    fn random_settings_make_a_picture() {
        let count =
            std::env::var("SEAWAY_RANDOM_SETTINGS").ok().and_then(|count| count.parse().ok());
        let quality = Quality { foam_texels: 16, cloud_steps: 6, cloud_texels: 16, ..quality() };
        let mut bench = Bench::of(&quality);
        let mut queries = {
            let options = QueryOptions { velocity: false, ..Default::default() };
            let Context { device, queue, .. } = &bench.context;
            Queries::new(device, queue, bench.frame.ocean(), options).unwrap()
        };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(17);
        for index in 0..count.unwrap_or(16) {
            let sea: SeaState = random(&mut rng);
            let light: Light = random(&mut rng);
            let clouds: Clouds = random(&mut rng);
            let mut camera: CameraPose = random(&mut rng);
            let time_s = 10_f64.powf(rng.random_range(-2.0..7.0));
            // Half of the cameras are near the water.
            if rng.random() {
                camera.y_m = 10_f64.powf(rng.random_range(-0.6..2.0));
            }
            bench.set_sea(&sea);
            let what = format!("{index}: {time_s} s, {sea:?}, {light:?}, {clouds:?}, {camera:?}");
            // The second time has some steps of foam.
            for time_s in [time_s, time_s + 0.2] {
                let camera = bench.out_of_the_water(&mut queries, &camera, time_s);
                bench.check_under(&what, time_s, &camera, &light, &clouds);
            }
        }
    }

    /// A frame that was replaced by another, which took over its foam and spray, can be destroyed without
    /// harm to the other.
    #[test]
    fn a_frame_that_was_replaced_can_be_destroyed() {
        let gpu = context_within(LimitsPreset::WebGpu);
        let quality = Quality { size: 64, ..Quality::of(QualityTier::Medium) };
        let sea = SeaState { wind_speed_mps: 20.0, ..SeaState::default() };
        let new = || {
            let options = OceanOptions::of(&quality);
            let ocean = Ocean::new(&gpu.device, &gpu.queue, &sea, options).unwrap();
            let format = wgpu::TextureFormat::Rgba8Unorm;
            Frame::with_ocean(&gpu.device, &gpu.queue, ocean, &quality, format).unwrap()
        };
        let draw = |frame: &mut Frame, time_s: f64, resolution: [u32; 2]| {
            let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
            let [width, height] = resolution;
            let view =
                TextureSpec::target("target", [width, height], wgpu::TextureFormat::Rgba8Unorm)
                    .create_view(&gpu.device);
            let desc = FrameDesc {
                time_s,
                resolution,
                scenery: Scenery { buoys: 2, ..Default::default() },
                ..Default::default()
            };
            gpu.submit(|encoder| frame.record(&mut Recorder::new(encoder), &desc, &view));
            pollster::block_on(scope.pop()).map(|error| error.to_string())
        };
        let mut before = new();
        assert_eq!(draw(&mut before, 1.0, [64, 36]), None);
        let mut frame = new();
        frame.continue_from(&mut before);
        let kept = before.ocean().maps().clone();
        before.destroy();
        for (time_s, resolution) in [(1.1, [64, 36]), (1.2, [80, 45]), (1.3, [80, 45])] {
            assert_eq!(draw(&mut frame, time_s, resolution), None);
        }
        // Destroyed resources are gone for every owner.
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let read = read_texture(&gpu.device, &gpu.queue, kept.texture(), 0, 0);
        let _ = pollster::block_on(read);
        assert!(pollster::block_on(scope.pop()).is_some());
    }
}
