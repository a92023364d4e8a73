// Copies every element, where an algorithm that cannot work in place is asked to.

#import "fft/common.wgsl"

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let index = workgroup_in_layer(workgroup, workgroups) * WORKGROUP_SIZE + invocation;
    if (index < WIDTH * HEIGHT) {
        let y = index / WIDTH;
        let x = index % WIDTH;
        store(workgroup.y, y, x, load(workgroup.y, y, x));
    }
}
