//! Compiles shaders for the running frame: those that have changed on disk, and those of the debug views when
//! the first is asked for.
//!
//! Everything is tried first on a stand-in: another frame on another device of the same adapter, which is
//! kept from one change to the next and recompiles only what has changed, as the running frame does. A shader
//! that is wrong in a way that only drawing shows, or that hangs the GPU, ends the stand-in and not the
//! window; and a driver that compiles at the first draw delays no visible frame.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::frames::{FrameBuilder, FrameRequest, StandIn};
use super::{Job, Step};
use crate::app::platform::lock;
use crate::choice::Choice as _;
use crate::debug_view::{DebugChoice, DebugView, ViewDeclarations, ViewPipelines};
use crate::frame::Frame;
use crate::gpu::shader::{self, LIBRARY, Sources};
use crate::gpu::{Pipelines, Rebuilt};
use crate::ocean::OceanOptions;

pub(in crate::app) struct KernelRequest {
    pub wanted: Wanted,
    pub pipelines: Pipelines,
    pub views: ViewDeclarations,
    pub has_views: bool,
    pub ocean: OceanOptions,
    /// The request of the running frame, from which the stand-in is built.
    pub like: FrameRequest,
}

impl KernelRequest {
    /// Requests kernels for `frame`, which was built from `like`.
    pub fn new(wanted: Wanted, frame: &Frame, like: FrameRequest) -> Self {
        Self {
            wanted,
            pipelines: frame.pipelines().clone(),
            views: frame.view_declarations(),
            has_views: frame.has_views(),
            ocean: *frame.ocean().options(),
            like,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app) enum Wanted {
    Views,
    /// The shaders in `folder` have changed; `revision` tells one request from the next.
    Shaders {
        folder: PathBuf,
        revision: u64,
    },
}

pub(in crate::app) struct Kernels {
    pub rebuilt: Rebuilt,
    /// Keeps the views' pipelines in the cache until the frame asks for them.
    pub views: Option<ViewPipelines>,
    pub sources: Sources,
}

impl FrameBuilder {
    /// Compiles the requested shaders, after they compile and draw on the stand-in. The error is the
    /// compiler's, with file and line where known, or a note that the request was withdrawn.
    pub async fn compile(
        &mut self,
        request: &KernelRequest,
        job: &Job<'_>,
    ) -> Result<Kernels, String> {
        let good = Sources::installed().unwrap_or_else(|| LIBRARY.embedded());
        job.reach(Step::Compiling).await?;
        match &request.wanted {
            Wanted::Views => {
                // A driver that compiles with the pipeline needs no rehearsal.
                if self.context.compiles_late() {
                    self.try_out(request, &good, &good, job).await?;
                }
                let views = good.during(|| request.views.build(&request.pipelines));
                let views = Some(views.map_err(|error| error.to_string())?);
                Ok(Kernels { rebuilt: Rebuilt::default(), views, sources: good })
            }
            Wanted::Shaders { folder, .. } => {
                let sources = shader::read(folder)
                    .map_err(|error| format!("{}: {error}", folder.display()))?;
                sources.check(&LIBRARY).map_err(|error| error.to_string())?;
                let changed = sources.changed_since(&good);
                if !changed.is_empty() {
                    self.try_out(request, &good, &sources, job).await?;
                }
                let rebuilt = sources.during(|| request.pipelines.rebuild(&changed));
                let rebuilt = rebuilt.map_err(|error| error.to_string())?;
                Ok(Kernels { rebuilt, views: None, sources })
            }
        }
    }

    /// Draws `sources` on the stand-in, which is built from the `good` sources if there is none. A stand-in
    /// that fails is dropped.
    async fn try_out(
        &mut self,
        request: &KernelRequest,
        good: &Sources,
        sources: &Sources,
        job: &Job<'_>,
    ) -> Result<(), String> {
        let kept = self.stand_in.take().filter(|kept| kept.like == request.like.key);
        let mut stand_in = match kept {
            Some(kept) => kept,
            None => match self.new_stand_in(request, good, job).await {
                Ok(new) => new,
                Err(error) => {
                    // Then the running frame is the first to try, within an error scope.
                    log::warn!("shaders cannot be tried on a second device: {error}");
                    return Ok(());
                }
            },
        };
        let changed = sources.changed_since(&stand_in.sources);
        let rebuilt = sources
            .during(|| {
                let rebuilt = stand_in.frame.reload(&changed)?;
                let of_views = changed.iter().any(|name| name.starts_with("debug_view/"));
                if request.wanted == Wanted::Views || request.has_views || of_views {
                    stand_in.frame.build_views()?;
                }
                Ok(rebuilt)
            })
            .map_err(|error: crate::frame::FrameError| error.to_string())?;
        let mut views = vec![DebugView::Picture];
        if stand_in.frame.has_views()
            && (request.wanted == Wanted::Views || rebuilt.contains(&"debug views"))
        {
            views = DebugView::ALL.to_vec();
        }
        for view in views {
            job.reach(Step::WarmingUp).await?;
            let choice = DebugChoice { view, ..DebugChoice::default() };
            let StandIn { context, frame, .. } = &mut stand_in;
            self.run_once(context, frame, None, &request.like, choice, job).await;
            let errors = lock(&stand_in.errors);
            if let Some(error) = errors.first() {
                return Err(crate::gpu::headline(error));
            }
        }
        stand_in.sources = sources.clone();
        self.stand_in = Some(stand_in);
        Ok(())
    }

    async fn new_stand_in(
        &mut self,
        request: &KernelRequest,
        good: &Sources,
        job: &Job<'_>,
    ) -> Result<StandIn, String> {
        let context = self.second_device().await?;
        let errors = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&errors);
        context.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            lock(&heard).push(error.to_string());
        }));
        let like = &request.like;
        let options = request.ocean;
        job.reach(Step::DrawingSpectrum).await?;
        let spectrum = crate::ocean::Ocean::prepare(&like.scene.sea, &options)
            .map_err(|error| error.to_string())?;
        job.reach(Step::Compiling).await?;
        let frame = good.during(|| self.new_frame(&context, like, options, spectrum))?;
        Ok(StandIn { context, frame, like: like.key.clone(), sources: good.clone(), errors })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Instant;

    use super::super::{Background, BuildKey, Outcome, Product, Request};
    use super::*;
    use crate::fft::lab::AlgorithmChoice;
    use crate::frame::FrameDesc;
    use crate::gpu::Context;
    use seaway_core::testing::context;

    use crate::gpu::{LimitsPreset, TextureSpec, read_texture};
    use crate::ocean::OceanPath;
    use crate::profile::Recorder;
    use crate::settings::{Preset, Quality, QualityTier};

    const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
    const SIDE: u32 = 32;

    struct Bench {
        context: Context,
        background: Background,
        frame: Frame,
        folder: tempfile::TempDir,
        revision: u64,
        /// Errors that reached the handler of the drawing device.
        uncaptured: Arc<Mutex<Vec<String>>>,
    }

    fn like() -> FrameRequest {
        let quality =
            Quality { size: 16, cascades: 1, foam_texels: 0, ..Quality::of(QualityTier::Low) };
        let (algorithm, path) = (AlgorithmChoice::Best, OceanPath::Fused);
        let scene = Preset::load(Preset::DEFAULT_NAME).unwrap();
        FrameRequest { key: BuildKey { quality, algorithm, path }, scene, time_s: 1.0 }
    }

    fn wait(background: &Background, request: Request) -> Outcome<Product> {
        background.want(Some(request));
        let start = Instant::now();
        loop {
            if let Some((_, outcome)) = background.take() {
                return outcome;
            }
            assert!(start.elapsed().as_secs() < 300, "nothing came of it");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

    impl Bench {
        fn new() -> Self {
            let context = context();
            let uncaptured = Arc::new(Mutex::new(Vec::new()));
            let heard = Arc::clone(&uncaptured);
            context.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
                heard.lock().unwrap().push(error.to_string());
            }));
            let limits = LimitsPreset::Adapter;
            let background = Background::new(context.clone(), limits, FORMAT, None).unwrap();
            let Ok(Product::Frame(built)) = wait(&background, Request::Frame(like())) else {
                panic!("no frame");
            };
            let folder = tempfile::tempdir().unwrap();
            let bench =
                Self { context, background, frame: built.frame, folder, revision: 0, uncaptured };
            for (name, text) in LIBRARY.files() {
                bench.write(name, text);
            }
            bench
        }

        fn write(&self, name: &str, text: &str) {
            let path = self.folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }

        /// Writes the embedded shader `name` with `from` replaced by `to`, and returns the line of the
        /// change.
        fn edit(&self, name: &str, from: &str, to: &str) -> usize {
            let embedded = LIBRARY.embedded();
            let text = embedded.get(name).unwrap();
            let at = text.find(from).unwrap_or_else(|| panic!("{name} has no {from:?}"));
            self.write(name, &text.replacen(from, to, 1));
            1 + text[..at].matches('\n').count()
        }

        fn compile(&mut self, wanted: Wanted) -> Result<Vec<&'static str>, String> {
            let request = KernelRequest::new(wanted, &self.frame, like());
            match wait(&self.background, Request::Kernels(Box::new(request)))? {
                Product::Kernels(kernels) => {
                    let rebuilt = kernels.rebuilt.stages().to_vec();
                    kernels.rebuilt.install();
                    if kernels.views.is_some() {
                        self.frame.build_views().unwrap();
                    }
                    Ok(rebuilt)
                }
                _ => panic!("something else was made"),
            }
        }

        /// Compiles the folder as it is. Nothing is installed, since the tests share the shaders.
        fn reload(&mut self) -> Result<Vec<&'static str>, String> {
            self.revision += 1;
            let folder = Path::to_owned(self.folder.path());
            self.compile(Wanted::Shaders { folder, revision: self.revision })
        }

        fn picture(&mut self) -> Vec<u8> {
            let Context { device, queue, .. } = &self.context;
            let target = TextureSpec::target("target", [SIDE; 2], FORMAT)
                .with_usage(wgpu::TextureUsages::COPY_SRC)
                .create(device);
            let FrameRequest { scene, time_s, .. } = like();
            let desc = FrameDesc { time_s, resolution: [SIDE; 2], ..FrameDesc::from(&scene) };
            let mut encoder = device.create_command_encoder(&Default::default());
            let view = target.create_view(&Default::default());
            self.frame.record(&mut Recorder::new(&mut encoder), &desc, &view);
            queue.submit([encoder.finish()]);
            pollster::block_on(read_texture(device, queue, &target, 0, 0)).unwrap()
        }
    }

    #[test]
    fn broken_shaders_are_refused_and_mended_ones_taken() {
        let mut bench = Bench::new();
        let before = bench.picture();
        assert_eq!(bench.reload(), Ok(Vec::new()), "nothing has changed");

        let line = bench.edit("shading/foam.wgsl", "let sum = pattern.x", "let sum = patern.x");
        let error = bench.reload().unwrap_err();
        assert!(error.starts_with(&format!("shading/foam.wgsl:{line}: ")), "{error}");
        assert!(bench.picture() == before, "a broken shader changed the picture");
        bench.edit("shading/foam.wgsl", "let sum", "let sum");

        // An import of nothing; a file that is gone.
        let line = bench.edit("shading/sky_background.wgsl", "#import \"mesh", "#import \"no");
        let error = bench.reload().unwrap_err();
        assert!(error.starts_with(&format!("shading/sky_background.wgsl:{line}: ")), "{error}");
        bench.edit("shading/sky_background.wgsl", "#import", "#import");
        std::fs::remove_file(bench.folder.path().join("shading/tone.wgsl")).unwrap();
        let error = bench.reload().unwrap_err();
        assert!(error.contains("shading/tone.wgsl"), "{error}");
        bench.edit("shading/tone.wgsl", "fn ", "fn ");

        // It compiles, and only drawing shows that the program binds less than it reads.
        bench.edit(
            "shading/tone.wgsl",
            "    frame: u32,",
            "    frame: u32,\n    more: mat4x4<f32>,",
        );
        let error = bench.reload().unwrap_err();
        assert!(error.contains("size"), "{error}");

        // Mended, and to be seen.
        let encoded = "let encoded = srgb_encode(light);";
        bench.edit("shading/tone.wgsl", encoded, "let encoded = vec3(1.0, 0.0, 0.0);");
        assert_eq!(bench.reload().as_deref(), Ok(&["tone map"][..]));
        let red = bench.picture();
        assert!(red.chunks_exact(4).all(|p| p[0] >= 254 && p[1] <= 1 && p[2] <= 1), "not red");
        assert_eq!(*bench.uncaptured.lock().unwrap(), Vec::<String>::new());
    }

    #[test]
    fn views_are_built_behind_the_frame() {
        let mut bench = Bench::new();
        assert!(!bench.frame.has_views());
        bench.compile(Wanted::Views).unwrap();
        assert!(bench.frame.has_views());
        assert_eq!(*bench.uncaptured.lock().unwrap(), Vec::<String>::new());
    }
}
