//! The agents of a species in a snapshot: their ids, bodies and row order, their motion, and their named columns.

use crate::agents::columns::{Column, Data, Owner};
use crate::agents::row_order::RowOrder;
use crate::agents::{Agents, BodyQuantities, BodyQuantity, max_residual};
use crate::base::error::Error;
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::{LIMIT, Settings};
use crate::base::values::Kind;
use crate::species::MAX_SPEED;
use crate::species::tables::QUANTITIES;
use crate::state::State;
use crate::state::fault::SnapshotFault;
use crate::state::snapshot::columns::{encode, read_column, write_head, write_numbers};
use crate::state::snapshot::error::{above, out_of_range};
use crate::state::snapshot::forms::NoneIs;
use crate::state::snapshot::reader::Next;
use crate::state::snapshot::roll::Roll;
use crate::state::snapshot::shared::ColumnLayout;
use crate::state::snapshot::writer::End;
use crate::state::snapshot::{Keep, Reader, Rows, Saved, SnapshotError, Writer, saved};

saved!(struct RowOrder {
    age: NoneIs<{ u32::MAX as u64 }>, distance_sum, host_distance, burden, strays: LongColumn
} check(order, _from) {
    let most = u64::MAX / 1024;
    let distances = [("distance_sum", order.distance_sum), ("host_distance", order.host_distance)];
    match distances.into_iter().find(|(_, number)| number.is_nan() || *number < 0.0) {
        Some((what, number)) => Err(out_of_range(what, number, 0.0, f64::INFINITY)),
        None if order.burden > most => Err(above("burden", order.burden, most)),
        None => Ok(()),
    }
});

/// Numbers after their count, which may exceed the count of a list.
pub(super) struct LongColumn;

impl LongColumn {
    pub(super) fn save(numbers: &[u32], to: &mut Writer<'_>) {
        to.number(numbers.len() as u64);
        to.column(numbers);
    }

    pub(super) fn load(from: &mut Reader<'_>) -> Result<Vec<u32>, SnapshotError> {
        let count = usize::try_from(from.number::<u64>()?).unwrap_or(usize::MAX);
        from.column(count)
    }
}

/// Writes the agents of a species in three sections. In an unsettled state, their columns come from `unsettled`.
pub(super) fn write<const D: usize>(
    to: &mut Writer<'_>,
    state: &State<D>,
    unsettled: Option<&State<D>>,
    number: usize,
    end: End<'_>,
) -> Result<(), SnapshotError> {
    let agents = &state.agents[number];
    to.number(agents.len() as u64);
    to.rows(agents.species, 1, &agents.id);
    write_bodies(to, agents, unsettled.and_then(|layout| state.settled_speeds(layout, number)));
    state.orders[number].save(to);
    end(b"AGNT", to)?;
    let residuals = agents.position_residual.iter().chain(&agents.velocity_residual);
    for column in agents.position.iter().chain(&agents.velocity).chain(residuals) {
        write_rows(to, agents, column);
    }
    to.number(u8::from(agents.goal.is_some()) | u8::from(agents.keeps_headings()) << 1);
    let optional = agents.goal.iter().chain(&agents.heading).flatten();
    optional.for_each(|column| write_rows(to, agents, column));
    end(b"COLS", to)?;
    let of_state = |column: &&Column| column.owner.is_state();
    let columns: Vec<&Column> = unsettled.unwrap_or(state).agents[number].columns.0.iter().filter(of_state).collect();
    to.list(columns.into_iter(), |to, column| {
        write_head(to, column);
        let Some(layout) = unsettled else {
            return write_numbers(to, agents.species, column);
        };
        let width = column.width;
        let size = if matches!(column.data, Data::U64(_)) { 8 } else { 4 };
        let count = width * agents.len();
        to.encoded(ColumnLayout { species: agents.species, width, size, count }, |numbers, to| {
            let rows = numbers.start / width..numbers.end / width;
            encode(&state.settled_rows(layout, number, column, rows), to);
        });
    });
    end(b"NAMD", to)
}

/// Reads the agents of a species, with the rows that `keep` returns. `roll` checks their ids.
pub(super) fn read<const D: usize>(
    next: Next<'_>,
    state: &mut State<D>,
    roll: &mut Roll,
    number: usize,
    keep: Keep<'_>,
) -> Result<Rows, SnapshotError> {
    let species = &state.species[number];
    let mut agents = Agents::new(SpeciesId(number as u32), species.name.clone(), species.body());
    let mut rows = Rows { all: 0, own: 0..0 };
    next(b"AGNT", &mut |from| {
        let all = from.count::<AgentId>()?;
        if all > 0 && agents.name().is_empty() {
            return Err(Error::NoSuchSpecies(agents.species).into());
        }
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
        read_bodies(from, &mut agents.body, &rows)?;
        state.orders[number] = Saved::load(from)?;
        Ok(())
    })?;
    next(b"COLS", &mut |from| read_motion(from, &mut agents, &rows, &state.settings))?;
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

/// Writes a column with one number for each agent, without the rows that fill the last cluster.
fn write_rows<const D: usize>(to: &mut Writer<'_>, agents: &Agents<D>, column: &[f32]) {
    to.rows(agents.species, 1, &column[..agents.len()]);
}

/// Writes bodies. The largest speeds are `speeds` if these replace the speeds of the bodies.
fn write_bodies<const D: usize>(to: &mut Writer<'_>, agents: &Agents<D>, speeds: Option<&[f32]>) {
    let BodyQuantities { mass, radius, max_speed, max_force } = &agents.body;
    let write_each = |to: &mut Writer<'_>, column| {
        true.save(to);
        write_rows(to, agents, column);
    };
    for (number, quantity) in [mass, radius, max_speed, max_force].into_iter().enumerate() {
        let speeds = speeds.filter(|_| number == MAX_SPEED);
        match quantity {
            BodyQuantity::Same(value) if speeds.is_none_or(|speeds| speeds.iter().all(|speed| speed == value)) => {
                (false, *value).save(to);
            }
            BodyQuantity::Same(_) => write_each(to, speeds.unwrap_or_default()),
            BodyQuantity::Each(column) => write_each(to, speeds.unwrap_or(column)),
        }
    }
}

fn read_bodies(from: &mut Reader<'_>, body: &mut BodyQuantities, rows: &Rows) -> Result<(), SnapshotError> {
    for (quantity, table) in body.each().into_iter().zip(&QUANTITIES) {
        let fits = |value: f32| match table.kind {
            Kind::Number(range) => range.contains(f64::from(value)),
            _ => true,
        };
        *quantity = if bool::load(from)? {
            BodyQuantity::Each(from.rows(rows, 1)?)
        } else {
            BodyQuantity::Same(from.number()?)
        };
        let values = match quantity {
            BodyQuantity::Same(value) => std::slice::from_ref(value),
            BodyQuantity::Each(column) => &column[..],
        };
        if let Some(&value) = values.iter().find(|value| !fits(**value)) {
            return Err(table.refuse(&value.into()).into());
        }
    }
    Ok(())
}

/// Reads positions, velocities, residuals, goals and headings.
fn read_motion<const D: usize>(
    from: &mut Reader<'_>,
    agents: &mut Agents<D>,
    rows: &Rows,
    settings: &Settings<D>,
) -> Result<(), SnapshotError> {
    let anywhere = |_| 4.0 * LIMIT;
    for position in agents.position.iter_mut() {
        *position = read_within(from, rows, "position", anywhere)?;
    }
    for velocity in &mut agents.velocity {
        *velocity = read_within(from, rows, "velocity", anywhere)?;
    }
    let period = settings.period();
    for ((residual, position), period) in agents.position_residual.iter_mut().zip(agents.position.iter()).zip(period) {
        *residual = read_within(from, rows, "residual of a position", |row| max_residual(position[row], period))?;
    }
    for (residual, velocity) in agents.velocity_residual.iter_mut().zip(&agents.velocity) {
        let most = |row: usize| max_residual(velocity[row], f32::INFINITY);
        *residual = read_within(from, rows, "residual of a velocity", most)?;
    }
    for (position, period) in agents.position.iter().zip(period).filter(|(_, period)| *period < f32::INFINITY) {
        if let Some(&at) = position.iter().find(|at| !(0.0..period).contains(*at)) {
            return Err(out_of_range("position", at, 0.0, period.into()));
        }
    }
    let optional = from.number::<u8>()?;
    if optional > 3 {
        return Err(from.unknown("what agents have", optional));
    }
    if optional & 1 == 1 {
        for column in agents.goal.insert([const { Vec::new() }; D]) {
            *column = from.rows(rows, 1)?;
        }
    }
    if optional & 2 == 2 {
        for column in agents.heading.insert([const { Vec::new() }; D]) {
            *column = read_within(from, rows, "heading", anywhere)?;
        }
    }
    agents.pad();
    Ok(())
}

/// Reads a column of numbers at most `most` from zero, which may depend on the row.
fn read_within(
    from: &mut Reader<'_>,
    rows: &Rows,
    what: &str,
    most: impl Fn(usize) -> f32,
) -> Result<Vec<f32>, SnapshotError> {
    let numbers: Vec<f32> = from.rows(rows, 1)?;
    let fits = |(row, number): &(usize, &f32)| number.abs() <= most(*row);
    match numbers.iter().enumerate().find(|number| !fits(number)) {
        None => Ok(numbers),
        Some((row, &number)) => Err(out_of_range(what, number, -f64::from(most(row)), most(row).into())),
    }
}
