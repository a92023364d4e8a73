//! The checks that every spectrum has to pass, whatever file it comes from, and the harmless repairs.

use std::f64::consts::TAU;

use super::text::Source;
use super::*;

/// Frequencies without directions may hold this share of the variance without loss of the spectrum.
const DIRECTIONLESS_SHARE: f64 = 0.01;

/// Notes about repairs, equal ones of a file counted rather than repeated.
#[derive(Default)]
pub(super) struct Notes(Vec<(String, String, usize, usize)>);

impl Notes {
    pub(super) fn add(&mut self, source: &Source, line: usize, text: impl Into<String>) {
        let text = text.into();
        match self.0.iter_mut().find(|(file, known, ..)| *file == source.name && *known == text) {
            Some((.., count)) => *count += 1,
            None => self.0.push((source.name.clone(), text, line, 1)),
        }
    }

    pub(super) fn first(&self) -> Option<&str> {
        self.0.first().map(|(_, text, ..)| text.as_str())
    }

    pub(super) fn into_strings(self) -> Vec<String> {
        let written =
            |(file, text, line, count): (String, String, usize, usize)| match (line, count) {
                (0, _) => format!("{file}: {text}"),
                (_, 1) => format!("{file}, line {line}: {text}"),
                _ => format!("{file}, line {line} and {} more: {text}", count - 1),
            };
        self.0.into_iter().map(written).collect()
    }
}

/// A spectrum as a file has it, directions already the app's.
pub(super) struct Draft {
    /// The line where the spectrum begins, for errors and notes.
    pub(super) line: usize,
    pub(super) time_unix_s: Option<i64>,
    pub(super) wind: Option<RecordedWind>,
    pub(super) depth_m: Option<f64>,
    pub(super) frequencies_hz: Vec<f64>,
    pub(super) values: DraftValues,
}

pub(super) enum DraftValues {
    /// Density of each frequency, and its moments where the file has them.
    Moments(Vec<f64>, Vec<Option<[f64; 4]>>),
    /// App angles in radians in any order, and each frequency's density at each of them in m2/Hz/rad.
    Table(Vec<f64>, Vec<Vec<f64>>),
}

impl DraftValues {
    /// Keeps the rows of some frequencies, in their order.
    fn keep(&mut self, frequencies: &[usize]) {
        match self {
            Self::Moments(density, moments) => {
                *density = picked(density, frequencies);
                *moments = picked(moments, frequencies);
            }
            Self::Table(_, rows) => *rows = picked(rows, frequencies),
        }
    }
}

fn picked<T: Clone>(values: &[T], indices: &[usize]) -> Vec<T> {
    indices.iter().map(|index| values[*index].clone()).collect()
}

/// The note of readers that use [`moments_of_spread`].
pub(super) const SPREAD_NOTE: &str = "the file has mean directions and spreads only: second moments \
    were taken from a normal distribution";

/// Moments for a mean direction in radians and SWAN's one-sided spread sigma = sqrt(2 (1 - r1)) in
/// degrees, with the second ones of a wrapped normal distribution: r2 = r1^4.
pub(super) fn moments_of_spread(towards_rad: f64, spread_deg: f64) -> [f64; 4] {
    let r1 = (1.0 - 0.5 * spread_deg.to_radians().powi(2)).clamp(0.0, 1.0);
    let ((s1, c1), (s2, c2)) = (towards_rad.sin_cos(), (2.0 * towards_rad).sin_cos());
    [r1 * c1, r1 * s1, r1.powi(4) * c2, r1.powi(4) * s2]
}

/// Checks and completes the spectra of a file. Those that had to be left out are noted; none left is
/// an error.
pub(super) fn sea(
    source: &Source,
    station: String,
    kind: &str,
    position_deg: Option<[f64; 2]>,
    drafts: Vec<Draft>,
    notes: &mut Notes,
) -> Result<RecordedSea, SpectrumFileError> {
    let position_deg = position_deg.filter(|[latitude, longitude]| {
        let usable = latitude.abs() <= 90.0 && longitude.abs() <= 360.0;
        if !usable {
            notes.add(source, 0, "the position is not on Earth and was left out");
        }
        usable
    });
    let mut spectra = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let line = draft.line;
        if let Some(spectrum) = completed(source, draft, notes)? {
            spectra.push((line, spectrum));
        }
    }
    spectra.sort_by_key(|(_, spectrum)| spectrum.time_unix_s);
    let mut kept: Vec<RecordedSpectrum> = Vec::with_capacity(spectra.len());
    for (line, spectrum) in spectra {
        match kept.last() {
            Some(last) if last.time_unix_s == spectrum.time_unix_s => {
                notes.add(source, line, "a second spectrum of the same time was left out");
            }
            _ => kept.push(spectrum),
        }
    }
    if kept.is_empty() {
        let reason = notes.first().unwrap_or("the file holds none").to_owned();
        let problem = format!("no complete spectrum was found: {reason}");
        return Err(source.damaged(0, problem, "at least one spectrum"));
    }
    RecordedSea::new(station, kind.into(), position_deg, kept)
        .map_err(|error| source.damaged(0, error.to_string(), "a possible sea"))
}

fn completed(
    source: &Source,
    draft: Draft,
    notes: &mut Notes,
) -> Result<Option<RecordedSpectrum>, SpectrumFileError> {
    let Draft { line, time_unix_s, wind, depth_m, mut frequencies_hz, mut values } = draft;
    const HIGHEST_HZ: f64 = RecordedSpectrum::HIGHEST_HZ;
    let n = frequencies_hz.len();
    let rows = match &values {
        DraftValues::Moments(density, moments) => density.len().min(moments.len()),
        DraftValues::Table(_, rows) => rows.len(),
    };
    if n < 2 || rows != n {
        let problem = format!("there are {n} frequencies and {rows} rows");
        return Err(source.damaged(line, problem, "as many rows as frequencies, and at least 2"));
    }
    for f in &frequencies_hz {
        if !(*f >= 0.0 && *f <= HIGHEST_HZ) {
            let problem = format!("the frequency {f} is out of range");
            let expected = format!("frequencies in Hz from 0 to {HIGHEST_HZ}");
            return Err(source.error(
                line,
                problem,
                expected,
                "Check the unit of the frequencies.",
            ));
        }
    }
    if frequencies_hz.windows(2).all(|f| f[0] > f[1]) {
        notes.add(source, line, "the frequencies descend and were put in ascending order");
        frequencies_hz.reverse();
        values.keep(&(0..n).rev().collect::<Vec<_>>());
    }
    if let Some(f) = frequencies_hz.windows(2).find(|f| f[0] >= f[1]) {
        let problem = format!("the frequency {} follows {}", f[1], f[0]);
        return Err(source.damaged(line, problem, "ascending frequencies"));
    }
    let long = frequencies_hz.partition_point(|f| *f < RecordedSpectrum::FREQUENCIES_HZ[0]);
    if long > 0 {
        let lowest = RecordedSpectrum::FREQUENCIES_HZ[0];
        notes.add(source, line, format!("frequencies below {lowest} Hz were left out"));
        frequencies_hz.drain(..long);
        values.keep(&(long..n).collect::<Vec<_>>());
        if frequencies_hz.len() < 2 {
            return Err(source.damaged(line, "fewer than 2 frequencies are left", "at least 2"));
        }
    }
    let (density, directions) = match values {
        DraftValues::Moments(density, moments) => {
            check_density(source, line, &frequencies_hz, &density)?;
            let moments =
                complete_moments(source, line, &frequencies_hz, &density, moments, notes)?;
            let Some(moments) = moments else { return Ok(None) };
            (density, RecordedDirections::Moments(moments))
        }
        DraftValues::Table(angles, rows) => {
            let (towards_rad, mut rows) = ordered_table(source, line, &angles, rows, notes)?;
            let weights: Vec<f64> = RecordedDirections::widths_rad(&towards_rad).collect();
            for value in rows.iter().flatten() {
                check_one_density(source, line, *value)?;
            }
            let weighted = |row: &[f64]| row.iter().zip(&weights).map(|(s, w)| s * w).sum();
            let density: Vec<f64> = rows.iter().map(|row| weighted(row)).collect();
            check_density(source, line, &frequencies_hz, &density)?;
            for (row, density) in rows.iter_mut().zip(&density) {
                for value in row {
                    *value = if *density > 1e-300 { *value / density } else { 1.0 / TAU };
                }
            }
            (density, RecordedDirections::Table { towards_rad, density_per_rad: rows })
        }
    };
    if density.iter().all(|s| *s == 0.0) {
        notes.add(source, line, "the spectrum holds no energy at all");
    }
    let depth_m = depth_m.filter(|depth| {
        let usable = *depth > 0.0 && *depth < 12_000.0;
        if !usable {
            notes.add(source, line, "the depth is out of range and was left out");
        }
        usable
    });
    let wind = wind.filter(|wind| {
        let usable = (0.0..120.0).contains(&wind.speed_mps) && wind.towards_deg.is_finite();
        if !usable {
            notes.add(source, line, "the wind is out of range and was left out");
        }
        usable
    });
    Ok(Some(RecordedSpectrum {
        time_unix_s,
        wind,
        depth_m,
        frequencies_hz,
        density_m2_per_hz: density,
        directions,
    }))
}

fn check_one_density(source: &Source, line: usize, value: f64) -> Result<(), SpectrumFileError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    let problem = format!("the density {value:e} of this spectrum is impossible");
    Err(source.damaged(line, problem, "finite densities of at least 0"))
}

fn check_density(
    source: &Source,
    line: usize,
    frequencies_hz: &[f64],
    density: &[f64],
) -> Result<(), SpectrumFileError> {
    for value in density {
        check_one_density(source, line, *value)?;
    }
    const HIGHEST_M: f64 = RecordedSea::HIGHEST_M;
    let hs_m = 4.0 * RecordedSpectrum::trapezoid(frequencies_hz, density).sqrt();
    if hs_m.is_nan() || hs_m > HIGHEST_M {
        let problem = format!("the densities add up to a significant wave height of {hs_m:.3e} m");
        let expected = format!("at most {HIGHEST_M} m");
        return Err(source.error(line, problem, expected, "Check the unit of the densities."));
    }
    Ok(())
}

/// Fills in missing moments where that is harmless; None leaves the spectrum out.
fn complete_moments(
    source: &Source,
    line: usize,
    frequencies_hz: &[f64],
    density: &[f64],
    mut moments: Vec<Option<[f64; 4]>>,
    notes: &mut Notes,
) -> Result<Option<Vec<[f64; 4]>>, SpectrumFileError> {
    for (f, moments) in frequencies_hz.iter().zip(&mut moments) {
        let Some(known) = moments else { continue };
        let [a1, b1, a2, b2] = *known;
        let (r1, r2) = (a1.hypot(b1), a2.hypot(b2));
        // Rounding of files takes a perfectly narrow sea above 1 by that much.
        if !(r1 <= 1.001 && r2 <= 1.001) {
            let problem =
                format!("the moments r1 = {r1:.4}, r2 = {r2:.4} at {f} Hz are impossible");
            let expected =
                "magnitudes up to 1 (NDBC's archive has hundredths, its last 45 days do not)";
            return Err(source.error(
                line,
                problem,
                expected,
                "Check that the files belong together.",
            ));
        }
        let (down1, down2) = (1.0 / r1.max(1.0), 1.0 / r2.max(1.0));
        *known = [a1 * down1, b1 * down1, a2 * down2, b2 * down2];
        // |c2 - c1^2| <= 1 - |c1|^2 for the moments of any distribution (Caratheodory).
        let [real, imaginary] = [a1 * a1 - b1 * b1, 2.0 * a1 * b1];
        if (a2 - real).hypot(b2 - imaginary) > 1.0 - r1.min(1.0).powi(2) + 0.01 {
            notes.add(
                source,
                line,
                "some moments belong to no distribution (noise, or too few waves)",
            );
        }
    }
    let n = moments.len();
    let known = moments.clone();
    let mut lost = vec![0.0; n];
    for i in 0..n {
        if known[i].is_some() {
            continue;
        }
        let neighbours =
            (i.checked_sub(1).and_then(|j| known[j]), known.get(i + 1).copied().flatten());
        moments[i] = match neighbours {
            _ if density[i] == 0.0 => Some([0.0; 4]),
            (Some(below), Some(above)) => {
                let share = (frequencies_hz[i] - frequencies_hz[i - 1])
                    / (frequencies_hz[i + 1] - frequencies_hz[i - 1]);
                notes.add(source, line, "missing directions were interpolated between neighbours");
                Some(std::array::from_fn(|k| below[k] + share * (above[k] - below[k])))
            }
            _ => {
                lost[i] = density[i];
                Some([0.0; 4])
            }
        };
    }
    let lost_variance: f64 = RecordedSpectrum::trapezoid(frequencies_hz, &lost);
    if lost_variance > DIRECTIONLESS_SHARE * RecordedSpectrum::trapezoid(frequencies_hz, density) {
        notes.add(
            source,
            line,
            "frequencies with energy have no directions: the spectrum was left out",
        );
        return Ok(None);
    }
    if lost_variance > 0.0 {
        let note = "frequencies with less than 1 % of the energy have no directions: taken as from everywhere";
        notes.add(source, line, note);
    }
    Ok(Some(moments.into_iter().flatten().collect()))
}

/// Directions in ascending order, and the rows with them. A model's sector of directions gets zeros
/// beside its ends, beyond which a periodic sum would spread the ends' energy.
fn ordered_table(
    source: &Source,
    line: usize,
    angles: &[f64],
    rows: Vec<Vec<f64>>,
    notes: &mut Notes,
) -> Result<(Vec<f64>, Vec<Vec<f64>>), SpectrumFileError> {
    if let Some(row) = rows.iter().find(|row| row.len() != angles.len()) {
        let problem = format!("a frequency has {} values", row.len());
        return Err(source.damaged(line, problem, format!("{} directions", angles.len())));
    }
    // Rounding must not move the direction 0 to the other end of the table.
    let first = |angle: &f64| if *angle > TAU - 1e-6 { 0.0 } else { *angle };
    let angles: Vec<f64> = angles.iter().map(first).collect();
    let mut order: Vec<usize> = (0..angles.len()).collect();
    order.sort_by(|a, b| angles[*a].total_cmp(&angles[*b]));
    let mut kept: Vec<usize> = Vec::with_capacity(order.len());
    for i in order {
        match kept.last() {
            Some(last) if (angles[*last] - angles[i]).abs() < 1e-6 => {
                if rows.iter().any(|row| row[*last] != row[i]) {
                    let degrees = angles[i].to_degrees();
                    let problem = format!("the direction {degrees:.3} (from +X) occurs twice");
                    return Err(source.damaged(line, problem, "different directions"));
                }
                notes.add(source, line, "a repeated direction with equal densities was left out");
            }
            _ => kept.push(i),
        }
    }
    if kept.len() < 3 {
        let problem = format!("there are {} directions", kept.len());
        return Err(source.damaged(line, problem, "at least 3"));
    }
    let mut towards: Vec<f64> = kept.iter().map(|i| angles[*i]).collect();
    let mut sorted: Vec<Vec<f64>> =
        rows.iter().map(|row| kept.iter().map(|i| row[*i]).collect()).collect();
    let n = towards.len();
    let gap = |i: usize| (towards[(i + 1) % n] - towards[i]).rem_euclid(TAU);
    let widest = (0..n).max_by(|a, b| gap(*a).total_cmp(&gap(*b))).unwrap_or(0);
    let next = (0..n).filter(|i| *i != widest).map(gap).fold(0.0, f64::max);
    if gap(widest) > 2.9 * next {
        notes.add(
            source,
            line,
            "the directions cover a sector only: there is nothing outside of it",
        );
        let (from, to) = (widest, (widest + 1) % n);
        let step_before = gap((widest + n - 1) % n);
        let step_behind = gap(to);
        let wrapped = |angle: f64| angle.rem_euclid(TAU);
        let added = [wrapped(towards[from] + step_before), wrapped(towards[to] - step_behind)];
        for angle in added {
            let at = towards.partition_point(|known| *known < angle);
            towards.insert(at, angle);
            sorted.iter_mut().for_each(|row| row.insert(at, 0.0));
        }
    } else if gap(widest) > 1.5 * next {
        notes.add(source, line, "the directions are uneven: one may be missing");
    }
    Ok((towards, sorted))
}
