//! The measurements of the papers besides single transforms.

use serde::{Deserialize, Serialize};

use super::processor;
use crate::choice::{Choice as _, choices};
use crate::fft::lab::additive::{self, AdditivePlan, Field};
use crate::fft::lab::timing::{self, Measurement, Method, Regime, Times};
use crate::fft::lab::{self, Algorithm, Gate, References, Workload};
use crate::fft::{Descriptor, Direction, Layout};
use crate::filter::{Band, Channels, FilterDescriptor, ImageFilter};
use crate::gpu::{self, Context};

choices! {
    /// The values of `--other`.
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    pub enum Other {
        /// The band-pass filter of `seaway filter` on images of --size (Lloyd et al. 2008, figure 1)
        Filter = "filter",
        /// The passes of cooley-tukey-multipass with and without their arithmetic, beside a copy, on four
        /// images of --size (Lloyd et al. 2008, section 5)
        Passes = "passes",
        /// --batch lines of --size points in the processor's memory, of which the processor transforms a
        /// share and the GPU the rest (Zhang et al., section 5)
        SharedBatch = "shared-batch",
        /// Additive transforms over GF(65536) of lines of --size values, 65,536 values in all (Mateer
        /// 2008, figures 4.5 and 4.6)
        Additive = "additive",
    }
}

/// One measurement. The field names are the keys of the JSON output, which is stable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The measurement, a value of `--other`.
    pub measurement: Other,
    /// The case of it, such as the channels of a filter.
    pub case: String,
    pub size: u32,
    /// The lines or images.
    pub batch: u32,
    #[serde(flatten)]
    pub times: Times,
    /// Relative L2 error of the result. Of additive transforms, which are exact, the share of wrong values.
    pub error: f64,
}

/// The largest size: the values of the field of additive transforms.
pub const LARGEST: u32 = 1 << 16;

/// Largest error of a filter that lets all frequencies pass, of two transforms with the gate's 1e-6 each.
const FILTER_GATE: f64 = 2e-6;
const LINE_GATE: f64 = 1e-6;

/// The reason why something could not be measured.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Measures `other` at one size.
///
/// # Errors
/// The device does not answer or cannot run it, or a result is wrong. [`Other::SharedBatch`] takes the cores of a
/// native program.
pub async fn measure(
    other: Other,
    size: u32,
    method: &Method,
    context: &Context,
) -> Result<Vec<Row>, Error> {
    let bench = Bench { other, size, method, context };
    match other {
        Other::Filter => bench.filter().await,
        Other::Passes => bench.passes().await,
        Other::SharedBatch => Err("a batch is shared by `seaway bench` only".into()),
        Other::Additive => bench.additive().await,
    }
}

impl Row {
    pub fn new(
        measurement: Other,
        size: u32,
        case: &str,
        batch: u32,
        times: &Measurement,
        error: f64,
    ) -> Self {
        let (case, times) = (case.to_owned(), times.times());
        Self { measurement, case, size, batch, times, error }
    }

    pub fn is_right(&self) -> bool {
        let most = match self.measurement {
            Other::Filter => FILTER_GATE,
            Other::Passes | Other::SharedBatch => LINE_GATE,
            Other::Additive => 0.0,
        };
        self.error <= most
    }
}

struct Bench<'a> {
    other: Other,
    size: u32,
    method: &'a Method,
    context: &'a Context,
}

impl Bench<'_> {
    fn row(&self, case: &str, batch: u32, measurement: &Measurement, error: f64) -> Row {
        Row::new(self.other, self.size, case, batch, measurement, error)
    }

    async fn time(
        &self,
        encode: impl Fn(&mut wgpu::ComputePass<'_>, u32),
    ) -> Result<Measurement, Error> {
        let Context { device, queue, .. } = self.context;
        Ok(timing::measure(device, queue, self.method, encode).await?)
    }

    async fn filter(&self) -> Result<Vec<Row>, Error> {
        let mut rows = Vec::new();
        let Context { device, queue, .. } = self.context;
        for (case, channels) in [("grey", Channels::Grey), ("colour", Channels::Colour)] {
            let task = FilterDescriptor { size: [self.size; 2], channels, algorithm: None };
            let filter = ImageFilter::new(device, queue, &task)?;
            let floats = (self.size * self.size) as usize * channels.floats();
            let mut pixels = lab::noise(0, floats.div_ceil(2)).into_flattened();
            pixels.truncate(floats);
            filter.set_pixels(queue, &pixels);
            filter.set_band(queue, &Band::ALL, 0.0);
            run(self.context, |pass| filter.encode(pass));
            let bytes = gpu::read_buffer(device, queue, filter.result()).await?;
            let error = relative_l2(&bytemuck::pod_collect_to_vec::<_, f32>(&bytes), &pixels);
            filter.set_band(queue, &Band::new(4.0, f64::from(self.size) / 8.0, 4.0)?, 0.0);
            let measurement = self.time(|pass, _| filter.encode(pass)).await?;
            rows.push(self.row(case, 1, &measurement, error));
        }
        Ok(rows)
    }

    async fn passes(&self) -> Result<Vec<Row>, Error> {
        let Context { device, queue, .. } = self.context;
        let task =
            Descriptor { batch: 4, layout: Layout::Pair, ..Descriptor::image([self.size; 2]) };
        let task = task.by(Algorithm::CooleyTukeyMultipass);
        let whole = Workload::new(device, queue, &task, Regime::Hot).await?;
        whole.run();
        let accuracy = whole.accuracy([0, 3], &mut References::default()).await?;
        if !Gate::of(&task).passes(accuracy) {
            return Err(Gate::of(&task).describe(accuracy).into());
        }
        let bare = Workload::without_arithmetic(device, queue, &task, Regime::Hot).await?;
        let copy = Workload::copy(device, queue, &task, Regime::Hot).await?;
        let cases = [("with arithmetic", whole, accuracy.relative_l2), ("without", bare, 0.0)];
        let mut rows = Vec::new();
        for (case, workload, error) in cases.into_iter().chain([("a copy", copy, 0.0)]) {
            let measurement = workload.measure(self.method, None).await?;
            rows.push(self.row(case, task.batch, &measurement, error));
        }
        Ok(rows)
    }

    async fn additive(&self) -> Result<Vec<Row>, Error> {
        let mut rows = Vec::new();
        const DEGREE: u32 = 16;
        const VALUES: u32 = LARGEST;
        let Context { device, queue, .. } = self.context;
        let lines = VALUES / self.size;
        let field = Field::new(DEGREE)?;
        // Knuth's multiplicative hash: every value of the field in some order.
        let given: Vec<u32> = (0..VALUES).map(|n| n.wrapping_mul(40_503) % VALUES).collect();
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        for (name, method) in METHODS {
            let transform = additive::Transform::new(&field, method, self.size.ilog2())?;
            let all = |values: &mut [u32], direction| {
                let mut lines = values.chunks_exact_mut(self.size as usize);
                lines.try_for_each(|line| transform.transform(line, direction))
            };
            let mut values = given.clone();
            all(&mut values, Direction::Forward)?;
            let mut back = values.clone();
            all(&mut back, Direction::Inverse)?;
            let mut work = values.clone();
            let measurement = processor::measure(self.method, || {
                // It worked a moment ago.
                let _ = all(std::hint::black_box(&mut work), Direction::Inverse);
            });
            let case = format!("{name}, processor");
            rows.push(self.row(&case, lines, &measurement, mistakes(&back, &given)));

            let plan = AdditivePlan::new(device, &transform, lines, additive::Product::default())?;
            let buffer = gpu::filled(device, "additive", usage, bytemuck::cast_slice(&values));
            let bound = plan.bind(device, &buffer)?;
            run(self.context, |pass| bound.encode(pass, Direction::Inverse));
            let bytes = gpu::read_buffer(device, queue, &buffer).await?;
            let back: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
            let measurement = self.time(|pass, _| bound.encode(pass, Direction::Inverse)).await?;
            rows.push(self.row(
                &format!("{name}, GPU"),
                lines,
                &measurement,
                mistakes(&back, &given),
            ));
        }
        Ok(rows)
    }
}

/// Runs commands once.
pub fn run(context: &Context, encode: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
    let Context { device, queue, .. } = context;
    let mut encoder = device.create_command_encoder(&Default::default());
    encode(&mut encoder.begin_compute_pass(&Default::default()));
    queue.submit([encoder.finish()]);
}

/// The names of additive transforms.
pub const METHODS: [(&str, additive::Method); 2] = [
    (additive::Method::NAMES[0], additive::Method::ALL[0]),
    (additive::Method::NAMES[1], additive::Method::ALL[1]),
];

/// The share of `found` that differs from `expected`.
pub fn mistakes(found: &[u32], expected: &[u32]) -> f64 {
    let wrong = found.iter().zip(expected).filter(|(found, expected)| found != expected).count();
    wrong as f64 / expected.len() as f64
}

pub fn relative_l2(found: &[f32], expected: &[f32]) -> f64 {
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|v| v * v).sum::<f64>();
    let [found, expected] = [found, expected].map(|all| all.iter().copied().map(f64::from));
    let error = norm(&mut found.zip(expected.clone()).map(|(a, b)| a - b));
    (error / norm(&mut expected.clone())).sqrt()
}
