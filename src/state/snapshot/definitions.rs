//! Encoding and decoding of settings and species definitions.

use std::sync::Arc;

use crate::base::settings::{Edge, Settings};
use crate::rules::interface::{Behaviour, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::parameters::{Reflect, Value};
use crate::species::registry::Registry;
use crate::species::states::{Catch, Condition, Place, State, Transition, Variable};
use crate::species::{Combine, Distribution, Population, QUANTITIES, Rule, Species};
use crate::state::snapshot::error::SnapshotError;
use crate::state::snapshot::reader::Reader;
use crate::state::snapshot::writer::Writer;

pub(crate) fn write_settings<const D: usize>(to: &mut Writer<'_>, settings: &Settings<D>) {
    let Settings { size, edge, tick_seconds, seed, pair_budget } = settings;
    to.vector(*size);
    to.text(&names(edge));
    to.f32(*tick_seconds);
    to.u64(*seed);
    to.u64(pair_budget.map_or(0, |budget| budget as u64));
}

pub(crate) fn read_settings<const D: usize>(from: &mut Reader<'_>) -> Result<Settings<D>, SnapshotError> {
    let size = from.vector()?;
    let words = from.text()?;
    let Some(edge) = edges(&words) else {
        return Err(from.unknown("an edge", words));
    };
    let (tick_seconds, seed, budget) = (from.f32()?, from.u64()?, from.u64()?);
    let pair_budget = (budget > 0).then_some(budget as usize);
    let settings = Settings { size, edge, tick_seconds, seed, pair_budget };
    settings.check()?;
    Ok(settings)
}

/// Returns the names of the edges of all axes, separated by spaces; one name if they are equal.
fn names<const D: usize>(edge: &[Edge; D]) -> String {
    let different = edge.iter().any(|other| other != &edge[0]);
    edge[..if different { D } else { 1 }].iter().map(|edge| edge.name()).collect::<Vec<_>>().join(" ")
}

/// Returns the edges with these [`names`].
fn edges<const D: usize>(text: &str) -> Option<[Edge; D]> {
    let known = |name| Edge::ALL.into_iter().find(|edge| edge.name() == name);
    let found = text.split(' ').map(known).collect::<Option<Vec<Edge>>>()?;
    let edge = std::array::from_fn(|axis| found[axis % found.len()]);
    (names(&edge) == text).then_some(edge)
}

/// Writes a species. With `strict`, refuses rules and motions that could not be read back.
pub(crate) fn write_species<const D: usize>(
    to: &mut Writer<'_>,
    species: &Species<D>,
    strict: bool,
) -> Result<(), SnapshotError> {
    to.text(&species.name);
    for quantity in species.quantities() {
        write_distribution(to, quantity);
    }
    let optional = [species.pre_movement, species.lifetime];
    let present = optional.iter().zip(1..).filter(|(time, _)| time.is_some());
    to.u8(present.fold(u8::from(species.moved_by_host), |flags, (_, bit)| flags | 1 << bit));
    optional.into_iter().flatten().for_each(|time| write_distribution(to, time));
    to.flag(species.motion.is_some());
    if let Some(motion) = &species.motion {
        match motion.table() {
            Some(table) => write_table(to, table),
            None if strict => return Err(SnapshotError::UnknownRule(motion.name().to_owned())),
            None => to.text(motion.name()),
        }
    }
    match species.combine {
        Combine::Weighted => to.u8(0),
        Combine::Priority(threshold) => {
            to.u8(1);
            to.f32(threshold);
        }
        Combine::Truncated => to.u8(2),
    }
    to.u32(species.rules.len() as u32);
    for rule in &species.rules {
        write_rule(to, rule, strict)?;
    }
    to.list(species.states.iter(), write_state);
    to.list(species.variables.iter(), |to, variable| {
        to.text(&variable.name);
        [variable.start, variable.low, variable.high].into_iter().for_each(|number| to.f32(number));
    });
    to.flag(species.catch.is_some());
    if let Some(Catch { filter, distance, remove, during }) = &species.catch {
        write_filter(to, filter);
        to.f32(*distance);
        to.flag(*remove);
        to.list(during.iter(), |to, name| to.text(name));
    }
    Ok(())
}

pub(crate) fn read_species<const D: usize>(
    from: &mut Reader<'_>,
    registry: &Registry,
) -> Result<Species<D>, SnapshotError> {
    let mut species = Species::new(from.text()?);
    for quantity in &QUANTITIES {
        species.set_quantity(quantity.name, read_distribution(from)?)?;
    }
    let flags = from.u8()?;
    if flags > 7 {
        return Err(from.unknown("flags of a species", flags));
    }
    species.moved_by_host = flags & 1 != 0;
    for (bit, time) in [(1, &mut species.pre_movement), (2, &mut species.lifetime)] {
        if flags >> bit & 1 != 0 {
            *time = Some(read_distribution(from)?);
        }
    }
    if from.flag()? {
        let name = from.text()?;
        let mut motion = registry.find_motion(&name).ok_or(SnapshotError::UnknownRule(name))?;
        read_table(from, &mut *motion)?;
        species.motion = Some(Arc::from(motion as Box<dyn Motion<D>>));
    }
    species.combine = match from.u8()? {
        0 => Combine::Weighted,
        1 => Combine::Priority(from.f32()?),
        2 => Combine::Truncated,
        other => return Err(from.unknown("a method that combines forces", other)),
    };
    species.rules = from.list(|from| read_rule(from, registry))?;
    species.states = from.list(read_state)?;
    species.variables =
        from.list(|from| Ok(Variable { name: from.text()?, start: from.f32()?, low: from.f32()?, high: from.f32()? }))?;
    if from.flag()? {
        let (filter, distance, remove) = (read_filter(from)?, from.f32()?, from.flag()?);
        species.catch = Some(Catch { filter, distance, remove, during: from.list(Reader::text)? });
    }
    Ok(species)
}

fn write_rule<const D: usize>(to: &mut Writer<'_>, rule: &Rule<D>, strict: bool) -> Result<(), SnapshotError> {
    to.f32(rule.weight);
    to.list(rule.during.iter(), |to, name| to.text(name));
    to.u32(rule.key);
    let Some(table) = rule.behaviour.table() else {
        if strict {
            return Err(SnapshotError::UnknownRule(rule.behaviour.name().to_owned()));
        }
        to.text(rule.behaviour.name());
        return Ok(());
    };
    write_table(to, table);
    Ok(())
}

fn read_rule<const D: usize>(from: &mut Reader<'_>, registry: &Registry) -> Result<Rule<D>, SnapshotError> {
    let weight = from.f32()?;
    let (during, key) = (from.list(Reader::text)?, from.u32()?);
    let name = from.text()?;
    let mut behaviour = registry.find(&name).ok_or(SnapshotError::UnknownRule(name))?;
    read_table(from, &mut *behaviour)?;
    let behaviour: Arc<dyn Behaviour<D>> = Arc::from(behaviour as Box<dyn Behaviour<D>>);
    Ok(Rule { weight, behaviour, during, key })
}

/// Writes the name and the parameters of a rule or a motion.
fn write_table<T: Reflect + ?Sized>(to: &mut Writer<'_>, table: &T) {
    to.text(table.rule());
    to.list(table.parameters().iter(), |to, parameter| {
        to.text(parameter.name);
        if let Some(value) = table.get(parameter.name) {
            write_value(to, &value);
        }
    });
}

/// Reads the parameters of a rule or a motion.
fn read_table<T: Reflect + ?Sized>(from: &mut Reader<'_>, rule: &mut T) -> Result<(), SnapshotError> {
    from.list(|from| {
        let parameter = from.text()?;
        rule.set(&parameter, &read_value(from)?)?;
        Ok(())
    })?;
    Ok(())
}

pub(super) fn write_distribution(to: &mut Writer<'_>, distribution: Distribution) {
    match distribution {
        Distribution::Same(value) => {
            to.u8(0);
            to.f32(value);
        }
        Distribution::Uniform(low, high) => {
            to.u8(1);
            to.f32(low);
            to.f32(high);
        }
        Distribution::Normal { mean, sd, low, high } => {
            to.u8(2);
            [mean, sd, low, high].into_iter().for_each(|number| to.f32(number));
        }
        Distribution::LogNormal { median, log_sd, low, high } => {
            to.u8(3);
            [median, log_sd, low, high].into_iter().for_each(|number| to.f32(number));
        }
        Distribution::Population(population) => {
            to.u8(4);
            to.text(population.name());
        }
    }
}

pub(super) fn read_distribution(from: &mut Reader<'_>) -> Result<Distribution, SnapshotError> {
    match from.u8()? {
        0 => Ok(Distribution::Same(from.f32()?)),
        1 => Ok(Distribution::Uniform(from.f32()?, from.f32()?)),
        2 => Ok(Distribution::Normal { mean: from.f32()?, sd: from.f32()?, low: from.f32()?, high: from.f32()? }),
        3 => Ok(Distribution::LogNormal {
            median: from.f32()?,
            log_sd: from.f32()?,
            low: from.f32()?,
            high: from.f32()?,
        }),
        4 => {
            let name = from.text()?;
            let known = Population::ALL.into_iter().find(|known| known.name() == name);
            known.map(Distribution::Population).ok_or_else(|| from.unknown("a population", name))
        }
        other => Err(from.unknown("a distribution", other)),
    }
}

pub(super) fn write_filter(to: &mut Writer<'_>, filter: &SpeciesFilter) {
    match filter {
        SpeciesFilter::Own => to.u8(0),
        SpeciesFilter::All => to.u8(1),
        SpeciesFilter::Named(names) => {
            to.u8(2);
            to.list(names.iter(), |to, name| to.text(name));
        }
    }
}

pub(super) fn read_filter(from: &mut Reader<'_>) -> Result<SpeciesFilter, SnapshotError> {
    match from.u8()? {
        0 => Ok(SpeciesFilter::Own),
        1 => Ok(SpeciesFilter::All),
        2 => Ok(SpeciesFilter::Named(from.list(Reader::text)?)),
        other => Err(from.unknown("a species filter", other)),
    }
}

fn write_value(to: &mut Writer<'_>, value: &Value) {
    match value {
        Value::Number(number) => {
            to.u8(0);
            to.f64(*number);
        }
        Value::Whole(whole) => {
            to.u8(6);
            to.u64(*whole);
        }
        Value::Flag(flag) => {
            to.u8(1);
            to.flag(*flag);
        }
        Value::Word(word) => {
            to.u8(2);
            to.text(word);
        }
        Value::Words(words) => {
            to.u8(3);
            to.list(words.iter(), |to, word| to.text(word));
        }
        Value::Point(point) => {
            to.u8(4);
            write_point(to, point);
        }
        Value::Points(points) => {
            to.u8(5);
            to.list(points.iter(), |to, point| write_point(to, point));
        }
    }
}

fn read_value(from: &mut Reader<'_>) -> Result<Value, SnapshotError> {
    Ok(match from.u8()? {
        0 => Value::Number(from.f64()?),
        1 => Value::Flag(from.flag()?),
        2 => Value::Word(from.text()?),
        3 => Value::Words(from.list(Reader::text)?),
        4 => Value::Point(from.list(Reader::f64)?),
        6 => Value::Whole(from.u64()?),
        5 => Value::Points(from.list(|from| from.list(Reader::f64))?),
        other => return Err(from.unknown("a value", other)),
    })
}

fn write_point(to: &mut Writer<'_>, point: &[f64]) {
    to.list(point.iter(), |to, number| to.f64(*number));
}

fn write_state(to: &mut Writer<'_>, state: &State) {
    to.text(&state.name);
    to.list(state.rates.iter(), |to, (name, rate)| {
        to.text(name);
        to.f32(*rate);
    });
    to.list(state.transitions.iter(), |to, transition| {
        to.text(&transition.to);
        write_condition(to, &transition.when);
    });
}

fn read_state(from: &mut Reader<'_>) -> Result<State, SnapshotError> {
    let name = from.text()?;
    let rates = from.list(|from| Ok((from.text()?, from.f32()?)))?;
    let transitions = from.list(|from| Ok(Transition { to: from.text()?, when: read_condition(from)? }))?;
    Ok(State { name, rates, transitions })
}

fn write_condition(to: &mut Writer<'_>, condition: &Condition) {
    let number = match condition {
        Condition::Below(..) => 0,
        Condition::Above(..) => 1,
        Condition::Nearer(..) => 2,
        Condition::Farther(..) => 3,
        Condition::NearerPlace(..) => 4,
        Condition::FartherPlace(..) => 5,
        Condition::After(_) => 6,
        Condition::Caught => 7,
        Condition::WasCaught => 8,
        Condition::Arrived => 9,
        Condition::Open(_) => 10,
        Condition::Closed(_) => 11,
    };
    to.u8(number);
    match condition {
        Condition::Below(name, _) | Condition::Above(name, _) | Condition::Open(name) | Condition::Closed(name) => {
            to.text(name);
        }
        Condition::Nearer(filter, _) | Condition::Farther(filter, _) => write_filter(to, filter),
        Condition::NearerPlace(place, _) | Condition::FartherPlace(place, _) => write_place(to, place),
        _ => {}
    }
    match condition {
        Condition::Below(_, value)
        | Condition::Above(_, value)
        | Condition::Nearer(_, value)
        | Condition::Farther(_, value)
        | Condition::NearerPlace(_, value)
        | Condition::FartherPlace(_, value)
        | Condition::After(value) => to.f32(*value),
        Condition::Open(_) | Condition::Closed(_) | Condition::Caught | Condition::WasCaught | Condition::Arrived => {}
    }
}

fn read_condition(from: &mut Reader<'_>) -> Result<Condition, SnapshotError> {
    Ok(match from.u8()? {
        0 => Condition::Below(from.text()?, from.f32()?),
        1 => Condition::Above(from.text()?, from.f32()?),
        2 => Condition::Nearer(read_filter(from)?, from.f32()?),
        3 => Condition::Farther(read_filter(from)?, from.f32()?),
        4 => Condition::NearerPlace(read_place(from)?, from.f32()?),
        5 => Condition::FartherPlace(read_place(from)?, from.f32()?),
        6 => Condition::After(from.f32()?),
        7 => Condition::Caught,
        8 => Condition::WasCaught,
        9 => Condition::Arrived,
        10 => Condition::Open(from.text()?),
        11 => Condition::Closed(from.text()?),
        other => return Err(from.unknown("a condition", other)),
    })
}

fn write_place(to: &mut Writer<'_>, place: &Place) {
    match place {
        Place::Point(point) => {
            to.u8(0);
            to.list(point.iter(), |to, number| to.f32(*number));
        }
        Place::Mark(name) => {
            to.u8(1);
            to.text(name);
        }
        Place::Region(name) => {
            to.u8(2);
            to.text(name);
        }
    }
}

fn read_place(from: &mut Reader<'_>) -> Result<Place, SnapshotError> {
    match from.u8()? {
        0 => Ok(Place::Point(from.list(Reader::f32)?)),
        1 => Ok(Place::Mark(from.text()?)),
        2 => Ok(Place::Region(from.text()?)),
        other => Err(from.unknown("a place", other)),
    }
}
