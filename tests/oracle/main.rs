//! Tests of the engine against a naive oracle: neighbours, forces, motion, and answers to a host's questions.

mod crowds;
mod naive;

mod edges;
mod forces;
mod host_edits;
mod motion;
mod neighbours;
mod pairs;
mod queries;
mod sight;
mod through_walls;
