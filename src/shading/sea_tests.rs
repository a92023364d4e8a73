//! Tests of the light that the sea sends up: out of the water, and between its facets. Neither exceeds
//! the light that arrives.

use super::meter::MeterUniform;
use super::tests::{context, submit, sun, update};
use super::water::WaterUniform;
use super::{Sky, WaterLook, WaterOptics};
use crate::foam::{FoamOptions, FoamSea};
use crate::gpu::{Uniform, bindings, filled, shader};
use crate::maps::Maps;
use crate::ocean::{Ocean, OceanOptions};
use crate::settings::{Light, Preset, Quality, QualityTier, SeaState};
use seaway_core::testing::tolerance::{at_least, at_most, near};

/// Runs `body` at each `i` to fill `out[0..count]`, in a shader that imports the water's; `replaced`
/// pairs names of functions with their replacements.
fn compute(
    sky: &Sky,
    maps: &Maps,
    water: &WaterUniform,
    replaced: &[(&str, &str)],
    body: &str,
    count: usize,
) -> Vec<[f32; 4]> {
    let device = &context().device;
    let wgsl = crate::gpu::shader::LIBRARY.resolve_text(
        "test",
        &format!(
            "#import \"shading/water.wgsl\"\n\
             #import \"shading/underside.wgsl\"\n\
             @group(0) @binding(0) var<storage, read_write> out: array<vec4<f32>>;\n\
             @compute @workgroup_size(64)\n\
             fn test(@builtin(global_invocation_id) id: vec3<u32>) {{\n\
                 let i = id.x;\n\
                 if i < arrayLength(&out) {{ {body} }}\n\
             }}"
        ),
    );
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let buffer = filled(device, "test", usage, &vec![0; 16 * count]);
    let uniform = Uniform::with(device, "test", water);
    let stages = wgpu::ShaderStages::COMPUTE;
    let out = bindings::bind(device, "test", stages, &[(bindings::storage_read_write(), &buffer)]);
    // Group 3 belongs to the water.
    let water: [bindings::Binding<'_>; 4] = [(bindings::uniform(), &uniform); 4];
    let water = bindings::bind(device, "test", stages, &water);
    let groups = [
        Some((&*out.layout, &out.bind_group)),
        Some((maps.bind_group_layout(), maps.bind_group())),
        Some((&sky.group().layout, &sky.group().bind_group)),
        Some((&water.layout, &water.bind_group)),
    ];
    let workgroups = [count.div_ceil(64) as u32, 1];
    context().run(&with(&wgsl.unwrap(), replaced), "test", &groups, workgroups);
    context().read(&buffer)
}

fn with(wgsl: &str, replaced: &[(&str, &str)]) -> String {
    replaced.iter().fold(wgsl.to_owned(), |wgsl, (name, function)| {
        let own = format!("fn {name}(");
        assert_eq!(wgsl.matches(&own).count(), 1, "{name}");
        wgsl.replace(&own, &format!("fn own_{name}(")) + function
    })
}

/// A sky of radiance 1 everywhere, and no sun.
const FURNACE: [(&str, &str); 3] = [
    ("sky_radiance", "fn sky_radiance(d: vec3<f32>, r: f32) -> vec3<f32> { return vec3(1.0); }\n"),
    ("sky_irradiance", "fn sky_irradiance() -> vec3<f32> { return vec3(PI); }\n"),
    ("sun_radiance", "fn sun_radiance() -> vec3<f32> { return vec3(0.0); }\n"),
];

/// A sea at some time, with the inputs of its shaders.
struct Sea {
    ocean: Ocean,
    water: WaterUniform,
    look: WaterLook,
}

impl Sea {
    fn new(sea: &SeaState) -> Self {
        let (device, queue) = (&context().device, &context().queue);
        let low = Quality::of(QualityTier::Low);
        let quality = Quality { size: 64, cascades: 3, foam_texels: 0, ..low };
        let options = OceanOptions::fixed(&quality);
        let ocean = Ocean::new(device, queue, sea, options).unwrap();
        let foam = FoamSea::new(sea, options.cascades, &FoamOptions::of(&quality)).unwrap();
        let look = WaterLook::new(ocean.spectrum(), &foam);
        submit(|recorder| ocean.record(recorder, 40.0));
        let mut water: WaterUniform = bytemuck::Zeroable::zeroed();
        water.base_covariance = look.base_covariance.map(|element| element as f32);
        water.height_deviation_m = look.height_deviation_m as f32;
        water.orbit_ratio = look.orbit_ratio as f32;
        water.bubbles_per_m = look.bubbles_per_m as f32;
        Self { ocean, water, look }
    }

    fn of_preset(name: &str) -> Self {
        Self::new(&Preset::load(name).unwrap().sea)
    }

    fn compute(
        &self,
        sky: &Sky,
        replaced: &[(&str, &str)],
        body: &str,
        count: usize,
    ) -> Vec<[f32; 4]> {
        compute(sky, self.ocean.maps(), &self.water, replaced, body, count)
    }

    /// The mean radiance of the sea that the meter finds.
    fn metered(&self, sky: &Sky, reflectance: f32, replaced: &[(&str, &str)]) -> [f64; 3] {
        let device = &context().device;
        let mut meter: MeterUniform = bytemuck::Zeroable::zeroed();
        meter.right = [0.5, 0.0, 0.0];
        meter.up = [0.0, 0.3, 0.0];
        meter.forward = [0.0, 0.0, 1.0];
        meter.eye_height_m = 3.0;
        meter.foam = self.look.foam_cover as f32;
        meter.foam_albedo = FoamSea::MEAN_ALBEDO as f32;
        meter.covariance = self.look.covariance.map(|element| element as f32);
        let uniform = Uniform::with(device, "test", &meter);
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let found = filled(device, "test", usage, &[0; 16]);
        let bindings::Group { layout, bind_group } = bindings::bind(
            device,
            "test",
            wgpu::ShaderStages::COMPUTE,
            &[(bindings::uniform(), &uniform), (bindings::storage_read_write(), &found)],
        );
        let sky = Some((&*sky.group().layout, sky.metering_bind_group()));
        let wgsl = with(&shader::resolve("shading/meter.wgsl").unwrap(), replaced)
            .replace("sky.water.reflectance", &format!("vec3<f32>({reflectance})"));
        context().run(&wgsl, "main", &[Some((&layout, &bind_group)), None, sky], [1, 1]);
        let found: Vec<f32> = context().read(&found);
        [0, 1, 2].map(|channel| f64::from(found[channel]))
    }
}

fn sky(sun_elevation_deg: f64) -> Sky {
    let mut sky = Sky::new(&context().device).unwrap();
    update(&mut sky, &Light { turbidity: TURBIDITY, ..sun(sun_elevation_deg, 1.0) });
    sky
}

const TURBIDITY: f64 = 0.2;

/// A facet that turns from the eye by 0.15, seen from 10 degrees over the horizon, mirrors 7 degrees
/// below the horizon. One that turns towards the eye mirrors the sky.
#[test]
fn facets_that_mirror_downwards_see_the_sea() {
    let (sea, sky) = (Sea::of_preset("breeze"), sky(30.0));
    let found = sea.compute(
        &sky,
        &[],
        "let to_eye = vec3(cos(0.1745), sin(0.1745), 0.0);
         let slope = vec2(select(0.15, -0.15, i == 1u), 0.0);
         let visible = VisibleFacets(1.0, slope, 1e-6, 1.0, 1e-6);
         let mirrored = mirrored_sky(visible, to_eye, vec2(0.0), vec3(0.0), 0.0);
         let above = mirrored_direction(slope, to_eye, vec2(0.0));
         out[i] = vec4(mirrored.light / mirrored.reflectance, above.y);
         if i == 2u { out[i] = vec4(sky_exposure.sea_radiance, 0.0); }
         if i == 3u { out[i] = vec4(
             sky_radiance(mirrored_direction(vec2(-0.15, 0.0), to_eye, vec2(0.0)), 0.0), 0.0); }",
        4,
    );
    let [down, up, sea, sky] = [0, 1, 2, 3].map(|index: usize| found[index]);
    assert!(down[3] < -0.1 && up[3] > 0.1, "{down:?} {up:?}");
    for channel in 0..3 {
        assert!(sea[channel] > 0.0);
        near(down[channel] / sea[channel], 1.0, 1e-3, "what mirrors downwards, over the sea");
        near(up[channel] / sky[channel], 1.0, 0.02, "what mirrors upwards, over the sky");
    }
}

/// The horizon goes from the sea to the sky within the blur of a facet's spread, without a jump.
#[test]
fn the_horizon_is_blurred_as_facets_are() {
    let (sea, sky) = (Sea::of_preset("breeze"), sky(30.0));
    for deviation in [0.02, 0.1] {
        let body = format!(
            "let angle = (f32(i) / 100.0 - 1.0) * 4.0 * {deviation};
             out[i] = vec4(mirrored_radiance(vec3(cos(angle), sin(angle), 0.0), {deviation}), 0.0);"
        );
        let sky_of_2 = (
            "sky_radiance",
            "fn sky_radiance(d: vec3<f32>, r: f32) -> vec3<f32> { return 2.0 + sky_exposure.sea_radiance; }\n",
        );
        let found: Vec<f64> = sea
            .compute(&sky, &[sky_of_2], &body, 201)
            .iter()
            .map(|light| f64::from(light[1]))
            .collect();
        let over_sea = |index: usize| (found[index] - found[0]) / 2.0;
        near(over_sea(200), 1.0, 1e-3, "share of the sky four deviations up");
        near(over_sea(100), 0.5, 1e-3, "share of the sky at the horizon");
        // The integral of the Gaussian at one deviation.
        near(over_sea(125), 0.841, 5e-3, "share of the sky a deviation up");
        for pair in found.windows(2) {
            // The density of the Gaussian at its middle, times 0.04 deviations.
            at_most((pair[1] - pair[0]) / 2.0, 0.017, "step");
            at_least(pair[1] - pair[0], -1e-6, "step");
        }
    }
}

/// Under a sky of radiance 1 the sea is no brighter than 1, as its facets see it and as the eye does,
/// whatever comes out of the water. The radiance that facets see of each other is between Fresnel's
/// least and 1.
#[test]
fn the_sea_reflects_no_more_than_a_furnace_emits() {
    let sky = sky(30.0);
    for name in ["calm", "gale"] {
        let sea = Sea::of_preset(name);
        for reflectance in [0.0_f32, 0.05, 1.0] {
            let [mean, ..] = sea.metered(&sky, reflectance, &FURNACE);
            println!("{name}, {reflectance}: the sea's mean radiance is {mean:.4}");
            at_most(mean, 1.0, "mean radiance of the sea");
            at_least(mean, 0.02, "mean radiance of the sea");
            let mirrored = format!(
                "fn mirrored_radiance(d: vec3<f32>, r: f32) -> vec3<f32> {{
                     return mix(vec3({mean:.6}), vec3(1.0), sky_share(d, r)); }}\n"
            );
            let replaced = [&FURNACE[..], &[("mirrored_radiance", mirrored.as_str())]].concat();
            let body = format!(
                "let elevation = radians(0.5 + 89.0 * f32(i % 32u) / 31.0);
                 let to_eye = vec3(cos(elevation), sin(elevation), 0.0);
                 let slope = (f32(i / 32u) / 31.0 - 0.5) * 0.8;
                 let facets = Facets(vec2(slope, 0.1), vec3(0.02, 0.01, 0.002));
                 let visible = facets_visible(facets, to_eye);
                 let mirrored = mirrored_sky(visible, to_eye, vec2(0.0), vec3(0.0), 0.0);
                 let body = (1.0 - mirrored.reflectance) * water_upwelling(vec3({reflectance:.3}));
                 out[i] = vec4(mirrored.light + body, mirrored.reflectance);"
            );
            let mut least = 1.0_f32;
            for light in sea.compute(&sky, &replaced, &body, 1024) {
                at_most(light[0], 1.0 + 1e-4, "radiance of the sea in a furnace");
                least = least.min(light[0] / light[3]);
            }
            // Some facets mirror the sea.
            if reflectance == 0.0 {
                assert!(f64::from(least) < 0.5 + 0.5 * mean, "{least} {mean}");
            }
        }
    }
}

/// For a sea that is covered with foam, the meter finds the foam, and no water beneath it that mirrors the
/// sky: 0.22 of a sky of radiance 1 in the foam's tint, and 0.78 squared of the light out of the water.
#[test]
fn the_meter_finds_no_bare_water_beneath_foam() {
    let mut sea = Sea::of_preset("calm");
    sea.look.foam_cover = 1.0;
    let sky = sky(30.0);
    let black = sea.metered(&sky, 0.0, &FURNACE);
    for (found, tint) in black.into_iter().zip([0.94, 1.01, 1.05]) {
        near(found / (0.22 * tint), 1.0, 0.01, "foam on black water");
    }
    let body = sea.compute(&sky, &FURNACE, "out[i] = vec4(water_upwelling(vec3(0.5)), 0.0);", 1)[0];
    for ((found, black), body) in sea.metered(&sky, 0.5, &FURNACE).into_iter().zip(black).zip(body)
    {
        near((found - black) / (0.78 * 0.78 * f64::from(body)), 1.0, 0.01, "light through foam");
    }
}

/// The light through crests that goes up from the sea as a whole, over the light that enters the water.
fn through_crests(sea: &Sea, sky: &Sky) -> [f64; 3] {
    const SIDE: usize = 48;
    // The directions cover equal shares of the cosine-weighted hemisphere.
    const ELEVATIONS: usize = 16;
    const AZIMUTHS: usize = 12;
    let body = format!(
        "let at = vec2(f32(i % {SIDE}u), f32(i / {SIDE}u)) * vec2(7.31, 6.17);
         let side_m = max(CREST_SHORTEST * water.height_deviation_m, 0.5);
         let height_m = ocean_displacement(at, side_m).y;
         let full = ocean_full_surface(at, vec2(side_m, 0.0), vec2(0.0, side_m));
         let surface = ocean_with_choppiness(full, ocean_maps.choppiness);
         let normal = ocean_normal(surface);
         let area = max(ocean_jacobian(surface), 0.0);
         var sum = vec3(0.0);
         let above = crest_height(height_m);
         for (var to = 0u; above > 0.0 && to < {ELEVATIONS}u * {AZIMUTHS}u; to++) {{
             let sine = sqrt((f32(to / {AZIMUTHS}u) + 0.5) / f32({ELEVATIONS}));
             let azimuth = 2.0 * PI * (f32(to % {AZIMUTHS}u) + 0.5) / f32({AZIMUTHS});
             let cosine = sqrt(1.0 - sine * sine);
             let to_eye = vec3(cosine * cos(azimuth), sine, cosine * sin(azimuth));
             // The surface that is seen there, over that of level water.
             let shown = max(dot(normal, to_eye), 0.0) / max(normal.y * sine, 0.02);
             let leaves = 1.0 - fresnel(dot(normal, to_eye));
             sum += above * shown * leaves * crest_light(full, height_m, -10.0 * to_eye);
         }}
         out[i] = vec4(area * sum * (PI / f32({ELEVATIONS} * {AZIMUTHS})), area);
         if i == {SIDE}u * {SIDE}u {{ out[i] = vec4(light_entering(), 0.0); }}"
    );
    let found = sea.compute(sky, &[], &body, SIDE * SIDE + 1);
    let (entering, points) = found.split_last().unwrap();
    let area: f64 = points.iter().map(|point| f64::from(point[3])).sum();
    let sums: [f64; 3] =
        [0, 1, 2].map(|channel| points.iter().map(|point| f64::from(point[channel])).sum());
    [0, 1, 2].map(|channel| sums[channel] / area / f64::from(entering[channel]))
}

/// The light out of the water, by its body and its crests, is less than what enters, and over the whole
/// sea it is R within 1%: crests shine to few directions. (Red is absorbed: its R is 0.)
#[test]
fn body_and_crests_together_send_up_reflectance() {
    for name in ["trade-winds", "gale", "storm"] {
        let sea = Sea::of_preset(name);
        for elevation in [5.0, 20.0, 60.0] {
            let crests = through_crests(&sea, &sky(elevation));
            let reflectance = WaterOptics::of(TURBIDITY).reflectance;
            println!("{name}, sun at {elevation}: crests {crests:.6?}, R {:.5?}", reflectance);
            for (crest, body) in crests.into_iter().zip(reflectance.map(f64::from)) {
                at_least(crest, 0.0, "light through crests");
                at_most(crest + body, 1.0, "what leaves over what enters");
                if body > 1e-3 {
                    near((crest + body) / body, 1.0, 0.01, "what leaves, over R");
                }
            }
        }
    }
}

/// R contains it once, from all angles.
#[test]
fn level_water_has_no_crest_light() {
    let sea = Sea::of_preset("gale");
    for elevation in [3.0, 30.0, 80.0] {
        let found = sea.compute(
            &sky(elevation),
            &[],
            "let elevation = radians(1.0 + 88.0 * f32(i / 16u) / 15.0);
             let azimuth = 2.0 * PI * f32(i % 16u) / 16.0;
             let eye = vec3(
                 cos(elevation) * cos(azimuth), sin(elevation), cos(elevation) * sin(azimuth));
             let level = OceanSurface(vec2(0.0), -0.05, -0.05, 0.0, vec3(0.0), 0.0);
             out[i] = vec4(crest_light(level, 2.0, -10.0 * eye), 0.0);",
            256,
        );
        let most = found.iter().map(|light| light[1]).fold(0.0, f32::max);
        at_most(most, 1e-4, format_args!("crest light of level water, sun at {elevation}"));
    }
}

/// Sine waves, too, are thinner at their crests than in their troughs.
#[test]
fn crests_are_lit_without_choppiness() {
    let [none, little] = [0.0, 0.01].map(|choppiness| {
        let sea = SeaState { choppiness, ..Preset::load("gale").unwrap().sea };
        through_crests(&Sea::new(&sea), &sky(10.0))[1]
    });
    println!("light through crests: {none:.3e} and {little:.3e}");
    assert!(little > 0.0);
    near(
        none / little,
        1.0,
        0.05,
        "light through crests without choppiness, over that with little",
    );
}

/// A swell of 12 s compresses the surface by k a in deep water, and by 3.25 times that in 3.5 m; its
/// crests are as high, as steep and as wide.
#[test]
fn swell_crests_are_lit_alike_at_any_depth() {
    let light = [(200.0, 1.0), (3.5, 3.25)].map(|(depth_m, ratio)| {
        let sea = Sea::new(&SeaState {
            wind_speed_mps: 1.0,
            fetch_m: 1e3,
            swell_height_m: 0.05,
            swell_period_s: 12.0,
            depth_m,
            choppiness: 0.0,
            ..Default::default()
        });
        let body = format!(
            "let u = normalize(sun_direction().xz);
             let azimuth = 2.0 * PI * f32(i) / 16.0;
             let to_eye = vec3(cos(azimuth), 0.3, sin(azimuth));
             let d = -0.2 * {ratio:.2} * vec3(u * u, u.x * u.y);
             let wave = OceanSurface(0.3 * u, d.x, d.y, d.z, vec3(0.0), 0.0);
             out[i] = vec4(crest_light(wave, 1.0, -10.0 * to_eye), 0.0);"
        );
        let found = sea.compute(&sky(10.0), &[], &body, 16);
        [0, 1, 2].map(|channel| found.iter().map(|light| light[channel]).sum::<f32>())
    });
    println!("{light:?}");
    let [deep, shallow] = light;
    for (shallow, deep) in shallow.into_iter().zip(deep) {
        // The mean ratio of a swell is not that of its peak.
        near(shallow / deep, 1.0, 0.05, "light of crests in shallow water, over that in deep");
    }
}

/// Bubbles beneath breakers scatter light back; their forward scattering is part of every crest's light.
#[test]
fn breakers_brighten_the_body_and_no_crest() {
    let found = Sea::of_preset("gale").compute(
        &sky(30.0),
        &[],
        "let added = water_body(1.0, vec3(5.0)) - water_body(0.0, vec3(5.0));
         out[i] = vec4(added / water_upwelling(sky.water.bubbles), 0.0);",
        1,
    );
    for channel in &found[0][..3] {
        near(*channel, 1.0, 1e-3, "what bubbles add, over what they scatter back");
    }
}

/// Without light of its own, the water shows only what comes through its surface from above.
const BLACK_WATER: (&str, &str) = (
    "water_without_end",
    "fn water_without_end(depth_m: f32, d: vec3<f32>) -> vec3<f32> { return vec3(0.0); }\n",
);

/// Cosine in the air of a ray that leaves the water by `sine`, and the share that it keeps.
fn refracted_out(sine: f64) -> Option<f64> {
    let outside = 1.34 * sine;
    (outside < 1.0).then(|| {
        let (inside, outside) = ((1.0 - sine * sine).sqrt(), (1.0 - outside * outside).sqrt());
        let s = (1.34 * inside - outside) / (1.34 * inside + outside);
        let p = (1.34 * outside - inside) / (1.34 * outside + inside);
        1.0 - 0.5 * (s * s + p * p)
    })
}

/// Radiance grows by n^2 on the way in, less what Fresnel's equations reflect, up to the critical angle of
/// 48.3 degrees. Beyond it nothing of the sky is seen.
#[test]
fn a_level_surface_from_below_is_snells_window() {
    let (sea, sky) = (Sea::of_preset("calm"), sky(30.0));
    let found = sea.compute(
        &sky,
        &[&FURNACE[..], &[BLACK_WATER]].concat(),
        "let angle = radians(f32(i) * 0.1);
         let to_eye = vec3(sin(angle), cos(angle), 0.0);
         let facet = underside_facet(vec3(0.0, 1.0, 0.0), to_eye, 1e-4);
         out[i] = vec4(underside_radiance(facet, UndersideObjects(), vec3(0.0)), 0.0);",
        900,
    );
    let radiance = |tenths: usize| f64::from(found[tenths][1]);
    for tenths in (0..478).chain(488..900) {
        let sine = (0.1 * tenths as f64).to_radians().sin();
        let expected = 1.34 * 1.34 * refracted_out(sine).unwrap_or(0.0);
        near(radiance(tenths), expected, 0.02 * 1.34 * 1.34, "radiance through the surface");
    }
    let edge = 0.05 * radiance(0);
    let edge_deg = 0.1 * (0..900).find(|tenths| radiance(*tenths) < edge).unwrap() as f64;
    near(edge_deg, 48.3, 0.2, "half angle of the window");
}

/// Light that comes up leaves the water by Fresnel's share of what arrives: the same both ways along a ray.
#[test]
fn a_level_surface_lets_light_out_by_fresnel() {
    let found = Sea::of_preset("calm").compute(
        &sky(30.0),
        &[],
        "let angle = radians(f32(i));
         let to_eye = vec3(sin(angle), cos(angle), 0.0);
         let visible = facets_visible(Facets(vec2(0.0), vec3(1e-7, 1e-7, 0.0)), to_eye);
         out[i] = vec4(1.0 - facets_fresnel(visible, to_eye));",
        81,
    );
    for (degrees, share) in found.iter().enumerate() {
        let expected = refracted_out((degrees as f64).to_radians().sin() / 1.34).unwrap();
        near(f64::from(share[0]) / expected, 1.0, 0.02, "share that leaves the water");
    }
}

/// The sun's light that refracts into all directions in the water is what enters.
#[test]
fn refracted_glitter_carries_the_light_that_enters() {
    let (sea, sky) = (Sea::of_preset("calm"), sky(30.0));
    for elevation_deg in [30.0_f64, 45.0, 60.0] {
        let (sin, cos) = elevation_deg.to_radians().sin_cos();
        let found = sea.compute(
            &sky,
            &[],
            &format!(
                "let place = vec2(f32(i % 512u), f32(i / 512u)) + 0.5;
                 let azimuth = place.x * (2.0 * PI / 512.0);
                 let cosine = place.y / 256.0;
                 let sine = sqrt(1.0 - cosine * cosine);
                 let to_eye = vec3(sine * cos(azimuth), -cosine, sine * sin(azimuth));
                 let facets = Facets(vec2(0.0), vec3(0.004, 0.002, 0.0005));
                 let visible = facets_visible(facets, upside_down(to_eye));
                 let to_sun = vec3({cos}, {sin}, 0.0);
                 out[i] = vec4(refracted_glitter(facets, visible, to_eye, to_sun) * cosine);"
            ),
            512 * 256,
        );
        let solid_angle = 2.0 * std::f64::consts::PI / found.len() as f64;
        let entered: f64 = found.iter().map(|light| f64::from(light[0]) * solid_angle).sum();
        // The cosine in the water follows from that in the air.
        let kept = refracted_out(cos / 1.34).unwrap();
        near(entered / (sin * kept), 1.0, 0.02, "light that enters, over that of a level surface");
    }
}

/// Along 0.5 to 50 m of water, in three colours: Beer and Lambert's law, and the sum of what each metre adds.
#[test]
fn water_attenuates_and_adds_light_along_a_path() {
    let (sea, sky) = (Sea::of_preset("calm"), sky(30.0));
    let optics = WaterOptics::of(TURBIDITY);
    let lengths_m = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0];
    for (cosine, depth_m) in [(-1.0_f64, 0.0), (-0.3, 4.0), (0.0, 2.0), (0.25, 12.6), (0.9, 45.1)] {
        let along = format!("vec3({}, {cosine:?}, 0.0)", (1.0 - cosine * cosine).sqrt());
        let found = sea.compute(
            &sky,
            &[],
            &format!(
                "let lengths = array(0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0);
                 let path = water_path({depth_m:?}, {along}, lengths[i % 7u]);
                 out[i] = vec4(path.transmittance, 0.0);
                 if i >= 7u {{ out[i] = vec4(path.added / water_added({along}), 0.0); }}"
            ),
            14,
        );
        let (transmitted, added) = found.split_at(lengths_m.len());
        for (length_m, (transmitted, added)) in
            lengths_m.into_iter().zip(transmitted.iter().zip(added))
        {
            for channel in 0..3 {
                let [absorbed, scattered, down] = [
                    optics.absorption_per_m,
                    optics.scattering_per_m,
                    optics.diffuse_attenuation_per_m,
                ]
                .map(|per_m| f64::from(per_m[channel]));
                let lost = absorbed + 0.4 * scattered;
                let expected = (-lost * length_m).exp();
                let transmitted = f64::from(transmitted[channel]);
                near(transmitted, expected, 0.01 * expected + 1e-30, "transmittance");
                const STEPS: u32 = 20_000;
                let step_m = length_m / f64::from(STEPS);
                let sum: f64 = (0..STEPS)
                    .map(|step| (f64::from(step) + 0.5) * step_m)
                    .map(|s| (-down * (depth_m - cosine * s) - lost * s).exp() * step_m)
                    .sum();
                near(f64::from(added[channel]) / sum, 1.0, 0.01, "added light");
            }
        }
    }
}

/// Deep water has the same colour from above its surface and from right below it.
#[test]
fn deep_water_from_below_sends_up_its_reflectance() {
    let found = Sea::of_preset("calm").compute(
        &sky(30.0),
        &FURNACE,
        "let below = water_without_end(0.0, vec3(0.0, -1.0, 0.0));
         out[i] = vec4(below / (WATER_INDEX_SQUARED * water_upwelling(sky.water.reflectance)), 0.0);",
        1,
    );
    for channel in &found[0][1..3] {
        near(*channel, 1.0, 1e-3, "radiance straight up in the water, over what leaves it");
    }
}
