//! The step of each world, and its events.

use bevy_ecs::prelude::*;

use crate::messages::{StepFailed, WorldEvent};
use crate::world::Throng;

/// Advances every world by one tick.
pub(crate) fn step<const D: usize>(
    mut worlds: Query<'_, '_, (Entity, &mut Throng<D>)>,
    mut events: MessageWriter<'_, WorldEvent>,
    mut failed: MessageWriter<'_, StepFailed>,
) {
    for (world, mut throng) in &mut worlds {
        match throng.world.try_step() {
            Ok(()) => {
                events.write_batch(throng.world.events().iter().map(|event| WorldEvent { world, event: *event }));
            }
            Err(error) => {
                failed.write(StepFailed { world, error });
            }
        }
    }
}
