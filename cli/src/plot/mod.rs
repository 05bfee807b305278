//! The command `throng plot`: mean and spread of a measure over a varied key.

mod curves;
mod figure;

use crate::arguments::PlotOptions;
use crate::chart::FigureKind;
use crate::failure::Failure;
use crate::files::existing;
use crate::tables;
use curves::Curves;
use figure::CurveFigure;

/// Runs the command `throng plot`.
pub(crate) fn plot(plot: &PlotOptions) -> Result<(), Failure> {
    let kind = FigureKind::of(&plot.output, plot.force)?;
    let name = plot.table.display().to_string();
    let table = tables::read(existing(&plot.table)?)?;
    let curves =
        Curves::read(&table[..], &plot.x, &plot.y).map_err(|reason| Failure::Input(format!("{name}{reason}")))?;
    kind.write(&plot.output, &CurveFigure::new(&curves, &plot.x, &plot.y))
}
