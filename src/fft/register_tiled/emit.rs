//! Writes the WGSL of a register-tiled kernel: every butterfly unrolled, every value a name of its
//! own. A loop over a local array would be shorter to read, but the array is indexed dynamically
//! as far as a driver can tell, and spills to memory.

use std::fmt::Write as _;

use super::StagePlan;
use crate::fft::{Axis, Direction, Twiddles, cpu};

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
            self.line(match (axis, split) {
                (Axis::Row, false) => format!("    return local_line * LINE_SLOTS + {padded};"),
                // Both images of a pair side by side, as the invocations are.
                (Axis::Row, true) => format!(
                    "    return (local_line / 2u * LINE_SLOTS + {padded}) * 2u + local_line % 2u;"
                ),
                (Axis::Column, _) => format!("    return {padded} * LINES + local_line;"),
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
    let layer = workgroup.y;
    // Neighbouring invocations touch neighbouring memory: along a row, or across adjacent columns.",
        );
        self.line(match (axis, split) {
            (Axis::Row, false) => {
                "    let lane = invocation % LANES;\n    let local_line = invocation / LANES;"
            }
            (Axis::Row, true) => {
                "    let lane = invocation / 2u % LANES;
    let local_line = invocation / (2u * LANES) * 2u + invocation % 2u;"
            }
            (Axis::Column, _) => {
                "    let lane = invocation / LINES;\n    let local_line = invocation % LINES;"
            }
        });
        self.line("    let line = tile * LINES + local_line;\n");

        // Value m of an invocation is point lane + m LANES of the line, before every stage and
        // after the last.
        let mut values: Vec<String> = (0..stages.values).map(|m| self.bind(self.load(m))).collect();
        for stage in 0..stages.radices.len() {
            if stage > 0 {
                self.line(format!("\n    // Exchange, and stage {stage}."));
                if stages.lanes() > 1 {
                    values = self.exchange(stage, &values);
                } else {
                    values = self.reorder(stage, &values);
                }
                self.twiddle(stage, &mut values);
            }
            values = self.butterflies(stages.radices[stage], &values);
        }
        self.line("");
        for (m, value) in values.iter().enumerate() {
            let store = self.store(m as u32, value);
            self.line(store);
        }
        self.line("}");
    }

    /// Reads value m. In a row of pairs taken apart, every other element belongs to the line.
    fn load(&self, m: u32) -> String {
        if self.emission.split && self.emission.axis == Axis::Row {
            format!("load(layer, line / 2u, ({}) * 2u + line % 2u)", point(m))
        } else {
            format!("load_point(layer, line, {})", point(m))
        }
    }

    /// Writes value m.
    fn store(&self, m: u32, value: &str) -> String {
        if self.emission.split && self.emission.axis == Axis::Row {
            format!("    store(layer, line / 2u, ({}) * 2u + line % 2u, {value});", point(m))
        } else {
            format!("    store_point(layer, line, {}, {value});", point(m))
        }
    }

    /// One stage: butterfly b takes values b, b + B, b + 2 B, .. of the B butterflies.
    fn butterflies(&mut self, radix: u32, values: &[String]) -> Vec<String> {
        let count = values.len() / radix as usize;
        let mut results = vec![String::new(); values.len()];
        for butterfly in 0..count {
            let inputs: Vec<_> = values.iter().skip(butterfly).step_by(count).cloned().collect();
            for (j, output) in self.transform(&inputs).into_iter().enumerate() {
                results[butterfly + j * count] = output;
            }
        }
        results
    }

    /// The transform of a handful of values in registers, by decimation in time.
    fn transform(&mut self, x: &[String]) -> Vec<String> {
        let inverse = self.emission.direction == Direction::Inverse;
        match x {
            [a] => vec![a.clone()],
            [a, b] => vec![self.bind(format!("{a} + {b}")), self.bind(format!("{a} - {b}"))],
            [a, b, c, d] => {
                let apc = self.bind(format!("{a} + {c}"));
                let amc = self.bind(format!("{a} - {c}"));
                let bpd = self.bind(format!("{b} + {d}"));
                let jbmd = self.bind(format!("times_i({b} - {d})"));
                let (plus, minus) = if inverse { ("+", "-") } else { ("-", "+") };
                vec![
                    self.bind(format!("{apc} + {bpd}")),
                    self.bind(format!("{amc} {plus} {jbmd}")),
                    self.bind(format!("{apc} - {bpd}")),
                    self.bind(format!("{amc} {minus} {jbmd}")),
                ]
            }
            _ => {
                let n = x.len();
                let outer = if n == 8 { 2 } else { 4 };
                let inner = n / outer;
                let parts: Vec<Vec<String>> = (0..outer)
                    .map(|i| {
                        let part: Vec<_> = x.iter().skip(i).step_by(outer).cloned().collect();
                        self.transform(&part)
                    })
                    .collect();
                let mut results = vec![String::new(); n];
                for k in 0..inner {
                    let column: Vec<_> =
                        (0..outer).map(|i| self.rotate(&parts[i][k], i * k, n)).collect();
                    for (m, output) in self.transform(&column).into_iter().enumerate() {
                        results[k + inner * m] = output;
                    }
                }
                results
            }
        }
    }

    /// z exp(sign 2 pi i k / n), for a constant k: eighths of a turn need no full product.
    fn rotate(&mut self, z: &str, k: usize, n: usize) -> String {
        let inverse = self.emission.direction == Direction::Inverse;
        let plus = if inverse { "+" } else { "-" };
        let half = format!("{:?}", std::f32::consts::FRAC_1_SQRT_2);
        match (8 * k / n, 8 * k % n) {
            (0, 0) => z.to_owned(),
            (1, 0) => self.bind(format!("({z} {plus} times_i({z})) * {half}")),
            (2, 0) if inverse => self.bind(format!("times_i({z})")),
            (2, 0) => self.bind(format!("-times_i({z})")),
            (3, 0) if inverse => self.bind(format!("(times_i({z}) - {z}) * {half}")),
            (3, 0) => self.bind(format!("({z} + times_i({z})) * -{half}")),
            _ => {
                let [re, im] = cpu::root_of_unity(k, n, self.emission.direction);
                self.bind(format!("times({z}, vec2({:?}, {:?}))", re as f32, im as f32))
            }
        }
    }

    /// Brings to each invocation the values of its butterflies of `stage`: butterfly t of the
    /// stage before wrote its j-th result to point (t / s) s r + t mod s + j s, with s the stride
    /// and r the radix of that stage (Govindaraju et al. 2008, figure 2).
    fn exchange(&mut self, stage: usize, values: &[String]) -> Vec<String> {
        let Emission { element_floats, exchange_floats, .. } = *self.emission;
        let destinations = self.destinations(stage - 1, |emitter, butterfly| {
            let lanes = emitter.emission.stages.lanes();
            match butterfly {
                0 => "lane".to_owned(),
                _ => emitter.bind(format!("lane + {}u", butterfly * lanes)),
            }
        });
        let slots: Vec<_> = destinations
            .iter()
            .map(|point| self.bind(format!("slot(local_line, {point})")))
            .collect();
        let sources: Vec<_> = (0..values.len() as u32)
            .map(|m| self.bind(format!("slot(local_line, {})", point(m))))
            .collect();

        let whole = element_floats == exchange_floats;
        let mut parts: Vec<Vec<String>> = vec![Vec::new(); values.len()];
        for part in 0..element_floats / exchange_floats {
            // What was there before has been read.
            if stage > 1 || part > 0 {
                self.line("    workgroupBarrier();");
            }
            let components =
                &"xyzw"[(part * exchange_floats) as usize..][..exchange_floats as usize];
            for (value, slot) in values.iter().zip(&slots) {
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

    /// Points that the values go to after `stage`, in the order of the values.
    fn destinations(
        &mut self,
        stage: usize,
        mut butterfly_index: impl FnMut(&mut Self, u32) -> String,
    ) -> Vec<String> {
        let stages = self.emission.stages;
        let (stride, radix) = (stages.stride(stage), stages.radices[stage]);
        let count = stages.values / radix;
        let first: Vec<String> = (0..count)
            .map(|butterfly| {
                let t = butterfly_index(self, butterfly);
                if stride == 1 {
                    self.bind(format!("({t}) * {radix}u"))
                } else {
                    let span = stride * radix;
                    self.bind(format!("({t}) / {stride}u * {span}u + ({t}) % {stride}u"))
                }
            })
            .collect();
        (0..stages.values)
            .map(|m| {
                let (butterfly, j) = (m % count, m / count);
                format!("{} + {}u", first[butterfly as usize], j * stride)
            })
            .collect()
    }

    /// Turns value j of butterfly t by exp(sign 2 pi i (t mod s) j / (s r)).
    fn twiddle(&mut self, stage: usize, values: &mut [String]) {
        let stages = self.emission.stages;
        let (stride, radix) = (stages.stride(stage), stages.radices[stage]);
        let step = stages.length / (stride * radix);
        let (lanes, count) = (stages.lanes(), stages.values / radix);
        let mut factors = Vec::new();
        for butterfly in 0..count {
            // The butterflies of an invocation are LANES apart: while the stride divides that, all
            // have the same factors.
            if butterfly == 0 || stride > lanes {
                let q = self.bind(format!("(lane + {}u) % {stride}u * {step}u", butterfly * lanes));
                factors = self.factors(&q, radix);
            }
            for j in 1..radix {
                let m = (butterfly + j * count) as usize;
                values[m] = self.bind(format!("times({}, {})", values[m], factors[j as usize]));
            }
        }
    }

    /// Names of w^0 .. w^(radix - 1), with w = exp(sign 2 pi i q / LENGTH).
    fn factors(&mut self, q: &str, radix: u32) -> Vec<String> {
        let mut factors = vec![String::new(), self.bind(format!("twiddle({q})"))];
        for j in 2..radix {
            let factor = match self.emission.twiddles {
                // Half times half, so that errors double as seldom as they can.
                Twiddles::Powers | Twiddles::Computed => {
                    let (a, b) = (&factors[(j / 2) as usize], &factors[j.div_ceil(2) as usize]);
                    format!("twiddle_product({a}, {b})")
                }
                _ => format!("twiddle({j}u * {q})"),
            };
            factors.push(self.bind(factor));
        }
        factors
    }
}

/// Value m of every invocation, between stages.
fn point(m: u32) -> String {
    match m {
        0 => "lane".to_owned(),
        _ => format!("lane + {m}u * LANES"),
    }
}
