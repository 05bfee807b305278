//! Headings and frames of trajectories, from a world with its scenario.

use throng::{AgentId, AnyWorld};
use throng_draw::{Drawable, Painter};
use throng_formats::trajectory::{Frame, Heading};
use throng_scenario::{Scenario, Storeys, trajectories};

use crate::unwrapped::Unwrapped;

/// The heading of a trajectory of a world with its start positions.
pub(super) fn heading(scenario: &Scenario, world: &AnyWorld, every: u64, storeys: Option<&Storeys>) -> Heading {
    let heading = Heading {
        unwrapped: scenario.output().trajectory_unwrapped,
        ..trajectories::heading(scenario.name(), world, every, &world.subject().people)
    };
    match storeys {
        Some(storeys) => trajectories::heading_in(storeys, heading),
        None => heading,
    }
}

/// All agents of a world at its tick, with their radii and colours if there is a painter.
pub(super) fn frame(world: &AnyWorld, unwrapped: Option<&Unwrapped>, painter: Option<&mut Painter>) -> Frame {
    let mut frame = trajectories::frame(world);
    let mut drawn = painter.map(|painter| looks(world, painter)).unwrap_or_default().into_iter();
    for rows in &mut frame.species {
        let ids = &rows.ids;
        (rows.radii, rows.colours) = drawn.by_ref().take(ids.len()).unzip();
        if let Some(unwrapped) = unwrapped {
            let position =
                |id: &u64, axis| unwrapped.position(world, AgentId::from_bits(*id), axis).unwrap_or(f64::NAN);
            let along = |axis| ids.iter().map(|id| position(id, axis)).collect();
            rows.unwrapped = (0..rows.positions.len()).map(along).collect();
        }
    }
    frame
}

/// The radii and the colours of all agents, species by species.
fn looks(world: &AnyWorld, painter: &mut Painter) -> Vec<(f32, [u8; 3])> {
    let mut radii = Vec::new();
    world.crowd(&mut |agents| radii.extend(agents.iter().map(|agent| agent.radius)));
    radii.into_iter().zip(painter.colours_of(world)).collect()
}
