// Waits within a dispatch until all workgroups of a layer have come this far (Xiao, Feng, Inter-Block
// GPU Communication via Fast Barrier Synchronization, IPDPS 2010, section 5.1). That needs all of them to
// run at once, which WebGPU does not promise: after TURNS turns it ends in any case, and leaves a mark.

// A cache line for each layer: the number of arrivals, and the mark. The number is never reset: what a
// dispatch adds to it is a power of two, so that it starts from a multiple of that, also past 2^32.
@group(0) @binding(0) var<storage, read_write> arrivals: array<atomic<u32>>;

const ARRIVALS_STRIDE = 32u;

// Whether the first invocation has waited in vain.
var<workgroup> in_vain: bool;

// Returns whether the others have arrived. `workgroups` is their number, a power of two.
fn has_layer_arrived(layer: u32, workgroups: u32, invocation: u32) -> bool {
    // All invocations of this workgroup arrive together.
    storageBarrier();
    if (invocation == 0u) {
        let number = layer * ARRIVALS_STRIDE;
        let before = atomicAdd(&arrivals[number], 1u);
        let last = before | (workgroups - 1u);
        var waits = before != last;
        for (var turn = 0u; turn < TURNS && waits; turn += 1u) {
            waits = i32(atomicLoad(&arrivals[number]) - last) <= 0;
        }
        if (waits) {
            atomicStore(&arrivals[number + 1u], 1u);
        }
        in_vain = waits;
    }
    return !workgroupUniformLoad(&in_vain);
}
