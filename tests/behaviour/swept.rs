//! Events are decided on the path of a tick.
