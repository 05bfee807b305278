//! The documents agree with the code: tables, examples and links.

mod again;
mod behaviours;
mod examples;
mod figures;
mod front_page;
mod ground;
mod links;
mod live;
mod measures;
mod models;
mod page;
mod python;
mod scenario_format;
mod tuning;
mod tutorial;
