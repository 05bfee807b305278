//! Tests of neighbours: sets are compared exactly, except for pairs where rounding may decide.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use throng::{AgentId, AgentRef, Behaviour, Inputs, NeighbourSum, Perception, SpeciesFilter, Vector, World};

use crate::crowds::{Crowd, NAMES, cases, crowd, fov, species};
use crate::naive::{Agent, EPSILON, add, agents, length, offset, perceives_species, scale, sees, sub};

/// What an agent perceived: its neighbours one by one, or a sum over them and their number.
#[derive(Clone, Debug, Default)]
struct Perceived<const D: usize> {
    listed: Vec<(usize, usize, Vector<D>)>,
    sum: Vector<D>,
    count: u32,
}

/// A behaviour without force that records the perceptions of its agents.
#[derive(Clone, Debug)]
struct Recorder<const D: usize> {
    radius: f32,
    fov: f32,
    filter: SpeciesFilter,
    /// The sum to read; a list of neighbours if `None`.
    addend: Option<NeighbourSum>,
    perceived: Arc<Mutex<BTreeMap<AgentId, Perceived<D>>>>,
}

impl<const D: usize> Recorder<D> {
    fn new(radius: f32, fov: f32, filter: SpeciesFilter, addend: Option<NeighbourSum>) -> Self {
        Self { radius, fov, filter, addend, perceived: Arc::default() }
    }

    fn take(&self) -> BTreeMap<AgentId, Perceived<D>> {
        std::mem::take(&mut self.perceived.lock().unwrap())
    }
}

impl<const D: usize> Behaviour<D> for Recorder<D> {
    fn inputs(&self) -> Inputs {
        let perception = Perception { field_of_view: self.fov, ..Perception::within(self.radius, &self.filter) };
        match self.addend {
            Some(addend) => Inputs::default().sum(addend, perception),
            None => Inputs::default().neighbours(perception),
        }
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let perceived = match self.addend {
            Some(_) => Perceived { sum: me.sum(0), count: me.count(0), ..Perceived::default() },
            None => {
                let entry = |other: throng::Neighbour<D>| (other.species.number(), other.row, other.offset);
                Perceived { listed: me.neighbours(0).map(entry).collect(), ..Perceived::default() }
            }
        };
        let before = self.perceived.lock().unwrap().insert(me.id(), perceived);
        assert!(before.is_none(), "an agent is steered once per tick");
        Vector::ZERO
    }
}

/// Returns the agents that `me` certainly sees, and those that it may see.
fn neighbours<'a, const D: usize>(
    world: &World<D>,
    agents: &'a [Agent<D>],
    me: &Agent<D>,
    recorder: &Recorder<D>,
) -> (Vec<&'a Agent<D>>, Vec<&'a Agent<D>>) {
    let perceived =
        agents.iter().filter(|other| perceives_species(&recorder.filter, me.species, other.species, &NAMES));
    let sight = |other: &Agent<D>| sees(world.settings(), me, other, recorder.radius, recorder.fov);
    let (mut certain, mut possible) = (Vec::new(), Vec::new());
    for other in perceived {
        let sight = sight(other);
        possible.extend((sight != Some(false)).then_some(other));
        certain.extend((sight == Some(true)).then_some(other));
    }
    (certain, possible)
}

fn check_list<const D: usize>(world: &World<D>, before: &[Agent<D>], recorder: &Recorder<D>) {
    let perceived = recorder.take();
    for me in before.iter().filter(|me| me.species == 0) {
        let (certain, possible) = neighbours(world, before, me, recorder);
        let listed = &perceived[&me.id].listed;
        let places: Vec<(usize, usize)> = listed.iter().map(|&(species, row, _)| (species, row)).collect();
        assert!(places.is_sorted_by(|a, b| a < b), "rows ascend by species, each once: {places:?}");
        let ids: Vec<AgentId> = places
            .iter()
            .map(|&(species, row)| world.agents(world.find_species(NAMES[species]).unwrap()).unwrap().ids()[row])
            .collect();
        let (known, possible): (HashSet<AgentId>, HashMap<AgentId, &Agent<D>>) =
            (ids.iter().copied().collect(), possible.into_iter().map(|other| (other.id, other)).collect());
        for other in &certain {
            assert!(known.contains(&other.id), "{} misses {}: {me:?} {other:?}", me.id, other.id);
        }
        for (id, (_, _, found)) in ids.iter().zip(listed) {
            let Some(other) = possible.get(id) else {
                panic!("{} wrongly sees {id}", me.id);
            };
            let exact = offset(world.settings(), me.position, other.position);
            assert_eq!(found.0.map(f64::from), exact, "the offset from {} to {id}", me.id);
        }
    }
}

/// Compares counts exactly, and sums within the error bound of their additions (see `rule_force`).
fn check_sum<const D: usize>(world: &World<D>, before: &[Agent<D>], recorder: &Recorder<D>) {
    let perceived = recorder.take();
    for me in before.iter().filter(|me| me.species == 0) {
        let (certain, possible) = neighbours(world, before, me, recorder);
        let Perceived { sum, count, .. } = perceived[&me.id];
        assert!(
            (certain.len()..=possible.len()).contains(&(count as usize)),
            "{} counts {count}, not {} to {}",
            me.id,
            certain.len(),
            possible.len()
        );
        if certain.len() < possible.len() {
            continue;
        }
        let (mut expected, mut lengths) = ([0.0; D], length(me.velocity.map(f64::from)));
        for other in &certain {
            let term = match recorder.addend {
                Some(NeighbourSum::Velocity) => other.velocity.map(f64::from),
                _ => offset(world.settings(), me.position, other.position),
            };
            expected = add(expected, term);
            lengths += length(term);
        }
        let error = length(sub(sum.0.map(f64::from), expected));
        assert!(error <= (certain.len() + 8) as f64 * EPSILON * lengths, "{}: {sum:?}, not {expected:?}", me.id);
    }
}

fn check<const D: usize>(crowd: &Crowd, radius: f32, fov: f32, filter: &SpeciesFilter, ticks: usize) {
    let list = Recorder::new(radius, fov, filter.clone(), None);
    let velocities = Recorder::new(radius, fov, filter.clone(), Some(NeighbourSum::Velocity));
    // A second view, so that the rules cannot share one mask and one count.
    let offsets = Recorder::new(0.7 * radius, 0.5 * fov, filter.clone(), Some(NeighbourSum::Offset));
    let shared = Recorder::new(radius, fov, filter.clone(), Some(NeighbourSum::Offset));
    let apart = species(NAMES[0], &[])
        .with(0.0, list.clone())
        .with(0.0, velocities.clone())
        .with(0.0, offsets.clone())
        .with(0.0, shared.clone());
    let mut world = crowd.world_of::<D>([apart, species(NAMES[1], &[])]);
    for _ in 0..ticks {
        let before = agents(&world);
        world.step();
        check_list(&world, &before, &list);
        check_sum(&world, &before, &velocities);
        check_sum(&world, &before, &offsets);
        check_sum(&world, &before, &shared);
    }
    // Two rules of the same view, in one run of the kernel that shares the mask.
    let together = species(NAMES[0], &[]).with(0.0, velocities.clone()).with(0.0, shared.clone());
    let mut world = crowd.world_of::<D>([together, species(NAMES[1], &[])]);
    let before = agents(&world);
    world.step();
    check_sum(&world, &before, &velocities);
    check_sum(&world, &before, &shared);
}

fn view() -> impl Strategy<Value = (f32, f32, SpeciesFilter)> {
    let radius = prop_oneof![1 => Just(0.0f32), 4 => 0.1f32..8.0, 3 => 8.0f32..64.0, 1 => Just(3.0), 1 => Just(1e6)];
    let filter = prop_oneof![2 => Just(SpeciesFilter::Own), 2 => Just(SpeciesFilter::All), 1 => Just(SpeciesFilter::named(NAMES[1]))];
    (radius, fov(), filter)
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn neighbours_are_exact_in_two_dimensions(crowd in crowd(500), (radius, fov, filter) in view()) {
        check::<2>(&crowd, radius, fov, &filter, 4);
    }

    #[test]
    fn neighbours_are_exact_in_three_dimensions(crowd in crowd(500), (radius, fov, filter) in view()) {
        check::<3>(&crowd, radius, fov, &filter, 4);
    }
}

proptest! {
    #![proptest_config(cases(4))]

    /// Several chunks of each species, so that the tree has more than one leaf.
    #[test]
    fn neighbours_of_many_agents_are_exact(crowd in crowd(2000), radius in 0.5f32..12.0, fov in fov()) {
        let crowd = Crowd { counts: [1300, 400], ..crowd };
        check::<2>(&crowd, radius, fov, &SpeciesFilter::All, 2);
        check::<3>(&crowd, radius, fov, &SpeciesFilter::All, 2);
    }
}

/// A neighbour at just the radius counts, and an agent half a world away counts once, not twice.
#[test]
fn agents_at_the_radius_and_half_a_world_away_count_once() {
    let mut world = World::<2>::new(throng::Settings { size: Vector([10.0, 20.0]), ..Default::default() }).unwrap();
    let recorder = Recorder::new(5.0, 360.0, SpeciesFilter::Own, None);
    let id = world.add_species(species(NAMES[0], &[]).with(0.0, recorder.clone())).unwrap();
    let ids = [[1.0, 1.0], [4.0, 5.0], [6.0, 1.0]].map(|place| world.spawn(id, place, [0.0, 0.0]).unwrap());
    world.step();
    let perceived = recorder.take();
    assert_eq!(perceived[&ids[0]].listed.len(), 2, "3, 4 and 5 metres make a triangle; half of ten is five");
    assert_eq!(perceived[&ids[2]].listed.len(), 2);
    let across = scale([5.0, 0.0], 1.0);
    assert!(perceived[&ids[0]].listed.iter().any(|(_, _, offset)| offset.0.map(f64::from) == across));
}
