//! Marks, obstacles, regions, flow fields, sources, sinks, zones, places for queues and tracks in a snapshot.

use crate::base::definition::Definition;
use crate::base::error::Error;
use crate::base::handles::Handle;
use crate::base::ids::AgentId;
use crate::base::settings::LIMIT;
use crate::base::values::{Allowed, Range, Value};
use crate::environment::collection::{Collection, Item};
use crate::environment::flow_field::FlowField;
use crate::environment::places::Occupants;
use crate::environment::region::{Region, Shape};
use crate::environment::source::Progress;
use crate::environment::tracks::Followers;
use crate::environment::{Against, Arrivals, Mark, Obstacle, Places, Sink, Source, Track, Tracks, Zone};
use crate::maths::Vector;
use crate::state::fault::SnapshotFault;
use crate::state::snapshot::forms::{Always, NoneIs};
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

/// The bit of the next handle that says that keys follow which came after snapshots of their definition.
const ADDED: u64 = 1 << 63;

/// Writes keys that came after snapshots of their definition.
pub(super) fn save_added(keys: &[(&'static str, Value)], to: &mut Writer<'_>) {
    to.list(keys.iter(), |to, (key, value)| {
        to.text(key);
        value.save(to);
    });
}

/// Reads such keys.
pub(super) fn load_added(
    from: &mut Reader<'_>,
    set: &mut dyn FnMut(&str, &Value) -> Result<(), Error>,
) -> Result<(), SnapshotError> {
    let keys = from.list(<(String, Value)>::load)?;
    Ok(keys.iter().try_for_each(|(key, value)| set(key, value))?)
}

/// The number of the next handle, then handles, items and the data stored with them. Then, marked by a bit of the first
/// number, the keys of each item that came after snapshots of its definition, where they do not have their defaults.
impl<T: SavedItem> Saved for Collection<T> {
    fn save(&self, to: &mut Writer<'_>) {
        let (next, items) = self.parts();
        let added: Vec<_> = self.items().iter().map(T::added).collect();
        let has_added = added.iter().any(|keys| !keys.is_empty());
        to.number(next | if has_added { ADDED } else { 0 });
        to.list(items, |to, (id, item, record)| {
            to.number(id.to_bits());
            item.save_with(record, to);
        });
        if has_added {
            to.list(added.iter(), |to, keys| save_added(keys, to));
        }
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (next, has_added) = match from.number::<u64>()? {
            next if next & ADDED != 0 => (next ^ ADDED, true),
            next => (next, false),
        };
        let mut items = from.list(|from| {
            let id = T::Id::from_bits(from.number()?);
            T::load_with(from).map(|(item, record)| (id, item, record))
        })?;
        if has_added {
            let mut number = 0;
            from.list(|from| {
                let mut set = |key: &str, value: &Value| match items.get_mut(number) {
                    Some((_, item, _)) => item.add(key, value),
                    None => Ok(()),
                };
                load_added(from, &mut set)?;
                number += 1;
                Ok(())
            })?;
        }
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
        Placed { centre, residual, radius, velocity }.save(to);
    }

    fn load_with(from: &mut Reader<'_>) -> Result<(Self, Vector<D>), SnapshotError> {
        let Placed { centre, residual, radius, velocity } = Placed::load(from)?;
        #[allow(clippy::needless_update, reason = "the definition may have keys that came later")]
        Ok((Self { centre, radius, velocity, ..Self::blank() }, residual))
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
saved!([const D: usize] struct Places<D> { name, is_queue, points });
saved!([const D: usize] struct Tracks<D> { name, species, frame_seconds, tracks });
saved!([const D: usize] struct Track<D> { first, positions });
saved!(struct Followers { begun, agents });

impl Saved for Occupants {
    fn save(&self, to: &mut Writer<'_>) {
        to.list(self.0.iter(), |to, agent| Always::save(&agent.map(AgentId::to_bits), to));
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let agents = from.list(|from| Ok(Always::load(from)?.map(AgentId::from_bits)))?;
        Ok(Self(agents))
    }
}
