use std::f64::consts::TAU;

use super::*;
use crate::settings::SeaState;
use crate::spectrum::Orbits;
use seaway_core::testing::tolerance::{at_least, at_most, near};

fn queries(sea: &SeaState, size: u32, options: OceanOptions) -> Queries {
    Queries::new(InitialSpectrum::new(sea, size, options.cascades).unwrap(), &options)
}

/// Places all over a square around (0, 0).
fn places(count: u32, side_m: f64) -> impl Iterator<Item = [f64; 2]> {
    (0..count).map(move |i| {
        // Roberts 2018: the additive recurrence on the plastic number fills a square evenly.
        let at = [0.754_877_67, 0.569_840_3].map(|step: f64| (f64::from(i) * step).fract());
        at.map(|at| side_m * (at - 0.5))
    })
}

fn steep_storm() -> SeaState {
    SeaState { wind_speed_mps: 28.0, fetch_m: 500_000.0, choppiness: 1.6, ..SeaState::default() }
}

#[test]
fn a_step_solves_the_linear_equation() {
    for (stretches, least) in
        [([0.3, -0.4, 0.2], 0.2), ([-0.7, 0.1, 0.15], 0.1), ([0.2, 0.2, 0.0], 0.5)]
    {
        let [dxx, dzz, dxz] = stretches;
        let residual = [0.7, -1.3];
        let [x, z] = step(stretches, residual);
        at_least((1.0 + dxx) * (1.0 + dzz) - dxz * dxz, least, "J");
        near((1.0 + dxx) * x + dxz * z, residual[0], 1e-12, "x");
        near(dxz * x + (1.0 + dzz) * z, residual[1], 1e-12, "z");
    }
}

/// Finds the water of a trochoid over a known place again, with all of its known properties.
#[test]
fn a_single_wave_has_its_height_normal_and_velocity() {
    // The relative depth k d, and coth(k d) from tables.
    for (relative_depth, flat) in [(60.0, 1.0), (0.764, 1.554_178)] {
        a_wave_has_its_height_normal_and_velocity(relative_depth, flat);
    }
}

fn a_wave_has_its_height_normal_and_velocity(relative_depth: f64, flat: f64) {
    let sea = SeaState { choppiness: 1.4, ..SeaState::default() };
    let options = OceanOptions { cascades: 1, blended_cascades: 0, ..OceanOptions::default() };
    let size = 128;
    let mut initial = InitialSpectrum::new(&sea, size, 1).unwrap();
    let index = [6, -3];
    let k = initial.cascades[0].wave_vector(index);
    let length = k[0].hypot(k[1]);
    // J is 1 - 1.4 * 0.5 cos at least, of orbits that are wider than high.
    let steepness = 0.5 / flat;
    let amplitude_m = steepness / length;
    initial.orbits = Orbits { depth_m: relative_depth / length, breaking_rad_per_m: 1e4 };
    let (phase, multiple) = (0.4_f64, 12_345);
    let omega = initial.clock.omega_rad_per_s(multiple);
    initial.h0.fill([0.0; 2]);
    initial.omega.fill(0);
    let at = |[x, z]: [i32; 2]| {
        let [x, z] = [x, z].map(|index| index.rem_euclid(size as i32) as usize);
        z * size as usize + x
    };
    let half = 0.5 * amplitude_m;
    initial.h0[at(index)] = [half * phase.cos(), half * phase.sin()].map(|h0| h0 as f32);
    initial.omega[at(index)] = multiple;
    initial.omega[at(index.map(|i| -i))] = multiple;

    let time_s = 17.0 + 0.25;
    let moment = Queries::new(initial, &options).at(time_s);
    for at_rest in places(300, 4_000.0) {
        let angle = k[0] * at_rest[0] + k[1] * at_rest[1] + phase - omega * time_s;
        let (sin, cos) = (angle % TAU).sin_cos();
        let along = k.map(|k| k / length);
        let moved_m = -1.4 * flat * amplitude_m * sin;
        let position_m = [0, 1].map(|i| at_rest[i] + along[i] * moved_m);
        let found = moment.surface_at(Point::at(position_m));

        // 21 texels a wave: splines keep it to 1e-4; the waves in h0 are rounded to 1e-7.
        let allowed_m = 5e-4 * amplitude_m;
        near(found.height_m, amplitude_m * cos, allowed_m, "height");
        near(found.depth_m(-2.0), amplitude_m * cos + 2.0, allowed_m, "depth");
        assert_eq!(found.is_over(-2.0), found.height_m > -2.0);
        for (got_m, expected_m) in found.at_rest_m.iter().zip(at_rest) {
            near(*got_m, expected_m, 5.0 * allowed_m, "place at rest");
        }
        // The tangent along the wave, in the plane of the wave: (1 - lambda a k cos, -a k sin).
        let [run, rise] = [1.0 - 1.4 * 0.5 * cos, -steepness * sin];
        let normal = [-along[0] * rise, run, -along[1] * rise].map(|n| n / run.hypot(rise));
        near(found.jacobian, run, 1e-3, "J");
        // h0 e^(-i omega t): the phase falls with time.
        let speed = amplitude_m * omega;
        let sideways = 1.4 * flat * speed * cos;
        let velocity = [along[0] * sideways, speed * sin, along[1] * sideways];
        for i in 0..3 {
            near(found.normal[i], normal[i], 3e-3, "normal");
            near(found.velocity_mps.unwrap()[i], velocity[i], 2e-3 * speed, "velocity");
        }
        assert!(found.is_solved());
    }
}

/// Water at a point is found wherever J is 0.1 or more, however steep the sea, and however far the maps'
/// derivatives are from those of the surface between their texels.
#[test]
fn unfolded_water_is_found_at_every_point() {
    let steep = SeaState { choppiness: 1.6, ..SeaState::default() };
    let high = SeaState { significant_wave_height_m: 6.0, ..steep.clone() };
    let rough = OceanOptions { cubic_cascades: 0, blended_cascades: 0, ..OceanOptions::default() };
    for (sea, size, options) in [
        (steep_storm(), 256, OceanOptions::default()),
        (steep_storm(), 128, rough),
        (steep, 256, OceanOptions::default()),
        // One place in 300 has a lower J.
        (high.clone(), 128, OceanOptions::default()),
        (high, 128, rough),
    ] {
        let moment = queries(&sea, size, options).at(321.0);
        for at_rest in places(4_000, 500.0) {
            let surface = moment.sea.surface(at_rest, 0.0);
            if surface.jacobian() < 0.1 || surface.dxx + surface.dzz < -2.0 {
                continue;
            }
            let [dx, h, dz] = moment.sea.displacement(at_rest, 0.0);
            let found = moment.surface_at(Point::at([at_rest[0] + dx, at_rest[1] + dz]));
            // The derivatives of another surface make the last steps small.
            at_most(found.residual_m, 0.5 * SurfacePoint::SOLVED_M, "residual");
            // Times the slope, which is some times that at rest where J is small.
            near(found.height_m, h, 3.0 * SurfacePoint::SOLVED_M, "height");
        }
    }
}

#[test]
fn velocity_is_that_of_the_water() {
    let sea = SeaState { choppiness: 1.3, ..SeaState::default() };
    let mut queries = queries(&sea, 128, OceanOptions::default());
    let step_s = 64.0 / 32_768.0;
    let [before, now, after] =
        [100.0 - step_s, 100.0, 100.0 + step_s].map(|time_s| queries.at(time_s));
    for position_m in places(200, 700.0) {
        let found = now.surface_at(Point::at(position_m));
        let [from, to] =
            [&before, &after].map(|moment| moment.sea.displacement(found.at_rest_m, 0.0));
        for i in 0..3 {
            let difference = (to[i] - from[i]) / (2.0 * step_s);
            // The error is of order omega^2 step^2/6: for the shortest waves, 1e-3 of their speed of some
            // cm/s.
            near(found.velocity_mps.unwrap()[i], difference, 1e-4, "velocity");
        }
    }
}

#[test]
fn the_newest_times_are_kept() {
    let options = OceanOptions { cascades: 1, ..OceanOptions::default() };
    let mut queries = queries(&SeaState::default(), 16, options).keeping(2);
    let [first, second] = [1.0, 2.0].map(|time_s| queries.at(time_s));
    assert!(Arc::ptr_eq(&first, &queries.at(1.0 + 1e-9)));
    let third = queries.at(3.0);
    assert!(Arc::ptr_eq(&first, &queries.at(1.0)));
    assert!(Arc::ptr_eq(&third, &queries.at(3.0)));
    assert!(!Arc::ptr_eq(&second, &queries.at(2.0)));
    assert_eq!(second.time_s(), 2.0);
}

#[test]
fn nan_places_have_no_water() {
    let options = OceanOptions { cascades: 1, ..OceanOptions::default() };
    let moment = queries(&SeaState::default(), 16, options).at(0.0);
    for position_m in [[f64::NAN, 0.0], [0.0, f64::INFINITY]] {
        assert!(!moment.surface_at(Point::at(position_m)).is_solved());
    }
}
