// The laboratory's page: a table that grows while `laboratory` reports one algorithm after another.

import { derived, figure, microseconds, save } from "./figures.js";
import { open } from "./papers.js";
import { isSoftware, missing, tell } from "./webgpu.js";

// A program that aborts, for example when it runs out of memory, shows no message itself.
addEventListener("unhandledrejection", ({ reason }) => ended(reason));
addEventListener("error", ({ error }) => ended(error));

function ended(error) {
    if (error instanceof WebAssembly.RuntimeError) {
        const status = element("papers-running").hidden ? "status" : "papers-status";
        element(status).textContent = `The measurement was aborted: ${error}. Reload the page and choose a smaller size.`;
    }
}

const element = (id) => document.getElementById(id);

/** The rows so far, as `seaway bench` writes them. */
let rows = [];
let laboratory = null;

function cell(line, text, className = "") {
    const cell = line.insertCell();
    cell.textContent = text;
    cell.className = className;
    return cell;
}

function show(row) {
    const line = element("rows").tBodies[0].insertRow();
    const name = document.createElement("th");
    name.scope = "row";
    name.textContent = row.algorithm;
    line.append(name);
    const reason = row.skipped ?? row.failed;
    if (reason !== undefined) {
        line.className = row.failed === undefined ? "skipped" : "failed";
        cell(line, `${row.failed === undefined ? "skipped" : "FAILED"}: ${reason}`).colSpan = 5;
        return;
    }
    cell(line, `${microseconds(row.median_us, row)} us`, "number");
    cell(line, `${microseconds(row.p5_us, row)} - ${microseconds(row.p95_us, row)}`, "number");
    cell(line, derived(row.gflops, row), "number");
    cell(line, row.copy_ratio ? `${derived(100 / row.copy_ratio, row, 2)} %` : "-", "number");
    cell(line, row.relative_l2_error.toExponential(1), "number");
}

function begin(header) {
    const step = header.clock_step_us;
    const coarse = step >= 1 ? `${figure(step, step / 100)} us` : `${(1000 * step).toFixed(0)} ns`;
    const clock = header.timer === "wall" ? "The browser's clock, read around each submission," : "The GPU's clock";
    element("clock").textContent =
        `${header.adapter}. ${clock} advances in steps of ${coarse}. A time is accurate to one step divided by the transforms in a sample.` +
        (header.is_software ? " This is a software adapter: the processor does the work of a GPU." : "");
}

async function run(event) {
    event?.preventDefault();
    // Two measurements at once would slow each other down.
    const couldMeasure = !element("measure").disabled;
    element("run").disabled = element("save").disabled = element("measure").disabled = true;
    delete document.body.dataset.done;
    rows = [];
    element("rows").tBodies[0].replaceChildren();
    element("rows").hidden = false;
    element("clock").textContent = "";
    element("status").textContent = "Measuring the clock ...";
    let of = 0;
    try {
        await laboratory(Number(element("size").value), (text) => {
            const told = JSON.parse(text);
            if (told.algorithms) {
                of = told.algorithms.length;
                begin(told);
            } else {
                rows.push(told);
                show(told);
            }
            element("status").textContent = `${rows.length} of ${of} algorithms`;
        });
        const count = (key) => rows.filter((row) => row[key] !== undefined).length;
        element("status").textContent =
            `${rows.length} algorithms: ${count("median_us")} right, ${count("failed")} wrong, ` +
            `${count("skipped")} skipped for this size or GPU`;
        document.body.dataset.done = "true";
    } catch (error) {
        element("status").textContent = `The measurement failed: ${error}`;
        console.error(error);
    }
    element("run").disabled = false;
    element("save").disabled = rows.length === 0;
    element("measure").disabled = !couldMeasure;
}

const reason = await missing();
// The size in the address, else one that the adapter finishes before visitors lose patience.
const wanted = new URLSearchParams(location.search).get("size") ?? (isSoftware ? "64" : "256");
if ([...element("size").options].some((option) => option.value === wanted)) {
    element("size").value = wanted;
}
if (reason) {
    document.querySelector(".laboratory").hidden = true;
    tell(reason);
} else {
    try {
        const module = await import("./seaway.js");
        await module.default();
        laboratory = module.laboratory;
        element("form").addEventListener("submit", run);
        element("save").addEventListener("click", () =>
            save("seaway-bench.json", JSON.stringify(rows, null, 2), "application/json"));
        // An address that names figures of papers is about those.
        const names = new URLSearchParams(location.search).get("figures");
        const measure = open(module, names ?? "");
        if (names === null) {
            await run();
        } else {
            element("run").disabled = false;
            element("papers").scrollIntoView();
            await measure();
        }
    } catch (error) {
        document.querySelector(".laboratory").hidden = true;
        tell(`The laboratory could not be opened: ${error}`);
        throw error;
    }
}
