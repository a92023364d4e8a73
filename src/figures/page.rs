use super::Measurements;
use super::catalogue::Figure;
use super::draw::{Compared, Drawn, at, places};

const READING: &str = "\
A claim **holds** if every size that was measured bears it out, and **in part** if only some do. \
Two times that differ by 3% or less are called equal. \
A rise of the frame rate that is smaller than the paper's is **in part**, too.

- *In images*: the stages leave their results to one another in two images, as in Mota's thesis.
- *In storage*: the stages of one dispatch leave them in storage buffers.
- *In workgroup memory*: they leave them in the fast memory of a workgroup.
- A ratio `a / b` is the time of a over that of b, unless it names another quantity. Above 1, b is \
faster.

The papers used older GPUs, so absolute times are not compared.
";

/// All figures, paper by paper: each claim with its sentence, and whether it holds here.
pub fn markdown(measurements: &Measurements, drawn: &[(&'static Figure, Option<Drawn>)]) -> String {
    let mut text = "# The papers' figures, measured here\n\n".to_owned();
    text += &measurements.taken.describe();
    if measurements.no_claim() {
        text += "\n**These figures are no claim**: ";
        text += match measurements.quick {
            true => "they were measured in a hurry (`--quick`).\n",
            false => "they were measured on a software adapter.\n",
        };
    }
    let wrong = measurements.wrong();
    if !wrong.is_empty() {
        text +=
            &format!("\n**These results were wrong and have no times**: {}.\n", wrong.join(", "));
    }
    text += &format!("\n{READING}\n| figure | the paper says | here |\n|---|---|---|\n");
    for (figure, result) in drawn {
        for (number, claim) in figure.claims.iter().enumerate() {
            let verdict = result.as_ref().map(|drawn| drawn.verdicts[number].holds.words());
            text += &format!(
                "| [{}](#{}) | {} | {} |\n",
                figure.number,
                anchor(figure),
                claim.found,
                verdict.unwrap_or("not measured")
            );
        }
    }
    let mut paper = "";
    for (figure, result) in drawn {
        if figure.paper != paper {
            paper = figure.paper;
            text += &format!("\n## {paper}\n");
        }
        text += &section(measurements, figure, result.as_ref());
    }
    text
}

/// A figure: its picture, its claims, what they come to here, and the commands.
pub fn section(measurements: &Measurements, figure: &Figure, result: Option<&Drawn>) -> String {
    let mut text = format!(
        "\n<a id=\"{}\"></a>\n\n### {}\n\n{}\n",
        anchor(figure),
        title(figure),
        figure.form
    );
    if let Some(frames) = measurements.frames.as_ref().filter(|_| figure.has_frames) {
        text += &format!("\n{}\n", frames.describe());
    }
    if result.is_some() {
        text += &format!("\n![{0}]({1}.svg)\n", figure.title, figure.name);
    }
    for (number, claim) in figure.claims.iter().enumerate() {
        text += &format!("\n**The paper says:** {}\n", claim.found);
        text += &format!("\n> {} ({})\n", claim.quote, claim.place);
        if let Some(verdict) = result.map(|drawn| &drawn.verdicts[number]) {
            text += &format!("\n**Here: {}.** {}\n", verdict.holds.words(), verdict.text);
        }
    }
    if let Some(drawn) = result {
        text += &table(drawn);
        text += &format!("\n[Numbers of the picture]({}.csv)\n", figure.name);
    }
    text + &commands(measurements, figure, result.is_some())
}

/// The numbers behind the verdicts of a figure, sizes across.
fn table(drawn: &Drawn) -> String {
    let mut lines: Vec<&Compared> = Vec::new();
    for compared in drawn.verdicts.iter().flat_map(|verdict| &verdict.compared) {
        if !lines.contains(&compared) {
            lines.push(compared);
        }
    }
    let sizes = places(lines.iter().map(|line| &line.values));
    if lines.is_empty() {
        return String::new();
    }
    let cells = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let headings = sizes.iter().map(u64::to_string);
    let mut text = "\n".to_owned();
    // Kinds along x, such as passes, are no sizes.
    let corner = if drawn.chart.is_of_kinds { "size" } else { &drawn.chart.x_label };
    text += &cells(std::iter::once(corner.to_owned()).chain(headings).collect());
    text += &format!("|---|{}\n", "---|".repeat(sizes.len()));
    for line in lines {
        let values = sizes.iter().map(|size| match at(&line.values, *size) {
            Some(value) => format!("{value:.2}"),
            None => String::new(),
        });
        text += &cells(std::iter::once(line.what.clone()).chain(values).collect());
    }
    text
}

/// The commands that measured the figure, and those that it still needs.
fn commands(measurements: &Measurements, figure: &Figure, is_drawn: bool) -> String {
    let commands = measurements.commands_of(figure);
    let why_not = commands.as_ref().err().copied();
    let commands = commands.unwrap_or_else(|_| (figure.commands)(measurements.quick));
    let (done, open): (Vec<_>, Vec<_>) =
        commands.into_iter().partition(|command| measurements.has(command));
    let [mut done, mut open] = [done, open]
        .map(|all| all.iter().map(|command| format!("seaway {command}")).collect::<Vec<_>>());
    if figure.has_frames {
        match &measurements.frames {
            Some(frames) => done.push(frames.command.clone()),
            None => open.push(FRAMES.into()),
        }
    }
    let list = |heading: &str, lines: &[String]| match lines {
        [] => String::new(),
        lines => format!("\n{heading}\n\n```sh\n{}\n```\n", lines.join("\n")),
    };
    // A file of `bench` names its only command itself.
    let is_of_bench = measurements.commands.is_empty();
    match (is_drawn, is_of_bench) {
        (true, true) => "\nDrawn from the measurements above.\n".into(),
        (true, false) => list("Measured by:", &done) + &list("Not measured yet:", &open),
        (false, _) => {
            format!("\n{}\n", why_not.unwrap_or("These measurements lack it."))
                + &list("It is drawn from:", &[done, open].concat())
        }
    }
}

/// The command whose `compare.json` `--frames` reads.
const FRAMES: &str = "seaway profile --compare cooley-tukey,stockham-r2,stockham-r4 --ping-pong image \
    --plain-mesh 1448 --cascades 1 --sizes 256,512,1024 --frames 120 --out DIR";

fn title(figure: &Figure) -> String {
    format!("{}: {}", figure.number, figure.title)
}

fn anchor(figure: &Figure) -> String {
    format!("figure-{}", figure.name)
}
