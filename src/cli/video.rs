//! Encodes frames into a video file, through ffmpeg.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, bail};

/// A running ffmpeg that takes RGBA frames.
pub struct Video {
    ffmpeg: Child,
}

impl Video {
    /// Starts ffmpeg, which replaces `file`.
    pub fn start(file: &Path, [width, height]: [u32; 2], fps: f64) -> anyhow::Result<Self> {
        let ffmpeg = Command::new("ffmpeg")
            .args(["-loglevel", "error", "-y"])
            .args(["-f", "rawvideo", "-pixel_format", "rgba"])
            .args(["-video_size", &format!("{width}x{height}")])
            .args(["-framerate", &fps.to_string(), "-i", "-"])
            // Players assume BT.709 where ffmpeg would convert as if it were BT.601; 4:2:0 is
            // what they all decode.
            .args(["-vf", "scale=out_color_matrix=bt709", "-pix_fmt", "yuv420p"])
            .args(["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"])
            .args(["-crf", "17", "-movflags", "+faststart"])
            .arg(file)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::inherit())
            .spawn();
        match ffmpeg {
            Ok(ffmpeg) => Ok(Self { ffmpeg }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => bail!(
                "--video needs the program ffmpeg, which is not on PATH. Install it (Debian and \
                 Ubuntu: apt install ffmpeg), or leave --video out and encode the PNG files elsewhere"
            ),
            Err(error) => Err(error).context("ffmpeg could not be started"),
        }
    }

    pub fn push(&mut self, rgba: &[u8]) -> anyhow::Result<()> {
        let stdin = self.ffmpeg.stdin.as_mut().context("the video is already finished")?;
        stdin.write_all(rgba).context("ffmpeg stopped early: see its message above")
    }

    /// Waits until the file is complete.
    pub fn finish(mut self) -> anyhow::Result<()> {
        drop(self.ffmpeg.stdin.take());
        let status = self.ffmpeg.wait().context("ffmpeg could not be waited for")?;
        if !status.success() {
            bail!("ffmpeg failed ({status}): see its message above");
        }
        Ok(())
    }
}

impl Drop for Video {
    /// After an error elsewhere, an unfinished ffmpeg would wait for frames for ever.
    fn drop(&mut self) {
        drop(self.ffmpeg.stdin.take());
        let _ = self.ffmpeg.wait();
    }
}
