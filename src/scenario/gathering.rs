//! Groups of people that start side by side.

use crate::base::ids::AgentId;
use crate::base::settings::Settings;
use crate::maths::{Noise, Vector};
use crate::scenario::definition::Group;
use crate::scenario::draw::OccupiedSpace;
use crate::species::Distribution;

/// The gap between the bodies of members at the start, in metres.
const GAP: f32 = 0.2;

/// The group that the next agent of a species joins.
#[derive(Debug)]
pub(crate) struct Gathering<const D: usize> {
    sizes: Distribution,
    /// The largest radius of a member, in metres.
    radius: f32,
    /// The number of the group, from one.
    pub(crate) number: u32,
    members: u64,
    size: u64,
    first: Vector<D>,
}

impl Group {
    /// The first group of the species; `None` for agents without groups.
    pub(crate) fn gathering<const D: usize>(&self) -> Option<Gathering<D>> {
        let (sizes, radius) = (self.start.group_size?, self.quantities[1].largest());
        Some(Gathering { sizes, radius, number: 0, members: 0, size: 0, first: Vector::ZERO })
    }
}

impl<const D: usize> Gathering<D> {
    /// Adds an agent. Returns its position: the drawn one for the first member of a group, for the others a place
    /// beside the first, in turn on both sides, or the drawn one if that is not free.
    pub(crate) fn join(
        &mut self,
        settings: &Settings<D>,
        occupied: &OccupiedSpace<'_, D>,
        id: AgentId,
        drawn: Vector<D>,
    ) -> Vector<D> {
        if self.members == self.size {
            let mut noise = Noise::new(settings.seed, id.to_bits(), 0, Noise::GROUP);
            self.size = (self.sizes.draw(&mut noise) + 0.5) as u64;
            (self.members, self.first) = (1, drawn);
            self.number += 1;
            return drawn;
        }
        let side = if self.members % 2 == 1 { 1.0 } else { -1.0 };
        let along = side * self.members.div_ceil(2) as f32 * (2.0 * self.radius + GAP);
        let mut place = self.first;
        place[1] += along;
        self.members += 1;
        let inside = place[1] >= self.radius && place[1] <= settings.size[1] - self.radius;
        if inside && !occupied.touches(settings, place, self.radius) { place } else { drawn }
    }
}
