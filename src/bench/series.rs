//! A series of transforms to check and time, as `seaway bench` and the papers' figures describe it: plain data,
//! and the one way to measure it, for commands and for pages.

use crate::fft::lab::timing::{Method, Regime};
use crate::fft::lab::{self, Algorithm, AlgorithmChoice, Configuration, References, Value};
use crate::fft::lab::{Workload, WorkloadError};
use crate::fft::{Axis, Descriptor, Direction, Kind, Layout, Normalization, Placement, Precision};
use crate::gpu::{Capabilities, Context, ReadbackError};

use super::parameters::{Parameters, Sweep};
use super::{Figures, Laboratory, Outcome, Problem, Row, Size, processor};

/// Transforms by every algorithm, of every size and form.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub algorithms: Vec<AlgorithmChoice>,
    pub sizes: Vec<Size>,
    pub dimensions: Vec<u32>,
    pub batch: Vec<u32>,
    pub kinds: Vec<Kind>,
    pub precisions: Vec<Precision>,
    /// The usual factor of each precision, if it is not given.
    pub normalization: Option<Normalization>,
    pub direction: Direction,
    /// The usual layout of each problem, if it is not given.
    pub layout: Option<Layout>,
    pub placements: Vec<Placement>,
    pub regimes: Vec<Regime>,
    /// Whether each axis is timed on its own, too.
    pub axes: bool,
    pub parameters: Parameters,
    /// Parameters at one value after another, in all combinations.
    pub sweeps: Vec<Sweep>,
    /// The numbers of invocations for a single line of each size.
    pub invocations: Option<Vec<u32>>,
}

impl Default for Series {
    /// Returns the values of `seaway bench` without options, for no algorithm and no size.
    fn default() -> Self {
        Self {
            algorithms: Vec::new(),
            sizes: Vec::new(),
            dimensions: vec![2],
            batch: vec![4],
            kinds: vec![Kind::Complex],
            precisions: vec![Precision::F32],
            normalization: None,
            direction: Direction::Inverse,
            layout: None,
            placements: vec![Placement::OutOfPlace],
            regimes: vec![Regime::Hot],
            axes: false,
            parameters: Parameters::default(),
            sweeps: Vec::new(),
            invocations: None,
        }
    }
}

/// The parts of a measurement that differ between a command and a page.
pub trait Host {
    /// An error ends the series.
    type Error: From<ReadbackError> + From<WorkloadError>;

    /// Is called before the transforms of a problem, which `words` describe.
    fn begin(&mut self, words: &str) -> Result<(), Self::Error>;

    /// `task` with the algorithm of an open choice.
    async fn resolve(
        &mut self,
        choice: AlgorithmChoice,
        task: &Descriptor,
    ) -> Result<Descriptor, Self::Error>;

    /// Fails with the error that the device has reported, if there is one.
    fn check(&mut self) -> Result<(), Self::Error>;

    /// Adds the times of other libraries for the same task.
    fn add_peers(
        &mut self,
        figures: &mut Figures,
        task: &Descriptor,
        regime: Regime,
        references: &mut References,
    );

    /// Takes a row as soon as it is measured.
    fn keep(&mut self, row: Row) -> Result<(), Self::Error>;

    /// Is called after each algorithm of a problem.
    fn advance(&mut self) {}
}

/// Dimensions, and width, height and depth.
pub type Extent = (u32, [u32; 3]);

/// The longest line of [`Series::invocations`].
pub const LONGEST: u32 = 1 << 15;

/// Every size in as many dimensions as it is written for. Fails for a size that is written for none of them.
pub fn extents(sizes: &[Size], dimensions: &[u32]) -> Result<Vec<Extent>, String> {
    let mut extents = Vec::new();
    for &size in sizes {
        let before = extents.len();
        for &dimensions in dimensions {
            extents.extend(size.extent(dimensions).map(|extent| (dimensions, extent)));
        }
        if extents.len() == before {
            let sides = size.to_string().split('x').count();
            return Err(format!("--size {size} needs --dimensions {sides}"));
        }
    }
    Ok(extents)
}

/// The factor of the results: the given one, or the usual one of `precision`.
pub fn normalization(given: Option<Normalization>, precision: Precision) -> Normalization {
    let usual = match precision {
        Precision::F32 | Precision::F64 => Normalization::None,
        Precision::F16 => Normalization::Ortho,
    };
    given.unwrap_or(usual)
}

/// An algorithm with its parameters at one point of a sweep.
struct Variant {
    /// The configuration, or why it is not possible.
    configuration: Result<Configuration, String>,
    /// Invocations of a line, of `--invocations`.
    invocations: Option<u32>,
}

impl Series {
    /// Whether an algorithm is timed with more than one configuration.
    pub fn is_swept(&self) -> bool {
        !self.sweeps.is_empty() || self.invocations.is_some()
    }

    /// The algorithms that have what is requested, and the sizes of lines, images or volumes.
    ///
    /// # Errors
    /// A message for the user, in the terms of the command line.
    pub fn subjects(&self) -> Result<(Vec<AlgorithmChoice>, Vec<Extent>), String> {
        let algorithms = self.swept_algorithms()?;
        self.parameters.check(&algorithms)?;
        let extents = match self.invocations {
            Some(_) => {
                let lines = super::squares(&self.sizes, "--invocations", LONGEST)?;
                lines.into_iter().map(|length| (1, [length, 1, 1])).collect()
            }
            None => extents(&self.sizes, &self.dimensions)?,
        };
        Ok((algorithms, extents))
    }

    /// Returns those of the algorithms that have the swept parameters. Fails for an algorithm that leaves its
    /// parameters open, or no algorithm with the swept ones.
    fn swept_algorithms(&self) -> Result<Vec<AlgorithmChoice>, String> {
        if !self.is_swept() {
            return Ok(self.algorithms.clone());
        }
        let names: Vec<&str> = match &self.invocations {
            Some(_) => vec!["row-lines", "row-butterflies"],
            None => self.sweeps.iter().map(|sweep| sweep.name).collect(),
        };
        let named = self.algorithms.iter().filter_map(|choice| choice.named());
        let has = |algorithm: &Algorithm| {
            names
                .iter()
                .all(|name| algorithm.parameters().iter().any(|parameter| parameter.name == *name))
        };
        let having: Vec<_> = named.filter(has).map(AlgorithmChoice::Named).collect();
        if having.is_empty() {
            use crate::choice::Choice as _;
            let all = Algorithm::ALL.iter().filter(|algorithm| has(algorithm));
            let all: Vec<_> = all.map(|algorithm| algorithm.name()).collect();
            return Err(match all.is_empty() {
                true => format!("no algorithm has all of the parameters {}", names.join(", ")),
                false => format!(
                    "a sweep of {} needs an algorithm that has them, given by name: --algorithm {}",
                    names.join(", "),
                    all.join(",")
                ),
            });
        }
        Ok(having)
    }

    fn batches(&self) -> &[u32] {
        if self.invocations.is_some() { &[1] } else { &self.batch }
    }

    /// The number of calls of [`Host::advance`]: one for each algorithm and task.
    pub fn steps(&self) -> usize {
        let Ok((algorithms, extents)) = self.subjects() else { return 0 };
        let forms =
            self.kinds.len() * self.precisions.len() * self.placements.len() * self.regimes.len();
        extents.len() * self.batches().len() * forms * algorithms.len()
    }

    /// The tasks of every algorithm for `problem`: one for each precision and placement.
    fn tasks(&self, problem: Problem) -> Vec<Descriptor> {
        let usual = match (problem.kind, problem.dimensions) {
            (Kind::Complex, 2) => Layout::Pair,
            _ => Layout::Planar,
        };
        let layout = self.layout.unwrap_or(usual);
        let mut tasks = Vec::new();
        for &precision in &self.precisions {
            for &placement in &self.placements {
                tasks.push(Descriptor {
                    direction: self.direction,
                    normalization: normalization(self.normalization, precision),
                    precision,
                    placement,
                    ..problem.task(layout)
                });
            }
        }
        tasks
    }

    /// The timed variants of `algorithm` on `task`: with the requested parameters and the swept ones.
    fn variants(
        &self,
        algorithm: Algorithm,
        task: &Descriptor,
        capabilities: &Capabilities,
    ) -> Vec<Variant> {
        if let Some(numbers) = &self.invocations {
            let of = |number: u32| Variant {
                configuration: by_invocations(
                    algorithm,
                    &self.parameters,
                    number,
                    task,
                    capabilities,
                ),
                invocations: Some(number),
            };
            return numbers.iter().map(|number| of(*number)).collect();
        }
        let mut combinations: Vec<Vec<(&'static str, Value)>> = vec![Vec::new()];
        for Sweep { name, values } in &self.sweeps {
            combinations = combinations
                .iter()
                .flat_map(|before| {
                    values.iter().map(move |value| {
                        let mut combination = before.clone();
                        combination.push((*name, *value));
                        combination
                    })
                })
                .collect();
        }
        let variant = |combination: Vec<(&'static str, Value)>| Variant {
            configuration: self
                .parameters
                .with(&combination)
                .of(algorithm)
                .map_err(|error| error.to_string()),
            invocations: None,
        };
        combinations.into_iter().map(variant).collect()
    }

    /// Checks and times everything; each row goes to `host` as it comes.
    ///
    /// # Errors
    /// An error of `host`, or that the device does not answer.
    pub async fn measure<H: Host>(
        &self,
        subjects: (Vec<AlgorithmChoice>, Vec<Extent>),
        context: &Context,
        laboratory: &mut Laboratory<'_>,
        host: &mut H,
    ) -> Result<(), H::Error> {
        let (algorithms, extents) = subjects;
        let mut run = Run { series: self, context, laboratory, host };
        for (dimensions, extent) in extents {
            for &kind in &self.kinds {
                // One size at a time: the references of all would fill the memory.
                *run.laboratory.references() = References::default();
                for &batch in self.batches() {
                    let problem = Problem { kind, dimensions, extent, batch };
                    for task in self.tasks(problem) {
                        for &regime in &self.regimes {
                            run.rows(&algorithms, problem, &task, regime).await?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

struct Run<'a, 'd, H> {
    series: &'a Series,
    context: &'a Context,
    laboratory: &'a mut Laboratory<'d>,
    host: &'a mut H,
}

impl<H: Host> Run<'_, '_, H> {
    /// Measures all of `algorithms` on `task`.
    async fn rows(
        &mut self,
        algorithms: &[AlgorithmChoice],
        problem: Problem,
        task: &Descriptor,
        regime: Regime,
    ) -> Result<(), H::Error> {
        let Descriptor { precision, placement, .. } = task;
        self.host.begin(&format!("{}, {precision}, {placement}, {regime}", problem.in_words()))?;
        let copy_us = self.laboratory.copy_us(task, regime).await;
        let copy_us = self.host.check().ok().and(copy_us.ok());
        for &choice in algorithms {
            match choice.named() {
                Some(algorithm) => {
                    let capabilities = &self.context.capabilities;
                    let variants = self.series.variants(algorithm, task, capabilities);
                    self.variants(choice, variants, task, regime, copy_us).await?;
                }
                None => {
                    let descriptor = self.host.resolve(choice, task).await?;
                    let outcome = self.outcome(&descriptor, regime, copy_us).await?;
                    let row = self.row(choice, &descriptor, regime, outcome);
                    self.host.keep(row)?;
                }
            }
            self.host.advance();
        }
        Ok(())
    }

    /// Measures one algorithm with one set of parameters after another.
    async fn variants(
        &mut self,
        choice: AlgorithmChoice,
        variants: Vec<Variant>,
        task: &Descriptor,
        regime: Regime,
        copy_us: Option<f64>,
    ) -> Result<(), H::Error> {
        let is_swept = self.series.is_swept();
        let mut first_us = None;
        for Variant { configuration, invocations } in variants {
            let row = match configuration {
                // It lacks a requested parameter.
                Err(reason) => self.row(choice, task, regime, Outcome::skipped(reason)),
                Ok(configuration) => {
                    let descriptor = task.clone().by(configuration);
                    let mut outcome = self.outcome(&descriptor, regime, copy_us).await?;
                    if let Outcome::Measured(figures) = &mut outcome {
                        let first_us = *first_us.get_or_insert(figures.times.median_us);
                        figures.speed_up = is_swept.then_some(first_us / figures.times.median_us);
                    }
                    self.row(choice, &descriptor, regime, outcome)
                }
            };
            self.host.keep(Row { invocations, ..row })?;
        }
        Ok(())
    }

    fn row(
        &self,
        choice: AlgorithmChoice,
        descriptor: &Descriptor,
        regime: Regime,
        outcome: Outcome<Box<Figures>>,
    ) -> Row {
        let capabilities = &self.context.capabilities;
        let chosen = match choice.named() {
            Some(_) => None,
            None => descriptor
                .algorithm
                .or_else(|| lab::choose(descriptor, capabilities).ok())
                .map(|configuration| configuration.complete(descriptor, capabilities))
                .and_then(Result::ok),
        };
        let adapter = self.context.describe();
        Row::new(choice.name(), chosen, descriptor, regime, adapter, outcome)
    }

    async fn outcome(
        &mut self,
        descriptor: &Descriptor,
        regime: Regime,
        copy_us: Option<f64>,
    ) -> Result<Outcome<Box<Figures>>, H::Error> {
        // Before anything is timed: a wrong result has no time.
        let checked = self.laboratory.check(descriptor, regime).await;
        // The GPU's own complaint comes first: it is the cause of a failed read-back.
        self.host.check()?;
        let checked = match checked?.measured() {
            Ok(checked) => checked,
            Err(other) => return Ok(other),
        };
        let figures = self.laboratory.figures(&checked, copy_us).await;
        self.host.check()?;
        let mut outcome = figures?;
        if let Outcome::Measured(figures) = &mut outcome {
            if self.series.axes {
                self.add_axes(figures, &checked.workload, descriptor).await?;
            }
            self.host.add_peers(figures, descriptor, regime, self.laboratory.references());
        }
        Ok(outcome)
    }

    /// Times each axis on its own, and the processor's time to record it.
    async fn add_axes(
        &mut self,
        figures: &mut Figures,
        workload: &Workload<'_>,
        descriptor: &Descriptor,
    ) -> Result<(), H::Error> {
        // With a single repetition, the time would be that of the pass.
        const TOGETHER: u32 = 50;
        if descriptor.algorithm.is_some_and(|known| known.is_of_one_dispatch()) {
            return Ok(());
        }
        let method: Method = self.laboratory.method();
        for &axis in descriptor.axes.list() {
            let times = self.laboratory.times(workload, Some(axis)).await;
            self.host.check()?;
            let us = Some(times?.median_us);
            let record = || workload.record(axis, TOGETHER);
            let record = || processor::measure(&method, record).median_us() / f64::from(TOGETHER);
            match axis {
                Axis::Row => (figures.row_us, figures.row_encode_us) = (us, Some(record())),
                Axis::Column => {
                    (figures.column_us, figures.column_encode_us) = (us, Some(record()))
                }
                Axis::Depth => figures.depth_us = us,
            }
        }
        Ok(())
    }
}

/// `algorithm` with the `given` parameters and this number of invocations for the line of `task`.
fn by_invocations(
    algorithm: Algorithm,
    given: &Parameters,
    number: u32,
    task: &Descriptor,
    capabilities: &Capabilities,
) -> Result<Configuration, String> {
    let mut configuration = given.of(algorithm).map_err(|error| error.to_string())?;
    if ["row-lines", "row-butterflies"].iter().any(|name| configuration.get(name).is_some()) {
        return Err("--invocations sets row-lines and row-butterflies itself".into());
    }
    let mut set = |name, value| {
        let set = configuration.set(name, Some(Value::Integer(value)));
        set.map_err(|error| error.to_string()).map(|()| configuration)
    };
    let alone = set("row-lines", 1)?;
    // With nothing else said, as many invocations as there are butterflies, each with its share.
    let program = lab::program(&task.clone().by(alone), capabilities);
    let program = program.map_err(|error| error.to_string())?;
    let complete = alone.complete(task, capabilities).map_err(|error| error.to_string())?;
    let share = complete.given().into_iter().find_map(|(name, value)| match value {
        Value::Integer(share) if name == "row-butterflies" => Some(share),
        _ => None,
    });
    let lanes = program.kernels.first().map_or(1, |kernel| kernel.workgroup_size);
    let butterflies = lanes * share.unwrap_or(1);
    if number > butterflies {
        return Err(format!(
            "{algorithm} has {butterflies} butterflies in a stage, fewer than {number} invocations"
        ));
    }
    set("row-butterflies", butterflies / number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_invocations_that_were_asked_for() {
        let capabilities = Capabilities::webgpu_defaults();
        let task = Descriptor::lines(512, 1);
        let given = Parameters::default();
        for algorithm in [Algorithm::StockhamR2, Algorithm::CooleyTukey] {
            for number in [1, 2, 64, 256] {
                let found = by_invocations(algorithm, &given, number, &task, &capabilities);
                let found = found.unwrap();
                let program = lab::program(&task.clone().by(found), &capabilities).unwrap();
                assert_eq!(program.kernels[0].workgroup_size, number, "{algorithm}");
            }
            let error = by_invocations(algorithm, &given, 512, &task, &capabilities).unwrap_err();
            assert!(error.contains("256 butterflies"), "{error}");
        }
    }
}
