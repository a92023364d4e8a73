//! The ocean drawn by a program of your own: your device, your camera, your mesh, your light. The ocean
//! gives its maps, the foam its textures, and each a few WGSL functions; the rest is plain wgpu. A post stands in the
//! water, which mirrors it.
//! Draws one picture, without a window: to out/ocean.png, or the file that is named.
//!
//!     cargo run --example draw sea.png

use std::path::{Path, PathBuf};

use glam::Vec3;
use glam::camera::rh;
use seaway::foam::{self, Foam, FoamOptions, FoamSea, Progress};
use seaway::settings::SeaState;
use seaway::{Ocean, OceanOptions, gpu, maps};
use wgpu::util::DeviceExt as _;

const SIZE: [u32; 2] = [640, 360];
const TIME_S: f64 = 20.0;
/// Anywhere: positions on the GPU are relative to an origin near the eye, so that far out is as sharp.
const EYE_M: [f64; 3] = [52_000.0, 7.0, -3_000.0];

const POST_TOP_M: f32 = 9.0;

const SHADER: &str = "
    struct Camera {
        clip_from_relative: mat4x4<f32>, relative_from_clip: mat4x4<f32>, height_m: f32, post_top_m: f32,
    }
    @group(0) @binding(0) var<uniform> camera: Camera;

    // The mesh: rings around the eye, each 2% farther than the one before, over the field of view.
    const RINGS: u32 = 360u;
    const SPOKES: u32 = 220u;

    struct Point {
        @builtin(position) clip: vec4<f32>,
        @location(0) at_rest: vec2<f32>,  // from the origin, which is under the eye
        @location(1) relative: vec3<f32>, // from the eye
    }

    @vertex fn water_vertex(@builtin(vertex_index) index: u32) -> Point {
        var corners = array(vec2(0u), vec2(1u, 0u), vec2(0u, 1u), vec2(0u, 1u), vec2(1u, 0u), vec2(1u));
        let corner = vec2<f32>(corners[index % 6u]);
        let cell = vec2(index / 6u % SPOKES, index / 6u / SPOKES);
        let at = vec2<f32>(cell) + corner;
        let distance_m = 3.0 * pow(1.022, at.y);
        let angle = 1.9 * (at.x / f32(SPOKES) - 0.5);
        let at_rest = distance_m * vec2(cos(angle), sin(angle));
        // Without the waves that a mesh so coarse cannot show.
        let moved = ocean_displacement(at_rest, 0.022 * distance_m);
        let relative = vec3(at_rest.x, -camera.height_m, at_rest.y) + moved;
        return Point(camera.clip_from_relative * vec4(relative, 1.0), at_rest, relative);
    }

    const TO_SUN = vec3(0.80, 0.33, 0.50);

    // A post, painted in bands: its place (x, z) from the origin, and its radius.
    const POST_AT = vec2(32.0, -1.5);
    const POST_RADIUS_M = 0.5;
    const POST_SIDES: u32 = 24u;

    fn post_light(height_m: f32, normal: vec3<f32>) -> vec3<f32> {
        let paint = select(vec3(0.55, 0.05, 0.03), vec3(0.75), fract(height_m / 3.0) < 0.5);
        return paint * (0.35 + 1.2 * saturate(dot(normal, normalize(TO_SUN))));
    }

    // The light of the post along a ray from a point, relative to the eye; w is 0 where the ray misses it.
    fn post_along(relative: vec3<f32>, direction: vec3<f32>) -> vec4<f32> {
        let level = max(length(direction.xz), 1e-4);
        let to_post = POST_AT - relative.xz;
        let ahead_m = dot(to_post, direction.xz) / level;
        let aside_squared = dot(to_post, to_post) - ahead_m * ahead_m;
        let inside = POST_RADIUS_M * POST_RADIUS_M - aside_squared;
        let met = relative + direction * ((ahead_m - sqrt(max(inside, 0.0))) / level);
        let height_m = met.y + camera.height_m;
        let is_met = inside > 0.0 && ahead_m > 0.0 && height_m < camera.post_top_m;
        let out = (met.xz - POST_AT) / POST_RADIUS_M;
        return vec4(post_light(height_m, vec3(out.x, 0.0, out.y)), f32(is_met));
    }

    struct PostPoint {
        @builtin(position) clip: vec4<f32>,
        @location(0) height_m: f32,
        @location(1) normal: vec3<f32>,
    }

    @vertex fn post_vertex(@builtin(vertex_index) index: u32) -> PostPoint {
        var corners = array(vec2(0u), vec2(1u, 0u), vec2(0u, 1u), vec2(0u, 1u), vec2(1u, 0u), vec2(1u));
        let corner = corners[index % 6u];
        let angle = 6.2831853 * f32(index / 6u + corner.x) / f32(POST_SIDES);
        let out = vec2(cos(angle), sin(angle));
        // Its foot is deep in the water.
        let height_m = select(-5.0, camera.post_top_m, corner.y == 1u);
        let at = POST_AT + POST_RADIUS_M * out;
        let relative = vec3(at.x, height_m - camera.height_m, at.y);
        return PostPoint(camera.clip_from_relative * vec4(relative, 1.0), height_m, vec3(out.x, 0.0, out.y));
    }

    @fragment fn post(in: PostPoint) -> @location(0) vec4<f32> {
        return vec4(shown(post_light(in.height_m, normalize(in.normal))), 1.0);
    }

    fn sky(direction: vec3<f32>) -> vec3<f32> {
        let up = saturate(direction.y);
        let near_sun = saturate(dot(direction, normalize(TO_SUN)));
        return mix(vec3(0.62, 0.72, 0.82), vec3(0.10, 0.24, 0.52), pow(up, 0.55))
            + vec3(1.0, 0.7, 0.4) * (0.25 * pow(near_sun, 8.0) + 60.0 * pow(near_sun, 4000.0));
    }

    @fragment fn water(in: Point) -> @location(0) vec4<f32> {
        let ddx = dpdx(in.at_rest);
        let ddy = dpdy(in.at_rest);
        let surface = ocean_surface(in.at_rest, ddx, ddy);
        let normal = ocean_normal(surface);
        let to_eye = -normalize(in.relative);
        let cosine = max(dot(normal, to_eye), 0.02);
        // Fresnel as Schlick has it, less at grazing angles where facets that are too fine lean.
        let spread = sqrt(max(surface.lost.x + surface.lost.y, 0.0) + 1e-4);
        let fresnel = 0.021 + 0.979 * pow(1.0 - cosine, 5.0) / (1.0 + 22.0 * spread);
        let mirrored = reflect(-to_eye, normal);
        let half_way = normalize(normalize(TO_SUN) + to_eye);
        let off = length(half_way.xz / half_way.y - normal.xz / normal.y) / spread;
        let glitter = vec3(1.0, 0.85, 0.6) * 0.08 * exp(-off * off) / (spread * spread * 20.0 + 0.05);
        let body = vec3(0.004, 0.035, 0.045);
        // The water mirrors the post where the mirrored ray meets it, and the sky elsewhere.
        let post = post_along(in.relative, mirrored);
        let around = mix(sky(vec3(mirrored.x, abs(mirrored.y), mirrored.z)), post.rgb, post.a);
        var light = mix(body, around, fresnel) + glitter * (1.0 - post_along(in.relative, normalize(TO_SUN)).a);
        // Whitecaps, with what they leave.
        let foam = foam_at(in.at_rest, sqrt(length(ddx) * length(ddy)));
        let lit = 0.35 + 0.65 * saturate(dot(normal, normalize(TO_SUN)));
        light = mix(light, vec3(2.2 * foam_albedo(foam) * lit), foam_share(foam));
        let air = 1.0 - exp(-length(in.relative) / 9000.0);
        return vec4(shown(mix(light, sky(vec3(-to_eye.x, 0.0, -to_eye.z)), air)), 1.0);
    }

    struct Far { @builtin(position) clip: vec4<f32>, @location(0) at: vec2<f32> }

    @vertex fn sky_vertex(@builtin(vertex_index) index: u32) -> Far {
        let at = 4.0 * vec2<f32>(vec2(index & 1u, index >> 1u)) - 1.0;
        return Far(vec4(at, 1.0, 1.0), at);
    }

    @fragment fn sky_fragment(in: Far) -> @location(0) vec4<f32> {
        let point = camera.relative_from_clip * vec4(in.at, 1.0, 1.0);
        return vec4(shown(sky(normalize(point.xyz / point.w))), 1.0);
    }

    fn shown(light: vec3<f32>) -> vec3<f32> {
        return light * (1.0 + light / 16.0) / (1.0 + light);
    }";

/// Draws the sea with a post of that height over still water.
async fn draw(post_top_m: f32) -> Result<image::RgbaImage, Box<dyn std::error::Error>> {
    // So low over the water, no patch is seen to repeat.
    let options = OceanOptions { size: 128, blended_cascades: 0, ..Default::default() };
    let sea = SeaState { wind_speed_mps: 15.0, fetch_m: 150_000.0, ..Default::default() };
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = instance.request_adapter(&Default::default()).await?;
    let (device, queue) = adapter
        .request_device(&wgpu::DeviceDescriptor {
            required_features: Ocean::required_features(&options),
            required_limits: Ocean::required_limits(&options)?,
            ..Default::default()
        })
        .await?;

    // The sea, and its foam: on the same waves, so with the same sampling.
    let mut ocean = Ocean::new(&device, &queue, &sea, options)?;
    let foam_options = FoamOptions { texels: 128, steps_per_s: 10, ..FoamOptions::on(&options) };
    let foam_sea = FoamSea::new(&sea, options.cascades, &foam_options)?;
    let mut foam = Foam::new(&device, &queue, foam_sea)?;

    let [x_m, height_m, z_m] = EYE_M;
    let origin_m = [x_m, z_m];
    ocean.set_origin(&queue, origin_m);
    // Foam remembers twelve seconds: where the time jumps, they are made up for, some steps a submission.
    // A program with a window submits once a frame, and lets it fill in.
    let mut encoder = device.create_command_encoder(&Default::default());
    while foam.encode(&mut encoder, &queue, TIME_S, origin_m, origin_m) == Progress::FillingIn {
        queue.submit([encoder.finish()]);
        encoder = device.create_command_encoder(&Default::default());
    }
    foam.update(&queue, TIME_S, origin_m);
    ocean.encode(&mut encoder, TIME_S);

    let target = texture(&device, wgpu::TextureFormat::Rgba8UnormSrgb);
    let depth = texture(&device, wgpu::TextureFormat::Depth32Float);
    let (camera_layout, camera) = camera(&device, height_m as f32, post_top_m);
    // Your own pipelines: the maps are group 1 of every shader that samples them, the foam is group 3.
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        bind_group_layouts: &[
            Some(&camera_layout),
            Some(ocean.maps().bind_group_layout()),
            None,
            Some(foam.bind_group_layout()),
        ],
        ..Default::default()
    });
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("draw"),
        source: wgpu::ShaderSource::Wgsl(
            (maps::sample_wgsl(1) + &foam::sample_wgsl(3) + SHADER).into(),
        ),
    });
    let pipeline = |vertex, fragment| pipeline(&device, &layout, &module, vertex, fragment);
    let (water, sky) = (pipeline("water_vertex", "water"), pipeline("sky_vertex", "sky_fragment"));
    let post = pipeline("post_vertex", "post");

    let [target_view, depth_view] = [&target, &depth].map(|of| of.create_view(&Default::default()));
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &target_view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations::default(),
        })],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &depth_view,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(1.0),
                store: wgpu::StoreOp::Discard,
            }),
            stencil_ops: None,
        }),
        ..Default::default()
    });
    pass.set_bind_group(0, &camera, &[]);
    pass.set_bind_group(1, ocean.maps().bind_group(), &[]);
    pass.set_bind_group(3, foam.bind_group(), &[]);
    pass.set_pipeline(&water);
    pass.draw(0..360 * 220 * 6, 0..1);
    pass.set_pipeline(&post);
    pass.draw(0..24 * 6, 0..1);
    pass.set_pipeline(&sky);
    pass.draw(0..3, 0..1);
    drop(pass);
    queue.submit([encoder.finish()]);

    let pixels = gpu::read_texture(&device, &queue, &target, 0, 0).await?;
    image::RgbaImage::from_raw(SIZE[0], SIZE[1], pixels).ok_or_else(|| "no picture".into())
}

fn texture(device: &wgpu::Device, format: wgpu::TextureFormat) -> wgpu::Texture {
    let usage = match format.is_depth_stencil_format() {
        true => wgpu::TextureUsages::empty(),
        false => wgpu::TextureUsages::COPY_SRC,
    };
    device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    })
}

/// The camera's matrices, from the eye: nothing on the GPU is as large as the world.
fn camera(
    device: &wgpu::Device,
    height_m: f32,
    post_top_m: f32,
) -> (wgpu::BindGroupLayout, wgpu::BindGroup) {
    let aspect = SIZE[0] as f32 / SIZE[1] as f32;
    let towards = Vec3::new(1.0, -0.08, 0.1);
    let clip_from_relative = rh::proj::directx::perspective(0.9, aspect, 0.3, 20_000.0)
        * rh::view::look_to_mat4(Vec3::ZERO, towards, Vec3::Y);
    let matrices = [clip_from_relative, clip_from_relative.inverse()];
    let mut contents = bytemuck::cast_slice::<_, f32>(&matrices).to_vec();
    contents.extend([height_m, post_top_m, 0.0, 0.0]);
    let buffer = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("camera"),
        contents: bytemuck::cast_slice(&contents),
        usage: wgpu::BufferUsages::UNIFORM,
    });
    let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("camera"),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        }],
    });
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("camera"),
        layout: &layout,
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
    });
    (layout, group)
}

fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    vertex: &str,
    fragment: &str,
) -> wgpu::RenderPipeline {
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(fragment),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(vertex),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format: wgpu::TextureFormat::Depth32Float,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::LessEqual),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(fragment),
            compilation_options: Default::default(),
            targets: &[Some(wgpu::TextureFormat::Rgba8UnormSrgb.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let named = std::env::args_os().nth(1).map(PathBuf::from);
    let file = named.unwrap_or_else(|| Path::new("out").join("ocean.png"));
    // Before the work: a file that cannot be written is no picture.
    check(&file).map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
    pollster::block_on(draw(POST_TOP_M))?.save(&file)?;
    println!("drew {}", file.display());
    Ok(())
}

/// Sees that there can be a picture of that name, and makes its folder.
fn check(file: &Path) -> Result<(), Box<dyn std::error::Error>> {
    image::ImageFormat::from_path(file)?;
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::OpenOptions::new().create(true).append(true).open(file)?;
    Ok(())
}

#[test]
fn a_sea_with_whitecaps_lies_under_a_sky() {
    let picture = pollster::block_on(draw(POST_TOP_M)).unwrap();
    let brightness = |x: u32, y: u32| {
        let [r, g, b, _] = picture.get_pixel(x, y).0.map(u32::from);
        r + g + b
    };
    let mean = |rows: std::ops::Range<u32>| {
        let count = rows.len() as u32 * SIZE[0];
        let sum: u32 = rows
            .flat_map(|y| (0..SIZE[0]).map(move |x| (x, y)))
            .map(|(x, y)| brightness(x, y))
            .sum();
        f64::from(sum) / f64::from(count) / 3.0
    };
    let (sky, sea) = (mean(0..SIZE[1] / 4), mean(3 * SIZE[1] / 4..SIZE[1]));
    assert!(sky > 60.0 && sea > 8.0 && sea < sky, "sky {sky}, sea {sea}");
    let below = (SIZE[1] * 2 / 3..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (x, y)));
    let white = below.filter(|&(x, y)| brightness(x, y) > 400).count();
    let share = white as f64 / f64::from(SIZE[0] * SIZE[1] / 3);
    assert!((1e-4..0.3).contains(&share), "{share} of the sea is white");
}

#[test]
fn the_water_mirrors_the_post() {
    // Without a post, or rather with one that ends under water.
    let [with, without] = [POST_TOP_M, -4.0].map(|top_m| pollster::block_on(draw(top_m)).unwrap());
    let changed = |columns: std::ops::Range<u32>| {
        let pixels = (245..300).flat_map(|y| columns.clone().map(move |x| (x, y)));
        let differs = |&(x, y): &(u32, u32)| with.get_pixel(x, y) != without.get_pixel(x, y);
        pixels.filter(differs).count()
    };
    // Below its foot, and far beside it.
    let (below, beside) = (changed(250..280), changed(400..430));
    assert!(below > 300 && beside < 30, "{below} and {beside} of 1650 pixels");
}
