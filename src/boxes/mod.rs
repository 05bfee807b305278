//! Boxes along the axes, and the structure that is searched from a point or a box, sixteen boxes at a time.
//!
//! [`BoxHierarchy`](hierarchy::BoxHierarchy) has boxes around sixteen items in a space order, around sixteen of these
//! boxes and so on. Its items are the rows of agents, or the boxes of walls, regions and obstacles
//! ([`BoxTree`](tree::BoxTree)).

pub(crate) mod aabb;
pub(crate) mod hierarchy;
pub(crate) mod morton;
pub(crate) mod tree;
