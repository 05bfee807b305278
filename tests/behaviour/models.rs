//! The models of walkers keep their laws at any tick and in any place.
