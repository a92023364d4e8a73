//! Writes `transform_line`, the part of a register-tiled kernel that depends on its stages: every
//! butterfly is unrolled, and every value has its own name. A loop over a local array would be shorter,
//! but drivers treat its indices as dynamic, and spill the array to memory. The rest is
//! `shaders/fft/register_tiled.wgsl`; `tests/fft/golden` has a few kernels whole.

use super::StagePlan;
use crate::algorithms::Twiddles;
use crate::algorithms::smooth::code::{Code, components};
use crate::descriptor::{Direction, Precision};
use crate::roots::root_of_unity;

/// The inputs of the butterflies and their wiring.
pub(super) struct Emission<'a> {
    pub stages: &'a StagePlan,
    pub direction: Direction,
    /// The floats of one element: 2 or 4.
    pub element_floats: u32,
    /// The floats of an element that cross workgroup memory at a time, a divisor of `element_floats`.
    pub exchange_floats: u32,
    pub twiddles: Twiddles,
    /// The number of layers that a workgroup transforms in turn, from values that the load hook prepared
    /// once.
    pub layers_in_turn: Option<u32>,
    /// The levels of means that the kernel hands to the store hook.
    pub means: u32,
    /// Whether subgroups add them up, instead of workgroup memory.
    pub means_in_subgroups: bool,
    /// Whether it waits for each value by itself, from another workgroup.
    pub waits: bool,
    /// Whether the module has an entry point.
    pub has_main: bool,
}

impl Emission<'_> {
    /// The body of the module: imports, and `transform_line`.
    pub fn module(&self) -> String {
        let mut kernel = Emitter { emission: self, code: Code::of(Precision::F32) };
        kernel.module();
        kernel.code.text
    }
}

pub(super) struct Emitter<'a> {
    pub(super) emission: &'a Emission<'a>,
    pub(super) code: Code,
}

impl Emitter<'_> {
    fn module(&mut self) {
        let Emission { stages, exchange_floats, layers_in_turn, waits, has_main, .. } =
            *self.emission;
        self.code.line("#import \"fft/register_tiled.wgsl\"");
        if has_main {
            self.code.line("#import \"fft/register_tiled_main.wgsl\"");
        }
        if layers_in_turn.is_some() {
            self.code.line("#import \"fft/register_tiled_prepared.wgsl\"");
        }
        if waits {
            self.code.line("#import \"fft/register_tiled_waiting.wgsl\"");
        }
        if stages.lanes() > 1 {
            let exchanged = match exchange_floats {
                1 => "f32",
                2 => "vec2<f32>",
                _ => "vec4<f32>",
            };
            self.code.line("#import \"fft/register_tiled_exchange.wgsl\"");
            self.code.line("// What crosses workgroup memory at a time.");
            self.code.line(format!("alias Exchanged = {exchanged};"));
            self.code.line("");
        }
        if self.emission.means > 0 {
            let file = match self.emission.means_in_subgroups {
                true => "register_tiled_means_in_subgroups",
                false => "register_tiled_means",
            };
            self.code.line(format!("#import \"fft/{file}.wgsl\""));
        }
        self.code.line(format!("// {stages}"));
        let values = 0..stages.values;
        let Some(layers) = layers_in_turn else {
            self.code.open("fn transform_line(layer: u32, place: Place)");
            let load = |m| format!("load_value(layer, place, {m}u)");
            let values = match waits {
                true => self.awaited(),
                false => values.map(|m| self.code.bind(load(m))).collect(),
            };
            self.layer("layer", values, &[], true);
            self.code.close();
            return;
        };
        self.code.open("fn transform_line(group: u32, place: Place)");
        let prepared: Vec<_> = values
            .clone()
            .map(|m| self.code.bind(format!("prepare_value(group, place, {m}u)")))
            .collect();
        // All layers have the same factors. Made for each of them, they cost 0.4 us of 34 on an H200.
        let factors: Vec<_> =
            (1..stages.radices.len()).map(|stage| self.factors(stage, 0)).collect();
        // A loop, since a kernel of half the length takes 5 us less of a frame on an H200, where its
        // instructions come from memory, and 1 us more where it runs again and again.
        self.code.line("");
        self.code.open(format!("for (var number = 0u; number < {layers}u; number += 1u)"));
        let layer = self.code.bind(format!("group * {layers}u + number"));
        let values = values.zip(&prepared).map(|(m, prepared)| {
            self.code.bind(format!("load_prepared_value({prepared}, {layer}, place, {m}u)"))
        });
        let values = values.collect();
        self.layer(&layer, values, &factors, false);
        self.code.close();
        self.code.close();
    }

    /// Looks for the last value of an invocation until it is there, and then for the others: those who look for
    /// many hold up the stores for which they wait.
    fn awaited(&mut self) -> Vec<String> {
        let looks: Vec<_> = (0..self.emission.stages.values)
            .map(|m| (format!("words{m}"), format!("look(layer, place, {m}u)")))
            .collect();
        let (last, others) = looks.split_last().expect("an invocation has values");
        self.code.line("var looks = 0u;");
        for looks in [std::slice::from_ref(last), others] {
            for (words, look) in looks {
                self.code.line(format!("var {words} = {look};"));
            }
            let missing: Vec<_> =
                looks.iter().map(|(words, _)| format!("missing({words})")).collect();
            self.code.open(format!("while ((({}) & 1u) != 0u)", missing.join(" | ")));
            self.code.open("if (looks == LOOKS)");
            self.code.line("note_in_vain();");
            self.code.line("break;");
            self.code.close();
            self.code.line("looks += 1u;");
            for (words, look) in looks {
                self.code.open(format!("if ((missing({words}) & 1u) != 0u)"));
                self.code.line(format!("{words} = {look};"));
                self.code.close();
            }
            self.code.close();
        }
        let element = |(words, _): &(String, String)| format!("from_words({words})");
        looks.iter().map(|look| self.code.bind(element(look))).collect()
    }

    /// Transforms and stores the `values` of a layer. `factors` are those of the stages after the first, where they
    /// have been made.
    fn layer(&mut self, layer: &str, mut values: Vec<String>, factors: &[Factors], is_first: bool) {
        let stages = self.emission.stages;
        for stage in 0..stages.radices.len() {
            if stage > 0 {
                self.code.line("");
                self.code.line(format!("// Exchange, and stage {stage}."));
                if stages.lanes() > 1 {
                    values = self.exchange(stage, &values, stage == 1 && is_first);
                } else {
                    values = self.reorder(stage, &values);
                }
            }
            let known = stage.checked_sub(1).and_then(|stage| factors.get(stage));
            values = self.butterflies(stage, &values, known);
        }
        self.code.line("");
        for (m, value) in values.iter().enumerate() {
            self.code.line(format!("store_value({layer}, place, {m}u, {value});"));
        }
        match self.emission.means {
            0 => (),
            levels if self.emission.means_in_subgroups => {
                self.means_in_subgroups(layer, &values, levels);
            }
            levels => self.means(layer, &values, levels),
        }
    }

    /// Computes one stage: butterfly b takes values b, b + B, b + 2 B, .. of the B butterflies, the j-th
    /// of which is turned by exp(sign 2 pi i (t mod s) j / (s r)) for butterfly t of the line.
    /// `known` are the factors of the first butterfly.
    fn butterflies(
        &mut self,
        stage: usize,
        values: &[String],
        known: Option<&Factors>,
    ) -> Vec<String> {
        let stages = self.emission.stages;
        let (stride, radix) = (stages.stride(stage), stages.radices[stage]);
        let count = values.len() / radix as usize;
        let mut factors = self.constant_factors(radix);
        let mut results = vec![String::new(); values.len()];
        for butterfly in 0..count {
            // The butterflies of an invocation are LANES apart: while the stride divides that, all
            // have the same factors. Those of the first stage are all 1.
            if stage > 0 && (butterfly == 0 || stride > stages.lanes()) {
                factors = match known {
                    Some(known) if butterfly == 0 => known.clone(),
                    _ => self.factors(stage, butterfly as u32),
                };
            }
            let inputs: Vec<_> = values.iter().skip(butterfly).step_by(count).cloned().collect();
            for (j, output) in self.transform(&inputs, &factors).into_iter().enumerate() {
                results[butterfly + j * count] = output;
            }
        }
        results
    }

    /// The transform of a handful of values in registers, of which the j-th is first turned by
    /// w^j; without factors, w = 1. Radix-2 decimation in time all the way down, with the factors
    /// inside the butterflies: a + f b takes two fused multiply-adds a component, and a - f b is
    /// then one more, 2 a - (a + f b) (Goedecker, Fast radix 2, 3, 4 and 5 kernels for fast Fourier
    /// transformations on computers with overlapping multiply-add instructions, SIAM J. Sci.
    /// Comput. 18, 1997). `factors[level][k]` is w^(n_level) exp(sign 2 pi i k / n_level) with
    /// n_level = 2^(level + 1) values in each of that level's transforms.
    fn transform(&mut self, x: &[String], factors: &[Vec<Factor>]) -> Vec<String> {
        let Some((this, inner)) = factors.split_last() else {
            return x.to_vec();
        };
        let half = |first| x.iter().skip(first).step_by(2).cloned().collect::<Vec<_>>();
        let even = self.transform(&half(0), inner);
        let odd = self.transform(&half(1), inner);
        let (mut sums, mut differences) = (Vec::new(), Vec::new());
        for ((a, b), factor) in even.iter().zip(&odd).zip(this) {
            let (sum, difference) = self.butterfly(a, b, factor);
            sums.push(sum);
            differences.push(difference);
        }
        sums.append(&mut differences);
        sums
    }

    fn butterfly(&mut self, a: &str, b: &str, factor: &Factor) -> (String, String) {
        match factor {
            Factor::One => {
                (self.code.bind(format!("{a} + {b}")), self.code.bind(format!("{a} - {b}")))
            }
            Factor::Quarter => {
                let quarter = self.code.bind(format!("times_i({b})"));
                let (plus, minus) = match self.emission.direction {
                    Direction::Inverse => ("+", "-"),
                    Direction::Forward => ("-", "+"),
                };
                (
                    self.code.bind(format!("{a} {plus} {quarter}")),
                    self.code.bind(format!("{a} {minus} {quarter}")),
                )
            }
            Factor::Other(w) => {
                let sum = self.code.bind(format!("times_add({b}, {w}, {a})"));
                let difference = self.code.bind(format!("fma({a}, Element(2.0), -{sum})"));
                (sum, difference)
            }
        }
    }

    fn constant_factors(&self, radix: u32) -> Factors {
        let direction = self.emission.direction;
        let levels = (1..=radix.ilog2()).map(|level| 1_u32 << level);
        levels
            .map(|n| {
                (0..n / 2)
                    .map(|k| match 4 * k {
                        0 => Factor::One,
                        quarter if quarter == n => Factor::Quarter,
                        _ => {
                            let [re, im] = root_of_unity(k as usize, n as usize, direction);
                            Factor::Other(format!("vec2({:?}, {:?})", re as f32, im as f32))
                        }
                    })
                    .collect()
            })
            .collect()
    }

    /// Brings to each invocation the values of its butterflies of `stage`: butterfly t of the
    /// stage before wrote its j-th result to point (t / s) s r + t mod s + j s, with s the stride
    /// and r the radix of that stage (Govindaraju et al. 2008, figure 2).
    ///
    /// Only the part of a point that depends on the lane is computed at run time. The rest is a constant
    /// without a common bit, as `slot_after` requires.
    ///
    /// `is_first` is set for the first exchange.
    fn exchange(&mut self, stage: usize, values: &[String], is_first: bool) -> Vec<String> {
        let Emission { stages, element_floats, exchange_floats, .. } = *self.emission;
        let (stride, radix) = (stages.stride(stage - 1), stages.radices[stage - 1]);
        let (lanes, count) = (stages.lanes(), stages.values / radix);
        let first = match stride {
            1 => format!("place.lane * {radix}u"),
            _ if stride >= lanes => "place.lane".to_owned(),
            _ => format!("place.lane / {stride}u * {}u + place.lane % {stride}u", stride * radix),
        };
        let to = self.code.bind(format!("slot(place, {first})"));
        let from = self.code.bind("slot(place, place.lane)");
        let destinations: Vec<_> = (0..stages.values)
            .map(|m| {
                let (butterfly, j) = (m % count * lanes, m / count);
                let point = butterfly / stride * stride * radix + butterfly % stride + j * stride;
                slot_after(&to, point)
            })
            .collect();
        let sources: Vec<_> = (0..stages.values).map(|m| slot_after(&from, m * lanes)).collect();

        let mut parts: Vec<Vec<String>> = vec![Vec::new(); values.len()];
        for part in 0..element_floats / exchange_floats {
            // The old contents have been read.
            if !is_first || part > 0 {
                self.code.line("workgroupBarrier();");
            }
            let components = components(part, exchange_floats, element_floats);
            for (value, slot) in values.iter().zip(&destinations) {
                self.code.line(format!("exchange[{slot}] = {value}{components};"));
            }
            self.code.line("workgroupBarrier();");
            for (m, source) in sources.iter().enumerate() {
                let received = self.code.bind(format!("exchange[{source}]"));
                parts[m].push(received);
            }
        }
        parts.iter().map(|parts| self.code.element(parts)).collect()
    }

    /// Reorders values as [`Emitter::exchange`] does where one invocation holds the whole line.
    fn reorder(&mut self, stage: usize, values: &[String]) -> Vec<String> {
        let StagePlan { radices, .. } = self.emission.stages;
        let (stride, radix) = (self.emission.stages.stride(stage - 1), radices[stage - 1]);
        let count = values.len() as u32 / radix;
        let mut reordered = values.to_vec();
        for (m, value) in values.iter().enumerate() {
            let (t, j) = (m as u32 % count, m as u32 / count);
            let destination = t / stride * stride * radix + t % stride + j * stride;
            reordered[destination as usize] = value.clone();
        }
        reordered
    }

    /// The factors of [`Emitter::transform`] in one butterfly of `stage`, from
    /// w = exp(sign 2 pi i q / LENGTH) with q = (t mod s) LENGTH / (s r).
    fn factors(&mut self, stage: usize, butterfly: u32) -> Factors {
        let Emission { stages, twiddles, direction, .. } = *self.emission;
        let (stride, radix) = (stages.stride(stage), stages.radices[stage]);
        let step = stages.length / (stride * radix);
        let first = butterfly * stages.lanes();
        let t = match first {
            0 => "place.lane".to_owned(),
            _ => format!("(place.lane + {first}u)"),
        };
        let q = self.code.bind(format!("{t} % {stride}u * {step}u"));
        // The levels go from the whole transform, which turns by w, down to pairs, which turn by
        // w^(radix / 2).
        let mut levels = Vec::new();
        let mut power = String::new();
        for level in (1..=radix.ilog2()).rev() {
            let n = 1_u32 << level;
            let exponent = radix / n;
            let powers_suffice = matches!(twiddles, Twiddles::Powers | Twiddles::Computed);
            let mut names = Vec::new();
            for k in 0..(n / 4).max(1) {
                let factor = match (k, powers_suffice) {
                    (0, true) if exponent > 1 => format!("twiddle_square({power})"),
                    (0, _) => format!("twiddle({exponent}u * {q})"),
                    (_, true) => {
                        let [re, im] = root_of_unity(k as usize, n as usize, direction);
                        let [re, im] = [re as f32, im as f32];
                        format!("twiddle_product({power}, vec2({re:?}, {im:?}))")
                    }
                    (_, false) => {
                        format!("twiddle({exponent}u * {q} + {}u)", stages.length / n * k)
                    }
                };
                let name = self.code.bind(factor);
                if k == 0 {
                    power.clone_from(&name);
                }
                names.push(name);
            }
            // The second half is a quarter of a turn further on.
            let quarter = match direction {
                Direction::Inverse => |w: &String| format!("vec2(-{w}.y, {w}.x)"),
                Direction::Forward => |w: &String| format!("vec2({w}.y, -{w}.x)"),
            };
            let turned: Vec<_> = names.iter().map(quarter).take(n as usize / 4).collect();
            names.extend(turned);
            levels.push(names.into_iter().map(Factor::Other).collect());
        }
        levels.reverse();
        levels
    }
}

/// By level and number: [`Emitter::transform`].
type Factors = Vec<Vec<Factor>>;

/// A factor on a value of a butterfly.
#[derive(Clone)]
enum Factor {
    One,
    /// A quarter of a turn, i or -i by the direction.
    Quarter,
    Other(String),
}

fn slot_after(slot: &str, point: u32) -> String {
    match point {
        0 => slot.to_owned(),
        _ => format!("slot_after({slot}, {point}u)"),
    }
}
