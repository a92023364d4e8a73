//! Once warm, our own code allocates nothing in a frame. What wgpu allocates while it records is
//! its own affair: every allocation is traced to who asked for it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};

use seaway::eye::{EyeLevel, EyeTracker};
use seaway::frame::{Frame, FrameDesc};
use seaway::gpu::TextureSpec;
use seaway::mesh::{Grid, MAX_TILES, SeaBounds, View};
use seaway::profile::Recorder;
use seaway::settings::{CameraPose, Light, Quality, QualityTier, Scenery, SeaState};
use seaway_core::testing::context;

struct Tracing;

#[global_allocator]
static ALLOCATOR: Tracing = Tracing;

thread_local! {
    static ARMED: Cell<bool> = const { Cell::new(false) };
    static TRACES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

impl Tracing {
    fn note() {
        // Threads of the driver have no say, nor has the note itself.
        if ARMED.try_with(|armed| armed.replace(false)) == Ok(true) {
            let trace = Backtrace::force_capture().to_string();
            TRACES.with_borrow_mut(|traces| traces.push(trace));
            ARMED.set(true);
        }
    }
}

// SAFETY: everything is handed to the system's allocator as it came.
unsafe impl GlobalAlloc for Tracing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::note();
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::note();
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Backtraces of all allocations that `body` makes on this thread.
fn allocations(body: impl FnOnce()) -> Vec<String> {
    ARMED.set(true);
    body();
    ARMED.set(false);
    TRACES.take()
}

/// Whether it was Seaway that asked: the innermost function that belongs to it or to wgpu.
fn is_ours(trace: &str) -> bool {
    // A function's line, and one that begins with "at" where its file is known.
    let mut lines = trace.lines().map(str::trim_start).peekable();
    while let Some(function) = lines.next() {
        match lines.next_if(|line| line.starts_with("at ")) {
            // The standard library's, whose names may have ours and wgpu's as parameters.
            Some(file) if file.contains("/library/") => {}
            Some(file) if file.contains("/wgpu") || file.contains("/naga") => return false,
            Some(file) if file.contains("/src/") => return true,
            Some(_) => {}
            None if function.contains("wgpu") || function.contains("naga") => return false,
            None if function.contains("seaway::") => return true,
            None => {}
        }
    }
    false
}

fn camera(step: u32) -> CameraPose {
    let step = f64::from(step);
    CameraPose {
        x_m: 7.3 * step,
        y_m: 3.0 + step * step,
        yaw_deg: 11.0 * step,
        ..CameraPose::default()
    }
}

/// One test, so that no other thread runs beside it.
#[test]
fn our_code_allocates_nothing_once_warm() {
    // wgpu would take backtraces of its own, while it holds the lock that ours need.
    // SAFETY: no other thread of this program is running code of ours or of a driver yet.
    unsafe {
        std::env::remove_var("RUST_BACKTRACE");
        std::env::remove_var("RUST_LIB_BACKTRACE");
    }
    allocations_are_traced_to_who_made_them();
    selecting_tiles_allocates_nothing();
    recording_a_frame_allocates_nothing_of_ours();
}

fn allocations_are_traced_to_who_made_them() {
    let traces = allocations(|| drop(std::hint::black_box(vec![1u8; 100])));
    assert_eq!(traces.len(), 1);
    let mut tiles = Vec::new();
    let view = View::new(&camera(0), [1280, 720]);
    let traces = allocations(|| Grid::new(16, 0.2).select(&view, SeaBounds::default(), &mut tiles));
    assert!(!traces.is_empty() && traces.iter().all(|trace| is_ours(trace)), "{traces:?}");
}

fn selecting_tiles_allocates_nothing() {
    let grid = Grid::new(16, 0.1);
    let mut tiles = Vec::with_capacity(MAX_TILES);
    for step in 0..40 {
        let bounds = SeaBounds::from_wave_height(f64::from(step) * 0.3, 1.0);
        let traces = allocations(|| {
            grid.select(&View::new(&camera(step), [1280, 720]), bounds, &mut tiles);
        });
        assert!(traces.is_empty(), "{}", traces[0]);
    }
}

fn recording_a_frame_allocates_nothing_of_ours() {
    let context = context();
    let (device, queue) = (&context.device, &context.queue);
    let format = wgpu::TextureFormat::Rgba8UnormSrgb;
    let quality = Quality {
        size: 32,
        cascades: 2,
        cloud_steps: 4,
        cloud_texels: 16,
        ..Quality::of(QualityTier::Low)
    };
    let sea = SeaState::default();
    let mut frame = Frame::new(device, queue, &sea, &quality, format).unwrap();
    let target = TextureSpec::target("target", [32, 18], format).create_view(device);
    let mut eye = EyeTracker::new(device, queue, &frame).unwrap();
    let mut of_wgpu = 0;
    for step in 0..6 {
        let desc = FrameDesc {
            time_s: f64::from(step) / 30.0,
            resolution: [32, 18],
            camera: camera(step),
            light: Light {
                sun_elevation_deg: 20.0 + f64::from(step),
                turbidity: 0.1 * f64::from(step),
                ..Light::default()
            },
            scenery: Scenery { buoys: 5, ..Default::default() },
            ..Default::default()
        };
        let mut encoder = device.create_command_encoder(&Default::default());
        // With the eye on the water, which answers frames later: those that are here are taken.
        let mut waters = 0;
        let mut record = || {
            let CameraPose { x_m, y_m, z_m, .. } = desc.camera;
            let eye_level = EyeLevel::OnWater { height_m: EyeLevel::STANDING_M };
            let water = eye.water(&frame, eye_level, [x_m, y_m, z_m], desc.time_s);
            waters += u32::from(water.is_some());
            let recorder = &mut Recorder::new(&mut encoder);
            frame.record(recorder, &desc, &target);
            eye.record(recorder, &frame);
        };
        // The first frames make the targets.
        let traces = if step < 2 {
            record();
            Vec::new()
        } else {
            allocations(record)
        };
        assert_eq!(waters, u32::from(step > 0));
        queue.submit([encoder.finish()]);
        device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        if step >= 2 {
            let ours = traces.iter().find(|trace| is_ours(trace));
            assert!(ours.is_none(), "{}", ours.unwrap());
            of_wgpu = traces.len();
        }
    }
    println!("allocations by wgpu in a frame: {of_wgpu}");
}
