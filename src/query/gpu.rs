//! Queries of the sea on the GPU.

use std::sync::Arc;

use wgpu::TextureViewDimension::D2Array;

use super::gpu_data::{QueryAnswer, QueryParams, QueryPoint};
use super::{Point, QueryError, Request};
use crate::gpu::{
    Allocations, Capabilities, ComputeDescriptor, ComputePipeline, Limit, Memory, ReadbackBuffer,
    Uniform, bindings,
};
use crate::maps::Place;
use crate::ocean::Ocean;
use crate::profile::Recorder;

pub(super) const SHADER: &str = "query/points.wgsl";
pub(super) const WORKGROUP: u32 = 64;

/// The abilities of [`Queries`], which set their cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryOptions {
    /// The most points in a request, at least 1. Each takes 144 bytes in each request.
    pub capacity: u32,
    /// The most requests in flight, at least 1. Answers take a frame or two, so three suffice for one
    /// request in every frame.
    pub in_flight: u32,
    /// Whether to find velocities, too: each request then moves a second ocean of the same size to its
    /// time, whose waves are the rates of the first. It costs the memory and time of an ocean.
    pub velocity: bool,
    /// Whether requests may have other times than the drawn one ([`When::At`]): each of them then moves
    /// another ocean to its time.
    pub ahead: bool,
}

impl Default for QueryOptions {
    /// 4096 points, three requests in flight, with velocities, at the drawn time.
    fn default() -> Self {
        Self { capacity: 4096, in_flight: 3, velocity: true, ahead: false }
    }
}

/// The time of a request, in seconds. A time that is not finite is 0, as for [`Ocean::encode`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum When {
    /// The contents of the ocean's maps where the request is recorded.
    Drawn {
        /// The time that was recorded for the ocean last.
        time_s: f64,
    },
    /// The sea at any earlier or later time. It needs [`QueryOptions::ahead`].
    At {
        /// The time of the sea, in seconds.
        time_s: f64,
    },
}

impl When {
    fn time_s(self) -> f64 {
        match self {
            Self::Drawn { time_s } | Self::At { time_s } => time_s,
        }
    }
}

/// Queries an ocean on the GPU, many points in one dispatch. It neither submits nor waits: answers come
/// through the [`Request`] that recording gives.
///
/// Answers come from the drawn maps, sampled by the same functions
/// ([`sample_wgsl`](crate::maps::sample_wgsl)) at the level of a point's footprint. Answers do not
/// depend on [`Ocean::set_origin`]: each request has its own origin amid its points, and is precise to
/// 1e-7 of their distance from there. With the default options of the ocean, a point takes some 350
/// bilinear samples.
#[derive(Debug)]
pub struct Queries {
    options: QueryOptions,
    kernel: ComputePipeline,
    texture: wgpu::Texture,
    rates: Option<Ocean>,
    ahead: Option<Ocean>,
    /// The number of the ocean's sea that the two others hold.
    sea_number: u64,
    slots: Vec<Arc<Slot>>,
    /// The points in the shader's layout, kept for the allocation.
    points: Vec<QueryPoint>,
    next_number: u64,
}

#[derive(Debug)]
pub(super) struct Slot {
    params: Uniform<QueryParams>,
    points: wgpu::Buffer,
    answers: wgpu::Buffer,
    place: Place,
    group: wgpu::BindGroup,
    drawn: wgpu::BindGroup,
    ahead: Option<wgpu::BindGroup>,
    pub(super) readback: ReadbackBuffer,
}

impl Queries {
    /// Prepares queries of `ocean` alone.
    ///
    /// # Errors
    /// [`QueryError::NoRequests`] and [`QueryError::NoPoints`] where an option is 0, and others where
    /// the device has no room for the points, or for the oceans that velocities and other times need.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        ocean: &Ocean,
        options: QueryOptions,
    ) -> Result<Self, QueryError> {
        if options.in_flight == 0 {
            return Err(QueryError::NoRequests);
        }
        if options.capacity == 0 {
            return Err(QueryError::NoPoints);
        }
        check_limits(&Capabilities::of(device), options.capacity)?;
        let maps = ocean.maps();
        let another = |spectrum| Ocean::with_spectrum(device, queue, spectrum, *ocean.options());
        let rates = options.velocity.then(|| another(ocean.spectrum().rates())).transpose()?;
        let ahead = options.ahead.then(|| another(ocean.spectrum().clone())).transpose()?;

        let texture =
            if maps.filterable() { bindings::texture } else { bindings::unfiltered_texture };
        let types = [
            bindings::uniform(),
            bindings::storage_read(),
            bindings::storage_read_write(),
            texture(D2Array),
        ];
        let layout =
            bindings::layout(device, "Queries::layout", wgpu::ShaderStages::COMPUTE, &types);
        let layouts = [Some(&layout), Some(&maps.group().layout)];
        let kernel = ocean
            .pipelines()
            .compute(ComputeDescriptor::new("query", SHADER, "points", &layouts))?;
        let slot = || Slot::new(device, &layout, ocean, rates.as_ref(), ahead.as_ref(), options);
        Ok(Self {
            options,
            kernel,
            texture: maps.texture().clone(),
            slots: (0..options.in_flight).map(|_| Arc::new(slot())).collect(),
            rates,
            ahead,
            sea_number: ocean.sea_number(),
            points: Vec::with_capacity(options.capacity as usize),
            next_number: 0,
        })
    }

    /// Records a request, to be submitted after this call and before the next change of `ocean`'s
    /// spectrum. After such a change, the first request also writes the sea of rates, which takes as
    /// much processor time as [`Ocean::set_spectrum`].
    ///
    /// # Errors
    /// [`QueryError::Capacity`] for too many points, [`QueryError::Busy`] where too many requests are in
    /// flight, [`QueryError::NotAhead`] for another time without [`QueryOptions::ahead`],
    /// [`QueryError::OtherOcean`] for an ocean that these queries were not made for. Nothing is recorded
    /// then.
    pub fn encode(
        &mut self,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        ocean: &Ocean,
        when: When,
        points: &[Point],
    ) -> Result<Request, QueryError> {
        self.record(queue, &mut Recorder::new(encoder), ocean, when, points)
    }

    /// Records a request as [`Queries::encode`] does, and times each stage where `recorder` does.
    ///
    /// # Errors
    /// Those of [`Queries::encode`].
    pub fn record(
        &mut self,
        queue: &wgpu::Queue,
        recorder: &mut Recorder<'_>,
        ocean: &Ocean,
        when: When,
        points: &[Point],
    ) -> Result<Request, QueryError> {
        let QueryOptions { capacity, in_flight, .. } = self.options;
        if points.len() > capacity as usize {
            return Err(QueryError::Capacity { points: points.len(), capacity });
        }
        if *ocean.maps().texture() != self.texture {
            return Err(QueryError::OtherOcean);
        }
        let is_ahead = matches!(when, When::At { .. });
        if is_ahead && self.ahead.is_none() {
            return Err(QueryError::NotAhead);
        }
        let slot = self.free_slot().ok_or(QueryError::Busy { in_flight })?;
        self.follow(queue, ocean)?;

        let time_s = when.time_s();
        let origin_m = middle(points);
        self.points.clear();
        self.points.extend(points.iter().map(|point| {
            let [x, z] = [0, 1].map(|i| (point.position_m[i] - origin_m[i]) as f32);
            [x, z, point.sound_footprint_m() as f32, f32::from(u8::from(point.is_at_rest))]
        }));
        let params =
            QueryParams { count: points.len() as u32, has_velocity: self.rates.is_some().into() };
        slot.params.write(queue, &params);
        slot.place.write(queue, ocean.maps(), origin_m);
        queue.write_buffer(&slot.points, 0, bytemuck::cast_slice(&self.points));

        let ahead = self.ahead.as_ref().filter(|_| is_ahead);
        for moved in [ahead, self.rates.as_ref()].into_iter().flatten() {
            moved.record(recorder, time_s);
        }
        let kernel = &self.kernel;
        let maps = if is_ahead { slot.ahead.as_ref() } else { Some(&slot.drawn) };
        recorder.compute("query", |stages| {
            stages.stage("points", |pass| {
                pass.set_pipeline(&kernel.get());
                pass.set_bind_group(0, &slot.group, &[]);
                pass.set_bind_group(1, maps, &[]);
                pass.dispatch_workgroups(params.count.div_ceil(WORKGROUP), 1, 1);
            });
        });
        let encoder = recorder.encoder();
        let bytes = points.len() as u64 * size_of::<QueryAnswer>() as u64;
        encoder.copy_buffer_to_buffer(&slot.answers, 0, slot.readback.buffer(), 0, bytes);
        slot.readback.map_on_submit(encoder);

        let number = self.next_number;
        self.next_number += 1;
        Ok(Request {
            number,
            time_s,
            origin_m,
            points: points.len(),
            has_velocity: self.rates.is_some(),
            slot: Some(slot),
        })
    }

    /// The options that the queries were made with.
    pub fn options(&self) -> QueryOptions {
        self.options
    }

    /// The memory that they take, their oceans included.
    pub fn memory(&self) -> Memory {
        let oceans = [&self.rates, &self.ahead].into_iter().flatten();
        let oceans: Memory = oceans.map(|ocean| ocean.allocations()).sum();
        oceans + self.slots.iter().map(|slot| slot.memory()).sum()
    }

    /// A slot without a request or a pending answer.
    fn free_slot(&self) -> Option<Arc<Slot>> {
        // The answer of a dropped request may still be pending.
        let unclaimed = || self.slots.iter().filter(|slot| Arc::strong_count(slot) == 1);
        unclaimed().for_each(|slot| slot.readback.reset());
        unclaimed().find(|slot| slot.readback.is_free()).cloned()
    }

    /// Makes the other oceans show the sea of `ocean`.
    fn follow(&mut self, queue: &wgpu::Queue, ocean: &Ocean) -> Result<(), QueryError> {
        if self.sea_number != ocean.sea_number() {
            let show = |other: &mut Ocean, spectrum: &_| other.set_spectrum(queue, spectrum);
            if let Some(rates) = &mut self.rates {
                show(rates, &ocean.spectrum().rates())?;
            }
            if let Some(ahead) = &mut self.ahead {
                show(ahead, ocean.spectrum())?;
            }
            self.sea_number = ocean.sea_number();
        }
        Ok(())
    }
}

impl Slot {
    fn new(
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        ocean: &Ocean,
        rates: Option<&Ocean>,
        ahead: Option<&Ocean>,
        options: QueryOptions,
    ) -> Self {
        let capacity = u64::from(options.capacity);
        let buffer = |label, bytes_per_point: usize, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: capacity * bytes_per_point as u64,
                usage: wgpu::BufferUsages::STORAGE | usage,
                mapped_at_creation: false,
            })
        };
        let (coming, going) = (wgpu::BufferUsages::COPY_DST, wgpu::BufferUsages::COPY_SRC);
        let points = buffer("Queries::points", size_of::<QueryPoint>(), coming);
        let answer_bytes = size_of::<QueryAnswer>();
        let answers = buffer("Queries::answers", answer_bytes, going);
        let params = Uniform::new(device, "Queries::params");
        // Without rates, any map with the right type is bound.
        let rate_map = rates.unwrap_or(ocean).maps().displacement();
        let group = bindings::group(
            device,
            "Queries::group",
            layout,
            &[&params, &points, &answers, rate_map],
        );
        let place = Place::new(device);
        let maps_layout = ocean.maps().bind_group_layout();
        let placed = |ocean: &Ocean| place.bind_group(device, maps_layout, ocean.maps());
        Self {
            drawn: placed(ocean),
            ahead: ahead.map(placed),
            readback: ReadbackBuffer::new(
                device,
                "Queries::readback",
                capacity * answer_bytes as u64,
            ),
            params,
            points,
            answers,
            place,
            group,
        }
    }

    fn memory(&self) -> Memory {
        (self.params.allocations::<Memory>()
            + self.place.allocations()
            + self.readback.allocations())
        .with_buffer(&self.points)
        .with_buffer(&self.answers)
    }
}

fn check_limits(capabilities: &Capabilities, capacity: u32) -> Result<(), QueryError> {
    let bytes = u64::from(capacity) * size_of::<QueryAnswer>() as u64;
    let workgroups = u64::from(capacity.div_ceil(WORKGROUP));
    for (limit, needed) in [
        (Limit::StorageBinding, bytes),
        (Limit::Buffer, bytes),
        (Limit::WorkgroupsPerDimension, workgroups),
    ] {
        let available = limit.of(capabilities);
        if needed > available {
            return Err(QueryError::Limit { capacity, limit, needed, available });
        }
    }
    Ok(())
}

/// The middle of the extent of those points that are finite.
fn middle(points: &[Point]) -> [f64; 2] {
    [0, 1].map(|axis| {
        let along = points.iter().map(|point| point.position_m[axis]);
        let extent = along.filter(|at| at.is_finite()).fold(None, |extent, at| {
            let (low, high) = extent.unwrap_or((at, at));
            Some((at.min(low), at.max(high)))
        });
        extent.map_or(0.0, |(low, high): (f64, f64)| 0.5 * low + 0.5 * high)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_that_of_numbers() {
        assert_eq!(middle(&[]), [0.0; 2]);
        let points = [[1.0, -4.0], [f64::NAN, f64::INFINITY], [3.0, 8.0]].map(Point::at);
        assert_eq!(middle(&points), [2.0, 2.0]);
    }

    #[test]
    fn shaders_are_valid() {
        crate::gpu::assert_valid(crate::query::shaders());
    }

    #[test]
    fn too_many_points_name_the_limit() {
        let error = check_limits(&Capabilities::webgpu_defaults(), 3_000_000).unwrap_err();
        assert!(error.to_string().contains("maxStorageBufferBindingSize = 192000000"), "{error}");
    }
}
