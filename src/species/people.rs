//! Species of people.

use crate::rules::motions::Pedvo;
use crate::species::{Familiar, PersonKind, Species, tables};

impl<const D: usize> Species<D> {
    /// The parts of the radius of a body that do not yield to others: see [`Motion::cores`](crate::Motion::cores).
    #[must_use]
    pub fn cores(&self) -> [f32; 2] {
        self.motion.as_ref().map_or([1.0; 2], |motion| motion.cores())
    }

    /// A species of pedestrians: with the mass, the radius and the largest speed of a [`PERSON`](tables::PERSON), and
    /// the motion [`Pedvo`].
    ///
    /// ```
    /// use throng::behaviours::WalkTo;
    /// use throng::{Species, species::tables::MODEL_OF_PEOPLE};
    ///
    /// let visitor = Species::<2>::people("visitor").with(1.0, WalkTo::default());
    /// let motion = visitor.motion.as_ref().and_then(|motion| motion.table()).unwrap();
    /// assert_eq!(motion.rule(), MODEL_OF_PEOPLE);
    /// ```
    #[must_use]
    pub fn people(name: impl Into<String>) -> Self {
        let [mass, radius, max_speed] = tables::PERSON.map(|(_, value)| value);
        let species = Self::new(name).with_mass(mass).with_radius(radius).with_max_speed(max_speed);
        species.with_motion(Pedvo::default())
    }

    /// Adds kinds of people: see [`PersonKind`].
    #[must_use]
    pub fn with_kinds(mut self, kinds: impl IntoIterator<Item = PersonKind>) -> Self {
        self.kinds.extend(kinds);
        self
    }

    /// Adds the share of its agents that know the goals of a navigation.
    #[must_use]
    pub fn with_familiar(mut self, navigation: impl Into<String>, share: f32) -> Self {
        self.familiar.push(Familiar::new(navigation, share));
        self
    }
}
