//! Optimal reciprocal collision avoidance: van den Berg, Guy, Lin and Manocha, "Reciprocal n-Body Collision Avoidance"
//! (2011).

use smallvec::SmallVec;

use crate::agents::Agents;
use crate::base::settings::nearest_image;
use crate::formulas::cells::LEAST_CLOSING;
use crate::formulas::headway::Claim;
use crate::formulas::orca::{Horizons, MOST_WALLS, Surrounded, heed_walls};
use crate::kernels::CLUSTER;
use crate::kernels::bodies::ClusterBodies;
use crate::kernels::nearest_neighbours::{MOST_NEIGHBOURS, NearestNeighbours, find_nearest};
use crate::kernels::orca::{ClaimsInLanes, FlatAgents, NeighboursInLanes, avoid_all};
use crate::kernels::visibility::Sights;
use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Forces, Inputs, Neighbour, Perception, Rows, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::passing::{Met, Passing, Shown, Side, turned};
use crate::rules::motions::personal_space::PersonalSpace;
use crate::rules::motions::shared::up_to_full_speed;
use crate::rules::motions::walking::{AtGoal, GOAL, NO_GOAL, Resting, Settle, Settling, WANTED, preferred};
use crate::rules::motions::walls::{NearWalls, WallsOfCluster};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::stability::{Stability, TickOfSpecies};
use crate::rules::steering::{Body, HalfSpace, Walker};
use crate::rules::world_view::WorldView;

/// The column with the priorities of agents.
const PRIORITY: &str = "priority";

/// The indices of the columns with the wishes of others and with their goals.
const WISHES: usize = 1;
const GOALS: usize = 2;

rule! {
    /// An agent takes the velocity nearest to the one that its rules want, among those that avoid collisions with the
    /// nearest `max_neighbours` for `time_horizon` seconds, if all do their share. Where there is room, bodies keep
    /// `margin` apart. Where a crowd leaves no such velocity, the horizon of that agent and tick shrinks by
    /// `horizon_factor` until there is one, down to `time_gap`; then the agent takes the velocity with the least violation. (The paper takes
    /// the velocity of the full horizon.)
    ///
    /// In `time_gap` seconds, an agent uses up at most its part of the gap to each of these neighbours: it keeps to its
    /// buffered Voronoi cell (Zhou et al. 2017), with parts in proportion to the speeds with which both approach each
    /// other. Bodies of agents with this motion thus never overlap, where the paper lets them overlap in a crowd.
    ///
    /// Another that stands in front of an agent, or comes against it there, slows it down. The agent then turns to the
    /// side on which it passes: `sidestep` is the tangent of the angle for an agent that stands, and one that is pushed
    /// back turns farther. Two crowds that meet thus pass each other instead of blocking each other. Agents that walk
    /// the same way turn no agent. Where neither side is nearer, `side` decides.
    ///
    /// Agents with the same goal `settle` around it: one that touches an agent in front which has rested there for half a
    /// second rests too, and has arrived. Without a rule that leads it anywhere, an agent stands.
    ///
    /// The pair shares the change of velocity by the column `priority`, a column of the host or a variable of the
    /// species: an agent does the share of the other's priority in the sum of both. Without the column the priority is
    /// one, and each does half. An agent with priority zero gives way to all others that have one.
    ///
    /// Walls are avoided for `time_horizon_obst` seconds: segments by their velocity obstacle, the other shapes at
    /// their nearest point.
    "orca": "Takes the velocity nearest to the wanted one that avoids collisions."
    pub struct Orca {
        /// The distance within which neighbours are avoided.
        pub neighbour_dist: f32 = 6.0, "m", Kind::Number(Range::LENGTH);
        /// The largest number of neighbours that are avoided, nearest first.
        pub max_neighbours: u32 = 10, "", Kind::Whole(1, MOST_NEIGHBOURS as u64);
        /// The time for which the velocity avoids collisions with neighbours.
        pub time_horizon: f32 = 2.0, "s", Kind::Number(Range::above(0.0, 1e6));
        /// The time for which the velocity avoids collisions with walls.
        pub time_horizon_obst: f32 = 0.1, "s", Kind::Number(Range::above(0.0, 1e6));
        /// The time in which an agent may use up its part of the gap to a neighbour, one tick at least.
        pub time_gap: f32 = 0.1, "s", Kind::Number(Range::above(0.0, 1e6));
        /// The gap that bodies keep where there is room.
        pub margin: f32 = 0.1, "m", Kind::Number(Range::LENGTH);
        /// How far an agent turns that others block: the tangent of the angle for one that stands.
        pub sidestep: f32 = 1.5, "", Kind::Number(Range::from(0.0, 1e3));
        /// The side on which agents pass where neither is nearer: `right`, `left`, or one that is `drawn` anew from time
        /// to time.
        pub side: Side = Side::Drawn, "", Side::KIND;
        /// Whether agents that gather at one goal settle around it.
        pub settle: bool = true, "", Kind::Flag;
        /// The species that the agent avoids.
        pub from: SpeciesFilter = SpeciesFilter::All, "", Kind::SpeciesFilter;
        /// The factor by which the time horizon shrinks where it leaves no velocity.
        pub horizon_factor: f32 = 0.25, "", Kind::Number(Range::from(0.0, 0.75)), advanced;
        /// The speed that is added to those with which two approach each other, so that each has a part of their gap.
        pub least_closing: f32 = LEAST_CLOSING, "m/s", Kind::Number(Range::from(0.001, 1e3)), advanced;
        ..pub passing: Passing;
        ..pub resting: Resting;
    }
}

/// The share of a change that an agent does, by the priorities of both.
fn share(mine: f32, theirs: f32) -> f32 {
    let sum = mine + theirs;
    if sum > 0.0 { theirs / sum } else { 0.5 }
}

/// The nearest neighbours of an agent, nearest first; those at the same distance in the order of rows.
struct Nearest<const D: usize> {
    neighbours: [Option<Neighbour<D>>; MOST_NEIGHBOURS],
    len: usize,
}

impl<const D: usize> Nearest<D> {
    fn of(me: &AgentRef<'_, D>, count: usize) -> Self {
        let mut nearest = Self { neighbours: [None; MOST_NEIGHBOURS], len: 0 };
        for neighbour in me.neighbours(0) {
            let farther =
                |other: &Option<Neighbour<D>>| other.is_some_and(|o| o.distance_squared > neighbour.distance_squared);
            let mut place = nearest.len;
            if place == count {
                if !farther(&nearest.neighbours[place - 1]) {
                    continue;
                }
                place -= 1;
            } else {
                nearest.len += 1;
            }
            while place > 0 && farther(&nearest.neighbours[place - 1]) {
                nearest.neighbours[place] = nearest.neighbours[place - 1];
                place -= 1;
            }
            nearest.neighbours[place] = Some(neighbour);
        }
        nearest
    }

    /// The neighbours that a kernel found for an agent of a cluster.
    fn found(me: &AgentRef<'_, D>, sights: &Sights, numbers: impl Iterator<Item = u32>) -> Self {
        let mut nearest = Self { neighbours: [None; MOST_NEIGHBOURS], len: 0 };
        for number in numbers {
            let (species, row) = sights.at(number as usize);
            let them = &me.world().all_agents()[species as usize];
            let row = row as usize;
            let offset = me.offset_to(them.position(row));
            nearest.neighbours[nearest.len] = Some(Neighbour {
                offset,
                distance_squared: offset.length_squared(),
                velocity: them.velocity(row),
                species: them.species,
                row,
                id: them.ids()[row],
            });
            nearest.len += 1;
        }
        nearest
    }

    fn iter(&self) -> impl Iterator<Item = &Neighbour<D>> + Clone {
        self.neighbours[..self.len].iter().flatten()
    }
}

impl Orca {
    /// The velocity that an agent prefers among these neighbours, nearest first, and the one that others will see: zero
    /// if it settles, else turned to the side on which it passes those in its way. With a headway, it then leads off the
    /// lane of the next ahead; before it, the room that the agent claims.
    fn preferred<const D: usize>(
        &self,
        me: &AgentRef<'_, D>,
        wanted: Vector<D>,
        neighbours: &[Met<D>],
        settle: Settle,
        headway: Option<&PersonalSpace>,
    ) -> (Claim<f32, D>, Vector<D>) {
        let before = me.recall::<[u32; 2]>(1);
        // On the border of two ways, the velocity that rules want flickers from tick to tick.
        let step = me.world().settings().tick_seconds / self.longest_gap(me.world());
        let last = Vector(me.recall::<[f32; D]>(0));
        let mut preferred = last + (preferred(me, wanted, &self.resting) - last) * step;
        let goal = |other: &Met<D>| me.column::<[u32; 2]>(GOALS, other.species).map_or(NO_GOAL, |goal| goal[other.row]);
        let (mut at_goal, mut rests_at) = (AtGoal::GoesOn, NO_GOAL);
        if let Some(mut settling) = Settling::of(me, before, self.margin, (settle, &self.resting)) {
            if settle.beside_others {
                for other in neighbours {
                    settling.look(me, preferred, (other.offset, other.gap), goal(other));
                }
            }
            (at_goal, rests_at) = settling.end(me, before);
        }
        if at_goal == AtGoal::Rests {
            preferred = Vector::ZERO;
        }
        me.remember(0, preferred.0);
        me.remember(1, rests_at);
        if let AtGoal::Waits(velocity) = at_goal {
            preferred = velocity;
        }
        let shown = |other: &Met<D>| {
            let velocity = me.world().all_agents()[other.species.number()].velocity(other.row);
            let wanted = me.column::<[f32; D]>(WISHES, other.species);
            Shown {
                velocity,
                wanted: wanted.map_or(velocity, |wanted| Vector(wanted[other.row])),
                goal: goal(other)[0],
            }
        };
        let how = (self.sidestep, self.side, &self.passing);
        let turned = turned(me, preferred, neighbours, shown, how, headway.is_none());
        match headway {
            None => (Claim { ways: [[0.0; D]; 2], width: 1.0 }, turned),
            Some(space) => {
                let wish = |other: &Met<D>| shown(other).wanted;
                space.claimed(me.velocity(), preferred, turned, (neighbours, self.margin), wish)
            }
        }
    }

    /// A neighbour of an agent at this offset, as it affects the agent's preference.
    #[inline]
    fn met<const D: usize>(&self, radius: f32, them: &Agents<D>, row: usize, offset: Vector<D>) -> Met<D> {
        let touching = radius + them.radius(row);
        Met { offset, width: touching + self.margin, gap: offset.length() - touching, species: them.species, row }
    }

    /// The time in which an agent may use up its part of a gap, in seconds.
    fn longest_gap<const D: usize>(&self, world: WorldView<'_, D>) -> f32 {
        let tick = world.settings().tick_seconds;
        if self.time_gap > tick { self.time_gap } else { tick }
    }

    /// The distance within which walls matter to an agent, in metres.
    fn reach<const D: usize>(&self, me: &AgentRef<'_, D>) -> f32 {
        me.radius() + me.max_speed() * self.time_horizon_obst
    }

    /// The velocity nearest to the preferred one that avoids these neighbours and the walls, with a headway in the
    /// room that it claims. With `crowded`, longer horizons than the shortest are known to leave none.
    fn permitted<const D: usize>(
        &self,
        me: &AgentRef<'_, D>,
        (claim, preferred): (Claim<f32, D>, Vector<D>),
        nearest: &Nearest<D>,
        headway: Option<&PersonalSpace>,
        crowded: bool,
    ) -> Vector<D> {
        let (world, id) = (me.world(), me.id().to_bits());
        let priority = |species, row: usize| me.column(0, species).map_or(1.0, |column: &[f32]| column[row]);
        let mine = priority(me.species(), me.row());
        let walker = Walker { velocity: me.velocity(), radius: me.radius() };
        let (near, mut half_spaces) = (NearWalls::of(me, self.reach(me)), [HalfSpace::ALL; MOST_WALLS]);
        let walls = near.iter().map(|wall| (wall.nearest, wall.segment, wall.velocity));
        let walls = heed_walls(&walker, walls, self.time_horizon_obst, &mut half_spaces);
        let mut neighbours = SmallVec::<[_; MOST_NEIGHBOURS]>::new();
        for other in nearest.iter() {
            let radius = world.all_agents()[other.species.number()].radius(other.row);
            let body = Body { offset: other.offset, velocity: other.velocity, radius };
            neighbours.push((body, share(mine, priority(other.species, other.row))));
        }
        let headway = headway.map(|space| (space.headway, claim));
        let me = Surrounded { me: walker, max_speed: me.max_speed(), walls, neighbours: &neighbours, headway };
        let aside = |number: usize| {
            let other = nearest.neighbours[number].map_or(id, |other| other.id.to_bits());
            world.drawn_direction(id, other)
        };
        me.velocity(preferred, self.horizons(world), crowded, aside)
    }

    fn horizons<const D: usize>(&self, world: WorldView<'_, D>) -> Horizons {
        Horizons {
            time_horizon: self.time_horizon,
            factor: self.horizon_factor,
            time_gap: self.longest_gap(world),
            margin: self.margin,
            least_closing: self.least_closing,
        }
    }
}

impl<const D: usize> Motion<D> for Orca {
    fn inputs(&self) -> Inputs {
        let inputs = Inputs::default().neighbours(Perception::within(self.neighbour_dist, &self.from));
        inputs.column(PRIORITY).column(WANTED).column(GOAL).memory(WANTED, [0.0f32; D]).memory(GOAL, NO_GOAL)
    }

    fn velocity(&self, me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
        self.velocity_of(me, wanted, None)
    }

    fn velocities(&self, rows: &Rows<'_, D>, motion: &mut Forces<'_, D>) {
        self.velocities_of(rows, motion, None);
    }

    fn walks(&self) -> bool {
        true
    }

    fn quantities(&self, has_rules: bool) -> Option<&'static [&'static str]> {
        up_to_full_speed(has_rules)
    }

    /// Within half of `time_gap`, the flow of a crowd hardly depends on the tick.
    fn stability(&self, _tick: &TickOfSpecies) -> Stability {
        Stability::reaction(1.0).within(0.5 * self.time_gap)
    }

    reflect!(motion);
}

impl Orca {
    /// The velocity of one agent.
    pub(super) fn velocity_of<const D: usize>(
        &self,
        me: &AgentRef<'_, D>,
        wanted: Vector<D>,
        headway: Option<&PersonalSpace>,
    ) -> Vector<D> {
        let nearest = Nearest::of(me, self.max_neighbours as usize);
        let met = |other: &Neighbour<D>| {
            self.met(me.radius(), &me.world().all_agents()[other.species.number()], other.row, other.offset)
        };
        let neighbours: SmallVec<[Met<D>; MOST_NEIGHBOURS]> = nearest.iter().map(met).collect();
        let preferred = self.preferred(me, wanted, &neighbours, Settle::of(me, self.settle, GOALS), headway);
        self.permitted(me, preferred, &nearest, headway, false)
    }

    /// The velocities of a cluster.
    pub(super) fn velocities_of<const D: usize>(
        &self,
        rows: &Rows<'_, D>,
        motion: &mut Forces<'_, D>,
        headway: Option<&PersonalSpace>,
    ) {
        if D == 2 {
            return self.flat_velocities(rows, motion, headway);
        }
        for me in (rows.first..rows.first + rows.len).map(|row| rows.at(row)) {
            motion.set(&me, self.velocity_of(&me, motion.get(&me), headway));
        }
    }

    /// The velocities of a cluster in two dimensions: by a kernel, and one by one for agents near walls, in crowds where
    /// neighbours' cells or half-planes leave no velocity, and for those with a direction to draw.
    fn flat_velocities<const D: usize>(
        &self,
        rows: &Rows<'_, D>,
        motion: &mut Forces<'_, D>,
        headway: Option<&PersonalSpace>,
    ) {
        let walking = rows.cluster_bodies(self.neighbour_dist);
        let walls = WallsOfCluster::of(rows, |me| self.reach(me));
        let mut nearest = NearestNeighbours::new(self.max_neighbours as usize);
        let sights = &rows.lists[0].sights;
        for seen in sights.parts() {
            find_nearest(rows.level, &walking, &rows.bodies(seen.species), &seen, &mut nearest);
        }
        nearest.sort(rows.level);
        // Without priorities each does half, as the lanes have it from the start.
        let shared =
            rows.world.all_agents().iter().any(|them| rows.at(rows.first).column::<f32>(0, them.species).is_some());
        let (mut neighbours, mut wanted, mut near_walls) = (NeighboursInLanes::new(), [[0.0; CLUSTER]; 2], 0);
        let (settle, period) = (Settle::of(&rows.at(rows.first), self.settle, GOALS), rows.world.settings().period());
        let (mut met, mut claims) = (
            SmallVec::<[Met<D>; MOST_NEIGHBOURS]>::new(),
            ClaimsInLanes { ways: [[[0.0; CLUSTER]; 2]; 2], width: [1.0; CLUSTER] },
        );
        for lane in 0..rows.len {
            let me = rows.at(rows.first + lane);
            let priority = |species, row: usize| me.column(0, species).map_or(1.0, |column: &[f32]| column[row]);
            let mine = priority(me.species(), me.row());
            let (at, radius) = (me.position(), me.radius());
            near_walls |= u32::from(!walls.near(&me, self.reach(&me)).is_empty()) << lane;
            met.clear();
            for (place, number) in nearest.of(lane).enumerate() {
                let (species, row) = sights.at(number as usize);
                let (them, row) = (&rows.world.all_agents()[species as usize], row as usize);
                let offset = Vector::from_fn(|axis| nearest_image(them.position[axis][row] - at[axis], period[axis]));
                met.push(self.met(radius, them, row, offset));
                for axis in 0..2 {
                    neighbours.position[place][axis][lane] = them.position[axis][row];
                    neighbours.velocity[place][axis][lane] = them.velocity[axis][row];
                }
                neighbours.radius[place][lane] = them.radius(row);
                if shared {
                    neighbours.share[place][lane] = share(mine, priority(them.species, row));
                }
            }
            let (claim, preferred) = self.preferred(&me, motion.get(&me), &met, settle, headway);
            claims.width[lane] = claim.width;
            for axis in 0..2 {
                (claims.ways[0][axis][lane], claims.ways[1][axis][lane]) = (claim.ways[0][axis], claim.ways[1][axis]);
                wanted[axis][lane] = preferred[axis];
            }
            let len = met.len();
            neighbours.len[lane] = len as f32;
            neighbours.most = if len > neighbours.most { len } else { neighbours.most };
        }
        let flat = FlatAgents {
            walking: ClusterBodies {
                position: [walking.position[0], walking.position[1]],
                velocity: [walking.velocity[0], walking.velocity[1]],
                radius: walking.radius,
                seam: walking.seam,
                period: [walking.period[0], walking.period[1]],
            },
            max_speed: rows.max_speeds(),
        };
        let horizons = self.horizons(rows.world);
        let lanes = !near_walls as u16 & ((1u32 << rows.len) - 1) as u16;
        let preferred = wanted;
        let unsolved = avoid_all(
            rows.level,
            &flat,
            &neighbours,
            &horizons,
            headway.map(|space| (&space.headway, &claims)),
            lanes,
            &mut wanted,
        );
        let one_by_one = u32::from(unsolved.beyond | unsolved.crowded) | near_walls;
        for lane in 0..rows.len {
            if one_by_one >> lane & 1 == 0 {
                for axis in 0..2 {
                    motion.forces[axis][rows.first + lane] = wanted[axis][lane];
                }
            } else {
                let me = rows.at(rows.first + lane);
                let of_lane = |of: &[[f32; CLUSTER]; 2]| Vector::from_fn(|axis| of[axis][lane]);
                let ways = claims.ways.each_ref().map(|way| of_lane(way).0);
                let preferred = (Claim { ways, width: claims.width[lane] }, of_lane(&preferred));
                let crowded = unsolved.crowded >> lane & 1 != 0;
                let found = Nearest::found(&me, sights, nearest.of(lane));
                motion.set(&me, self.permitted(&me, preferred, &found, headway, crowded));
            }
        }
    }
}
