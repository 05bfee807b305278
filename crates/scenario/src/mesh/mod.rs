//! Meshes of triangles on which people walk: they are read, cut into sheets, and give seams, walls and heights.

mod bins;
mod edges;
mod obj;
mod polygon;
mod sheets;
mod surface;
mod triangle;
mod weld;

pub(crate) use obj::Mesh;
pub(crate) use surface::Surface;
pub(crate) use weld::{FARTHEST, Frame, Ground};
