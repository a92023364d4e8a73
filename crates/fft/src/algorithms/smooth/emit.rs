//! Writes `transform_line`, the part of a kernel that depends on the stages of its line: every butterfly
//! is unrolled, and every value has its own name, as `register_tiled/emit.rs` does for powers of two
//! (and says why). The rest is `shaders/fft/smooth_line.wgsl`.

use super::code::{Code, Term, components};
use super::slots::Slots;
use super::stage::Stage;
use crate::algorithms::Twiddles;
use crate::descriptor::{Direction, Precision};

/// The inputs of `transform_line`.
///
/// A stage of radix r after others whose radices multiply to s has N / r butterflies. Butterfly t takes the
/// values t + j N / r, turns the j-th by exp(sign 2 pi i (t mod s) j / (s r)), and its j-th result is value
/// (t / s) s r + t mod s + j s of the next stage (Govindaraju et al. 2008, figure 2).
pub struct Emission<'a> {
    pub points: u32,
    pub lanes: u32,
    pub stages: &'a [Stage],
    pub slots: &'a Slots,
    pub direction: Direction,
    pub precision: Precision,
    /// The floats of one element: 2 or 4.
    pub element_floats: u32,
    /// The floats of an element that cross workgroup memory at a time, a divisor of `element_floats`.
    pub exchange_floats: u32,
    pub twiddles: Twiddles,
    /// The order of the twiddle factors, a multiple of `points`.
    pub period: u32,
    /// The first of the values that are zero and not loaded.
    pub loaded: u32,
    /// The first of the results that are not stored.
    pub stored: u32,
    /// Whether neighbouring invocations load neighbouring points of a line, and not those of
    /// neighbouring lines.
    pub loads_along: bool,
    /// `loads_along` from the first exchange on.
    pub stores_along: bool,
    /// For whole lines: results k and n - k of the first n are stored together.
    pub pairs_of: Option<u32>,
    /// For lines with a point that is no power of a generator: whether it joins the others here, or follows
    /// them to another pass.
    pub first: Option<bool>,
}

impl Emission<'_> {
    pub fn function(&self) -> String {
        let mut code = Code::of(self.precision);
        code.open("fn transform_line(layer: u32, tile: u32, invocation: u32)");
        let along = self.loads_along;
        let mut place = code.bind(format!("find_place(layer, tile, invocation, {along})"));
        if self.first == Some(false) {
            code.line(format!("carry_first({place});"));
        }
        let mut inputs: Vec<Vec<Term>> = Vec::new();
        for (number, stage) in self.stages.iter().enumerate() {
            if number > 0 {
                code.line("");
                code.line(format!("// Stage {number}: radix {}.", stage.radix));
                if self.lanes == 1 {
                    inputs = self.reorder(number, &inputs);
                } else {
                    let results = inputs;
                    let from = place.clone();
                    if number == 1 && self.loads_along != self.stores_along {
                        let along = self.stores_along;
                        place = code.bind(format!("find_place(layer, tile, invocation, {along})"));
                    }
                    inputs = self.exchange(&mut code, number, [&from, &place], &results);
                }
            } else {
                code.line(format!("// Stage 0: radix {}.", stage.radix));
            }
            inputs = self.stage(&mut code, number, &place, &inputs);
        }
        if let Some(points) = self.pairs_of {
            code.line("");
            code.line("// What two results come to together.");
            if self.lanes == 1 {
                self.pair_own(&mut code, points, &place, &inputs);
            } else {
                self.pair_exchanged(&mut code, points, &place, &inputs);
            }
        }
        code.close();
        code.text
    }

    fn count(&self, stage: &Stage) -> u32 {
        self.points / stage.radix
    }

    fn rounds(&self, stage: &Stage) -> u32 {
        self.count(stage).div_ceil(self.lanes)
    }

    /// The butterfly of an invocation in `round`, and the condition for it.
    fn butterfly(
        &self,
        code: &mut Code,
        stage: &Stage,
        place: &str,
        round: u32,
    ) -> (String, Option<String>) {
        let butterfly = match round {
            0 => format!("{place}.lane"),
            _ => code.bind(format!("{place}.lane + {}u", round * self.lanes)),
        };
        let count = self.count(stage);
        let guard =
            ((round + 1) * self.lanes > count).then(|| format!("if ({butterfly} < {count}u)"));
        (butterfly, guard)
    }

    /// Computes all butterflies of a stage: the first stage loads its values, the last stores its
    /// results. Returns the results of each round.
    fn stage(
        &self,
        code: &mut Code,
        number: usize,
        place: &str,
        inputs: &[Vec<Term>],
    ) -> Vec<Vec<Term>> {
        let stage = &self.stages[number];
        let is_last = number + 1 == self.stages.len();
        let is_stored = is_last && self.pairs_of.is_none();
        let count = self.count(stage);
        let mut shared_factors = None;
        let mut results = Vec::new();
        for round in 0..self.rounds(stage) {
            let (butterfly, guard) = self.butterfly(code, stage, place, round);
            // While the stride divides the distance between the butterflies of an invocation, all
            // have the same factors.
            let shares = self.rounds(stage) > 1 && self.lanes.is_multiple_of(stage.stride);
            if shares && shared_factors.is_none() {
                shared_factors = Some(self.factors(code, stage, &butterfly));
            }
            let kept: Vec<String> = match &guard {
                Some(_) if !is_stored => (0..stage.radix)
                    .map(|_| {
                        let name = code.name();
                        code.line(format!("var {name}: Element;"));
                        name
                    })
                    .collect(),
                _ => Vec::new(),
            };
            if let Some(guard) = &guard {
                code.open(guard);
            }
            let values: Vec<Term> = match number {
                0 => (0..stage.radix)
                    .map(|j| match j * count < self.loaded {
                        true => {
                            let n = after(&butterfly, j * count);
                            Term::Value(code.bind(format!("load_value({place}, {n})")))
                        }
                        false => Term::Zero,
                    })
                    .collect(),
                _ => inputs[round as usize].clone(),
            };
            let factors = match &shared_factors {
                Some(factors) => factors.clone(),
                None => self.factors(code, stage, &butterfly),
            };
            let mut found = self.compute(code, stage, place, &butterfly, values, &factors);
            if is_last && !is_stored {
                for (j, value) in (0..).zip(&mut found) {
                    let n = after(&butterfly, j * count);
                    let finished = format!("finish_value({place}, {n}, {})", expression(value));
                    *value = Term::Value(code.bind(finished));
                }
            }
            if is_stored {
                for (j, value) in (0..).zip(&found).filter(|(j, _)| j * count < self.stored) {
                    let n = after(&butterfly, j * count);
                    let value = expression(value);
                    code.line(format!("store_value({place}, {n}, {value});"));
                }
            }
            for (name, value) in kept.iter().zip(&found) {
                code.line(format!("{name} = {};", expression(value)));
            }
            if guard.is_some() {
                code.close();
            }
            results.push(match kept.is_empty() {
                true => found,
                false => kept.into_iter().map(Term::Value).collect(),
            });
        }
        results
    }

    fn compute(
        &self,
        code: &mut Code,
        stage: &Stage,
        place: &str,
        butterfly: &str,
        mut values: Vec<Term>,
        factors: &[String],
    ) -> Vec<Term> {
        let (there, back) = (self.direction, self.direction.reverse());
        for (value, factor) in values.iter_mut().skip(1).zip(factors) {
            *value = code.times(value, factor);
        }
        let direction = if stage.back { back } else { there };
        let results = code.transform(&values, direction);
        if !stage.turns_back {
            return results;
        }
        let count = self.count(stage);
        let mut filtered: Vec<_> = (0..)
            .zip(&results)
            .map(|(j, value)| {
                let n = after(butterfly, j * count);
                let factor = code.bind(format!("filter_at({place}, {n})"));
                code.times(value, &factor)
            })
            .collect();
        if self.first == Some(true) {
            let [sum, value] = [&results[0], &filtered[0]].map(expression);
            let joined = code.bind(format!("join_first({place}, {butterfly}, {sum}, {value})"));
            filtered[0] = Term::Value(joined);
        }
        code.transform(&filtered, back)
    }

    /// The factors of the second, third, .. value of butterfly t: the powers of
    /// w = exp(sign 2 pi i q / period) with q = (t mod s) period / (s r).
    fn factors(&self, code: &mut Code, stage: &Stage, butterfly: &str) -> Vec<String> {
        let Stage { radix, stride, .. } = *stage;
        if stride == 1 {
            return Vec::new();
        }
        let step = self.period / (stride * radix);
        let q = code.bind(format!("{butterfly} % {stride}u * {step}u"));
        let mut powers: Vec<String> = Vec::new();
        for j in 1..radix as usize {
            let factor = match self.twiddles {
                Twiddles::Powers | Twiddles::Computed if j > 1 => {
                    let (a, b) = (&powers[j / 2 - 1], &powers[j - j / 2 - 1]);
                    match a == b {
                        true => format!("twiddle_square({a})"),
                        false => format!("twiddle_product({a}, {b})"),
                    }
                }
                _ if j == 1 => format!("twiddle({q})"),
                _ => format!("twiddle({j}u * {q})"),
            };
            powers.push(code.bind(factor));
        }
        if stage.back {
            powers = powers.iter().map(|w| code.bind(format!("conjugate({w})"))).collect();
        }
        powers
    }

    /// Brings to each invocation the values of its butterflies of stage `number`; `places` are its
    /// places before and after.
    fn exchange(
        &self,
        code: &mut Code,
        number: usize,
        places: [&str; 2],
        results: &[Vec<Term>],
    ) -> Vec<Vec<Term>> {
        let (before, stage) = (&self.stages[number - 1], &self.stages[number]);
        let slots = self.slots.of(number - 1, before.write_stride(), before.radix);
        let mut writes = Vec::new();
        for round in 0..self.rounds(before) {
            let (butterfly, guard) = self.butterfly(code, before, places[0], round);
            let first = slots.first_written(&butterfly);
            let first = code.bind(format!("slot({}, {first})", places[0]));
            writes.push((first, butterfly, guard));
        }
        let mut reads = Vec::new();
        for round in 0..self.rounds(stage) {
            let (butterfly, guard) = self.butterfly(code, stage, places[1], round);
            let first = slots.of_value(&butterfly);
            let first = code.bind(format!("slot({}, {first})", places[1]));
            reads.push((first, guard));
        }
        let (radix, count) = (stage.radix as usize, self.count(stage));
        let parts = self.element_floats / self.exchange_floats;
        let portions = self.slots.portions;
        let mut received = vec![vec![Vec::new(); radix]; reads.len()];
        for (part, portion) in (0..parts).flat_map(|part| (0..portions).map(move |p| (part, p))) {
            // The old contents have been read.
            if number > 1 || part > 0 || portion > 0 {
                code.line("workgroupBarrier();");
            }
            let components = components(part, self.exchange_floats, self.element_floats);
            let begins = self.slots.apart(slots.span(self.portion_begins(portion)));
            for ((first, butterfly, guard), values) in writes.iter().zip(results) {
                let of_portion = self.count(before) / portions;
                let of_portion = (portions > 1)
                    .then(|| format!("if ({butterfly} / {of_portion}u == {portion}u)"));
                let guard = of_portion.as_ref().or(guard.as_ref());
                code.guarded(guard, |code| {
                    for (j, value) in (0..).zip(values) {
                        let apart = self.slots.apart(j * slots.written_apart());
                        let slot = moved(first, apart, begins);
                        let value = expression(value);
                        code.line(format!("exchange[{slot}] = {value}{components};"));
                    }
                });
            }
            code.line("workgroupBarrier();");
            for (round, ((first, guard), received)) in (0..).zip(reads.iter().zip(&mut received)) {
                let is_there = |j: u32| self.portion_of(round * self.lanes + j * count) == portion;
                let there = (0..radix as u32).filter(|j| is_there(*j));
                let slot = |j| moved(first, self.slots.apart(slots.span(j * count)), begins);
                let places: Vec<_> = there.clone().map(slot).collect();
                for (j, name) in there.zip(code.received(guard.as_ref(), &places)) {
                    received[j as usize].push(name);
                }
            }
        }
        let mut whole = |parts: &Vec<String>| Term::Value(code.element(parts));
        received.iter().map(|round| round.iter().map(&mut whole).collect()).collect()
    }

    /// The portion of the exchanged values that holds value n of all invocations.
    fn portion_of(&self, n: u32) -> u32 {
        n / (self.points / self.slots.portions)
    }

    fn portion_begins(&self, portion: u32) -> u32 {
        portion * (self.points / self.slots.portions)
    }

    /// Stores the results of whole lines in pairs, which meet in workgroup memory.
    fn pair_exchanged(&self, code: &mut Code, points: u32, place: &str, results: &[Vec<Term>]) {
        let last = self.stages.last().expect("a line has stages");
        let count = self.count(last);
        // Results have their places in the line, those of the last exchange without empty slots.
        let mut writes = Vec::new();
        for round in 0..self.rounds(last) {
            let (butterfly, guard) = self.butterfly(code, last, place, round);
            writes.push((code.bind(format!("slot({place}, {butterfly})")), guard));
        }
        let pairs = points.div_ceil(2);
        let mut reads = Vec::new();
        for round in 0..pairs.div_ceil(self.lanes) {
            let k = match round {
                0 => format!("{place}.lane"),
                _ => code.bind(format!("{place}.lane + {}u", round * self.lanes)),
            };
            let guard = ((round + 1) * self.lanes > pairs).then(|| format!("if ({k} < {pairs}u)"));
            let a = code.bind(format!("slot({place}, {k})"));
            let other = match round {
                0 => format!("select({points}u - {k}, {}u, {k} == 0u)", points / 2),
                _ => format!("{points}u - {k}"),
            };
            let b = code.bind(format!("slot({place}, {other})"));
            reads.push((k, [a, b], guard));
        }
        let parts = self.element_floats / self.exchange_floats;
        let mut received = vec![[Vec::new(), Vec::new()]; reads.len()];
        let portions = self.slots.portions;
        for (part, portion) in (0..parts).flat_map(|part| (0..portions).map(move |p| (part, p))) {
            code.line("workgroupBarrier();");
            let components = components(part, self.exchange_floats, self.element_floats);
            let begins = self.slots.apart(self.portion_begins(portion));
            for (round, ((first, guard), values)) in (0..).zip(writes.iter().zip(results)) {
                let is_there = |j: u32| self.portion_of(round * self.lanes + j * count) == portion;
                let values = (0..).zip(values).filter(|(j, _)| j * count < points);
                code.guarded(guard.as_ref(), |code| {
                    for (j, value) in values.filter(|(j, _)| portions == 1 || is_there(*j)) {
                        let slot = moved(first, self.slots.apart(j * count), begins);
                        let value = expression(value);
                        code.line(format!("exchange[{slot}] = {value}{components};"));
                    }
                });
            }
            code.line("workgroupBarrier();");
            for ((_, slots, guard), received) in reads.iter().zip(&mut received) {
                let there = (0..2).filter(|side| portions == 1 || *side == portion as usize);
                let places: Vec<_> =
                    there.clone().map(|side| moved(&slots[side], 0, begins)).collect();
                for (side, name) in there.zip(code.received(guard.as_ref(), &places)) {
                    received[side].push(name);
                }
            }
        }
        for ((k, _, guard), [a, b]) in reads.iter().zip(received) {
            let whole = |parts: Vec<String>| match &parts[..] {
                [whole] => whole.clone(),
                parts => format!("Element({})", parts.join(", ")),
            };
            let (a, b) = (whole(a), whole(b));
            code.guarded(guard.as_ref(), |code| {
                code.line(format!("store_pair({place}, {k}, {a}, {b});"));
            });
        }
    }

    /// Stores pairs as [`Emission::pair_exchanged`] does where one invocation holds the whole line.
    fn pair_own(&self, code: &mut Code, points: u32, place: &str, results: &[Vec<Term>]) {
        let last = self.stages.last().expect("a line has stages");
        let count = self.count(last);
        let result = |k: u32| expression(&results[(k % count) as usize][(k / count) as usize]);
        for k in 0..points.div_ceil(2) {
            let other = if k == 0 { points / 2 } else { points - k };
            let (a, b) = (result(k), result(other));
            code.line(format!("store_pair({place}, {k}u, {a}, {b});"));
        }
    }

    /// Reorders as [`Emission::exchange`] does where one invocation holds the whole line.
    fn reorder(&self, number: usize, results: &[Vec<Term>]) -> Vec<Vec<Term>> {
        let (before, stage) = (&self.stages[number - 1], &self.stages[number]);
        let (stride, radix) = (before.write_stride() as usize, before.radix as usize);
        let mut values = vec![Term::Zero; self.points as usize];
        for (t, results) in results.iter().enumerate() {
            for (j, result) in results.iter().enumerate() {
                values[t / stride * stride * radix + t % stride + j * stride] = result.clone();
            }
        }
        let count = self.count(stage) as usize;
        (0..count).map(|t| values.iter().skip(t).step_by(count).cloned().collect()).collect()
    }
}

fn after(first: &str, n: u32) -> String {
    match n {
        0 => first.to_owned(),
        _ => format!("{first} + {n}u"),
    }
}

/// The expression of `n` after `first`, relative to `begins`.
fn moved(first: &str, n: u32, begins: u32) -> String {
    match n.checked_sub(begins) {
        Some(n) => after(first, n),
        None => format!("{first} - {}u", begins - n),
    }
}

fn expression(value: &Term) -> &str {
    match value {
        Term::Zero => "Element()",
        Term::Value(name) => name,
    }
}
