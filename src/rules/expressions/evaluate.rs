//! Evaluation of programs for the agents of a cluster or a chunk.
//!
//! The pairs of a cluster are in rows of sixteen, one for each agent: the first row has the first neighbour of each, in
//! the order of species and rows. So each agent adds its terms in that order, whatever the instruction set, and a row is
//! a register. Rows are computed in blocks, whose slots stay in the nearest cache.

use std::cell::Cell;
use std::ops::Range;

use crate::agents::Agents;
use crate::agents::columns::{Owner, Stored as _};
use crate::environment::Environment;
use crate::environment::substance::Sensed;
use crate::kernels::CLUSTER;
use crate::kernels::expression::{add, binary, choose, greatest, least, to_nearest_images, unary};
use crate::maths::{Noise, Vector};
use crate::rules::expressions::program::{
    Draw, OwnOperation, PairOperation, Program, Quantity, Reduction, Slot, Stage,
};
use crate::rules::expressions::undefined::Undefined;
use crate::rules::interface::{Broken, Forces, Rows, Tally};
use crate::rules::world_view::WorldView;

/// The number of pairs that are computed at a time: 32 rows.
const BLOCK: usize = 32 * CLUSTER;

/// The relative excess of a squared speed or force that rounding explains.
const ROUNDING: f32 = 1e-5;

thread_local! {
    /// The slots of this thread; the next evaluation reuses the memory.
    static ROOM: Cell<Room> = const { Cell::new(Room::EMPTY) };
}

/// The slots of a program, and the pairs of a cluster.
#[derive(Default)]
struct Room {
    own: Vec<f32>,
    pairs: Vec<f32>,
    /// For each pair the neighbour's row, and its species if there are several.
    theirs: Vec<u32>,
    species: Vec<u32>,
}

impl Room {
    const EMPTY: Self = Self { own: Vec::new(), pairs: Vec::new(), theirs: Vec::new(), species: Vec::new() };
}

/// The species of neighbours.
#[derive(Clone, Copy, PartialEq)]
enum Species {
    None,
    One(usize),
    /// The species of each pair is in [`Room::species`].
    Several,
}

/// A program for some agents.
struct Evaluation<'a, const D: usize> {
    program: &'a Program,
    rows: &'a Rows<'a, D>,
    /// The number of agents, in whole clusters.
    stride: usize,
    /// The number of neighbours of each agent of a cluster, and the largest one.
    counts: [u32; CLUSTER],
    most: usize,
    species: Species,
}

/// Sets the variables of agents, and their forces.
pub(super) fn evaluate<const D: usize>(program: &Program, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
    let stride = rows.len().next_multiple_of(CLUSTER);
    let mut room = ROOM.take();
    grow(&mut room.own, program.own.len() * stride);
    grow(&mut room.pairs, program.pairs.len() * BLOCK);
    let (counts, species) = ([0; CLUSTER], Species::None);
    let mut evaluation = Evaluation { program, rows, stride, counts, most: 0, species };
    evaluation.list(&mut room);
    for stage in &program.stages {
        for &slot in &stage.own {
            evaluation.fill(slot, &mut room.own);
        }
        evaluation.reduce(stage, &mut room);
    }
    evaluation.store(&mut room, forces);
    ROOM.set(room);
}

/// Makes room for a number of entries.
fn grow<T: Clone + Default>(entries: &mut Vec<T>, needs: usize) {
    if entries.len() < needs {
        entries.resize(needs, T::default());
    }
}

impl<'a, const D: usize> Evaluation<'a, D> {
    /// Lists the pairs of the cluster. A species without one of the variables that the program reads of neighbours has
    /// no neighbours.
    fn list(&mut self, room: &mut Room) {
        let Some(neighbourhood) = self.rows.lists.first().filter(|_| self.program.sees) else { return };
        let lacks =
            |species: u32| self.program.theirs.iter().any(|&number| self.column(number, species as usize).is_none());
        let parts = || neighbourhood.sights().parts().filter(|part| !part.rows.is_empty() && !lacks(part.species));
        let Some(first) = parts().next() else { return };
        let is_single = parts().all(|part| part.species == first.species);
        let species = if is_single { Species::One(first.species as usize) } else { Species::Several };
        let limit = CLUSTER * parts().map(|part| part.rows.len()).sum::<usize>();
        grow(&mut room.theirs, limit);
        grow(&mut room.species, if is_single { 0 } else { limit });
        let mut counts = [0u32; CLUSTER];
        for part in parts() {
            for (&row, &by) in part.rows.iter().zip(part.by) {
                let mut rest = by;
                while rest != 0 {
                    let lane = rest.trailing_zeros() as usize % CLUSTER;
                    let place = counts[lane] as usize * CLUSTER + lane;
                    room.theirs[place] = row;
                    if !is_single {
                        room.species[place] = part.species;
                    }
                    counts[lane] += 1;
                    rest &= rest - 1;
                }
            }
        }
        let most = counts.iter().fold(0, |most, &count| if count > most { count } else { most }) as usize;
        // The end of a shorter column has some agent, whose terms do not count.
        for (lane, &count) in counts.iter().enumerate() {
            for row in count as usize..most {
                room.theirs[row * CLUSTER + lane] = first.rows[0];
                if !is_single {
                    room.species[row * CLUSTER + lane] = first.species;
                }
            }
        }
        (self.counts, self.most, self.species) = (counts, most, species);
    }

    /// The values of a variable in a species.
    fn column(&self, number: usize, species: usize) -> Option<&'a [f32]> {
        let rows = self.rows;
        let them = &rows.world.agents[species];
        let place = rows.names.columns[number].get(them.species.number()).copied().flatten()?;
        f32::rows(&them.columns.0[place].data)
    }

    /// Fills a slot of agents.
    fn fill(&self, slot: Slot, own: &mut [f32]) {
        let (rows, level, stride) = (self.rows, self.rows.level, self.stride);
        let (before, out) = own.split_at_mut(slot * stride);
        let out = &mut out[..stride];
        let at = |slot: Slot| &before[slot * stride..][..stride];
        let world = rows.world;
        match self.program.own[slot] {
            OwnOperation::Number(bits) => out.fill(f32::from_bits(bits)),
            OwnOperation::TickSeconds => out.fill(world.settings.tick_seconds),
            OwnOperation::Time => out.fill(world.seconds() as f32),
            OwnOperation::Response => out.fill(rows.response),
            OwnOperation::Position(axis) => copy(rows.positions()[axis], out),
            OwnOperation::Of(quantity) => {
                let first = rows.chunk + rows.first;
                let species = rows.agents.species.number();
                let all = out.iter_mut().zip(first..first + rows.len);
                match quantity {
                    Quantity::Velocity(axis) => copy(rows.velocities()[axis], out),
                    Quantity::Variable(number) => match self.column(number, species) {
                        Some(column) => copy(&column[first..first + rows.len], out),
                        None => out.fill(0.0),
                    },
                    _ => all.for_each(|(out, row)| *out = quantity_of(quantity, rows.agents, row)),
                }
            }
            OwnOperation::Count => {
                out.fill(0.0);
                out.iter_mut().zip(self.counts).for_each(|(out, count)| *out = count as f32);
            }
            OwnOperation::Draw(draw, number) => {
                for (lane, out) in out.iter_mut().enumerate().take(rows.len) {
                    let mut noise = self.noise(lane, number);
                    *out = match draw {
                        Draw::Uniform => noise.unit(),
                        Draw::Normal => noise.normal(),
                        Draw::Direction(axis) => noise.direction::<D>()[axis],
                    };
                }
            }
            OwnOperation::Sense(number, point) => {
                self.sense(number, out, |substance, lane| substance.at(Vector::from_fn(|axis| at(point[axis])[lane])))
            }
            OwnOperation::Slope(number, axis) => self.sense(number, out, |substance, lane| {
                substance.slope(rows.agents.position(rows.chunk + rows.first + lane), axis)
            }),
            OwnOperation::Unary(operation, of) => unary(level, operation, at(of), out),
            OwnOperation::Binary(operation, a, b) => binary(level, operation, at(a), at(b), out),
            OwnOperation::Choose(which, yes, no) => choose(level, at(which), at(yes), at(no), out),
            OwnOperation::Reduce(..) => {}
        }
    }

    /// Fills the numbers of agents from a substance; with zero while the environment has none of its name.
    fn sense(&self, number: usize, out: &mut [f32], of: impl Fn(&Sensed<'_, D>, usize) -> f32) {
        out.fill(0.0);
        let WorldView { environment: Environment { substances, .. }, settings, .. } = self.rows.world;
        let Some(place) = self.rows.names.substances[number] else { return };
        if let (Some(substance), Some(amounts)) = (substances.items().get(place), substances.records().get(place)) {
            let sensed = Sensed::new(substance, amounts, settings);
            out.iter_mut().enumerate().take(self.rows.len).for_each(|(lane, out)| *out = of(&sensed, lane));
        }
    }

    /// The random numbers of a draw of an agent.
    fn noise(&self, lane: usize, draw: u32) -> Noise {
        let rows = self.rows;
        let (agent, world) = (rows.agents.id[rows.chunk + rows.first + lane], rows.world);
        let purpose = Noise::EXPRESSION + (u64::from(rows.key) << 8 | u64::from(draw)) % Noise::EXPRESSION;
        Noise::new(world.settings.seed, agent.to_bits(), world.tick, purpose)
    }

    /// Computes the slots of pairs, block by block, and reduces them to slots of agents.
    fn reduce(&self, stage: &Stage, room: &mut Room) {
        for &slot in &stage.reduced {
            let (before, out) = room.own.split_at_mut(slot * self.stride);
            let out = &mut out[..self.stride];
            match self.program.own[slot] {
                OwnOperation::Reduce(Reduction::Least, _) => out.fill(f32::INFINITY),
                OwnOperation::Reduce(Reduction::Greatest, _) => out.fill(f32::NEG_INFINITY),
                OwnOperation::Reduce(Reduction::Pick(_, without), _) => {
                    out.copy_from_slice(&before[without * self.stride..][..self.stride]);
                }
                _ => out.fill(0.0),
            }
        }
        let end = if stage.reduced.is_empty() { 0 } else { self.most * CLUSTER };
        for start in (0..end).step_by(BLOCK) {
            let block = start..if end - start > BLOCK { start + BLOCK } else { end };
            for &slot in &stage.pairs {
                self.fill_pairs(slot, block.clone(), room);
            }
            for &slot in &stage.reduced {
                let OwnOperation::Reduce(reduction, of) = self.program.own[slot] else { continue };
                let values = &room.pairs[of * BLOCK..][..block.len()];
                if let Some(out) = room.own[slot * self.stride..].first_chunk_mut() {
                    self.reduce_block(reduction, values, start / CLUSTER, out);
                }
            }
        }
    }

    /// Adds rows of pairs from `first` on to the numbers of a cluster's agents.
    fn reduce_block(&self, reduction: Reduction, values: &[f32], first: usize, out: &mut [f32; CLUSTER]) {
        let level = self.rows.level;
        let left = self.counts.map(|count| count as f32 - first as f32);
        match reduction {
            Reduction::Sum => add(level, values, &left, out),
            Reduction::Least => least(level, values, &left, out),
            Reduction::Greatest => greatest(level, values, &left, out),
            Reduction::Pick(draw, _) => {
                for (lane, out) in out.iter_mut().enumerate().take(self.rows.len) {
                    let count = self.counts[lane];
                    // A draw below one times the count may round to the count.
                    let picked = (self.noise(lane, draw).unit() * count as f32) as u32;
                    let picked = if picked < count { picked } else { count.wrapping_sub(1) };
                    let row = (picked as usize).wrapping_sub(first);
                    *out = values.get(row.saturating_mul(CLUSTER).saturating_add(lane)).copied().unwrap_or(*out);
                }
            }
        }
    }

    /// Fills a slot of pairs for a block of them.
    fn fill_pairs(&self, slot: Slot, block: Range<usize>, room: &mut Room) {
        let level = self.rows.level;
        let Room { own, pairs, theirs, species } = room;
        let (before, out) = pairs.split_at_mut(slot * BLOCK);
        let out = &mut out[..block.len()];
        let at = |slot: Slot| &before[slot * BLOCK..][..block.len()];
        match self.program.pairs[slot] {
            PairOperation::Own(of) => {
                let own = &own[of * self.stride..][..CLUSTER];
                out.chunks_exact_mut(CLUSTER).for_each(|row| row.copy_from_slice(own));
            }
            PairOperation::Offset(axis) => {
                let mut own = [0.0; CLUSTER];
                copy(self.rows.positions()[axis], &mut own);
                self.gather(self.program.pairs[slot], theirs, species, block, out);
                for row in out.as_chunks_mut::<CLUSTER>().0 {
                    row.iter_mut().zip(own).for_each(|(out, own)| *out -= own);
                }
                to_nearest_images(level, out, self.rows.world.settings.period()[axis]);
            }
            operation @ PairOperation::Of(_) => self.gather(operation, theirs, species, block, out),
            PairOperation::Unary(operation, of) => unary(level, operation, at(of), out),
            PairOperation::Binary(operation, a, b) => binary(level, operation, at(a), at(b), out),
            PairOperation::Choose(which, yes, no) => choose(level, at(which), at(yes), at(no), out),
        }
    }

    /// Fills `out` with a number of each neighbour.
    fn gather(&self, operation: PairOperation, theirs: &[u32], species: &[u32], block: Range<usize>, out: &mut [f32]) {
        let agents = |number: usize| &self.rows.world.agents[number];
        let all = out.iter_mut().zip(&theirs[block.clone()]);
        match self.species {
            Species::None => {}
            Species::One(number) => match self.column_of(operation, number) {
                Some(column) => all.for_each(|(out, &row)| *out = column[row as usize]),
                None => all.for_each(|(out, &row)| *out = one_of(operation, agents(number), row as usize)),
            },
            Species::Several => all.zip(&species[block]).for_each(|((out, &row), &number)| {
                let (number, row) = (number as usize, row as usize);
                let column = self.column_of(operation, number);
                *out = column.map_or_else(|| one_of(operation, agents(number), row), |column| column[row]);
            }),
        }
    }

    /// The column of a species that an operation gathers from, if it is one.
    fn column_of(&self, operation: PairOperation, species: usize) -> Option<&'a [f32]> {
        let rows = self.rows;
        let agents = &rows.world.agents[species];
        match operation {
            PairOperation::Offset(axis) => Some(&agents.position[axis]),
            PairOperation::Of(Quantity::Velocity(axis)) => Some(&agents.velocity[axis]),
            PairOperation::Of(Quantity::Variable(number)) => self.column(number, species),
            _ => None,
        }
    }

    /// Stores the results. Where a result is NaN, the agent keeps that variable and is quarantined.
    fn store(&self, room: &mut Room, forces: &mut Forces<'_, D>) {
        let (rows, program) = (self.rows, self.program);
        let mut tally = Tally::default();
        for lane in (0..rows.len).filter(|lane| rows.is_active(rows.first + lane)) {
            let at = |slot: Slot| room.own[slot * self.stride + lane];
            let mut is_number = true;
            for (number, (_, slot)) in program.updates.iter().enumerate() {
                is_number &= !at(*slot).is_nan();
                rows.update(number, rows.first + lane, at(*slot));
            }
            let mut broken = program.updates.iter().map(|(_, slot)| *slot).find(|&slot| at(slot).is_nan());
            for axis in 0..D {
                let force = program.force.get(axis).map_or(0.0, |&slot| at(slot));
                forces.forces[axis][rows.first + lane] = if is_number { force } else { f32::NAN };
            }
            broken = broken.or_else(|| program.force.iter().copied().find(|&slot| !at(slot).is_finite()));
            let length =
                |slots: &[Slot]| slots.iter().map(|&slot| at(slot) * at(slot)).fold(0.0, |sum, axis| sum + axis);
            let (row, is_vehicle) = (rows.chunk + rows.first + lane, rows.turn_rate.is_some());
            let (squared, most) = match program.velocity.is_empty() {
                true if !is_vehicle => (0.0, 0.0),
                true => (length(&program.force), rows.agents.max_force(row)),
                false => (length(&program.velocity), rows.agents.max_speed(row)),
            };
            tally.cut += u64::from(squared > most * most * (1.0 + ROUNDING));
            if let Some(slot) = broken.filter(|_| tally.broken.is_none() && rows.tally.get().broken.is_none()) {
                let operation = self.undefined(room, slot, lane);
                tally.broken = Some(Broken { key: rows.key, operation: Some(operation) });
            }
        }
        let mut all = rows.tally.get();
        all.add(&tally);
        rows.tally.set(all);
    }

    /// The operation from which a slot of an agent, in a lane, has a result that is not finite: the first on the way
    /// back whose operands are better.
    fn undefined(&self, room: &mut Room, mut slot: Slot, lane: usize) -> Undefined {
        let is_bad = if room.own[slot * self.stride + lane].is_nan() { f32::is_nan } else { is_infinite };
        loop {
            let at = |slot: Slot| room.own[slot * self.stride + lane];
            let operands: Vec<Slot> = match self.program.own[slot] {
                OwnOperation::Unary(_, of) => vec![of],
                OwnOperation::Sense(_, point) => point[..D].to_vec(),
                OwnOperation::Binary(_, a, b) => vec![a, b],
                OwnOperation::Choose(which, yes, no) => vec![which, if at(which) == 0.0 { no } else { yes }],
                OwnOperation::Reduce(Reduction::Pick(_, without), _) if self.counts[lane] == 0 => vec![without],
                OwnOperation::Reduce(_, of) => match self.undefined_pair(room, (slot, of), lane, is_bad) {
                    Some(Ok(found)) => return found,
                    Some(Err(own)) => vec![own],
                    None => Vec::new(),
                },
                _ => Vec::new(),
            };
            let at = |slot: Slot| room.own[slot * self.stride + lane];
            match operands.iter().copied().find(|&operand| is_bad(at(operand))) {
                Some(operand) => slot = operand,
                None => return Undefined::new(false, slot, &operands.iter().map(|&slot| at(slot)).collect::<Vec<_>>()),
            }
        }
    }

    /// The same for the pairs of a reduction: an operation of pairs, or else a slot of the agent that they read.
    fn undefined_pair(
        &self,
        room: &mut Room,
        (reduced, of): (Slot, Slot),
        lane: usize,
        is_bad: fn(f32) -> bool,
    ) -> Option<Result<Undefined, Slot>> {
        let stage = self.program.stages.iter().find(|stage| stage.reduced.contains(&reduced))?;
        let end = self.counts[lane] as usize * CLUSTER;
        for start in (0..end).step_by(BLOCK) {
            let block = start..if end - start > BLOCK { start + BLOCK } else { end };
            for &slot in &stage.pairs {
                self.fill_pairs(slot, block.clone(), room);
            }
            let at = |slot: Slot, place: usize| room.pairs[slot * BLOCK + place];
            let Some(place) = (lane..block.len()).step_by(CLUSTER).find(|&place| is_bad(at(of, place))) else {
                continue;
            };
            let mut slot = of;
            loop {
                let operands = match self.program.pairs[slot] {
                    PairOperation::Own(own) => return Some(Err(own)),
                    PairOperation::Unary(_, of) => vec![of],
                    PairOperation::Binary(_, a, b) => vec![a, b],
                    PairOperation::Choose(which, yes, no) => {
                        vec![which, if at(which, place) == 0.0 { no } else { yes }]
                    }
                    PairOperation::Offset(_) | PairOperation::Of(_) => Vec::new(),
                };
                match operands.iter().copied().find(|&operand| is_bad(at(operand, place))) {
                    Some(operand) => slot = operand,
                    None => {
                        let numbers: Vec<f32> = operands.iter().map(|&slot| at(slot, place)).collect();
                        return Some(Ok(Undefined::new(true, slot, &numbers)));
                    }
                }
            }
        }
        None
    }
}

/// Whether a number is infinite or NaN.
fn is_infinite(number: f32) -> bool {
    !number.is_finite()
}

fn copy(from: &[f32], to: &mut [f32]) {
    to[..from.len()].copy_from_slice(from);
}

/// The number of the agent at a row that an operation gathers.
fn one_of<const D: usize>(operation: PairOperation, agents: &Agents<D>, row: usize) -> f32 {
    if let PairOperation::Of(quantity) = operation { quantity_of(quantity, agents, row) } else { 0.0 }
}

/// A number of the agent at a row.
fn quantity_of<const D: usize>(quantity: Quantity, agents: &Agents<D>, row: usize) -> f32 {
    match quantity {
        Quantity::Velocity(axis) => agents.velocity[axis][row],
        Quantity::Heading(axis) => agents.heading(row)[axis],
        Quantity::Mass => agents.mass(row),
        Quantity::Radius => agents.radius(row),
        Quantity::MaxSpeed => agents.max_speed(row),
        Quantity::MaxForce => agents.max_force(row),
        Quantity::State => agents
            .columns
            .values::<u32>(Owner::State)
            .and_then(|states| states.get(row))
            .map_or(0.0, |&state| state as f32),
        Quantity::Variable(_) => 0.0,
    }
}
