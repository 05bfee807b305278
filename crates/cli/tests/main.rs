//! Tests of the program, as one program: 26 take longer to link.

mod common;

mod again;
mod bench;
mod checkpoints;
mod commands;
mod explain;
mod fit;
mod limits;
mod measures;
mod names;
mod own_program;
mod paths;
mod plan;
mod recordings;
mod render;
mod render_mp4;
mod render_trajectory;
mod report;
mod results;
mod run;
mod signals;
mod sweep;
#[cfg(feature = "formats")]
mod trajectories;
mod view;
mod view_flow;
mod view_save;
mod warnings;
