// Kernels that compute one stage of a transform in global memory: which points a thread takes, and
// where its results go. What it does with them, `transform_points`, is in the file of each radix.
//
// Ukidave, Schirner, Kaeli, Fast Fourier Transform (FFT) on GPUs, section 16.3; gid, gbl_size,
// kern_size and num_stage are named as there. It is the Stockham form of Govindaraju et al., High
// Performance Discrete Fourier Transforms on Graphics Processors (SC 2008), figure 2, where
// num_stage is called Ns. Different here: the chapter's 2-point and 4-point kernels multiply by
// the angle of gid / N, which is right for the last stage only; this is the 8-point kernel's.

#import "fft/common.wgsl"

// What changes from stage to stage, so that all stages of a radix share one pipeline.
struct GlobalStage {
    // The number of points that each transform of the stages before has had.
    num_stage: u32,
}

@group(0) @binding(3) var<uniform> stage: GlobalStage;

// Threads of a line; the distance between the points that a thread takes.
const GBL_SIZE: u32 = LENGTH / KERN_SIZE;

struct Thread {
    layer: u32,
    line: u32,
    // Number within its line.
    gid: u32,
}

// Neighbouring threads touch neighbouring memory: along a row, or across columns.
fn find_thread(layer: u32, index: u32) -> Thread {
    if (ROWS) {
        return Thread(layer, index / GBL_SIZE, index % GBL_SIZE);
    }
    return Thread(layer, index % IMAGE_LINES, index / IMAGE_LINES);
}

// The r-th point, times exp(SIGN 2 pi i r (gid mod num_stage) / (num_stage kern_size)).
fn load_twiddled(thread: Thread, r: u32) -> Element {
    let value = load_point(thread.layer, thread.line, thread.gid + r * GBL_SIZE);
    let within = thread.gid & (stage.num_stage - 1u);
    return times(value, twiddle(r * within * (GBL_SIZE / stage.num_stage)));
}

// The r-th result. Stored after all is loaded: the last stage may work in place.
fn store_result(thread: Thread, r: u32, value: Element) {
    let within = thread.gid & (stage.num_stage - 1u);
    let out_id = (thread.gid - within) * KERN_SIZE + within;
    store_point(thread.layer, thread.line, out_id + r * stage.num_stage, value);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let index = workgroup_in_layer(workgroup, workgroups) * WORKGROUP_SIZE + invocation;
    if (index >= IMAGE_LINES * GBL_SIZE) {
        return;
    }
    transform_points(find_thread(workgroup.y, index));
}
