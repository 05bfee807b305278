//! The goals that agents of a species know.

use crate::base::distribution::Distribution;
use crate::base::error::Error;
use crate::base::handles::NavigationId;
use crate::base::ids::AgentId;
use crate::base::settings::LIMIT;
use crate::base::values::{Kind, Parameter, Range};
use crate::environment::{Collection, Navigation};
use crate::maths::Noise;

/// The share of agents that know the goals of a navigation: see [`Species::familiar`](crate::Species::familiar).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Familiar {
    /// The name of the navigation.
    pub navigation: String,
    /// The share of the agents that know its goals, in [0, 1]. The others do not take it, unless they know no other. One
    /// draw decides for a group of agents that start together, and for all navigations with the same goals.
    pub share: f32,
    /// The least and the largest radius of the bodies that take its ways, in metres. Wider bodies need ways with a
    /// larger clearance.
    #[cfg_attr(feature = "serde", serde(default = "Familiar::any"))]
    pub radii: [f32; 2],
}

/// The range of the share of agents.
const SHARE: Parameter = Parameter::new(
    "familiar",
    "",
    Kind::Number(Range::from(0.0, 1.0)),
    "Share of the agents that know the goals of a navigation.",
);

/// The range of radii.
const RADII: Parameter = Parameter::optional(
    "radii",
    "m",
    Kind::Distribution(Range::LENGTH),
    "Radii of the bodies that take the ways of a navigation.",
);

impl Familiar {
    /// The share of the agents that know a navigation, whatever their radius.
    #[must_use]
    pub fn new(navigation: impl Into<String>, share: f32) -> Self {
        Self { navigation: navigation.into(), share, radii: Self::any() }
    }

    fn any() -> [f32; 2] {
        [0.0, LIMIT]
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        Distribution::Same(self.share).check(&SHARE)?;
        let [from, to] = self.radii;
        Distribution::Uniform(from, to).check(&RADII)
    }

    /// The goals that an agent with this radius knows, as bits by the numbers of the navigations' handles, from the
    /// shares of its species and of its kind, which count first. `by` is the agent whose id decides: the first of a
    /// group. One draw decides for all navigations with the same goals, on ways for bodies of different widths.
    pub(crate) fn known<const D: usize>(
        [of_species, of_kind]: [&[Self]; 2],
        navigations: &Collection<Navigation<D>>,
        (seed, by): (u64, AgentId),
        radius: f32,
    ) -> u32 {
        let mut known = u32::MAX;
        let is_of_kind = |name: &str| of_kind.iter().any(|familiar| familiar.navigation == name);
        let others = of_species.iter().filter(|familiar| !is_of_kind(&familiar.navigation));
        let with_bit = |(id, _): &(NavigationId, _)| id.to_bits() < u64::from(u32::BITS);
        let numbered = || navigations.iter().filter(with_bit).map(|(id, navigation)| (id.to_bits(), navigation));
        for familiar in of_kind.iter().chain(others) {
            let named = numbered().find(|(_, navigation)| navigation.name == familiar.navigation);
            let Some((number, navigation)) = named else { continue };
            let place =
                numbered().find(|(_, other)| other.goals == navigation.goals).map_or(number, |(place, _)| place);
            let knows = Noise::new(seed, by.to_bits(), place, Noise::FAMILIAR).unit() < familiar.share;
            if !knows || !(familiar.radii[0]..=familiar.radii[1]).contains(&radius) {
                known &= !(1 << number);
            }
        }
        known
    }
}
