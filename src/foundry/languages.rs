//! WGSL to other shading languages, by naga.

use std::error::Error;

use naga::back::{glsl, hlsl, msl, spv};
use naga::proc::BoundsCheckPolicies;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, ResourceBinding, ShaderStage};
use serde::{Deserialize, Serialize};

use super::sheet::{Binding, Shader, Sheet};

/// A shading language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
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

impl Language {
    /// The languages that are text.
    pub const TEXTS: [Self; 4] = [Self::Wgsl, Self::Glsl, Self::Hlsl, Self::Msl];
}

/// The reasons why a kernel has no text in a language.
#[derive(Debug, thiserror::Error)]
pub enum TranslateError {
    /// The WGSL is not valid: a hook's, mostly.
    #[error("{label} is not valid WGSL: {source}")]
    Source {
        /// The label of the kernel.
        label: String,
        /// naga's error.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The language lacks something.
    #[error("the kernel cannot be translated to {language}: {source}")]
    Writer {
        /// The name of the language.
        language: &'static str,
        /// naga's error.
        source: Box<dyn Error + Send + Sync>,
    },
}

type Result<T> = std::result::Result<T, TranslateError>;

/// The buffer index at which Metal finds the sizes of the buffers.
const MSL_SIZES: u8 = 8;

/// The number of a binding in the languages that have no groups: those of hooks follow in tens.
fn slot(binding: &Binding) -> u8 {
    (10 * binding.group + binding.binding) as u8
}

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

/// The addition to the notes where hooks have groups of their own.
const HOOKS: &str = "// Binding n of group 1 is 10 + n there, and of group 2 it is 20 + n.\n";

impl Sheet {
    /// Kernel `index` in `language`, except SPIR-V, after a comment on its bindings and dispatches.
    ///
    /// # Errors
    /// [`TranslateError`] where the language lacks something.
    pub fn text(&self, index: usize, language: Language) -> Result<String> {
        let kernel = &self.kernels[index];
        let body = text(kernel, language)?;
        // GLSL wants its version first.
        let (version, rest) = match body.strip_prefix("#version") {
            Some(_) => body.split_once('\n').unwrap_or((&body, "")),
            None => ("", &*body),
        };
        let has_groups = kernel.bindings.iter().any(|binding| binding.group > 0);
        let parts = [
            version,
            if version.is_empty() { "" } else { "\n" },
            &self.header(index),
            notes(language),
            if has_groups && !notes(language).is_empty() { HOOKS } else { "" },
            "\n",
            rest,
        ];
        Ok(parts.concat())
    }

    /// Adds each kernel's text in every language.
    pub fn translate(&mut self) {
        for index in 0..self.kernels.len() {
            for language in Language::TEXTS {
                let text = self.text(index, language).map_err(|error| error.to_string());
                self.kernels[index].texts.insert(language, text);
            }
        }
    }
}

/// The module of `kernel` in `language`, except SPIR-V.
pub fn text(kernel: &Shader, language: Language) -> Result<String> {
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
pub fn spirv(kernel: &Shader) -> Result<Vec<u32>> {
    let (module, info) = parse(kernel)?;
    let options = spv::Options {
        flags: spv::WriterFlags::DEBUG,
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
        force_loop_bounding: false,
        ..Default::default()
    };
    let pipeline = spv::PipelineOptions {
        shader_stage: ShaderStage::Compute,
        entry_point: kernel.entry.clone(),
    };
    spv::write_vec(&module, &info, &options, Some(&pipeline))
        .map_err(|error| refused("SPIR-V", error))
}

fn parse(kernel: &Shader) -> Result<(Module, ModuleInfo)> {
    let invalid = |source| TranslateError::Source { label: kernel.label.clone(), source };
    let module =
        naga::front::wgsl::parse_str(&kernel.wgsl).map_err(|error| invalid(error.into()))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .map_err(|error| invalid(error.into()))?;
    Ok((module, info))
}

fn refused(language: &'static str, source: impl Error + Send + Sync + 'static) -> TranslateError {
    TranslateError::Writer { language, source: Box::new(source) }
}

fn resource(binding: &Binding) -> ResourceBinding {
    ResourceBinding { group: binding.group, binding: binding.binding }
}

fn to_glsl(kernel: &Shader, module: &Module, info: &ModuleInfo) -> Result<String> {
    let options = glsl::Options {
        version: glsl::Version::Desktop(450),
        writer_flags: glsl::WriterFlags::empty(),
        binding_map: kernel.bindings.iter().map(|one| (resource(one), slot(one))).collect(),
        zero_initialize_workgroup_memory: false,
    };
    let pipeline = glsl::PipelineOptions {
        shader_stage: ShaderStage::Compute,
        entry_point: kernel.entry.clone(),
        multiview: None,
    };
    let mut text = String::new();
    let policies = BoundsCheckPolicies::default();
    glsl::Writer::new(&mut text, module, info, &options, &pipeline, policies)
        .and_then(|mut writer| writer.write())
        .map_err(|error| refused("GLSL", error))?;
    Ok(text)
}

fn to_hlsl(kernel: &Shader, module: &Module, info: &ModuleInfo) -> Result<String> {
    let target =
        |one: &Binding| hlsl::BindTarget { register: slot(one).into(), ..Default::default() };
    let options = hlsl::Options {
        binding_map: kernel.bindings.iter().map(|one| (resource(one), target(one))).collect(),
        fake_missing_bindings: false,
        zero_initialize_workgroup_memory: false,
        restrict_indexing: false,
        force_loop_bounding: false,
        ..Default::default()
    };
    let pipeline =
        hlsl::PipelineOptions { entry_point: Some((ShaderStage::Compute, kernel.entry.clone())) };
    let mut text = String::new();
    hlsl::Writer::new(&mut text, &options, &pipeline)
        .write(module, info, None)
        .map_err(|error| refused("HLSL", error))?;
    Ok(text)
}

fn to_msl(kernel: &Shader, module: &Module, info: &ModuleInfo) -> Result<String> {
    let target = |one: &Binding| {
        let slot = Some(slot(one));
        let mutable = !["read-only-storage", "uniform", "texture"].contains(&one.kind.as_str());
        match one.kind.as_str() {
            "texture" | "write-only" | "read-write" => {
                msl::BindTarget { texture: slot, mutable, ..Default::default() }
            }
            _ => msl::BindTarget { buffer: slot, mutable, ..Default::default() },
        }
    };
    let resources = msl::EntryPointResources {
        resources: kernel
            .bindings
            .iter()
            .map(|binding| (resource(binding), target(binding)))
            .collect(),
        sizes_buffer: Some(MSL_SIZES),
        ..Default::default()
    };
    let options = msl::Options {
        lang_version: (2, 0),
        per_entry_point_map: [(kernel.entry.clone(), resources)].into(),
        fake_missing_bindings: false,
        zero_initialize_workgroup_memory: false,
        force_loop_bounding: false,
        ..Default::default()
    };
    let pipeline = msl::PipelineOptions {
        entry_point: Some((ShaderStage::Compute, kernel.entry.clone())),
        ..Default::default()
    };
    let (text, _) = msl::write_string(module, info, &options, &pipeline)
        .map_err(|error| refused("MSL", error))?;
    Ok(text)
}
