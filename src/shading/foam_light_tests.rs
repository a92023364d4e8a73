//! Tests of `shading/foam_light.wgsl` on the GPU: foam all over a rough sea reflects its albedo of the
//! arriving light, summed over its facets.

use glam::{DVec2, DVec3};

use super::facets_tests::{direction, facets};
use crate::gpu::run_in_place;
use seaway_core::testing::tolerance::{at_least, at_most};

/// Covariances of the slopes of all waves, in a calm sea, a breeze, and a storm.
const SEAS: [[f64; 3]; 3] = [[0.002, 0.0015, 0.0002], [0.025, 0.02, 0.003], [0.06, 0.05, -0.01]];
/// Unresolved shares of the variance: of a near pixel, of a far one, and of the exposure meter, for
/// which all waves are facets.
const UNSEEN: [f64; 3] = [1e-3, 0.5, 1.0];
const ELEVATIONS_DEG: [f64; 8] = [1.5, 3.0, 5.0, 9.0, 14.0, 22.0, 45.0, 90.0];

/// A piece of the surface with a mean slope. The remaining waves are its roughness.
struct Piece {
    slope: DVec2,
    covariance: [f64; 3],
    sea: [f64; 3],
    to_sun: DVec3,
}

/// Radiance times pi of foam of albedo 1: its luminance under a sun of irradiance 1 on a plane that
/// faces it, and under an even sky of irradiance 1.
fn lit(pieces: &[Piece]) -> Vec<[f64; 2]> {
    let wgsl = "#import \"shading/foam_light.wgsl\"
        struct Case { slope: vec4<f32>, covariance: vec4<f32>, sea: vec4<f32>, to_sun: vec4<f32> }
        fn update(i: u32) {
            let piece = cases[i];
            let facets = Facets(piece.slope.xy, piece.covariance.xyz);
            let sea = Facets(vec2(0.0), piece.sea.xyz);
            let luma = vec3(0.2126, 0.7152, 0.0722) * 3.14159265;
            let to_sun = piece.to_sun.xyz;
            let sun = foam_radiance(facets, sea, to_sun, vec3(1.0), vec3(0.0));
            let sky = foam_radiance(facets, sea, to_sun, vec3(0.0), vec3(1.0));
            cases[i].slope = vec4(dot(luma, sun), dot(luma, sky), 0.0, 0.0);
        }";
    let data: Vec<[[f32; 4]; 4]> = pieces
        .iter()
        .map(|piece| {
            [
                piece.slope.extend(0.0),
                DVec3::from(piece.covariance),
                DVec3::from(piece.sea),
                piece.to_sun,
            ]
            .map(|v| v.as_vec3().extend(0.0).to_array())
        })
        .collect();
    let found = run_in_place("foam light", wgsl, &data);
    found.iter().map(|[lit, ..]| [lit[0].into(), lit[1].into()]).collect()
}

/// The mean area of facets over that of the plane beneath.
fn area(slope: DVec2, covariance: [f64; 3]) -> f64 {
    if covariance[0] < 1e-3 {
        return (1.0 + slope.length_squared() + covariance[0] + covariance[1]).sqrt();
    }
    facets(slope, covariance, 24).iter().map(|(s, w)| w * (1.0 + s.length_squared()).sqrt()).sum()
}

/// The reflected over the arriving light, per area of the level plane, is at most 1 and within 5% of it
/// from sunset to noon, whatever share of the waves a pixel resolves.
#[test]
fn foam_reflects_no_more_than_arrives() {
    let azimuths_deg = [0.0, 75.0];
    let mut pieces = Vec::new();
    let mut weights = Vec::new();
    for sea in SEAS {
        for unseen in UNSEEN {
            let rough = sea.map(|element| unseen * element);
            // The meter sees one level facet.
            let seen = match unseen {
                1.0 => vec![(DVec2::ZERO, 1.0)],
                unseen => facets(DVec2::ZERO, sea.map(|element| (1.0 - unseen) * element), 40),
            };
            let areas: Vec<f64> = seen.iter().map(|(slope, _)| area(*slope, rough)).collect();
            for elevation_deg in ELEVATIONS_DEG {
                for azimuth_deg in azimuths_deg {
                    let to_sun = direction(elevation_deg, azimuth_deg);
                    for ((slope, weight), area) in seen.iter().zip(&areas) {
                        pieces.push(Piece { slope: *slope, covariance: rough, sea, to_sun });
                        weights.push(weight * area);
                    }
                }
            }
        }
    }
    let mut found = lit(&pieces).into_iter().zip(weights);
    for sea in SEAS {
        for unseen in UNSEEN {
            let count = if unseen == 1.0 { 1 } else { 40 * 40 };
            for elevation_deg in ELEVATIONS_DEG {
                for azimuth_deg in azimuths_deg {
                    let mut sums = [0.0; 2];
                    for (lit, weight) in found.by_ref().take(count) {
                        sums.iter_mut().zip(lit).for_each(|(sum, lit)| *sum += weight * lit);
                    }
                    let [sun, sky] = [sums[0] / elevation_deg.to_radians().sin(), sums[1]];
                    let case = format_args!(
                        "{sea:?}, {unseen} unseen, {elevation_deg} deg, azimuth {azimuth_deg}"
                    );
                    println!("{sun:.4} {sky:.4}: {case}");
                    for (light, what) in [(sun, "sun"), (sky, "sky")] {
                        // The sums over facets are fits, to some parts in a thousand.
                        at_most(light, 1.005, format_args!("{what}: {case}"));
                        at_least(light, 0.95, format_args!("{what}: {case}"));
                    }
                }
            }
        }
    }
}

/// A sun below the horizon lights no foam, and no value is infinite.
#[test]
fn foam_is_dark_without_light() {
    let piece = |slope, elevation_deg| Piece {
        slope,
        covariance: [1e-4, 1e-4, 0.0],
        sea: SEAS[1],
        to_sun: direction(elevation_deg, 30.0),
    };
    let steep = DVec2::new(-20.0, 1.0);
    let set = [piece(DVec2::ZERO, -1.0), piece(steep, -5.0), piece(-steep, -40.0)];
    for [sun, _] in lit(&set) {
        assert_eq!(sun, 0.0);
    }
    for [sun, sky] in lit(&[piece(steep, 0.0), piece(-steep, 1.0), piece(steep, 60.0)]) {
        at_most(sun, 1.0, "a facet that faces the sun");
        at_most(sky, 1.0, "a facet on end");
        assert!(sun >= 0.0 && sky >= 0.0, "{sun} {sky}");
    }
}
