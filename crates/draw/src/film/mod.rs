//! Writers of films.

pub(crate) mod gif;
pub(crate) mod mp4;
mod palette;

use crate::error::Error;
use crate::picture::Picture;

/// Checks that a frame has the size of its film.
fn check_size(picture: &Picture, film: (usize, usize)) -> Result<(), Error> {
    let size = (picture.width(), picture.height());
    if size == film { Ok(()) } else { Err(Error::Size { size, needs: "all frames must have the same size" }) }
}
