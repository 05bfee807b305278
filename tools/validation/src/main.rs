//! Measures the models of the literature against their papers: `validation [--short] [--out FOLDER] [MODEL ...]`.
//! `validation standards` runs the tests of the guidelines for pedestrians.
//!
//! Prints one line per comparison, and exits with 1 if one is out of its tolerance. With `--out` it writes
//! `validation.md` with its figures into the folder. `--short` runs the tests that take a minute or two.

mod active_brownian;
mod couzin;
mod cucker_smale;
mod flock;
mod mill;
mod plot;
mod report;
mod run;
mod standards;
mod vicsek;

use std::path::PathBuf;
use std::process::ExitCode;

use report::Section;
use run::Outcome;

/// The extent of a validation, and where its figures go.
pub(crate) struct Plan {
    /// Whether to leave out tests that take minutes.
    pub(crate) short: bool,
    /// The folder of the page; none if no page is written.
    pub(crate) out: Option<PathBuf>,
}

/// A model and the measurement of it.
type Model = (&'static str, fn(&Plan) -> Outcome<Section>);

const MODELS: &[Model] = &[
    ("vicsek", vicsek::noise),
    ("vicsek_density", vicsek::density),
    ("vicsek_vectorial", vicsek::vectorial),
    ("couzin", couzin::couzin),
    ("cucker_smale", cucker_smale::cucker_smale),
    ("mill", mill::mill),
    ("active_brownian", active_brownian::active_brownian),
    ("topological", flock::topological),
    ("cohesion", flock::cohesion),
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    let done = match arguments.next_if(|first| first == "standards") {
        Some(_) => standards::run(arguments),
        None => validate(arguments),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("validation: {error}");
            ExitCode::from(2)
        }
    }
}

fn validate(mut arguments: impl Iterator<Item = String>) -> Outcome<bool> {
    let mut plan = Plan { short: false, out: None };
    let mut names = Vec::new();
    while let Some(argument) = arguments.next() {
        match &argument[..] {
            "--short" => plan.short = true,
            "--out" => plan.out = Some(arguments.next().ok_or("--out needs a folder")?.into()),
            name if MODELS.iter().any(|(model, _)| *model == name) => names.push(argument),
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    let (mut sections, mut good) = (Vec::new(), true);
    for (name, measure) in MODELS.iter().filter(|(name, _)| names.is_empty() || names.iter().any(|known| known == name))
    {
        let start = std::time::Instant::now();
        let section = measure(&plan)?;
        println!("{name}, {:.0} s", start.elapsed().as_secs_f64());
        for check in &section.checks {
            println!("  {check}");
            good &= check.holds();
        }
        sections.push(section);
    }
    if let Some(folder) = &plan.out {
        std::fs::write(folder.join("validation.md"), report::page(&sections))?;
    }
    Ok(good)
}
