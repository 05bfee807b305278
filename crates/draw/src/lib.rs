#![doc = include_str!("../README.md")]

// A module uses only those above it.

mod error;
pub mod looks;
mod bounds;
mod options;
mod drawable;
mod world;
#[cfg(feature = "scenario")]
mod building;
mod raster;
mod text;
mod picture;
#[cfg(feature = "plot")]
pub mod plot;
mod paint;
mod film;
mod page;

pub use bounds::{Bounds, Moments};
#[cfg(feature = "scenario")]
pub use building::Building;
pub use drawable::{Drawable, DrawnAgent, EnvironmentShape, Role, Subject, Values};
pub use error::Error;
pub use film::gif::Gif;
pub use film::mp4::Mp4;
pub use options::{Colour, Fit, Options, View};
pub use page::looks_json;
pub use paint::neighbours::NeighbourCounts;
pub use paint::theme::Theme;
pub use paint::{Legend, Painter};
pub use picture::Picture;
pub use text::text_width;
pub use world::{Divided, links, substances};

/// Draws a world at its present tick.
///
/// # Errors
///
/// [`Error::Option`] if an option is out of its range.
pub fn picture(drawable: &(impl Drawable + ?Sized), options: &Options) -> Result<Picture, Error> {
    let mut painter = Painter::new(drawable, options)?;
    painter.paint(drawable);
    Ok(painter.into_picture())
}
