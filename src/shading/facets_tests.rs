//! Tests of `shading/facets.wgsl` on the GPU, against sums over the facets themselves.

use glam::{DVec2, DVec3};

use crate::gpu::run_in_place;
use seaway_core::testing::tolerance::{at_most, near};

/// Slopes of a square grid of facets with `steps` steps to each side, and their weights: a Gaussian cut
/// at 6 deviations.
pub(super) fn facets(mean: DVec2, covariance: [f64; 3], steps: i32) -> Vec<(DVec2, f64)> {
    let [xx, zz, xz] = covariance;
    // A square root of the covariance.
    let a = xx.sqrt();
    let b = xz / a;
    let c = (zz - b * b).sqrt();
    let coordinate = |i: i32| 12.0 * (f64::from(i) + 0.5) / f64::from(steps) - 6.0;
    let mut all = Vec::new();
    let mut sum = 0.0;
    for i in 0..steps {
        for j in 0..steps {
            let (u, v) = (coordinate(i), coordinate(j));
            let weight = (-0.5 * (u * u + v * v)).exp();
            sum += weight;
            all.push((mean + DVec2::new(a * u, b * u + c * v), weight));
        }
    }
    for (_, weight) in &mut all {
        *weight /= sum;
    }
    all
}

/// Fresnel's equations for an index of 1.34.
pub(super) fn fresnel_exact(cosine: f64) -> f64 {
    let index = 1.34;
    let refracted = (1.0 - (1.0 - cosine * cosine) / (index * index)).sqrt();
    let s = (cosine - index * refracted) / (cosine + index * refracted);
    let p = (refracted - index * cosine) / (refracted + index * cosine);
    0.5 * (s * s + p * p)
}

#[derive(Clone, Copy, Debug)]
struct Case {
    mean: DVec2,
    covariance: [f64; 3],
    to_eye: DVec3,
    to_sun: DVec3,
}

#[derive(Clone, Copy, Debug)]
struct ShadedFacet {
    area: f64,
    slope: DVec2,
    variance: f64,
    fresnel: f64,
    glitter: f64,
    lit: f64,
}

fn run(cases: &[Case]) -> Vec<ShadedFacet> {
    let wgsl = "#import \"shading/facets.wgsl\"
        struct Case { slope: vec4<f32>, covariance: vec4<f32>, to_eye: vec4<f32>, to_sun: vec4<f32> }
        fn update(i: u32) {
            let case_ = cases[i];
            let facets = Facets(case_.slope.xy, case_.covariance.xyz);
            let visible = facets_visible(facets, case_.to_eye.xyz);
            let glitter = facets_glitter(facets, visible, case_.to_eye.xyz, case_.to_sun.xyz);
            let lit = facets_lit(facets, case_.to_sun.xyz);
            let fresnel = facets_fresnel(visible, case_.to_eye.xyz);
            cases[i].slope = vec4(visible.area, visible.slope, visible.variance);
            cases[i].covariance = vec4(fresnel, glitter, lit, 0.0);
        }";
    let padded = |v: DVec3| v.as_vec3().extend(0.0).to_array();
    let data: Vec<[[f32; 4]; 4]> = cases
        .iter()
        .map(|case| {
            [
                padded(case.mean.extend(0.0)),
                padded(DVec3::from(case.covariance)),
                padded(case.to_eye),
                padded(case.to_sun),
            ]
        })
        .collect();
    run_in_place("facets", wgsl, &data)
        .iter()
        .map(|[visible, light, ..]| ShadedFacet {
            area: visible[0].into(),
            slope: DVec2::new(visible[1].into(), visible[2].into()),
            variance: visible[3].into(),
            fresnel: light[0].into(),
            glitter: light[1].into(),
            lit: light[2].into(),
        })
        .collect()
}

pub(super) fn direction(elevation_deg: f64, azimuth_deg: f64) -> DVec3 {
    let (sin, cos) = elevation_deg.to_radians().sin_cos();
    let (azimuth_sin, azimuth_cos) = azimuth_deg.to_radians().sin_cos();
    DVec3::new(cos * azimuth_cos, sin, cos * azimuth_sin)
}

const SEAS: [(DVec2, [f64; 3]); 3] = [
    (DVec2::ZERO, [0.004, 0.003, 0.001]),
    (DVec2::new(0.1, -0.05), [0.02, 0.02, 0.0]),
    (DVec2::new(-0.2, 0.1), [0.05, 0.03, -0.02]),
];

/// The mean of `reflectance`, a function of the cosine between normal and eye, over the facets that face the
/// eye and whose normals fulfil `counts`: weighted by visible area, over the visible area of all facets.
fn mean_reflectance(
    case: &Case,
    reflectance: impl Fn(f64) -> f64,
    counts: impl Fn(DVec3) -> bool,
) -> f64 {
    let (mut area, mut reflected) = (0.0, 0.0);
    for (slope, weight) in facets(case.mean, case.covariance, 240) {
        let upwards = DVec3::new(-slope.x, 1.0, -slope.y);
        let shown = upwards.dot(case.to_eye).max(0.0) * weight;
        area += shown;
        let normal = upwards.normalize();
        if counts(normal) {
            reflected += shown * reflectance(normal.dot(case.to_eye).clamp(0.0, 1.0));
        }
    }
    reflected / area
}

#[test]
fn visible_facets_agree_with_the_sum_over_them() {
    let mut cases = Vec::new();
    for (mean, covariance) in SEAS {
        for elevation in [90.0, 45.0, 20.0, 10.0, 5.0, 2.0, 0.5] {
            for azimuth in [0.0, 70.0, 200.0] {
                let to_eye = direction(elevation, azimuth);
                cases.push(Case { mean, covariance, to_eye, to_sun: DVec3::Y });
            }
        }
    }
    for (case, found) in cases.iter().zip(run(&cases)) {
        let (mut area, mut slope) = (0.0, DVec2::ZERO);
        for (s, weight) in facets(case.mean, case.covariance, 240) {
            let normal = DVec3::new(-s.x, 1.0, -s.y);
            let shown = normal.dot(case.to_eye).max(0.0) * weight;
            area += shown;
            slope += shown * s;
        }
        slope /= area;
        let at = (case.mean, case.to_eye);
        near(found.area, area, 0.03 * area, format_args!("area of {found:?} at {at:?}"));
        let deviation = (case.covariance[0] + case.covariance[1]).sqrt();
        at_most(
            (found.slope - slope).length(),
            0.06 * deviation,
            format_args!("slope {found:?} for {slope} at {at:?}"),
        );
        assert!(found.variance > 0.0);
    }
}

/// A sea without a mean slope, slope variance 0.02 along each axis, seen from some elevations.
fn level_sea(elevation_deg: f64) -> Case {
    let to_eye = direction(elevation_deg, 30.0);
    Case { mean: DVec2::ZERO, covariance: [0.02, 0.02, 0.0], to_eye, to_sun: DVec3::Y }
}

/// Compares the references with published figures.
#[test]
fn exact_reflectances_agree_with_published_figures() {
    let straight_on = (0.34_f64 / 2.34).powi(2);
    assert!((fresnel_exact(1.0) - straight_on).abs() < 1e-12);
    assert!((fresnel_exact(0.0) - 1.0).abs() < 1e-12);
    // At Brewster's angle light polarised in the plane of incidence is not reflected at all.
    let brewster = 1.34_f64.atan();
    let s = ((1.34_f64 * 1.34 - 1.0) / (1.34 * 1.34 + 1.0)).powi(2);
    assert!((fresnel_exact(brewster.cos()) - 0.5 * s).abs() < 1e-12);
    for (elevation, expected) in [(60.0, 0.0230), (40.0, 0.0384), (5.0, 0.327)] {
        let mean = mean_reflectance(&level_sea(elevation), fresnel_exact, |_| true);
        assert!((mean / expected - 1.0).abs() < 3e-3, "{mean} from {elevation} deg");
    }
}

/// The agreement is within 3% for every roughness, lean and place of the eye.
#[test]
fn the_mean_fresnel_reflectance_is_that_of_the_facets() {
    let mut cases: Vec<Case> =
        [90.0, 60.0, 50.0, 40.0, 30.0, 20.0, 10.0, 5.0, 2.0, 0.5].map(level_sea).to_vec();
    let tilts = [(DVec2::ZERO, [1e-6, 1e-6, 0.0]), (DVec2::new(0.03, 0.0), [1e-3, 2e-4, 0.0])];
    for (mean, covariance) in SEAS.into_iter().chain(tilts) {
        for elevation in [90.0, 60.0, 45.0, 30.0, 20.0, 10.0, 5.0, 2.0, 0.5] {
            for azimuth in [0.0, 70.0, 200.0] {
                let to_eye = direction(elevation, azimuth);
                cases.push(Case { mean, covariance, to_eye, to_sun: DVec3::Y });
            }
        }
    }
    for (case, found) in cases.iter().zip(run(&cases)) {
        let exact = mean_reflectance(case, fresnel_exact, |_| true);
        // A tenth of nothing is visible where all facets face away.
        let ratio = found.fresnel / exact;
        println!("{ratio:.4} {:?} {:?}", case.mean, case.to_eye.y.asin().to_degrees());
        near(ratio, 1.0, 0.03, format_args!("{exact} in {case:?}"));
    }
}

/// Under a uniformly bright sky the facets reflect their mean Fresnel reflectance: the glitter of suns
/// in all directions, except those that other facets hide, must add up to that of the facets that mirror
/// the sky and not the sea. So the glitter's brightness is right at every distance and slope.
#[test]
fn glitter_of_all_suns_adds_up_to_the_reflectance() {
    let (mean, covariance): (_, [f64; 3]) = (DVec2::new(0.05, 0.0), [0.01, 0.006, 0.002]);
    for elevation in [90.0, 60.0, 40.0, 12.0, 5.0] {
        let to_eye = direction(elevation, 30.0);
        // Each facet gets a sun that it mirrors, of solid angle d omega = 4 (h . v) h.y^3 d slope
        // (Walter et al. 2007, equation 14).
        let mut cases = Vec::new();
        let mut solid_angles = Vec::new();
        let (a, c) = (covariance[0].sqrt(), covariance[1].sqrt());
        let steps = 160;
        for i in 0..steps {
            for j in 0..steps {
                let coordinate = |i: i32| 11.0 * (f64::from(i) + 0.5) / f64::from(steps) - 5.5;
                let slope = mean + DVec2::new(a * coordinate(i), c * coordinate(j));
                let cell = a * c * (11.0 / f64::from(steps)).powi(2);
                let h = DVec3::new(-slope.x, 1.0, -slope.y).normalize();
                let cosine = h.dot(to_eye);
                if cosine > 0.0 {
                    let to_sun = 2.0 * cosine * h - to_eye;
                    cases.push(Case { mean, covariance, to_eye, to_sun });
                    solid_angles.push(4.0 * cosine * h.y.powi(3) * cell);
                }
            }
        }
        let found = run(&cases);
        let sum: f64 = found
            .iter()
            .zip(&solid_angles)
            .filter(|(found, _)| found.lit > 1e-3)
            .map(|(found, solid_angle)| found.glitter / found.lit * solid_angle)
            .sum();
        // The light falls on the mean surface from the sun's place.
        let mirrors_the_sky = |normal: DVec3| {
            let to_sun = 2.0 * normal.dot(to_eye) * normal - to_eye;
            DVec3::new(-mean.x, 1.0, -mean.y).dot(to_sun) > 0.0
        };
        let exact = mean_reflectance(&cases[0], fresnel_exact, mirrors_the_sky);
        near(sum / exact, 1.0, 2e-3, format_args!("{sum} for {exact} from {elevation} deg"));
    }
}

#[test]
fn nothing_is_infinite_or_negative() {
    let mut cases = Vec::new();
    for mean in [DVec2::ZERO, DVec2::new(3.0, -2.0), DVec2::new(-20.0, 0.0)] {
        for covariance in [[0.0; 3], [1e-6, 1e-6, 0.0], [0.3, 0.3, 0.3]] {
            for to_eye in [DVec3::Y, direction(0.0, 10.0), direction(-5.0, 10.0), -DVec3::Y] {
                for to_sun in [DVec3::Y, direction(0.0, 190.0), direction(-5.0, 0.0), -to_eye] {
                    cases.push(Case { mean, covariance, to_eye, to_sun });
                }
            }
        }
    }
    for (found, case) in run(&cases).into_iter().zip(&cases) {
        for value in [found.area, found.variance, found.fresnel, found.glitter, found.lit] {
            assert!(
                value.is_finite() && value >= 0.0,
                "{found:?} of {} {:?}, eye {}, sun {}",
                case.mean,
                case.covariance,
                case.to_eye,
                case.to_sun
            );
        }
        assert!(found.slope.is_finite());
    }
}
