//! The commands `throng new` and `throng list`: starters of scenarios, and the scenarios of a folder.

use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use throng::{Registry, Scenario};

use crate::arguments::{ListOptions, NewOptions};
use crate::failure::Failure;
use crate::files::{caption, existing_folder, scenarios};
use crate::output::{grouped, print_folded, wrapped};
use crate::templates::TEMPLATES;

/// Runs the command `throng new`.
pub(crate) fn new(options: &NewOptions) -> Result<(), Failure> {
    let name = options.name.strip_suffix(".toml").unwrap_or(&options.name);
    let plain = |letter: char| letter.is_alphanumeric() || "-_".contains(letter);
    if name.is_empty() || name.starts_with('-') || !name.chars().all(plain) {
        return Err(Failure::Input(format!("{name:?} is not a name: use letters, digits, - and _")));
    }
    let found = TEMPLATES.iter().find(|(template, ..)| *template == options.template);
    let (_, _, text) = found.ok_or_else(|| Failure::Input(format!("unknown template {}", options.template)))?;
    let path = PathBuf::from(format!("{name}.toml"));
    let mut file = std::fs::OpenOptions::new();
    let file =
        if options.force { file.write(true).create(true).truncate(true) } else { file.write(true).create_new(true) };
    let written = file.open(&path).and_then(|mut file| file.write_all(text.replace("NAME", name).as_bytes()));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            Failure::Input(format!("{} exists: choose another name, or overwrite it with --force", path.display()))
        }
        _ => Failure::write(&path, &error),
    })?;
    let path = path.display();
    print_folded(&format!("{path}: now `throng view {path}` shows it, and `throng run {path}` runs it\n"))
}

/// Runs the command `throng list`.
pub(crate) fn list(options: &ListOptions, registry: &Registry) -> Result<(), Failure> {
    let folder = options.folder.clone().unwrap_or_else(|| {
        let usual = Path::new("scenarios");
        if usual.is_dir() { usual.to_owned() } else { PathBuf::from(".") }
    });
    let found = scenarios(existing_folder(&folder)?)
        .map_err(|error| Failure::Input(format!("{}: {error}", folder.display())))?;
    let mut text = String::new();
    for path in &found {
        let _ = match Scenario::load_in(registry, path, &[]) {
            Ok(scenario) => {
                let agents: usize = scenario.species().map(|(_, count)| count as usize).sum();
                let head = format!("{} agents in {}D", grouped(agents as u64), scenario.dimensions());
                writeln!(text, "\x1b[1m{}\x1b[0m  \x1b[2m{head}\x1b[0m", path.display())
            }
            Err(problems) => writeln!(
                text,
                "\x1b[1m{}\x1b[0m  {}",
                path.display(),
                problems.to_string().lines().next().unwrap_or_default()
            ),
        };
        let about = std::fs::read_to_string(path).map(|text| caption(&text)).unwrap_or_default();
        let first =
            about.lines().next().unwrap_or_default().split_inclusive(". ").next().unwrap_or_default().trim_end();
        if !first.is_empty() {
            text += &wrapped(first, 2);
        }
    }
    if found.is_empty() {
        let _ = writeln!(text, "{} has no scenarios.", folder.display());
    }
    text += "\nStarters for `throng new NAME --template TEMPLATE`:\n";
    for (name, about, _) in TEMPLATES {
        let _ = writeln!(text, "  {name:<8} {about}");
    }
    print_folded(&text)
}
