//! Tests of plane slabs of cloud as the shaders light them, against Monte Carlo in f64.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use std::f64::consts::{PI, TAU};

use super::slab::{self, DROPS};
use super::*;
use crate::gpu::shader::resolve;
use crate::gpu::{filled, run_in_place};
use crate::shading::Sky;
use crate::shading::tests::context;
use seaway_core::testing::tolerance::{at_least, at_most, near};

const DEPTHS: [f64; 4] = [0.5, 2.0, 8.0, 25.0];
const COSINES: [f64; 6] = [0.05, 0.06, 0.1, 0.2, 0.5, 1.0];
/// Cells between the faces of a slab, thinnest at the faces: the first takes at most a hundredth of the
/// lowest sun's light.
const CELLS: u32 = 96;
const AZIMUTHS: u32 = 48;
/// Cosines of lines of sight and their weights, Gauss-Legendre from 0 to 1.
const VIEWS: [(f64, f64); 6] = [
    (0.033_765_242_898_424, 0.085_662_246_189_585),
    (0.169_395_306_766_868, 0.180_380_786_524_069),
    (0.380_690_406_958_402, 0.233_956_967_286_346),
    (0.619_309_593_041_598, 0.233_956_967_286_346),
    (0.830_604_693_233_132, 0.180_380_786_524_069),
    (0.966_234_757_101_576, 0.085_662_246_189_585),
];

/// Weights and asymmetries of the two Henyey-Greenstein lobes of the ice of cirrus.
const ICE: [(f64, f64); 2] = [(0.6, 0.75), (0.4, 0.0)];

/// The shares of light that a slab reflects and passes, by following photons of the sun at a cosine, or
/// of even light. `lobes` are the weights and asymmetries of the phase function.
fn monte_carlo(lobes: [(f64, f64); 2], depth: f64, cosine: Option<f64>) -> [f64; 2] {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(26);
    let photons = 40_000;
    let mut counts = [0_u32; 2];
    for _ in 0..photons {
        // Even light is uniform in the squared cosine.
        let mut down = cosine.unwrap_or_else(|| (1.0 - random.random::<f64>()).sqrt());
        let mut at = 0.0;
        loop {
            at -= down * (1.0 - random.random::<f64>()).ln();
            if at < 0.0 || at > depth {
                counts[usize::from(at > depth)] += 1;
                break;
            }
            let [(share, first), (_, second)] = lobes;
            let g: f64 = if random.random::<f64>() < share { first } else { second };
            let even = 2.0 * random.random::<f64>() - 1.0;
            let turn = if g == 0.0 {
                even
            } else {
                let s = (1.0 - g * g) / (1.0 + g * even);
                ((1.0 + g * g - s * s) / (2.0 * g)).clamp(-1.0, 1.0)
            };
            let across = ((1.0 - down * down) * (1.0 - turn * turn)).max(0.0).sqrt();
            down = down * turn + across * (TAU * random.random::<f64>()).cos();
            down = down.clamp(-1.0, 1.0);
        }
    }
    counts.map(|count| f64::from(count) / f64::from(photons))
}

/// A point in a slab: optical depths towards the sun, away from it, above and below, and the cosine of
/// the angle between the line of sight and the sun.
type Point = ([f32; 4], f32);

/// At each point, by the shaders' functions from the volume's bytes: the source of sunlight, the sources of
/// even light from above and from below, the rounding error of the first, and the first without rounding.
fn sources(points: &[Point]) -> Vec<[f64; 5]> {
    let device = &context().device;
    let options = CloudOptions { steps: 1, texels: 16 };
    let sky = Sky::with_clouds(device, &context().queue, options, None, None).unwrap();
    let wgsl = "#import \"shading/cloud_source.wgsl\"
        #import \"shading/cloud_scatter.wgsl\"
        struct Point { depths: vec4<f32>, light: vec4<f32> }
        @group(0) @binding(2) var<storage, read_write> points: array<Point>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
            let index = id.y * groups.x * 64u + id.x;
            if index >= arrayLength(&points) { return; }
            let point = points[index];
            let lit = cloud_lit(point.depths.x, point.depths.y, point.depths.z, point.depths.w);
            let texel = unpack4x8unorm(pack4x8unorm(vec4(0.0, lit)));
            let phases = cloud_phases(point.light.x);
            let sun = cloud_sunlit(phases, texel.y, texel.z);
            let ends = texel.yyz + vec3(-0.5, 0.5, 0.5) / 255.0;
            let most = max(cloud_sunlit(phases, ends.x, ends.z), cloud_sunlit(phases, ends.y, ends.z));
            let above = cloud_skylit(vec3(1.0), vec3(0.0), texel.w).x;
            let below = cloud_skylit(vec3(0.0), vec3(1.0), texel.w).x;
            points[index].light = vec4(sun, above, below, most - sun);
            points[index].depths.x = cloud_sunlit(phases, lit.x, lit.y);
        }";
    let wgsl = crate::gpu::shader::LIBRARY.resolve_text("slab", wgsl).unwrap();
    let contents: Vec<[f32; 8]> = points
        .iter()
        .map(|([sun, away, above, below], cosine)| {
            [*sun, *away, *above, *below, *cosine, 0.0, 0.0, 0.0]
        })
        .collect();
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let buffer = filled(device, "points", usage, bytemuck::cast_slice(&contents));
    let spare = filled(device, "spare", usage, &[0; 16]);
    let moment = Uniform::with(device, "moment", &CloudSlot::zeroed());
    let table = sky.clouds.textures.sources.create_view(&Default::default());
    let bindings::Group { layout, bind_group } = bindings::bind(
        device,
        "slab",
        wgpu::ShaderStages::COMPUTE,
        &[
            (bindings::uniform(), &moment),
            (bindings::sampler(), &sky.clouds.sampler),
            (bindings::storage_read_write(), &buffer),
            (bindings::storage_read_write(), &spare),
            (bindings::texture(wgpu::TextureViewDimension::D3), &table),
        ],
    );
    let workgroups = (points.len() as u32).div_ceil(64);
    let workgroups = [workgroups.min(1024), workgroups.div_ceil(1024)];
    context().run(&wgsl, "main", &[Some((&layout, &bind_group))], workgroups);
    let found: Vec<[f32; 8]> = context().read(&buffer);
    found.iter().map(|[exact, .., a, b, c, d]| [*a, *b, *c, *d, *exact].map(f64::from)).collect()
}

/// Cosines of lines of sight and their weights. Drops scatter much to a few of them.
fn views() -> impl Iterator<Item = (f64, f64)> {
    (0..4).flat_map(|part| VIEWS.map(|(x, weight)| (0.25 * (f64::from(part) + x), 0.25 * weight)))
}

fn cells(depth: f64) -> Vec<[f64; 2]> {
    let face = |i: u32| {
        let x = f64::from(i) / f64::from(CELLS);
        depth * x.powi(3) * (10.0 - 15.0 * x + 6.0 * x * x)
    };
    (0..CELLS).map(|i| [face(i), face(i + 1)]).collect()
}

/// The reflected and the transmitted light, as shares of the light that arrives.
struct Leaving {
    by_sun: [f64; 2],
    evenly: [f64; 2],
    /// The largest error of the sum for the sun by rounding to bytes.
    rounding: f64,
    /// The sum for the sun without that rounding.
    exact: f64,
}

/// The light that leaves a slab, summed up along lines of sight as the shaders do. Clouds are seen from
/// below, so the even light that they reflect came from there.
fn leaving(depth: f64, cosine: f64) -> Leaving {
    let mut points = Vec::new();
    let mut weights = Vec::new();
    for (view, weight) in views() {
        for [near_face, far_face] in cells(depth) {
            let at = 0.5 * (near_face + far_face);
            let rest = depth - at;
            let depths = [at / cosine, rest / cosine, at, rest].map(|depth| depth as f32);
            // The opacity of each cell behind the cells before it, from above and from below.
            let seen = [
                (-near_face / view).exp() - (-far_face / view).exp(),
                (-(depth - far_face) / view).exp() - (-(depth - near_face) / view).exp(),
            ];
            for azimuth in 0..AZIMUTHS {
                let turn = (PI * (f64::from(azimuth) + 0.5) / f64::from(AZIMUTHS)).cos();
                let across = ((1.0 - view * view) * (1.0 - cosine * cosine)).sqrt() * turn;
                // A line of sight downwards has the sun behind it.
                for (side, along) in [-view * cosine, view * cosine].into_iter().enumerate() {
                    points.push((depths, (along + across) as f32));
                    let flux = TAU * view * weight * seen[side] / f64::from(AZIMUTHS);
                    weights.push((side, flux));
                }
            }
        }
    }
    let [mut by_sun, mut evenly] = [[0.0; 2]; 2];
    let straight_on = (-depth / cosine).exp();
    let (mut rounding, mut exact) = (0.0, straight_on);
    for ((side, flux), [sun, above, below, rounded, unrounded]) in
        weights.into_iter().zip(sources(&points))
    {
        by_sun[side] += flux * sun / cosine;
        rounding += flux * rounded / cosine;
        exact += flux * unrounded / cosine;
        if side == 1 {
            evenly[0] += flux * below / PI;
            evenly[1] += flux * above / PI;
        }
    }
    // Light that passes without being scattered.
    by_sun[1] += straight_on;
    evenly[1] += straight_through(depth);
    Leaving { by_sun, evenly, rounding, exact }
}

/// The share of even light that passes a slab without being scattered.
fn straight_through(depth: f64) -> f64 {
    views().map(|(view, weight)| 2.0 * view * weight * (-depth / view).exp()).sum()
}

#[test]
fn slabs_reflect_and_transmit_as_in_monte_carlo() {
    for depth in DEPTHS {
        for cosine in COSINES {
            let Leaving { by_sun, evenly, rounding, exact } = leaving(depth, cosine);
            let what = format_args!("light at depth {depth} and cosine {cosine}");
            let sum = by_sun[0] + by_sun[1];
            println!("{what}: sum {exact:.4}, in bytes {sum:.4}, of which at most {rounding:.4}");
            // Interpolation in the table adds 0.006 at the most.
            near(exact, 1.0, 0.01, what);
            // Every byte may be half a step off, all to one side.
            at_most(sum, 1.0 + rounding, what);
            at_least(sum, 0.99, what);
            // Under a low sun, scattered light is less isotropic than the shaders assume.
            let least = if cosine < 0.2 { 0.05 } else { 0.03 };
            for (found, expected) in [
                (by_sun, monte_carlo(DROPS, depth, Some(cosine))),
                (evenly, monte_carlo(DROPS, depth, None)),
            ] {
                println!("    {found:.3?}, {expected:.3?}");
                for (found, expected) in found.into_iter().zip(expected) {
                    near(found, expected, (0.1 * expected).max(least), what);
                }
            }
            near(evenly[0] + evenly[1], 1.0, 1e-4, what);
        }
    }
}

/// Even light from above goes straight through a slab, or is scattered, by a known share, downwards.
#[test]
fn cirrus_scatters_downwards_as_in_monte_carlo() {
    let depths = [0.1, 0.3, 0.45, 0.6, 0.9];
    let wgsl = "#import \"shading/cirrus_scatter.wgsl\"
        alias Case = f32;
        fn update(i: u32) {
            cases[i] = cirrus_share_downwards(cases[i]);
        }";
    let shares = run_in_place("cirrus", wgsl, &depths.map(|depth| depth as f32));
    for (depth, found) in depths.into_iter().zip(shares) {
        let straight_on = straight_through(depth);
        let [_, through] = monte_carlo(ICE, depth, None);
        let expected = (through - straight_on) / (1.0 - straight_on);
        println!("depth {depth}: {found:.3}, {expected:.3}");
        // The fit is 0.005 off at the most, and chance 0.006 at the least depth.
        near(found, expected, 0.03, format_args!("share downwards at depth {depth}"));
    }
}

#[test]
fn slabs_have_the_constants_of_the_shaders() {
    let source = resolve("shading/cloud_source.wgsl").unwrap();
    let scatter = resolve("shading/cloud_scatter.wgsl").unwrap();
    let cirrus = resolve("shading/cirrus_scatter.wgsl").unwrap();
    let [(once, forwards), (again, backwards)] = DROPS;
    let [(most, ahead), (rest, even)] = ICE;
    for (wgsl, line) in [
        (&source, format!("const SOURCE_DEPTHS: f32 = {:.1};", f64::from(slab::DEPTHS))),
        (&source, format!("const SOURCE_LAYERS: f32 = {:.1};", f64::from(slab::LAYERS))),
        (&source, format!("const SOURCE_DEPTH_SCALE: f32 = {};", slab::DEPTH_SCALE)),
        (&source, format!("const SOURCE_DEPTH_MOST: f32 = {:.1};", slab::DEPTH_MOST)),
        (&source, format!("const SOURCE_COSINE_LEAST: f32 = {};", slab::COSINE_LEAST)),
        (&scatter, format!("const CLOUD_DROPS: vec2<f32> = vec2({once}, {again});")),
        (&scatter, format!("const CLOUD_DROPS_G: vec2<f32> = vec2({forwards}, {backwards});")),
        (&cirrus, format!("const CIRRUS_ICE: vec2<f32> = vec2({most}, {rest});")),
        (&cirrus, format!("const CIRRUS_ICE_G: vec2<f32> = vec2({ahead}, {even:.1});")),
        (&scatter, format!("const CLOUD_FORWARDS_G: f32 = {};", slab::FORWARDS)),
        (&scatter, format!("const CLOUD_FORWARDS_SHARE: f32 = {};", slab::FORWARDS_SHARE)),
        (&scatter, format!("const CLOUD_FORWARDS_MOST: f32 = {:.1};", slab::FORWARDS_MOST)),
    ] {
        assert!(wgsl.contains(&line), "{line}");
    }
}

#[test]
fn no_source_is_more_than_the_volume_can_store() {
    assert!(slab::table().iter().all(|texel| texel[0].to_f32() >= 0.0));
    let most = slab::table().iter().map(|texel| texel[0].to_f32());
    let side = (slab::DEPTHS * slab::DEPTHS * (slab::LAYERS - 1)) as usize;
    let most = most.take(side).fold(0.0, f32::max);
    println!("{most}");
    at_most(most, 0.4, "CLOUD_DIFFUSE_MOST");
}
