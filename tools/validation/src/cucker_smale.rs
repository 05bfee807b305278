//! Cucker and Smale 2007: two birds against the closed form.

use throng::motions::CuckerSmale;
use throng::{Edge, Settings, Species, World};

use crate::Plan;
use crate::report::{Check, Section};
use crate::run::Outcome;

/// The distance and the relative velocity of two birds, and the largest mean velocity on the way.
fn two_birds(exponent: f32, speed: f32, dt: f32, seconds: f32) -> Outcome<[f64; 3]> {
    let settings = Settings::<2> { edge: [Edge::Open; 2], tick_seconds: dt, ..Settings::default() };
    let mut world = World::new(settings)?;
    let model = CuckerSmale { exponent, ..CuckerSmale::default() };
    let kind = world.add_species(Species::new("bird").with_motion(model))?;
    let a = world.spawn(kind, [0.0, 0.0], [0.5 * speed, 0.0])?;
    let b = world.spawn(kind, [0.0, 0.0], [-0.5 * speed, 0.0])?;
    let mut drift = 0.0f64;
    for _ in 0..(seconds / dt).round() as u64 {
        world.step();
        drift = drift.max(f64::from(world.velocity(a)?[0] + world.velocity(b)?[0]).abs() / 2.0);
    }
    let [distance, velocity] = [world.position(a)? - world.position(b)?, world.velocity(a)? - world.velocity(b)?]
        .map(|both| f64::from(both[0]));
    Ok([distance, velocity, drift])
}

/// Two birds at two lengths of the tick.
pub(crate) fn cucker_smale(plan: &Plan) -> Outcome<Section> {
    let mut checks = Vec::new();
    let mut errors = Vec::new();
    for (dt, tolerance) in [(0.01f32, 0.1), (0.001, 0.01)] {
        let [distance, velocity, drift] = two_birds(1.0, 2.0, dt, 100.0)?;
        checks.push(Check::near(format!("distance, v0 = 2, tick {dt} (exact)"), distance, 1f64.tan(), tolerance));
        checks.push(Check::near(format!("velocity, v0 = 2, tick {dt} (exact)"), velocity, 0.0, 1e-3));
        checks.push(Check::near(format!("mean velocity, v0 = 2, tick {dt} (exact)"), drift, 0.0, 1e-6));
        errors.push((distance - 1f64.tan()).abs());
        let seconds = if plan.short { 100.0 } else { 300.0 };
        let [distance, velocity, _] = two_birds(1.0, 4.0, dt, seconds)?;
        let exact = 4.0 - 2.0 * distance.atan();
        checks.push(Check::near(
            format!("velocity, v0 = 4, tick {dt} (exact, at this distance)"),
            velocity,
            exact,
            tolerance,
        ));
    }
    let [_, velocity, _] = two_birds(0.25, 20.0, 0.001, 100.0)?;
    checks.push(Check::near("velocity, exponent 0.25, v0 = 20 (exact)", velocity, 0.0, 0.05));
    checks.push(Check::between("ratio of the errors of the distance at both ticks", errors[0] / errors[1], 5.0, 20.0));
    let text = "Cucker and Smale 2007, two birds on a line, strength, scale and exponent 1, without a division by the number \
                of birds. With the relative velocity v0 from the same place, `v = v0 - 2 atan(x)`: below pi they stay \
                together at tan(v0 / 2), above they part with v0 - pi. An exponent below 1/2 unites all speeds. The errors \
                are those of Euler's method and fall in proportion to the tick."
        .to_owned();
    Ok(Section { title: "Cucker and Smale: two birds", text, checks, figures: Vec::new() })
}
