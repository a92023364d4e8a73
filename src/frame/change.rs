//! Another sea for a frame: at once, or little by little.

use super::wind::Wind;
use super::{Frame, FrameError, appearance};
use crate::foam::FoamSea;
use crate::profile::Recorder;
use crate::spectrum::InitialSpectrum;

impl Frame {
    /// Changes the sea, keeping size and algorithm. `spectrum` comes from [`Ocean::prepare`](crate::Ocean::prepare), and `foam`
    /// belongs to the same sea.
    ///
    /// # Errors
    /// [`FrameError::Ocean`] where the spectrum has another size or another number of cascades.
    pub fn set_spectrum(
        &mut self,
        spectrum: &InitialSpectrum,
        foam: FoamSea,
    ) -> Result<(), FrameError> {
        self.ocean.set_spectrum(&self.queue, spectrum)?;
        self.foam.set_sea(&self.pipelines, &self.queue, foam)?;
        self.surface.water.set_foam(&self.device, &self.foam);
        if let Some(views) = &mut self.views {
            views.forget_ocean();
        }
        (self.look, self.bounds) = appearance(&self.ocean, &self.foam);
        self.wind = Wind::of(&spectrum.sea);
        Ok(())
    }

    /// Begins to change the sea at `time_s` without a jump, from frame to frame, by
    /// [`Frame::record_change`]: amplitudes of waves and the wind move to those of `spectrum`, phases and foam
    /// stay. Returns false where its waves are others ([`InitialSpectrum::has_the_waves_of`]): use
    /// [`Frame::set_spectrum`] then. Cirrus and the ripples of the bed keep their direction.
    ///
    /// # Errors
    /// Returns [`FrameError::Ocean`] where [`Ocean::change_spectrum`](crate::Ocean::change_spectrum) fails.
    pub fn change_spectrum(
        &mut self,
        spectrum: &InitialSpectrum,
        foam: FoamSea,
        time_s: f64,
    ) -> Result<bool, FrameError> {
        if self.foam.options() != &foam.options
            || !self.ocean.change_spectrum(&self.queue, spectrum)?
            || !self.foam.change_sea(&self.queue, foam, time_s)?
        {
            return Ok(false);
        }
        if let Some(views) = &mut self.views {
            views.forget_ocean();
        }
        // Until the change is complete, waves are as high as those of either sea.
        self.bounds = appearance(&self.ocean, &self.foam).1.or_wider(self.bounds);
        Ok(true)
    }

    /// Records `share` of the remaining difference of a change that [`Frame::change_spectrum`] began, from 0 to
    /// 1, for the frame at `time_s`: at 1 the change is complete. Call it at most once a submission, before
    /// [`Frame::record`].
    pub fn record_change(&mut self, recorder: &mut Recorder<'_>, time_s: f64, share: f64) {
        let Self { ocean, foam, queue, .. } = self;
        recorder.compute("change", |stages| {
            stages.stage("spectrum change", |pass| ocean.encode_change(pass, queue, share));
            stages.stage("foam change", |pass| foam.encode_change(pass, queue, share));
        });
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        self.wind.change(&self.ocean.spectrum().sea, share, time_s);
        let (look, bounds) = appearance(&self.ocean, &self.foam);
        self.look.change(&look, share);
        if share == 1.0 {
            self.bounds = bounds;
        }
    }
}
