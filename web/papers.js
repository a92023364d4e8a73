// The second part of the laboratory's page: the papers' figures, measured on the visitor's GPU.

import { save } from "./figures.js";
import { isSoftware } from "./webgpu.js";

const element = (id) => document.getElementById(id);

let papers = null;
let isMeasuring = false;
let progress = "";
/** The paper of the last section. */
let last = "";

/** Shows the section of a figure. Its text is the program's own, without anything of a visitor. */
function show({ paper, name, html }) {
    const id = `section-${name}`;
    let section = element(id);
    if (!section) {
        if (paper !== last) {
            const heading = document.createElement("h2");
            heading.textContent = last = paper;
            element("figures").append(heading);
        }
        section = document.createElement("section");
        section.id = id;
        element("figures").append(section);
    }
    section.innerHTML = html;
}

function left(seconds) {
    if (seconds === null) return "";
    return seconds < 90 ? `, about ${Math.ceil(seconds)} s left` : `, about ${Math.round(seconds / 60)} min left`;
}

function hear(text) {
    const told = JSON.parse(text);
    if (told.html) {
        show(told);
    } else if (told.command) {
        element("papers-progress").max = told.of;
        element("papers-progress").value = told.number - 1;
        element("papers-command").textContent = `seaway ${told.command}`;
        progress = `Command ${told.number} of ${told.of}${left(told.seconds_left)}`;
        element("papers-status").textContent = `${progress}.`;
    } else if (told.problem) {
        element("papers-status").textContent = `${progress}: ${told.problem}.`;
    } else if (told.failed) {
        const line = document.createElement("p");
        line.className = "failed";
        line.textContent = `seaway ${told.failed}`;
        element("papers-failed").append(line);
    }
}

/** Measures what is left, unless it is being measured. `names` are those of figures, or empty for all. */
async function measure(module, names) {
    if (isMeasuring) return;
    isMeasuring = true;
    const buttons = ["measure", "run", "papers-html", "papers-json"].map(element);
    buttons.forEach((button) => (button.disabled = true));
    delete document.body.dataset.papers;
    element("papers-failed").replaceChildren();
    element("papers-running").hidden = false;
    const stop = element("stop");
    stop.disabled = false;
    element("papers-status").textContent = "Measuring the clock ...";
    try {
        if (!papers) {
            papers = await module.Papers.open(names, isSoftware, navigator.userAgent);
            JSON.parse(papers.sections()).forEach(show);
        }
        const isComplete = await papers.measure(hear);
        element("papers-status").textContent = isComplete
            ? "Every figure that this page can measure is below."
            : stop.disabled
              ? "Stopped. What was measured is kept, and going on measures the rest."
              : "Not everything could be measured. Going on tries the rest.";
        element("measure").textContent = isComplete ? "Measured" : "Go on";
        document.body.dataset.papers = isComplete ? "done" : "stopped";
        buttons[0].disabled = isComplete;
    } catch (error) {
        element("papers-status").textContent = `The measurement failed: ${error}`;
        buttons[0].disabled = false;
        console.error(error);
    }
    element("papers-running").hidden = true;
    buttons.slice(1).forEach((button) => (button.disabled = false));
    buttons.slice(2).forEach((button) => (button.disabled = !papers));
    isMeasuring = false;
}

/** Prepares the part, once the program is there. */
export function open(module, names) {
    element("papers-software").hidden = !isSoftware;
    element("papers").addEventListener("submit", (event) => {
        event.preventDefault();
        measure(module, names);
    });
    element("stop").addEventListener("click", () => {
        element("stop").disabled = true;
        element("papers-status").textContent = "Stopping ...";
        papers?.stop();
    });
    element("papers-html").addEventListener("click", () => save("seaway-figures.html", papers.html(), "text/html"));
    element("papers-json").addEventListener("click", () => save("seaway-figures.json", papers.json(), "application/json"));
    element("measure").disabled = false;
    return () => measure(module, names);
}
