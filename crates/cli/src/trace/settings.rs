//! The settings of the world of a trace, and the names of its other sections.

use std::fs;
use std::path::Path;

use throng::AnyWorld;
use throng_scenario::shown;

/// The file of settings: a line `NAME = VALUE` for each.
pub(super) const SETTINGS: &str = "settings.txt";

/// The settings of a world as text.
pub(super) fn text(world: &AnyWorld) -> String {
    let (settings, dimensions) = (world.settings(), world.dimensions());
    let size: Vec<String> = settings.size.0[..dimensions].iter().map(ToString::to_string).collect();
    let edge: Vec<&str> = settings.edge[..dimensions].iter().map(|edge| edge.name()).collect();
    let budget = settings.pair_budget.map_or("off".to_owned(), |budget| budget.to_string());
    format!(
        "size = [{}]\nedge = [{}]\ntick = {}\nseed = {}\npair_budget = {budget}\n",
        size.join(", "),
        edge.join(", "),
        settings.tick_seconds,
        settings.seed
    )
}

/// The differences between the settings of two traces, in words; `None` if they are not known.
pub(super) fn difference(folders: [&Path; 2]) -> Option<String> {
    let [first, second] = folders.map(|folder| fs::read_to_string(folder.join(SETTINGS)).ok());
    let (first, second) = (first?, second?);
    let pairs = first.lines().zip(second.lines()).filter(|(first, second)| first != second);
    let differing = pairs.filter_map(|(first, second)| {
        let (name, value) = first.split_once(" = ")?;
        let (_, other) = second.split_once(" = ")?;
        Some(format!("{name} is {value} in {}, {other} in {}", shown(&folders[0]), shown(&folders[1])))
    });
    let differing: Vec<String> = differing.collect();
    (!differing.is_empty()).then(|| format!("the settings differ: {}", differing.join("; ")))
}

/// The contents of a section of a world.
pub(super) fn section(tag: &str) -> String {
    let held = match tag {
        "SETT" => "the settings differ",
        "SPEC" => "the species differ: their names, numbers or rules",
        "AGNT" => "the numbers of agents differ",
        "SCEN" => "the obstacles, marks, regions or flow fields differ",
        "PEOP" => "the sources, sinks or zones differ",
        "WALL" => "the walls differ",
        "WAYS" => "the navigations differ",
        "PLAC" => "the places differ",
        "LEAV" => "the counts of removed agents differ",
        "CONT" => "the contacts of bodies differ",
        tag => return format!("section {tag} differs"),
    };
    held.to_owned()
}
