//! Agents behave: they rest, go round both ways, start where they fit, and do at any tick what they do at a small one.

mod exits;
mod families;
mod formations;
mod games;
mod leaving;
mod models;
mod scene;
mod starting;
mod swept;
mod walkers;
mod ways;
