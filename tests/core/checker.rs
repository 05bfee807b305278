//! A rule without force that compares the engine's neighbours with a search through all agents, within the tick.

#![allow(dead_code, reason = "not every test uses every item")]

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use throng::{AgentId, AgentRef, Agents, Behaviour, Inputs, NeighbourSum, Perception, Settings, SpeciesFilter, Vector};

/// The results of checkers.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    agents: AtomicUsize,
    neighbours: AtomicUsize,
    crowded: AtomicUsize,
    wrong: Mutex<Option<String>>,
}

impl Tally {
    /// Returns the number of agents compared, of their neighbours, and of agents with more neighbours than `nearest`.
    pub(crate) fn counts(&self) -> (usize, usize, usize) {
        (self.agents.load(Relaxed), self.neighbours.load(Relaxed), self.crowded.load(Relaxed))
    }

    /// Panics if a comparison failed, or if fewer agents or neighbours than these were compared.
    pub(crate) fn settle(&self, agents: usize, neighbours: usize, what: &str) {
        if let Some(wrong) = &*self.wrong.lock().unwrap() {
            panic!("{what}: {wrong}");
        }
        let (compared, found, _) = self.counts();
        assert!(compared >= agents, "{what}: {compared} agents were compared, expected {agents}");
        assert!(found >= neighbours, "{what}: {found} neighbours were compared, expected {neighbours}");
    }

    fn wrong(&self, what: String) {
        self.wrong.lock().unwrap().get_or_insert(what);
    }
}

/// Compares lists and sums of the neighbours within a radius, or of the nearest of them.
#[derive(Clone, Debug)]
pub(crate) struct Checker {
    pub(crate) radius: f32,
    pub(crate) filter: SpeciesFilter,
    /// The number of nearest neighbours that count; all if zero.
    pub(crate) nearest: u32,
    /// The field of view in degrees, and the cosine of its half times the absolute value; all round if there is none.
    pub(crate) view: Option<(f32, f32)>,
    /// Whether the world has seams: the order of neighbours does not count then.
    pub(crate) across: bool,
    pub(crate) tally: Arc<Tally>,
}

/// A neighbour that the search through all agents finds.
#[derive(Clone, Copy, Debug)]
struct Seen<const D: usize> {
    squared: f32,
    id: AgentId,
    species: usize,
    row: usize,
    offset: Vector<D>,
    velocity: Vector<D>,
}

impl Checker {
    pub(crate) fn new(radius: f32, filter: SpeciesFilter, tally: &Arc<Tally>) -> Self {
        Self { radius, filter, nearest: 0, view: None, across: false, tally: tally.clone() }
    }

    /// Returns the neighbours of an agent by species and row, and the number of agents within the radius.
    fn search<const D: usize>(&self, me: &AgentRef<'_, D>) -> (Vec<Seen<D>>, usize) {
        let (world, at) = (me.world(), me.position());
        let perceived = |agents: &&Agents<D>| match &self.filter {
            SpeciesFilter::Own => agents.species() == me.species(),
            SpeciesFilter::All => true,
            SpeciesFilter::Named(names) => names.iter().any(|name| name == agents.name()),
            _ => false,
        };
        let mut all = Vec::new();
        for agents in world.all_agents().iter().filter(perceived) {
            let axes = agents.positions();
            for (row, image) in (0..agents.len())
                .flat_map(|row| images(world.settings(), at, agents.position(row)).map(move |image| (row, image)))
            {
                let offset =
                    image.unwrap_or_else(|| world.settings().offset(at, Vector::from_fn(|axis| axes[axis][row])));
                let squared = offset.length_squared();
                let id = agents.ids()[row];
                let along = me.heading().dot(offset);
                let threshold = |cosine: f32| cosine * me.heading().length_squared() * squared;
                let is_in_view = self.view.is_none_or(|(_, cosine)| along * along.abs() >= threshold(cosine));
                if squared <= self.radius * self.radius && is_in_view && (id != me.id() || image.is_some()) {
                    let (species, velocity) = (agents.species().number(), agents.velocity(row));
                    all.push(Seen { squared, id, species, row, offset, velocity });
                }
            }
        }
        let count = all.len();
        if self.nearest > 0 {
            all.sort_by(|a, b| a.squared.total_cmp(&b.squared).then(a.id.to_bits().cmp(&b.id.to_bits())));
            all.truncate(self.nearest as usize);
            all.sort_by_key(|seen| (seen.species, seen.row));
        }
        (all, count)
    }

    /// Returns the sum over neighbours and its error bound, which is zero where the engine sums over a list.
    fn expected<const D: usize>(&self, all: &[Seen<D>], term: impl Fn(&Seen<D>) -> Vector<D>) -> (Vector<D>, f32) {
        let (mut sum, mut lengths) = (Vector::ZERO, 0.0);
        for seen in all {
            sum += term(seen);
            lengths += term(seen).length();
        }
        let error =
            if self.nearest > 0 && !self.across { 0.0 } else { (all.len() + 8) as f32 * f32::EPSILON * lengths };
        (sum, error)
    }
}

/// For an agent and its images across seams, as one at a point sees them: the offset to each image.
fn images<const D: usize>(
    settings: &Settings<D>,
    from: Vector<D>,
    at: Vector<D>,
) -> impl Iterator<Item = Option<Vector<D>>> {
    let point = |vector: Vector<D>| [0, 1].map(|axis| f64::from(vector[axis]));
    let turn = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let sides = settings
        .seams
        .iter()
        .flat_map(|seam| [(seam.ends, seam.shift, 1.0), (seam.ends.map(|end| end + seam.shift), -seam.shift, -1.0)]);
    let across = sides.filter_map(move |(ends, shift, sign)| {
        let (image, [a, b]) = (at - shift, ends.map(point));
        let [mine, theirs] = [from, image].map(|end| sign * turn(a, b, point(end)));
        let [first, second] = [a, b].map(|end| sign * turn(point(from), point(image), end));
        let is_crossed = mine * theirs <= 0.0 && mine >= theirs && first <= 0.0 && second >= 0.0;
        is_crossed.then_some(Some(image - from))
    });
    std::iter::once(None).chain(across.collect::<Vec<_>>())
}

impl<const D: usize> Behaviour<D> for Checker {
    fn inputs(&self) -> Inputs {
        let view = Perception { nearest: self.nearest, ..Perception::within(self.radius, &self.filter) };
        let view = view.with_field_of_view(self.view.map_or(360.0, |(degrees, _)| degrees));
        Inputs::default()
            .sum(NeighbourSum::Offset, view.clone())
            .neighbours(view.clone())
            .sum(NeighbourSum::Velocity, view.clone())
            .sum(NeighbourSum::InverseOffset, view)
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let (expected, within) = self.search(me);
        let (mut expected, mut neighbours) = (expected, me.neighbours(0).collect::<Vec<_>>());
        if self.across {
            let place = |offset: Vector<D>| offset.0.map(f32::to_bits);
            neighbours.sort_by_key(|seen| (seen.species.number(), seen.row, place(seen.offset)));
            expected.sort_by_key(|seen| (seen.species, seen.row, place(seen.offset)));
        }
        let found: Vec<_> = neighbours.iter().map(|seen| (seen.species.number(), seen.row, seen.id)).collect();
        let wanted: Vec<_> = expected.iter().map(|seen| (seen.species, seen.row, seen.id)).collect();
        let place = || format!("tick {}, agent {} at {:?}", me.world().tick(), me.id(), me.position());
        if found != wanted {
            let missing: Vec<_> = expected.iter().filter(|seen| found.iter().all(|found| found.2 != seen.id)).collect();
            let extra: Vec<_> = found.iter().filter(|found| wanted.iter().all(|wanted| wanted.2 != found.2)).collect();
            self.tally.wrong(format!("{}: misses {missing:?}, wrongly has {extra:?}", place()));
        }
        for (found, wanted) in neighbours.iter().zip(&expected) {
            if (found.offset, found.distance_squared, found.velocity)
                != (wanted.offset, wanted.squared, wanted.velocity)
            {
                self.tally.wrong(format!("{}: {found:?}, not {wanted:?}", place()));
            }
        }
        for (number, count) in [(0, me.count(0)), (1, me.count(1))] {
            if count as usize != expected.len() {
                self.tally.wrong(format!("{}: sum {number} is over {count}, not {}", place(), expected.len()));
            }
        }
        // Nearly coincident agents part in a random direction, so their third sum is not compared.
        let apart = expected.iter().all(|seen| seen.squared > 1e-12);
        let sums = [
            self.expected(&expected, |seen| seen.offset),
            self.expected(&expected, |seen| seen.velocity),
            self.expected(&expected, |seen| seen.offset / seen.squared),
        ];
        for (number, (sum, mut error)) in sums.into_iter().enumerate().take(if apart { 3 } else { 2 }) {
            if number == 1 && self.nearest == 0 {
                // The kernel adds the agent's own velocity and subtracts it again.
                error += (expected.len() + 8) as f32 * f32::EPSILON * me.velocity().length();
            }
            let off = (me.sum(number) - sum).length();
            if off.is_nan() || off > error {
                self.tally.wrong(format!(
                    "{}: sum {number} is {:?}, not {sum:?} (off by {off})",
                    place(),
                    me.sum(number)
                ));
            }
        }
        self.tally.agents.fetch_add(1, Relaxed);
        self.tally.neighbours.fetch_add(expected.len(), Relaxed);
        self.tally.crowded.fetch_add(usize::from(within > expected.len()), Relaxed);
        Vector::ZERO
    }
}
