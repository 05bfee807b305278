//! The options of the commands that make scenarios and set up the program.

use std::path::PathBuf;

use clap::Args;

use super::shared::OutputOptions;
use crate::templates;
use crate::values::scale;

#[derive(Debug, Args)]
pub(crate) struct NewOptions {
    /// The name of the scenario, whose file is NAME.toml
    ///
    /// By default the value of --from.
    #[arg(required_unless_present = "from")]
    pub(crate) name: Option<String>,
    /// Start from a copy of this scenario: a file, or one in the program
    #[arg(long, value_name = "SCENARIO", conflicts_with = "template")]
    pub(crate) from: Option<PathBuf>,
    /// Start from this template
    #[arg(long, value_name = "TEMPLATE", default_value = "flock", value_parser = clap::builder::PossibleValuesParser::new(templates::names()))]
    pub(crate) template: String,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ListOptions {
    /// List the scenarios of this folder instead
    pub(crate) folder: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckOptions {
    /// The scenarios: files, names as in throng list, or - for the standard input
    #[arg(required = true, value_name = "SCENARIO")]
    pub(crate) scenarios: Vec<PathBuf>,
    /// Override a key, such as world.tick=0.02; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct PlanOptions {
    /// The floor plan: .wkt as JuPedSim and PedPy write it, .geojson, .svg, .dxf or .toml
    pub(crate) file: PathBuf,
    /// Metres per unit of the file, such as 0.01 for centimetres
    ///
    /// By default the size of the unit which the file names.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = scale)]
    pub(crate) scale: Option<f64>,
    /// Read only features of GeoJSON with this value of a property, such as level=0; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) select: Vec<String>,
    /// Draw the plan to this file
    #[arg(long, short, value_name = "FILE.png|svg")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) output_options: OutputOptions,
}

#[derive(Debug, Args)]
pub(crate) struct RulesOptions {
    /// Describe these, with their parameters
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Describe all of them
    #[arg(long)]
    pub(crate) all: bool,
    /// Print one JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsOptions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManOptions {
    /// The folder of the pages
    #[arg(default_value = "man")]
    pub(crate) folder: PathBuf,
}
