//! Settings and definitions of species in a snapshot.

use std::sync::Arc;

use crate::base::error::Error;
use crate::base::settings::{Edge, Seam, Settings};
use crate::rules::interface::{Behaviour, Sight, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::parameters::{Allowed, Parameter, Reflect, Value};
use crate::species::states::{Catch, Condition, Place, State, Transition, Variable};
use crate::species::tables::QUANTITIES;
use crate::species::{Combine, Contacts, Distribution, Familiar, PersonKind, Population, Rule, Sex, Species};
use crate::state::snapshot::forms::{Elsewhere, NoneIs};
use crate::state::snapshot::{Reader, Saved, SnapshotError, Writer, saved};

saved!([const D: usize] struct Settings<D> {
    size, edge: Edges, tick_seconds, seed, pair_budget seams: BudgetAndSeams
} check(settings, _from) { Ok(settings.check()?) });

saved!([const D: usize] struct Seam<D> { ends, shift } check(seam, _from) { Ok(seam.check()?) });

/// The budget of pairs; where there are seams, a number that no budget has, the budget and the seams.
struct BudgetAndSeams;

impl BudgetAndSeams {
    const SEAMS: u64 = 1;

    fn save<const D: usize>((budget, seams): (&Option<usize>, &[Seam<D>]), to: &mut Writer<'_>) {
        if !seams.is_empty() {
            to.number(Self::SEAMS);
            to.list(seams.iter(), |to, seam| seam.save(to));
        }
        NoneIs::<0>::save(budget, to);
    }

    fn load<const D: usize>(from: &mut Reader<'_>) -> Result<(Option<usize>, Vec<Seam<D>>), SnapshotError> {
        let budget = NoneIs::<0>::load(from)?;
        if budget != Some(Self::SEAMS as usize) {
            return Ok((budget, Vec::new()));
        }
        let seams = Vec::load(from)?;
        Ok((NoneIs::<0>::load(from)?, seams))
    }
}

/// The names of the edges of all axes, separated by spaces; one name if they are equal.
struct Edges;

impl Edges {
    fn names<const D: usize>(edge: &[Edge; D]) -> String {
        let different = edge.iter().any(|other| other != &edge[0]);
        edge[..if different { D } else { 1 }].iter().map(|edge| edge.name()).collect::<Vec<_>>().join(" ")
    }

    fn save<const D: usize>(edge: &[Edge; D], to: &mut Writer<'_>) {
        to.text(&Self::names(edge));
    }

    fn load<const D: usize>(from: &mut Reader<'_>) -> Result<[Edge; D], SnapshotError> {
        let text = from.text()?;
        let known = |name| Edge::ALL.into_iter().find(|edge| edge.name() == name);
        let found = text.split(' ').map(known).collect::<Option<Vec<Edge>>>();
        let edge = found.map(|found| std::array::from_fn(|axis| found[axis % found.len()]));
        edge.filter(|edge| Self::names(edge) == text).ok_or_else(|| from.unknown("an edge", text))
    }
}

saved!([const D: usize] struct Species<D> {
    name,
    mass, radius, max_speed, max_force, min_speed: Fixed<4>, max_turn_rate: Fixed<5>, response: Fixed<6>,
    moved_by_host pre_movement lifetime kinds familiar sight: Flagged,
    motion, combine, rules, states, variables, catch,
    contacts: Elsewhere, ..blank
});
saved!([const D: usize] struct Rule<D> { weight, during, key, behaviour });
saved!(enum Combine as "a method that combines forces" { 0 => Weighted, 1 => Priority(threshold), 2 => Truncated });
saved!(struct Variable { name, start: NumberOr, low, high });

/// A number, or no number and a distribution after it.
struct NumberOr;

impl NumberOr {
    fn save(start: &Distribution, to: &mut Writer<'_>) {
        match start {
            Distribution::Same(number) if !number.is_nan() => number.save(to),
            drawn => {
                f32::NAN.save(to);
                drawn.save(to);
            }
        }
    }

    fn load(from: &mut Reader<'_>) -> Result<Distribution, SnapshotError> {
        let number = f32::load(from)?;
        if number.is_nan() { Distribution::load(from) } else { Ok(number.into()) }
    }
}

saved!(struct Catch { whom, distance, remove, during });
saved!(struct Contacts { whom, distance });
saved!(struct PersonKind {
    name, share, ages, sex, mass, radius, max_speed, pre_movement, stairs_up: Elsewhere, stairs_down: Elsewhere, familiar
});
saved!(enum Sight as "a sight" { 0 => Through, 1 => Walls, 2 => Always });
saved!(enum Sex as "a sex" { 0 => Female, 1 => Male });
saved!(struct Familiar { navigation, share, radii });
saved!(enum SpeciesFilter as "a species filter" { 0 => Own, 1 => All, 2 => Named(names) });
saved!(struct State { name, rates, transitions });
saved!(struct Transition { to, when });
saved!(enum Condition as "a condition" {
    0 => Below(variable, value),
    1 => Above(variable, value),
    2 => Nearer(filter, distance),
    3 => Farther(filter, distance),
    4 => NearerPlace(place, distance),
    5 => FartherPlace(place, distance),
    6 => After(seconds),
    7 => Caught,
    8 => WasCaught,
    9 => Arrived,
    10 => Open(door),
    11 => Closed(door),
});
saved!(enum Place as "a place" { 0 => Point(point), 1 => Mark(name), 2 => Region(name) });
saved!(enum Distribution as "a distribution" {
    0 => Same(value),
    1 => Uniform(low, high),
    2 => Normal { mean, sd, low, high },
    3 => LogNormal { median, log_sd, low, high },
    4 => Population(population),
    5 => Gamma { shape, scale, low, high },
    6 => Weibull { shape, scale, low, high },
});
saved!(enum Value as "a value" {
    0 => Number(number),
    1 => Flag(flag),
    2 => Word(word),
    3 => Words(words),
    4 => Point(point),
    5 => Points(points),
    6 => Whole(whole),
    7 => Distribution(drawn),
});

impl Saved for Population {
    fn save(&self, to: &mut Writer<'_>) {
        to.text(self.name());
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let name = from.text()?;
        let known = Self::ALL.into_iter().find(|known| known.name() == name);
        known.ok_or_else(|| from.unknown("a population", name))
    }
}

/// One of the [`QUANTITIES`] that all agents of a species share, as a distribution.
struct Fixed<const NUMBER: usize>;

impl<const NUMBER: usize> Fixed<NUMBER> {
    fn save(value: &f32, to: &mut Writer<'_>) {
        Distribution::Same(*value).save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<f32, SnapshotError> {
        let table = &QUANTITIES[NUMBER];
        match Distribution::load(from)? {
            Distribution::Same(value) => Ok(value),
            other => {
                other.check(table)?;
                let allowed = Allowed::Kind { kind: table.kind, unit: table.unit };
                Err(Error::bad(table.name, other, allowed).into())
            }
        }
    }
}

/// Whether the host moves a species, which of its times it has, and whether it has kinds of people, shares of agents that
/// know goals, a sight of its own and kinds with factors of their own on stairs, as bits; then these.
struct Flagged;

/// The host moves the species; its pre-movement time; its lifetime; its kinds; the knowledge of its agents; its sight.
type Flags = (bool, Option<Distribution>, Option<Distribution>, Vec<PersonKind>, Vec<Familiar>, Sight);

/// References to [`Flags`].
type FlagRefs<'a> =
    (&'a bool, &'a Option<Distribution>, &'a Option<Distribution>, &'a Vec<PersonKind>, &'a Vec<Familiar>, &'a Sight);

/// The bits of [`Flagged`].
const FLAGS: u8 = 127;

impl Flagged {
    fn save((by_host, pre_movement, lifetime, kinds, familiar, sight): FlagRefs<'_>, to: &mut Writer<'_>) {
        let has_people = [!kinds.is_empty(), !familiar.is_empty()];
        let has_times = [pre_movement, lifetime].map(Option::is_some);
        let stairs: Vec<_> = kinds.iter().map(|kind| [kind.stairs_up, kind.stairs_down]).collect();
        let own_stairs = stairs.iter().flatten().any(Option::is_some);
        let others = [*sight != Sight::Through, own_stairs];
        let bits = [*by_host].into_iter().chain(has_times).chain(has_people).chain(others);
        to.number((0..).zip(bits).fold(0, |flags, (bit, is_set)| flags | u8::from(is_set) << bit));
        pre_movement.iter().chain(lifetime).for_each(|time| time.save(to));
        if !kinds.is_empty() {
            kinds.save(to);
        }
        if !familiar.is_empty() {
            familiar.save(to);
        }
        if *sight != Sight::Through {
            sight.save(to);
        }
        if own_stairs {
            stairs.save(to);
        }
    }

    fn load(from: &mut Reader<'_>) -> Result<Flags, SnapshotError> {
        let flags = from.number::<u8>()?;
        if flags > FLAGS {
            return Err(from.unknown("flags of a species", flags));
        }
        let mut time = |bit: u8| if flags & bit != 0 { Distribution::load(from).map(Some) } else { Ok(None) };
        let (pre_movement, lifetime) = (time(2)?, time(4)?);
        let mut kinds: Vec<PersonKind> = if flags & 8 != 0 { Saved::load(from)? } else { Vec::new() };
        let familiar = if flags & 16 != 0 { Saved::load(from)? } else { Vec::new() };
        let sight = if flags & 32 != 0 { Saved::load(from)? } else { Sight::Through };
        let stairs: Vec<[Option<f32>; 2]> = if flags & 64 != 0 { Saved::load(from)? } else { Vec::new() };
        for (kind, factors) in kinds.iter_mut().zip(stairs) {
            [kind.stairs_up, kind.stairs_down] = factors;
        }
        Ok((flags & 1 != 0, pre_movement, lifetime, kinds, familiar, sight))
    }
}

impl<const D: usize> Saved for Arc<dyn Behaviour<D>> {
    fn save(&self, to: &mut Writer<'_>) {
        save_table(self.table().map(|table| table as &dyn Reflect), self.name(), to);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let name = from.text()?;
        let known = from.registry.and_then(|registry| registry.named(&name));
        let mut rule = known.ok_or(SnapshotError::UnknownRule(name))?;
        load_parameters(&mut *rule, from)?;
        Ok(Self::from(rule as Box<dyn Behaviour<D>>))
    }
}

impl<const D: usize> Saved for Arc<dyn Motion<D>> {
    fn save(&self, to: &mut Writer<'_>) {
        save_table(self.table().map(|table| table as &dyn Reflect), self.name(), to);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let name = from.text()?;
        let known = from.registry.and_then(|registry| registry.motion_named(&name));
        let mut motion = known.ok_or(SnapshotError::UnknownRule(name))?;
        load_parameters(&mut *motion, from)?;
        Ok(Self::from(motion as Box<dyn Motion<D>>))
    }
}

/// Writes the name and the parameters of a rule or a motion. One without a table of parameters is refused where it is to
/// be read back, and enters a hash by its name.
fn save_table(table: Option<&dyn Reflect>, name: &str, to: &mut Writer<'_>) {
    let Some(table) = table else {
        to.refuse_rule(name);
        return to.text(name);
    };
    to.text(table.rule());
    let is_written = |parameter: &&Parameter| {
        let usual = table.usual(parameter.name);
        usual.is_none() || usual != table.get(parameter.name)
    };
    let written: Vec<_> = table.parameters().iter().filter(is_written).collect();
    to.list(written.into_iter(), |to, parameter| {
        to.text(parameter.name);
        if let Some(value) = table.get(parameter.name) {
            value.save(to);
        }
    });
}

/// Reads the parameters of a rule or a motion.
fn load_parameters(rule: &mut dyn Reflect, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
    for parameter in rule.parameters() {
        if let Some(usual) = rule.usual(parameter.name) {
            rule.set(parameter.name, &usual)?;
        }
    }
    let set = from.list(|from| {
        let (parameter, value) = <(String, Value)>::load(from)?;
        Ok(rule.set(&parameter, &value)?)
    });
    set.map(drop)
}
