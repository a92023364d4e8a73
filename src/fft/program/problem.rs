//! What an algorithm is asked: the descriptor, the device, and what follows from the two.

use crate::choice::Choice as _;
use crate::fft::algorithms::{Parameters, Value, Values, is_smooth, smooth};
use crate::fft::descriptor::{Axis, Descriptor, Kind, Placement, Precision};
use crate::fft::error::Unsupported;
use crate::fft::program::Role;
use crate::fft::program::kernel::{Period, TableNumbers};
use crate::gpu::{Capabilities, Limit, shader};

pub(in crate::fft) struct Problem<'a> {
    pub descriptor: &'a Descriptor,
    pub capabilities: &'a Capabilities,
    /// The algorithm's name, for messages.
    pub algorithm: String,
    /// Refuse what the device has too little for. Otherwise the capabilities say how far to go where
    /// there is a choice, and the program says what it needs beyond them.
    enforces_limits: bool,
}

impl<'a> Problem<'a> {
    /// Checks what every algorithm needs: something to transform, and bindings that hold it.
    pub fn new(
        descriptor: &'a Descriptor,
        algorithm: String,
        capabilities: &'a Capabilities,
        enforces_limits: bool,
    ) -> Result<Self, Unsupported> {
        let problem = Self { descriptor, capabilities, algorithm, enforces_limits };
        let [width, height] = descriptor.size;
        let batch = descriptor.batch;
        if width == 0 || height == 0 || batch == 0 {
            return Err(Unsupported::Empty { width, height, batch });
        }
        if descriptor.precision == Precision::F16 && !capabilities.shader_f16 && enforces_limits {
            let (what, feature) = ("16-bit floats in storage", "shader-f16");
            return Err(Unsupported::Feature { what, feature });
        }
        if descriptor.precision == Precision::F64 {
            if !problem.is_of_the_smooth_family() {
                return Err(problem.not_yet("64-bit floats"));
            }
            if !capabilities.shader_f64 && enforces_limits {
                let (what, feature) = ("64-bit floats", "shader-f64");
                return Err(Unsupported::Feature { what, feature });
            }
        }
        // What the vocabulary has words for and no algorithm computes yet.
        if descriptor.kind != Kind::Complex {
            return Err(problem.not_yet("real data"));
        }
        if descriptor.depth != 1 {
            return Err(problem.not_yet("volumes (a depth other than 1)"));
        }
        if descriptor.input.or(descriptor.output).is_some() {
            return Err(problem.not_yet("parts of buffers (a view)"));
        }
        if let Some(layers) = descriptor.load.as_ref().and_then(|hook| hook.layers_per_prepare())
            && (layers == 0 || !problem.layers().is_multiple_of(layers))
        {
            return Err(Unsupported::Prepare { layers: problem.layers(), per_prepare: layers });
        }
        problem.check_imports()?;
        let what = || format!("a batch of {batch} images of {width} x {height}");
        let needed = problem.data_bytes();
        problem.within_index(what, needed)?;
        problem.within(what, Limit::StorageBinding, needed)?;
        problem.within(what, Limit::Buffer, needed)?;
        Ok(problem)
    }

    /// What the hooks import is there.
    fn check_imports(&self) -> Result<(), Unsupported> {
        let Descriptor { load, store, .. } = self.descriptor;
        let hooks = [
            load.as_ref().map(|hook| (hook.name(), hook.wgsl())),
            store.as_ref().map(|hook| (hook.name(), hook.wgsl())),
        ];
        for (name, wgsl) in hooks.into_iter().flatten() {
            if let Err(error) = shader::resolve_text(name, wgsl) {
                return Err(Unsupported::Hook {
                    hook: name.to_owned(),
                    message: error.to_string(),
                });
            }
        }
        Ok(())
    }

    /// The same question about other data.
    pub fn with<'b>(&'b self, descriptor: &'b Descriptor) -> Problem<'b> {
        Problem {
            descriptor,
            capabilities: self.capabilities,
            algorithm: self.algorithm.clone(),
            enforces_limits: self.enforces_limits,
        }
    }

    /// Its algorithm is one that shares the kernels of `smooth`, which compute more than others do.
    fn is_of_the_smooth_family(&self) -> bool {
        smooth::FAMILY.iter().any(|algorithm| algorithm.name() == self.algorithm)
    }

    fn not_yet(&self, what: &'static str) -> Unsupported {
        Unsupported::Plain { algorithm: self.algorithm.clone(), what }
    }

    /// Layers of elements in a buffer.
    pub fn layers(&self) -> u32 {
        self.descriptor.layout.layers(self.descriptor.batch)
    }

    /// Bytes of one element in registers and workgroup memory.
    pub fn element_bytes(&self) -> u32 {
        self.descriptor.layout.element_floats() * self.float_bytes()
    }

    /// Bytes of one number in registers and workgroup memory.
    pub fn float_bytes(&self) -> u32 {
        self.descriptor.precision.computed_bytes()
    }

    /// Bytes of the whole batch.
    pub fn data_bytes(&self) -> u64 {
        self.bytes_of(self.descriptor.size)
    }

    /// Bytes of as large a batch of images of `size`.
    pub fn bytes_of(&self, size: [u32; 2]) -> u64 {
        let [width, height] = size.map(u64::from);
        (width * height)
            .saturating_mul(u64::from(self.layers()))
            .saturating_mul(u64::from(self.descriptor.element_bytes()))
    }

    /// Points of a line along `axis`.
    pub fn length(&self, axis: Axis) -> u32 {
        self.descriptor.length(axis)
    }

    /// Lines of one image along `axis`.
    pub fn image_lines(&self, axis: Axis) -> u32 {
        (self.descriptor.points() / u64::from(self.length(axis))) as u32
    }

    /// The period of each twiddle table: that of the longest axis, if it serves all, else one for
    /// every axis.
    pub fn table_periods(&self) -> Vec<u32> {
        let axes = self.descriptor.axes.list().iter();
        let lengths: Vec<_> = axes.map(|axis| self.length(*axis)).collect();
        let longest = *lengths.iter().max().expect("at least one axis");
        match lengths.iter().all(|length| longest.is_multiple_of(*length)) {
            true => vec![longest],
            false => lengths,
        }
    }

    /// The number of the table that lines along `axis` use.
    pub fn table(&self, axis: Axis) -> usize {
        match self.table_periods().len() {
            1 => 0,
            _ => self.descriptor.axes.list().iter().position(|other| *other == axis).unwrap_or(0),
        }
    }

    /// What the twiddle factors along `axis` are roots of unity of, in the table for it.
    pub fn period(&self, axis: Axis) -> Period {
        let table_points = self.table_periods()[self.table(axis)];
        Period { points: self.length(axis), table_points }
    }

    /// The tables for lines along `axis`.
    pub fn table_numbers(&self, axis: Axis) -> TableNumbers {
        TableNumbers { twiddles: self.table(axis), ..TableNumbers::default() }
    }

    /// Where the data lies before any axis is transformed. With a load hook that is nowhere, which
    /// is as good as an input of its own.
    pub fn source(&self) -> Role {
        match self.is_in_place() {
            false => Role::Input,
            true => Role::Output,
        }
    }

    /// Input and output are one region.
    pub fn is_in_place(&self) -> bool {
        self.descriptor.placement == Placement::InPlace && self.descriptor.load.is_none()
    }

    /// Hooks give or take the values.
    pub fn has_hook(&self) -> bool {
        self.descriptor.load.is_some() || self.descriptor.store.is_some()
    }

    /// Refuses storage in 16-bit floats to algorithms that store the result of every stage.
    pub fn check_rounding(&self) -> Result<(), Unsupported> {
        match self.descriptor.precision {
            Precision::F16 => Err(Unsupported::Rounding { algorithm: self.algorithm.clone() }),
            _ => Ok(()),
        }
    }

    /// Every transformed axis is a power of two of at least `minimum`.
    pub fn check_powers_of_two(&self, minimum: u32) -> Result<(), Unsupported> {
        for &axis in self.descriptor.axes.list() {
            let length = self.length(axis);
            if !length.is_power_of_two() || length < minimum {
                let algorithm = self.algorithm.clone();
                return Err(Unsupported::Length { algorithm, axis, length, minimum });
            }
        }
        Ok(())
    }

    /// Every transformed axis has a length that is a product of 2, 3, 5, 7, 11 and 13.
    pub fn check_smooth(&self) -> Result<(), Unsupported> {
        for &axis in self.descriptor.axes.list() {
            let length = self.length(axis);
            if !is_smooth(length) {
                let algorithm = self.algorithm.clone();
                return Err(Unsupported::Smooth { algorithm, axis, length });
            }
        }
        Ok(())
    }

    /// The line along `axis` has at most `maximum` points.
    pub fn check_longest(&self, axis: Axis, maximum: u32) -> Result<(), Unsupported> {
        let length = self.length(axis);
        if length > maximum {
            let algorithm = self.algorithm.clone();
            return Err(Unsupported::TooLong { algorithm, axis, length, maximum });
        }
        Ok(())
    }

    /// Every parameter that is given has a value that it can have on some device.
    pub fn check_values<P: Parameters>(&self, given: &P) -> Result<(), Unsupported> {
        for field in P::FIELDS {
            if let Some(value) = (field.get)(given) {
                self.check_value(field.parameter.name, value, field.parameter.values)?;
            }
        }
        Ok(())
    }

    /// `value` of `parameter` is one of `values`.
    pub fn check_value(
        &self,
        parameter: &'static str,
        value: Value,
        values: Values,
    ) -> Result<(), Unsupported> {
        if values.contains(value) {
            return Ok(());
        }
        Err(Unsupported::Parameter {
            algorithm: self.algorithm.clone(),
            parameter,
            value,
            expected: values.to_string(),
        })
    }

    /// A power of two of at most `most` for `parameter`: the one that is given, or `open`.
    pub fn number(
        &self,
        parameter: &'static str,
        given: Option<u32>,
        most: u32,
        open: impl FnOnce() -> u32,
    ) -> Result<u32, Unsupported> {
        let Some(value) = given else { return Ok(open()) };
        self.check_value(parameter, Value::Number(value), Values::PowersOfTwo(1, most))?;
        Ok(value)
    }

    /// Invocations in a workgroup, for algorithms that leave it open.
    pub fn workgroup_size(&self, given: Option<u32>) -> Result<u32, Unsupported> {
        let most = 1 << self.capabilities.max_workgroup_invocations.max(1).ilog2();
        self.number("workgroup-size", given, most, || most.min(64))
    }

    /// The device has as much of `limit` as `needed`.
    pub fn fits(&self, limit: Limit, needed: u64) -> bool {
        needed <= limit.of(self.capabilities)
    }

    /// `needed` is within the limit, else the error that names it.
    pub fn within(
        &self,
        what: impl FnOnce() -> String,
        limit: Limit,
        needed: u64,
    ) -> Result<(), Unsupported> {
        if self.fits(limit, needed) || !self.enforces_limits {
            return Ok(());
        }
        Err(self.beyond(what(), limit, needed))
    }

    /// As [`Problem::within`], of bytes of one binding, on any device: kernels index with 32 bits.
    pub fn within_index(
        &self,
        what: impl FnOnce() -> String,
        needed: u64,
    ) -> Result<(), Unsupported> {
        match needed > Limit::LARGEST_BINDING_BYTES {
            true => Err(self.beyond(what(), Limit::StorageBinding, needed)),
            false => Ok(()),
        }
    }

    fn beyond(&self, what: String, limit: Limit, needed: u64) -> Unsupported {
        let algorithm = self.algorithm.clone();
        Unsupported::Limit {
            algorithm,
            what,
            limit,
            needed,
            available: limit.of(self.capabilities),
        }
    }

    /// Workgroups for `tiles` in each layer: layers along y, tiles along x and, where those are
    /// too many for one dimension, z (`workgroup_in_layer` in `common.wgsl`).
    pub fn workgroups(&self, tiles: u32) -> Result<[u32; 3], Unsupported> {
        let z = tiles.div_ceil(self.capabilities.max_workgroups_per_dimension.max(1));
        let workgroups = [tiles.div_ceil(z), self.layers(), z];
        for needed in workgroups {
            self.within(
                || format!("a dispatch of {tiles} workgroups for each of {} layers", self.layers()),
                Limit::WorkgroupsPerDimension,
                u64::from(needed),
            )?;
        }
        Ok(workgroups)
    }
}
