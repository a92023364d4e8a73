//! The inputs of an algorithm: the descriptor, the device, and quantities derived from them.

use crate::configuration::{Parameters, Twiddles, Value};
use crate::descriptor::{Axis, Descriptor, Kind, Layout, Placement, Precision, View};
use crate::error::Unsupported;
use crate::exact::primes;
use crate::gpu::{Capabilities, Limit};
use crate::hook::{LoadHook, StoreHook};
use crate::program::kernel::{Period, TableNumbers};
use crate::program::{Image, Kernel, Role, Table};
use crate::table;

/// The points of the longest cosine transform, whose factors count eight turns in 32 bits.
const LONGEST_COSINE: u32 = u32::MAX / 8;

/// The invocations of a workgroup that takes one of [`Capabilities::waiting_workgroups`].
pub(crate) const WAITING_INVOCATIONS: u32 = 256;

/// The bytes of workgroup memory that it has at most.
pub(crate) const WAITING_BYTES: u32 = 20 << 10;

pub(crate) struct Problem<'a> {
    pub descriptor: &'a Descriptor,
    pub capabilities: &'a Capabilities,
    pub algorithm: String,
    /// Whether to refuse problems that exceed the device. Otherwise the capabilities guide choices only,
    /// and the program lists its requirements.
    enforces_limits: bool,
}

impl<'a> Problem<'a> {
    /// Checks the needs of every algorithm: something to transform, and bindings that hold it.
    pub fn new(
        descriptor: &'a Descriptor,
        algorithm: String,
        capabilities: &'a Capabilities,
        enforces_limits: bool,
    ) -> Result<Self, Unsupported> {
        let problem = Self { descriptor, capabilities, algorithm, enforces_limits };
        let [width, height] = descriptor.size;
        let batch = descriptor.batch;
        let depth = descriptor.depth;
        if width == 0 || height == 0 || depth == 0 || batch == 0 {
            return Err(Unsupported::Empty { size: [width, height, depth], batch });
        }
        if descriptor.precision == Precision::F16 && !capabilities.shader_f16 && enforces_limits {
            let (what, feature) = ("16-bit floats in storage", "shader-f16");
            return Err(Unsupported::Feature { what, feature });
        }
        if u64::from(height) * u64::from(depth) > u64::from(u32::MAX) {
            return Err(Unsupported::Rows { height, depth });
        }
        problem.check_kind()?;
        problem.check_views()?;
        if let Some(layers) = descriptor.load.as_ref().and_then(|hook| hook.layers_per_prepare())
            && (layers == 0 || !problem.layers().is_multiple_of(layers))
        {
            return Err(Unsupported::Prepare { layers: problem.layers(), per_prepare: layers });
        }
        problem.check_hooks()?;
        problem.check_bytes()?;
        Ok(problem)
    }

    /// Checks that bindings hold the data, and its views.
    fn check_bytes(&self) -> Result<(), Unsupported> {
        let descriptor = self.descriptor;
        let Descriptor { size: [width, height], depth, batch, .. } = *descriptor;
        let things = |of_one: &str, of_many: &str| match batch {
            1 => of_one.to_owned(),
            _ => format!("a batch of {batch} {of_many}"),
        };
        let data = match depth {
            1 => format!("{} of {width} x {height} points", things("an image", "images")),
            _ => {
                format!("{} of {width} x {height} x {depth} points", things("a volume", "volumes"))
            }
        };
        let dense = Descriptor { input: None, output: None, ..descriptor.clone() };
        let sides = [
            ("input", descriptor.input_view(), descriptor.input_bytes(), dense.input_bytes()),
            ("output", descriptor.output_view(), descriptor.output_bytes(), dense.output_bytes()),
        ];
        for (side, view, needed, dense) in sides {
            for limit in [Limit::StorageBinding, Limit::Buffer] {
                // Kernels index with 32 bits, whatever a device allows.
                let is_enforced = self.enforces_limits || needed > Limit::LARGEST_BINDING_BYTES;
                if self.fits(limit, needed) || !is_enforced {
                    continue;
                }
                let available = limit.of(self.capabilities);
                // The data is not at fault where it would fit without its views.
                if dense <= available {
                    return Err(Unsupported::ViewBytes { side, view, limit, needed, available });
                }
                let (algorithm, what) = (None, data);
                return Err(Unsupported::Limit { algorithm, what, limit, needed, available });
            }
        }
        Ok(())
    }

    /// Checks the conditions of the kind of transform.
    fn check_kind(&self) -> Result<(), Unsupported> {
        let descriptor = self.descriptor;
        let kind = descriptor.kind;
        if kind != Kind::Complex && descriptor.layout != Layout::Planar {
            return Err(Unsupported::RealPairs { kind });
        }
        if kind == Kind::Real && !descriptor.axes.list().contains(&Axis::Row) {
            return Err(Unsupported::RealRows);
        }
        let long = |axis: &Axis| kind.is_cosine() && self.length(*axis) > LONGEST_COSINE;
        if let Some(axis) = descriptor.axes.list().iter().copied().find(long) {
            let (length, maximum) = (self.length(axis), LONGEST_COSINE);
            return Err(Unsupported::LongCosine { axis, length, maximum });
        }
        let short = |axis: &Axis| kind == Kind::Dct1 && self.length(*axis) < 2;
        match descriptor.axes.list().iter().copied().find(short) {
            Some(axis) => Err(Unsupported::ShortCosine { axis }),
            None => Ok(()),
        }
    }

    /// Checks that the views have the transform's size, and each value a separate place.
    fn check_views(&self) -> Result<(), Unsupported> {
        let descriptor = self.descriptor;
        let refuse = |side: &'static str, why: String| Err(Unsupported::View { side, why });
        let sides = [
            ("input", descriptor.input, descriptor.input_size()),
            ("output", descriptor.output, descriptor.output_size()),
        ];
        for (side, view, size) in sides {
            let Some(View { extent, strides, .. }) = view else { continue };
            let axes = [Axis::Row, Axis::Column, Axis::Depth];
            for ((axis, extent), size) in axes.into_iter().zip(extent).zip(size) {
                if extent == 0 || extent > size {
                    let why =
                        format!("has {extent} of {size} points along the {axis}: use 1 to {size}");
                    return refuse(side, why);
                }
                if extent < size && !descriptor.axes.list().contains(&axis) {
                    let why = format!(
                        "has {extent} of {size} points along the {axis}, which is not transformed: \
                         use all of them"
                    );
                    return refuse(side, why);
                }
            }
            let [width, height, depth] = extent;
            let counts = [width, height, depth, self.layers()];
            let mut steps: Vec<(u32, u32)> =
                strides.into_iter().zip(counts).filter(|(_, count)| *count > 1).collect();
            // Input may be read twice, such as overlapping windows of a signal.
            if side == "input" && descriptor.placement == Placement::OutOfPlace {
                continue;
            }
            steps.sort_unstable();
            // Each step must exceed the reach of all shorter ones.
            let mut reach = 0_u64;
            for (stride, count) in steps {
                if u64::from(stride) <= reach {
                    return refuse(
                        side,
                        format!(
                            "has strides of {strides:?}, by which values could share a place: each \
                             must exceed the reach of all shorter ones"
                        ),
                    );
                }
                reach += u64::from(stride) * u64::from(count - 1);
            }
        }
        let in_place = descriptor.placement == Placement::InPlace;
        if in_place && descriptor.input.is_some() && descriptor.load.is_none() {
            let places = |view: View| (view.offset, view.strides);
            let [from, to] = [descriptor.input_view(), descriptor.output_view()].map(places);
            if descriptor.output.is_none() || from != to {
                return refuse("input", "must have the layout of the output, in place".to_owned());
            }
        }
        if in_place
            && descriptor.kind == Kind::Real
            && (descriptor.input.is_some() || descriptor.output.is_some())
        {
            let side = if descriptor.input.is_some() { "input" } else { "output" };
            return refuse(
                side,
                "is not possible: real data in place has rows of 2 (width / 2 + 1) numbers. Leave it out, \
                 or use two buffers"
                    .to_owned(),
            );
        }
        Ok(())
    }

    /// Checks that the device computes in 64-bit floats, if they are requested: for algorithms that can,
    /// since no device helps the others.
    pub fn check_double(&self) -> Result<(), Unsupported> {
        let is_double = self.descriptor.precision == Precision::F64;
        if is_double && !self.capabilities.shader_f64 && self.enforces_limits {
            let (what, feature) = ("64-bit floats", "shader-f64");
            return Err(Unsupported::Feature { what, feature });
        }
        Ok(())
    }

    /// Refuses workgroups that wait for each other where they cannot see what the others store.
    pub fn check_coherent(&self) -> Result<(), Unsupported> {
        match self.capabilities.coherent_storage || !self.enforces_limits {
            true => Ok(()),
            false => Err(Unsupported::Coherent),
        }
    }

    /// Refuses more `workgroups` of `kernel` that wait for each other than the device was seen to run at
    /// once.
    pub fn check_waiting(&self, workgroups: [u32; 3], kernel: &Kernel) -> Result<(), Unsupported> {
        let invocations = kernel.workgroup_size.div_ceil(WAITING_INVOCATIONS);
        let places = invocations.max(kernel.workgroup_bytes.div_ceil(WAITING_BYTES));
        let needed = workgroups.iter().product::<u32>() * places;
        match self.capabilities.waiting_workgroups {
            available @ 1.. if needed > available => {
                Err(Unsupported::Waiting { needed, available })
            }
            _ => Ok(()),
        }
    }

    /// Refuses problems that only the most general algorithms take.
    pub fn check_plain(&self) -> Result<(), Unsupported> {
        let descriptor = self.descriptor;
        if descriptor.precision != Precision::F64 {
            self.check_complex()?;
        }
        let what = if descriptor.precision == Precision::F64 {
            "64-bit floats"
        } else if descriptor.depth != 1 {
            "volumes (a depth other than 1)"
        } else if !descriptor.is_plain() {
            "parts of buffers (views)"
        } else {
            return Ok(());
        };
        Err(Unsupported::Plain { algorithm: self.algorithm.clone(), what })
    }

    /// Checks that the data is complex, for algorithms that take no other.
    pub fn check_complex(&self) -> Result<(), Unsupported> {
        let what = match self.descriptor.kind {
            Kind::Complex => return Ok(()),
            Kind::Real => "real data",
            _ => "real data by cosines",
        };
        Err(Unsupported::Plain { algorithm: self.algorithm.clone(), what })
    }

    pub fn order(&self) -> Vec<Axis> {
        self.descriptor.order()
    }

    /// The number of lines of one image or volume to transform along `axis`, by the first and the second
    /// of the other axes: those with input along axes that are yet to be transformed, and with output
    /// along those that have been.
    pub fn line_counts(&self, axis: Axis) -> [u32; 2] {
        let order = self.order();
        let turn = |axis: Axis| order.iter().position(|other| *other == axis);
        let spectrum = self.descriptor.spectrum_size();
        let [input, output] = [self.descriptor.input_view(), self.descriptor.output_view()];
        let along = |other: Axis| {
            let number = other as usize;
            match turn(other) {
                Some(number_in_order) if Some(number_in_order) > turn(axis) => input.extent[number],
                Some(_) => output.extent[number],
                None => spectrum[number],
            }
        };
        match axis {
            Axis::Row => [along(Axis::Column), along(Axis::Depth)],
            Axis::Column => [along(Axis::Row), along(Axis::Depth)],
            Axis::Depth => [along(Axis::Row), along(Axis::Column)],
        }
    }

    /// Checks hooks as far as that is possible without a compiler.
    fn check_hooks(&self) -> Result<(), Unsupported> {
        let Descriptor { load, store, .. } = self.descriptor;
        load.as_ref().map_or(Ok(()), LoadHook::check)?;
        store.as_ref().map_or(Ok(()), StoreHook::check)
    }

    /// The same problem with other data.
    pub fn with<'b>(&'b self, descriptor: &'b Descriptor) -> Problem<'b> {
        Problem {
            descriptor,
            capabilities: self.capabilities,
            algorithm: self.algorithm.clone(),
            enforces_limits: self.enforces_limits,
        }
    }

    pub fn layers(&self) -> u32 {
        self.descriptor.layout.layers(self.descriptor.batch)
    }

    pub fn element_bytes(&self) -> u32 {
        self.descriptor.layout.element_floats() * self.float_bytes()
    }

    pub fn float_bytes(&self) -> u32 {
        self.descriptor.precision.computed_bytes()
    }

    pub fn data_bytes(&self) -> u64 {
        self.bytes_of(self.descriptor.spectrum_size())
    }

    /// The bytes of the data as it is computed, in 32 bits.
    pub fn passed_bytes(&self) -> u64 {
        self.data_bytes() / u64::from(self.descriptor.precision.bytes()) * 4
    }

    /// The bytes of an equal batch of complex images or volumes of `size`.
    pub fn bytes_of(&self, size: [u32; 3]) -> u64 {
        let [width, height, depth] = size.map(u64::from);
        (width * height)
            .saturating_mul(depth)
            .saturating_mul(u64::from(self.layers()))
            .saturating_mul(u64::from(self.descriptor.element_bytes()))
    }

    pub fn length(&self, axis: Axis) -> u32 {
        self.descriptor.length(axis)
    }

    pub fn image_lines(&self, axis: Axis) -> u32 {
        self.line_counts(axis).into_iter().fold(1, u32::saturating_mul)
    }

    /// The period of each twiddle table: that of the longest axis if it suits all, else one for every axis.
    pub fn table_periods(&self) -> Vec<u32> {
        let axes = self.descriptor.axes.list().iter();
        let lengths: Vec<_> = axes.map(|axis| self.length(*axis)).collect();
        let longest = *lengths.iter().max().expect("at least one axis");
        match lengths.iter().all(|length| longest.is_multiple_of(*length)) {
            true => vec![longest],
            false => lengths,
        }
    }

    /// Chooses the source of twiddle factors: the given one, or `open`.
    pub fn twiddles(
        &self,
        given: Option<Twiddles>,
        open: Twiddles,
    ) -> Result<Twiddles, Unsupported> {
        let twiddles = given.unwrap_or(open);
        if twiddles == Twiddles::Texture {
            self.table_periods().into_iter().try_for_each(|period| self.check_texture(period))?;
        }
        Ok(twiddles)
    }

    /// Checks that a texture holds a table of the given number of factors.
    pub fn check_texture(&self, factors: u32) -> Result<(), Unsupported> {
        let [width, height] = Table::texture_size_of(factors);
        let what = || format!("a table of {factors} factors in a texture of {width} x {height}");
        self.within(what, Limit::TextureDimension2d, width.max(height).into())
    }

    pub fn table(&self, axis: Axis) -> usize {
        match self.table_periods().len() {
            1 => 0,
            _ => self.descriptor.axes.list().iter().position(|other| *other == axis).unwrap_or(0),
        }
    }

    /// The order of the twiddle factors along `axis`, and that of their table.
    pub fn period(&self, axis: Axis) -> Period {
        let table_points = self.table_periods()[self.table(axis)];
        Period { points: self.length(axis), table_points }
    }

    pub fn table_numbers(&self, axis: Axis) -> TableNumbers {
        TableNumbers { twiddles: self.table(axis), ..TableNumbers::default() }
    }

    /// The place of the data before any axis is transformed. Values from a load hook count as a separate
    /// input.
    pub fn source(&self) -> Role {
        match self.is_in_place() {
            false => Role::Input,
            true => Role::Output,
        }
    }

    pub fn is_in_place(&self) -> bool {
        self.descriptor.is_in_place()
    }

    pub fn has_hook(&self) -> bool {
        self.descriptor.load.is_some() || self.descriptor.store.is_some()
    }

    /// Refuses storage in 16-bit floats for algorithms that store the result of every stage.
    pub fn check_rounding(&self) -> Result<(), Unsupported> {
        match self.descriptor.precision {
            Precision::F16 => Err(Unsupported::Rounding { algorithm: self.algorithm.clone() }),
            _ => Ok(()),
        }
    }

    /// Checks that every transformed axis is a power of two of at least `minimum`.
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

    /// Checks that every transformed axis is a power of three of at least 3.
    pub fn check_powers_of_three(&self) -> Result<(), Unsupported> {
        let is_power = |length: u32| length > 1 && primes(length as usize).iter().all(|p| *p == 3);
        let mut axes = self.descriptor.axes.list().iter().copied();
        match axes.find(|axis| !is_power(self.length(*axis))) {
            Some(axis) => {
                let (algorithm, length) = (self.algorithm.clone(), self.length(axis));
                Err(Unsupported::PowerOfThree { algorithm, axis, length })
            }
            None => Ok(()),
        }
    }

    /// Checks that the line along `axis` has at most `maximum` points.
    pub fn check_longest(&self, axis: Axis, maximum: u32) -> Result<(), Unsupported> {
        let length = self.length(axis);
        if length > maximum {
            let algorithm = self.algorithm.clone();
            return Err(Unsupported::TooLong { algorithm, axis, length, maximum });
        }
        Ok(())
    }

    /// Checks that every given parameter has a value that is possible on some device.
    pub fn check_values<P: Parameters>(&self, given: &P) -> Result<(), Unsupported> {
        for field in P::FIELDS {
            let value = field.get(given);
            if value != Value::Open {
                self.check_value(field.name, value, field.kind)?;
            }
        }
        Ok(())
    }

    /// Checks that `value` of `parameter` is one that `kind` allows.
    pub fn check_value(
        &self,
        parameter: &'static str,
        value: Value,
        kind: table::Kind,
    ) -> Result<(), Unsupported> {
        if kind.contains(value) {
            return Ok(());
        }
        Err(self.refuse(parameter, value, kind))
    }

    /// The error for a `parameter` whose `value` is not as `expected`.
    pub fn refuse(
        &self,
        parameter: &'static str,
        value: impl ToString,
        expected: impl ToString,
    ) -> Unsupported {
        Unsupported::Parameter {
            algorithm: self.algorithm.clone(),
            parameter,
            value: value.to_string(),
            expected: expected.to_string(),
        }
    }

    /// Chooses a power of two of at most `most` for `parameter`: the given one, or `open`.
    pub fn number(
        &self,
        parameter: &'static str,
        given: Option<u32>,
        most: u32,
        open: impl FnOnce() -> u32,
    ) -> Result<u32, Unsupported> {
        let Some(value) = given else { return Ok(open()) };
        self.check_value(
            parameter,
            Value::Integer(value),
            table::Kind::PowerOfTwo { min: 1, max: most },
        )?;
        Ok(value)
    }

    /// Chooses the invocations in a workgroup, for algorithms that leave it open.
    pub fn workgroup_size(&self, given: Option<u32>) -> Result<u32, Unsupported> {
        let most = 1 << self.capabilities.max_workgroup_invocations.max(1).ilog2();
        self.number("workgroup-size", given, most, || most.min(64))
    }

    pub fn fits(&self, limit: Limit, needed: u64) -> bool {
        needed <= limit.of(self.capabilities)
    }

    /// The scratch images for results between stages.
    pub fn image(&self) -> Image {
        let Descriptor { size, layout, .. } = *self.descriptor;
        Image { size, layers: self.layers(), layout }
    }

    /// Checks that the scratch images can be made. In one pass, kernels load from and store to each of them.
    pub fn check_images(&self, in_one_pass: bool) -> Result<(), Unsupported> {
        let Image { size: [width, height], layers, .. } = self.image();
        let what = || format!("an array of {layers} images of {width} x {height} points");
        self.within(what, Limit::TextureDimension2d, width.max(height).into())?;
        self.within(what, Limit::TextureArrayLayers, layers.into())?;
        if in_one_pass && !self.capabilities.read_write_textures && self.enforces_limits {
            return Err(Unsupported::ReadWriteTexture { algorithm: self.algorithm.clone() });
        }
        Ok(())
    }

    /// Checks that `needed` is within the limit.
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

    /// Checks that a buffer of the given bytes can be made and bound.
    pub fn within_buffer(&self, what: impl Fn() -> String, needed: u64) -> Result<(), Unsupported> {
        self.within(&what, Limit::StorageBinding, needed)?;
        self.within(&what, Limit::Buffer, needed)
    }

    /// Checks, on any device, the bytes of one binding: kernels index with 32 bits.
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
        let algorithm = Some(self.algorithm.clone());
        Unsupported::Limit {
            algorithm,
            what,
            limit,
            needed,
            available: limit.of(self.capabilities),
        }
    }

    /// The workgroups for `tiles` in each layer: layers along y, tiles along x and, where those are too
    /// many for one dimension, z (`workgroup_in_layer` in `common.wgsl`).
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
