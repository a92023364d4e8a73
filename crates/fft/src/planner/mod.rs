//! The defaults: chooses an algorithm with its parameters for a device and a problem, by a table of
//! measurements (`measured.toml`), then by rule.

use std::str::FromStr;
use std::sync::LazyLock;

use crate::algorithms::beats_bluestein;
use crate::choice::Choice as _;
use crate::configuration::{Algorithm, Configuration};
use crate::descriptor::{Axes, Descriptor, Layout, Placement, Precision};
use crate::error::Unsupported;
use crate::gpu::{Capabilities, Requirements};
use crate::program::{Problem, Program, Role};

/// The best on one adapter for one kind of problem, found by `seaway sweep`.
#[derive(Clone, Debug)]
struct Measured {
    /// PCI vendor of the adapter, whose other adapters also use the entry.
    vendor_id: u32,
    /// The side of the square images.
    size: u32,
    /// Range of the number of complex images.
    batch: [u32; 2],
    layout: Layout,
    precision: Precision,
    placement: Placement,
    /// With a load and a store hook, as the ocean's, or with none.
    hooks: bool,
    configuration: Configuration,
}

static TABLE: LazyLock<Vec<Measured>> = LazyLock::new(|| {
    let entries = include_str!("measured.toml").split("[[measured]]").skip(1);
    let read = |entry| Measured::read(entry).unwrap_or_else(|| panic!("malformed: {entry}"));
    entries.map(read).collect()
});

impl Measured {
    /// Reads an entry, of the little TOML that the table has: the library needs no parser for it.
    fn read(entry: &str) -> Option<Self> {
        fn value<T: FromStr>(entry: &str, key: &str) -> Option<T> {
            let of_key = |line: &str| Some(line.strip_prefix(key)?.strip_prefix(" = ")?.to_owned());
            entry.lines().find_map(of_key)?.trim_matches('"').parse().ok()
        }
        let text = |key| value::<String>(entry, key);
        let batch = text("batch")?;
        let (fewest, most) = batch.strip_prefix('[')?.strip_suffix(']')?.split_once(", ")?;
        let algorithm: Algorithm = value(entry, "algorithm")?;
        let mut configuration = Configuration::from(algorithm);
        for option in text("parameters")?.split("--").skip(1) {
            let (name, value) = option.trim_end().split_once(' ')?;
            let parameter = algorithm.parameters().into_iter().find(|known| known.name == name)?;
            configuration.set(name, Some(parameter.kind.parse(value).ok()?)).ok()?;
        }
        Some(Self {
            vendor_id: u32::from_str_radix(text("vendor_id")?.strip_prefix("0x")?, 16).ok()?,
            size: value(entry, "size")?,
            batch: [fewest.parse().ok()?, most.parse().ok()?],
            layout: value(entry, "layout")?,
            precision: value(entry, "precision")?,
            placement: value(entry, "placement")?,
            hooks: value(entry, "hooks")?,
            configuration,
        })
    }

    fn is_for(&self, descriptor: &Descriptor, capabilities: &Capabilities) -> bool {
        let hooks = [descriptor.load.is_some(), descriptor.store.is_some()];
        // With a load hook nothing is read that could be written over.
        let in_place = descriptor.placement == self.placement || hooks[0];
        self.vendor_id == capabilities.vendor_id
            && descriptor.size == [self.size; 2]
            && (self.batch[0]..=self.batch[1]).contains(&descriptor.batch)
            && descriptor.axes == Axes::Both
            && descriptor.is_plain()
            && descriptor.layout == self.layout
            && descriptor.precision == self.precision
            && in_place
            && hooks == [self.hooks; 2]
    }
}

/// Each entry of the table as a problem, with its choice and its adapter. A hook that loads nothing replaces
/// the real ones.
#[cfg(test)]
pub(crate) fn measured() -> impl Iterator<Item = (Descriptor, Configuration, u32)> {
    TABLE.iter().map(|entry| {
        let hook = crate::LoadHook::new("any", "", Vec::new());
        let task = Descriptor {
            size: [entry.size; 2],
            batch: entry.batch[0],
            layout: entry.layout,
            precision: entry.precision,
            placement: entry.placement,
            load: entry.hooks.then_some(hook),
            ..Descriptor::default()
        };
        (task, entry.configuration, entry.vendor_id)
    })
}

/// Chooses the algorithm for `descriptor` on a device of `capabilities`, ignoring the named one.
///
/// # Errors
/// If no algorithm can run it, the reason of the first one.
pub fn choose(
    descriptor: &Descriptor,
    capabilities: &Capabilities,
) -> Result<Configuration, Unsupported> {
    // Workgroups wait for each other only where the device was seen to run as many.
    let waits = |program: &Program| program.uses(Role::Turns);
    let is_known_to_wait = capabilities.waiting_workgroups > 0;
    let runs = |configuration: &Configuration| {
        let program = configuration.program(descriptor, capabilities, true);
        program.is_ok_and(|program| is_known_to_wait || !waits(&program))
    };
    let known = TABLE.iter().filter(|entry| entry.is_for(descriptor, capabilities));
    match known.map(|entry| entry.configuration).find(runs) {
        Some(measured) => Ok(measured),
        None => by_rule(descriptor, capabilities),
    }
}

/// [`choose`] without the measurements: the same on every adapter that can run it.
///
/// # Errors
/// Those of [`choose`].
pub fn by_rule(
    descriptor: &Descriptor,
    capabilities: &Capabilities,
) -> Result<Configuration, Unsupported> {
    let mut reasons = Vec::new();
    let longest = descriptor.axes.list().iter().map(|axis| descriptor.length(*axis)).max();
    let by_definition = |algorithm: &Algorithm| *algorithm == Algorithm::Dft;
    let takes_forever = longest > Some(LONGEST_DFT);
    let mut order = order(descriptor);
    let problem = Problem::new(descriptor, String::new(), capabilities, true);
    if problem.is_ok_and(|problem| beats_bluestein(&problem)) {
        let bluestein = order.iter().position(|algorithm| *algorithm == Algorithm::Bluestein);
        order.insert(bluestein.unwrap_or(order.len()), Algorithm::Rader);
    }
    let order = order.into_iter();
    for algorithm in order.filter(|algorithm| !(takes_forever && by_definition(algorithm))) {
        let configuration = Configuration::from(algorithm);
        match configuration.program(descriptor, capabilities, true) {
            Ok(_) => return Ok(configuration),
            Err(error) => reasons.push(error),
        }
    }
    // That an algorithm takes no such length or no such data is no reason where others do.
    let of_its_kind = |error: &Unsupported| {
        use Unsupported::{Length, Plain, PowerOfThree, Prime, Smooth};
        matches!(
            error,
            Length { .. } | PowerOfThree { .. } | Prime { .. } | Smooth { .. } | Plain { .. }
        )
    };
    let first = reasons.iter().position(|error| !of_its_kind(error)).unwrap_or(0);
    Err(reasons.swap_remove(first))
}

/// The kernels and dispatches that compute `descriptor` on a device of `capabilities`, by its algorithm
/// or, where it names none, by the one that the planner takes. It is pure, and needs no GPU.
///
/// # Errors
/// [`Unsupported`] that names the exceeded limit.
pub fn program(
    descriptor: &Descriptor,
    capabilities: &Capabilities,
) -> Result<Program, Unsupported> {
    let configuration = match descriptor.algorithm {
        Some(configuration) => configuration,
        None => choose(descriptor, capabilities)?,
    };
    configuration.program(descriptor, capabilities, true)
}

/// The requirements of `descriptor` on a device, to request where a device of `capabilities` has less:
/// those of the algorithm for such a device, with more memory if necessary.
///
/// # Errors
/// [`Unsupported`] where no device suffices.
pub fn requirements(
    descriptor: &Descriptor,
    capabilities: &Capabilities,
) -> Result<Requirements, Unsupported> {
    let configuration = match descriptor.algorithm {
        Some(configuration) => configuration,
        None => choose(descriptor, capabilities)
            .unwrap_or_else(|_| without_limits(descriptor, capabilities)),
    };
    let program = configuration.program(descriptor, capabilities, false)?;
    Ok(program.requirements())
}

/// Chooses as [`choose`] does, for a device that may be opened with more than `capabilities`. It first
/// assumes more features and memory, which adapters have, and only then larger workgroups, which many lack.
fn without_limits(descriptor: &Descriptor, capabilities: &Capabilities) -> Configuration {
    let with_memory = Capabilities {
        max_storage_binding_bytes: u64::MAX,
        max_buffer_bytes: u64::MAX,
        shader_f16: true,
        shader_f64: true,
        ..*capabilities
    };
    if let Ok(configuration) = choose(descriptor, &with_memory) {
        return configuration;
    }
    let capabilities = Capabilities::webgpu_defaults();
    let runs = |algorithm: &Algorithm| {
        Configuration::from(*algorithm).program(descriptor, &capabilities, false).is_ok()
    };
    let mut algorithms = order(descriptor).into_iter();
    algorithms.find(runs).unwrap_or(FIRST).into()
}

/// Lines longer than this are not to be transformed by the definition unless one says so: the work grows
/// with the square, and a driver stops kernels that take seconds.
pub(crate) const LONGEST_DFT: u32 = 32;

/// The first algorithm to try: registers before workgroup memory, few dispatches before many, and eight
/// points an invocation, which every GPU has registers for.
const FIRST: Algorithm = Algorithm::StockhamR8;

/// Every algorithm, in the order of preference for `descriptor` without measurements.
fn order(descriptor: &Descriptor) -> Vec<Algorithm> {
    let mut order = vec![
        FIRST,
        Algorithm::StockhamR16,
        Algorithm::StockhamR32,
        Algorithm::StockhamR4,
        // The following ones take all lengths, not only powers of two.
        Algorithm::MixedRadix,
        Algorithm::FourStep,
        Algorithm::Bluestein,
    ];
    order[..3].sort_by_key(|algorithm| Some(*algorithm) != for_lines(descriptor));
    let others = Algorithm::ALL.iter().copied().filter(|other| !order.contains(other));
    let others: Vec<_> = others.collect();
    order.extend(others);
    order
}

/// The radix with which long, contiguous lines take three stages, since they wait for exchanges more than for
/// registers. (Measured on an H200, 2^24 points in all: lines of 4096 points took 75 us instead of 81, of
/// 8192 points 89 instead of 124.)
fn for_lines(descriptor: &Descriptor) -> Option<Algorithm> {
    let is_of_lines = descriptor.axes == Axes::Rows && descriptor.layout == Layout::Planar;
    match descriptor.size[0] {
        1025..=4096 if is_of_lines => Some(Algorithm::StockhamR16),
        4097..=8192 if is_of_lines => Some(Algorithm::StockhamR32),
        _ => None,
    }
}
