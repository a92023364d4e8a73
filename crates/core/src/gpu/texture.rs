//! The builder of textures, and the view of one mip level.

/// The description of a texture: two-dimensional, with one layer, one mip level and one sample, unless
/// its methods change that.
#[derive(Clone, Debug)]
#[must_use = "a description makes no texture before `create` or `create_view`"]
pub struct TextureSpec<'a>(wgpu::TextureDescriptor<'a>);

impl<'a> TextureSpec<'a> {
    /// Describes a texture of `width` x `height` texels.
    pub const fn new(
        label: &'a str,
        [width, height]: [u32; 2],
        format: wgpu::TextureFormat,
        usage: wgpu::TextureUsages,
    ) -> Self {
        Self(wgpu::TextureDescriptor {
            label: Some(label),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage,
            view_formats: &[],
        })
    }

    /// Describes a texture that passes draw to.
    pub const fn target(label: &'a str, size: [u32; 2], format: wgpu::TextureFormat) -> Self {
        Self::new(label, size, format, wgpu::TextureUsages::RENDER_ATTACHMENT)
    }

    /// Describes a texture that compute shaders write, that shaders sample and that can be copied from.
    pub const fn storage(label: &'a str, size: [u32; 2], format: wgpu::TextureFormat) -> Self {
        let usage = wgpu::TextureUsages::STORAGE_BINDING;
        Self::new(label, size, format, usage)
            .with_usage(wgpu::TextureUsages::TEXTURE_BINDING)
            .with_usage(wgpu::TextureUsages::COPY_SRC)
    }

    /// Adds `usage` to its allowed uses.
    pub const fn with_usage(mut self, usage: wgpu::TextureUsages) -> Self {
        self.0.usage = self.0.usage.union(usage);
        self
    }

    /// Makes it an array of `count` layers.
    pub const fn layers(mut self, count: u32) -> Self {
        self.0.size.depth_or_array_layers = count;
        self
    }

    /// Makes it three-dimensional, `depth` texels deep.
    pub const fn solid(mut self, depth: u32) -> Self {
        self.0.dimension = wgpu::TextureDimension::D3;
        self.layers(depth)
    }

    /// Gives it `count` mip levels, the whole texture included.
    pub const fn levels(mut self, count: u32) -> Self {
        self.0.mip_level_count = count;
        self
    }

    /// Gives each texel `count` samples.
    pub const fn samples(mut self, count: u32) -> Self {
        self.0.sample_count = count;
        self
    }

    /// Creates the texture. Its contents are zero.
    pub fn create(&self, device: &wgpu::Device) -> wgpu::Texture {
        device.create_texture(&self.0)
    }

    /// Creates the texture and returns a view of all of it, which keeps it alive.
    pub fn create_view(&self, device: &wgpu::Device) -> wgpu::TextureView {
        self.create(device).create_view(&Default::default())
    }
}

/// Describes a view of one mip level.
pub fn one_level<'a>(
    level: u32,
    dimension: wgpu::TextureViewDimension,
) -> wgpu::TextureViewDescriptor<'a> {
    wgpu::TextureViewDescriptor {
        dimension: Some(dimension),
        base_mip_level: level,
        mip_level_count: Some(1),
        ..Default::default()
    }
}

/// Describes the drawing of a pass to `view`, which keeps its results.
pub fn color_attachment(
    view: &wgpu::TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPassColorAttachment<'_> {
    wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target: None,
        ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
    }
}
