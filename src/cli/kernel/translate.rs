//! WGSL to other shading languages, by naga.

use crate::fft::lab::{Access, Kernel};
use anyhow::Context as _;
use naga::back::{glsl, hlsl, msl, spv};
use naga::proc::BoundsCheckPolicies;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, ResourceBinding, ShaderStage};

/// The values of `--lang`, the languages of printed kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    /// WebGPU, as seaway runs it
    Wgsl,
    /// OpenGL 4.50, also for Vulkan
    Glsl,
    /// Direct3D, shader model 5.1
    Hlsl,
    /// Metal 2.0
    Msl,
    /// Vulkan 1.0, binary
    Spirv,
}

/// The buffer index at which Metal finds the sizes of the buffers.
const MSL_SIZES: u8 = 8;

/// Remarks for the header of a translation.
pub fn notes(language: Language) -> &'static str {
    match language {
        Language::Wgsl | Language::Spirv => "",
        Language::Glsl => "// GLSL: `binding = n` is binding n above.\n",
        Language::Hlsl => {
            "// HLSL: registers t (read), u (written) and b (uniform) with the numbers above, in space 0.\n"
        }
        Language::Msl => {
            "// MSL: [[buffer(n)]], or [[texture(n)]], is binding n above. [[buffer(8)]], where there is\n\
             // one, holds the sizes in bytes of the storage buffers, as 32-bit integers in their order\n\
             // here. The entry point is called main_; workgroup memory is its only threadgroup argument.\n"
        }
    }
}

/// The module of `kernel` in `language`, except SPIR-V.
pub fn text(kernel: &Kernel, language: Language) -> anyhow::Result<String> {
    // The source itself: its comments say what it does.
    if language == Language::Wgsl {
        return Ok(kernel.wgsl.clone());
    }
    let (module, info) = parse(kernel)?;
    let text = match language {
        Language::Glsl => to_glsl(kernel, &module, &info)?,
        Language::Hlsl => to_hlsl(kernel, &module, &info)?,
        Language::Msl => to_msl(kernel, &module, &info)?,
        Language::Wgsl | Language::Spirv => unreachable!("WGSL is above, SPIR-V is no text"),
    };
    Ok(text)
}

/// The module of `kernel` in SPIR-V.
pub fn spirv(kernel: &Kernel) -> anyhow::Result<Vec<u32>> {
    let (module, info) = parse(kernel)?;
    let options = spv::Options {
        flags: spv::WriterFlags::DEBUG,
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
        force_loop_bounding: false,
        ..Default::default()
    };
    let pipeline = spv::PipelineOptions {
        shader_stage: ShaderStage::Compute,
        entry_point: kernel.entry.to_owned(),
    };
    spv::write_vec(&module, &info, &options, Some(&pipeline))
        .context("the kernel cannot be translated to SPIR-V")
}

fn parse(kernel: &Kernel) -> anyhow::Result<(Module, ModuleInfo)> {
    let module = naga::front::wgsl::parse_str(&kernel.wgsl)
        .with_context(|| format!("{} could not be read", kernel.label))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .with_context(|| format!("{} is not valid", kernel.label))?;
    Ok((module, info))
}

fn resource(binding: u32) -> ResourceBinding {
    ResourceBinding { group: 0, binding }
}

fn to_glsl(kernel: &Kernel, module: &Module, info: &ModuleInfo) -> anyhow::Result<String> {
    let options = glsl::Options {
        version: glsl::Version::Desktop(450),
        writer_flags: glsl::WriterFlags::empty(),
        binding_map: kernel.bindings.iter().map(|(n, _)| (resource(*n), *n as u8)).collect(),
        zero_initialize_workgroup_memory: false,
    };
    let pipeline = glsl::PipelineOptions {
        shader_stage: ShaderStage::Compute,
        entry_point: kernel.entry.to_owned(),
        multiview: None,
    };
    let mut text = String::new();
    let policies = BoundsCheckPolicies::default();
    glsl::Writer::new(&mut text, module, info, &options, &pipeline, policies)
        .and_then(|mut writer| writer.write())
        .context("the kernel cannot be translated to GLSL")?;
    Ok(text)
}

fn to_hlsl(kernel: &Kernel, module: &Module, info: &ModuleInfo) -> anyhow::Result<String> {
    let target = |n: u32| hlsl::BindTarget { register: n, ..Default::default() };
    let options = hlsl::Options {
        binding_map: kernel.bindings.iter().map(|(n, _)| (resource(*n), target(*n))).collect(),
        fake_missing_bindings: false,
        zero_initialize_workgroup_memory: false,
        restrict_indexing: false,
        force_loop_bounding: false,
        ..Default::default()
    };
    let pipeline = hlsl::PipelineOptions {
        entry_point: Some((ShaderStage::Compute, kernel.entry.to_owned())),
    };
    let mut text = String::new();
    hlsl::Writer::new(&mut text, &options, &pipeline)
        .write(module, info, None)
        .context("the kernel cannot be translated to HLSL")?;
    Ok(text)
}

fn to_msl(kernel: &Kernel, module: &Module, info: &ModuleInfo) -> anyhow::Result<String> {
    let target = |(n, access): &(u32, Access)| {
        let slot = Some(*n as u8);
        match access {
            Access::Read | Access::ReadWrite | Access::Uniform => msl::BindTarget {
                buffer: slot,
                mutable: *access == Access::ReadWrite,
                ..Default::default()
            },
            Access::TextureLoad | Access::TextureStore(_) | Access::TextureReadWrite(_) => {
                let mutable = *access != Access::TextureLoad;
                msl::BindTarget { texture: slot, mutable, ..Default::default() }
            }
        }
    };
    let resources = msl::EntryPointResources {
        resources: kernel
            .bindings
            .iter()
            .map(|binding| (resource(binding.0), target(binding)))
            .collect(),
        sizes_buffer: Some(MSL_SIZES),
        ..Default::default()
    };
    let options = msl::Options {
        lang_version: (2, 0),
        per_entry_point_map: [(kernel.entry.to_owned(), resources)].into(),
        fake_missing_bindings: false,
        zero_initialize_workgroup_memory: false,
        force_loop_bounding: false,
        ..Default::default()
    };
    let pipeline = msl::PipelineOptions {
        entry_point: Some((ShaderStage::Compute, kernel.entry.to_owned())),
        ..Default::default()
    };
    let (text, _) = msl::write_string(module, info, &options, &pipeline)
        .context("the kernel cannot be translated to MSL")?;
    Ok(text)
}
