//! A buoy that follows the sea: asks the GPU for the surface where it floats, in every frame, and takes
//! the answers as they come. Prints height, normal and velocity now and then, with the depth of the
//! shackle under it, and checks them against the same sea in double precision.
//!
//!     cargo run --example buoy

use seaway::query::{self, Point, Queries, QueryOptions, Request, SurfacePoint, When};
use seaway::settings::SeaState;
use seaway::{Ocean, OceanOptions};

const MOORING_M: [f64; 2] = [120.0, -45.0];
/// A buoy of a metre does not feel ripples.
const BUOY_M: f64 = 1.0;
/// The height of its shackle, over still water.
const SHACKLE_M: f64 = -3.0;
const FRAMES: u32 = 60;
const FRAMES_PER_S: f64 = 10.0;

async fn run() -> Result<(), Box<dyn std::error::Error>> {
    let options = OceanOptions { size: 128, ..Default::default() };
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = instance.request_adapter(&Default::default()).await?;
    let (device, queue) = adapter
        .request_device(&wgpu::DeviceDescriptor {
            required_features: Ocean::required_features(&options),
            required_limits: Ocean::required_limits(&options)?,
            ..Default::default()
        })
        .await?;
    let ocean = Ocean::new(&device, &queue, &SeaState::default(), options)?;
    let mut queries =
        Queries::new(&device, &queue, &ocean, QueryOptions { capacity: 1, ..Default::default() })?;
    let mut check = Check::new(&ocean);

    let point = Point { position_m: MOORING_M, footprint_m: BUOY_M, ..Point::default() };
    // One request in every frame; answers come a frame or two later.
    let mut under_way: Vec<Request> = Vec::new();
    for frame in 0..FRAMES {
        let time_s = f64::from(frame) / FRAMES_PER_S;
        let mut encoder = device.create_command_encoder(&Default::default());
        ocean.encode(&mut encoder, time_s);
        match queries.encode(&queue, &mut encoder, &ocean, When::Drawn { time_s }, &[point]) {
            Ok(request) => under_way.push(request),
            // The GPU is behind: the buoy is asked about again in the next frame.
            Err(query::QueryError::Busy { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        // Here the picture would be drawn.
        queue.submit([encoder.finish()]);
        device.poll(wgpu::PollType::Poll)?;
        check.take(&mut under_way)?;
    }
    device.poll(wgpu::PollType::wait_indefinitely())?;
    check.take(&mut under_way)?;
    if check.answers == 0 { Err("no answer came".into()) } else { Ok(()) }
}

/// The same sea in double precision.
struct Check {
    twin: query::cpu::Queries,
    wave_height_m: f64,
    answers: u32,
}

impl Check {
    fn new(ocean: &Ocean) -> Self {
        let initial = ocean.spectrum().clone();
        let wave_height_m = initial.significant_wave_height_m();
        Self { twin: query::cpu::Queries::new(initial, ocean.options()), wave_height_m, answers: 0 }
    }

    /// Takes those answers that are here.
    fn take(&mut self, under_way: &mut Vec<Request>) -> Result<(), Box<dyn std::error::Error>> {
        for request in &mut *under_way {
            if let Some(answer) = request.answer() {
                let answer = answer?;
                self.look_at(answer.time_s, &answer.points[0])?;
            }
        }
        under_way.retain(|request| !request.is_answered());
        Ok(())
    }

    fn look_at(&mut self, time_s: f64, found: &SurfacePoint) -> Result<(), String> {
        self.answers += 1;
        if !(self.answers - 1).is_multiple_of(10) {
            return Ok(());
        }
        let [nx, ny, nz] = found.normal;
        let [vx, vy, vz] = found.velocity_mps.ok_or("no velocity")?;
        println!(
            "{time_s:4.1} s: height {:6.3} m, normal ({nx:.3}, {ny:.3}, {nz:.3}), \
             velocity ({vx:.2}, {vy:.2}, {vz:.2}) m/s, shackle {:.3} m deep",
            found.height_m,
            found.depth_m(SHACKLE_M)
        );
        if !found.is_over(SHACKLE_M) {
            return Err("the shackle is in the air".to_owned());
        }
        let point = Point { position_m: MOORING_M, footprint_m: BUOY_M, ..Point::default() };
        let expected = self.twin.at(time_s).surface_at(point);
        if (found.height_m - expected.height_m).abs() > 0.001 + 0.001 * self.wave_height_m {
            return Err(format!("the height should be {:.3} m", expected.height_m));
        }
        let [_, expected_mps, _] = expected.velocity_mps.ok_or("no velocity")?;
        if (vy - expected_mps).abs() > 0.02 {
            return Err(format!("the velocity should be {expected_mps:.2} m/s upwards"));
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    pollster::block_on(run())
}

#[test]
fn the_buoy_follows_the_sea() {
    main().unwrap();
}
