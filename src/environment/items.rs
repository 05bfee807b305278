//! The environment of a world: its items, and the methods that read and edit them.

use std::fmt;

use crate::base::handles::{
    LiftId, LinkId, NavigationId, ObstacleId, PlacesId, SourceId, SubstanceId, TracksId, WallId,
};
use crate::base::ids::AgentId;
use crate::base::settings::Settings;
use crate::environment::collection::Collection;
use crate::environment::flow_field::FlowField;
use crate::environment::lift::{Lift, Phase};
use crate::environment::link::Link;
use crate::environment::mark::Mark;
use crate::environment::navigation::{LazyTimed, Navigation, NavigationField};
use crate::environment::obstacle::Obstacle;
use crate::environment::places::Places;
use crate::environment::region::Region;
use crate::environment::sink::Sink;
use crate::environment::source::Source;
use crate::environment::substance::Substance;
use crate::environment::tracks::Tracks;
use crate::environment::wall::{Wall, WallMotion};
use crate::environment::zone::Zone;
use crate::maths::Vector;

/// The obstacles, walls, marks, regions, flow fields, navigations, sources, sinks, zones, lifts, links,
/// tracks and substances of a world.
///
/// Each kind of item has a [`Collection`] with the same methods. An item has a handle, by which the host reads, changes
/// and removes it. Handles are never reused. Most items also have names, by which rules and other items refer to them.
///
/// ```
/// use throng::{Environment, Mark, Obstacle};
///
/// let mut environment = Environment::<2>::default();
/// let rock = environment.obstacles.add(Obstacle::new([20.0, 10.0], 3.0))?;
/// environment.obstacles.edit(rock, |rock| rock.radius = 4.0)?;
/// assert_eq!(environment.obstacles.get(rock).map(|rock| rock.radius), Some(4.0));
/// environment.obstacles.remove(rock)?;
/// assert_eq!(environment.obstacles.get(rock), None);
///
/// environment.marks.put(Mark::new("lamp", [3.0, 5.0]))?;
/// assert_eq!(environment.marks.named("lamp").map(|lamp| lamp.position), Some([3.0, 5.0].into()));
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default = "Environment::default", deny_unknown_fields))]
#[non_exhaustive]
pub struct Environment<const D: usize> {
    /// Named points.
    pub marks: Collection<Mark<D>>,
    /// Discs or balls that agents avoid.
    pub obstacles: Collection<Obstacle<D>>,
    /// Named parts of the world.
    pub regions: Collection<Region<D>>,
    /// Grids of vectors.
    pub fields: Collection<FlowField<D>>,
    /// Where agents come.
    pub sources: Collection<Source<D>>,
    /// Where agents go.
    pub sinks: Collection<Sink>,
    /// Where agents move slower or faster.
    pub zones: Collection<Zone<D>>,
    /// Cars that carry agents between landings.
    pub lifts: Collection<Lift>,
    /// Jumps, ladders and doors that take time.
    pub links: Collection<Link<D>>,
    /// Walls and doors.
    pub walls: Collection<Wall<D>>,
    /// Ways to goals.
    pub navigations: Collection<Navigation<D>>,
    /// Queues and waiting areas.
    pub places: Collection<Places<D>>,
    /// Recorded paths that agents follow.
    pub tracks: Collection<Tracks<D>>,
    /// Fields that agents write.
    pub substances: Collection<Substance>,
}

/// Short: the number of items of each kind, without the kinds that have none.
impl<const D: usize> fmt::Debug for Environment<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        macro_rules! counts {
            ($($kind:ident),+ $(,)?) => {{
                let Self { $($kind),+ } = self;
                [$((stringify!($kind), $kind.len())),+]
            }};
        }
        let mut environment = f.debug_struct("Environment");
        let counts = counts![
            marks,
            obstacles,
            regions,
            fields,
            sources,
            sinks,
            zones,
            lifts,
            links,
            walls,
            navigations,
            places,
            tracks,
            substances,
        ];
        for (kind, count) in counts.iter().filter(|(_, count)| *count > 0) {
            environment.field(kind, count);
        }
        environment.finish_non_exhaustive()
    }
}

impl<const D: usize> Environment<D> {
    /// The agents that have the places of a queue or a waiting area, in the order of its places; `None` if it was
    /// removed.
    #[must_use]
    pub fn occupants(&self, id: PlacesId) -> Option<&[Option<AgentId>]> {
        self.places.record(id).map(|occupants| &occupants.0[..])
    }

    /// The agents that follow tracks, with the numbers of their tracks in [`Tracks::tracks`], in the order in which they
    /// came; `None` if the tracks were removed.
    #[must_use]
    pub fn followers(&self, id: TracksId) -> Option<&[(AgentId, u32)]> {
        self.tracks.record(id).map(|followers| &followers.agents[..])
    }

    /// The amounts in the cells of a substance, per square metre or in three dimensions per cubic metre: the first axis
    /// varies fastest. `None` before the tick that follows its addition, or if it was removed.
    #[must_use]
    pub fn substance_amounts(&self, id: SubstanceId) -> Option<&[f32]> {
        self.substances.record(id).map(|amounts| &amounts.0[..]).filter(|amounts| !amounts.is_empty())
    }

    /// The number of the landing where the car of a lift is, or which it left last, and whether its doors are open;
    /// `None` if the lift was removed.
    #[must_use]
    pub fn lift_car(&self, id: LiftId) -> Option<(usize, bool)> {
        self.lifts.record(id).map(|car| (car.landing as usize, car.phase == Phase::Open))
    }

    /// The agents on a link, in the order in which they began, and the seconds that are left to each; `None` if the link
    /// was removed.
    pub fn crossing(&self, id: LinkId) -> Option<impl Iterator<Item = (AgentId, f64)>> {
        self.links.record(id).map(|all| all.under_way.iter().map(|crossing| (crossing.agent, crossing.left)))
    }

    /// Whether largest speeds depend on where agents are.
    pub(crate) fn limits_speeds(&self) -> bool {
        !self.zones.is_empty() || !self.lifts.is_empty() || !self.links.is_empty()
    }

    /// All agents that follow a track or cross a link.
    pub(crate) fn carried(&self) -> impl Iterator<Item = AgentId> {
        let tracked = self.tracks.records().iter().flat_map(|followers| &followers.agents).map(|(agent, _)| *agent);
        let crossing = self.links.records().iter().flat_map(|all| &all.under_way).map(|crossing| crossing.agent);
        tracked.chain(crossing)
    }

    /// The field in use of a navigation; `None` before the tick that follows its addition, or if it was removed.
    #[must_use]
    pub fn navigation_field(&self, id: NavigationId) -> Option<&NavigationField> {
        self.navigation_field_at(self.navigations.index_of(id)?)
    }

    /// The field in use of the navigation at this index.
    pub(crate) fn navigation_field_at(&self, index: usize) -> Option<&NavigationField> {
        self.navigations.records().get(index)?.current.as_ref().map(|ground| ground.field())
    }

    /// Computes the ways of navigations that are ready to be computed.
    pub(crate) fn prepare_navigations(&self) {
        for (index, navigation) in self.navigations.items().iter().enumerate() {
            let ways = self.quickest_ways_at(index);
            if navigation.goals.is_empty() {
                ways.into_iter().for_each(NavigationField::find_corners);
            }
        }
    }

    /// The quickest ways of the navigation at this index in its crowd.
    pub(crate) fn quickest_ways_at(&self, index: usize) -> Option<&NavigationField> {
        Some(self.navigations.records().get(index)?.timed.in_crowd.as_ref()?.field())
    }

    /// The quickest ways of the navigation at this index without a crowd.
    pub(crate) fn timed_ways_at(&self, index: usize) -> Option<&LazyTimed> {
        self.navigations.records().get(index)?.timed.current.as_deref()
    }

    /// The number of agents of a source that arrived and wait for room; `None` if the source was removed.
    #[must_use]
    pub fn source_backlog(&self, id: SourceId) -> Option<u64> {
        self.sources.record(id).map(|progress| progress.arrived - progress.spawned)
    }

    /// The number of agents that a source has spawned; `None` if the source was removed.
    #[must_use]
    pub fn source_spawned(&self, id: SourceId) -> Option<u64> {
        self.sources.record(id).map(|progress| progress.spawned)
    }

    /// The rounding error of the position of a moving obstacle, in metres on each axis. The sum of its centre and this
    /// error is its position. `None` if it was removed.
    #[must_use]
    pub fn obstacle_residual(&self, id: ObstacleId) -> Option<Vector<D>> {
        self.obstacles.record(id).copied()
    }

    /// The displacement of a moving wall since its shape was set, in metres on each axis. The wall is where its shape
    /// is, [displaced](crate::WallShape::displaced) by it. `None` if it was removed.
    #[must_use]
    pub fn wall_offset(&self, id: WallId) -> Option<[f64; D]> {
        self.walls.record(id).map(|motion| motion.offset)
    }

    /// The motion of each wall.
    pub(crate) fn wall_motions(&self) -> &[WallMotion<D>] {
        self.walls.records()
    }

    /// A wall and its motion, for the stage collide.
    pub(crate) fn wall_mut(&mut self, number: usize) -> (&mut Wall<D>, &mut WallMotion<D>) {
        self.walls.item_mut(number)
    }

    /// Moves the obstacles by one tick.
    pub(crate) fn advance(&mut self, settings: &Settings<D>) {
        let moving = self.obstacles.items_mut().filter(|(obstacle, _)| obstacle.velocity != Vector::ZERO);
        moving.for_each(|(obstacle, residual)| obstacle.advance(residual, settings));
    }
}
