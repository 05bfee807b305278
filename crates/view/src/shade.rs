//! The quantity that the colour of agents shows, as one byte per agent.

use throng::{Quantity, World};
use throng_draw::{Drawable, NeighbourCounts};

/// The byte of an agent without a value.
const NONE: u8 = 255;
/// The byte of the highest value.
const MOST: f32 = 254.0;

/// The quantity that the colour of agents shows. The page needs no values for species and headings.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Shade {
    /// None: the page knows the colours.
    #[default]
    Plain,
    /// The speed.
    Speed,
    /// The number of neighbours.
    Neighbours,
    /// The state.
    State,
    /// The first number of a column.
    Column(String),
}

/// The values of all agents, as bytes from 0 for `low` to 254 for `high`.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// The value of the byte 0.
    pub low: f32,
    /// The value of the byte 254.
    pub high: f32,
    /// The bytes; 255 marks a missing value.
    pub bytes: Vec<u8>,
}

impl Shade {
    /// The quantity with this name; a column has the name `column:NAME`.
    #[must_use]
    pub fn named(name: &str) -> Self {
        match name {
            "speed" => Self::Speed,
            "neighbours" => Self::Neighbours,
            "state" => Self::State,
            name => name.strip_prefix("column:").map_or(Self::Plain, |name| Self::Column(name.to_owned())),
        }
    }

    /// The name, as the page writes it.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Plain => "plain".into(),
            Self::Speed => "speed".into(),
            Self::Neighbours => "neighbours".into(),
            Self::State => "state".into(),
            Self::Column(name) => format!("column:{name}"),
        }
    }

    /// Returns the values of all agents, species by species; `None` if no values are needed.
    #[must_use]
    pub fn values<const D: usize>(&self, world: &World<D>) -> Option<Values> {
        let all = || world.all_agents().iter();
        match self {
            Self::Plain => None,
            Self::Speed => {
                // The scale follows from the definitions: it stays as agents come and go.
                let species = world.species_ids().filter_map(|id| world.species(id).ok());
                let high = species.map(|species| species.largest(Quantity::MaxSpeed)).fold(0.0, larger);
                let speeds = all().flat_map(|agents| (0..agents.len()).map(|row| agents.velocity(row).length()));
                Some(scaled(0.0, high, speeds))
            }
            Self::Neighbours => {
                let mut crowd = Vec::new();
                world.crowd(&mut |agents| crowd.extend_from_slice(agents));
                let mut counts = NeighbourCounts::new(&world.subject());
                Some(scaled(0.0, counts.most() as f32, {
                    let most = counts.most() as f32;
                    counts.count(&crowd).into_iter().map(move |share| share * most)
                }))
            }
            Self::State => {
                let mut first = 0;
                let mut bytes = Vec::new();
                for (id, agents) in world.species_ids().zip(all()) {
                    bytes.extend((0..agents.len()).map(|row| (first + agents.state(row)).min(MOST as usize) as u8));
                    first += world.species(id).map_or(0, |species| species.states.len()).max(1);
                }
                Some(Values { low: 0.0, high: first as f32, bytes })
            }
            Self::Column(name) => {
                // While no agent has the column, all values are unknown.
                let unknown = || scaled(0.0, 0.0, all().flat_map(|agents| std::iter::repeat_n(f32::NAN, agents.len())));
                let known = Drawable::values(world, name);
                Some(
                    known.map_or_else(unknown, |known| {
                        scaled(known.range[0], known.range[1], known.numbers.into_iter())
                    }),
                )
            }
        }
    }
}

fn larger(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// Values as bytes on this scale.
pub fn scaled(low: f32, high: f32, numbers: impl Iterator<Item = f32>) -> Values {
    let scale = if high > low { MOST / (high - low) } else { 0.0 };
    let byte = |number: f32| if number.is_finite() { ((number - low) * scale).clamp(0.0, MOST) as u8 } else { NONE };
    Values { low, high, bytes: numbers.map(byte).collect() }
}

#[cfg(test)]
mod tests {
    use throng::{Distribution, Settings, Species};

    use super::*;

    #[test]
    fn values_span_the_scale_and_unknown_ones_are_marked() {
        assert_eq!(scaled(0.0, 2.0, [0.0, 1.0, 2.0, 9.0, f32::NAN].into_iter()).bytes, [0, 127, 254, 254, NONE]);
        let mut world = World::<2>::new(Settings::default()).unwrap();
        let named = |name, speed| Species { max_speed: Distribution::Same(speed), ..Species::new(name) };
        let species = world.add_species(named("starling", 3.0)).unwrap();
        world.add_species(named("hawk", 4.0)).unwrap();
        world.spawn(species, [1.0, 1.0], [0.0, 2.0]).unwrap();
        world.spawn(species, [2.0, 1.0], [0.0, 3.0]).unwrap();
        let values = Shade::Speed.values(&world).unwrap();
        assert_eq!((values.low, values.high, values.bytes), (0.0, 4.0, vec![127, 190]));
        world.add_column(species, "age", 7.0_f32).unwrap();
        let values = Shade::named("column:age").values(&world).unwrap();
        assert_eq!((values.low, values.high, values.bytes), (7.0, 7.0, vec![0, 0]));
        assert_eq!(Shade::named("column:other").values(&world).unwrap().bytes, [NONE, NONE]);
        assert_eq!(Shade::named("heading").values(&world), None);
    }
}
