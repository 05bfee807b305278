//! The engine against a naive one: who perceives whom, with what force, and where it leads.

mod crowds;
mod naive;

mod edges;
mod forces;
mod host_edits;
mod motion;
mod neighbours;
mod queries;
