//! The command `throng new`: writes a scenario to start from.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use throng_scenario::shown;

use crate::arguments::NewOptions;
use crate::failure::Failure;
use crate::find::{self, Found, find};
use crate::output::print_folded;
use crate::paths::Paths;
use crate::templates::TEMPLATES;

/// Runs the command `throng new`.
pub(crate) fn new(options: &NewOptions) -> Result<(), Failure> {
    let (name, text) = match &options.from {
        None => starter(options)?,
        Some(from) => copied(from, options.name.as_deref())?,
    };
    let path = PathBuf::from(format!("{name}.toml"));
    let mut paths = Paths::default();
    options.from.iter().filter_map(|from| find::file(from)).for_each(|file| paths.reads("the scenario to copy", &file));
    paths.writes("the new scenario", &path);
    paths.check()?;
    let mut file = OpenOptions::new();
    let file =
        if options.force { file.write(true).create(true).truncate(true) } else { file.write(true).create_new(true) };
    let written = file.open(&path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            Failure::Input(format!("{} exists: choose another name, or overwrite it with --force", shown(&path)))
        }
        _ => Failure::write(&path, &error),
    })?;
    let path = shown(&path);
    print_folded(&format!("wrote {path}. Next: throng view {path}\n"))
}

/// The name and the text of a scenario from a template.
fn starter(options: &NewOptions) -> Result<(String, String), Failure> {
    let name = options.name.as_deref().ok_or_else(|| Failure::Input("a name is missing".to_owned()))?;
    let name = checked(name)?;
    let found = TEMPLATES.iter().find(|(template, ..)| *template == options.template);
    let (_, _, text) = found.ok_or_else(|| Failure::Input(format!("unknown template {}", options.template)))?;
    Ok((name.to_owned(), text.replace("NAME", name)))
}

/// The name and the text of a copy of a scenario.
fn copied(from: &Path, name: Option<&str>) -> Result<(String, String), Failure> {
    let Found { file, text, .. } = find(from)?;
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = checked(name.unwrap_or(&stem))?.to_owned();
    // The schema that an editor looks for stays where it was.
    let lines = text.split_inclusive('\n').skip_while(|line| line.starts_with("#:schema"));
    Ok((name, lines.collect()))
}

/// The name of a file here, without its ending.
fn checked(name: &str) -> Result<&str, Failure> {
    let name = name.strip_suffix(".toml").unwrap_or(name);
    let plain = |letter: char| letter.is_alphanumeric() || "-_".contains(letter);
    if name.is_empty() || name.starts_with('-') || !name.chars().all(plain) {
        return Err(Failure::Input(format!("{name:?} is not a name: use letters, digits, - and _")));
    }
    Ok(name)
}
