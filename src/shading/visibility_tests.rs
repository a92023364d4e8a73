//! Tests of the water that a pixel sees, as kernels find it from the triangles of its samples.

use super::sun_path_tests::Bench;
use super::tests::{context, submit, texels};
use super::{RayDepth, SceneBindings};
use crate::gpu::Pipelines;
use crate::gpu::shader::{self, LIBRARY, Sources};
use crate::settings::{CameraPose, Quality, QualityTier};
use seaway_core::testing::tolerance::{at_least, at_most};

fn distances() -> Sources {
    let water = shader::source("shading/water.wgsl").unwrap();
    let (before, _) = water.split_once("let to_eye = ").expect("the water knows the eye");
    let water = format!("{before}return vec3(distance_m);\n}}\n");
    LIBRARY.embedded().with("shading/water.wgsl", water)
}

/// The kernel, which lights each piece by its number among the pieces of the pixel, and the piece.
fn numbers() -> Sources {
    let light = shader::source("shading/light.wgsl").unwrap();
    let numbered = light
        .replace("var samples =", "var pieces = 0.0;\n    var samples =")
        .replace("let piece =", "pieces += 1.0;\n        let piece =")
        .replace("water_light(piece.seen)", "vec3(pieces)");
    assert_eq!(numbered.matches("pieces").count(), 3 + light.matches("pieces").count());
    LIBRARY.embedded().with("shading/light.wgsl", numbered)
}

fn eye(bench: &Bench, height_m: f64) -> CameraPose {
    let place_m = [40.0, -70.0];
    let y_m = height_m + bench.level_m(place_m);
    let [x_m, z_m] = place_m;
    CameraPose { x_m, y_m, z_m, yaw_deg: 20.0, pitch_deg: -8.0, fov_deg: 60.0 }
}

#[test]
fn rays_meet_the_triangles_that_are_drawn() {
    let device = &context().device;
    let resolution = [160, 90];
    let quality = Quality { msaa_samples: 1, ..Quality::of(QualityTier::Low) };
    let mut bench = Bench::new(15.0, &quality, &distances());
    for height_m in [1.5, 30.0] {
        let pose = eye(&bench, height_m);
        let lights = texels(&bench.lights(&pose, resolution), 0);
        let found: Vec<_> = lights.iter().map(|texel| f64::from(texel[0])).collect();
        let scene = &SceneBindings::new(&bench.mesh, bench.ocean.maps(), &bench.sky);
        let mut drawn = RayDepth::new(&Pipelines::new(device), scene).unwrap();
        drawn.fit(device, resolution);
        submit(|recorder| drawn.record(recorder, scene, &bench.mesh, |_| ()));
        let drawn: Vec<f32> = context().read_texels(drawn.texture(), 0, 0);
        let near = |metres: f64| metres > 0.0 && metres < 400.0;
        let both = || found.iter().copied().zip(drawn.iter().map(|metres| f64::from(*metres)));
        let compared = both().filter(|(_, drawn)| near(*drawn)).count();
        at_least(compared as f64, 4_000.0, "pixels that are compared");
        let worst = both()
            .filter(|(_, drawn)| near(*drawn))
            .map(|(found, drawn)| (found / drawn - 1.0).abs())
            .fold(0.0, f64::max);
        at_most(worst, 4e-3, format_args!("relative error of the distance from {height_m} m"));
    }
}

/// In a gale from low and from high up, with four samples a pixel, hardly any pixel lights more than one
/// piece of the water, and those at crests do.
#[test]
fn a_pixel_lights_its_water_once() {
    let resolution = [480, 270];
    let quality =
        Quality { size: 128, foam_texels: 0, cell_pixels: 12.0, ..Quality::of(QualityTier::High) };
    let mut bench = Bench::new(20.0, &quality, &numbers());
    for height_m in [1.5, 30.0] {
        let pose = eye(&bench, height_m);
        let lights = bench.lights(&pose, resolution);
        let layers = [0, 1, 2, 3].map(|layer| texels(&lights, layer));
        let pieces = (0..layers[0].len())
            .map(|pixel| layers.iter().map(|layer| f64::from(layer[pixel][0])).fold(0.0, f64::max));
        let of_water: Vec<_> = pieces.filter(|pieces| *pieces > 0.0).collect();
        at_least(of_water.len() as f64, 40_000.0, "pixels with water");
        let mean = of_water.iter().sum::<f64>() / of_water.len() as f64;
        println!("{height_m} m: {mean:.4} lights a pixel");
        at_most(mean, 1.15, format_args!("lights a pixel from {height_m} m"));
        let most = of_water.iter().copied().fold(0.0, f64::max);
        at_least(most, 2.0, format_args!("lights of a crest's pixel from {height_m} m"));
    }
}
