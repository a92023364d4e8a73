use crate::gpu::run_in_place;
use seaway_core::testing::tolerance::at_most;

const COUNT: usize = 1 << 18;

/// The glints at places on a spiral over some hundred metres, with the given footprint, where the sun is
/// mirrored at the given number of deviations of the slopes.
fn glints(footprint_m: f32, deviations: f32) -> Vec<f32> {
    let wgsl = "#import \"shading/glints.wgsl\"
        alias Case = vec4<f32>;
        fn update(i: u32) {
            let case_ = cases[i];
            let facets = Facets(vec2(0.05, -0.02), vec3(0.01, 0.006, 0.002));
            let slope = facets.slope + case_.w * vec2(0.1, 0.02);
            cases[i].x = glints(case_.xy, case_.z, facets, slope);
        }";
    let golden = 3.0 - 5f32.sqrt();
    let cases: Vec<[f32; 4]> = (0..COUNT)
        .map(|i| {
            let (radius, angle) =
                ((i as f32).sqrt() * 0.2, (i as f32 * golden).fract() * std::f32::consts::TAU);
            [radius * angle.cos(), radius * angle.sin(), footprint_m, deviations]
        })
        .collect();
    run_in_place("glints", wgsl, &cases).iter().map(|case| case[0]).collect()
}

/// Glints add up to the mean of the facets, however few there are.
#[test]
fn glints_are_the_smooth_path_on_average() {
    for footprint_m in [0.01, 0.06, 0.3, 2.0, 500.0] {
        for deviations in [0.0, 1.0, 2.0] {
            let found = glints(footprint_m, deviations);
            let mean = found.iter().map(|value| f64::from(*value)).sum::<f64>() / COUNT as f64;
            let squares = found.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>();
            let variance = squares / COUNT as f64 - mean * mean;
            // Five standard errors of independent draws: nearby, several of the places lie in one cell.
            let error = 5.0 * (variance / COUNT as f64).sqrt();
            println!("{footprint_m} m, {deviations}: {mean:.4}, deviation {:.3}", variance.sqrt());
            let what = format_args!("off at {footprint_m} m and {deviations}: {mean}");
            at_most((mean - 1.0).abs(), 0.02 + error, what);
            assert!(found.iter().all(|value| value.is_finite() && *value >= 0.0));
        }
    }
}

/// The path breaks up nearby, where a pixel holds few facets, and nowhere far away.
#[test]
fn many_facets_do_not_sparkle() {
    let deviation = |footprint_m| {
        let found = glints(footprint_m, 0.0);
        let squares: f64 = found.iter().map(|value| (f64::from(*value) - 1.0).powi(2)).sum();
        (squares / COUNT as f64).sqrt()
    };
    let (close, far) = (deviation(0.03), deviation(10.0));
    assert!(close > 2.0, "{close}");
    at_most(far, 0.05, "deviation from 10 m");
}
