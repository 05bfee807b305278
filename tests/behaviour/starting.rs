//! Agents start where they fit.
