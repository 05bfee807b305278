//! The sections of a snapshot: their order and their contents.

use crate::agents::columns::{Column, Data, Owner};
use crate::agents::row_order::RowOrder;
use crate::agents::{Agents, Quantity, max_residual};
use crate::base::error::Error;
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::{LIMIT, Settings};
use crate::base::values::{Allowed, Kind, Range, Value};
use crate::species::MAX_SPEED;
use crate::species::registry::Registry;
use crate::state::fault::SnapshotFault;
use crate::state::snapshot::columns::{encode, read_column, write_head, write_numbers};
use crate::state::snapshot::definitions::{read_settings, read_species, write_settings, write_species};
use crate::state::snapshot::error::SnapshotError;
use crate::state::snapshot::reader::{Keep, Reader, Rows};
use crate::state::snapshot::roll::Roll;
use crate::state::snapshot::shared::ColumnLayout;
use crate::state::snapshot::writer::Writer;
use crate::state::snapshot::{contacts, people};
use crate::state::{RemovalReason, State};

/// A function that is called at the end of each section.
type End<'a> = &'a mut dyn FnMut(&'static [u8; 4], &mut Writer<'_>) -> Result<(), SnapshotError>;

/// Reads the section with this tag.
pub(crate) type Next<'a> = &'a mut dyn FnMut(
    &'static [u8; 4],
    &mut dyn FnMut(&mut Reader<'_>) -> Result<(), SnapshotError>,
) -> Result<(), SnapshotError>;

/// The error for a number that is out of range.
fn out_of_range(what: &str, value: impl Into<Value>, low: f64, high: f64) -> SnapshotError {
    Error::bad(what, value, Allowed::number(Range::from(low, high), "")).into()
}

/// The error for a counter that would overflow later.
fn above(what: &str, value: u64, most: u64) -> SnapshotError {
    Error::bad(what, value, Allowed::Kind { kind: Kind::Whole(0, most), unit: "" }).into()
}

/// Writes all sections except the last, and calls `end` after each.
pub(crate) fn each<const D: usize>(
    state: &State<D>,
    strict: bool,
    to: &mut Writer<'_>,
    end: End<'_>,
) -> Result<(), SnapshotError> {
    let unsettled = (!state.is_settled()).then(|| state.settled_layout());
    let layout = unsettled.as_ref().unwrap_or(state);
    write_settings(to, &state.settings);
    to.u64(state.tick);
    to.u8(state.limited.map_or(2, u8::from));
    to.u32(layout.last_key);
    end(b"SETT", to)?;
    to.u32(layout.species.len() as u32);
    for species in &layout.species {
        write_species(to, species, strict)?;
    }
    end(b"SPEC", to)?;
    let (slots, unplaced, free) = state.ids.parts();
    to.u64((slots.len() + unplaced.len()) as u64);
    to.column(slots, |slot| slot.generation.to_le_bytes());
    to.u32_column(unplaced);
    to.u64(free.len() as u64);
    to.u32_column(free);
    end(b"IDS_", to)?;
    for (number, (agents, order)) in state.agents.iter().zip(&state.orders).enumerate() {
        let speeds = unsettled.as_ref().and_then(|layout| state.settled_speeds(layout, number));
        write_agents(to, agents, speeds, order);
        end(b"AGNT", to)?;
        let residuals = agents.position_residual.iter().chain(&agents.velocity_residual);
        for column in agents.position.iter().chain(&agents.velocity).chain(residuals) {
            write_rows(to, agents, column);
        }
        to.u8(u8::from(agents.goal.is_some()) | u8::from(agents.keeps_headings()) << 1);
        let optional = agents.goal.iter().chain(&agents.heading).flatten();
        optional.for_each(|column| write_rows(to, agents, column));
        end(b"COLS", to)?;
        let of_state = |column: &&Column| column.owner.is_state();
        let columns: Vec<&Column> = layout.agents[number].columns.0.iter().filter(of_state).collect();
        to.list(columns.into_iter(), |to, column| {
            write_head(to, column);
            match &unsettled {
                None => write_numbers(to, agents.species, column),
                Some(layout) => {
                    let width = column.width;
                    let size = if matches!(column.data, Data::U64(_)) { 8 } else { 4 };
                    let count = width * agents.len();
                    to.encoded(ColumnLayout { species: agents.species, width, size, count }, |numbers, to| {
                        let rows = numbers.start / width..numbers.end / width;
                        encode(&state.settled_rows(layout, number, column, rows), to);
                    });
                }
            }
        });
        end(b"NAMD", to)?;
    }
    super::environment::write(to, &state.environment);
    end(b"SCEN", to)?;
    // The section of what a world never had is empty, and an empty section does not enter the hash.
    if people::exist(state) {
        people::write(to, state);
    }
    end(b"PEOP", to)?;
    if !state.environment.walls.is_new() {
        super::walls::write(to, &state.environment.walls);
    }
    end(b"WALL", to)?;
    if !state.environment.navigations.is_new() {
        super::navigation::write(to, &state.environment.navigations);
    }
    end(b"WAYS", to)?;
    if !state.environment.places.is_new() {
        super::places::write(to, &state.environment.places);
    }
    end(b"PLAC", to)?;
    to.flag(state.mix.chosen);
    to.f32(state.mix.radius);
    write_order(to, &state.mix.order);
    end(b"MIX_", to)?;
    to.list(state.leavers.iter(), |to, (id, why)| {
        to.u64(id.to_bits());
        to.flag(*why == RemovalReason::Caught);
    });
    end(b"LEAV", to)?;
    if contacts::exist(state) {
        contacts::write(to, state);
    }
    end(b"CONT", to)
}

/// Reads all sections in their order. The columns of each species have the rows that `keep` returns for its number and
/// that of its rows. Ids have no places, and the mix has no agents.
pub(crate) fn read<const D: usize>(
    next: Next<'_>,
    registry: &Registry,
    keep: Keep<'_>,
) -> Result<(State<D>, Vec<Rows>), SnapshotError> {
    let mut state = State::new(Settings::default());
    next(b"SETT", &mut |from| {
        state.settings = read_settings(from)?;
        state.tick = from.u64()?;
        state.limited = match from.u8()? {
            0 => Some(false),
            1 => Some(true),
            2 => None,
            other => return Err(from.unknown("limited or not", other)),
        };
        state.last_key = from.u32()?;
        // Counters must not overflow later.
        for (what, number, most) in
            [("tick", state.tick, u64::MAX / 2), ("key", state.last_key.into(), u64::from(u32::MAX / 2))]
        {
            if number > most {
                return Err(above(what, number, most));
            }
        }
        Ok(())
    })?;
    let limited = state.limited;
    next(b"SPEC", &mut |from| {
        let (last_key, species) = (state.last_key, from.list(|from| read_species(from, registry))?);
        for species in species {
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
        Ok(())
    })?;
    state.limited = limited;
    let mut roll = None;
    next(b"IDS_", &mut |from| {
        let slots = from.u64()? as usize;
        let generations = from.column(slots)?;
        let free = from.u64()? as usize;
        let free = from.column(free)?;
        roll = Some(Roll::new(generations, free).ok_or_else(|| from.invalid(SnapshotFault::FreeSlots))?);
        Ok(())
    })?;
    let mut roll = roll.ok_or(SnapshotError::Damaged("IDS_"))?;
    let mut rows = Vec::new();
    for number in 0..state.species.len() {
        rows.push(read_species_agents(next, &mut state, &mut roll, number, keep)?);
    }
    next(b"SCEN", &mut |from| {
        state.environment = super::environment::read(from)?;
        state.region_bits = state.environment.regions.ids().to_vec();
        Ok(())
    })?;
    next(b"PEOP", &mut |from| {
        people::read(from, &mut state)?;
        for number in 0..state.species.len() {
            // The set of columns follows from definitions and regions.
            let layout = |state: &State<D>| {
                let columns = state.agents[number].columns.0.iter();
                columns.map(|column| (column.owner, column.name.clone(), column.type_name())).collect::<Vec<_>>()
            };
            let before = layout(&state);
            state.conform(number);
            if layout(&state) != before {
                return Err(from.invalid(SnapshotFault::Columns { species: state.species[number].name.clone() }));
            }
        }
        Ok(())
    })?;
    next(b"WALL", &mut |from| {
        if !from.is_empty() {
            state.environment.walls = super::walls::read(from)?;
        }
        Ok(())
    })?;
    next(b"WAYS", &mut |from| {
        if !from.is_empty() {
            state.environment.navigations = super::navigation::read(from)?;
        }
        Ok(())
    })?;
    next(b"PLAC", &mut |from| {
        if !from.is_empty() {
            state.environment.places = super::places::read(from)?;
        }
        Ok(())
    })?;
    next(b"MIX_", &mut |from| {
        state.mix.chosen = from.flag()?;
        state.mix.radius = from.f32()?;
        state.mix.order = read_order(from)?;
        let radius = state.mix.radius;
        if (0.0..=LIMIT).contains(&radius) { Ok(()) } else { Err(out_of_range("radius", radius, 0.0, LIMIT.into())) }
    })?;
    next(b"LEAV", &mut |from| {
        let leavers = from.list(|from| {
            let id = AgentId::from_bits(from.u64()?);
            Ok((id, if from.flag()? { RemovalReason::Caught } else { RemovalReason::Left }))
        })?;
        state.leavers = leavers.into_iter().collect();
        if let Some((&id, _)) = state.leavers.iter().find(|(id, _)| !roll.has(**id)) {
            return Err(from.invalid(SnapshotFault::Leaver(id)));
        }
        roll.check(state.tally.total()).map_err(|fault| from.invalid(fault))
    })?;
    next(b"CONT", &mut |from| contacts::read(from, &mut state))?;
    next(b"END_", &mut |_| Ok(()))?;
    state.ids = roll.into_ids();
    Ok((state, rows))
}

fn read_species_agents<const D: usize>(
    next: Next<'_>,
    state: &mut State<D>,
    roll: &mut Roll,
    number: usize,
    keep: Keep<'_>,
) -> Result<Rows, SnapshotError> {
    let mut agents =
        Agents::new(SpeciesId(number as u32), state.species[number].name.clone(), state.species[number].body());
    let mut rows = Rows { all: 0, own: 0..0 };
    next(b"AGNT", &mut |from| {
        let all = from.count::<AgentId>()?;
        rows = Rows { all, own: keep(number, all) };
        let mut wrong = None;
        agents.id = from.ids(&rows, |id| {
            if wrong.is_none() && !roll.take(id) {
                wrong = Some(id);
            }
        })?;
        if let Some(id) = wrong {
            return Err(from.invalid(SnapshotFault::Slot(id)));
        }
        state.orders[number] = read_bodies(from, &mut agents, &rows)?;
        Ok(())
    })?;
    let settings = state.settings.clone();
    next(b"COLS", &mut |from| {
        let within = |numbers: Vec<f32>, most: &dyn Fn(usize) -> f32, what: &str| {
            let fits = |(row, number): &(usize, &f32)| number.abs() <= most(*row);
            match numbers.iter().enumerate().find(|number| !fits(number)) {
                None => Ok(numbers),
                Some((row, &number)) => Err(out_of_range(what, number, -f64::from(most(row)), most(row).into())),
            }
        };
        let finite = |numbers, what| within(numbers, &|_| 4.0 * LIMIT, what);
        for column in agents.position.iter_mut() {
            *column = finite(from.rows(&rows, 1)?, "position")?;
        }
        for column in &mut agents.velocity {
            *column = finite(from.rows(&rows, 1)?, "velocity")?;
        }
        let period = settings.period();
        for (axis, column) in agents.position_residual.iter_mut().enumerate() {
            let position = &agents.position[axis];
            let most = |row: usize| max_residual(position[row], period[axis]);
            *column = within(from.rows(&rows, 1)?, &most, "residual of a position")?;
        }
        for (column, velocity) in agents.velocity_residual.iter_mut().zip(&agents.velocity) {
            let most = |row: usize| max_residual(velocity[row], f32::INFINITY);
            *column = within(from.rows(&rows, 1)?, &most, "residual of a velocity")?;
        }
        for (column, period) in agents.position.iter().zip(period).filter(|(_, period)| *period < f32::INFINITY) {
            if let Some(&at) = column.iter().find(|at| !(0.0..period).contains(*at)) {
                return Err(out_of_range("position", at, 0.0, period.into()));
            }
        }
        let optional = from.u8()?;
        if optional > 3 {
            return Err(from.unknown("what agents have", optional));
        }
        if optional & 1 == 1 {
            let mut goal = std::array::from_fn(|_| Vec::new());
            for column in &mut goal {
                *column = from.rows(&rows, 1)?;
            }
            agents.goal = Some(goal);
        }
        if optional & 2 == 2 {
            let mut heading = std::array::from_fn(|_| Vec::new());
            for column in &mut heading {
                *column = finite(from.rows(&rows, 1)?, "heading")?;
            }
            agents.heading = Some(heading);
        }
        agents.pad();
        Ok(())
    })?;
    let states = state.species[number].states.len();
    next(b"NAMD", &mut |from| {
        agents.columns.0 = from.list(|from| read_column(from, &rows))?;
        let of_agents = agents.columns.values::<u32>(Owner::State).unwrap_or_default();
        if let Some(state) = of_agents.iter().find(|&&state| state as usize >= states) {
            return Err(from.unknown("the number of a state", state));
        }
        let ways = agents.columns.values::<f32>(Owner::Moved).unwrap_or_default();
        match ways.iter().find(|way| !way.is_finite()) {
            Some(&way) => Err(out_of_range("moved", way, f64::from(f32::MIN), f64::from(f32::MAX))),
            None => Ok(()),
        }
    })?;
    state.agents[number] = agents;
    Ok(rows)
}

/// Writes ids, bodies and the row order. The largest speeds are `speeds` if these replace those of the bodies.
fn write_agents<const D: usize>(to: &mut Writer<'_>, agents: &Agents<D>, speeds: Option<&[f32]>, order: &RowOrder) {
    to.u64(agents.len() as u64);
    to.rows(agents.species, 1, &agents.id, |id| id.to_bits().to_le_bytes());
    let body = &agents.body;
    for (number, quantity) in [&body.mass, &body.radius, &body.max_speed, &body.max_force].into_iter().enumerate() {
        let other = speeds.filter(|_| number == MAX_SPEED);
        match (quantity, other) {
            (Quantity::Same(value), None) => {
                to.flag(false);
                to.f32(*value);
            }
            (Quantity::Same(value), Some(speeds)) if speeds.iter().all(|speed| speed == value) => {
                to.flag(false);
                to.f32(*value);
            }
            (Quantity::Each(column), None) => {
                to.flag(true);
                write_rows(to, agents, column);
            }
            (_, Some(speeds)) => {
                to.flag(true);
                write_rows(to, agents, speeds);
            }
        }
    }
    write_order(to, order);
}

/// Writes a column with one number for each agent, and for the rows that fill the last cluster.
fn write_rows<const D: usize>(to: &mut Writer<'_>, agents: &Agents<D>, column: &[f32]) {
    to.rows(agents.species, 1, &column[..agents.len()], |number| number.to_bits().to_le_bytes());
}

fn write_order(to: &mut Writer<'_>, order: &RowOrder) {
    let RowOrder { age, distance_sum, host_distance, strays, burden } = order;
    to.u32(age.map_or(u32::MAX, |age| age));
    to.f32(*distance_sum);
    to.f32(*host_distance);
    to.u64(*burden);
    to.u64(strays.len() as u64);
    to.u32_column(strays);
}

/// Reads the bodies of agents, and the row order.
fn read_bodies<const D: usize>(
    from: &mut Reader<'_>,
    agents: &mut Agents<D>,
    rows: &Rows,
) -> Result<RowOrder, SnapshotError> {
    for (quantity, table) in agents.body.each().into_iter().zip(&crate::species::QUANTITIES) {
        let fits = |value: f32| match table.kind {
            Kind::Number(range) => range.contains(f64::from(value)),
            _ => true,
        };
        *quantity = if from.flag()? { Quantity::Each(from.rows(rows, 1)?) } else { Quantity::Same(from.f32()?) };
        let values = match quantity {
            Quantity::Same(value) => std::slice::from_ref(value),
            Quantity::Each(column) => &column[..],
        };
        if let Some(&value) = values.iter().find(|value| !fits(**value)) {
            return Err(table.refuse(&value.into()).into());
        }
    }
    read_order(from)
}

fn read_order(from: &mut Reader<'_>) -> Result<RowOrder, SnapshotError> {
    let age = from.u32()?;
    let (distance_sum, host_distance, burden) = (from.f32()?, from.f32()?, from.u64()?);
    let strays = from.u64()? as usize;
    let strays = from.column(strays)?;
    for (what, number) in [("distance_sum", distance_sum), ("host_distance", host_distance)] {
        if number.is_nan() || number < 0.0 {
            return Err(out_of_range(what, number, 0.0, f64::INFINITY));
        }
    }
    if burden > u64::MAX / 1024 {
        return Err(above("burden", burden, u64::MAX / 1024));
    }
    Ok(RowOrder { age: (age != u32::MAX).then_some(age), distance_sum, host_distance, strays, burden })
}
