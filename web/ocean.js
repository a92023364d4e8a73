// Opens the sea, or says why there is none.

import { missing, tell } from "./webgpu.js";

// Behind the message the canvas is out of the keyboard's reach; the message is read out and scrolled.
const canvas = document.getElementById("sea");
const message = document.getElementById("message");
function giveWay() {
    canvas.inert = !message.hidden;
    if (!message.hidden) {
        message.focus();
    }
}
new MutationObserver(giveWay).observe(message, { attributes: true, attributeFilter: ["hidden"] });

/** Shows that the program has ended, unless it has already shown a message itself. */
function tellEnd(text) {
    if (message.hidden) {
        tell(text);
    }
}

// A program that aborts, for example when it runs out of memory, shows no message itself.
const isEnd = (error) => error instanceof WebAssembly.RuntimeError;
const hear = (error) => isEnd(error) && tellEnd(`The program was aborted: ${error}`);
addEventListener("error", ({ error }) => hear(error));
addEventListener("unhandledrejection", (event) => {
    hear(event.reason);
    // The pointer is not locked where the browser does not want it: looking around goes without.
    if (event.reason instanceof DOMException) {
        event.preventDefault();
    }
});

const reason = await missing();
if (reason) {
    tell(reason);
} else {
    try {
        const { default: init, ocean } = await import("./seaway.js");
        await init();
        ocean();
    } catch (error) {
        (isEnd(error) ? tellEnd : tell)(`The sea could not be opened: ${error}`);
        throw error;
    }
}

/** Keys with Ctrl or Cmd that the program has: panels, bookmarks, undo, and all of a text. */
const SHORTCUTS = new Set("0123456789+-=_zya");
/** Function keys that it has. */
const FUNCTIONS = new Set(["F1", "F6", "F9", "F11", "F12"]);

/** The key does something in the program. All others are the browser's: to reload, to go back, to close. */
function isOurs({ key, code, ctrlKey, metaKey, altKey }) {
    if (/^F\d+$/.test(key)) {
        return FUNCTIONS.has(key) && !(ctrlKey || metaKey || altKey);
    }
    if (ctrlKey || metaKey) {
        return SHORTCUTS.has(key.toLowerCase()) || /^(Digit|Numpad)\d$/.test(code);
    }
    // Plain ones fly and write, where a page would scroll, search or leave the canvas.
    return !altKey;
}

canvas.addEventListener("keydown", (event) => {
    if (isOurs(event)) {
        event.preventDefault();
    }
});
// The right button looks around, the wheel sets the speed, and a finger that rests looks.
for (const kind of ["contextmenu", "wheel", "touchstart"]) {
    canvas.addEventListener(kind, (event) => event.preventDefault(), { passive: false });
}
// A link to another sea was pasted into the address. Load it again: a frame may have replaced it since.
addEventListener("hashchange", ({ newURL }) => {
    location.replace(newURL);
    location.reload();
});
