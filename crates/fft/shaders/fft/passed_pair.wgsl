// The values that the workgroups of a dispatch pass to each other, both elements of a pair as their bits. A word
// is 0 before it is stored, and again once it has been read.

alias Words = vec4<u32>;

@group(0) @binding(9) var<storage, read_write> passed: array<Words>;
