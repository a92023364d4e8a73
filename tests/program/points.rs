//! `seaway points`: its records, read back.

use std::fs;
use std::path::Path;

use seaway::query::{Point, cpu};
use seaway::settings::{Preset, Quality, SeaState};
use seaway::spectrum::InitialSpectrum;
use seaway::{Ocean, OceanOptions};

use crate::fft::load;
use crate::support::{NO_ADAPTER, folder, seaway, seaway_with};
use seaway_core::testing::tolerance::{at_least, near};

const GRID: &str = "--size 32 --cascades 2 --preset gale --seed 3";
const COLUMNS: &str = "time_s,point,x_m,z_m,height_m,displacement_x_m,displacement_z_m,slope_x,slope_z,\
                       velocity_x_mps,velocity_y_mps,velocity_z_mps";
const PLACES: [[f64; 2]; 2] = [[0.0, 0.0], [12.5, -700.25]];

fn sea() -> (InitialSpectrum, OceanOptions) {
    let sea = SeaState { seed: 3, ..Preset::load("gale").unwrap().sea };
    let options = OceanOptions::fixed(&Quality { size: 32, cascades: 2, ..Quality::default() });
    (Ocean::prepare(&sea, &options).unwrap(), options)
}

/// The values of a CSV file: each row without its headings.
fn rows(text: &str) -> Vec<Vec<f64>> {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(COLUMNS));
    lines.map(|line| line.split(',').map(|value| value.parse().unwrap()).collect()).collect()
}

/// What a row should be.
fn expected(moment: &cpu::Moment, point: Point, place_m: Option<[f64; 2]>) -> Vec<f64> {
    let surface = moment.surface_at(point);
    let [x, z] = place_m.unwrap_or(surface.position_m);
    let moved = [0, 1].map(|axis| surface.position_m[axis] - surface.at_rest_m[axis]);
    let [nx, ny, nz] = surface.normal;
    let velocity_mps = surface.velocity_mps.unwrap();
    [&[x, z, surface.height_m][..], &moved, &[-nx / ny, -nz / ny], &velocity_mps].concat()
}

#[test]
fn rows_hold_the_water_at_each_point_and_time() {
    let line = format!("points {GRID} --cpu --from 3 --to 5 --hz 2");
    let file = folder("points-file").join("points.csv");
    fs::write(&file, "x_m,z_m\n# The second mooring.\n\n12.5,-700.25\n").unwrap();
    for buoy in ["moored", "drifting"] {
        let line = format!("{line} --at 0,0 --file {} --buoy {buoy}", file.display());
        let outcome = seaway_with(&line, &NO_ADAPTER).expect(0, &["4 times at 2 point(s): Hs "]);
        let rows = rows(&outcome.stdout);
        assert_eq!(rows.len(), 8);
        let (initial, options) = sea();
        let mut twin = cpu::Queries::new(initial, &options);
        for (number, row) in rows.iter().enumerate() {
            let (time_s, point) = (3.0 + 0.5 * (number / 2) as f64, number % 2);
            assert_eq!(row[..2], [time_s, point as f64]);
            let is_at_rest = buoy == "drifting";
            let asked = Point { is_at_rest, ..Point::at(PLACES[point]) };
            let place_m = (!is_at_rest).then_some(PLACES[point]);
            let expected = expected(&twin.at(time_s), asked, place_m);
            for (found, expected) in row[2..].iter().zip(expected) {
                near(*found, expected, 1e-6, format_args!("{buoy}, row {number}"));
            }
        }
    }
}

#[test]
fn the_gpu_records_the_same_sea() {
    let folder = folder("points-gpu");
    let hs_m = sea().0.significant_wave_height_m();
    for buoy in ["moored", "drifting"] {
        let read = |name: &str, options: &str| {
            let out = folder.join(name);
            let line =
                format!("points {GRID} --at 0,0,12.5,-700.25 --to 10 --buoy {buoy} {options}");
            seaway(&format!("{line} --out {}", out.display())).expect(0, &["40 times"]);
            let (shape, values) = load::<f64>(&out);
            assert_eq!(shape, [40, 2, 10]);
            values
        };
        let (gpu, cpu) = (read("gpu.npy", ""), read("cpu.npy", "--cpu"));
        let mut largest_m = 0.0_f64;
        for (gpu, cpu) in gpu.chunks_exact(10).zip(cpu.chunks_exact(10)) {
            for column in 0..5 {
                near(gpu[column], cpu[column], 1e-3 + 1e-3 * hs_m, format_args!("column {column}"));
            }
            for column in 5..10 {
                near(gpu[column], cpu[column], 0.05, format_args!("column {column}"));
            }
            largest_m = largest_m.max(gpu[2].abs());
        }
        at_least(largest_m, 0.5, "the highest wave");
    }
}

#[test]
fn what_is_no_record_is_named() {
    let folder = folder("points-wrong");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let three = file("three.csv", "x,z\n1,2\n1,2,3\n");
    let words = file("words.csv", "1,2\n\nhere,there\n");
    let empty = file("empty.csv", "# nothing\n");
    let gone = folder.join("gone.csv").display().to_string();
    for (options, code, hint) in [
        ("", 2, "--at"),
        ("--at 1", 2, "1 is odd"),
        ("--at 1,north", 2, "north"),
        ("--at 0,0 --hz 0", 2, "from 0.001 to 1000"),
        ("--at 0,0 --from 5 --to 5", 2, "is not after --from 5"),
        ("--at 0,0 --to 1e7 --hz 1000", 2, "more than 1e8"),
        ("--at 0,0 --buoy anchored", 2, "moored"),
        (&*format!("--file {three}"), 1, "three.csv:3: "),
        (&*format!("--file {words}"), 1, "words.csv:3: expected numbers of metres"),
        (&*format!("--file {empty}"), 1, "has no points"),
        (&*format!("--file {gone}"), 1, "could not be read"),
        (&*format!("--at 0,0 --out {}/no/where.csv", folder.display()), 1, "Create it first"),
    ] {
        seaway(&format!("points {options}")).expect_failure(code, &[hint]);
    }
    assert!(!Path::new("1").exists());
}
