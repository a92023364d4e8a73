// Spectra in 16-bit floats, each image times a power of two that brings its sea to the middle of
// what those can hold.
enable f16;

struct Narrow {
    // [layer]: the factor of the layer's first image twice, then that of its second.
    factors: array<vec4<f32>, 8>,
    // Values of a layer.
    points: u32,
}

@group(0) @binding(0) var<uniform> params: Narrow;
@group(0) @binding(1) var<storage, read> wide: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> narrowed: array<vec4<f16>>;

const VALUES_EACH: u32 = 8u;

@compute @workgroup_size(256)
fn narrow(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let first = group.x * 256u * VALUES_EACH + local;
    for (var i = 0u; i < VALUES_EACH; i++) {
        let point = first + i * 256u;
        if point < params.points {
            let at = group.y * params.points + point;
            narrowed[at] = vec4<f16>(wide[at] * params.factors[group.y]);
        }
    }
}
