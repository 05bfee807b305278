//! Groups of people that start side by side.

use throng::maths::sin_cos;
use throng::{AgentId, Distribution, Noise, Vector};

use crate::bodies::Body;
use crate::definition::Group;
use crate::draw::{Joined, OccupiedSpace};

/// The gap between the bodies of members at the start, in metres.
const GAP: f32 = 0.2;

/// The directions around the first member, and the rings around it, in which a member looks for a place.
const DIRECTIONS: u32 = 12;
const RINGS: u32 = 3;

/// The group that the next agent of a species joins.
#[derive(Debug)]
pub(crate) struct Gathering<const D: usize> {
    sizes: Distribution,
    /// The largest radius of a member, in metres.
    radius: f32,
    number: u32,
    members: u64,
    size: u64,
    leader: AgentId,
    first: Vector<D>,
}

impl Group {
    /// The first group of the species; `None` for agents without groups.
    pub(crate) fn gathering<const D: usize>(&self) -> Option<Gathering<D>> {
        let (sizes, radius) = (self.start.group_size?, self.widest());
        let leader = AgentId::from_bits(0);
        Some(Gathering { sizes, radius, number: 0, members: 0, size: 0, leader, first: Vector::ZERO })
    }
}

impl<const D: usize> Gathering<D> {
    /// Adds an agent. Returns its place: `None` for the first member of a group, for the others beside the first, in
    /// turn on both sides, or near it where that is not free, and `None` if no place near it is.
    pub(super) fn join(
        &mut self,
        space: &OccupiedSpace<'_, D>,
        group: &Group,
        id: AgentId,
        drawn: Vector<D>,
    ) -> Option<Vector<D>> {
        self.count(space, id, drawn);
        let before = self.members - 1;
        if before == 0 {
            return None;
        }
        let apart = 2.0 * self.radius + GAP;
        let side = if before % 2 == 1 { 1.0 } else { -1.0 };
        let mut beside = self.first;
        beside[1] += side * before.div_ceil(2) as f32 * apart;
        let around = (0..RINGS * DIRECTIONS).map(|number| {
            let turn = (number % DIRECTIONS) as f32 / DIRECTIONS as f32;
            let (sine, cosine) = sin_cos((0.25 + turn) * std::f32::consts::TAU);
            let mut place = self.first;
            let reach = apart * (number / DIRECTIONS + 1) as f32;
            (place[0], place[1]) = (place[0] + reach * cosine, place[1] + reach * sine);
            place
        });
        std::iter::once(beside).chain(around).find(|place| self.is_free(space, group, *place))
    }

    /// The group that the last agent joined.
    pub(super) fn joined(&self) -> Joined {
        Joined { number: self.number, leader: self.leader }
    }

    /// Adds an agent at a place. Returns its group.
    pub(super) fn count(&mut self, space: &OccupiedSpace<'_, D>, id: AgentId, place: Vector<D>) -> Joined {
        if self.members == self.size {
            let mut noise = Noise::new(space.settings.seed, id.to_bits(), 0, Noise::GROUP);
            self.size = (self.sizes.draw(&mut noise) + 0.5) as u64;
            (self.members, self.leader, self.first) = (0, id, place);
            self.number += 1;
        }
        self.members += 1;
        self.joined()
    }

    fn is_free(&self, space: &OccupiedSpace<'_, D>, group: &Group, place: Vector<D>) -> bool {
        let inside = |axis: usize| {
            place[axis] == self.first[axis]
                || (self.radius..=space.settings.size[axis] - self.radius).contains(&place[axis])
        };
        let body = Body { position: place, radius: self.radius, walks: group.walks };
        (0..2).all(inside) && space.is_clear(&body, false)
    }
}
