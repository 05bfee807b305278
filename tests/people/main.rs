//! Agents that come and go: sources, sinks, zones, times, distributions, and the account of all agents.

mod accounting;
mod distributions;
mod sources;
mod times;
mod tracks;
mod walking;
mod zones;

mod files;
