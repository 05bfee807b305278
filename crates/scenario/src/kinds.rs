//! Reading of the kinds of people of a species.

use throng::parameters::{Allowed, Kind, Parameter, rounded};
use throng::species::tables::{QUANTITIES, TIMES};
use throng::{Distribution, Familiar, PersonKind, Population, Quantity, Sex};

use crate::document::At;
use crate::fields::{self, Fields, Reader};
use crate::keys::RESIDENTS;
use crate::reason::{Cause, Reason};

/// The kinds of people of a species, and the place of each in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Kinds {
    pub(crate) kinds: Vec<PersonKind>,
    pub(crate) places: Vec<(At, String)>,
}

/// Reads the kinds of a species and its population, which decides the quantities of the agents that the kinds leave.
pub(crate) fn read<'d>(
    reader: &mut Reader<'d>,
    fields: &Fields<'d>,
    navigations: &[&str],
    quantities: &mut [Distribution; QUANTITIES.len()],
) -> Kinds {
    let mut kinds = Kinds::default();
    for table in reader.tables(fields, "kinds") {
        let Some(kind) = read_kind(reader, &table, (navigations, &kinds.kinds)) else { continue };
        if kind.pre_movement.is_some() && fields.entry(TIMES[0].name).is_none() {
            let cause = Cause { key: "kinds.pre_movement", value: None };
            reader.note(fields.at, fields.path_of(TIMES[0].name), None, Reason::MissingFor(cause));
        }
        kinds.kinds.push(kind);
        kinds.places.push((table.at, table.path.clone()));
    }
    let sum = kinds.kinds.iter().map(|kind| kind.share).sum::<f32>();
    if let Some(entry) = fields.entry("kinds")
        && sum > 1.0 + PersonKind::ROUNDING
    {
        reader.note(entry.at, fields.path_of("kinds"), None, Reason::Shares(sum));
    }
    let Some(population) = reader.choice(fields, "population") else { return kinds };
    let unused: &[Quantity] = match population {
        RESIDENTS => &[Quantity::Mass, Quantity::Radius, Quantity::MaxSpeed],
        _ => &[Quantity::MaxSpeed],
    };
    for name in unused.iter().map(|quantity| quantity.name()) {
        if let Some(entry) = fields.entry(name) {
            let cause = Cause { key: "population", value: None };
            reader.note(entry.at, fields.path_of(name), None, Reason::Unused(cause));
        }
    }
    if let Some(named) = Population::ALL.into_iter().find(|known| known.name() == population) {
        quantities[Quantity::MaxSpeed as usize] = Distribution::Population(named);
    } else if let Some(entry) = fields.entry("population") {
        let residents = PersonKind::residents(if sum < 1.0 { 1.0 - sum } else { 0.0 });
        for kind in residents.into_iter().filter(|kind| kind.share > 0.0) {
            kinds.kinds.push(kind);
            kinds.places.push((entry.at, fields.path_of("population")));
        }
    }
    kinds
}

/// Reads one kind, after the others of its species.
fn read_kind<'d>(
    reader: &mut Reader<'d>,
    table: &Fields<'d>,
    (navigations, others): (&[&str], &[PersonKind]),
) -> Option<PersonKind> {
    let (name, share) = (reader.name(table, "name"), reader.number(table, "share"));
    let sex = reader.choice(table, "sex");
    let sex = sex.and_then(|name| Sex::ALL.into_iter().find(|sex| sex.name() == name));
    let ages = match (reader.distribution(table, "age"), table.find("age")) {
        (Some(Distribution::Same(age)), _) => Some([age; 2]),
        (Some(Distribution::Uniform(from, to)), _) => Some([from, to]),
        (Some(_), Some((entry, Parameter { kind: Kind::Distribution(range), .. }))) => {
            let kind = Kind::Number(*range);
            reader.refuse(table.path_of("age"), &entry.item, Reason::MustBe(Allowed::Kind { kind, unit: "years" }));
            None
        }
        _ => None,
    };
    let [mass, radius, max_speed] = [Quantity::Mass, Quantity::Radius, Quantity::MaxSpeed]
        .map(|quantity| reader.distribution(table, quantity.name()));
    let pre_movement = reader.distribution(table, TIMES[0].name);
    let [stairs_up, stairs_down] = ["stairs_up", "stairs_down"].map(|key| reader.number(table, key));
    let familiar = read_familiar(reader, table, navigations);
    // Ages and sexes have speeds.
    let by_age = (ages.is_some() || sex.is_some()).then_some(Population::Rimea.into());
    let name = name?;
    if let Some(entry) = table.entry("name")
        && others.iter().any(|other| other.name == name)
    {
        reader.refuse(table.path_of("name"), &entry.item, Reason::NameTaken("kind"));
    }
    let max_speed = max_speed.or(by_age);
    Some(PersonKind {
        ages,
        sex,
        mass,
        radius,
        max_speed,
        pre_movement,
        stairs_up,
        stairs_down,
        familiar,
        ..PersonKind::new(name, share?)
    })
}

/// Reads the share of agents that know each navigation.
pub(crate) fn read_familiar<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, navigations: &[&str]) -> Vec<Familiar> {
    let (entries, Some(kind)) = reader.named(fields, "familiar") else { return Vec::new() };
    let mut shares = Vec::new();
    for entry in entries {
        let path = format!("{}.{}", fields.path_of("familiar"), entry.key.chars().take(64).collect::<String>());
        match navigations.iter().position(|known| *known == entry.key) {
            None => reader.note(entry.at, path, None, Reason::unknown("navigation", &entry.key, navigations)),
            Some(_) => match fields::value(&entry.item.node, kind, 0).and_then(|value| value.number()) {
                Some(share) => shares.push(Familiar::new(&entry.key[..], rounded(share))),
                None => reader.refuse(path, &entry.item, Reason::MustBe(Allowed::Kind { kind, unit: "" })),
            },
        }
    }
    shares
}
