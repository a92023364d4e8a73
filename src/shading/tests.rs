//! Tests of the sky and the tone map on the GPU, against the reference and the facts of real skies.

use half::f16;

use super::tone::ToneInput;
use super::{
    Composite, CompositeTargets, GlareShares, SceneBindings, Sky, SkyBackground, ToneMap,
    Visibility, VisibilityTargets, atmosphere,
};
use crate::gpu::{Context, Pipelines, TextureSpec, bindings, filled};
use crate::mesh::{Grid, Mesh, SeaBounds, View};
use crate::profile::Recorder;
use crate::settings::{CameraPose, Light};
pub(super) use seaway_core::testing::shared_context as context;
use seaway_core::testing::tolerance::{at_least, at_most, between, near};

/// Runs `body` and waits for its commands.
pub(super) fn submit(body: impl FnOnce(&mut Recorder<'_>)) {
    context().submit(|encoder| body(&mut Recorder::new(encoder)));
    context().device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
}

pub(super) fn texels(texture: &wgpu::Texture, layer: u32) -> Vec<[f32; 4]> {
    let halves: Vec<[f16; 4]> = context().read_texels(texture, 0, layer);
    halves.iter().map(|texel| texel.map(f16::to_f32)).collect()
}

pub(super) fn sun(sun_elevation_deg: f64, haze: f64) -> Light {
    Light { sun_elevation_deg, haze, sun_azimuth_deg: 0.0, ..Light::default() }
}

pub(super) fn update(sky: &mut Sky, light: &Light) {
    submit(|recorder| sky.record(recorder, &context().queue, light, 9.0));
}

fn light_on_the_sea(sky: &Sky) -> ([f32; 3], [f32; 3], f32) {
    let v: Vec<f32> = context().read(sky.light_buffer());
    ([v[0], v[1], v[2]], [v[4], v[5], v[6]], v[7])
}

fn luminance([r, g, b]: [f32; 3]) -> f32 {
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

#[test]
fn shaders_are_valid() {
    crate::gpu::assert_valid(super::shaders());
}

#[test]
fn transmittance_agrees_with_the_reference() {
    let mut sky = Sky::new(&context().device).unwrap();
    for haze in [0.1, 1.0, 10.0] {
        update(&mut sky, &sun(30.0, haze));
        let made_for = sky.made_for.unwrap();
        let table = texels(&sky.textures.transmittance, 0);
        let (width, height) = (128_u32, 32_u32);
        let mut worst: f64 = 0.0;
        for row in [0_u32, 1, 2, 5, 12, 24] {
            for column in [0_u32, 1, 5, 20, 60, 100, 120, 127] {
                // Inverts the mapping of shading/atmosphere.wgsl.
                let to_horizon = f64::from(row) / f64::from(height - 1)
                    * (6471.0_f64.powi(2) - 6371.0_f64.powi(2)).sqrt();
                let radius = (6371.0_f64.powi(2) + to_horizon * to_horizon).sqrt();
                let height_km = radius - 6371.0;
                let nearest = 100.0 - height_km;
                let furthest = to_horizon + (6471.0_f64.powi(2) - 6371.0_f64.powi(2)).sqrt();
                let distance =
                    nearest + f64::from(column) / f64::from(width - 1) * (furthest - nearest);
                let cos_zenith = ((6471.0_f64.powi(2) - radius * radius - distance * distance)
                    / (2.0 * radius * distance))
                    .min(1.0);
                let expected =
                    atmosphere::transmittance(height_km, cos_zenith, made_for.haze, 4000);
                let found = table[(row * width + column) as usize];
                for (found, expected) in found.into_iter().zip(expected) {
                    worst = worst.max((f64::from(found) - expected).abs());
                }
            }
        }
        at_most(worst, 2.5e-3, format_args!("haze {haze}"));
    }
}

#[test]
fn nothing_is_nan_infinite_or_negative() {
    let mut sky = Sky::new(&context().device).unwrap();
    for haze in [0.1, 1.0, 20.0] {
        for elevation in [-6.0, -4.0, -0.3, 0.0, 0.2, 5.0, 45.0, 89.999, 90.0] {
            update(&mut sky, &sun(elevation, haze));
            let textures = &sky.textures;
            let mut all = texels(&textures.transmittance, 0);
            all.extend(texels(&textures.multiple, 0));
            (0..4).for_each(|layer| all.extend(texels(&textures.view, layer)));
            (0..6).for_each(|layer| all.extend(texels(&textures.blurred, layer)));
            let bad = all.iter().flatten().find(|value| !(value.is_finite() && **value >= 0.0));
            assert!(bad.is_none(), "haze {haze}, sun at {elevation}: {bad:?}");
            let (sun, sky, exposure) = light_on_the_sea(&sky);
            for value in sun.into_iter().chain(sky).chain([exposure]) {
                assert!(value.is_finite() && value >= 0.0, "haze {haze}, sun at {elevation}");
            }
            assert!(luminance(sky) > 0.0 && exposure > 0.0);
        }
    }
}

#[test]
fn light_on_the_sea_agrees_with_measurements() {
    let mut sky = Sky::new(&context().device).unwrap();
    update(&mut sky, &sun(60.0, 1.0));
    let (sun_60, sky_60, exposure_60) = light_on_the_sea(&sky);
    // Clear sky, sun at 60 degrees: 80 to 100 klx from the sun on a level plane, 10 to 20 klx from the sky.
    let direct = luminance(sun_60) * 60f32.to_radians().sin();
    between(direct, 75.0, 105.0, "klx from the sun");
    between(luminance(sky_60), 8.0, 20.0, "klx from the sky");
    assert!(sun_60[0] > sun_60[2] && sky_60[2] > 1.5 * sky_60[0], "{sun_60:?} {sky_60:?}");

    let mut last = f32::INFINITY;
    let mut last_exposure = exposure_60;
    for elevation in [60.0, 30.0, 10.0, 5.0, 2.0, 0.0, -2.0, -4.0, -6.0] {
        update(&mut sky, &sun(elevation, 1.0));
        let (sun, sky, exposure) = light_on_the_sea(&sky);
        let total = luminance(sky) + luminance(sun) * elevation.max(0.0).to_radians().sin() as f32;
        assert!(total < last && exposure >= last_exposure, "{elevation}: {total} {exposure}");
        (last, last_exposure) = (total, exposure);
        match elevation {
            // Sunrise and sunset: some 400 to 900 lx. The end of civil twilight: about 3 lx.
            0.0 => between(total, 0.25, 1.2, "klx at sunset"),
            -6.0 => between(total, 0.5e-3, 12e-3, "klx at the end of civil twilight"),
            _ => {}
        }
        if elevation <= -1.0 {
            assert_eq!(sun, [0.0; 3], "the sun has set");
        }
    }
}

#[test]
fn sunlight_is_that_of_the_reference() {
    let mut sky = Sky::new(&context().device).unwrap();
    for elevation in [80.0_f64, 20.0, 3.0] {
        update(&mut sky, &sun(elevation, 1.0));
        let sine = elevation.to_radians().sin();
        let spectral = atmosphere::transmittance(0.0, sine, 1.0, 4000);
        let expected = atmosphere::rgb_from_spectral(spectral);
        for (found, expected) in light_on_the_sea(&sky).0.into_iter().zip(expected) {
            let found = f64::from(found) / atmosphere::SUN_ILLUMINANCE_KLX;
            near(found, expected, 5e-3, format_args!("sunlight from {elevation} degrees"));
        }
    }
}

/// Fills `out`, an array of `vec3<f32>`, by `body`, which may call functions of `shading/sky.wgsl`.
fn call(sky: &Sky, body: &str, count: usize) -> Vec<[f32; 3]> {
    let device = &context().device;
    let wgsl = crate::gpu::shader::LIBRARY
        .resolve_text(
            "test",
            &format!(
                "#import \"shading/sky.wgsl\"\n\
             @group(0) @binding(0) var<storage, read_write> out: array<vec4<f32>>;\n\
             fn put(i: u32, value: vec3<f32>) {{ out[i] = vec4(value, 1.0); }}\n\
             @compute @workgroup_size(1) fn main() {{ {body} }}"
            ),
        )
        .unwrap();
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let buffer = filled(device, "test", usage, &vec![0; 16 * count]);
    let bindings::Group { layout, bind_group } = bindings::bind(
        device,
        "test",
        wgpu::ShaderStages::COMPUTE,
        &[(bindings::storage_read_write(), &buffer)],
    );
    let sky = Some((&*sky.group().layout, &sky.group().bind_group));
    context().run(&wgsl, "main", &[Some((&layout, &bind_group)), None, sky], [1, 1]);
    context().read(&buffer).into_iter().map(|[x, y, z, _]: [f32; 4]| [x, y, z]).collect()
}

#[track_caller]
fn assert_close(found: [f32; 3], expected: [f32; 3], relative: f32, what: &str) {
    for (found, expected) in found.into_iter().zip(expected) {
        near(found, expected, relative * expected.abs().max(1e-6), what);
    }
}

#[test]
fn the_distant_sea_has_the_colour_of_the_horizon() {
    let mut sky = Sky::new(&context().device).unwrap();
    for (elevation, haze) in [(40.0, 1.0), (1.0, 1.0), (-4.0, 5.0)] {
        update(&mut sky, &sun(elevation, haze));
        let found = call(
            &sky,
            "let sea = vec3(0.1, 0.2, 0.4) * sky_irradiance();
             let along = normalize(vec3(0.5, -3e-3, 0.8));
             put(0u, sea);
             put(1u, aerial_perspective(sea, along, 0.0));
             put(2u, aerial_perspective(sea, along, 4e5));
             put(3u, sky_background(along));
             put(4u, aerial_perspective(sea, along, 3e3));",
            5,
        );
        assert_close(found[1], found[0], 1e-3, "near by");
        assert_close(found[2], found[3], 0.02, "far away");
        for i in 0..3 {
            let (low, high) = (found[0][i].min(found[3][i]), found[0][i].max(found[3][i]));
            assert!(found[4][i] > low * 0.999 && found[4][i] < high * 1.001, "{found:?}");
        }
    }
}

#[test]
fn reflections_and_background_see_the_same_sky() {
    let mut sky = Sky::new(&context().device).unwrap();
    update(&mut sky, &sun(30.0, 1.0));
    let found = call(
        &sky,
        "let up = normalize(vec3(-0.4, 0.5, 0.6));
         put(0u, sky_background(up));
         put(1u, sky_radiance(up, 0.0));
         put(2u, sky_radiance(up, 0.03));
         put(3u, sky_radiance(up, 10.0));
         put(4u, sky_radiance(vec3(0.6, -0.8, 0.0), 0.1));
         put(5u, sky_radiance(vec3(1.0, 0.0, 0.0), 0.1));
         put(6u, sun_disc(sun_direction()));
         put(7u, sun_radiance());
         put(8u, sun_disc(up));
         put(9u, vec3(exposure(), expose(vec3(1e12)).x, 0.0));",
        10,
    );
    assert_close(found[1], found[0], 0.05, "sharp");
    assert_close(found[2], found[0], 0.08, "hardly blurred");
    assert!(luminance(found[3]) > 0.0);
    assert_close(found[4], found[5], 1e-3, "below the horizon");
    // The middle of the disc is brighter than its mean by the limb's darkening.
    let solid_angle = std::f32::consts::PI * 0.004_651_3f32.powi(2);
    let ratio = luminance(found[6]) * solid_angle / luminance(found[7]);
    between(ratio, 1.15, 1.4, "the middle of the disc over its mean");
    assert_eq!(found[8], [0.0; 3]);
    assert!(found[9][0] > 0.0 && found[9][1] < 65504.0);
}

#[test]
fn the_sky_is_blue_at_noon_red_at_sunset() {
    let mut sky = Sky::new(&context().device).unwrap();
    let zenith = 63 * 64;
    update(&mut sky, &sun(60.0, 1.0));
    let noon = texels(&sky.textures.view, 2)[zenith + 32];
    at_least(noon[2] / noon[0], 2.0, format_args!("blue over red in {noon:?}"));
    update(&mut sky, &sun(0.0, 1.0));
    let table = texels(&sky.textures.view, 2);
    // Towards the sun, one degree up.
    let horizon = table[7 * 64];
    at_least(horizon[0] / horizon[2], 1.5, format_args!("red over blue in {horizon:?}"));
    assert!(table[zenith][2] > table[zenith][0], "{:?}", table[zenith]);
}

#[test]
fn tables_do_not_depend_on_earlier_frames() {
    let mut fresh = Sky::new(&context().device).unwrap();
    update(&mut fresh, &sun(12.0, 2.0));
    let mut used = Sky::new(&context().device).unwrap();
    for elevation in [50.0, 12.004, 12.0] {
        update(&mut used, &sun(elevation, 2.0));
    }
    for layer in 0..4 {
        assert_eq!(texels(&fresh.textures.view, layer), texels(&used.textures.view, layer));
    }
}

#[test]
fn a_blurred_sky_keeps_its_light() {
    let mut sky = Sky::new(&context().device).unwrap();
    update(&mut sky, &sun(25.0, 1.0));
    // Means over the upper half, weighted by solid angle.
    let mean = |layer| {
        let (mut sum, mut weight) = (0.0, 0.0);
        for (index, texel) in texels(&sky.textures.blurred, layer).into_iter().enumerate() {
            let v = (index / 48) as f32 / 31.0;
            let u = (index % 48) as f32 / 47.0;
            // d(elevation) cos(elevation) d(azimuth)
            let area =
                v * (v * v * std::f32::consts::FRAC_PI_2).cos() / (1.0 - u * u).max(0.01).sqrt();
            sum += area * luminance([texel[0], texel[1], texel[2]]);
            weight += area;
        }
        sum / weight
    };
    let sharp = mean(0);
    for layer in 1..6 {
        let ratio = mean(layer) / sharp;
        near(ratio, 1.0, 0.08, format_args!("light of level {layer}"));
    }
}

/// Draws the sky as a frame does and returns the display's bytes.
pub(super) fn picture(sky: &mut Sky, light: &Light, pose: &CameraPose, size: [u32; 2]) -> Vec<u8> {
    let Context { device, queue, .. } = context();
    // A scene without water.
    let mut mesh = Mesh::new(device, Grid::new(4, 1.0));
    mesh.upload(queue, &View::new(pose, size), SeaBounds::from_wave_height(0.0, 0.0));
    let target = |format, usage| {
        TextureSpec::target("target", size, format).with_usage(usage).create(device)
    };
    let display = target(wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureUsages::COPY_SRC);
    let display_view = display.create_view(&Default::default());
    let pipelines = Pipelines::new(device);
    let scene = SceneBindings::of_sky(mesh.group(), sky);
    let mut visibility = Visibility::new(&pipelines, &scene, &mesh, 1).unwrap();
    let (composite, seen) =
        (Composite::new(&pipelines).unwrap(), VisibilityTargets::new(device, size, 1));
    let targets = CompositeTargets::new(device, &seen);
    visibility.fit(&mesh, &seen);
    let mut background = SkyBackground::new(&pipelines, &scene, &visibility, 2).unwrap();
    background.fit(device, &scene, &seen);
    let tone = ToneMap::new(&pipelines, wgpu::TextureFormat::Rgba8Unorm).unwrap();
    let input = ToneInput { hdr: &targets.hdr, samples: None, glare: None };
    let source = tone.source(device, input);
    submit(|recorder| {
        sky.record(recorder, queue, light, pose.y_m);
        let scene = &SceneBindings::of_sky(mesh.group(), sky);
        visibility.record(recorder, scene, &mesh, &seen, |_| ());
        recorder.compute("light", |stages| background.light(stages, scene, &visibility));
        composite.record(recorder, &targets);
        tone.record(recorder, queue, &source, GlareShares::NONE, &display_view, 0);
    });
    context().read_texels(&display, 0, 0)
}

/// Sun heights and the look of the sky. With SEAWAY_PICTURES set to a folder, the test saves its
/// pictures there.
#[test]
fn skies_look_like_skies() {
    let mut sky = Sky::new(&context().device).unwrap();
    let folder = std::env::var_os("SEAWAY_PICTURES").map(std::path::PathBuf::from);
    let size = if folder.is_some() { [960, 540] } else { [96, 54] };
    for haze in [1.0, 8.0] {
        for elevation in [60.0, 25.0, 5.0, 0.0, -4.0] {
            for yaw_deg in [0.0, 180.0] {
                let pose =
                    CameraPose { yaw_deg, pitch_deg: 24.0, fov_deg: 60.0, ..CameraPose::default() };
                let pixels = picture(&mut sky, &sun(elevation, haze), &pose, size);
                #[cfg(feature = "cli")]
                if let Some(folder) = &folder {
                    let name = format!("sky_{elevation:+03}_haze{haze}_{yaw_deg:03}.png");
                    image::save_buffer(
                        folder.join(name),
                        &pixels,
                        size[0],
                        size[1],
                        image::ColorType::Rgba8,
                    )
                    .unwrap();
                }
                let mean =
                    pixels.iter().map(|byte| f64::from(*byte)).sum::<f64>() / pixels.len() as f64;
                between(mean, 80.0, 245.0, format_args!("mean with the sun at {elevation}"));
            }
        }
    }
}

/// The counts of the module's documentation.
#[test]
fn the_water_s_bindings_leave_room() {
    let wgsl = crate::gpu::shader::resolve("shading/light.wgsl").unwrap();
    let module = naga::front::wgsl::parse_str(&wgsl).unwrap();
    // WebGPU counts a layout's bindings, used or not.
    let used = |is: &dyn Fn(&naga::GlobalVariable) -> bool| {
        module.global_variables.iter().filter(|(_, v)| v.binding.is_some() && is(v)).count()
    };
    let of = |variable: &naga::GlobalVariable| module.types[variable.ty].inner.clone();
    let is_texture = |variable: &naga::GlobalVariable, is_storage: bool| match of(variable) {
        naga::TypeInner::Image { class, .. } => {
            matches!(class, naga::ImageClass::Storage { .. }) == is_storage
        }
        _ => false,
    };
    let textures = used(&|variable| is_texture(variable, false));
    let stored = used(&|variable| is_texture(variable, true));
    let samplers = used(&|variable| matches!(of(variable), naga::TypeInner::Sampler { .. }));
    let uniforms = used(&|variable| variable.space == naga::AddressSpace::Uniform);
    let buffers = used(&|variable| matches!(variable.space, naga::AddressSpace::Storage { .. }));
    assert_eq!((textures, stored, samplers, uniforms, buffers), (16, 1, 4, 9, 4));
    let limits = wgpu::Limits::default();
    assert!(textures <= limits.max_sampled_textures_per_shader_stage as usize);
    assert!(uniforms <= limits.max_uniform_buffers_per_shader_stage as usize);
}
