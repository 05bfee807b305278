//! Agents that come and go: sources, sinks, zones, times, distributions, kinds of people, and the account of all agents.

mod accounting;
mod distributions;
mod kinds;
mod passing;
mod quickest;
mod sources;
mod times;
mod tracks;
mod walking;
mod zones;

mod files;
