//! The worlds of the workloads.

use throng::behaviours::{Alignment, Cohesion, Pursue, Separation};
use throng::{
    AgentId, AgentRef, Behaviour, Edge, Inputs, Noise, Obstacle, Perception, Settings, Species, SpeciesFilter,
    SpeciesId, Target, Vector, World,
};
use throng_scenario::Scenario;

use super::{NeighbourQuery, Outcome, Setup};
use crate::flock::{Flock, MAX_FORCE, MAX_SPEED, RADIUS, RESPONSE, SEPARATION_RADIUS, TICK_SECONDS};

/// The settings of these worlds.
pub(super) fn settings<const D: usize>(size: Vector<D>) -> Settings<D> {
    Settings { size, tick_seconds: TICK_SECONDS, seed: 7, ..Settings::default() }
}

/// A species of the plain flock that perceives the species of `filter` within `radius`.
pub(super) fn boid<const D: usize>(name: impl Into<String>, radius: f32, filter: &SpeciesFilter) -> Species<D> {
    let from = || filter.clone();
    let mut boid = Species::new(name)
        .with(1.0, Separation { radius: radius * SEPARATION_RADIUS / RADIUS, from: from(), ..Separation::default() })
        .with(1.0, Alignment { radius, from: from(), ..Alignment::default() })
        .with(1.0, Cohesion { radius, from: from(), ..Cohesion::default() });
    (boid.max_speed, boid.max_force, boid.response) = (MAX_SPEED.into(), MAX_FORCE.into(), RESPONSE);
    boid
}

/// A random point of a world.
pub(super) fn anywhere<const D: usize>(key: u64, number: u64, size: Vector<D>) -> Vector<D> {
    let mut noise = Noise::new(key, number, 0, Noise::USER);
    Vector::from_fn(|axis| noise.between(0.0, size[axis] * 0.9999))
}

pub(super) fn direction<const D: usize>(number: u64) -> Vector<D> {
    Noise::new(8, number, 0, Noise::USER).direction()
}

/// A world of one species with one query.
pub(super) fn crowd<const D: usize>(
    settings: Settings<D>,
    species: Species<D>,
    query: NeighbourQuery,
    places: impl Iterator<Item = (Vector<D>, Vector<D>)>,
) -> Outcome<Setup<D>> {
    let mut world = World::new(settings)?;
    let species = world.add_species(species)?;
    for (place, velocity) in places {
        world.spawn(species, place, velocity)?;
    }
    Ok(Setup { world, host: Box::new(|_, _| Ok(())), queries: vec![(species, query)] })
}

pub(super) fn near() -> NeighbourQuery {
    NeighbourQuery::Within(RADIUS, SpeciesFilter::Own)
}

/// The plain flock, with changes of its settings and its species.
pub(super) fn flock<const D: usize>(
    agents: usize,
    change: &dyn Fn(&mut Settings<D>),
    species: impl FnOnce(Species<D>) -> Species<D>,
) -> Outcome<Setup<D>> {
    let flock = Flock::<D>::new(agents);
    let mut settings = settings(Vector::splat(flock.size));
    change(&mut settings);
    let species = species(boid("boid", RADIUS, &SpeciesFilter::Own));
    crowd(settings, species, near(), flock.position.into_iter().zip(flock.velocity))
}

/// The ids of all agents.
pub(super) fn ids<const D: usize>(world: &World<D>) -> Outcome<Vec<AgentId>> {
    let mut ids = Vec::new();
    for species in world.species_ids() {
        ids.extend_from_slice(world.agents(species)?.ids());
    }
    Ok(ids)
}

/// A world of these aspects, with the area or volume of the plain one.
pub(super) fn shape<const D: usize>(agents: usize, aspects: [f32; D]) -> Outcome<Setup<D>> {
    let product: f32 = aspects.iter().product();
    let unit = Flock::<D>::new(1).size * (agents as f64 / f64::from(product)).powf(1.0 / D as f64) as f32;
    let settings = settings(Vector(aspects) * unit);
    let size = settings.size;
    let places = (0..agents as u64).map(|number| (anywhere(4, number, size), direction(number) * MAX_SPEED));
    crowd(settings, boid("boid", RADIUS, &SpeciesFilter::Own), near(), places)
}

/// Agents on a line along an axis, one per metre.
pub(super) fn line(agents: usize, axis: usize) -> Outcome<Setup<2>> {
    let mut settings = settings(Vector::splat(agents as f32));
    settings.edge = [Edge::Open; _];
    let places = (0..agents as u64).map(|number| {
        let mut place = anywhere::<2>(4, number, Vector::splat(agents as f32));
        place[1 - axis] = 50.0;
        (place, direction(number) * MAX_SPEED)
    });
    crowd(settings, boid("boid", RADIUS, &SpeciesFilter::Own), near(), places)
}

/// A flock at a given speed in metres per tick, and `seers` agents of another species, which see the flock within a
/// kilometre.
pub(super) fn fliers(agents: usize, metres: f32, seers: usize) -> Outcome<Setup<2>> {
    let speed = metres / TICK_SECONDS;
    let mut run = flock::<2>(agents, &|_| {}, |mut boid| {
        boid.max_speed = speed.into();
        boid
    })?;
    for id in ids(&run.world)? {
        run.world.set_velocity(id, direction::<2>(id.to_bits()) * speed)?;
    }
    if seers > 0 {
        let boids = SpeciesFilter::named("boid");
        let seer = run.world.add_species(boid("seer", 1000.0, &boids))?;
        for number in 0..seers as u64 {
            run.world.spawn(seer, anywhere(5, number, run.world.settings().size), Vector::ZERO)?;
        }
        run.queries.push((seer, NeighbourQuery::Within(1000.0, boids)));
    }
    Ok(run)
}

/// Several species that all see each other, instead of the plain flock, with a radius and a number of agents each.
pub(super) fn species_mixed(radii: &[f32], counts: &[usize]) -> Outcome<Setup<2>> {
    several(radii, counts, |boid| boid)
}

/// The same, with species that differ from the species of the plain flock.
fn several(radii: &[f32], counts: &[usize], mut change: impl FnMut(Species<2>) -> Species<2>) -> Outcome<Setup<2>> {
    let flock = Flock::<2>::new(counts.iter().sum());
    let mut world = World::new(settings(Vector::splat(flock.size)))?;
    let mut agents = flock.position.into_iter().zip(flock.velocity);
    let mut queries = Vec::new();
    for (number, (&radius, &count)) in radii.iter().zip(counts).enumerate() {
        let species = world.add_species(change(boid(format!("species {number}"), radius, &SpeciesFilter::All)))?;
        for (place, velocity) in agents.by_ref().take(count) {
            world.spawn(species, place, velocity)?;
        }
        queries.push((species, NeighbourQuery::Within(radius, SpeciesFilter::All)));
    }
    Ok(Setup { world, host: Box::new(|_, _| Ok(())), queries })
}

pub(super) fn mixed(counts: &[usize]) -> Outcome<Setup<2>> {
    species_mixed(&vec![RADIUS; counts.len()], counts)
}

/// Species that keep away from all agents and fly with their own kind.
pub(super) fn apart(counts: &[usize]) -> Outcome<Setup<2>> {
    several(&vec![RADIUS; counts.len()], counts, |mut boid| {
        boid.rules.truncate(1);
        boid.with(1.0, Alignment { radius: RADIUS, ..Alignment::default() })
            .with(1.0, Cohesion { radius: RADIUS, ..Cohesion::default() })
    })
}

/// A crowd that flies apart from one place, in which each agent pursues the nearest other one.
pub(super) fn chase(agents: usize) -> Outcome<Setup<2>> {
    let mut settings = settings(Vector::splat(100.0));
    settings.edge = [Edge::Open; _];
    let mut chaser =
        Species::new("chaser").with(1.0, Pursue { target: Target::Nearest(SpeciesFilter::Own), ..Pursue::default() });
    chaser.max_speed = MAX_SPEED.into();
    let mut world = World::new(settings)?;
    let species = world.add_species(chaser)?;
    for number in 0..agents as u64 {
        world.spawn(species, anywhere(6, number, Vector::splat(1.0)), direction(number) * MAX_SPEED)?;
    }
    Ok(Setup {
        world,
        host: Box::new(|_, _| Ok(())),
        queries: vec![(species, NeighbourQuery::Nearest(SpeciesFilter::Own))],
    })
}

/// Species that all see each other and fly at most 1 %, 10 % or a half of the radius in a tick.
pub(super) fn of_all_speeds(counts: &[usize]) -> Outcome<Setup<2>> {
    let speed = |number: usize| [0.01, 0.1, 0.5][number % 3] * RADIUS / TICK_SECONDS;
    let mut number = 0;
    let mut run = several(&vec![RADIUS; counts.len()], counts, |mut boid| {
        boid.max_speed = speed(number).into();
        number += 1;
        boid
    })?;
    for id in ids(&run.world)? {
        let (species, _) = run.world.find(id)?;
        run.world.set_velocity(id, direction::<2>(id.to_bits()) * speed(species.number()))?;
    }
    Ok(run)
}

/// Returns `count` numbers with the sum `agents`, each half of the one before.
pub(super) fn halved(agents: usize, count: u32) -> Vec<usize> {
    let mut counts: Vec<usize> = (1..=count).map(|number| agents >> number).collect();
    counts[0] += agents - counts.iter().sum::<usize>();
    counts
}

pub(super) fn far_sighted(agents: usize) -> Outcome<Setup<2>> {
    let far = agents / 100;
    species_mixed(&[RADIUS, 10.0 * RADIUS], &[agents - far, far])
}

/// The placement of the prey.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Prey {
    Even,
    Clumped,
    Outliers,
    OnePoint,
    /// Evenly, in ten species.
    TenSpecies,
}

pub(super) fn pursuit(prey: Prey, hunters: usize, hunted: usize) -> Outcome<Setup<2>> {
    let size = Flock::<2>::new(hunted).size;
    let mut settings = settings(Vector::splat(size));
    settings.edge = [Edge::Open; _];
    let mut world = World::new(settings)?;
    let names: Vec<String> =
        (0..if prey == Prey::TenSpecies { 10 } else { 1 }).map(|number| format!("prey {number}")).collect();
    let targets = names.iter().map(|name| world.add_species(Species::new(name))).collect::<Result<Vec<_>, _>>()?;
    for number in 0..hunted as u64 {
        let place = anywhere::<2>(6, number, Vector::splat(size));
        let place = match prey {
            Prey::Even | Prey::TenSpecies => place,
            Prey::Clumped => place * 0.05 + Vector::splat(3.0 * size),
            Prey::Outliers if number < 10 => place + Vector::splat(1e5),
            Prey::Outliers => place,
            Prey::OnePoint => Vector::splat(0.5 * size),
        };
        world.spawn(targets[number as usize % targets.len()], place, Vector::ZERO)?;
    }
    let nearest = SpeciesFilter::Named(names);
    let pursue = Pursue { target: Target::Nearest(nearest.clone()), ..Pursue::default() };
    let mut hunter = Species::new("hunter").with(1.0, pursue);
    hunter.max_speed = MAX_SPEED.into();
    let hunter = world.add_species(hunter)?;
    for number in 0..hunters as u64 {
        world.spawn(hunter, anywhere(9, number, Vector::splat(size)), Vector::ZERO)?;
    }
    Ok(Setup { world, host: Box::new(|_, _| Ok(())), queries: vec![(hunter, NeighbourQuery::Nearest(nearest))] })
}

/// A flock among disc-shaped obstacles.
pub(super) fn environment(
    agents: usize,
    obstacles: usize,
    rules: impl Fn(Species<2>, f32) -> Species<2>,
) -> Outcome<Setup<2>> {
    let size = Flock::<2>::new(agents).size;
    let mut run = flock::<2>(agents, &|_| {}, |boid| rules(boid, size))?;
    for number in 0..obstacles as u64 {
        let centre = anywhere(10, number, Vector::splat(size));
        run.world.environment_mut().obstacles.add(Obstacle::new(centre, 2.0))?;
    }
    Ok(run)
}

/// The scenario `hunt.toml` with another number of agents, at the same density.
pub(super) fn hunt(agents: usize) -> Outcome<Setup<2>> {
    let times = agents as f64 / 246.0;
    let side = times.sqrt();
    let vector = |x: f64, y: f64| format!("[{:.1}, {:.1}]", x * side, y * side);
    let overrides = [
        format!("world.size={}", vector(160.0, 90.0)),
        format!("marks.water={}", vector(112.0, 48.0)),
        format!("species.prey.count={}", (240.0 * times) as u64),
        format!("species.prey.place.centre={}", vector(110.0, 45.0)),
        format!("species.prey.place.size={}", vector(90.0, 80.0)),
        format!("species.hunter.count={}", (6.0 * times) as u64),
        format!("species.hunter.place.centre={}", vector(25.0, 45.0)),
        format!("species.hunter.place.radius={:.1}", 15.0 * side),
    ];
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/hunt.toml");
    let world = Scenario::load_with(file, &overrides)?.build::<2>()?;
    let query = |name: &str, filter: &str, radius| {
        Some((world.find_species(name)?, NeighbourQuery::Within(radius, SpeciesFilter::named(filter))))
    };
    let queries = [query("prey", "hunter", 24.0), query("prey", "prey", 2.0), query("hunter", "hunter", 6.0)];
    let queries: Vec<(SpeciesId, NeighbourQuery)> = queries.into_iter().flatten().collect();
    Ok(Setup { world, host: Box::new(|_, _| Ok(())), queries })
}

/// Alignment as a user's rule that sums over its list of neighbours.
#[derive(Debug)]
pub(super) struct OneByOne;

impl<const D: usize> Behaviour<D> for OneByOne {
    fn inputs(&self) -> Inputs {
        Inputs::default().neighbours(Perception::within(RADIUS, &SpeciesFilter::Own))
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let mut sum = Vector::ZERO;
        for neighbour in me.neighbours(0) {
            sum += neighbour.velocity;
        }
        me.towards(sum.direction() * me.max_speed())
    }
}

/// The plain flock with `times` its perception radius.
pub(super) fn dense<const D: usize>(agents: usize, times: f32) -> Outcome<Setup<D>> {
    let radius = RADIUS * times;
    let mut run = flock::<D>(agents, &|_| {}, |_| boid("boid", radius, &SpeciesFilter::Own))?;
    run.queries[0].1 = NeighbourQuery::Within(radius, SpeciesFilter::Own);
    Ok(run)
}

pub(super) fn one_point(agents: usize) -> Outcome<Setup<2>> {
    let size = Flock::<2>::new(agents).size;
    let places = (0..agents as u64).map(|number| (Vector::splat(0.5 * size), direction(number) * MAX_SPEED));
    crowd(settings(Vector::splat(size)), boid("boid", RADIUS, &SpeciesFilter::Own), near(), places)
}
