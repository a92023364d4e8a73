// The turns of a dispatch, by which its workgroups tell the values of this transform from those of the one before.

// A word for each workgroup, 0 at first: bit 0 changes with each transform, and bit 1 is the mark of a workgroup
// that has once waited in vain.
@group(0) @binding(8) var<storage, read_write> turns: array<atomic<u32>>;

// The number of this workgroup.
var<private> own_turn: u32;

// The lowest bit of each word that this transform passes on. The transform before it has left the other bit, so
// that a word with this one has been stored, and no word needs to be cleared.
var<private> turn_bit: u32;

fn begin_turn(number: u32) {
    own_turn = number;
    turn_bit = ~atomicLoad(&turns[own_turn]) & 1u;
}

// One invocation calls it, once all have begun.
fn end_turn() {
    atomicXor(&turns[own_turn], 1u);
}

fn note_in_vain() {
    atomicOr(&turns[own_turn], 2u);
}
