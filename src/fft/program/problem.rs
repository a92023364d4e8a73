//! What an algorithm is asked: the descriptor, the device, and what follows from the two.

use crate::fft::algorithms::{Algorithm, Twiddles};
use crate::fft::descriptor::{Axis, Descriptor, Placement, Precision};
use crate::fft::error::Unsupported;
use crate::fft::program::Role;
use crate::gpu::Capabilities;

pub(in crate::fft) struct Problem<'a> {
    pub descriptor: &'a Descriptor,
    pub capabilities: &'a Capabilities,
}

impl<'a> Problem<'a> {
    /// Checks what every algorithm needs: something to transform, and bindings that hold it.
    pub fn new(
        descriptor: &'a Descriptor,
        capabilities: &'a Capabilities,
    ) -> Result<Self, Unsupported> {
        let problem = Self { descriptor, capabilities };
        let [width, height] = descriptor.size;
        let batch = descriptor.batch;
        if width == 0 || height == 0 || batch == 0 {
            return Err(Unsupported::Empty { width, height, batch });
        }
        if descriptor.precision == Precision::F16 && !capabilities.shader_f16 {
            let (what, feature) = ("16-bit floats in storage", "shader-f16");
            return Err(Unsupported::Feature { what, feature });
        }
        if let Some(layers) = descriptor.load.as_ref().and_then(|hook| hook.layers_per_prepare)
            && (layers == 0 || !problem.layers().is_multiple_of(layers))
        {
            return Err(Unsupported::Prepare { layers: problem.layers(), per_prepare: layers });
        }
        let what = || format!("a batch of {batch} images of {width} x {height}");
        let needed = problem.data_bytes();
        problem.within(
            what,
            ("maxStorageBufferBindingSize", "bytes"),
            needed,
            // Kernels index with 32 bits.
            capabilities.max_storage_binding_bytes.min(u64::from(u32::MAX)),
        )?;
        problem.within(what, ("maxBufferSize", "bytes"), needed, capabilities.max_buffer_bytes)?;
        Ok(problem)
    }

    pub fn algorithm(&self) -> Algorithm {
        self.descriptor.algorithm
    }

    /// Layers of elements in a buffer.
    pub fn layers(&self) -> u32 {
        self.descriptor.layout.layers(self.descriptor.batch)
    }

    /// Bytes of one element in registers and workgroup memory.
    pub fn element_bytes(&self) -> u32 {
        self.descriptor.layout.element_bytes()
    }

    /// Bytes of the whole batch.
    pub fn data_bytes(&self) -> u64 {
        let [width, height] = self.descriptor.size.map(u64::from);
        (width * height)
            .saturating_mul(u64::from(self.layers()))
            .saturating_mul(u64::from(self.descriptor.element_bytes()))
    }

    /// Points of a line along `axis`.
    pub fn length(&self, axis: Axis) -> u32 {
        match axis {
            Axis::Row => self.descriptor.size[0],
            Axis::Column => self.descriptor.size[1],
        }
    }

    /// Lines of one image along `axis`.
    pub fn image_lines(&self, axis: Axis) -> u32 {
        match axis {
            Axis::Row => self.descriptor.size[1],
            Axis::Column => self.descriptor.size[0],
        }
    }

    /// Where twiddle factors come from: as asked for, except that the polynomial knows powers of two
    /// only.
    pub fn twiddles(&self) -> Twiddles {
        let axes = self.descriptor.axes.list();
        let is_known = |axis: &Axis| self.length(*axis) > 1 && self.length(*axis).is_power_of_two();
        match self.descriptor.tuning.twiddles.unwrap_or(self.algorithm().twiddles()) {
            Twiddles::Computed if !axes.iter().all(is_known) => Twiddles::Table,
            wanted => wanted,
        }
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

    /// Refuses storage in 16-bit floats to algorithms that store the result of every stage.
    pub fn check_rounding(&self) -> Result<(), Unsupported> {
        match self.descriptor.precision {
            Precision::F32 => Ok(()),
            Precision::F16 => Err(Unsupported::Rounding { algorithm: self.algorithm() }),
        }
    }

    /// Every transformed axis is a power of two of at least `minimum`.
    pub fn check_powers_of_two(&self, minimum: u32) -> Result<(), Unsupported> {
        for &axis in self.descriptor.axes.list() {
            let length = self.length(axis);
            if !length.is_power_of_two() || length < minimum {
                let algorithm = self.algorithm();
                return Err(Unsupported::Length { algorithm, axis, length, minimum });
            }
        }
        Ok(())
    }

    /// The line along `axis` has at most `maximum` points.
    pub fn check_longest(&self, axis: Axis, maximum: u32) -> Result<(), Unsupported> {
        let (algorithm, length) = (self.algorithm(), self.length(axis));
        if length > maximum {
            return Err(Unsupported::TooLong { algorithm, axis, length, maximum });
        }
        Ok(())
    }

    /// Invocations in a workgroup, for algorithms that leave it open.
    pub fn workgroup_size(&self) -> Result<u32, Unsupported> {
        let most = 1 << self.capabilities.max_workgroup_invocations.ilog2();
        let tuned = self.descriptor.tuning.workgroup_size;
        Ok(self.tuned("workgroup_size", tuned, most)?.unwrap_or(most.min(64)))
    }

    /// A tuning parameter: a power of two of at most `most`, if it is set.
    pub fn tuned(
        &self,
        parameter: &'static str,
        value: Option<u32>,
        most: u32,
    ) -> Result<Option<u32>, Unsupported> {
        match value {
            Some(value) if !value.is_power_of_two() || value > most => Err(Unsupported::Tuning {
                algorithm: self.algorithm(),
                parameter,
                value,
                expected: format!("a power of two from 1 to {most}"),
            }),
            other => Ok(other),
        }
    }

    /// `needed` is at most `available`, else the error that names the limit.
    pub fn within(
        &self,
        what: impl FnOnce() -> String,
        (limit, unit): (&'static str, &'static str),
        needed: u64,
        available: u64,
    ) -> Result<(), Unsupported> {
        if needed <= available {
            return Ok(());
        }
        let algorithm = self.algorithm();
        Err(Unsupported::Limit { algorithm, what: what(), limit, unit, needed, available })
    }

    /// Workgroups for `tiles` in each layer: layers along y, tiles along x and, where those are
    /// too many for one dimension, z (`workgroup_in_layer` in `common.wgsl`).
    pub fn workgroups(&self, tiles: u32) -> Result<[u32; 3], Unsupported> {
        let limit = self.capabilities.max_workgroups_per_dimension;
        let z = tiles.div_ceil(limit);
        let workgroups = [tiles.div_ceil(z), self.layers(), z];
        for needed in workgroups {
            self.within(
                || format!("a dispatch of {tiles} workgroups for each of {} layers", self.layers()),
                ("maxComputeWorkgroupsPerDimension", "workgroups along one dimension"),
                u64::from(needed),
                u64::from(limit),
            )?;
        }
        Ok(workgroups)
    }
}
