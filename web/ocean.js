// Opens the sea, or says why there is none.

import { missing, tell } from "./webgpu.js";

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
        tell(`The sea could not be opened: ${error}`);
        throw error;
    }
}

const canvas = document.getElementById("sea");
// The right button looks around.
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
// Another sea's link, pasted over this one's.
addEventListener("hashchange", () => location.reload());
