// Memory by which the workgroups of a dispatch wait for each other.

// A cache line for each layer: the number of arrivals, and the mark. The number is never reset: what a
// dispatch adds to it is a power of two, so that it starts from a multiple of that, also past 2^32.
@group(0) @binding(8) var<storage, read_write> arrivals: array<atomic<u32>>;

const ARRIVALS_STRIDE = 32u;

// Leaves the mark that a workgroup of the layer has waited in vain.
fn note_in_vain(layer: u32) {
    atomicStore(&arrivals[layer * ARRIVALS_STRIDE + 1u], 1u);
}
