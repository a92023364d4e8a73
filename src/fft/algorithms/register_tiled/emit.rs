//! Writes the WGSL of a register-tiled kernel: every butterfly unrolled, every value a name of its
//! own. A loop over a local array would be shorter to read, but the array is indexed dynamically
//! as far as a driver can tell, and spills to memory.

use std::fmt::Write as _;

use super::StagePlan;
use crate::fft::algorithms::Twiddles;
use crate::fft::descriptor::{Axis, Direction};
use crate::fft::roots::root_of_unity;

/// What a kernel depends on besides the constants in front of it.
pub(super) struct Emission<'a> {
    pub stages: &'a StagePlan,
    pub direction: Direction,
    pub axis: Axis,
    /// The lines alternate between the two images of a pair ([`KernelParts::split`]).
    ///
    /// [`KernelParts::split`]: crate::fft::kernel::KernelParts::split
    pub split: bool,
    /// Floats of one element: 2 or 4.
    pub element_floats: u32,
    /// Floats of an element that cross workgroup memory at a time; divides `element_floats`.
    pub exchange_floats: u32,
    /// One slot in this many stays empty, against bank conflicts; 0 for none.
    pub padding: u32,
    pub twiddles: Twiddles,
    /// Columns of the tiles in which rows are stored, which neighbouring invocations then follow:
    /// so many points of one row, as many of the next, until a tile is full.
    pub tile_columns: Option<u32>,
    /// A workgroup takes values that the load hook prepared, for this many layers in turn.
    pub layers_in_turn: Option<u32>,
    /// What is stored is multiplied by `SCALE`.
    pub scales: bool,
}

/// Slots of workgroup memory that a line of `length` takes with `padding`.
pub(super) fn line_slots(length: u32, padding: u32) -> u32 {
    length + length.checked_div(padding).unwrap_or(0)
}

impl Emission<'_> {
    /// The body of the module: workgroup memory and entry point.
    pub fn module(&self) -> String {
        let mut kernel = Emitter { emission: self, text: String::new(), next: 0 };
        kernel.module();
        kernel.text
    }
}

struct Emitter<'a> {
    emission: &'a Emission<'a>,
    text: String,
    next: u32,
}

impl Emitter<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        writeln!(self.text, "{}", text.as_ref()).expect("writing to a string");
    }

    /// Gives `expression` a name.
    fn bind(&mut self, expression: impl AsRef<str>) -> String {
        let name = format!("v{}", self.next);
        self.next += 1;
        self.line(format!("    let {name} = {};", expression.as_ref()));
        name
    }

    fn module(&mut self) {
        let Emission { stages, exchange_floats, padding, axis, split, .. } = *self.emission;
        let Emission { tile_columns, layers_in_turn, .. } = *self.emission;
        self.line(format!("// {stages}"));
        if stages.lanes() > 1 {
            let element = match exchange_floats {
                1 => "f32",
                2 => "vec2<f32>",
                _ => "vec4<f32>",
            };
            self.line(format!("const LINE_SLOTS: u32 = {}u;", line_slots(stages.length, padding)));
            self.line(format!("var<workgroup> exchange: array<{element}, LINES * LINE_SLOTS>;"));
            self.line("\n// Where point n of a line is kept in `exchange`.");
            self.line("fn slot(local_line: u32, n: u32) -> u32 {");
            let padded =
                if padding == 0 { "n".to_owned() } else { format!("(n + n / {padding}u)") };
            self.line(match (self.interleaves_lines(), split) {
                (false, false) => format!("    return local_line * LINE_SLOTS + {padded};"),
                // Both images of a pair side by side, as the invocations are.
                (false, true) => format!(
                    "    return (local_line / 2u * LINE_SLOTS + {padded}) * 2u + local_line % 2u;"
                ),
                (true, _) => format!("    return {padded} * LINES + local_line;"),
            });
            self.line("}");
        }
        self.line(
            "
@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let tile = workgroup_in_layer(workgroup, workgroups);
    if (tile >= IMAGE_LINES / LINES) {
        return;
    }
    // Neighbouring invocations touch neighbouring memory: along a row, or across adjacent columns.",
        );
        self.line(match (axis, split, tile_columns) {
            (Axis::Row, false, Some(columns)) => format!(
                "    let lane = invocation / (LINES * {columns}u) * {columns}u + invocation % {columns}u;
    let local_line = invocation / {columns}u % LINES;"
            ),
            (Axis::Row, true, Some(columns)) => format!(
                "    let lane = invocation / (LINES * {columns}u) * {columns}u + invocation / 2u % {columns}u;
    let local_line = invocation / (2u * {columns}u) % (LINES / 2u) * 2u + invocation % 2u;"
            ),
            (Axis::Row, false, None) => {
                "    let lane = invocation % LANES;\n    let local_line = invocation / LANES;".into()
            }
            (Axis::Row, true, None) => "    let lane = invocation / 2u % LANES;
    let local_line = invocation / (2u * LANES) * 2u + invocation % 2u;"
                .into(),
            (Axis::Column, ..) => {
                "    let lane = invocation / LINES;\n    let local_line = invocation % LINES;".into()
            }
        });
        self.line("    let line = tile * LINES + local_line;");

        let Some(layers) = layers_in_turn else {
            self.line("    let layer = workgroup.y;\n");
            let values = (0..stages.values).map(|m| self.load(m)).collect();
            self.layer("layer", values, true);
            self.line("}");
            return;
        };
        let prepared: Vec<String> = (0..stages.values).map(|m| self.prepare(m)).collect();
        for number in 0..layers {
            self.line(format!("\n    // Layer {number} of {layers}."));
            let layer = self.bind(format!("workgroup.y * {layers}u + {number}u"));
            let values = (0..stages.values)
                .map(|m| self.load_prepared(&prepared[m as usize], &layer, m))
                .collect();
            self.layer(&layer, values, number == 0);
        }
        self.line("}");
    }

    /// Whether neighbouring slots of workgroup memory belong to neighbouring lines, as neighbouring
    /// invocations do.
    fn interleaves_lines(&self) -> bool {
        self.emission.axis == Axis::Column || self.emission.tile_columns.is_some()
    }

    /// Transforms the lines of one layer and stores them. Value m of an invocation is point
    /// lane + m LANES of the line, before every stage and after the last.
    fn layer(&mut self, layer: &str, mut values: Vec<String>, is_first: bool) {
        let stages = self.emission.stages;
        for stage in 0..stages.radices.len() {
            if stage > 0 {
                self.line(format!("\n    // Exchange, and stage {stage}."));
                if stages.lanes() > 1 {
                    values = self.exchange(stage, &values, stage == 1 && is_first);
                } else {
                    values = self.reorder(stage, &values);
                }
            }
            values = self.butterflies(stage, &values);
        }
        self.line("");
        for (m, value) in values.iter().enumerate() {
            let store = self.store(layer, m as u32, value);
            self.line(store);
        }
    }

    /// Where value m is in its layer: y, x. In a row of pairs taken apart, every other element
    /// belongs to the line.
    fn place(&self, m: u32) -> String {
        match (self.emission.axis, self.emission.split) {
            (Axis::Row, false) => format!("line, {}", point(m)),
            (Axis::Row, true) => format!("line / 2u, ({}) * 2u + line % 2u", point(m)),
            (Axis::Column, _) => format!("{}, line", point(m)),
        }
    }

    fn load(&mut self, m: u32) -> String {
        self.bind(format!("load(layer, {})", self.place(m)))
    }

    fn prepare(&mut self, m: u32) -> String {
        self.bind(format!("prepare(workgroup.y, {})", self.place(m)))
    }

    fn load_prepared(&mut self, prepared: &str, layer: &str, m: u32) -> String {
        self.bind(format!("load_prepared({prepared}, {layer}, {})", self.place(m)))
    }

    fn store(&self, layer: &str, m: u32, value: &str) -> String {
        let scale = if self.emission.scales { " * SCALE" } else { "" };
        format!("    store({layer}, {}, {value}{scale});", self.place(m))
    }

    /// One stage: butterfly b takes values b, b + B, b + 2 B, .. of the B butterflies, the j-th of
    /// which is turned by exp(sign 2 pi i (t mod s) j / (s r)) for butterfly t of the line.
    fn butterflies(&mut self, stage: usize, values: &[String]) -> Vec<String> {
        let stages = self.emission.stages;
        let (stride, radix) = (stages.stride(stage), stages.radices[stage]);
        let count = values.len() / radix as usize;
        let mut factors = self.constant_factors(radix);
        let mut results = vec![String::new(); values.len()];
        for butterfly in 0..count {
            // The butterflies of an invocation are LANES apart: while the stride divides that, all
            // have the same factors. Those of the first stage are all 1.
            if stage > 0 && (butterfly == 0 || stride > stages.lanes()) {
                factors = self.factors(stage, butterfly as u32);
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

    /// a + factor b and a - factor b.
    fn butterfly(&mut self, a: &str, b: &str, factor: &Factor) -> (String, String) {
        match factor {
            Factor::One => (self.bind(format!("{a} + {b}")), self.bind(format!("{a} - {b}"))),
            Factor::Quarter => {
                let quarter = self.bind(format!("times_i({b})"));
                let (plus, minus) = match self.emission.direction {
                    Direction::Inverse => ("+", "-"),
                    Direction::Forward => ("-", "+"),
                };
                (
                    self.bind(format!("{a} {plus} {quarter}")),
                    self.bind(format!("{a} {minus} {quarter}")),
                )
            }
            Factor::Other(w) => {
                let sum = self.bind(format!("times_add({b}, {w}, {a})"));
                let difference = self.bind(format!("fma({a}, Element(2.0), -{sum})"));
                (sum, difference)
            }
        }
    }

    /// The factors of [`Emitter::transform`] for `radix` values and w = 1.
    fn constant_factors(&self, radix: u32) -> Vec<Vec<Factor>> {
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
    /// Of these points only the part that depends on the lane is computed at run time. The rest is
    /// a constant with no bit in common with it, so that it can be added after padding, too, and
    /// becomes the immediate offset of a load or store.
    ///
    /// `is_first` where nothing was exchanged before.
    fn exchange(&mut self, stage: usize, values: &[String], is_first: bool) -> Vec<String> {
        let Emission { stages, element_floats, exchange_floats, .. } = *self.emission;
        let (stride, radix) = (stages.stride(stage - 1), stages.radices[stage - 1]);
        let (lanes, count) = (stages.lanes(), stages.values / radix);
        let first = match stride {
            1 => format!("lane * {radix}u"),
            _ if stride >= lanes => "lane".to_owned(),
            _ => format!("lane / {stride}u * {}u + lane % {stride}u", stride * radix),
        };
        let to = self.bind(format!("slot(local_line, {first})"));
        let from = self.bind("slot(local_line, lane)");
        let destinations: Vec<_> = (0..stages.values)
            .map(|m| {
                let (butterfly, j) = (m % count * lanes, m / count);
                let point = butterfly / stride * stride * radix + butterfly % stride + j * stride;
                self.slot_after(&to, point)
            })
            .collect();
        let sources: Vec<_> =
            (0..stages.values).map(|m| self.slot_after(&from, m * lanes)).collect();

        let whole = element_floats == exchange_floats;
        let mut parts: Vec<Vec<String>> = vec![Vec::new(); values.len()];
        for part in 0..element_floats / exchange_floats {
            // What was there before has been read.
            if !is_first || part > 0 {
                self.line("    workgroupBarrier();");
            }
            let components =
                &"xyzw"[(part * exchange_floats) as usize..][..exchange_floats as usize];
            for (value, slot) in values.iter().zip(&destinations) {
                let value = if whole { value.clone() } else { format!("{value}.{components}") };
                self.line(format!("    exchange[{slot}] = {value};"));
            }
            self.line("    workgroupBarrier();");
            for (m, source) in sources.iter().enumerate() {
                let received = self.bind(format!("exchange[{source}]"));
                parts[m].push(received);
            }
        }
        parts
            .into_iter()
            .map(|parts| match parts.as_slice() {
                [whole] => whole.clone(),
                parts => self.bind(format!("Element({})", parts.join(", "))),
            })
            .collect()
    }

    /// As [`Emitter::exchange`], where one invocation holds the whole line.
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

    /// The slot of a point whose number is that of `slot`'s point and, in bits of its own, `point`.
    fn slot_after(&self, slot: &str, point: u32) -> String {
        let Emission { padding, split, .. } = *self.emission;
        let padded = point + point.checked_div(padding).unwrap_or(0);
        match (padded, self.interleaves_lines()) {
            (0, _) => slot.to_owned(),
            (_, false) => format!("{slot} + {}u", if split { 2 * padded } else { padded }),
            (_, true) => format!("{slot} + {padded}u * LINES"),
        }
    }

    /// The factors of [`Emitter::transform`] in one butterfly of `stage`, from
    /// w = exp(sign 2 pi i q / LENGTH) with q = (t mod s) LENGTH / (s r).
    fn factors(&mut self, stage: usize, butterfly: u32) -> Vec<Vec<Factor>> {
        let Emission { stages, twiddles, direction, .. } = *self.emission;
        let (stride, radix) = (stages.stride(stage), stages.radices[stage]);
        let step = stages.length / (stride * radix);
        let first = butterfly * stages.lanes();
        let t = if first == 0 { "lane".to_owned() } else { format!("(lane + {first}u)") };
        let q = self.bind(format!("{t} % {stride}u * {step}u"));
        // From the whole transform, which turns by w, down to pairs, which turn by w^(radix / 2).
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
                let name = self.bind(factor);
                if k == 0 {
                    power.clone_from(&name);
                }
                names.push(name);
            }
            // The second half of them is a quarter of a turn further on.
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

/// What one value of a butterfly is multiplied by.
#[derive(Clone)]
enum Factor {
    One,
    /// A quarter of a turn, i or -i, whichever is the direction's.
    Quarter,
    /// An expression for any other.
    Other(String),
}

/// Value m of every invocation, between stages.
fn point(m: u32) -> String {
    match m {
        0 => "lane".to_owned(),
        _ => format!("lane + {m}u * LANES"),
    }
}
