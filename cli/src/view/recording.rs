//! Recordings: the trajectory of a run in memory, and what the summary beside it says about its world.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Value as Json, json};
use throng::{AgentId, AnyWorld, Edge, Registry, Vector, with_world};
use throng_draw::Bounds;
use throng_formats::trajectory::{TrajectoryError, TrajectoryReader};

use super::contents::{Contents, Radii, Rows};
use super::describe;
use crate::execution;
use crate::failure::Failure;
use crate::files::caption;
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
    pub(super) ids: Vec<u64>,
    pub(super) positions: Vec<Vec<f32>>,
    pub(super) velocities: Vec<Vec<f32>>,
}

/// What is known of the world in which the agents moved.
#[derive(Debug)]
pub(super) struct Setting {
    /// The description of the world for the page, and of its environment.
    pub(super) world: Json,
    pub(super) scenery: Json,
    /// The names of the species, in the order of their numbers.
    pub(super) species: Vec<String>,
    /// The radii of the species' bodies, or of single agents where they differ.
    radii: Vec<f32>,
    own: HashMap<u64, f32>,
}

impl Recording {
    /// Reads a trajectory, and the summary beside it if there is one. The second value is the reason why an existing summary
    /// was not used.
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
        let mut names: Vec<String> = match &world {
            Some((world, _)) => world.species().map(|(_, name, _)| name.to_owned()).collect(),
            None => Vec::new(),
        };
        let (mut bounds, mut fastest) = (Bounds::EMPTY, 0.0);
        let mut moments: Vec<Moment> = Vec::new();
        let (mut thinned, mut ticks, mut bytes) = (1, 0, 0);
        // The number of each species of the file among the names.
        let mut numbers: Vec<usize> = Vec::new();
        let mut last = None;
        while let Some(row) = reader.row().map_err(wrong)? {
            if last != Some(row.tick) {
                signals.check()?;
                last = Some(row.tick);
                ticks += 1;
                if (ticks - 1) % thinned == 0 {
                    moments.push(Moment { tick: row.tick, species: Vec::new() });
                }
            }
            if reader.species().len() > numbers.len() {
                for name in &reader.species()[numbers.len()..] {
                    numbers.push(names.iter().position(|other| other == name).unwrap_or(names.len()));
                    if numbers.last() == Some(&names.len()) {
                        names.push(name.clone());
                    }
                }
            }
            let (position, velocity) = (Vector(row.position), Vector(row.velocity));
            bounds = bounds.including(position);
            let speed = velocity.length();
            fastest = if speed > fastest { speed } else { fastest };
            if (ticks - 1) % thinned != 0 {
                continue;
            }
            let Some(moment) = moments.last_mut() else { continue };
            let number = numbers[row.species as usize];
            if moment.species.len() <= number {
                moment.species.resize_with(number + 1, Column::default);
            }
            moment.species[number].push(row.id, dimensions, position, velocity);
            bytes += 8 + 8 * dimensions;
            if bytes > MAX_BYTES {
                let mut number = 0;
                moments.retain(|_| {
                    number += 1;
                    number % 2 == 1
                });
                (thinned, bytes) = (2 * thinned, bytes / 2);
            }
        }
        if moments.is_empty() {
            return Err(Failure::Input(format!("{}: holds no agents at any tick", file.display())));
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
                bounds = shown(&world, bounds);
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
        });
        let (low, high) = (self.bounds.low.0, self.bounds.high.0);
        Contents { dimensions: self.dimensions, tick, low, high, species: rows.collect(), values: None, forces: None }
    }
}

impl Column {
    fn push(&mut self, id: u64, dimensions: usize, position: Vector<3>, velocity: Vector<3>) {
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
        with_world!(world, world => for agents in world.all() {
            let each = Radii::of((0..agents.len()).map(|row| agents.radius(row)));
            radii.push(each.largest());
            if let Radii::Each(each) = each {
                own.extend(agents.ids().iter().map(|id: &AgentId| id.to_bits()).zip(each));
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
    fn radii(&self, species: usize, ids: &[u64]) -> Radii {
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
fn shown(world: &AnyWorld, agents: Bounds) -> Bounds {
    let settings = world.settings();
    let whole = Bounds { low: Vector::ZERO, high: settings.size };
    let open = settings.edge.map(|edge| edge == Edge::Open);
    whole.with_axes(open, agents.including(whole.low).including(whole.high))
}
