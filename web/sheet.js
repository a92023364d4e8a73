// Shows the kernels of a transform: what `seaway kernel --html` writes into its file, and kernel.html shows.

const LANGUAGES = { wgsl: "WGSL", glsl: "GLSL", hlsl: "HLSL", msl: "MSL" };
const KINDS = {
    "read-only-storage": "storage buffer, read",
    storage: "storage buffer, read and written",
    uniform: "uniform buffer",
    texture: "2D array texture, loaded from",
    "write-only": "2D array storage texture, written",
};

/** Makes an element with `content`: text, elements, or both. */
function make(name, content = [], attributes = {}) {
    const made = document.createElement(name);
    made.append(...[content].flat());
    for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
    return made;
}

function table(head, rows) {
    const line = (cells, name) => make("tr", cells.map((cell) => make(name, cell, name === "th" ? { scope: "col" } : {})));
    return make("table", [make("thead", line(head, "th")), make("tbody", rows.map((row) => line(row, "td")))]);
}

function button(text, action, attributes = {}) {
    const made = make("button", text, { type: "button", ...attributes });
    made.addEventListener("click", () => action(made));
    return made;
}

/** A text with a button that copies it. */
function listing(text, attributes = {}) {
    const copy = button("Copy", async () => {
        await navigator.clipboard.writeText(text);
        copy.textContent = "Copied";
        setTimeout(() => (copy.textContent = "Copy"), 2000);
    });
    // Browsers offer the clipboard only to pages that come by https or from this computer.
    copy.hidden = !navigator.clipboard;
    return make("div", [copy, make("pre", text, { tabindex: 0, ...attributes })], { class: "listing" });
}

/** A kernel's texts, one at a time. */
function texts(kernel) {
    const place = make("div");
    const choose = (language) => {
        for (const [at, name] of names.entries()) bar.children[at].ariaPressed = String(name === language);
        const { Ok: text, Err: reason } = kernel.texts[language];
        place.replaceChildren(reason === undefined ? listing(text) : make("p", reason, { class: "failed" }));
    };
    const names = Object.keys(LANGUAGES).filter((language) => kernel.texts[language]);
    const bar = make("p", names.map((language) => button(LANGUAGES[language], () => choose(language))), { class: "bar" });
    choose("wgsl");
    return [bar, place];
}

function host(sheet) {
    const said = make("p", "", { role: "status", id: "host-status" });
    const run = button("Run it here", async () => {
        run.disabled = true;
        said.className = "";
        said.textContent = "Running ...";
        try {
            const log = [];
            const print = { log: (...words) => log.push(words.filter((word) => typeof word === "string").join(" ")) };
            const Program = (async () => {}).constructor;
            await new Program("console", sheet.host)(print);
            said.textContent = log.join(" ");
            said.className = said.textContent.includes("WRONG") ? "failed" : "";
        } catch (error) {
            said.textContent = String(error);
            said.className = "failed";
        }
        run.disabled = false;
    }, { id: "host-run" });
    if (sheet.features.includes("shader-f64")) {
        run.disabled = true;
        said.textContent = "Browsers compute in no 64-bit floats.";
    } else if (!navigator.gpu) {
        run.disabled = true;
        said.textContent = "This browser does not offer WebGPU to this page.";
    }
    return [make("p", [run], { class: "bar" }), said, listing(sheet.host, { id: "host" })];
}

const bytes = (count) => `${count.toLocaleString("en")} bytes`;

/** Shows `sheet`, the description of a transform's kernels, in `place`. */
export function show(place, sheet) {
    const used = new Set(sheet.dispatches.flatMap((step) => step.resources));
    const buffers = Object.entries(sheet.bytes).filter(([name]) => used.has(name));
    const needs = [...sheet.features, ...Object.entries(sheet.limits).map(([name, value]) => `${name} ${value.toLocaleString("en")}`)];
    const kernel = ({ label, workgroup_size, workgroup_bytes, entry, bindings }) => [
        label,
        entry,
        String(workgroup_size),
        bytes(workgroup_bytes),
        bindings.map(({ group, binding, type, text }) => make("div", `@group(${group}) @binding(${binding}) ${KINDS[type]}: ${text}`)),
    ];
    const step = ({ kernel, axis, workgroups, params, resources }, at) => [
        String(at + 1),
        `${kernel + 1}`,
        `${axis}s`,
        workgroups.join(" x "),
        resources.map((name, index) => make("div", `${sheet.kernels[kernel].bindings[index].binding}: ${name === "params" ? `[${params}]` : name}`)),
    ];
    place.replaceChildren(
        make("h2", sheet.title),
        make("p", `${sheet.about[0].toUpperCase()}${sheet.about.slice(1)}.`),
        make("p", ["Parameters: ", make("code", sheet.parameters || "none")]),
        make("p", `Data: ${sheet.data}.`),
        make("p", [
            sheet.in_place ? "The result replaces the input. " : "",
            `Buffers: ${buffers.map(([name, count]) => `${name}, ${bytes(count)}`).join("; ")}.`,
        ]),
        make("p", ["Needs of the device: ", make("code", needs.join(", ")), "."]),
        make("h3", "What to bind"),
        table(["kernel", "entry point", "invocations", "workgroup memory", "bindings"],
            sheet.kernels.map((one, at) => [`${at + 1}: ${one.label}`, ...kernel(one).slice(1)])),
        ...(Object.keys(sheet.tables).length
            ? [make("p", Object.entries(sheet.tables).map(([name, { text }]) => make("div", `${name}: ${text}`)))]
            : []),
        make("h3", "What to dispatch"),
        make("p", "Each dispatch begins after the one before has finished."),
        table(["", "kernel", "axis", "workgroups", "resources by binding"], sheet.dispatches.map(step)),
        make("h3", "A host in JavaScript"),
        make("p", "Paste it into an empty page. It runs the transform on random numbers, and checks results in double precision."),
        ...host(sheet),
        ...sheet.kernels.flatMap((one, at) => [make("h3", `Kernel ${at + 1} of ${sheet.kernels.length}`), ...texts(one)]),
    );
}
