//! The choice between two and three dimensions where a type has a number of them.

use std::any::Any;

/// The one of these values, for two and for three dimensions, whose type this is.
pub(crate) fn for_dimensions<T: Any>(flat: &'static dyn Any, space: &'static dyn Any) -> &'static T {
    [flat, space].into_iter().find_map(<dyn Any>::downcast_ref).expect("there are two or three dimensions")
}
