//! The mix: the agents of several species as one species.
//!
//! The mix finds candidates and adds pairs as any species that perceives itself. Its agents differ in what they see:
//! each has the vision of its own species and state.

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::columns::Owner;
use crate::agents::parallel::{ChunkedAxes, ChunkedColumn, for_each_chunk};
use crate::base::ids::AgentRow;
use crate::base::settings::NeighbourLists;
use crate::index::species_index::SpeciesIndex;
use crate::kernels::CHUNK;
use crate::maths::Vector;
use crate::neighbour_lists::list_lifetime::{ListLifetime, ListMode, wanted_for};
use crate::neighbour_lists::pass::{KernelRun, Pass};
use crate::neighbour_lists::plan::{MIX, Plan};
use crate::neighbour_lists::vision_table::{CLASSES, VisionTable};
use crate::species::Species;
use crate::state::State;

/// The entry of a place without an agent.
const NOWHERE: AgentRow = AgentRow { species: MIX.0, row: 0 };

/// Chunks that a thread copies at a time.
const GRAIN: usize = 4;

/// The agents of the mixed species as one species: everything derived from the state except their sums.
#[derive(Debug)]
pub(crate) struct Mixed<const D: usize> {
    /// Copies of ids, positions, velocities and headings, by place.
    pub(crate) agents: Agents<D>,
    /// The species and the row of the agent at each place.
    rows: Vec<AgentRow>,
    /// Whether `rows` matches the state.
    pub(crate) located: bool,
    pub(crate) index: SpeciesIndex<D>,
    /// One pass over the mix itself, with the largest view of each term, if there are sums to form.
    pub(crate) plan: Plan,
    kept: ListLifetime,
    pub(crate) modes: [ListMode; 1],
}

impl<const D: usize> Default for Mixed<D> {
    fn default() -> Self {
        let agents = Agents::new(MIX, String::new(), Species::<D>::new("").body());
        Self {
            agents,
            rows: Vec::new(),
            located: false,
            index: SpeciesIndex::default(),
            plan: Plan::default(),
            kept: ListLifetime::default(),
            modes: [ListMode::Fresh],
        }
    }
}

impl<const D: usize> Mixed<D> {
    /// Plans the pass of the mix from the passes that its species share, and drops kept lists, whose radii are
    /// outdated.
    pub(crate) fn plan(&mut self, plans: &[Plan]) {
        self.kept = ListLifetime::default();
        self.index.radius = f32::INFINITY;
        let joints = || plans.iter().filter_map(|plan| plan.joint.as_ref());
        let mut pass = Pass::new(MIX.number());
        for joint in joints() {
            pass.radius = if joint.radius > pass.radius { joint.radius } else { pass.radius };
            pass.reach = pass.radius;
            pass.has_candidates = true;
            let radius = &mut self.index.radius;
            *radius = if joint.radius < *radius { joint.radius } else { *radius };
        }
        let runs = joints().map(|joint| joint.runs.len()).max().unwrap_or(0);
        let table = |run: usize| {
            // A species of the mix that has no sums in this run has views of nothing.
            let of = |plan: &Plan, state: usize| {
                let joint = plan.joint.as_ref()?;
                Some(joint.runs.get(run).map(|run| run.table.of(state)).unwrap_or_default())
            };
            VisionTable::new(plans.iter().flat_map(|plan| (0..CLASSES).map(move |state| of(plan, state))))
        };
        pass.runs.extend((0..runs).map(|run| KernelRun::new(table(run), [0, 1, 2].map(|term| slot(run, term)))));
        self.plan =
            Plan { slots: 3 * runs, passes: (runs > 0).then_some(pass).into_iter().collect(), ..Plan::default() };
    }

    /// Forgets where the agents are.
    pub(crate) fn forget(&mut self) {
        self.index.loose.clear();
        self.index.edited.clear();
        (self.index.valid, self.located) = (false, false);
    }

    /// Copies the agents as they are now.
    pub(crate) fn copy(&mut self, state: &State<D>) {
        if !self.located {
            self.locate(state);
        }
        let chunks = self.rows.len().div_ceil(CHUNK);
        let looks = |agents: &Agents<D>| agents.is_mixed() && agents.keeps_headings();
        if state.agents.iter().any(looks) {
            self.agents.keep_headings(|_| Vector::ZERO);
        } else {
            self.agents.heading = None;
        }
        let Agents { position, velocity, heading, .. } = &mut self.agents;
        let heading = heading.as_mut().map(ChunkedAxes::<D, CHUNK>::new);
        let columns = (
            (ChunkedAxes::<D, CHUNK>::new(position), ChunkedAxes::<D, CHUNK>::new(velocity)),
            heading.unwrap_or_else(|| ChunkedAxes(std::array::from_fn(|_| Default::default()))),
            ChunkedColumn(self.rows.as_mut_slice(), CHUNK),
        );
        for_each_chunk(chunks, GRAIN, columns, &|_, ((position, velocity), heading, rows)| {
            // Columns of equal length: one comparison shows that a lane is within all of them.
            let lanes = rows.0.len();
            let (position, velocity) =
                (position.0.map(|axis| &mut axis[..lanes]), velocity.0.map(|axis| &mut axis[..lanes]));
            for (lane, place) in rows.0.iter().enumerate() {
                let others = state.agents.get(place.species as usize);
                for axis in 0..D {
                    (position[axis][lane], velocity[axis][lane]) = others.map_or((f32::NAN, 0.0), |others| {
                        (others.position[axis][place.row as usize], others.velocity[axis][place.row as usize])
                    });
                    if let Some(heading) = heading.0[axis].get_mut(lane) {
                        *heading = others.map_or(0.0, |others| others.looks()[axis][place.row as usize]);
                    }
                }
            }
        });
    }

    /// Updates which agent is at each place.
    fn locate(&mut self, state: &State<D>) {
        let Self { agents, rows, .. } = self;
        agents.id.clone_from(&state.mix_ids);
        agents.pad();
        // Not shorter: rows that are gone may still be on lists of candidates.
        rows.resize(agents.position[0].len(), NOWHERE);
        rows[agents.len()..].fill(NOWHERE);
        for_each_chunk(agents.chunks(), GRAIN, ChunkedColumn(&mut rows[..agents.len()], CHUNK), &|chunk, rows| {
            for (row, id) in rows.0.iter_mut().zip(&agents.id[chunk * CHUNK..]) {
                *row = state.ids.row_of(*id).unwrap_or(NOWHERE);
            }
        });
        self.located = true;
    }

    /// Decides where this tick's candidates come from, and measures boxes where needed.
    pub(crate) fn index(&mut self, level: Level, state: &State<D>, wanted: NeighbourLists) {
        let Some(pass) = self.plan.passes.first() else { return };
        let radius = pass.radius;
        self.copy(state);
        let Self { agents, index, kept, modes, .. } = self;
        let period = state.settings.period();
        index.prepare(agents.len());
        if !index.valid {
            *kept = ListLifetime::default();
        }
        let left = index.ticks_left(&state.mix.order);
        let wanted = wanted_for(wanted, state.settings.is_all(radius), agents.len());
        modes[0] = kept.choose(wanted, radius, 2.0 * index.way(), left);
        if !modes[0].keeps() {
            index.loose.clone_from(&state.mix.order.strays);
            index.measure(level, agents, &period);
        }
        index.rebuild_strays(level, agents, &period);
    }

    /// Records that agents moved `stride` metres at most, all rounding included.
    pub(crate) fn moved(&mut self, stride: f32) {
        self.index.advanced(stride);
        self.kept.moved(2.0 * stride);
    }

    /// Records that the host moved agents by at most this distance in metres, all rounding included.
    pub(crate) fn moved_by_host(&mut self, by: f32) {
        self.index.moved_by_host(by);
        self.kept.moved(2.0 * by);
    }

    /// Fills `classes` with the classes of a chunk's agents: their species and states.
    pub(crate) fn classes(&self, chunk: usize, agents: &[Agents<D>], classes: &mut [u32; CHUNK]) {
        for (class, place) in classes.iter_mut().zip(&self.rows[chunk * CHUNK..]) {
            let states = agents.get(place.species as usize).and_then(|of| of.columns.values::<u32>(Owner::State));
            let state = states.map_or(0, |states| states[place.row as usize]);
            *class = place.species.saturating_mul(CLASSES as u32).saturating_add(state);
        }
    }
}

/// Returns the slot of a run's term among the sums of a chunk.
pub(crate) fn slot(run: usize, term: usize) -> usize {
    3 * run + term
}
