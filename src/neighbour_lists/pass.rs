//! Passes: the species that a plan searches, each once for all rules, and the runs of the pair kernel over its agents.

use crate::kernels::pairs::Terms;
use crate::kernels::vision::Vision;
use crate::neighbour_lists::vision_table::{CLASSES, VisionTable};
use crate::rules::interface::NeighbourSum;

/// One perceived species, searched once for all rules.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    /// The number of the perceived species.
    pub(crate) species: usize,
    /// The largest radius of the rules that perceive all agents within it, and of the lists of candidates.
    pub(crate) radius: f32,
    /// The largest radius of all rules, those that perceive only the nearest included.
    pub(crate) reach: f32,
    /// Whether there are lists of candidates: whether a rule perceives more than the nearest.
    pub(crate) has_candidates: bool,
    pub(crate) runs: Vec<KernelRun>,
    /// The lists that its agents may be on, and the view of each.
    pub(crate) lists: Vec<(usize, Vision)>,
    /// The list that counts neighbours, where no sum does.
    pub(crate) counted_by: Option<usize>,
}

/// One run of the pair kernel, and the slots of its sums.
#[derive(Clone, Debug, Default)]
pub(crate) struct KernelRun {
    /// The terms, each with its largest view.
    pub(crate) terms: Terms,
    pub(crate) slots: [usize; 3],
    /// For each term, the views of the rules that share it, and the states in which they are active, one bit each. A view
    /// that no other shares applies in all states.
    views: [Vec<(u32, Vision)>; 3],
    /// The views by class, once all rules have added theirs.
    pub(crate) table: VisionTable,
}

impl Pass {
    /// Creates a pass without perceptions.
    pub(crate) fn new(species: usize) -> Self {
        Self {
            species,
            radius: 0.0,
            reach: 0.0,
            has_candidates: false,
            runs: Vec::new(),
            lists: Vec::new(),
            counted_by: None,
        }
    }

    /// Returns the slots and views of the terms that count their addends, for agents in all states.
    pub(super) fn counting_terms(&self) -> impl Iterator<Item = (usize, Vision)> {
        self.runs.iter().flat_map(|run| {
            let [_, velocities, offsets] = [0, 1, 2].map(|term| Some((run.slots[term], run.common_view(term)?)));
            [offsets, velocities].into_iter().flatten()
        })
    }

    /// Returns the widest of the views with the largest radius, if there are sums.
    pub(super) fn widest_view(&self) -> Option<Vision> {
        self.runs.iter().flat_map(|run| run.views.iter().flatten()).map(|&(_, view)| view).reduce(wider)
    }

    /// Makes the tables of views, once all rules have added theirs.
    pub(super) fn finish(&mut self) {
        self.runs.iter_mut().for_each(KernelRun::finish);
    }

    /// Adds the view of a rule that is active in these states to the term of its slot, or else to the first run without
    /// a term of its kind.
    pub(super) fn add_term(&mut self, addend: NeighbourSum, view: Vision, slot: usize, during: u32) {
        let kind = match addend {
            NeighbourSum::InverseOffset => 0,
            NeighbourSum::Velocity => 1,
            NeighbourSum::Offset => 2,
        };
        let is_shared = |run: &KernelRun| !run.views[kind].is_empty() && run.slots[kind] == slot;
        let is_free = |run: &KernelRun| run.views[kind].is_empty();
        let run = self.runs.iter().position(is_shared).or_else(|| self.runs.iter().position(is_free));
        let run = run.unwrap_or_else(|| {
            self.runs.push(KernelRun::default());
            self.runs.len() - 1
        });
        self.runs[run].add(kind, view, slot, during);
    }
}

impl KernelRun {
    /// A run with the views of a table.
    pub(crate) fn new(table: VisionTable, slots: [usize; 3]) -> Self {
        Self { terms: table.largest(), slots, table, ..Self::default() }
    }

    /// Makes the table of views, by the states of agents.
    pub(super) fn finish(&mut self) {
        let view = |term: usize, state: usize| {
            let of_state = || self.views[term].iter().find(|(during, _)| during >> state & 1 == 1);
            self.common_view(term).or_else(|| of_state().map(|&(_, view)| view))
        };
        self.table = VisionTable::new((0..CLASSES).map(|state| Some([0, 1, 2].map(|term| view(term, state)))));
    }

    fn add(&mut self, kind: usize, view: Vision, slot: usize, during: u32) {
        self.slots[kind] = slot;
        self.views[kind].push((during, view));
        let largest = self.terms.each()[kind].map_or(view, |largest| largest.around(view));
        *self.terms.each_mut()[kind] = Some(largest);
    }

    /// Returns the view of a term if all rules that share it have the same one.
    fn common_view(&self, term: usize) -> Option<Vision> {
        let (&(_, first), others) = self.views[term].split_first()?;
        others.iter().all(|&(_, view)| view == first).then_some(first)
    }
}

/// Returns the view with the larger radius; at equal radii, the one with the wider field.
pub(super) fn wider(a: Vision, b: Vision) -> Vision {
    let (a_size, b_size) = ((a.radius_squared, -a.cosine_squared), (b.radius_squared, -b.cosine_squared));
    if b_size > a_size { b } else { a }
}
