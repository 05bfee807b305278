//! Recordings: the trajectory of a run in memory, and the world in the summary beside it.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Value as Json, json};
use throng::{AgentId, AnyWorld, Edge, Registry, Vector, with_world};
use throng_draw::Bounds;
use throng_formats::trajectory::{AgentRow, TrajectoryError, TrajectoryReader};
use throng_scenario::shown;
use throng_view::contents::{Contents, Radii, Rows};
use throng_view::describe;
use throng_view::files::caption;

use crate::execution;
use crate::failure::Failure;
use crate::origin::Origin;
use crate::results::{SUMMARY, intact};
use crate::signals::Signals;

/// The most bytes of all moments. When they are full, every other moment is dropped.
const MAX_BYTES: usize = 1 << 30;

/// A recorded run.
#[derive(Debug)]
pub(super) struct Recording {
    pub(super) dimensions: usize,
    /// By ascending ticks; at least one.
    pub(super) moments: Vec<Moment>,
    /// One of this many recorded ticks is in memory.
    pub(super) thinned: usize,
    pub(super) bounds: Bounds,
    /// The highest speed, in metres per second.
    pub(super) fastest: f32,
    pub(super) setting: Setting,
}

/// The agents at one tick, by species.
#[derive(Debug)]
pub(super) struct Moment {
    pub(super) tick: u64,
    pub(super) species: Vec<Column>,
}

/// The agents of one species at one tick: one column per axis.
#[derive(Debug, Default)]
pub(super) struct Column {
    pub(super) ids: Vec<AgentId>,
    pub(super) positions: Vec<Vec<f32>>,
    pub(super) velocities: Vec<Vec<f32>>,
}

/// The known properties of the world in which the agents moved.
#[derive(Debug)]
pub(super) struct Setting {
    /// The description of the world for the page, and of its environment.
    pub(super) world: Json,
    pub(super) scenery: Json,
    /// The names of the species, in the order of their numbers.
    pub(super) species: Vec<String>,
    /// The radii of the species' bodies, or of single agents where they differ.
    radii: Vec<f32>,
    own: HashMap<AgentId, f32>,
}

impl Recording {
    /// Reads a trajectory, and the summary beside it if there is one. The second value is the reason why an existing
    /// summary was not used.
    ///
    /// # Errors
    ///
    /// Fails if the trajectory is damaged or has no agents.
    pub(super) fn read(file: &Path, registry: &Registry, signals: &Signals) -> Result<(Self, Option<String>), Failure> {
        intact(file)?;
        let wrong = |error: TrajectoryError| Failure::Input(error.to_string());
        let mut reader = TrajectoryReader::open(file).map_err(wrong)?;
        let dimensions = reader.dimensions();
        let (world, fault) = match beside(file, registry) {
            Some(Ok((world, caption))) if world.dimensions() == dimensions => (Some((world, caption)), None),
            Some(Ok(_)) => (None, Some("has another number of dimensions".to_owned())),
            Some(Err(failure)) => (None, Some(failure.to_string())),
            None => (None, None),
        };
        let names = match &world {
            Some((world, _)) => world.all_species().map(|(_, name, _)| name.to_owned()).collect(),
            None => Vec::new(),
        };
        let mut reel = Reel::new(names, dimensions, MAX_BYTES);
        while let Some(row) = reader.row().map_err(wrong)? {
            if reel.last != Some(row.tick) {
                signals.check()?;
                reel.start(row.tick);
            }
            if reader.species().len() > reel.numbers.len() {
                reel.name(reader.species());
            }
            reel.push(&row);
        }
        let Reel { mut moments, names, thinned, mut bounds, fastest, .. } = reel;
        if moments.is_empty() {
            return Err(Failure::Input(format!("{}: holds no agents at any tick", shown(&file))));
        }
        for moment in &mut moments {
            moment.species.resize_with(names.len(), Column::default);
            for column in &mut moment.species {
                column.positions.resize_with(dimensions, Vec::new);
                column.velocities.resize_with(dimensions, Vec::new);
            }
        }
        let setting = match world {
            Some((world, caption)) => {
                bounds = visible(&world, bounds);
                Setting::of(&world, &caption, names, registry)
            }
            None => {
                bounds = bounds.with_margin(dimensions);
                Setting::unknown(dimensions, bounds, names)
            }
        };
        Ok((Self { dimensions, moments, thinned, bounds, fastest, setting }, fault))
    }

    /// The contents of the frame of a moment.
    pub(super) fn contents(&self, moment: usize) -> Contents<'_> {
        let Moment { tick, ref species } = self.moments[moment];
        let rows = species.iter().enumerate().map(|(number, column)| Rows {
            positions: column.positions.iter().map(Vec::as_slice).collect(),
            velocities: column.velocities.iter().map(Vec::as_slice).collect(),
            radii: self.setting.radii(number, &column.ids),
            ids: &column.ids,
        });
        let (low, high) = (self.bounds.low.0, self.bounds.high.0);
        Contents { dimensions: self.dimensions, tick, low, high, species: rows.collect(), values: None, forces: None }
    }
}

/// A recording as it is read.
#[derive(Debug)]
struct Reel {
    moments: Vec<Moment>,
    names: Vec<String>,
    /// The numbers of the file's species among the names.
    numbers: Vec<usize>,
    dimensions: usize,
    /// The number of recorded ticks, and the last one.
    ticks: usize,
    last: Option<u64>,
    thinned: usize,
    /// The number of agents in memory, and the most.
    agents: usize,
    most: usize,
    bounds: Bounds,
    fastest: f32,
}

impl Reel {
    fn new(names: Vec<String>, dimensions: usize, bytes: usize) -> Self {
        Self {
            moments: Vec::new(),
            names,
            numbers: Vec::new(),
            dimensions,
            ticks: 0,
            last: None,
            thinned: 1,
            agents: 0,
            most: bytes / (8 + 8 * dimensions),
            bounds: Bounds::EMPTY,
            fastest: 0.0,
        }
    }

    /// Starts a recorded tick. If the memory is full, every other moment is dropped before.
    fn start(&mut self, tick: u64) {
        if self.agents > self.most {
            let mut number = 0;
            self.moments.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.thinned *= 2;
            self.agents = self.moments.iter().flat_map(|moment| &moment.species).map(|column| column.ids.len()).sum();
        }
        if self.ticks.is_multiple_of(self.thinned) {
            self.moments.push(Moment { tick, species: Vec::new() });
        }
        (self.ticks, self.last) = (self.ticks + 1, Some(tick));
    }

    /// Adds the names of further species of the file.
    fn name(&mut self, names: &[String]) {
        for name in &names[self.numbers.len()..] {
            let number = self.names.iter().position(|other| other == name).unwrap_or(self.names.len());
            if number == self.names.len() {
                self.names.push(name.clone());
            }
            self.numbers.push(number);
        }
    }

    /// Adds an agent of the tick that was started last.
    fn push(&mut self, row: &AgentRow) {
        let (position, velocity) = (Vector(row.position), Vector(row.velocity));
        self.bounds = self.bounds.including(position);
        let speed = velocity.length();
        self.fastest = if speed > self.fastest { speed } else { self.fastest };
        let Some(moment) = self.moments.last_mut().filter(|moment| moment.tick == row.tick) else { return };
        let number = self.numbers[row.species as usize];
        if moment.species.len() <= number {
            moment.species.resize_with(number + 1, Column::default);
        }
        moment.species[number].push(AgentId::from_bits(row.id), self.dimensions, position, velocity);
        self.agents += 1;
    }
}

impl Column {
    fn push(&mut self, id: AgentId, dimensions: usize, position: Vector<3>, velocity: Vector<3>) {
        self.ids.push(id);
        for (columns, vector) in [(&mut self.positions, position), (&mut self.velocities, velocity)] {
            columns.resize_with(dimensions, Vec::new);
            columns.iter_mut().zip(vector.0).for_each(|(column, at)| column.push(at));
        }
    }
}

impl Setting {
    /// The setting of a run, from the world at its start.
    fn of(world: &AnyWorld, caption: &str, species: Vec<String>, registry: &Registry) -> Self {
        let mut json = with_world!(world, world => describe::world(world, registry));
        json["caption"] = caption.into();
        let scenery = with_world!(world, world => describe::environment(world));
        let (mut radii, mut own) = (Vec::new(), HashMap::new());
        with_world!(world, world => for agents in world.all_agents() {
            let each = Radii::of((0..agents.len()).map(|row| agents.radius(row)));
            radii.push(each.largest());
            if let Radii::Each(each) = each {
                own.extend(agents.ids().iter().copied().zip(each));
            }
        });
        radii.resize(species.len(), 0.0);
        Self { world: json, scenery, species, radii, own }
    }

    /// The setting of a trajectory without a summary.
    fn unknown(dimensions: usize, bounds: Bounds, species: Vec<String>) -> Self {
        let world = json!({
            "dimensions": dimensions,
            "low": bounds.low.0[..dimensions],
            "size": bounds.extent().0[..dimensions],
            "edge": vec![Edge::Open.name(); dimensions],
            "tick_seconds": null,
            "seed": "",
            "caption": "",
            "flows": [],
        });
        let scenery = json!({ "walls": [], "marks": [], "obstacles": [], "regions": [] });
        Self { world, scenery, radii: vec![0.0; species.len()], own: HashMap::new(), species }
    }

    /// The radii of agents of a species.
    fn radii(&self, species: usize, ids: &[AgentId]) -> Radii {
        let usual = self.radii[species];
        match self.own.is_empty() {
            true => Radii::Same(usual),
            false => Radii::of(ids.iter().map(|id| self.own.get(id).copied().unwrap_or(usual))),
        }
    }
}

/// The world at the start of the run, and its caption, from the summary beside a trajectory; `None` if there is none.
fn beside(file: &Path, registry: &Registry) -> Option<Result<(AnyWorld, String), Failure>> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let build = || {
        let origin = Origin::recorded(folder)?;
        let world = execution::build(&origin.scenario(registry)?)?;
        Ok((world, caption(&origin.text)))
    };
    folder.join(SUMMARY).exists().then(build)
}

/// The bounds of the world, widened to hold all agents on open axes.
fn visible(world: &AnyWorld, agents: Bounds) -> Bounds {
    let settings = world.settings();
    let whole = Bounds { low: Vector::ZERO, high: settings.size };
    let open = settings.edge.map(|edge| edge == Edge::Open);
    whole.with_axes(open, agents.including(whole.low).including(whole.high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_recording_is_thinned_by_whole_ticks() {
        // Room for seven agents in two dimensions.
        let mut reel = Reel::new(vec!["hawk".to_owned()], 2, 7 * 24);
        for tick in (0..40).step_by(2) {
            reel.start(tick);
            for id in 0..3 {
                if reel.numbers.len() < 2 {
                    reel.name(&["dove", "hawk"].map(str::to_owned));
                }
                let position = [tick as f32, id as f32, 0.0];
                reel.push(&AgentRow { tick, id, species: u32::from(id == 0), position, velocity: position, line: 0 });
            }
        }
        let ticks: Vec<u64> = reel.moments.iter().map(|moment| moment.tick).collect();
        assert_eq!((ticks, reel.thinned), (vec![0, 32], 16));
        for moment in &reel.moments {
            let ids = |column: &Column| column.ids.iter().map(|id| id.to_bits()).collect::<Vec<_>>();
            assert_eq!(moment.species.iter().map(ids).collect::<Vec<_>>(), [vec![0], vec![1, 2]]);
            assert_eq!(moment.species[1].positions, [[moment.tick as f32; 2].to_vec(), vec![1.0, 2.0]]);
        }
        assert_eq!((reel.names, reel.numbers), (vec!["hawk".to_owned(), "dove".to_owned()], vec![1, 0]));
        assert_eq!(reel.bounds.high, Vector([38.0, 2.0, 0.0]));
    }
}
