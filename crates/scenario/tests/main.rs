//! Tests of scenario files, as one program: nine take longer to link.

mod extremes;
#[path = "files/main.rs"]
mod files;
mod floor_plans;
mod intervals;
mod kinds;
mod lifts;
mod links;
mod meshes;
mod persons;
mod starts;
mod states;
mod storeys;
mod tracks;
mod walls;
