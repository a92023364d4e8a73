//! Numbers on scales.

/// Writes `value` in at most three decimals, or with its power of ten.
pub(super) fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-3..1e4).contains(&size) => format!("{value:.0e}"),
        _ => {
            let text = format!("{value:.3}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, expected) in
            [(0.0, "0"), (-5.0, "-5"), (0.05, "0.05"), (1e-4, "1e-4"), (10.0, "10"), (0.15, "0.15")]
        {
            assert_eq!(number(value), expected);
        }
    }
}
