//! The sections of a snapshot: their order and their contents.

use crate::base::settings::{LIMIT, Settings};
use crate::species::Species;
use crate::state::fault::SnapshotFault;
use crate::state::mix::Mix;
use crate::state::snapshot::agents::{self, LongColumn};
use crate::state::snapshot::error::{above, out_of_range};
use crate::state::snapshot::reader::Next;
use crate::state::snapshot::roll::Roll;
use crate::state::snapshot::saved::section;
use crate::state::snapshot::writer::End;
use crate::state::snapshot::{Keep, Reader, Rows, Saved, SnapshotError, Writer, contacts, people, saved};
use crate::state::{RemovalReason, State};

/// The first section.
struct Clock<const D: usize> {
    settings: Settings<D>,
    tick: u64,
    limited: Option<bool>,
    last_key: u32,
}

saved!([const D: usize] struct Clock<D> { settings, tick, limited: Limited, last_key } check(clock, _from) {
    // Counters must not overflow later.
    let counters = [("tick", clock.tick, u64::MAX / 2), ("key", clock.last_key.into(), u64::from(u32::MAX / 2))];
    match counters.into_iter().find(|(_, number, most)| number > most) {
        Some((what, number, most)) => Err(above(what, number, most)),
        None => Ok(()),
    }
});

/// Yes, no or not yet known, in one byte.
struct Limited;

impl Limited {
    fn save(limited: &Option<bool>, to: &mut Writer<'_>) {
        to.number(limited.map_or(2, u8::from));
    }

    fn load(from: &mut Reader<'_>) -> Result<Option<bool>, SnapshotError> {
        match from.number::<u8>()? {
            0 => Ok(Some(false)),
            1 => Ok(Some(true)),
            2 => Ok(None),
            other => Err(from.unknown("limited or not", other)),
        }
    }
}

saved!(struct crate::base::clock::Clock { tick, seconds, before });
saved!(struct Mix { chosen, radius, order } check(mix, _from) {
    let fits = (0.0..=LIMIT).contains(&mix.radius);
    if fits { Ok(()) } else { Err(out_of_range("radius", mix.radius, 0.0, LIMIT.into())) }
});
saved!(enum RemovalReason as "the reason of a removal" { 0 => Left, 1 => Caught });

section!(save_scene, load_scene { environment.marks, environment.obstacles, environment.regions, environment.fields });

/// Writes all sections except the last, and calls `end` after each.
pub(crate) fn each<const D: usize>(state: &State<D>, to: &mut Writer<'_>, end: End<'_>) -> Result<(), SnapshotError> {
    let unsettled = (!state.is_settled()).then(|| state.settled_layout());
    let layout = unsettled.as_ref().unwrap_or(state);
    let State { tick, limited, environment, .. } = state;
    let (settings, last_key) = (state.settings.clone(), layout.last_key);
    Clock { settings, tick: *tick, limited: *limited, last_key }.save(to);
    end(b"SETT", to)?;
    layout.species.save(to);
    end(b"SPEC", to)?;
    write_ids(to, state);
    end(b"IDS_", to)?;
    for number in 0..state.species.len() {
        agents::write(to, state, unsettled.as_ref(), number, end)?;
    }
    save_scene(state, to);
    end(b"SCEN", to)?;
    // An empty section does not enter the hash.
    people::write(to, state);
    end(b"PEOP", to)?;
    if !environment.walls.is_new() {
        environment.walls.save(to);
    }
    end(b"WALL", to)?;
    if !environment.navigations.is_new() {
        environment.navigations.save(to);
    }
    end(b"WAYS", to)?;
    // Substances are the last part of this section, which worlds that never had any lack.
    if !(environment.places.is_new() && environment.substances.is_new()) {
        environment.places.save(to);
    }
    if !environment.substances.is_new() {
        environment.substances.save(to);
    }
    end(b"PLAC", to)?;
    state.mix.save(to);
    end(b"MIX_", to)?;
    state.leavers.save(to);
    end(b"LEAV", to)?;
    contacts::write(to, state);
    end(b"CONT", to)?;
    if !state.clock.is_steady() {
        state.clock.save(to);
    }
    end(b"TIME", to)
}

/// Reads all sections in their order. The columns of each species have the rows that `keep` returns for its number and
/// the number of its rows. Ids have no places, and the mix has no agents.
pub(crate) fn read<const D: usize>(next: Next<'_>, keep: Keep<'_>) -> Result<(State<D>, Vec<Rows>), SnapshotError> {
    let mut state = State::new(Settings::default());
    next(b"SETT", &mut |from| {
        let Clock { settings, tick, limited, last_key } = Saved::load(from)?;
        state = State { tick, limited, last_key, ..State::new(settings) };
        Ok(())
    })?;
    next(b"SPEC", &mut |from| read_species(from, &mut state))?;
    let mut roll = None;
    next(b"IDS_", &mut |from| {
        let (generations, free) = (LongColumn::load(from)?, LongColumn::load(from)?);
        roll = Some(Roll::new(generations, free).ok_or_else(|| from.invalid(SnapshotFault::FreeSlots))?);
        Ok(())
    })?;
    let mut roll = roll.ok_or(SnapshotError::Damaged("IDS_"))?;
    let mut rows = Vec::new();
    for number in 0..state.species.len() {
        rows.push(agents::read(next, &mut state, &mut roll, number, keep)?);
    }
    next(b"SCEN", &mut |from| {
        load_scene(&mut state, from)?;
        state.region_bits = state.environment.regions.ids().to_vec();
        Ok(())
    })?;
    next(b"PEOP", &mut |from| people::read(from, &mut state))?;
    next(b"WALL", &mut |from| load_if_used(from, &mut state.environment.walls))?;
    next(b"WAYS", &mut |from| load_if_used(from, &mut state.environment.navigations))?;
    next(b"PLAC", &mut |from| {
        load_if_used(from, &mut state.environment.places)?;
        load_if_used(from, &mut state.environment.substances)
    })?;
    next(b"MIX_", &mut |from| load(from, &mut state.mix))?;
    next(b"LEAV", &mut |from| {
        load(from, &mut state.leavers)?;
        if let Some((&id, _)) = state.leavers.iter().find(|(id, _)| !roll.has(**id)) {
            return Err(from.invalid(SnapshotFault::Leaver(id)));
        }
        roll.check(state.tally.total()).map_err(|fault| from.invalid(fault))
    })?;
    next(b"CONT", &mut |from| contacts::read(from, &mut state))?;
    next(b"TIME", &mut |from| {
        load_if_used(from, &mut state.clock)?;
        let fits = state.clock.is_steady() || state.clock.fits(state.tick);
        if fits { Ok(()) } else { Err(from.invalid(SnapshotFault::Clock)) }
    })?;
    next(b"END_", &mut |_| Ok(()))?;
    state.ids = roll.into_ids();
    Ok((state, rows))
}

/// Reads the definitions of species into a state without any.
fn read_species<const D: usize>(from: &mut Reader<'_>, state: &mut State<D>) -> Result<(), SnapshotError> {
    let (limited, last_key) = (state.limited, state.last_key);
    for species in Vec::<Species<D>>::load(from)? {
        if species.name.is_empty() {
            state.push_removed_species();
            continue;
        }
        if let Some(rule) = species.rules.iter().find(|rule| rule.key == 0 || rule.key > last_key) {
            return Err(from.invalid(SnapshotFault::RuleKey(rule.key)));
        }
        let keys: Vec<u32> = species.rules.iter().map(|rule| rule.key).collect();
        let id = state.add_species(species)?;
        // Adding the species has replaced a key that two rules had.
        let rules = &state.species[id.number()].rules;
        if let Some((_, &key)) = rules.iter().zip(&keys).find(|(rule, key)| rule.key != **key) {
            return Err(from.invalid(SnapshotFault::RuleKey(key)));
        }
    }
    state.limited = limited;
    Ok(())
}

/// Writes the generation of each slot, and the free slots.
fn write_ids<const D: usize>(to: &mut Writer<'_>, state: &State<D>) {
    let (slots, unplaced, free) = state.ids.parts();
    to.number((slots.len() + unplaced.len()) as u64);
    for slots in slots.chunks(1 << 12) {
        to.column(&slots.iter().map(|slot| slot.generation).collect::<Vec<u32>>());
    }
    to.column(unplaced);
    LongColumn::save(free, to);
}

fn load<T: Saved>(from: &mut Reader<'_>, value: &mut T) -> Result<(), SnapshotError> {
    *value = T::load(from)?;
    Ok(())
}

/// Reads a collection from a section that is empty if no item was ever added.
fn load_if_used<T: Saved>(from: &mut Reader<'_>, all: &mut T) -> Result<(), SnapshotError> {
    if from.is_empty() { Ok(()) } else { load(from, all) }
}
