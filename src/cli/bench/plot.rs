//! Plots measurements as SVG: time over that of a copy of the same bytes, by size, a panel for each group.

use crate::bench::{Chart, Line, Row};

use super::report::peer_name;
use super::stored::Stored;
use super::summary::Group;

const RATIOS: [f64; 2] = [0.5, 32.0];

pub fn svg(stored: &Stored<Row>) -> String {
    let groups = Group::all(&stored.rows);
    let all = |names: fn(&Group<'_>) -> Vec<String>| {
        let mut all: Vec<String> = Vec::new();
        for name in groups.iter().flat_map(names) {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        all
    };
    let algorithms = all(|group| group.algorithms().into_iter().map(String::from).collect());
    // Those that run on the GPU.
    let peers = all(|group| {
        let peers = group.peers().into_iter().filter(|peer| *peer != "rustfft");
        peers.map(String::from).collect()
    });
    let panels = groups.iter().map(|group| panel(group, &algorithms, &peers, &stored.taken.peers));
    let panels: Vec<Chart> = panels.collect();
    let (what, passes) = match stored.rows.iter().all(|row| row.form.dimensions == 2) {
        true => ("a 2D FFT", "two passes over memory"),
        false => ("an FFT", "a pass over memory for each axis"),
    };
    let title =
        format!("Time of {what} relative to a copy of the same bytes: {}", stored.taken.adapter);
    let subtitle = format!(
        "by the side of the images; 1 is the ceiling of {passes}; times above {} are cut off",
        RATIOS[1]
    );
    Chart::panels(&title, &subtitle, &panels)
}

/// A panel; `versions` has peers with their versions, as in `cuFFT 12.0`.
fn panel(group: &Group<'_>, algorithms: &[String], peers: &[String], versions: &[String]) -> Chart {
    let sizes = group.sizes();
    let ratios = |time_us: &dyn Fn(_) -> Option<f64>| {
        let ratio = |&size| Some(time_us(size)? / group.copy_us(size)?);
        sizes.iter().map(ratio).collect()
    };
    let of_algorithm = |name: &String| Line {
        name: name.clone(),
        values: ratios(&|size| Some(group.row(name, size)?.figures()?.times.median_us)),
        is_reference: false,
    };
    let of_peer = |name: &String| Line {
        name: with_version(&peer_name(name), versions),
        values: ratios(&|size| group.peer_us(size, name)),
        is_reference: true,
    };
    Chart {
        title: group.title(),
        places: sizes.iter().map(ToString::to_string).collect(),
        octaves: Some(RATIOS),
        lines: algorithms.iter().map(of_algorithm).chain(peers.iter().map(of_peer)).collect(),
        ..Chart::default()
    }
}

fn with_version(peer: &str, versions: &[String]) -> String {
    let name = peer.strip_suffix(" in place").unwrap_or(peer);
    let is_of_it = |known: &&String| known.rsplit_once(' ').is_some_and(|(known, _)| known == name);
    match versions.iter().find(is_of_it) {
        Some(known) => peer.replacen(name, known, 1),
        None => peer.to_owned(),
    }
}
