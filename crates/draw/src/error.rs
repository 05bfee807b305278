//! Errors of drawing: invalid options, and files that cannot be written.

use std::{error, fmt, io};

/// The reason for the failure of a picture or a film.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// An option is out of its range.
    Option {
        /// The name of the option.
        name: &'static str,
        /// The invalid value.
        value: f32,
        /// The smallest and the largest allowed value.
        allowed: [f32; 2],
    },
    /// The bounds of the subject are not finite, or enclose no area (2D) or volume (3D).
    Bounds,
    /// No species has the variable or column for the colours.
    Variable(String),
    /// A film in this format cannot have this width and height, in pixels.
    Size {
        /// The size of the picture.
        size: (usize, usize),
        /// The requirement of the format.
        needs: &'static str,
    },
    /// A file or stream could not be written.
    Io(io::Error),
    /// A picture or a frame could not be encoded.
    Encoding(String),
    /// The program ffmpeg, which encodes MP4 films, could not be started, or failed.
    Ffmpeg(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option { name, value, allowed: [low, high] } => {
                write!(f, "{name} = {value}: must be a number from {low} to {high}")
            }
            Self::Bounds => f.write_str("the bounds of the subject must be finite and enclose a part of the world"),
            Self::Variable(name) => write!(
                f,
                "colours cannot show `{name}`, which no agent has; they show species, heading, speed, neighbours, state, a \
                 variable or a column"
            ),
            Self::Size { size: (width, height), needs } => {
                write!(f, "a film cannot have {width} x {height} pixels: {needs}")
            }
            Self::Io(error) => error.fmt(f),
            Self::Encoding(reason) => write!(f, "encoding failed: {reason}"),
            Self::Ffmpeg(reason) => f.write_str(reason),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Checks that an option is a number from `low` to `high`.
pub(crate) fn check(name: &'static str, value: f32, allowed: [f32; 2]) -> Result<(), Error> {
    let [low, high] = allowed;
    if (low..=high).contains(&value) { Ok(()) } else { Err(Error::Option { name, value, allowed }) }
}
