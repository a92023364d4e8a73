//! `--sweep` and `--invocations`: one algorithm with a parameter at one value after another.

use std::ops::RangeInclusive;

use crate::choice::Choice as _;
use crate::fft::Descriptor;
use crate::fft::lab::{self, Algorithm, AlgorithmChoice, Configuration, Value};
use crate::gpu::Capabilities;

use super::report::{self, DISTINCTIONS, Distinction, differing, text_of};
use super::stored::Stored;
use crate::bench::Row;
use crate::bench::{Chart, Line};
use crate::cli::exit::Usage;
use crate::cli::fft_options::{self, ParameterOptions, Sweep};

#[derive(clap::Args)]
pub struct Sweeps {
    /// Time an algorithm with a parameter at each of these values, for example
    /// row-butterflies=1,2,4,8; repeat the option to time all combinations
    #[arg(
        long,
        value_name = "NAME=V,..",
        value_parser = fft_options::sweep,
        conflicts_with_all = ["cpu", "ocean", "from", "invocations"]
    )]
    sweep: Vec<Sweep>,
    /// Time a single line of --size points with each of these numbers of invocations: a list (1,2,4), or the
    /// powers of two in a range (1..256). The speed-up is S_p = T_1 / T_p (Zhang et al., table 3)
    #[arg(
        long,
        value_name = "P,..",
        value_parser = invocations,
        conflicts_with_all = [
            "cpu", "ocean", "from", "batch", "dimensions", "kind", "axes"
        ]
    )]
    invocations: Option<Invocations>,
}

/// The longest line of `--invocations`.
pub const LONGEST: u32 = 1 << 15;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Invocations(Vec<u32>);

fn invocations(text: &str) -> Result<Invocations, String> {
    const MOST: RangeInclusive<u32> = 1..=1024;
    let number = |text: &str| {
        let number = text.trim().parse().ok().filter(|number| MOST.contains(number));
        let number = number.filter(|number: &u32| number.is_power_of_two());
        number.ok_or("expected powers of two from 1 to 1024, as in 1,2,4 or 1..256")
    };
    let list = match text.split_once("..") {
        Some((first, last)) => {
            let (first, last) = (number(first)?, number(last.trim_start_matches('='))?);
            let powers = std::iter::successors(Some(first), |number| number.checked_mul(2));
            powers.take_while(|number| *number <= last).collect()
        }
        None => text.split(',').map(number).collect::<Result<Vec<_>, _>>()?,
    };
    match list.is_empty() {
        true => {
            Err("the range of invocations runs backwards: write the smaller number first".into())
        }
        false => Ok(Invocations(list)),
    }
}

/// An algorithm with its parameters at one point of a sweep.
pub struct Variant {
    /// The configuration, or why it is not possible.
    pub configuration: Result<Configuration, String>,
    /// Invocations of a line, of `--invocations`.
    pub invocations: Option<u32>,
}

impl Sweeps {
    pub fn is_set(&self) -> bool {
        !self.sweep.is_empty() || self.invocations.is_some()
    }

    /// Whether the sweep needs a line instead of an image.
    pub fn is_of_a_line(&self) -> bool {
        self.invocations.is_some()
    }

    /// Returns those of `choices` that have the swept parameters. Fails for an algorithm that leaves its
    /// parameters open, or no algorithm with the swept ones.
    pub fn algorithms(&self, choices: &[AlgorithmChoice]) -> Result<Vec<AlgorithmChoice>, Usage> {
        if !self.is_set() {
            return Ok(choices.to_vec());
        }
        let names: Vec<&str> = match &self.invocations {
            Some(_) => vec!["row-lines", "row-butterflies"],
            None => self.sweep.iter().map(|sweep| sweep.name).collect(),
        };
        let named: Vec<Algorithm> = choices.iter().filter_map(|choice| choice.named()).collect();
        let has = |algorithm: &Algorithm| {
            names
                .iter()
                .all(|name| algorithm.parameters().iter().any(|parameter| parameter.name == *name))
        };
        let having: Vec<_> =
            named.iter().copied().filter(has).map(AlgorithmChoice::Named).collect();
        if having.is_empty() {
            let all = Algorithm::ALL.iter().filter(|algorithm| has(algorithm));
            let all: Vec<_> = all.map(|algorithm| algorithm.name()).collect();
            return Err(Usage(match all.is_empty() {
                true => format!("no algorithm has all of the parameters {}", names.join(", ")),
                false => format!(
                    "a sweep of {} needs an algorithm that has them, given by name: --algorithm {}",
                    names.join(", "),
                    all.join(",")
                ),
            }));
        }
        Ok(having)
    }

    /// The timed variants of `algorithm` on `task`: with the `given` parameters and the swept ones.
    pub fn variants(
        &self,
        algorithm: Algorithm,
        given: &ParameterOptions,
        task: &Descriptor,
        capabilities: &Capabilities,
    ) -> Vec<Variant> {
        if let Some(Invocations(numbers)) = &self.invocations {
            let of = |number: u32| Variant {
                configuration: by_invocations(algorithm, given, number, task, capabilities),
                invocations: Some(number),
            };
            return numbers.iter().map(|number| of(*number)).collect();
        }
        let mut combinations: Vec<Vec<(&'static str, Value)>> = vec![Vec::new()];
        for Sweep { name, values } in &self.sweep {
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
            configuration: given
                .with(&combination)
                .of(algorithm)
                .map_err(|error| error.to_string()),
            invocations: None,
        };
        combinations.into_iter().map(variant).collect()
    }
}

/// `algorithm` with the `given` parameters and this number of invocations for the line of `task`.
fn by_invocations(
    algorithm: Algorithm,
    given: &ParameterOptions,
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

/// Speed-up by the swept value: a line for each algorithm and task.
pub fn chart(stored: &Stored<Row>) -> Chart {
    let rows = &stored.rows;
    let by_invocations = rows.iter().any(|row| row.invocations.is_some());
    let names = differing(rows);
    let x_name = match by_invocations {
        true => "invocations".to_owned(),
        false => names.first().cloned().unwrap_or_default(),
    };
    let place = |row: &Row| match row.invocations {
        Some(number) => number.to_string(),
        None => row.parameters.get(&x_name).map(text_of).unwrap_or_default(),
    };
    // Properties that distinguish tasks of one size and batch.
    let regime: Distinction = ("regime", |row| row.form.regime.to_string());
    let words = DISTINCTIONS.iter().chain([&regime]);
    let words: Vec<_> = words.filter(|(_, word)| report::differ(rows, *word)).collect();
    let mut places: Vec<String> = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    for row in rows.iter().filter(|row| row.version.is_none()) {
        let at = place(row);
        let index = places.iter().position(|known| *known == at).unwrap_or_else(|| {
            places.push(at);
            places.len() - 1
        });
        let others = names.iter().filter(|name| **name != x_name && !by_invocations);
        let others = others
            .filter_map(|name| Some(format!(", {name} {}", text_of(row.parameters.get(name)?))));
        let mut name = format!("{} {} x {}", row.algorithm, row.size, row.form.batch);
        name.extend(others);
        name.extend(words.iter().map(|(_, word)| format!(", {}", word(row))));
        let number = lines.iter().position(|line| line.name == name).unwrap_or_else(|| {
            lines.push(Line { name, values: Vec::new(), is_reference: false });
            lines.len() - 1
        });
        let values = &mut lines[number].values;
        values.resize(values.len().max(index + 1), None);
        values[index] = row.figures().and_then(|figures| figures.speed_up);
    }
    if by_invocations {
        let first = places.first().and_then(|place| place.parse::<f64>().ok()).unwrap_or(1.0);
        let values = places.iter().map(|place| Some(place.parse::<f64>().ok()? / first)).collect();
        lines.push(Line { name: "linear speed-up".into(), values, is_reference: true });
    }
    Chart {
        title: format!("Speed-up by {x_name}"),
        subtitle: stored.taken.adapter.clone(),
        x_label: x_name,
        y_label: "time of the first / time".into(),
        places,
        logarithmic: by_invocations,
        lines,
        ..Chart::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invocations_are_powers_of_two_in_order() {
        assert_eq!(invocations("1..8").unwrap().0, [1, 2, 4, 8]);
        assert_eq!(invocations("4..=16").unwrap().0, [4, 8, 16]);
        assert_eq!(invocations("1, 64").unwrap().0, [1, 64]);
        for text in ["", "0", "3", "1..3", "8..4", "2048", "a..b"] {
            assert!(invocations(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_line_has_the_invocations_that_were_asked_for() {
        let capabilities = Capabilities::webgpu_defaults();
        let task = Descriptor::lines(512, 1);
        let given = ParameterOptions::default();
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
