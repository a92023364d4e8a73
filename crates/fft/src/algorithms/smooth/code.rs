//! Straight-line WGSL under construction, and the transforms of a handful of values in it.

use std::fmt::Write as _;

use crate::descriptor::{Direction, Precision};
use crate::program::kernel::literal;
use crate::roots::root_of_unity;

/// Statements, each of which binds a value to a new name.
pub struct Code {
    pub text: String,
    precision: Precision,
    names: u32,
    depth: usize,
}

/// A value of the transform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// Known to be zero, such as padding.
    Zero,
    /// An expression without side effects, usually a name.
    Value(String),
}

/// The selection of the floats of an element that are exchanged as `part`, of `exchanged` floats each.
pub fn components(part: u32, exchanged: u32, element_floats: u32) -> String {
    let first = (part * exchanged) as usize;
    match exchanged == element_floats {
        true => String::new(),
        false => format!(".{}", &"xyzw"[first..][..exchanged as usize]),
    }
}

impl Code {
    pub fn of(precision: Precision) -> Self {
        Self { text: String::new(), precision, names: 0, depth: 0 }
    }

    fn literal(&self, value: f64) -> String {
        literal(value, self.precision)
    }

    pub fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        let indent = if text.is_empty() { 0 } else { 4 * self.depth };
        writeln!(self.text, "{:indent$}{text}", "").expect("writing to a string");
    }

    /// Begins a condition that holds until [`Code::close`].
    pub fn open(&mut self, head: impl AsRef<str>) {
        self.line(format!("{} {{", head.as_ref()));
        self.depth += 1;
    }

    pub fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    pub fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names - 1)
    }

    pub fn bind(&mut self, expression: impl AsRef<str>) -> String {
        let name = self.name();
        self.line(format!("let {name} = {};", expression.as_ref()));
        name
    }

    /// The element of the `parts` that crossed workgroup memory.
    pub fn element(&mut self, parts: &[String]) -> String {
        match parts {
            [whole] => whole.clone(),
            parts => self.bind(format!("Element({})", parts.join(", "))),
        }
    }

    /// Writes statements that hold under the condition `guard`, if there is one.
    pub fn guarded(&mut self, guard: Option<&String>, statements: impl FnOnce(&mut Self)) {
        guard.inspect(|guard| self.open(guard));
        statements(self);
        guard.inspect(|_| self.close());
    }

    /// Reads the values of the named slots of workgroup memory, where `guard` holds. Returns their names.
    pub fn received(&mut self, guard: Option<&String>, slots: &[String]) -> Vec<String> {
        let values: Vec<_> = slots.iter().map(|slot| format!("exchange[{slot}]")).collect();
        self.bind_all(guard, &values)
    }

    /// Binds each of the expressions, of type `Exchanged`, to a name of its own, where `guard` holds. Returns
    /// the names.
    pub fn bind_all(&mut self, guard: Option<&String>, expressions: &[String]) -> Vec<String> {
        let names: Vec<_> = expressions.iter().map(|_| self.name()).collect();
        if guard.is_some() {
            names.iter().for_each(|name| self.line(format!("var {name}: Exchanged;")));
        }
        let head = if guard.is_some() { "" } else { "let " };
        self.guarded(guard, |code| {
            for (name, expression) in names.iter().zip(expressions) {
                code.line(format!("{head}{name} = {expression};"));
            }
        });
        names
    }

    fn value(&mut self, expression: impl AsRef<str>) -> Term {
        Term::Value(self.bind(expression))
    }

    fn add(&mut self, a: &Term, b: &Term) -> Term {
        match (a, b) {
            (Term::Zero, other) | (other, Term::Zero) => other.clone(),
            (Term::Value(a), Term::Value(b)) => self.value(format!("{a} + {b}")),
        }
    }

    fn subtract(&mut self, a: &Term, b: &Term) -> Term {
        match (a, b) {
            (a, Term::Zero) => a.clone(),
            (Term::Zero, Term::Value(b)) => self.value(format!("-{b}")),
            (Term::Value(a), Term::Value(b)) => self.value(format!("{a} - {b}")),
        }
    }

    /// `value` times `factor`, an expression.
    pub fn times(&mut self, value: &Term, factor: &str) -> Term {
        match value {
            Term::Zero => Term::Zero,
            Term::Value(value) => self.value(format!("times({value}, {factor})")),
        }
    }

    fn times_i(&mut self, value: &Term) -> Term {
        match value {
            Term::Zero => Term::Zero,
            Term::Value(value) => self.value(format!("times_i({value})")),
        }
    }

    fn multiply_add(&mut self, value: &Term, factor: f64, sum: &Term) -> Term {
        let factor = self.literal(factor);
        match (value, sum) {
            (Term::Zero, sum) => sum.clone(),
            (Term::Value(value), Term::Zero) => self.value(format!("{value} * {factor}")),
            (Term::Value(value), Term::Value(sum)) => {
                self.value(format!("fma({value}, Element({factor}), {sum})"))
            }
        }
    }

    /// `value` times exp(sign 2 pi i k / n).
    fn turn(&mut self, value: &Term, k: usize, n: usize, direction: Direction) -> Term {
        let k = k % n;
        let quarters = match direction {
            Direction::Inverse => 4 * k,
            Direction::Forward => 4 * (n - k),
        };
        match (quarters.is_multiple_of(n), quarters / n % 4) {
            (true, 0) => value.clone(),
            (true, 1) => self.times_i(value),
            (true, 2) => self.subtract(&Term::Zero, value),
            (true, _) => {
                let turned = self.times_i(value);
                self.subtract(&Term::Zero, &turned)
            }
            (false, _) => {
                let [re, im] = root_of_unity(k, n, direction).map(|part| self.literal(part));
                self.times(value, &format!("vec2({re}, {im})"))
            }
        }
    }

    /// The transform of a few values, whose number has small primes: 2 and odd primes directly, powers
    /// of a prime by decimation in time, and the rest through its coprime parts.
    pub fn transform(&mut self, x: &[Term], direction: Direction) -> Vec<Term> {
        let n = x.len();
        match n {
            0 | 1 => return x.to_vec(),
            2 => return vec![self.add(&x[0], &x[1]), self.subtract(&x[0], &x[1])],
            _ => {}
        }
        let prime = (2..=n).find(|factor| n.is_multiple_of(*factor)).unwrap_or(n);
        let mut power = prime;
        while (n / power).is_multiple_of(prime) {
            power *= prime;
        }
        if prime == n {
            self.prime(x, direction)
        } else if power < n {
            self.coprime(x, power, direction)
        } else {
            let outer = if n > 4 && n.is_multiple_of(4) { 4 } else { prime };
            self.decimate(x, outer, direction)
        }
    }

    /// The transform of an odd prime n: values j and n - j have conjugate factors, so that their sums
    /// take the cosines and their differences the sines (Singleton, An algorithm for computing the mixed
    /// radix fast Fourier transform, IEEE Trans. Audio Electroacoust. 17, 1969).
    fn prime(&mut self, x: &[Term], direction: Direction) -> Vec<Term> {
        let n = x.len();
        let half = 1..=n / 2;
        let sums: Vec<_> = half.clone().map(|j| self.add(&x[j], &x[n - j])).collect();
        let differences: Vec<_> = half.clone().map(|j| self.subtract(&x[j], &x[n - j])).collect();
        let mut results = vec![Term::Zero; n];
        results[0] = sums.iter().fold(x[0].clone(), |sum, value| self.add(&sum, value));
        for k in half {
            let (mut even, mut odd) = (x[0].clone(), Term::Zero);
            for (j, (sum, difference)) in (1..).zip(sums.iter().zip(&differences)) {
                let [cos, sin] = root_of_unity(j * k, n, direction);
                even = self.multiply_add(sum, cos, &even);
                odd = self.multiply_add(difference, sin, &odd);
            }
            let odd = self.times_i(&odd);
            results[k] = self.add(&even, &odd);
            results[n - k] = self.subtract(&even, &odd);
        }
        results
    }

    /// The transform of n = a b with a and b coprime: with value (b i + a j) mod n in row i and column
    /// j, and result k in row k mod a and column k mod b, it is a transform of the rows and one of the
    /// columns, without factors between them (Good, The interaction algorithm and practical Fourier
    /// analysis, J. R. Stat. Soc. B 20, 1958).
    fn coprime(&mut self, x: &[Term], a: usize, direction: Direction) -> Vec<Term> {
        let (n, b) = (x.len(), x.len() / a);
        let rows: Vec<_> = (0..a)
            .map(|i| {
                let row: Vec<_> = (0..b).map(|j| x[(b * i + a * j) % n].clone()).collect();
                self.transform(&row, direction)
            })
            .collect();
        let columns: Vec<_> = (0..b)
            .map(|k| {
                let column: Vec<_> = rows.iter().map(|row| row[k].clone()).collect();
                self.transform(&column, direction)
            })
            .collect();
        (0..n).map(|k| columns[k % b][k % a].clone()).collect()
    }

    /// The transform of n = a b by decimation in time: transforms of b values a apart, factors,
    /// transforms of a (Cooley, Tukey, An algorithm for the machine calculation of complex Fourier
    /// series, Math. Comput. 19, 1965).
    fn decimate(&mut self, x: &[Term], a: usize, direction: Direction) -> Vec<Term> {
        let (n, b) = (x.len(), x.len() / a);
        let parts: Vec<_> = (0..a)
            .map(|i| {
                let part: Vec<_> = x.iter().skip(i).step_by(a).cloned().collect();
                self.transform(&part, direction)
            })
            .collect();
        let mut results = vec![Term::Zero; n];
        for k in 0..b {
            let turned: Vec<_> = parts
                .iter()
                .enumerate()
                .map(|(i, part)| self.turn(&part[k], i * k, n, direction))
                .collect();
            for (m, result) in self.transform(&turned, direction).into_iter().enumerate() {
                results[k + b * m] = result;
            }
        }
        results
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::choice::Choice as _;
    use crate::lab::cpu::{self, Complex};

    /// The value of a number in either precision.
    fn number(text: &str) -> Option<f64> {
        text.trim_end_matches(')').trim_end_matches("lf").parse().ok()
    }

    fn operand(text: &str, names: &HashMap<String, Complex>) -> Complex {
        if let Some(real) = text.strip_prefix("Element(") {
            return [number(real).unwrap(), 0.0];
        }
        match text.strip_prefix("vec2(") {
            Some(parts) => {
                let (re, im) = parts.split_once(", ").unwrap();
                [number(re).unwrap(), number(im).unwrap()]
            }
            None => number(text).map_or_else(|| names[text], |number| [number, 0.0]),
        }
    }

    /// Runs the statements of `code` in double precision.
    fn run(code: &str, names: &mut HashMap<String, Complex>) {
        for line in code.lines() {
            let (name, expression) =
                line.trim().strip_prefix("let ").unwrap().split_once(" = ").unwrap();
            let expression = expression.trim_end_matches(';');
            let of = |text: &str| operand(text, names);
            let call = |function: &str| {
                let inside = expression.strip_prefix(function)?.strip_prefix('(')?;
                inside.strip_suffix(')')
            };
            let product = |[a, b]: Complex, [c, d]: Complex| [a * c - b * d, a * d + b * c];
            let value = if let Some(value) = call("times_i") {
                product(of(value), [0.0, 1.0])
            } else if let Some(both) = call("times") {
                let (a, b) = both.split_once(", ").unwrap();
                product(of(a), of(b))
            } else if let Some(three) = call("fma") {
                let parts: Vec<_> = three.split(", ").collect();
                let ([a, b], [c, d]) = (product(of(parts[0]), of(parts[1])), of(parts[2]));
                [a + c, b + d]
            } else if let Some((a, b)) = expression.split_once(" + ") {
                let ([a, b], [c, d]) = (of(a), of(b));
                [a + c, b + d]
            } else if let Some((a, b)) = expression.split_once(" - ") {
                let ([a, b], [c, d]) = (of(a), of(b));
                [a - c, b - d]
            } else if let Some((a, b)) = expression.split_once(" * ") {
                product(of(a), of(b))
            } else {
                of(expression.strip_prefix('-').unwrap()).map(|part| -part)
            };
            names.insert(name.to_owned(), value);
        }
    }

    /// Every butterfly, with any number of zeros at its end, is the definition's sum to the precision of
    /// its constants.
    #[test]
    fn butterflies_are_the_definition() {
        let radices = (1..=32).filter(|n| super::super::plan::is_smooth(*n as u32));
        let forms = [Precision::F32, Precision::F64]
            .into_iter()
            .flat_map(|precision| Direction::ALL.iter().map(move |way| (precision, *way)));
        for (n, (precision, direction)) in
            radices.flat_map(|n| forms.clone().map(move |form| (n, form)))
        {
            let allowed = if precision == Precision::F32 { 1e-6 } else { 1e-13 };
            for zeros in 0..n {
                let mut code = Code::of(precision);
                let mut names = HashMap::new();
                let mut values: Vec<Complex> = crate::lab::noise(n as u32, n)
                    .into_iter()
                    .map(|value| value.map(f64::from))
                    .collect();
                values[n - zeros..].fill([0.0; 2]);
                let terms: Vec<_> = (0..n)
                    .map(|j| match j < n - zeros {
                        true => Term::Value(format!("x{j}")),
                        false => Term::Zero,
                    })
                    .collect();
                for (j, value) in values.iter().enumerate() {
                    names.insert(format!("x{j}"), *value);
                }
                let results = code.transform(&terms, direction);
                run(&code.text, &mut names);
                let exact = cpu::dft(&values, direction);
                for (term, exact) in results.iter().zip(&exact) {
                    let found = match term {
                        Term::Zero => [0.0; 2],
                        Term::Value(name) => names[name],
                    };
                    for (found, exact) in found.iter().zip(exact) {
                        let error = (found - exact).abs();
                        assert!(error < allowed, "{n} {direction} {precision} {zeros}: {error:e}");
                    }
                }
            }
        }
    }
}
