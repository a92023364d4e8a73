//! Tolerances that say how close they are to failing. GPUs round differently, and so do the
//! processors that play one: a check that passes by a hair here fails on the next machine. Each
//! check made through these functions records what it measured over what it allows, where
//! `SEAWAY_TOLERANCES` names a file to add it to; `scripts/test` does, and prints what came close.

use std::collections::HashMap;
use std::fmt::Display;
use std::io::Write as _;
use std::panic::Location;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Asserts that `measured` is no larger than `allowed`; `what` says what it is if it is.
#[track_caller]
pub fn at_most(measured: impl Into<f64>, allowed: impl Into<f64>, what: impl Display) {
    let (measured, allowed) = (measured.into(), allowed.into());
    let ratio = if measured == 0.0 { 0.0 } else { measured / allowed };
    record(ratio, || format!("{measured:.3e} of {allowed:.3e}"));
    // A NaN is not at most anything.
    assert!(measured <= allowed, "{what}: {measured:e} where {allowed:e} is allowed");
}

/// Asserts that `measured` is `expected`, or at most `allowed` away from it.
#[track_caller]
pub fn near(
    measured: impl Into<f64>,
    expected: impl Into<f64>,
    allowed: impl Into<f64>,
    what: impl Display,
) {
    let (measured, expected) = (measured.into(), expected.into());
    at_most(
        (measured - expected).abs(),
        allowed,
        format_args!("{what} is {measured}, not {expected}: off by"),
    );
}

/// Asserts that `measured` is no smaller than `least`; both are positive.
#[track_caller]
pub fn at_least(measured: impl Into<f64>, least: impl Into<f64>, what: impl Display) {
    let (measured, least) = (measured.into(), least.into());
    record(least / measured, || format!("{measured:.3e}, at least {least:.3e}"));
    assert!(measured >= least, "{what}: {measured:e} where at least {least:e} is expected");
}

/// Asserts that `measured` lies between `low` and `high`, for example what textbooks give.
#[track_caller]
pub fn between(
    measured: impl Into<f64>,
    low: impl Into<f64>,
    high: impl Into<f64>,
    what: impl Display,
) {
    let (measured, low, high) = (measured.into(), low.into(), high.into());
    record((2.0 * measured - low - high).abs() / (high - low), || {
        format!("{measured:.3e} between {low:.3e} and {high:.3e}")
    });
    assert!(low <= measured && measured <= high, "{what}: {measured:e}, not {low:e} to {high:e}");
}

/// Adds a line to the file, if `ratio` is the largest of its place in the code so far: checks that
/// run for every texel then write a handful of lines.
#[track_caller]
fn record(ratio: f64, figures: impl FnOnce() -> String) {
    static FILE: LazyLock<Option<PathBuf>> =
        LazyLock::new(|| std::env::var_os("SEAWAY_TOLERANCES").map(PathBuf::from));
    static LARGEST: LazyLock<Mutex<HashMap<&Location<'_>, f64>>> = LazyLock::new(Mutex::default);
    let Some(file) = &*FILE else { return };
    let place = Location::caller();
    {
        let mut largest = LARGEST.lock().unwrap_or_else(PoisonError::into_inner);
        let largest = largest.entry(place).or_insert(-1.0);
        if ratio <= *largest {
            return;
        }
        *largest = ratio;
    }
    // Ratio, place, test and figures. One write: tests of several processes share the file.
    let line = format!(
        "{ratio:.4}\t{}:{}\t{}\t{}\n",
        place.file(),
        place.line(),
        std::thread::current().name().unwrap_or("?"),
        figures()
    );
    let opened = std::fs::OpenOptions::new().create(true).append(true).open(file);
    opened.and_then(|mut file| file.write_all(line.as_bytes())).unwrap_or_else(|error| {
        panic!("SEAWAY_TOLERANCES={}: {error}", file.display());
    });
}
