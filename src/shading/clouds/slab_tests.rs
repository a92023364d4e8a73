//! Plane slabs of cloud as the shaders light them, against Monte Carlo in f64.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use std::f64::consts::{PI, TAU};

use super::slab::{self, DROPS};
use super::*;
use crate::gpu::shader::resolve;
use crate::gpu::{filled, read_buffer};
use crate::shading::Sky;
use crate::shading::tests::context;
use crate::tolerance::{at_most, near};

const DEPTHS: [f64; 4] = [0.5, 2.0, 8.0, 25.0];
const COSINES: [f64; 3] = [0.2, 0.5, 1.0];
/// Cells between the faces of a slab, thinnest at the faces.
const CELLS: u32 = 64;
const AZIMUTHS: u32 = 24;
/// Cosines of lines of sight and their weights, Gauss-Legendre from 0 to 1.
const VIEWS: [(f64, f64); 6] = [
    (0.033_765_242_898_424, 0.085_662_246_189_585),
    (0.169_395_306_766_868, 0.180_380_786_524_069),
    (0.380_690_406_958_402, 0.233_956_967_286_346),
    (0.619_309_593_041_598, 0.233_956_967_286_346),
    (0.830_604_693_233_132, 0.180_380_786_524_069),
    (0.966_234_757_101_576, 0.085_662_246_189_585),
];

/// The shares of the sunlight that a slab reflects and lets through, and of that which passes without
/// being scattered, by following photons.
fn monte_carlo(depth: f64, cosine: f64) -> [f64; 2] {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(26);
    let photons = 40_000;
    let mut counts = [0_u32; 2];
    for _ in 0..photons {
        let (mut at, mut down) = (0.0, cosine);
        loop {
            at -= down * (1.0 - random.random::<f64>()).ln();
            if at < 0.0 || at > depth {
                counts[usize::from(at > depth)] += 1;
                break;
            }
            let [(share, forwards), (_, backwards)] = DROPS;
            let g: f64 = if random.random::<f64>() < share { forwards } else { backwards };
            let s = (1.0 - g * g) / (1.0 - g + 2.0 * g * random.random::<f64>());
            let turn = ((1.0 + g * g - s * s) / (2.0 * g)).clamp(-1.0, 1.0);
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

/// The sources of sunlight and of even light from above at points, by the shaders' functions and from
/// what the volume keeps in bytes.
fn sources(points: &[Point]) -> Vec<[f64; 2]> {
    let (device, queue) = (&context().device, &context().queue);
    let options = CloudOptions { steps: 1, texels: 16 };
    let sky = Sky::with_clouds(device, queue, options).unwrap();
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
            let sun = cloud_sunlit(cloud_phases(point.light.x), texel.y, texel.z);
            let above = cloud_skylit(vec3(1.0), vec3(0.0), texel.w).x;
            let both = cloud_skylit(vec3(1.0), vec3(1.0), texel.w).x;
            points[index].light = vec4(sun, above, both, 0.0);
        }";
    let wgsl = crate::gpu::shader::resolve_text("slab", wgsl).unwrap();
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
    let bindings::Group { layout, bind_group: group } = bindings::bind(
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
    let kernel = crate::gpu::compute_kernel(device, "slab", &wgsl, "main", &[Some(&layout)]);
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, &group, &[]);
        let groups = (points.len() as u32).div_ceil(64);
        pass.dispatch_workgroups(groups.min(1024), groups.div_ceil(1024), 1);
    }
    queue.submit([encoder.finish()]);
    let bytes = pollster::block_on(read_buffer(device, queue, &buffer)).unwrap();
    let found: Vec<[f32; 8]> = bytemuck::pod_collect_to_vec(&bytes);
    found
        .iter()
        .map(|[.., sun, above, both, _]| {
            near(f64::from(*both), 1.0, 1e-5, "even light from above and below");
            [f64::from(*sun), f64::from(*above)]
        })
        .collect()
}

/// Depths of a slab's cells: both faces of each.
fn cells(depth: f64) -> Vec<[f64; 2]> {
    let face = |i: u32| {
        let x = f64::from(i) / f64::from(CELLS);
        depth * x * x * (3.0 - 2.0 * x)
    };
    (0..CELLS).map(|i| [face(i), face(i + 1)]).collect()
}

/// The shares of the sunlight and of even light from above that leave a slab upwards and downwards,
/// summed up along lines of sight as the shaders do.
fn leaving(depth: f64, cosine: f64) -> [[f64; 2]; 2] {
    let mut points = Vec::new();
    let mut weights = Vec::new();
    for (view, weight) in VIEWS {
        for [near_face, far_face] in cells(depth) {
            let at = 0.5 * (near_face + far_face);
            let rest = depth - at;
            let depths = [at / cosine, rest / cosine, at, rest].map(|depth| depth as f32);
            // Opaqueness of the cell behind what lies before it, from above and from below.
            let seen = [
                (-near_face / view).exp() - (-far_face / view).exp(),
                (-(depth - far_face) / view).exp() - (-(depth - near_face) / view).exp(),
            ];
            for azimuth in 0..AZIMUTHS {
                let turn = (PI * (f64::from(azimuth) + 0.5) / f64::from(AZIMUTHS)).cos();
                let across = ((1.0 - view * view) * (1.0 - cosine * cosine)).sqrt() * turn;
                // Who looks down has the sun behind.
                for (side, along) in [-view * cosine, view * cosine].into_iter().enumerate() {
                    points.push((depths, (along + across) as f32));
                    let flux = TAU * view * weight * seen[side] / f64::from(AZIMUTHS);
                    weights.push((side, flux));
                }
            }
        }
    }
    let mut out = [[0.0; 2]; 2];
    for ((side, weight), [sun, above]) in weights.into_iter().zip(sources(&points)) {
        out[0][side] += weight * sun / cosine;
        out[1][side] += weight * above / PI;
    }
    out[0][1] += (-depth / cosine).exp();
    // Even light that passes without being scattered.
    out[1][1] += VIEWS.iter().map(|(view, w)| 2.0 * view * w * (-depth / view).exp()).sum::<f64>();
    out
}

#[test]
fn slabs_reflect_and_transmit_as_in_monte_carlo() {
    for depth in DEPTHS {
        for cosine in COSINES {
            let [by_sun, evenly] = leaving(depth, cosine);
            let expected = monte_carlo(depth, cosine);
            println!(
                "depth {depth}, cosine {cosine}: {by_sun:.3?}, {expected:.3?}, {:.4}; {evenly:.3?}",
                by_sun[0] + by_sun[1]
            );
            let what = format_args!("share at depth {depth} and cosine {cosine}");
            for (found, expected) in by_sun.into_iter().zip(expected) {
                near(found, expected, (0.1 * expected).max(0.03), what);
            }
            // 8 bits, and the table's and this test's steps: 0.02.
            for [up, down] in [by_sun, evenly] {
                near(up + down, 1.0, 0.03, what);
            }
        }
    }
}

#[test]
fn constants_of_slabs_are_those_of_the_shaders() {
    let source = resolve("shading/cloud_source.wgsl").unwrap();
    let scatter = resolve("shading/cloud_scatter.wgsl").unwrap();
    let [(once, forwards), (again, backwards)] = DROPS;
    for (wgsl, line) in [
        (&source, format!("const SOURCE_DEPTHS: f32 = {:.1};", f64::from(slab::DEPTHS))),
        (&source, format!("const SOURCE_LAYERS: f32 = {:.1};", f64::from(slab::LAYERS))),
        (&source, format!("const SOURCE_DEPTH_SCALE: f32 = {};", slab::DEPTH_SCALE)),
        (&source, format!("const SOURCE_DEPTH_MOST: f32 = {:.1};", slab::DEPTH_MOST)),
        (&source, format!("const SOURCE_COSINE_LEAST: f32 = {};", slab::COSINE_LEAST)),
        (&scatter, format!("const CLOUD_DROPS: vec2<f32> = vec2({once}, {again});")),
        (&scatter, format!("const CLOUD_DROPS_G: vec2<f32> = vec2({forwards}, {backwards});")),
        (&scatter, format!("const CLOUD_FORWARDS_G: f32 = {};", slab::FORWARDS)),
        (&scatter, format!("const CLOUD_FORWARDS_SHARE: f32 = {};", slab::FORWARDS_SHARE)),
    ] {
        assert!(wgsl.contains(&line), "{line}");
    }
}

#[test]
fn no_source_is_more_than_the_volume_can_store() {
    let most = slab::table().iter().map(|texel| texel[0].to_f32());
    let side = (slab::DEPTHS * slab::DEPTHS * (slab::LAYERS - 1)) as usize;
    let most = most.take(side).fold(0.0, f32::max);
    println!("{most}");
    at_most(most, 0.4, "CLOUD_DIFFUSE_MOST");
}
