//! The targets of all agents of a chunk at once, with the same results as [`Me::aim`] for each agent.

use crate::agents::Agents;
use crate::base::settings::nearest_image;
use crate::kernels::combine::{Force, Quantity};
use crate::kernels::steer_to_target::{Aimed, Wish, chase};
use crate::kernels::{CHUNK, CLUSTER, CLUSTERS};
use crate::maths::Vector;
use crate::rules::interface::{Forces, Rows, Sought};
use crate::rules::target::{Aim, drawn_points};

/// The targets of the agents of a chunk.
#[derive(Clone, Debug)]
pub(crate) struct Aims<const D: usize> {
    /// The offset from each agent to its target, or to its nearest image in a periodic world.
    pub(crate) offset: Force<D>,
    /// The velocity of the target.
    pub(crate) velocity: Force<D>,
    /// The radius of the target's body.
    pub(crate) radius: [f32; CHUNK],
    /// The agents that have a target, one bit each.
    pub(crate) some: [u16; CLUSTERS],
}

impl<const D: usize> Aims<D> {
    /// Targets without extent for these agents, with offsets to be filled in.
    pub(crate) fn new(some: [u16; CLUSTERS]) -> Self {
        Self { offset: [[0.0; CHUNK]; D], velocity: [[0.0; CHUNK]; D], radius: [0.0; CHUNK], some }
    }

    /// Sets the target of an agent, given by its index in the chunk.
    pub(crate) fn set(&mut self, place: usize, aim: Option<Aim<D>>) {
        let bit = 1 << (place % CLUSTER);
        let Some(aim) = aim else {
            self.some[place / CLUSTER] &= !bit;
            return;
        };
        self.some[place / CLUSTER] |= bit;
        self.radius[place] = aim.radius;
        for axis in 0..D {
            self.offset[axis][place] = aim.offset[axis];
            self.velocity[axis][place] = aim.velocity[axis];
        }
    }

    /// The target of an agent, given by its index in the chunk.
    pub(crate) fn get(&self, place: usize) -> Option<Aim<D>> {
        (self.some[place / CLUSTER] >> (place % CLUSTER) & 1 == 1).then(|| Aim {
            offset: Vector::from_fn(|axis| self.offset[axis][place]),
            velocity: Vector::from_fn(|axis| self.velocity[axis][place]),
            radius: self.radius[place],
        })
    }
}

impl<const D: usize> Rows<'_, D> {
    /// The agents for which the rule is active, one bit each.
    pub(crate) fn speaking(&self) -> [u16; CLUSTERS] {
        std::array::from_fn(|cluster| {
            let at = |place: usize| place.saturating_sub(cluster * CLUSTER).clamp(0, CLUSTER);
            let (first, end) = (at(self.first), at(self.first + self.len));
            if self.active.is_empty() {
                return ((1u32 << end) - (1u32 << first)) as u16;
            }
            let bit = |lane: usize| u16::from(self.is_active(cluster * CLUSTER + lane)) << lane;
            (first..end).fold(0, |some, lane| some | bit(lane))
        })
    }

    /// Whether the target with this number is kept from tick to tick.
    pub(crate) fn is_kept(&self, number: usize) -> bool {
        matches!(self.names.targets[number], Sought::Kept(..))
    }

    /// The target of each agent for the rule's target with this number: the agent's goal, if the host gave it one.
    pub(crate) fn aims(&self, number: usize) -> Aims<D> {
        if self.agents.goal.is_none() {
            return self.aims_past_goal(number);
        }
        let mut aims = Aims::new([0; CLUSTERS]);
        self.iter().for_each(|me| aims.set(me.in_chunk, me.aim(number)));
        aims
    }

    /// The target of each agent, regardless of goals.
    pub(crate) fn aims_past_goal(&self, number: usize) -> Aims<D> {
        let scene = self.scene;
        let none = || Aims::new([0; CLUSTERS]);
        match &self.names.targets[number] {
            Sought::Point(point) => point.map_or_else(none, |point| self.aims_at_point(point)),
            Sought::Agent(id) => scene
                .find(*id)
                .map_or_else(none, |(species, row)| self.aims_at_agent(&scene.species()[species.number()], row)),
            Sought::Random(interval) => {
                let point = drawn_points(scene, *interval);
                self.aims_at_points(self.speaking(), |place| point(self.agents.id[self.chunk + place]))
            }
            Sought::Nearest(species) => self.aims_at_nearest(number, species),
            Sought::Kept(..) => {
                let mut aims = none();
                self.iter().for_each(|me| aims.set(me.in_chunk, me.aim_past_goal(number)));
                aims
            }
        }
    }

    fn aims_at_point(&self, point: Vector<D>) -> Aims<D> {
        self.aims_at_points(self.speaking(), |_| point)
    }

    /// Targets at points: `point` returns that of the agent at an index in the chunk.
    pub(crate) fn aims_at_points(&self, some: [u16; CLUSTERS], point: impl Fn(usize) -> Vector<D>) -> Aims<D> {
        let mut aims = Aims::new(some);
        for place in self.first..self.first + self.len {
            let point = point(place);
            for axis in 0..D {
                aims.offset[axis][place] = point[axis];
            }
        }
        self.offsets_to(&mut aims.offset);
        aims
    }

    fn aims_at_agent(&self, agents: &Agents<D>, row: usize) -> Aims<D> {
        let mut aims = self.aims_at_point(agents.position(row));
        aims.radius = [agents.radius(row); CHUNK];
        aims.velocity = agents.velocity(row).0.map(|component| [component; CHUNK]);
        let own = row.wrapping_sub(self.chunk);
        if agents.species == self.agents.species && own < CHUNK {
            aims.some[own / CLUSTER] &= !(1 << (own % CLUSTER));
        }
        aims
    }

    /// Converts points to offsets from the agents, like [`Settings::offset`](crate::Settings::offset).
    fn offsets_to(&self, points: &mut Force<D>) {
        let (period, places) = (self.scene.settings().period(), self.first..self.first + self.len);
        let mut far = false;
        for (axis, from) in self.positions().into_iter().enumerate() {
            let most = 1.5 * period[axis];
            for (to, from) in points[axis][places.clone()].iter().zip(from) {
                far |= (to - from).abs() > most;
            }
        }
        if far {
            for place in places {
                let to = Vector::from_fn(|axis| points[axis][place]);
                let offset = self.at(place).offset_to(to);
                for axis in 0..D {
                    points[axis][place] = offset[axis];
                }
            }
            return;
        }
        for (axis, from) in self.positions().into_iter().enumerate() {
            for (to, from) in points[axis][places.clone()].iter_mut().zip(from) {
                *to = nearest_image(*to - from, period[axis]);
            }
        }
    }

    /// Records the agents whose bodies touch their targets.
    pub(crate) fn arrive_where_touching(&self, aims: &Aims<D>) {
        if self.there.is_empty() {
            return;
        }
        let own = self.agents.body.radius.of(self.chunk..self.chunk + self.first + self.len);
        for (cluster, &some) in aims.some.iter().enumerate().filter(|(_, some)| **some != 0) {
            let mut touching = 0;
            for lane in 0..CLUSTER {
                let place = cluster * CLUSTER + lane;
                let own = match own {
                    Quantity::Same(radius) => radius,
                    Quantity::Each(radii) => radii.get(place).copied().unwrap_or(0.0),
                };
                let reach = own + aims.radius[place];
                let mut squared = aims.offset[0][place] * aims.offset[0][place];
                for axis in 1..D {
                    squared += aims.offset[axis][place] * aims.offset[axis][place];
                }
                touching |= u16::from(squared <= reach * reach) << lane;
            }
            touching &= some;
            while touching != 0 {
                self.there[cluster * CLUSTER + touching.trailing_zeros() as usize].set(true);
                touching &= touching - 1;
            }
        }
    }

    /// Sets the forces of the agents that have a target.
    pub(crate) fn chase(&self, aims: &Aims<D>, wish: Wish, forces: &mut Forces<'_, D>) {
        let (offset, velocity) =
            (aims.offset.each_ref().map(|axis| &axis[..]), aims.velocity.each_ref().map(|axis| &axis[..]));
        let aimed = Aimed { offset, velocity, some: &aims.some };
        chase(self.level, &self.steered(), &aimed, wish, 0, forces.forces);
    }
}
