//! The quantities of a species, by which hosts read and set them.

use crate::rules::parameters::Parameter;
use crate::species::tables::QUANTITIES;

/// A quantity of the agents of a species: of their bodies, or of how they move.
///
/// ```
/// use throng::{Distribution, Quantity, Settings, Species, World};
///
/// let mut world = World::<2>::new(Settings::default())?;
/// let mut sheep = Species::new("sheep");
/// sheep.set_quantity(Quantity::Radius, Distribution::Uniform(0.3, 0.5))?;
/// let sheep = world.add_species(sheep)?;
/// let dolly = world.spawn(sheep, [50.0, 50.0], [1.0, 0.0])?;
/// world.set_quantity(dolly, Quantity::Radius, 0.4)?;
/// assert_eq!(world.species(sheep)?.quantity(Quantity::MaxSpeed), Distribution::Same(10.0));
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Quantity {
    /// Mass, in kilograms.
    Mass,
    /// Radius of the body, in metres.
    Radius,
    /// Largest speed, in metres per second.
    MaxSpeed,
    /// Largest steering force, in newtons.
    MaxForce,
    /// Smallest speed of a moving agent, in metres per second.
    MinSpeed,
    /// Largest turn rate, in degrees per second.
    MaxTurnRate,
    /// Time in which an agent reaches its desired velocity, in seconds.
    Response,
}

impl Quantity {
    /// All quantities.
    pub const ALL: [Self; 7] =
        [Self::Mass, Self::Radius, Self::MaxSpeed, Self::MaxForce, Self::MinSpeed, Self::MaxTurnRate, Self::Response];

    /// The quantities of the body. Each agent has its own value of them, which may be drawn and set; all agents of a
    /// species share the others.
    pub const OF_BODY: [Self; 4] = [Self::Mass, Self::Radius, Self::MaxSpeed, Self::MaxForce];

    /// The quantity with this name, such as `max_speed`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|quantity| quantity.name() == name)
    }

    /// Its name in scenario files, such as `max_speed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.parameter().name
    }

    /// Its unit, its range and its default.
    #[must_use]
    pub const fn parameter(self) -> &'static Parameter {
        &QUANTITIES[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_quantity_has_the_table_of_its_name() {
        let names = Quantity::ALL.map(|quantity| format!("{quantity:?}").to_lowercase());
        assert_eq!(names, QUANTITIES.map(|quantity| quantity.name.replace('_', "")));
        assert_eq!(Quantity::ALL[..4], Quantity::OF_BODY);
        assert!(Quantity::ALL.into_iter().all(|quantity| Quantity::named(quantity.name()) == Some(quantity)));
    }
}
