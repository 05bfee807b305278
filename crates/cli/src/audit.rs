//! The audit of walls during a run.

use throng::{AnyWorld, Error, WallAudit, World};

use crate::clock::{Clock, timed};

/// The audit of a world in two or three dimensions.
#[derive(Debug)]
pub(crate) enum Audit {
    Flat(WallAudit<2>),
    Space(WallAudit<3>),
}

impl Audit {
    /// Starts the audit of a world.
    pub(crate) fn new(world: &AnyWorld) -> Self {
        match world.dimensions() {
            3 => Self::Space(WallAudit::default()),
            _ => Self::Flat(WallAudit::default()),
        }
    }

    /// Advances a world by one tick, and counts the agents that crossed walls in it.
    ///
    /// # Errors
    ///
    /// The errors of [`AnyWorld::try_step`].
    pub(crate) fn step(audit: Option<&mut Self>, world: &mut AnyWorld, clock: &mut Clock) -> Result<(), Error> {
        match (audit, world) {
            (Some(Self::Flat(audit)), AnyWorld::Flat(world)) => audited(audit, world, clock),
            (Some(Self::Space(audit)), AnyWorld::Space(world)) => audited(audit, world, clock),
            (_, world) => timed(&mut clock.ticks, || world.try_step()),
        }
    }

    /// The number of crossings so far.
    pub(crate) fn crossings(&self) -> u64 {
        match self {
            Self::Flat(audit) => audit.crossings(),
            Self::Space(audit) => audit.crossings(),
        }
    }
}

fn audited<const D: usize>(audit: &mut WallAudit<D>, world: &mut World<D>, clock: &mut Clock) -> Result<(), Error> {
    timed(&mut clock.audit, || audit.before(world));
    timed(&mut clock.ticks, || world.try_step())?;
    timed(&mut clock.audit, || audit.after(world));
    Ok(())
}
