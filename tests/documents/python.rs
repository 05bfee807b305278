//! The keyword arguments of Python follow from the tables of keys.

use std::fmt::Write;

use throng::parameters::{Definition, Kind, Parameter, Preset};
use throng::species::tables::{QUANTITIES, TIMES};
use throng::{Lift, Link, Navigation, Obstacle, Region, Sink, Source, Species, Substance, Wall, Zone};

use crate::page::compare;

/// The type of a key in Python.
fn python(kind: Kind) -> String {
    let quoted = |word: &&str| format!("{word:?}");
    match kind {
        Kind::Number(_) => "float".to_owned(),
        Kind::Whole(..) => "int".to_owned(),
        Kind::Flag => "bool".to_owned(),
        Kind::Distribution(_) => "Quantity".to_owned(),
        Kind::Numbers(_) => "Sequence[float]".to_owned(),
        Kind::Point(_) => "Point".to_owned(),
        Kind::Points(_) => "Points".to_owned(),
        Kind::Heading => "Point | float | str".to_owned(),
        Kind::Goals => "Sequence[Point | str]".to_owned(),
        Kind::Schedule(_) => "Sequence[tuple[float, int]]".to_owned(),
        Kind::Series(_) | Kind::Intervals(_) => "Sequence[Sequence[float]]".to_owned(),
        Kind::References(_) => "Sequence[str]".to_owned(),
        Kind::Choice(words) => format!("Literal[{}]", words.iter().map(quoted).collect::<Vec<_>>().join(", ")),
        Kind::Name | Kind::Reference(_) | Kind::Text => "str".to_owned(),
        other => panic!("a key of the kind {other:?} has no type in Python"),
    }
}

fn class(text: &mut String, name: &str, keys: &[Parameter], arguments: &[&str]) {
    write!(
        text,
        "\n\nclass {name}Keys(TypedDict, total=False):\n    \"\"\"Keys of `add_{}`.\"\"\"\n",
        name.to_lowercase()
    )
    .unwrap();
    for key in keys.iter().filter(|key| !arguments.contains(&key.name)) {
        let unit = if key.unit.is_empty() { String::new() } else { format!(" In {}.", key.unit) };
        let default = match key.default {
            Preset::Number(number) => format!(" By default {number}."),
            Preset::Word(words) => format!(" By default {words}."),
            _ => String::new(),
        };
        write!(text, "\n    {}: {} | None\n    \"\"\"{}{unit}{default}\"\"\"\n", key.name, python(key.kind), key.help)
            .unwrap();
    }
}

#[test]
fn the_types_of_keyword_arguments_are_those_of_the_tables() {
    let mut text = "\"\"\"The keyword arguments that add items of the environment. Written by `scripts/bless.sh documents`.\"\"\"\n\n\
        # ruff: noqa: E501\n\nfrom collections.abc import Sequence\nfrom typing import Literal, TypedDict\n\n\
        from throng._types import Point, Points, Quantity\n"
        .to_owned();
    class(&mut text, "Wall", Wall::<2>::KEYS, &["line"]);
    class(&mut text, "Obstacle", Obstacle::<2>::KEYS, &["centre", "radius"]);
    class(&mut text, "Region", Region::<2>::KEYS, &["name", "centre"]);
    class(&mut text, "Navigation", Navigation::<2>::KEYS, &["name", "goals"]);
    class(&mut text, "Source", Source::<2>::KEYS, &["name", "species", "region"]);
    class(&mut text, "Sink", Sink::KEYS, &["name", "region"]);
    let quantities = QUANTITIES.map(|quantity| match quantity.kind {
        Kind::Number(range) => Parameter { kind: Kind::Distribution(range), ..quantity },
        _ => quantity,
    });
    class(&mut text, "Species", &[&quantities[..], &TIMES, Species::<2>::KEYS].concat(), &[]);
    class(&mut text, "Zone", Zone::<2>::KEYS, &["region", "factor"]);
    class(&mut text, "Lift", Lift::KEYS, &["name", "landings", "doors", "heights"]);
    class(&mut text, "Link", Link::<2>::KEYS, &["name", "start", "end", "seconds"]);
    class(&mut text, "Substance", Substance::KEYS, &["name", "cell"]);
    compare("bindings/python/python/throng/_keys.py", &text);
}
