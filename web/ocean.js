// Opens the sea, or says why there is none.

import { missing, tell } from "./webgpu.js";

/** Tells of the program's end, unless it has told of it itself. */
function tellEnd(text) {
    if (document.getElementById("message").hidden) {
        tell(text);
    }
}

// What aborts, as for want of memory, says nothing before it goes.
const isEnd = (error) => error instanceof WebAssembly.RuntimeError;
const hear = (error) => isEnd(error) && tellEnd(`The sea has come to an end: ${error}`);
addEventListener("error", ({ error }) => hear(error));
addEventListener("unhandledrejection", ({ reason }) => hear(reason));

const reason = await missing();
if (reason) {
    tell(reason);
} else {
    try {
        const { default: init, ocean } = await import("./seaway.js");
        await init();
        ocean();
        document.getElementById("loading").remove();
    } catch (error) {
        (isEnd(error) ? tellEnd : tell)(`The sea could not be opened: ${error}`);
        throw error;
    }
}

const canvas = document.getElementById("sea");
// The right button looks around.
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
// Another sea's link, pasted over this one's.
addEventListener("hashchange", () => location.reload());
