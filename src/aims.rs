//! What many agents aim at, all of a chunk at once: with the same results as [`Me::aim`], agent by agent.

use crate::agents::Agents;
use crate::behaviour::{Forces, Rows, Whom};
use crate::kernels::chase::{Aimed, Wish, chase};
use crate::kernels::closest::{Closest, Sight, closest};
use crate::kernels::combine::{Force, Quantity};
use crate::kernels::{self, CHUNK, CLUSTER, CLUSTERS};
use crate::maths::Vector;
use crate::search::{Found, Search};
use crate::settings::nearest_image;
use crate::target::{Aim, Target, drawn_points};

/// So many agents of a cluster are worth a search for all of them.
const FEW: u32 = 3;

/// More than so many that may be the nearest are not looked at for all agents of a cluster.
const MANY: usize = 128;

/// What the agents of a chunk aim at.
#[derive(Clone, Debug)]
pub(crate) struct Aims<const D: usize> {
    /// From the agent to its target, to the nearest image in a periodic world.
    pub(crate) offset: Force<D>,
    /// The velocity of the target.
    pub(crate) velocity: Force<D>,
    /// The radius of its body.
    pub(crate) radius: [f32; CHUNK],
    /// The agents that have a target, one bit each.
    pub(crate) some: [u16; CLUSTERS],
}

impl<const D: usize> Aims<D> {
    /// These agents aim at points, none of which is there yet.
    pub(crate) fn new(some: [u16; CLUSTERS]) -> Self {
        Self { offset: [[0.0; CHUNK]; D], velocity: [[0.0; CHUNK]; D], radius: [0.0; CHUNK], some }
    }

    /// Sets what the agent at a place in the chunk aims at.
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

    /// What the agent at a place in the chunk aims at.
    pub(crate) fn get(&self, place: usize) -> Option<Aim<D>> {
        (self.some[place / CLUSTER] >> (place % CLUSTER) & 1 == 1).then(|| Aim {
            offset: Vector::from_fn(|axis| self.offset[axis][place]),
            velocity: Vector::from_fn(|axis| self.velocity[axis][place]),
            radius: self.radius[place],
        })
    }
}

impl<const D: usize> Rows<'_, D> {
    /// The agents in whose state the rule has a say, one bit each.
    pub(crate) fn speaking(&self) -> [u16; CLUSTERS] {
        let mut some = [0; CLUSTERS];
        for (cluster, some) in some.iter_mut().enumerate() {
            let first = if cluster * CLUSTER < self.first { self.first } else { cluster * CLUSTER };
            for place in first..((cluster + 1) * CLUSTER).clamp(first, (self.first + self.len).clamp(first, CHUNK)) {
                *some |= u16::from(self.is_active(place)) << (place % CLUSTER);
            }
        }
        some
    }

    /// What each agent aims at: its goal where it was given one.
    pub(crate) fn aims(&self, target: &Target<D>) -> Aims<D> {
        if self.agents.goal.is_none() {
            return self.aims_past_goal(target);
        }
        let mut aims = Aims::new([0; CLUSTERS]);
        self.iter().for_each(|me| aims.set(me.in_chunk, me.aim(target)));
        aims
    }

    /// The same, whatever goals agents were given.
    pub(crate) fn aims_past_goal(&self, target: &Target<D>) -> Aims<D> {
        let scene = self.scene;
        match target {
            Target::Point(point) => self.aims_at_point(*point),
            Target::Mark(name) => {
                scene.scenery().mark(name).map_or_else(|| Aims::new([0; CLUSTERS]), |point| self.aims_at_point(point))
            }
            Target::Agent(id) => scene.find(*id).map_or_else(
                || Aims::new([0; CLUSTERS]),
                |(species, row)| self.aims_at_agent(&scene.species()[species.number()], row),
            ),
            Target::Random(interval) => {
                let point = drawn_points(scene, *interval);
                self.aims_at_points(self.speaking(), |place| point(self.agents.id[self.chunk + place]))
            }
            Target::Nearest(whom) => self.aims_at_nearest(target, whom),
            Target::Kept(_) => {
                let mut aims = Aims::new([0; CLUSTERS]);
                self.iter().for_each(|me| aims.set(me.in_chunk, me.aim_past_goal(target)));
                aims
            }
        }
    }

    fn aims_at_point(&self, point: Vector<D>) -> Aims<D> {
        self.aims_at_points(self.speaking(), |_| point)
    }

    /// These agents aim at points: `point` has that of the agent at each place in the chunk.
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

    /// Makes offsets from the agents of points: as [`Settings::offset`](crate::Settings::offset).
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

    /// Sets the forces of the agents that aim at anything.
    pub(crate) fn chase(&self, aims: &Aims<D>, wish: Wish, forces: &mut Forces<'_, D>) {
        let (offset, velocity) =
            (aims.offset.each_ref().map(|axis| &axis[..]), aims.velocity.each_ref().map(|axis| &axis[..]));
        let aimed = Aimed { offset, velocity, some: &aims.some };
        chase(self.level, &self.steered(), &aimed, wish, 0, forces.forces);
    }

    /// Sets the forces of the agents of a cluster that aim at the closest of the neighbours on the first list, all of
    /// which are within `radius`.
    pub(crate) fn chase_closest(&self, radius: f32, wish: Wish, forces: &mut Forces<'_, D>) {
        let sights = &self.lists[0].sights;
        let found = self.closest(self.first, sights, self.at_seam(radius));
        let (mut velocity, mut some) = ([[0.0; CLUSTER]; D], 0);
        for lane in (0..CLUSTER).filter(|&lane| found.squared[lane] < f32::INFINITY) {
            let sight = &sights[found.number[lane] as usize];
            let theirs = self.scene.species()[sight.species as usize].velocity(sight.row as usize);
            for axis in 0..D {
                velocity[axis][lane] = theirs[axis];
            }
            some |= 1 << lane;
        }
        let (offset, velocity) =
            (found.offset.each_ref().map(|axis| &axis[..]), velocity.each_ref().map(|axis| &axis[..]));
        let aimed = Aimed { offset, velocity, some: &[some] };
        chase(self.level, &self.steered(), &aimed, wish, self.first, forces.forces);
    }

    /// The closest of what the agents of a cluster see.
    fn closest(&self, first: usize, sights: &[Sight], seam: bool) -> Closest<D> {
        let (mut found, mut number) = (Closest::new(), 0);
        let row = self.chunk + first;
        let position = kernels::rows(&self.agents.position, row..row + CLUSTER);
        for sights in sights.chunk_by(|a, b| a.species == b.species) {
            let them = &self.scene.species()[sights[0].species as usize].position;
            let theirs = kernels::rows(them, 0..them[0].len());
            closest(self.level, &position, &theirs, sights, number, seam, &self.scene.settings().period(), &mut found);
            number += sights.len();
        }
        found
    }

    /// What each agent aims at where that is the nearest of some species: of the agents of a cluster at once, where few
    /// are near.
    fn aims_at_nearest(&self, target: &Target<D>, whom: &Whom) -> Aims<D> {
        let (mut aims, mut found, mut sights) = (Aims::new([0; CLUSTERS]), Vec::new(), Vec::new());
        let all = self.see_all(whom, &mut sights);
        for (cluster, mut left) in self.speaking().into_iter().enumerate().filter(|(_, some)| *some != 0) {
            let first = cluster * CLUSTER;
            let placed = if all { left } else { left & self.placed(first) };
            if all || placed.count_ones() >= FEW && self.see_nearest(first, whom, &mut found, &mut sights) {
                let closest = self.closest(first, &sights, true);
                for lane in
                    (0..CLUSTER).filter(|lane| placed >> lane & 1 == 1 && closest.squared[*lane] < f32::INFINITY)
                {
                    let sight = sights[closest.number[lane] as usize];
                    let (them, row) = (&self.scene.species()[sight.species as usize], sight.row as usize);
                    let offset = Vector::from_fn(|axis| closest.offset[axis][lane]);
                    let aim = Aim { offset, velocity: them.velocity(row), radius: them.radius(row) };
                    aims.set(first + lane, Some(aim));
                }
                left &= !placed;
            }
            while left != 0 {
                let place = first + left.trailing_zeros() as usize;
                left &= left - 1;
                aims.set(place, self.at(place).aim_past_goal(target));
            }
        }
        aims
    }

    /// Fills `sights` with all agents of some species, if these are few and of others than one's own. Returns whether it
    /// did.
    fn see_all(&self, whom: &Whom, sights: &mut Vec<Sight>) -> bool {
        let crowds = || self.scene.crowds(whom, self.agents.species).map(|crowd| crowd.agents);
        let few = crowds().map(Agents::len).sum::<usize>() <= CLUSTER;
        let all = few && !whom.perceives(self.agents.species, self.agents);
        for agents in crowds().filter(|_| all) {
            let species = agents.species.0;
            sights.extend((0..agents.len() as u32).map(|row| Sight { species, row, seen: u16::MAX }));
        }
        all
    }

    /// Fills `sights` with all that may be the nearest to an agent of a cluster that is in its place. Returns whether
    /// that is not too much.
    fn see_nearest(&self, first: usize, whom: &Whom, found: &mut Vec<Found>, sights: &mut Vec<Sight>) -> bool {
        let Some(bounds) = self.cluster_bounds(first) else { return false };
        let (scene, own) = (self.scene, self.agents.species);
        let mut search =
            Search { point: bounds.centre, radius: f32::INFINITY, period: scene.settings().period(), by: None };
        // The nearest to the middle is no further from any of the agents than this; but it may be the agent itself.
        let itself = usize::from(whom.perceives(own, self.agents));
        search.nearest_of(scene.crowds(whom, own), 1 + itself, found);
        if let Some(nearest) = found.get(itself) {
            search.radius = (nearest.squared().sqrt() + 2.0 * bounds.half.length()) * (1.0 + 1e-4);
        }
        if !search.up_to(scene.crowds(whom, own), MANY, found) {
            return false;
        }
        found.sort_unstable_by_key(|found| (found.species, found.row));
        sights.clear();
        sights.extend(found.iter().map(|&found| {
            let lane = (found.row as usize).wrapping_sub(self.chunk + first);
            let itself = if found.species == own.0 && lane < CLUSTER { 1 << lane } else { 0 };
            Sight { species: found.species, row: found.row, seen: !itself }
        }));
        true
    }
}
