//! Frames from a trajectory file. It is read twice: once to find bounds, ticks and errors, and once tick by tick.

use std::collections::HashMap;
use std::path::Path;

use throng::Vector;
use throng_draw::{Bounds, Drawable, DrawnAgent, Options, Subject};
use throng_formats::trajectory::{AgentRow, TrajectoryError, TrajectoryReader};
use throng_scenario::{Colour, shown};

use super::caption::Names;
use super::frame_source::{FrameSource, Ticks, needs_storeys, no_frames};
use crate::arguments::RenderOptions;
use crate::failure::Failure;
use crate::results::intact;
use crate::signals::Signals;

/// How far an agent can come, relative to the way at the highest speed of the file: positions and speeds are rounded.
const REACH: f32 = 1.2;

/// A trajectory, read tick by tick.
#[derive(Debug)]
pub(super) struct Recording {
    /// The name of the file.
    name: String,
    reader: TrajectoryReader<'static>,
    subject: Subject,
    ticks: Ticks,
    /// The last tick read, and its agents.
    tick: u64,
    crowd: Vec<DrawnAgent>,
    /// The first row after the last tick read.
    ahead: Option<AgentRow>,
    /// The positions by id at the tick before and at the last one.
    before: HashMap<u64, Vector<3>>,
    now: HashMap<u64, Vector<3>>,
}

impl Recording {
    /// Opens the trajectory of the command line.
    pub(super) fn open(render: &RenderOptions, signals: &Signals) -> Result<Self, Failure> {
        let file = &render.source.scenario;
        if render.stacked {
            return Err(needs_storeys());
        }
        if matches!(render.colour, Some(Colour::State)) {
            return Err(Failure::Input(format!("{}: a trajectory has no states (--colour)", shown(&file))));
        }
        let (subject, ticks) = survey(file, render, signals)?;
        let mut reader = TrajectoryReader::open(file).map_err(wrong)?;
        let ahead = reader.row().map_err(wrong)?;
        let (before, now) = (HashMap::new(), HashMap::new());
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, reader, subject, ticks, tick: 0, crowd: Vec::new(), ahead, before, now })
    }
}

/// Reads a whole trajectory: checks its rows, and returns its subject and the requested ticks.
fn survey(file: &Path, render: &RenderOptions, signals: &Signals) -> Result<(Subject, Ticks), Failure> {
    let mut reader = TrajectoryReader::open(file).map_err(wrong)?;
    let (mut bounds, mut speeds) = (Bounds::EMPTY, [f32::INFINITY, 0.0]);
    let (mut agents, mut most, mut species) = (0, 0, 0);
    let (mut first_tick, mut last_tick) = (None, None);
    let until = render.ticks.unwrap_or(u64::MAX);
    let mut ticks = Ticks { first: u64::MAX, last: 0, count: 0 };
    while let Some(row) = reader.row().map_err(wrong)? {
        signals.check()?;
        first_tick = first_tick.or(Some(row.tick));
        if row.tick > until {
            continue;
        }
        if last_tick != Some(row.tick) {
            (agents, last_tick) = (0, Some(row.tick));
            ticks.count += 1;
            ticks.last = row.tick;
            if row.tick >= render.from.unwrap_or(0) && row.tick < ticks.first {
                ticks.first = row.tick;
            }
        }
        agents += 1;
        species = reader.species().len();
        most = if agents > most { agents } else { most };
        bounds = bounds.including(Vector::from(row.position));
        let speed = Vector::from(row.velocity).length();
        speeds = [if speed < speeds[0] { speed } else { speeds[0] }, if speed > speeds[1] { speed } else { speeds[1] }];
    }
    intact(file)?;
    let Some(first_tick) = first_tick else {
        return Err(Failure::Input(format!("{}: holds no agents at any tick", shown(&file))));
    };
    if last_tick.is_none() {
        let reason = format!("no tick to draw: --ticks is {until}, and the first tick is {first_tick}");
        return Err(Failure::Input(format!("{}: {reason}", shown(&file))));
    }
    if ticks.first > ticks.last {
        return Err(no_frames(render.from.unwrap_or(0), ticks.last));
    }
    let bounds = bounds.with_margin(reader.dimensions());
    let subject = Subject::new(reader.dimensions(), bounds);
    Ok((Subject { agents: most, species, states: species, speeds, ..subject }, ticks))
}

fn wrong(error: TrajectoryError) -> Failure {
    Failure::Input(error.to_string())
}

impl Drawable for Recording {
    fn subject(&self) -> Subject {
        self.subject.clone()
    }

    fn tick(&self) -> u64 {
        self.tick
    }

    fn crowd(&self, each: &mut dyn FnMut(&[DrawnAgent])) {
        each(&self.crowd);
    }
}

impl FrameSource for Recording {
    fn options(&self) -> Options {
        Options::default()
    }

    fn ticks(&self) -> Ticks {
        self.ticks
    }

    fn names(&self) -> Names {
        Names { scenario: self.name.clone(), ..Names::default() }
    }

    fn agents(&self) -> usize {
        self.crowd.len()
    }

    fn has_ended(&self) -> bool {
        false
    }

    fn middle(&self, _tick: u64) -> Option<Vector<3>> {
        None
    }

    fn next(&mut self) -> Result<Option<u64>, Failure> {
        self.crowd.clear();
        let Some(tick) = self.ahead.as_ref().map(|row| row.tick).filter(|&tick| tick <= self.ticks.last) else {
            return Ok(None);
        };
        let last = std::mem::replace(&mut self.tick, tick);
        std::mem::swap(&mut self.before, &mut self.now);
        self.now.clear();
        let (extent, since) = (self.subject.bounds.extent(), tick.saturating_sub(last) as f64);
        // Farther than an agent can have come: it crossed a seam, or was set elsewhere.
        let fastest = self.subject.speeds[1];
        let reach = self.reader.tick_seconds().filter(|_| fastest > 0.0);
        let reach = reach.map(|seconds| REACH * fastest * (since * seconds) as f32);
        while let Some(AgentRow { id, species, position, velocity, .. }) = self.ahead.take_if(|row| row.tick == tick) {
            let (position, velocity) = (Vector::from(position), Vector::from(velocity));
            let before = self.before.get(&id).copied().unwrap_or(position);
            let far = |axis: usize| (position[axis] - before[axis]).abs() > 0.5 * extent[axis];
            let jump = (0..3).any(far) || reach.is_some_and(|reach| position.distance(before) > reach);
            let before = if jump { position } else { before };
            self.crowd.push(DrawnAgent { position, velocity, before, radius: 0.0, species, state: species });
            self.now.insert(id, position);
            self.ahead = self.reader.row().map_err(wrong)?;
        }
        Ok(Some(tick))
    }
}

#[cfg(test)]
mod tests {
    use throng::Noise;

    use super::*;
    use crate::results::extent;
    use crate::summed::Extent;

    /// Reads a trajectory to its end; its extent if every row is valid.
    fn read(bytes: &[u8]) -> Option<Extent> {
        let mut reader = TrajectoryReader::csv(Path::new("trajectory.csv"), bytes).ok()?;
        while reader.row().ok()?.is_some() {}
        extent(bytes).ok()
    }

    /// Reads a trajectory cut at every byte, and with this many random single bytes changed.
    fn damage(flips: u64) {
        let row = |tick: u32, id: u32| format!("{tick},{id}v1,bird,{}.5,-0.25,1e-3,{tick},0.{tick}\n", 7 * id + tick);
        let rows = (0..4).flat_map(|tick| (0..3).map(move |id| row(tick, id)));
        let bytes = format!("tick,id,species,x,y,vx,vy,time\n{}", rows.collect::<String>()).into_bytes();
        let whole = read(&bytes).unwrap();
        for length in 0..bytes.len() {
            assert_ne!(read(&bytes[..length]), Some(whole), "{length}");
        }
        let (mut noise, mut damaged) = (Noise::new(1, 0, 0, Noise::USER), bytes.clone());
        for _ in 0..flips {
            let at = (f64::from(noise.unit()) * bytes.len() as f64) as usize;
            let change = (noise.unit() * 255.0) as u8 + 1;
            damaged[at] ^= change;
            assert_ne!(read(&damaged), Some(whole), "byte {at} by {change}");
            damaged[at] ^= change;
        }
    }

    #[test]
    fn a_damaged_trajectory_has_another_extent() {
        damage(5000);
    }

    #[test]
    #[ignore = "takes a minute: scripts/faults.sh runs it"]
    fn a_million_damaged_trajectories_have_other_extents() {
        damage(1_000_000);
    }
}
