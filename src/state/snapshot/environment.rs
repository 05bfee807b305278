//! Marks, obstacles, regions, flow fields, sources, sinks, zones, lifts, links, places for queues, tracks and substances in
//! a snapshot.

use crate::base::definition::Definition;
use crate::base::error::Error;
use crate::base::handles::Handle;
use crate::base::ids::AgentId;
use crate::base::settings::LIMIT;
use crate::base::values::{Allowed, Range};
use crate::environment::collection::{Collection, Item};
use crate::environment::flow_field::FlowField;
use crate::environment::lift::{Car, Phase};
use crate::environment::link::{Crossing, Crossings};
use crate::environment::places::Occupants;
use crate::environment::region::{Region, Shape};
use crate::environment::source::Progress;
use crate::environment::substance::Amounts;
use crate::environment::tracks::Followers;
use crate::environment::{
    Against, Arrivals, Lift, Link, Mark, Obstacle, Places, Sink, Source, Substance, Track, Tracks, Zone,
};
use crate::maths::Vector;
use crate::state::fault::SnapshotFault;
use crate::state::snapshot::forms::{Always, NoneIs};
use crate::state::snapshot::saved::{load_added, save_added};
use crate::state::snapshot::{Reader, Saved, SnapshotError, Writer, saved};

/// An item together with the data that the engine stores with it.
pub(super) trait SavedItem: Item {
    fn save_with(&self, record: &Self::Record, to: &mut Writer<'_>);
    fn load_with(from: &mut Reader<'_>) -> Result<(Self, Self::Record), SnapshotError>
    where
        Self: Sized;
}

impl<T: Item + Saved> SavedItem for T
where
    T::Record: Saved,
{
    fn save_with(&self, record: &Self::Record, to: &mut Writer<'_>) {
        self.save(to);
        record.save(to);
    }

    fn load_with(from: &mut Reader<'_>) -> Result<(Self, Self::Record), SnapshotError> {
        Saved::load(from)
    }
}

/// The number of the next handle, then handles, items and the data stored with them.
impl<T: SavedItem> Saved for Collection<T> {
    fn save(&self, to: &mut Writer<'_>) {
        let (next, items) = self.parts();
        to.number(next);
        to.list(items, |to, (id, item, record)| {
            to.number(id.to_bits());
            item.save_with(record, to);
        });
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let next = from.number()?;
        let items = from.list(|from| {
            let id = T::Id::from_bits(from.number()?);
            T::load_with(from).map(|(item, record)| (id, item, record))
        })?;
        let all = Self::from_parts(next, items).ok_or_else(|| from.invalid(SnapshotFault::Handles))?;
        all.check()?;
        Ok(all)
    }
}

saved!([const D: usize] struct Mark<D> { name, position, ..blank });
saved!([const D: usize] struct Region<D> { name, shape, ..blank });
saved!([const D: usize] enum Shape<D> as "a shape" { 0 => Ball { centre, radius }, 1 => Box { centre, half } });
impl<const D: usize> Saved for FlowField<D> {
    fn save(&self, to: &mut Writer<'_>) {
        to.text(self.name());
        self.cells().save(to);
        to.entries(self.vectors().iter(), |to, vector| vector.save(to));
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (name, cells) = <(String, [usize; D])>::load(from)?;
        let count = cells.iter().try_fold(D, |count, &cells| count.checked_mul(cells)).unwrap_or(usize::MAX);
        let vectors = from.column::<f32>(count)?.as_chunks().0.iter().map(|&vector| vector.into()).collect();
        Ok(Self::new(name, cells, vectors)?)
    }
}

/// An obstacle, with the rounding error of its centre beside the centre.
struct Placed<const D: usize> {
    centre: Vector<D>,
    residual: Vector<D>,
    radius: f32,
    velocity: Vector<D>,
}

saved!([const D: usize] struct Placed<D> { centre, residual, radius, velocity } check(placed, _from) {
    let most = 4.0 * f64::from(f32::EPSILON * LIMIT);
    let range = Range::from(-most, most);
    match placed.residual.0.iter().find(|lost| !range.contains(f64::from(**lost))) {
        Some(&lost) => Err(Error::bad("residual of an obstacle", lost, Allowed::number(range, "m")).into()),
        None => Ok(()),
    }
});

impl<const D: usize> SavedItem for Obstacle<D> {
    fn save_with(&self, &residual: &Vector<D>, to: &mut Writer<'_>) {
        let Self { centre, radius, velocity, .. } = *self;
        save_added(self, to);
        Placed { centre, residual, radius, velocity }.save(to);
    }

    fn load_with(from: &mut Reader<'_>) -> Result<(Self, Vector<D>), SnapshotError> {
        let added = load_added(from)?;
        let Placed { centre, residual, radius, velocity } = Placed::load(from)?;
        #[allow(clippy::needless_update, reason = "the definition may have keys that came later")]
        let mut obstacle = Self { centre, radius, velocity, ..Self::blank() };
        added.iter().try_for_each(|(key, value)| obstacle.set(key, value))?;
        Ok((obstacle, residual))
    }
}

saved!([const D: usize] struct Source<D> {
    name, species, region, arrivals, limit: NoneIs<{ u64::MAX }>, heading, speed, ..blank
});
saved!(enum Arrivals as "the arrivals of a source" {
    0 => Rate(rate), 1 => Poisson(rate), 2 => Schedule(times), 3 => OnEntry(region)
});
saved!(struct Progress { arrived, spawned, seconds, expected } check(progress, from) {
    if progress.is_valid() { Ok(()) } else { Err(from.invalid(SnapshotFault::Progress)) }
});
saved!(struct Sink { name, region, species, states, ..blank });
saved!([const D: usize] struct Zone<D> { region, factor, against, ..blank });
saved!([const D: usize] struct Against<D> { direction, factor });
saved!(struct Lift {
    name, landings, doors, heights, capacity, speed, acceleration, door_seconds, open_seconds, wait, evacuates, ..blank
});
saved!(struct Car { phase, landing, target, rises, left, waiting, admitted, leaving, passengers, idle });
saved!(enum Phase as "the phase of a car" { 0 => Standing, 1 => Opening, 2 => Open, 3 => Closing, 4 => Moving });
saved!([const D: usize] struct Link<D> { name, start, end, seconds, both_ways, capacity, cost, shift, ..blank });
saved!([const D: usize] struct Crossings<D> { under_way, waiting });
saved!([const D: usize] struct Crossing<D> { agent, ends, shift, seconds, left } check(crossing, from) {
    let Crossing { ends, shift, seconds, left, .. } = crossing;
    let is_near = ends.iter().chain([shift]).flat_map(|at| &at.0).all(|at| Range::COORDINATE.contains((*at).into()));
    match is_near && *seconds > 0.0 && seconds.is_finite() && (0.0..=*seconds).contains(left) {
        true => Ok(()),
        false => Err(from.unknown("an agent on a link", "ends or times out of range")),
    }
});
saved!([const D: usize] struct Places<D> { name, is_queue, points });
saved!([const D: usize] struct Tracks<D> { name, species, frame_seconds, tracks });
saved!([const D: usize] struct Track<D> { first, positions });
saved!(struct Followers { begun, agents });
saved!(struct Substance { name, cell, decay, diffusion, start, ..blank });

impl Saved for Amounts {
    fn save(&self, to: &mut Writer<'_>) {
        to.number(self.0.len() as u64);
        to.column(&self.0);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let count = usize::try_from(from.number::<u64>()?).unwrap_or(usize::MAX);
        let amounts = Self(from.column(count)?);
        amounts.check()?;
        Ok(amounts)
    }
}

impl Saved for Occupants {
    fn save(&self, to: &mut Writer<'_>) {
        to.list(self.0.iter(), |to, agent| Always::save(&agent.map(AgentId::to_bits), to));
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let agents = from.list(|from| Ok(Always::load(from)?.map(AgentId::from_bits)))?;
        Ok(Self(agents))
    }
}
