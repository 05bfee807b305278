//! Points of a world in three dimensions, and their images across seams.

use throng::{Edge, Vector, World};

/// Returns `centre` and, in 2D, the images of it that reach into the world across a seam; `reach` is the extent
/// from the centre along each axis.
pub(super) fn images<const D: usize>(world: &World<D>, centre: Vector<D>, reach: Vector<D>) -> Vec<Vector<D>> {
    let settings = world.settings();
    let mut images = vec![centre];
    for axis in (0..D).filter(|&axis| D == 2 && settings.edge[axis] == Edge::Wrap) {
        for number in 0..images.len() {
            let (mut image, size) = (images[number], settings.size[axis]);
            if image[axis] < reach[axis] {
                image[axis] += size;
            } else if image[axis] + reach[axis] > size {
                image[axis] -= size;
            } else {
                continue;
            }
            images.push(image);
        }
    }
    images
}

/// Extends a vector to three dimensions with zeros.
pub(super) fn in_space<const D: usize>(vector: Vector<D>) -> Vector<3> {
    Vector::from_fn(|axis| if axis < D { vector[axis] } else { 0.0 })
}
