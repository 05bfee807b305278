//! The command `throng render`: draws a scenario or a trajectory as a picture or a film, tick by tick.

pub(crate) mod caption;
mod film;
mod frame_source;
mod pace;
mod simulation;
pub(crate) mod summary;
mod survey;
mod trajectory;

use std::time::Instant;

use throng::{Registry, Vector};
use throng_draw::{Bounds, Moments, Options, Painter, View};

use crate::arguments::{RenderOptions, is_trajectory};
use crate::failure::Failure;
use crate::find;
use crate::opening::open as open_file;
use crate::output::json_text;
use crate::paths::Paths;
use crate::progress;
use crate::signals::Signals;
use crate::threads;
use caption::{Caption, captioned};
use film::{FileKind, Film};
use frame_source::FrameSource;
use pace::Pace;
use summary::RenderSummary;
use trajectory::Recording;

/// Where colours come from that the scenario chooses.
pub(crate) const CHOSEN: &str = "the scenario's output.picture";

/// Runs the command `throng render`.
pub(crate) fn render(render: &RenderOptions, registry: &Registry) -> Result<(), Failure> {
    let kind = FileKind::of(render)?;
    let mut paths = Paths::default();
    paths.reads("the input", find::file(&render.source.scenario).as_deref().unwrap_or(&render.source.scenario));
    paths.writes("the file of --output", &render.output);
    paths.check()?;
    threads::pool(render.engine.threads)?.install(|| draw(render, registry, kind))
}

fn draw(render: &RenderOptions, registry: &Registry, kind: FileKind) -> Result<(), Failure> {
    let signals = Signals::listen()?;
    let mut frames = signals.while_reading(|| open(render, registry, &signals))?;
    let chosen = match (&render.colour, frames.options().colour) {
        _ if render.density => "--density",
        (Some(_), _) => "--colour",
        (None, Some(_)) => CHOSEN,
        (None, None) => "by default; --colour changes it",
    };
    let options = options(render, frames.options(), frames.subject().flat, kind)?;
    let painter = Painter::new(&*frames, &options);
    let mut painter = painter.map_err(|error| Failure::Input(error.to_string()))?;
    let (ticks, names) = (frames.ticks(), frames.names());
    let (first, pace) = (kind.first(&ticks), Pace::of(render, ticks, names.tick_seconds));
    let mut film = Film::start(kind, render, pace, &painter)?;
    let bar = progress::bar(ticks.count, render.output_options.quiet);
    let (start, mut summary) = (Instant::now(), RenderSummary::new(&render.output, kind, pace, &names));
    while signals.received().is_none() {
        let clock = Instant::now();
        let Some(tick) = frames.next()? else { break };
        summary.move_seconds += clock.elapsed().as_secs_f64();
        let clock = Instant::now();
        // A film begins with the first agent, and ends when the last one is gone.
        let is_over = kind.is_film() && render.ticks.is_none() && frames.has_ended();
        let is_empty = render.from.is_none() && summary.frames == 0 && frames.agents() == 0;
        let is_last = is_over || tick == ticks.last;
        let frame = tick >= first && (tick - first).is_multiple_of(pace.every) && !(kind.is_film() && is_empty);
        let frame = frame || is_last && summary.frames == 0;
        if frame {
            if let Some(middle) = frames.middle(tick) {
                painter.look_at(middle);
            }
            painter.paint(&*frames);
        } else if options.trails > 0 && tick.saturating_add(options.trails.into()) >= first {
            // Trails that have faded by the first frame are not needed.
            painter.observe(&*frames);
        }
        summary.draw_seconds += clock.elapsed().as_secs_f64();
        if frame {
            let clock = Instant::now();
            let caption = Caption { names: &names, tick, agents: frames.agents() };
            let caption = (!render.no_caption).then_some(&caption);
            film.add(&captioned(painter.picture(), caption, &painter.legend()))
                .map_err(|failure| interrupted(&signals, failure))?;
            summary.write_seconds += clock.elapsed().as_secs_f64();
            summary.add(tick, frames.agents());
            summary.crowd = painter.share(crowd(&*frames));
        }
        bar.inc(1);
        if is_over {
            break;
        }
    }
    bar.finish_and_clear();
    summary.interrupted = signals.received();
    if summary.interrupted.is_some() && summary.frames == 0 {
        return summary.fail(render);
    }
    let clock = Instant::now();
    film.finish().map_err(|failure| interrupted(&signals, failure))?;
    summary.write_seconds += clock.elapsed().as_secs_f64();
    summary.seconds = start.elapsed().as_secs_f64();
    summary.measure(&painter, chosen)?;
    if render.open && summary.interrupted.is_none() {
        open_file(render.output.as_os_str());
    }
    render.output_options.print(|| json_text(&summary.json()), || summary.text())?;
    summary.interrupted.map_or(Ok(()), |signal| Err(Failure::Signal(signal)))
}

/// The box around all agents but strays.
fn crowd(frames: &dyn FrameSource) -> Bounds {
    let (mut all, mut moments) = (Bounds::EMPTY, Moments::default());
    frames.crowd(&mut |agents| {
        for agent in agents {
            all = all.including(agent.position);
            moments.add(agent.position);
        }
    });
    moments.most_of(all)
}

/// Opens the input of the command line.
fn open(render: &RenderOptions, registry: &Registry, signals: &Signals) -> Result<Box<dyn FrameSource>, Failure> {
    match is_trajectory(&render.source.scenario, &render.source.set, render.engine.seed)? {
        true => Ok(Box::new(Recording::open(render, signals)?)),
        false => simulation::open(render, registry, signals),
    }
}

/// Returns the signal as the failure if one was received: it ends ffmpeg too, whose failure is then irrelevant.
fn interrupted(signals: &Signals, failure: Failure) -> Failure {
    signals.received().map_or(failure, Failure::Signal)
}

/// The size into which films fit that have neither width nor height: a GIF is for a page or a chat.
const FILM: [u32; 2] = [1280, 720];
const GIF: [u32; 2] = [640, 480];

/// Merges the options of the command line with the options of the scenario; the command line takes precedence.
fn options(render: &RenderOptions, scenario: Options, flat: bool, kind: FileKind) -> Result<Options, Failure> {
    let usual = View::default();
    if flat && (render.azimuth.is_some() || render.elevation.is_some()) {
        let reason = "--azimuth and --elevation are for worlds of three dimensions";
        return Err(Failure::Input(reason.to_owned()));
    }
    let axes = if flat { 2 } else { 3 };
    if !render.centre.is_empty() && render.centre.len() != axes {
        return Err(Failure::Input(format!("--centre has {} numbers, and must have {axes} here", render.centre.len())));
    }
    let point = || Vector::from_fn(|axis| render.centre.get(axis).copied().unwrap_or(0.0));
    let centre = (!render.centre.is_empty()).then(point);
    Ok(Options {
        width: render.width.or(scenario.width),
        height: render.height.or(scenario.height),
        screen: match kind {
            FileKind::Png => scenario.screen,
            FileKind::Gif => GIF,
            FileKind::Mp4 => FILM,
        },
        fit: render.fit,
        colour: render.colour.clone().map(Into::into).or(scenario.colour),
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
