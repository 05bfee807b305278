//! The audit of walls during a run.

use throng::{AnyWorld, Error, WallAudit};

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

    /// Advances a world by one tick, and counts the agents that crossed walls in it. Returns the seconds of the step.
    ///
    /// # Errors
    ///
    /// The errors of [`AnyWorld::try_step`].
    pub(crate) fn step(audit: Option<&mut Self>, world: &mut AnyWorld) -> Result<f64, Error> {
        match (audit, world) {
            (Some(Self::Flat(audit)), AnyWorld::Flat(world)) => {
                audit.before(world);
                let seconds = timed(|| world.try_step())?;
                audit.after(world);
                Ok(seconds)
            }
            (Some(Self::Space(audit)), AnyWorld::Space(world)) => {
                audit.before(world);
                let seconds = timed(|| world.try_step())?;
                audit.after(world);
                Ok(seconds)
            }
            (_, world) => timed(|| world.try_step()),
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

fn timed(work: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
    let start = std::time::Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}
