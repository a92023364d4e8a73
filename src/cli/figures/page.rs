//! index.md.

use super::Measurements;
use super::catalogue::Figure;
use super::draw::Drawn;

/// All figures, paper by paper, with what each found and what came out here.
pub fn markdown(measurements: &Measurements, drawn: &[(&'static Figure, Option<Drawn>)]) -> String {
    let mut text = "# The papers' figures, measured here\n\n".to_owned();
    text += &measurements.taken.describe();
    if measurements.no_claim() {
        text += "\n**These figures are no claim**: ";
        text += match measurements.quick {
            true => "they were measured in a hurry (`--quick`).\n",
            false => "a processor played GPU.\n",
        };
    }
    let wrong = measurements.wrong();
    if !wrong.is_empty() {
        text += &format!("\n**Wrong results, which have no times**: {}.\n", wrong.join(", "));
    }
    text += "\n| figure | the paper found | holds here |\n|---|---|---|\n";
    for (figure, result) in drawn {
        let holds = result.as_ref().map_or("not measured", |drawn| drawn.verdict.holds.words());
        text +=
            &format!("| [{}](#{}) | {} | {holds} |\n", title(figure), anchor(figure), figure.found);
    }
    let mut paper = "";
    for (figure, result) in drawn {
        if figure.paper != paper {
            paper = figure.paper;
            text += &format!("\n## {paper}\n");
        }
        text += &format!("\n<a id=\"{}\"></a>\n\n### {}\n\n", anchor(figure), title(figure));
        text += &format!("The paper found: {}\n\n", figure.found);
        let (done, open): (Vec<_>, Vec<_>) = (figure.commands)(measurements.quick)
            .into_iter()
            .partition(|line| measurements.commands.contains(line));
        let list = |lines: &[String]| {
            let lines: Vec<_> = lines.iter().map(|line| format!("`seaway {line}`")).collect();
            lines.join(", ")
        };
        match result {
            Some(Drawn { verdict, .. }) => {
                text += &format!("![{0}]({1}.svg)\n\n", figure.title, figure.name);
                text += &format!("Holds here: **{}**. {}\n\n", verdict.holds.words(), verdict.text);
                // A file of `bench` was measured by what it says itself.
                let mut measured = match done.is_empty() {
                    true => "Drawn from the measurements above.".to_owned(),
                    false => format!("Measured by {}.", list(&done)),
                };
                if !measurements.commands.is_empty() && !open.is_empty() {
                    measured += &format!(" Not measured: {}.", list(&open));
                }
                text += &format!("[Numbers]({}.csv). {measured}\n", figure.name);
            }
            None => {
                text += &format!(
                    "Not in these measurements: it is drawn from {}.\n",
                    list(&[done, open].concat())
                );
            }
        }
    }
    text
}

fn title(figure: &Figure) -> String {
    format!("{}: {}", figure.number, figure.title)
}

fn anchor(figure: &Figure) -> String {
    format!("figure-{}", figure.name)
}
