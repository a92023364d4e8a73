//! Images of the objects in the sea, by which the water mirrors them, shows what is below it and lies in their
//! shadow.
//!
//! Takes four pictures of each object: mirrored by a level sea, seen through the surface, from the sun, and from
//! above. Gives an atlas that shaders read through `shading/object_images.wgsl`, with levels for
//! blur. All four are impostors (Schaufler 1995): a picture in a plane through the object, which rays from the
//! water meet.

use super::{DEPTH_FORMAT, HDR_FORMAT};
use crate::gpu::shader::ShaderError;
use crate::gpu::{Allocations, Pipelines, TextureSpec, color_attachment, one_level, wgsl_struct};
use crate::maps::{LEVELS_PER_DISPATCH, MapFormat, Mips};
use crate::profile::Recorder;

/// The most objects that have images.
pub(crate) const OBJECTS: usize = 8;
const KINDS: usize = 4;
/// The side of a slot at the coarsest level that is read.
const COARSEST: u32 = 4;

wgsl_struct! {
    /// The layout of `ObjectImage` in `shading/object_frames.wgsl`.
    pub(crate) struct ObjectImage {
        pub(crate) middle: [f32; 3],
        pub(crate) half_m: f32,
        pub(crate) right: [f32; 3],
        pub(crate) side: f32,
        pub(crate) up: [f32; 3],
        pub(crate) distance_m: f32,
        pub(crate) forward: [f32; 3],
        pub(crate) radius_m: f32,
    }
}

wgsl_struct! {
    /// The layout of `ObjectLamp` in `shading/object_frames.wgsl`.
    pub(crate) struct ObjectLamp {
        place_m: [f32; 3],
        is_lit: f32,
        intensity: [f32; 3],
        _padding: f32,
    }
}

wgsl_struct! {
    /// The layout of `ObjectReach` in `shading/object_frames.wgsl`.
    struct ObjectReach {
        foot_m: [f32; 3],
        radius_m: f32,
        shadow_m: [f32; 2],
        high_m: f32,
        deep_m: f32,
    }
}

wgsl_struct! {
    /// The layout of `ObjectImages` in `shading/object_frames.wgsl`, which the GPU writes.
    pub(crate) struct ObjectFrames {
        images: [ObjectImage; OBJECTS * KINDS],
        reaches: [ObjectReach; OBJECTS],
        lamps: [ObjectLamp; OBJECTS],
        eye_m: [f32; 3],
        slope_deviation: f32,
        imaged: u32,
        slot: f32,
        mirror_rows: f32,
        _padding: f32,
    }
}

/// The layers of the atlas, in the order in which they are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImageLayer {
    /// From the sun and from above: depth and cover.
    Silhouettes,
    /// Mirrored and refracted: premultiplied radiance.
    Lit,
}

/// The atlas and the frames of its images.
#[derive(Debug)]
pub struct ObjectImages {
    texels: u32,
    frames: wgpu::Buffer,
    atlas: wgpu::TextureView,
    depth: wgpu::TextureView,
    layers: [wgpu::TextureView; 2],
    mips: Mips,
}

impl ObjectImages {
    /// Creates an atlas whose images have up to `texels` along a side.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(pipelines: &Pipelines, texels: u32) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let texels = texels.max(COARSEST);
        let coarsest = (texels / COARSEST).ilog2().max(LEVELS_PER_DISPATCH);
        let atlas = atlas(device, texels, coarsest + 1);
        let layer = |layer| {
            atlas.create_view(&wgpu::TextureViewDescriptor {
                base_array_layer: layer,
                array_layer_count: Some(1),
                ..one_level(0, wgpu::TextureViewDimension::D2)
            })
        };
        let size = [atlas.width(), atlas.height()];
        Ok(Self {
            texels,
            frames: frames(device),
            depth: TextureSpec::target("ObjectImages::depth", size, DEPTH_FORMAT)
                .create_view(device),
            layers: [layer(0), layer(1)],
            mips: Mips::new(pipelines, &atlas, MapFormat::F16, 0)?,
            atlas: all(&atlas),
        })
    }

    /// The side of an image's slot, in texels.
    pub(crate) fn texels(&self) -> u32 {
        self.texels
    }

    /// The buffer of `ObjectImages` of `shading/object_images.wgsl`, which the owner of the objects writes.
    pub(crate) fn frames(&self) -> &wgpu::Buffer {
        &self.frames
    }

    pub(super) fn bound(&self) -> Bound {
        let silhouettes = self.atlas.texture().create_view(&wgpu::TextureViewDescriptor {
            array_layer_count: Some(1),
            ..one_level(0, wgpu::TextureViewDimension::D2Array)
        });
        Bound { atlas: self.atlas.clone(), silhouettes, frames: self.frames.clone() }
    }

    /// Draws the images of one layer over those of earlier frames.
    pub(crate) fn draw(
        &self,
        recorder: &mut Recorder<'_>,
        layer: ImageLayer,
        objects: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        recorder.render(
            &wgpu::RenderPassDescriptor {
                label: Some(match layer {
                    ImageLayer::Silhouettes => "object silhouettes",
                    ImageLayer::Lit => "object images",
                }),
                color_attachments: &[Some(color_attachment(
                    &self.layers[layer as usize],
                    wgpu::LoadOp::Load,
                ))],
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &self.depth,
                    depth_ops: Some(wgpu::Operations {
                        load: wgpu::LoadOp::Load,
                        store: wgpu::StoreOp::Store,
                    }),
                    stencil_ops: None,
                }),
                ..Default::default()
            },
            |pass| objects(pass),
        );
    }

    /// Averages the images of the first `count` objects for their coarser levels, in both layers.
    pub(crate) fn average(&self, recorder: &mut Recorder<'_>, count: u32) {
        recorder.compute("object image levels", |stages| {
            stages.stage("object image levels", |pass| {
                self.mips.encode(pass, [count, 2].map(|slots| slots * self.texels));
            });
        });
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        [&self.atlas, &self.depth]
            .into_iter()
            .fold(A::default().with_buffer(&self.frames), |held, view| {
                held.with_texture(view.texture())
            })
    }
}

/// The resources of the images that shaders bind.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) atlas: wgpu::TextureView,
    /// The layer that may be read while the other one is drawn.
    pub(super) silhouettes: wgpu::TextureView,
    pub(super) frames: wgpu::Buffer,
}

impl Bound {
    /// Images of no objects.
    pub(super) fn none(device: &wgpu::Device) -> Self {
        let atlas = all(&atlas(device, 1, 1));
        Self { silhouettes: atlas.clone(), atlas, frames: frames(device) }
    }
}

fn all(atlas: &wgpu::Texture) -> wgpu::TextureView {
    atlas.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        ..Default::default()
    })
}

/// Two rows of slots in each of two layers.
fn atlas(device: &wgpu::Device, texels: u32, levels: u32) -> wgpu::Texture {
    TextureSpec::storage("ObjectImages::atlas", [OBJECTS as u32 * texels, 2 * texels], HDR_FORMAT)
        .with_usage(wgpu::TextureUsages::RENDER_ATTACHMENT)
        .layers(2)
        .levels(levels)
        .create(device)
}

fn frames(device: &wgpu::Device) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("ObjectImages::frames"),
        size: size_of::<ObjectFrames>() as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{assert_layout, shader};

    #[test]
    fn the_shaders_agree() {
        let wgsl = shader::resolve("shading/light.wgsl").unwrap();
        assert_layout::<ObjectImage>(&wgsl);
        assert_layout::<ObjectLamp>(&wgsl);
        assert_layout::<ObjectReach>(&wgsl);
        let named = wgsl.replace("struct ObjectImages", "struct ObjectFrames");
        assert_layout::<ObjectFrames>(&named.replace(": ObjectImages", ": ObjectFrames"));
        assert!(wgsl.contains(&format!("const OBJECTS: u32 = {OBJECTS}u;")));
        assert!(wgsl.contains(&format!("const IMAGE_KINDS: u32 = {KINDS}u;")));
    }
}
