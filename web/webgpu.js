// Checks for WebGPU before anything that needs it is loaded.

/** Whether this is a software adapter: known once `missing` has run. */
export let isSoftware = false;

// A device that is lost, or has no memory left, cannot map a buffer as it makes it, and throws. The program
// cannot catch that; it hears of the loss a little later, as of any other.
if (window.GPUDevice) {
    const createBuffer = GPUDevice.prototype.createBuffer;
    GPUDevice.prototype.createBuffer = function (descriptor) {
        try {
            return createBuffer.call(this, descriptor);
        } catch {
            return createBuffer.call(this, { ...descriptor, mappedAtCreation: false });
        }
    };
}

/** Why WebGPU is missing, as a sentence; empty if it is available. */
export async function missing() {
    if (!window.isSecureContext) {
        return "Browsers offer WebGPU only to pages loaded over https or from this computer.";
    }
    if (!navigator.gpu) {
        return "This browser does not support WebGPU.";
    }
    let adapter = null;
    try {
        adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
    } catch {
        // The same as no adapter.
    }
    isSoftware = adapter?.info?.isFallbackAdapter ?? false;
    return adapter ? "" : "This browser supports WebGPU, but found no graphics adapter for it.";
}

/** Shows the page's message, with `reason` in it. */
export function tell(reason) {
    const message = document.getElementById("message");
    message.querySelector("[data-reason]").textContent = reason;
    message.hidden = false;
    document.getElementById("loading")?.remove();
}
