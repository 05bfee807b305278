//! The command `throng render`: draws a scenario or a trajectory as a picture or a film, tick by tick.

mod film;
mod footage;
mod gif;
mod mp4;
mod palette;
mod png;
mod simulation;
mod summary;
mod table;
mod trajectory;

use std::time::Instant;

use throng::Registry;

use crate::arguments::Render;
use crate::failure::Failure;
use crate::picture::{Painter, View, Wishes, point};
use crate::progress;
use crate::signals::Signals;
use crate::threads;
use film::Kind;
use summary::Summary;

/// Runs the command `throng render`.
pub(crate) fn render(render: &Render, registry: &Registry) -> Result<(), Failure> {
    let kind = Kind::of(render)?;
    threads::pool(render.engine.threads)?.install(|| draw(render, registry, kind))
}

fn draw(render: &Render, registry: &Registry, kind: Kind) -> Result<(), Failure> {
    let signals = Signals::listen()?;
    let mut footage = footage::open(render, registry, &signals)?;
    let subject = footage.subject().clone();
    let wishes = wishes(render, footage.wishes(), subject.flat)?;
    let mut painter = Painter::new(&wishes, &subject);
    let ticks = footage.ticks();
    let first = kind.first(&ticks);
    let mut film = kind.start(render, &painter)?;
    let bar = progress::bar(ticks.count, render.telling.quiet);
    let (start, mut summary) = (Instant::now(), Summary::new(&render.output, painter.size()));
    let (mut crowd, mut seen) = (Vec::new(), None);
    loop {
        signals.check()?;
        let clock = Instant::now();
        let Some(tick) = footage.next(&mut crowd)? else { break };
        summary.move_seconds += clock.elapsed().as_secs_f64();
        let clock = Instant::now();
        let frame = tick >= first && (tick - first).is_multiple_of(render.every);
        // Trails that have faded by the first frame are not needed.
        if frame || (wishes.trails > 0 && tick.saturating_add(wishes.trails.into()) >= first) {
            painter.look(&crowd, ticks_since(seen, tick));
            seen = Some(tick);
        }
        if frame {
            painter.draw(footage.scenery(painter.camera()));
        }
        summary.draw_seconds += clock.elapsed().as_secs_f64();
        if frame {
            let clock = Instant::now();
            film.add(&painter).map_err(|failure| interrupted(&signals, failure))?;
            summary.write_seconds += clock.elapsed().as_secs_f64();
            summary.frames += 1;
        }
        bar.inc(1);
    }
    let clock = Instant::now();
    film.finish().map_err(|failure| interrupted(&signals, failure))?;
    summary.write_seconds += clock.elapsed().as_secs_f64();
    summary.seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    summary.measure()?;
    render.telling.print(|| format!("{:#}\n", summary.json()), || summary.text())
}

/// The number of ticks since the last one seen.
fn ticks_since(seen: Option<u64>, tick: u64) -> u32 {
    seen.map_or(1, |seen| u32::try_from(tick - seen).unwrap_or(u32::MAX))
}

/// A signal ends ffmpeg too: reports the signal then, not the failure of ffmpeg.
fn interrupted(signals: &Signals, failure: Failure) -> Failure {
    signals.received().map_or(failure, Failure::Signal)
}

/// Merges the options of the command line with those of the scenario; the command line takes precedence.
fn wishes(render: &Render, scenario: Wishes, flat: bool) -> Result<Wishes, Failure> {
    let usual = View::default();
    if flat && (render.azimuth.is_some() || render.elevation.is_some()) {
        let reason = "--azimuth and --elevation are for three dimensions: a plane is seen from above";
        return Err(Failure::Input(reason.to_owned()));
    }
    let axes = if flat { 2 } else { 3 };
    if !render.centre.is_empty() && render.centre.len() != axes {
        return Err(Failure::Input(format!("--centre has {} numbers, and must have {axes} here", render.centre.len())));
    }
    let centre = (!render.centre.is_empty()).then(|| point(&render.centre));
    Ok(Wishes {
        width: render.width.or(scenario.width),
        height: render.height.or(scenario.height),
        colour: render.colour.or(scenario.colour),
        light: render.light,
        trails: render.trails,
        density: render.density,
        view: View {
            centre,
            zoom: render.zoom,
            azimuth: render.azimuth.unwrap_or(usual.azimuth),
            elevation: render.elevation.unwrap_or(usual.elevation),
        },
    })
}
