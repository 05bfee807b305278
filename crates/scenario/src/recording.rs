//! The measures of a scenario: series, lines and areas.

use throng::Error;
use throng::Vector;
use throng::measures::{Area, Measure, RecorderSettings, measure, measures};
use throng::parameters::Allowed;
use throng::parameters::is_name;

use crate::definition::Scenario;
use crate::document::{Entry, Node};
use crate::fields::{Fields, Reader};
use crate::keys::REACH;
use crate::read_storeys::offset_within;
use crate::reason::{Cause, Reason};
use crate::walls::is_out_of_world;

/// Reads the recorded measures from the table of the file's output.
pub(crate) fn read<'d>(reader: &mut Reader<'d>, output: &Fields<'d>, scenario: &Scenario) -> RecorderSettings {
    let Some(fields) = reader.inner(output, "measures") else { return RecorderSettings::default() };
    let radius = reader.number(&fields, "radius");
    let own = read_own(reader, &fields, scenario);
    let recording = RecorderSettings {
        every: reader.whole(&fields, "every").unwrap_or(1),
        measures: match fields.entry("names") {
            Some(entry) => read_names(reader, &fields, entry),
            None => {
                let usual = measures().iter().filter(|measure| measure.is_usual());
                usual.filter(|measure| !measure.needs_radius || radius.is_some()).cloned().collect()
            }
        }
        .into_iter()
        .chain(own)
        .collect(),
        radius,
        lines: read_lines(reader, &fields, scenario),
        areas: read_areas(reader, &fields, scenario),
        crowd: false,
        window: reader.number(&fields, "window"),
        persons: reader.flag(&fields, "persons").unwrap_or(false),
    };
    if let Some(measure) = recording.measures.iter().find(|measure| measure.needs_radius)
        && fields.entry("radius").is_none()
    {
        let cause = Cause { key: "names", value: Some(measure.name.to_string()) };
        reader.note(fields.at, fields.path_of("radius"), None, Reason::MissingFor(cause));
    }
    recording
}

/// Reads the names of measures, each once. An unknown name is reported at its place.
fn read_names<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, entry: &'d Entry) -> Vec<Measure> {
    let known: Vec<&str> = measures().iter().map(|measure| &*measure.name).collect();
    let Node::Array(items) = &entry.item.node else {
        reader.value(fields, "names", 0);
        return Vec::new();
    };
    let mut found: Vec<Measure> = Vec::new();
    for item in items {
        match item.node.text().map(|name| (name, measure(name))) {
            Some((_, Some(measure))) if found.contains(measure) => {}
            Some((_, Some(measure))) => found.push(measure.clone()),
            Some((name, None)) => {
                reader.refuse(fields.path_of("names"), item, Reason::unknown("measure", name, &known));
            }
            None => {
                reader.value(fields, "names", 0);
                return Vec::new();
            }
        }
    }
    found
}

/// Reads the measures that are expressions. A mistake is reported at its place in the text.
fn read_own<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, scenario: &Scenario) -> Vec<Measure> {
    let Some(entry) = fields.entry("own") else { return Vec::new() };
    let items = match &entry.item.node {
        Node::Array(items) => &items[..],
        _ => std::slice::from_ref(&entry.item),
    };
    let variables: Vec<&str> = scenario.variables().collect();
    let mut found: Vec<Measure> = Vec::new();
    for item in items {
        let Some(text) = item.node.text() else {
            reader.value(fields, "own", 0);
            return Vec::new();
        };
        let read =
            Measure::parse(text).and_then(|measure| measure.check(scenario.dimensions, &variables).map(|()| measure));
        match read {
            Ok(own) if measure(&own.name).is_some() || found.iter().any(|known| known.name == own.name) => {
                reader.refuse(fields.path_of("own"), item, Reason::NameTaken("measure"));
            }
            Ok(own) => found.push(own),
            Err(Error::BadValue(bad)) => match bad.allowed {
                Allowed::Statement(mistake) => reader.mistake(fields.path_of("own"), item, mistake),
                _ => _ = reader.value(fields, "own", 0),
            },
            Err(_) => {}
        }
    }
    found
}

fn read_lines<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, scenario: &Scenario) -> Vec<(String, [Vector<2>; 2])> {
    let dimensions = scenario.dimensions;
    let mut lines = Vec::new();
    refuse_in_space(reader, fields, "line", dimensions);
    for (name, line) in reader.named_tables(fields, "line") {
        let from = reader.per_axis(&line, "from", dimensions);
        let to = reader.per_axis(&line, "to", dimensions);
        let (Some(from), Some(to), true) = (from, to, is_name(name)) else { continue };
        let by = offset(reader, (&line, "line"), scenario, |axis| (from[axis], to[axis]));
        match line.entry("to") {
            Some(end) if from == to => reader.refuse(line.path_of("to"), &end.item, Reason::NoLength),
            _ => lines.push((name.to_owned(), [flat(&from) + by, flat(&to) + by])),
        }
    }
    lines
}

fn read_areas<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, scenario: &Scenario) -> Vec<(String, Area, f32)> {
    let dimensions = scenario.dimensions;
    let mut areas = Vec::new();
    refuse_in_space(reader, fields, "area", dimensions);
    for (name, area) in reader.named_tables(fields, "area") {
        let centre = reader.per_axis(&area, "centre", dimensions);
        let size = reader.per_axis(&area, "size", dimensions);
        let reach = reader.number(&area, "reach").unwrap_or(REACH);
        let (Some(centre), Some(size), true) = (centre, size, is_name(name)) else { continue };
        let by = offset(reader, (&area, "area"), scenario, |axis| {
            (centre[axis] - 0.5 * size[axis], centre[axis] + 0.5 * size[axis])
        });
        // The keys have the ranges of an area.
        if let Ok(area) = Area::new(flat(&centre) + by, flat(&size)) {
            areas.push((name.to_owned(), area, reach));
        }
    }
    areas
}

/// The offset of a line or an area on its storey. Refuses one that no agent reaches, such as one in another unit.
fn offset<'d>(
    reader: &mut Reader<'d>,
    (fields, what): (&Fields<'d>, &'static str),
    scenario: &Scenario,
    extent: impl Fn(usize) -> (f32, f32),
) -> Vector<2> {
    if scenario.storeys.is_none()
        && let Some(size) =
            scenario.size.as_ref().filter(|size| is_out_of_world(|axis| Some(extent(axis)), size, &scenario.edge))
    {
        reader.note(fields.at, fields.path.clone(), None, Reason::OutOfWorld(what, size.clone()));
    }
    offset_within(reader, (fields, what), scenario.storeys.as_ref(), |axis| Some(extent(axis)))
}

fn refuse_in_space<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, name: &str, dimensions: usize) {
    if let Some(entry) = fields.entry(name).filter(|_| dimensions != 2) {
        reader.note(entry.at, fields.path_of(name), None, Reason::OnlyFlat);
    }
}

fn flat(components: &[f32]) -> Vector<2> {
    Vector::from_fn(|axis| components.get(axis).copied().unwrap_or(0.0))
}
