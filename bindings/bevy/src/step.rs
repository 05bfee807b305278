//! The step of each world, and its events.

use bevy_ecs::prelude::*;

use crate::agent::{Agent, AgentEventsEnabled};
use crate::messages::{AgentEvent, StepFailed, WorldEvent};
use crate::world::Throng;

/// Advances every world by one tick.
pub(crate) fn step<const D: usize>(
    mut worlds: Query<'_, '_, (Entity, &mut Throng<D>)>,
    agents: Query<'_, '_, (&Agent<D>, Has<AgentEventsEnabled>)>,
    mut events: MessageWriter<'_, WorldEvent>,
    mut commands: Commands<'_, '_>,
    mut failed: MessageWriter<'_, StepFailed>,
) {
    for (world, mut throng) in &mut worlds {
        match throng.world.try_step() {
            Ok(()) => {
                for &event in throng.world.events() {
                    // A slot may have a new agent already, whose entity comes with the next run.
                    let found = throng.last_entity(event.agent()).and_then(|entity| {
                        let (agent, enabled) = agents.get(entity).ok()?;
                        (agent.id == Some(event.agent())).then_some((entity, enabled))
                    });
                    if let Some((entity, true)) = found {
                        commands.trigger(AgentEvent { entity, world, event });
                    }
                    events.write(WorldEvent { world, entity: found.map(|(entity, _)| entity), event });
                }
            }
            Err(error) => {
                failed.write(StepFailed { world, error });
            }
        }
    }
}
