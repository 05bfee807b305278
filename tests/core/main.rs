//! Tests of worlds through the public API: edits, states, columns, snapshots, events, and neighbours while agents are
//! added and removed. They are one program, so that worlds are compiled once.

mod arrivals;
mod attacks;
mod avoidance;
mod boundaries;
#[cfg(feature = "scenario")]
mod bulk_edits;
mod checker;
mod columns;
mod defects;
mod defects_in_ticks;
#[cfg(feature = "scenario")]
mod derived;
mod edits;
mod errors;
mod explained;
#[cfg(feature = "scenario")]
mod extremes;
#[cfg(feature = "scenario")]
mod failed_steps;
mod far;
mod line;
mod misbehaving;
mod mixed;
mod mixed_edges;
mod names;
mod nearest_k;
mod phases;
mod program;
#[cfg(feature = "scenario")]
mod rank_edits;
#[cfg(feature = "scenario")]
mod rank_snapshots;
mod ranks;
#[cfg(feature = "scenario")]
mod recorded;
mod routes;
mod rules_in_code;
#[cfg(feature = "scenario")]
mod scenarios;
#[cfg(feature = "scenario")]
mod snapshots;
mod state_hash;
mod states;
mod strays;
mod walls;
mod walls_drawn;
mod walls_placed;
mod wander;
mod warnings;
#[cfg(feature = "scenario")]
mod watching;
mod ways;
