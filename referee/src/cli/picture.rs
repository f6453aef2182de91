//! Command-line arguments of pictures, and the files that they ask for.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use base::error::BadInput;
use drawing::raster::{self, RasterError};
use drawing::{Picture, Theme, sequence, svg};

/// The files of a command with pictures: the arguments of their look make no sense without one.
const FILES: &str = "files";

/// How pictures look.
#[derive(Debug, clap::Args)]
pub(super) struct LookArgs {
    /// The colours of pictures; auto is an SVG that follows the reader's system
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "THEME",
        requires = FILES
    )]
    theme: ThemeName,
    /// Show the numbers of moves on stones
    #[arg(long, requires = FILES)]
    pub(super) numbers: bool,
    /// The width of PNG and GIF in pixels
    #[arg(
        long,
        default_value_t = 800,
        value_name = "PIXELS",
        requires = FILES
    )]
    size: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum ThemeName {
    #[default]
    Light,
    Dark,
    Auto,
}

impl LookArgs {
    fn theme(&self) -> Theme {
        match self.theme {
            ThemeName::Light => Theme::Light,
            ThemeName::Dark => Theme::Dark,
            ThemeName::Auto => Theme::Auto,
        }
    }

    /// Writes a picture as SVG.
    pub(super) fn write_svg(&self, path: &Path, picture: &Picture) -> Result<(), BadInput> {
        write("--svg", path, svg::file(picture, self.theme()).as_bytes())
    }

    /// Writes a picture as PNG.
    pub(super) fn write_png(&self, path: &Path, picture: &Picture) -> Result<()> {
        let written = raster::png(picture, self.theme(), self.size);
        Ok(write("--png", path, &written.map_err(sized)?)?)
    }

    /// Writes pictures, each with the seconds for which it is shown, as an animated SVG.
    pub(super) fn write_animation(
        &self,
        path: &Path,
        timed: TimedPictures,
    ) -> Result<(), BadInput> {
        let (pictures, seconds): (Vec<Picture>, Vec<f64>) = timed.into_iter().unzip();
        let text = sequence::animated(&pictures, &seconds, self.theme());
        write("--svg", path, text.as_bytes())
    }

    /// Writes pictures, each with the seconds for which it is shown, as an animated GIF.
    pub(super) fn write_gif(&self, path: &Path, timed: TimedPictures) -> Result<()> {
        let (pictures, seconds): (Vec<Picture>, Vec<f64>) = timed.into_iter().unzip();
        let written = raster::gif(&pictures, &seconds, self.theme(), self.size);
        Ok(write("--gif", path, &written.map_err(sized)?)?)
    }
}

/// Pictures, each with the seconds for which it is shown.
type TimedPictures = Vec<(Picture, f64)>;

/// The files that a picture is written to.
#[derive(Debug, clap::Args)]
#[group(id = FILES, multiple = true)]
pub(super) struct PictureArgs {
    /// Write the board as a picture to an SVG file
    #[arg(long, value_name = "FILE", group = FILES)]
    svg: Option<PathBuf>,
    /// Write the board as a picture to a PNG file
    #[arg(long, value_name = "FILE", group = FILES)]
    png: Option<PathBuf>,
    #[command(flatten)]
    pub(super) look: LookArgs,
}

impl PictureArgs {
    /// Whether any file is asked for.
    pub(super) fn is_given(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }

    /// Writes the files.
    pub(super) fn write(&self, picture: &Picture) -> Result<()> {
        if let Some(path) = &self.svg {
            self.look.write_svg(path, picture)?;
        }
        if let Some(path) = &self.png {
            self.look.write_png(path, picture)?;
        }
        Ok(())
    }
}

/// The files that a whole game is written to.
#[derive(Debug, clap::Args)]
#[group(id = FILES, multiple = true)]
pub(super) struct AnimationArgs {
    /// Write the whole game to an animated GIF, one frame a turn
    #[arg(long, value_name = "FILE", group = FILES, conflicts_with = "ply")]
    pub(super) gif: Option<PathBuf>,
    /// Write the whole game to an animated SVG
    #[arg(long, value_name = "FILE", group = FILES, conflicts_with = "ply")]
    pub(super) svg: Option<PathBuf>,
}

/// A size that the user has chosen is the user's fault.
fn sized(error: RasterError) -> anyhow::Error {
    match error {
        RasterError::Size(_) => BadInput(format!("--size: {error}")).into(),
        error => error.into(),
    }
}

fn write(option: &str, path: &Path, bytes: &[u8]) -> Result<(), BadInput> {
    fs::write(path, bytes)
        .map_err(|error| BadInput(format!("{option} {}: {error}", path.display())))
}
