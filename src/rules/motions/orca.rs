//! Optimal reciprocal collision avoidance: van den Berg, Guy, Lin and Manocha, "Reciprocal n-Body Collision Avoidance"
//! (2011).

use smallvec::SmallVec;

use crate::agents::Agents;
use crate::base::ids::SpeciesId;
use crate::formulas::cells::LEAST_CLOSING;
use crate::formulas::headway::Claim;
use crate::formulas::orca::{Horizons, MOST_WALLS, Surrounded, heed_walls};
use crate::formulas::passing::{Met, Turning, turned};
use crate::formulas::personal_space::PersonalSpace;
use crate::formulas::programme::Half;
use crate::kernels::CLUSTER;
use crate::kernels::bodies::ClusterBodies;
use crate::kernels::met::{ClusterMet, ClusterWalls};
use crate::kernels::nearest_agents::MOST_NEIGHBOURS;
use crate::kernels::orca::{Avoidance, FlatAgents, WantedInLanes, avoid_all};
use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Forces, HEAD_ON, Inputs, Neighbour, Perception, Rows, SpeciesFilter};
use crate::rules::motion::Motion;
use crate::rules::motions::passing::{Passing, Side};
use crate::rules::motions::shared::up_to_full_speed;
use crate::rules::motions::walking::{AtGoal, GOAL, NO_GOAL, Resting, Settle, Settling, WANTED, preferred, rests};
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

/// What the agents of a species show to others.
#[derive(Clone, Copy, Debug)]
struct Shown<'a, const D: usize> {
    agents: &'a Agents<D>,
    wishes: Option<&'a [[f32; D]]>,
    goals: Option<&'a [[u32; 2]]>,
    priorities: Option<&'a [f32]>,
}

impl<'a, const D: usize> Shown<'a, D> {
    fn of(me: &AgentRef<'a, D>, species: SpeciesId) -> Self {
        Self {
            agents: &me.world().agents[species.number()],
            wishes: me.column(WISHES, species),
            goals: me.column(GOALS, species),
            priorities: me.column(0, species),
        }
    }
}

/// The priority of an agent or a neighbour.
fn priority<const D: usize>(me: &AgentRef<'_, D>, species: SpeciesId, row: usize) -> f32 {
    me.column(0, species).map_or(1.0, |column: &[f32]| column[row])
}

/// The velocity that a neighbour wanted in the last tick; `None` if it shows none.
fn wish<const D: usize>(me: &AgentRef<'_, D>, species: SpeciesId, row: usize) -> Option<[f32; D]> {
    me.column::<[f32; D]>(WISHES, species).map(|wishes| wishes[row])
}

/// The key of the goal of a neighbour, and the tick since which it rests there.
fn goal<const D: usize>(me: &AgentRef<'_, D>, species: SpeciesId, row: usize) -> [u32; 2] {
    me.column::<[u32; 2]>(GOALS, species).map_or(NO_GOAL, |goals| goals[row])
}

/// One if a neighbour has the goal of an agent, zero if not.
fn same_goal<const D: usize>(me: &AgentRef<'_, D>, species: SpeciesId, row: usize) -> f32 {
    let own = me.aim().goal;
    if own != 0 && goal(me, species, row)[0] == own { 1.0 } else { 0.0 }
}

/// The distance within which a wall beside an agent makes a passage, in radii, and the least sine of the angle to one.
const BESIDE: [f32; 2] = [6.0, 0.2];

/// The seconds for which an agent walks back that is opposed on the others' side of a passage.
const WALKS_BACK: f32 = 1.0;

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
    fn found(me: &AgentRef<'_, D>, seen: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut nearest = Self { neighbours: [None; MOST_NEIGHBOURS], len: 0 };
        for (species, row) in seen {
            let them = &me.world().agents[species as usize];
            let row = row as usize;
            let offset = me.offset_to(them.position(row));
            nearest.neighbours[nearest.len] = Some(Neighbour {
                offset,
                distance_squared: offset.length_squared(),
                velocity: them.velocity(row),
                species: them.species,
                row: them.of.get(row).map_or(row, |&row| row as usize),
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
    /// The velocity that an agent wants among its neighbours: zero if it settles at its goal. Others see it.
    fn wanted<const D: usize>(
        &self,
        me: &AgentRef<'_, D>,
        wanted: Vector<D>,
        settle: Settle,
        neighbours: impl Iterator<Item = (Vector<D>, SpeciesId, usize)>,
    ) -> Vector<D> {
        let before = me.recall::<[u32; 2]>(1);
        // On the border of two ways, the velocity that rules want flickers from tick to tick.
        let step = me.world().settings().tick_seconds / self.longest_gap(me.world());
        let last = Vector(me.recall::<[f32; D]>(0));
        let mut forwards = preferred(me, wanted, &self.resting);
        let walks_back = me.recall::<f32>(2);
        if walks_back < 0.0 {
            let (left, is_astray) = (walks_back + me.world().settings().tick_seconds, self.is_astray(me, forwards));
            forwards = if is_astray { -forwards } else { forwards };
            me.remember(2, if is_astray && left < 0.0 { left } else { 0.0 });
        }
        let mut preferred = last + (forwards - last) * step;
        let (mut at_goal, mut rests_at) = (AtGoal::GoesOn, NO_GOAL);
        if let Some(mut settling) = Settling::of(me, before, self.margin, (settle, &self.resting)) {
            if settle.beside_others {
                for (offset, species, row) in neighbours {
                    let them = &me.world().agents[species.number()];
                    let gap = offset.length() - (me.radius() + them.radius(row));
                    settling.look(me, preferred, (offset, gap), goal(me, species, row));
                }
            }
            (at_goal, rests_at) = settling.end(me, preferred, before);
        }
        match at_goal {
            AtGoal::Rests => preferred = Vector::ZERO,
            AtGoal::GoesRound(velocity) => preferred = velocity,
            AtGoal::GoesOn | AtGoal::Waits(_) => {}
        }
        me.remember(0, preferred.0);
        me.remember(1, rests_at);
        if let AtGoal::Waits(velocity) = at_goal { velocity } else { preferred }
    }

    /// Whether an agent that would walk `forwards` to a target is nearer to a wall on the side on which others come than to
    /// one on its own.
    fn is_astray<const D: usize>(&self, me: &AgentRef<'_, D>, forwards: Vector<D>) -> bool {
        // One that has given its goal up walks back already.
        if me.aim().left == f32::INFINITY {
            return false;
        }
        let (ahead, [reach, least]) = (forwards.direction(), BESIDE);
        let side = self.passing.common_side_of(me.world(), self.side)[1];
        let [mut own, mut others] = [reach * me.radius(); 2];
        for wall in NearWalls::of(me, own).iter() {
            let distance = wall.nearest.length();
            let aside = side * (ahead[0] * wall.nearest[1] - ahead[1] * wall.nearest[0]);
            if aside > least * distance && distance < own {
                own = distance;
            } else if aside < -least * distance && distance < others {
                others = distance;
            }
        }
        others < own
    }

    /// Remembers for how long an agent has stood before others that come; it forgets this as fast as it gets on. The
    /// number is negative while it walks back: where two crowds meet in a passage, each has lanes on the common side only
    /// if those on the other side make way, with those behind them. With a `headway` people squeeze past each other.
    fn remember_held_up<const D: usize>(
        &self,
        me: &AgentRef<'_, D>,
        [is_head_on, is_opposed]: [bool; 2],
        headway: Option<&PersonalSpace>,
    ) {
        let (before, tick) = (me.recall::<f32>(2), me.world().settings().tick_seconds);
        let may_walk_back = D == 2 && headway.is_none() && is_opposed;
        let seconds = if is_head_on && before >= 0.0 {
            before + tick
        } else if may_walk_back && (before < 0.0 || self.is_astray(me, Vector(me.recall(0)))) {
            -WALKS_BACK
        } else if before < 0.0 {
            before
        } else if before > tick {
            before - tick
        } else {
            0.0
        };
        me.remember(2, seconds);
    }

    /// The side to which agents turn that pass others in this tick.
    fn turning<const D: usize>(&self, world: WorldView<'_, D>, has_headway: bool) -> Turning {
        self.passing.turning(world, (self.sidestep, self.side, !has_headway, self.margin), self.time_horizon_obst)
    }

    /// A neighbour, as it affects the way that an agent prefers.
    fn met<const D: usize>(me: &AgentRef<'_, D>, other: &Neighbour<D>) -> Met<f32, D> {
        let (species, row) = (other.species, other.row);
        let touching = me.radius() + me.world().agents[species.number()].radius(row);
        Met {
            exists: true,
            offset: other.offset.0,
            touching,
            gap: other.offset.length() - touching,
            velocity: other.velocity.0,
            wanted: wish(me, species, row).unwrap_or(other.velocity.0),
            same_goal: same_goal(me, species, row),
        }
    }

    /// The time in which an agent may use up its part of a gap, in seconds.
    fn longest_gap<const D: usize>(&self, world: WorldView<'_, D>) -> f32 {
        let tick = world.settings().tick_seconds;
        if self.time_gap > tick { self.time_gap } else { tick }
    }

    /// The distance within which walls matter to an agent, in metres.
    fn reach<const D: usize>(&self, me: &AgentRef<'_, D>, headway: Option<&PersonalSpace>) -> f32 {
        let (way, gap) = (me.max_speed() * self.time_horizon_obst, headway.map_or(0.0, |space| space.wall_gap));
        me.radius() + if way > gap { way } else { gap }
    }

    /// The velocity nearest to the preferred one that avoids these neighbours and the walls, with a headway in the
    /// room that it claims. With `crowded`, longer horizons than the shortest are known to leave none.
    fn permitted<const D: usize>(
        &self,
        me: &AgentRef<'_, D>,
        (claim, preferred): (Claim<f32, D>, Vector<D>),
        (nearest, walls): (&Nearest<D>, &[HalfSpace<D>]),
        headway: Option<&PersonalSpace>,
        crowded: bool,
    ) -> Vector<D> {
        let (world, id) = (me.world(), me.id().to_bits());
        let mine = priority(me, me.species(), me.row());
        let walker = Walker { velocity: me.velocity(), radius: me.radius() };
        let mut neighbours = SmallVec::<[_; MOST_NEIGHBOURS]>::new();
        for other in nearest.iter() {
            let radius = world.all_agents()[other.species.number()].radius(other.row);
            let body = Body { offset: other.offset, velocity: other.velocity, radius };
            neighbours.push((body, share(mine, priority(me, other.species, other.row))));
        }
        let headway = headway.map(|space| (space.headway, claim));
        let me = Surrounded { me: walker, max_speed: me.max_speed(), walls, neighbours: &neighbours, headway };
        let aside = |number: usize| {
            let other = nearest.neighbours[number].map_or(id, |other| other.id.to_bits());
            world.drawn_direction(id, other)
        };
        me.velocity(preferred, self.horizons(world), crowded, aside)
    }

    /// The half-spaces that the walls near an agent permit.
    fn heed<'a, const D: usize>(
        &self,
        me: &AgentRef<'_, D>,
        near: &NearWalls<D>,
        half_spaces: &'a mut [HalfSpace<D>; MOST_WALLS],
    ) -> &'a [HalfSpace<D>] {
        let walker = Walker { velocity: me.velocity(), radius: me.radius() };
        let walls = near.iter().map(|wall| (wall.nearest, wall.segment, wall.velocity));
        heed_walls(&walker, walls, self.time_horizon_obst, half_spaces)
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
        let inputs = Inputs::default()
            .neighbours(Perception::within(self.neighbour_dist, &self.from).with_nearest(self.max_neighbours));
        let inputs = inputs.column(PRIORITY).column(WANTED).column(GOAL);
        inputs.memory(WANTED, [0.0f32; D]).memory(GOAL, NO_GOAL).memory(HEAD_ON, 0.0f32)
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
        let others = nearest.iter().map(|other| (other.offset, other.species, other.row));
        let preferred = self.wanted(me, wanted, Settle::of(me, self.settle, GOALS), others);
        let met: SmallVec<[Met<f32, D>; MOST_NEIGHBOURS]> = nearest.iter().map(|other| Self::met(me, other)).collect();
        let (turning, velocity) = (self.turning(me.world(), headway.is_some()), me.velocity().0);
        let mut spaces = [HalfSpace::ALL; MOST_WALLS];
        let walls = self.heed(me, &NearWalls::of(me, self.reach(me, headway)), &mut spaces);
        let planes: SmallVec<[Half<f32, D>; 4]> = walls.iter().map(Half::from).collect();
        let (turned, held_up) = turned(&turning, &velocity, preferred.0, me.aim().left, &met[..], &planes);
        self.remember_held_up(me, held_up, headway);
        let (claim, preferred) = match headway {
            None => (Claim { ways: [[0.0; D]; 2], width: 1.0 }, turned),
            Some(space) => space.claimed(&velocity, preferred.0, turned, &met[..], &planes),
        };
        self.permitted(me, (claim, Vector(preferred)), (&nearest, walls), headway, false)
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
        let walls = WallsOfCluster::of(rows, |me| self.reach(me, headway));
        let nearest = &rows.lists[0].nearest;
        let mut met = ClusterMet::default();
        met.make_room(nearest.len());
        let mut half_planes = ClusterWalls::default();
        let (mut wanted, mut way) = (WantedInLanes::NOTHING, [f32::INFINITY; CLUSTER]);
        let mut number = rows.agents.species.0;
        let (mut shown, mut beside_others) = (Shown::of(&rows.at(rows.first), rows.agents.species), false);
        for lane in 0..rows.len {
            let me = rows.at(rows.first + lane);
            let (own_goal, mine) = (me.aim().goal, priority(&me, me.species(), me.row()));
            for (met, (species, row)) in met.met.iter_mut().zip(nearest.of(lane)) {
                if species != number {
                    (shown, number) = (Shown::of(&me, SpeciesId(species)), species);
                }
                let (them, row) = (shown.agents, row as usize);
                for axis in 0..2 {
                    met.place[axis][lane] = them.position[axis][row];
                    met.velocity[axis][lane] = them.velocity[axis][row];
                    met.wanted[axis][lane] = shown.wishes.map_or(them.velocity[axis][row], |wishes| wishes[row][axis]);
                }
                met.radius[lane] = them.radius(row);
                let [goal, since] = shown.goals.map_or(NO_GOAL, |goals| goals[row]);
                met.same_goal[lane] = if own_goal != 0 && goal == own_goal { 1.0 } else { 0.0 };
                beside_others |= rests(since);
                // Without priorities each does half, as the lanes have it from the start.
                if let Some(priorities) = shown.priorities {
                    met.share[lane] = share(mine, priorities[row]);
                } else if mine != 1.0 {
                    met.share[lane] = share(mine, 1.0);
                }
            }
        }
        let settle = Settle { settles: self.settle, beside_others };
        for lane in 0..rows.len {
            let me = rows.at(rows.first + lane);
            let mut spaces = [HalfSpace::ALL; MOST_WALLS];
            half_planes.add(lane, self.heed(&me, &walls.near(&me, self.reach(&me, headway)), &mut spaces));
            let others = nearest.of(lane).map(|(species, row)| {
                let at = rows.world.agents[species as usize].position(row as usize);
                (me.offset_to(at), SpeciesId(species), row as usize)
            });
            let velocity = self.wanted(&me, motion.get(&me), settle, others);
            way[lane] = me.aim().left;
            for axis in 0..2 {
                wanted.velocity[axis][lane] = velocity[axis];
            }
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
            way: &way,
            walls: &half_planes,
        };
        let avoidance = Avoidance {
            turning: &self.turning(rows.world, headway.is_some()),
            horizons: &self.horizons(rows.world),
            space: headway,
        };
        let lanes = ((1u32 << rows.len) - 1) as u16;
        let permitted = avoid_all(rows.level, &flat, &mut met, &avoidance, lanes, &mut wanted);
        let one_by_one = permitted.beyond | permitted.crowded;
        for lane in 0..rows.len {
            let held_up = [permitted.head_on, permitted.opposed].map(|lanes| lanes >> lane & 1 != 0);
            self.remember_held_up(&rows.at(rows.first + lane), held_up, headway);
            if one_by_one >> lane & 1 == 0 {
                for axis in 0..2 {
                    motion.forces[axis][rows.first + lane] = permitted.velocity[axis][lane];
                }
            } else {
                let me = rows.at(rows.first + lane);
                let of_lane = |of: &[[f32; CLUSTER]; 2]| Vector::from_fn(|axis| of[axis][lane]);
                let ways = wanted.ways.each_ref().map(|way| of_lane(way).0);
                let preferred = (Claim { ways, width: wanted.width[lane] }, of_lane(&wanted.velocity));
                let crowded = permitted.crowded >> lane & 1 != 0;
                let found = Nearest::found(&me, nearest.of(lane));
                let mut spaces = [HalfSpace::ALL; MOST_WALLS];
                let walls = self.heed(&me, &walls.near(&me, self.reach(&me, headway)), &mut spaces);
                motion.set(&me, self.permitted(&me, preferred, (&found, walls), headway, crowded));
            }
        }
    }
}
