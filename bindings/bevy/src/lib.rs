#![doc = include_str!("../README.md")]

// A module uses only those above it.
mod drawn;
mod world;
mod agent;
mod messages;
mod existence;
mod read;
mod step;
mod write;
mod interpolate;
mod plugin;

pub use agent::{Agent, AgentEventsEnabled, Body, Goal, NoRotation, Steering};
pub use drawn::{Drawn, Plane};
pub use messages::{AgentEvent, SpawnRefused, StepFailed, WorldEvent};
pub use plugin::{ThrongPlugin, ThrongSystems};
pub use throng;
pub use world::Throng;
