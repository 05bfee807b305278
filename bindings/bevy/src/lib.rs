#![doc = include_str!("../README.md")]

// A module uses only those above it.
mod world;
mod agent;
mod messages;
mod existence;
mod read;
mod step;
mod write;
mod interpolate;
mod plugin;

pub use agent::{Agent, Body, Drawn, Steering};
pub use messages::{SpawnRefused, StepFailed, WorldEvent};
pub use plugin::{ThrongPlugin, ThrongSystems};
pub use throng;
pub use world::Throng;
