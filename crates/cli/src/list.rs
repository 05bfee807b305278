//! The command `throng list`: the scenarios in the program and in this folder, or in another folder.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use throng::Registry;
use throng_scenario::{Scenario, printable, shown};
use throng_view::built_in::{self, GROUPS};
use throng_view::files::{caption, scenarios};

use crate::arguments::ListOptions;
use crate::failure::Failure;
use crate::files::{existing_folder, first_sentence};
use crate::find;
use crate::output::{print, print_folded};
use crate::population::brief;
use crate::templates::TEMPLATES;
use crate::terminal::{columns, cut, folded};

/// Runs the command `throng list`.
pub(crate) fn list(options: &ListOptions, registry: &Registry) -> Result<(), Failure> {
    let text = match &options.folder {
        Some(folder) => of_folder(folder, registry)?,
        None => of_program(registry),
    };
    print(&text)?;
    let mut starters = "\nStarters for `throng new NAME --template TEMPLATE`:\n".to_owned();
    for (name, about, _) in TEMPLATES {
        let _ = writeln!(starters, "  {name:<8} {about}");
    }
    print_folded(&starters)
}

/// The scenarios of a folder.
fn of_folder(folder: &Path, registry: &Registry) -> Result<String, Failure> {
    let found =
        scenarios(existing_folder(folder)?).map_err(|error| Failure::Input(format!("{}: {error}", shown(&folder))))?;
    Ok(match &found[..] {
        [] => format!("{} has no scenarios.\n", shown(&folder)),
        found => found.iter().map(|path| line(&path.to_string_lossy(), &read(path), registry)).collect(),
    })
}

/// The scenarios in the program, in groups, and those here.
fn of_program(registry: &Registry) -> String {
    let here = here();
    let (mut text, mut replaced) = (String::new(), Vec::new());
    for (group, members) in GROUPS {
        let _ = writeln!(text, "\x1b[1m{group}\x1b[0m");
        for (name, built_in) in *members {
            // The file that the name stands for here, if there is one.
            let file = find::file(Path::new(name));
            let own = file.as_ref().map(|file| read(file));
            text += &line(name, own.as_deref().unwrap_or(built_in), registry);
            replaced.extend(file);
        }
        text.push('\n');
    }
    let others: Vec<&PathBuf> = here.iter().filter(|path| !replaced.contains(path)).collect();
    if !others.is_empty() {
        text += "\x1b[1mHere\x1b[0m\n";
        others.iter().for_each(|path| text += &line(&path.to_string_lossy(), &read(path), registry));
        text.push('\n');
    }
    let all = built_in::all().count();
    let files: Vec<String> = replaced.iter().map(|file| shown(file).to_string()).collect();
    let from = match files.len() {
        0 => format!("These {all} scenarios are in the program."),
        own if own == all => "These are files in scenarios, which come before those in the program.".to_owned(),
        own => format!("{} of these are in the program. From files: {}.", all - own, files.join(", ")),
    };
    text += &folded(&from, columns(), 0);
    text += "\n  throng run NAME   throng view NAME   throng new --from NAME\n";
    text
}

/// The scenarios in the present folder and in `scenarios`. Other TOML files are none.
pub(crate) fn here() -> Vec<PathBuf> {
    let folders = [".", "scenarios"].into_iter().flat_map(|folder| scenarios(Path::new(folder)).unwrap_or_default());
    folders.filter(|path| read(path).lines().any(|line| line.starts_with("format"))).collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// The line of a scenario: its name, its agents and the first sentence of its caption, or its first mistake.
fn line(name: &str, text: &str, registry: &Registry) -> String {
    let (agents, about) = match Scenario::parse_in(registry, text, name, &[]) {
        Ok(scenario) => (brief(&scenario), first_sentence(&caption(text)).to_owned()),
        Err(problems) => (String::new(), problems.to_string().lines().next().unwrap_or_default().to_owned()),
    };
    let name = printable(name).to_string();
    let head = format!("  {name:<17} {agents:>12}  ");
    let about = cut(&printable(&about).to_string(), columns().saturating_sub(head.chars().count()));
    format!("  \x1b[1m{name:<17}\x1b[0m \x1b[2m{agents:>12}\x1b[0m  {about}\n")
}
