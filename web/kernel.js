// The kernel foundry: a form whose values the address holds, and the kernels of the transform in it.

import { derived, microseconds } from "./figures.js";
import { missing, tell } from "./webgpu.js";
import { show } from "./sheet.js";

const element = (id) => document.getElementById(id);
const HOOKS = ["load", "store"];
const WORDS = { auto: "fastest here", adapter: "of this GPU", webgpu: "WebGPU's defaults" };

let fields = [];
let foundry = null;
let languages = null;
/** What the form describes: the answer of the program. */
let told = null;
/** The latest change: answers to earlier ones come too late. */
let latest = 0;

const value = (name) => element(name).value;
const values = () => Object.fromEntries(fields.map(({ name }) => [name, value(name)]));

// A program that aborts shows no message itself.
addEventListener("unhandledrejection", ({ reason }) => ended(reason));
addEventListener("error", ({ error }) => ended(error));

function ended(error) {
    if (error instanceof WebAssembly.RuntimeError) {
        element("status").textContent = `The program was aborted: ${error}. Reload the page and choose a smaller size.`;
    }
}

function addField({ name, label, options, usual }) {
    const isHook = HOOKS.includes(name);
    const input = document.createElement(isHook ? "textarea" : options.length ? "select" : "input");
    input.id = name;
    input.append(...options.map((option) => new Option(WORDS[option] ?? option, option)));
    input.value = usual;
    input.spellcheck = false;
    const line = document.createElement("label");
    line.append(label, input);
    if (!isHook) {
        element("fields").append(line);
        return;
    }
    input.rows = 8;
    const example = document.createElement("button");
    example.type = "button";
    example.textContent = "Insert an example";
    example.addEventListener("click", () => {
        if (told?.examples) input.value = told.examples[HOOKS.indexOf(name)];
        changed();
    });
    element("hooks").append(line, example);
}

/** Writes the values that are not the usual ones into the address. */
function remember() {
    const query = new URLSearchParams();
    for (const { name, usual } of fields) {
        if (value(name) !== usual) query.set(name, value(name));
    }
    const text = query.toString();
    history.replaceState(null, "", text ? `?${text}` : location.pathname);
}

function problems(messages) {
    const lines = messages.map((message) => {
        const line = document.createElement("li");
        line.textContent = message;
        return line;
    });
    element("problems").replaceChildren(...lines);
    element("problems").hidden = lines.length === 0;
}

/** Describes the transform of `given`, which come from the form or from an address. */
async function describe(given) {
    const turn = ++latest;
    const status = element("status");
    delete document.body.dataset.done;
    element("verify").disabled = true;
    status.className = "";
    status.textContent = "Writing the kernels ...";
    const answer = await work(async () => {
        const answer = JSON.parse(await foundry.describe(JSON.stringify(given), (text) => (status.textContent = text)));
        if (answer.sheet) {
            languages ??= await import("./languages.js").then(async (module) => (await module.default(), module));
            answer.sheet = JSON.parse(languages.translate(JSON.stringify(answer.sheet)));
        }
        return answer;
    });
    if (turn !== latest || !answer) return;
    told = { ...answer, examples: answer.examples ?? told?.examples };
    for (const [name, value] of Object.entries(answer.values)) {
        if (element(name).value !== value) element(name).value = value;
    }
    if (HOOKS.some((name) => value(name))) element("hooks").open = true;
    remember();
    problems([...answer.messages, ...(answer.error ? [answer.error] : [])]);
    status.textContent = `For ${value("limits") === "webgpu" ? "every device with WebGPU's default limits" : foundry.adapter()}.`;
    element("sheet").hidden = !answer.sheet;
    if (answer.sheet) show(element("sheet"), answer.sheet);
    element("verify").disabled = !answer.sheet;
    document.body.dataset.done = "true";
}

/** Waits for the work before it, since the program does one thing at a time, and reports its error. */
let before = Promise.resolve();
function work(action) {
    const done = before.then(action).catch((error) => {
        element("status").className = "failed";
        element("status").textContent = String(error);
        document.body.dataset.done = "true";
        if (!(typeof error === "string")) console.error(error);
    });
    before = done;
    return done;
}

let pause = 0;
function changed() {
    latest++;
    clearTimeout(pause);
    pause = setTimeout(() => describe(values()), 300);
}

async function verify(event) {
    event.preventDefault();
    const status = element("status");
    const turn = latest;
    element("verify").disabled = true;
    status.className = "";
    status.textContent = "Comparing with double precision ...";
    const text = await work(() => foundry.verify(JSON.stringify(told.values), JSON.stringify(told.chosen)));
    element("verify").disabled = !told.sheet;
    if (turn !== latest || !text) return;
    const row = JSON.parse(text);
    const reason = row.skipped ?? row.failed;
    status.className = row.failed ? "failed" : "";
    status.textContent =
        reason === undefined
            ? `Right: relative L2 error ${row.relative_l2_error.toExponential(1)}. ` +
              `Median ${microseconds(row.median_us, row)} us, ${derived(row.gflops, row)} GFLOPS, on ${row.adapter}.`
            : `${row.failed ? "WRONG" : "Not checked"}: ${reason}`;
    status.dataset.row = text;
}

const reason = await missing();
if (reason) {
    document.querySelector(".laboratory").hidden = true;
    tell(reason);
} else {
    try {
        const module = await import("./seaway.js");
        await module.default();
        foundry = await module.Foundry.open();
        fields = JSON.parse(module.Foundry.form());
        fields.forEach(addField);
        element("form").addEventListener("submit", verify);
        element("form").addEventListener("input", changed);
        element("link").addEventListener("click", async () => {
            await navigator.clipboard.writeText(location.href);
            element("link").textContent = "Copied";
            setTimeout(() => (element("link").textContent = "Copy link"), 2000);
        });
        await describe(Object.fromEntries(new URLSearchParams(location.search)));
    } catch (error) {
        document.querySelector(".laboratory").hidden = true;
        tell(`The foundry could not be opened: ${error}`);
        throw error;
    }
}
