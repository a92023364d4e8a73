//! The clouds on the GPU.

use super::{CloudSlot, CloudUniform};
use crate::gpu::assert_layout;
use crate::gpu::shader::resolve;

#[test]
fn structs_have_wgsl_layout() {
    assert_layout::<CloudUniform>(&resolve("shading/clouds.wgsl").unwrap());
    assert_layout::<CloudSlot>(&resolve("shading/cloud_slot.wgsl").unwrap());
}
