//! The program `throng` with an additional rule, available in scenario files, `--set`, `rules`, `schema`, `explain` and
//! `view`.
//!
//! `cargo run -p throng-cli --example own_program -- rules` lists it last.

use std::process::ExitCode;

use throng::parameters::{Kind, Range};
use throng::{AgentRef, Behaviour, Registry, Vector};

throng::rule! {
    /// The desired velocity is the velocity of the wind, along the x axis.
    "drift": "Drifts with the wind."
    struct Drift {
        /// Speed of the wind.
        speed: f32 = 3.0, "m/s", Kind::Number(Range::from(0.0, 100.0));
    }
}

impl<const D: usize> Behaviour<D> for Drift {
    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.towards(Vector::from_fn(|axis| if axis == 0 { self.speed } else { 0.0 }))
    }

    throng::reflect!();
}

fn main() -> ExitCode {
    match Registry::new().with(Drift::default()) {
        Ok(registry) => throng_cli::main_with(registry),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
