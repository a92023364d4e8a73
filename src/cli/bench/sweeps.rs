//! `--sweep` and `--invocations`: one algorithm with a parameter at one value after another.

use std::ops::RangeInclusive;

use super::report::{self, DISTINCTIONS, Distinction, differing, text_of};
use super::stored::Stored;
use crate::bench::parameters::Sweep;
use crate::bench::{Chart, Line, Row};
use crate::cli::fft_options;

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
    pub sweep: Vec<Sweep>,
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
    pub invocations: Option<Invocations>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocations(pub Vec<u32>);

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
}
