//! The documents agree with the code: tables, examples and links.

mod behaviours;
#[cfg(feature = "scenario")]
mod examples;
mod front_page;
#[cfg(feature = "scenario")]
mod ground;
mod links;
mod measures;
mod models;
mod page;
#[cfg(feature = "scenario")]
mod scenario_format;
#[cfg(feature = "scenario")]
mod tuning;
#[cfg(feature = "scenario")]
mod tutorial;
