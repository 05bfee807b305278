//! The command `throng plot`: mean and spread of a measure over a varied key.

mod axes;
mod curves;
mod figure;

use throng_scenario::shown;

use crate::arguments::PlotOptions;
use crate::failure::Failure;
use crate::figure_file::FigureKind;
use crate::files::existing;
use crate::output::print;
use crate::paths::Paths;
use crate::tables;
use axes::Axes;
use curves::Curves;
use figure::figure;

/// Runs the command `throng plot`.
pub(crate) fn plot(plot: &PlotOptions) -> Result<(), Failure> {
    let kind = FigureKind::of(&plot.output, plot.force)?;
    let mut paths = Paths::default();
    paths.reads("the table", &plot.table);
    paths.writes("the file of --output", &plot.output);
    paths.check()?;
    let name = shown(&plot.table);
    let table = tables::read(existing(&plot.table)?)?;
    let refuse = |reason: String| Failure::Input(format!("{name}{reason}"));
    let axes = Axes::choose(&table[..], plot.x.as_deref(), plot.y.as_deref());
    let Axes { x, y } = axes.map_err(refuse)?;
    let curves = Curves::read(&table[..], &x, &y).map_err(refuse)?;
    kind.write(&plot.output, &figure(&curves, &x, &y, plot.band))?;
    print(&format!("wrote {}\n", shown(&plot.output)))
}
