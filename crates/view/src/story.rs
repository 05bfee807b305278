//! The story of a run: populations per species and state, the events of each kind since its start, the agents that each
//! sink removed, and the measurements of the scenario's own lines, areas and measures.

use serde_json::{Map, Value as Json, json};
use throng::measures::{Area, FlowLine, Measure, MeasureOf, RecorderSettings, Series};
use throng::{AnyWorld, Event, Removal, World, with_world};

/// The story since the start of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Story {
    events: [u64; Event::NAMES.len()],
    sinks: Vec<u64>,
    lines: Vec<FlowLine>,
    areas: Vec<Area>,
    own: Vec<MeasureOf>,
}

impl Story {
    /// The story of a world at its start, with the lines, the areas and the measures of its scenario.
    pub(super) fn new(world: &AnyWorld, recording: &RecorderSettings) -> Self {
        let mut story = Self {
            lines: recording.lines.iter().map(|(_, [from, to])| FlowLine::new(*from, *to)).collect(),
            areas: recording.areas.iter().map(|(_, area, _)| *area).collect(),
            own: own(recording).map(|own| MeasureOf { measure: own.clone(), species: None }).collect(),
            ..Self::default()
        };
        story.observe(world);
        story
    }

    /// Counts the events and the crossings of the world's last tick.
    pub(super) fn count(&mut self, world: &AnyWorld) {
        for event in world.events() {
            if let Some(kind) = Event::NAMES.iter().position(|name| *name == event.name()) {
                self.events[kind] += 1;
            }
            if let Event::Removed { reason: Removal::Sink(sink), .. } = event {
                let number = with_world!(world, world => world.environment().sinks.index_of(*sink));
                let Some(number) = number else { continue };
                if self.sinks.len() <= number {
                    self.sinks.resize(number + 1, 0);
                }
                self.sinks[number] += 1;
            }
        }
        self.observe(world);
    }

    fn observe(&mut self, world: &AnyWorld) {
        with_world!(world, world => self.lines.iter_mut().for_each(|line| line.observe(world)));
    }

    /// About the bytes that a copy of it takes: a line knows the last place of every agent.
    pub(super) fn bytes(&self, world: &AnyWorld) -> usize {
        const PER_AGENT: usize = 40;
        self.lines.len() * world.population() * PER_AGENT
    }

    /// The number of events of each kind that occurred, the agents removed by each sink, the persons that crossed each
    /// line, the present density in each area, the scenario's own measures, and the present populations.
    pub(super) fn describe(&self, world: &AnyWorld) -> Json {
        let events = Event::NAMES.iter().zip(self.events).filter(|(_, number)| *number > 0);
        let events: Map<String, Json> = events.map(|(name, number)| ((*name).to_owned(), number.into())).collect();
        let (populations, areas) = with_world!(world, world => {
            let densities = self.areas.iter().map(|area| area.classic(world).density);
            (populations(world), densities.collect::<Vec<_>>())
        });
        let mut series = Series::new(&self.own, None);
        series.measure(world);
        let own: Vec<Option<f64>> = series.values().map(|values| values.last().copied()).collect();
        let lines: Vec<u64> = self.lines.iter().map(FlowLine::persons).collect();
        json!({ "events": events, "populations": populations, "sinks": self.sinks, "lines": lines, "areas": areas,
            "own": own })
    }
}

/// The measures that the scenario defines itself.
pub(super) fn own(recording: &RecorderSettings) -> impl Iterator<Item = &Measure> {
    recording.measures.iter().filter(|measure| measure.built_in_name().is_empty())
}

/// The number of agents of each species, and of each of its states, and the means of its variables.
fn populations<const D: usize>(world: &World<D>) -> Vec<Json> {
    let counted = world.species_ids().flat_map(|id| world.agents(id)).map(|agents| {
        let mut states = vec![0_usize; world.species(agents.species()).map_or(0, |species| species.states.len())];
        if !states.is_empty() {
            (0..agents.len()).for_each(|row| states[agents.state(row)] += 1);
        }
        let variables = world.species(agents.species()).map_or(&[][..], |species| &species.variables);
        let mean = |values: &[f32]| values.iter().copied().map(f64::from).sum::<f64>() / values.len() as f64;
        let means = variables.iter().map(|variable| agents.column::<f32>(&variable.name).ok().map(mean));
        json!({ "agents": agents.len(), "states": states, "means": means.collect::<Vec<_>>() })
    });
    counted.collect()
}
