//! Walkers rest, pass each other and arrive.
