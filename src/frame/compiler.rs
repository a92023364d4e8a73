//! A frame's shaders compiled again, without a stop.

use std::collections::BTreeSet;

use super::{Frame, FrameError, Surface};
use crate::buoys::Buoys;
use crate::debug_view::Views;
use crate::foam::{FoamCompiler, FoamKernels};
use crate::gpu;
use crate::maps::Maps;
use crate::ocean::{OceanCompiler, OceanKernels, OceanOptions};
use crate::shading::{ExposureMeter, Glare, Sky, SkyBackground, ToneMap, Water};
use crate::spray::{Spray, SprayKernels};

/// Compiles a frame's shaders again, on any thread, while the frame goes on: see
/// [`Frame::compiler`].
#[derive(Clone, Debug)]
pub struct Compiler {
    device: wgpu::Device,
    ocean: OceanCompiler,
    foam: FoamCompiler,
    sky: Sky,
    meter: ExposureMeter,
    surface: Surface,
    spray: Option<Spray>,
    glare: Glare,
    tone_map: ToneMap,
    maps: Maps,
    has_views: bool,
}

/// What came of it, for [`Frame::adopt`].
#[derive(Debug, Default)]
pub struct Compiled {
    ocean: Option<OceanKernels>,
    foam: Option<FoamKernels>,
    sky: Option<Sky>,
    meter: Option<ExposureMeter>,
    water: Option<Water>,
    buoys: Option<Buoys>,
    background: Option<SkyBackground>,
    spray: Option<SprayKernels>,
    glare: Option<Glare>,
    tone_map: Option<ToneMap>,
    views: Option<Views>,
    rebuilt: Vec<&'static str>,
}

impl Compiled {
    /// What was compiled, by stage, in the frame's order; nothing where no shader of the frame
    /// changed.
    pub fn rebuilt(&self) -> &[&'static str] {
        &self.rebuilt
    }
}

impl Frame {
    /// Compiles again what is made of one of `changed`, files under `shaders/`, from the shaders as
    /// they are now, and nothing else: tables and textures, the sea and its spectrum stay. What the
    /// files are made of is looked up in the files themselves.
    ///
    /// # Errors
    /// [`FrameError`] where a shader is broken, which says file and line; the frame is as before.
    pub fn reload(&mut self, changed: &BTreeSet<String>) -> Result<Vec<&'static str>, FrameError> {
        let compiled = self.compiler().compile(changed)?;
        let rebuilt = compiled.rebuilt.clone();
        self.adopt(compiled);
        Ok(rebuilt)
    }

    /// The slow half of [`Frame::reload`], for another thread.
    pub fn compiler(&self) -> Compiler {
        Compiler {
            device: self.device.clone(),
            ocean: self.ocean.compiler(&self.device),
            foam: self.foam.compiler(&self.device),
            sky: self.sky.clone(),
            meter: self.meter.clone(),
            surface: self.surface.clone(),
            spray: self.spray.clone(),
            glare: self.glare.clone(),
            tone_map: self.tone_map.clone(),
            maps: self.ocean.maps().clone(),
            has_views: self.views.is_some(),
        }
    }

    /// The quick half of [`Frame::reload`]: takes what this frame's [`Frame::compiler`] made, for
    /// frames recorded after this call. The ocean and the quality must be those of then.
    pub fn adopt(&mut self, compiled: Compiled) {
        let Compiled {
            ocean,
            foam,
            sky,
            meter,
            water,
            buoys,
            background,
            spray,
            glare,
            tone_map,
            views,
            ..
        } = compiled;
        if let Some(kernels) = ocean {
            self.ocean.adopt(kernels);
        }
        if let Some(kernels) = foam {
            self.foam.adopt(kernels);
        }
        if let Some(sky) = sky {
            self.sky = sky;
        }
        if let Some(meter) = meter {
            self.meter = meter;
        }
        if let Some(water) = water {
            self.surface.water = water;
        }
        if let Some(buoys) = buoys {
            self.surface.buoys = buoys;
        }
        if let Some(background) = background {
            self.surface.background = background;
        }
        if let (Some(spray), Some(kernels)) = (&mut self.spray, spray) {
            spray.adopt(kernels);
        }
        if let Some(glare) = glare {
            self.glare = glare;
        }
        if let Some(tone_map) = tone_map {
            self.tone_map = tone_map;
        }
        if let Some(views) = views {
            self.views = Some(views);
        }
    }
}

impl Compiler {
    /// Compiles what is made of one of `changed`. What the device says against it is an error here
    /// and reaches no handler.
    ///
    /// # Errors
    /// [`FrameError`] where a shader is broken, which says file and line.
    pub fn compile(&self, changed: &BTreeSet<String>) -> Result<Compiled, FrameError> {
        let Self { device, ocean, foam, sky, meter, surface, spray, glare, tone_map, .. } = self;
        let mut rebuilt = Vec::new();
        gpu::checked(device, "shaders", || {
            let ocean = ocean.compile(changed, &mut rebuilt)?;
            let mut note = |stage, is_new: bool| rebuilt.extend(is_new.then_some(stage));
            let foam = foam.compile(device, changed)?;
            note("foam", foam.is_some());
            let sky = sky.recompiled(device, changed)?;
            note("sky", sky.is_some());
            let meter = meter.recompiled(device, changed)?;
            note("exposure", meter.is_some());
            let water = surface.water.recompiled(device, changed)?;
            note("water", water.is_some());
            let buoys = surface.buoys.recompiled(device, &self.maps, changed)?;
            note("buoys", buoys.is_some());
            let background = surface.background.recompiled(device, changed)?;
            note("background", background.is_some());
            let spray = match spray {
                Some(spray) => spray.recompiled(device, changed)?,
                None => None,
            };
            note("spray", spray.is_some());
            let glare = glare.recompiled(device, changed)?;
            note("glare", glare.is_some());
            let tone_map = tone_map.recompiled(device, changed)?;
            note("tone map", tone_map.is_some());
            let mut views = None;
            if self.has_views && Views::depend(changed)? {
                views = Some(self.views()?);
                note("debug views", true);
            }
            Ok(Compiled {
                ocean,
                foam,
                sky,
                meter,
                water,
                buoys,
                background,
                spray,
                glare,
                tone_map,
                views,
                rebuilt,
            })
        })
    }

    /// The pipelines of the frame's debug views are there.
    pub fn has_views(&self) -> bool {
        self.has_views
    }

    /// What the frame's ocean was built with.
    pub fn ocean_options(&self) -> OceanOptions {
        self.ocean.options()
    }

    /// Builds the pipelines of the debug views, whatever has changed.
    ///
    /// # Errors
    /// As [`Compiler::compile`].
    pub fn compile_views(&self) -> Result<Compiled, FrameError> {
        Ok(Compiled { views: Some(self.views()?), ..Compiled::default() })
    }

    pub(super) fn views(&self) -> Result<Views, FrameError> {
        let Self { device, surface, tone_map, maps, .. } = self;
        let views = gpu::checked(device, "debug views", || {
            Views::new(device, &surface.water, tone_map, maps)
        });
        Ok(views?)
    }
}
