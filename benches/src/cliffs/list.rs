//! The list of workloads.

use throng::behaviours::{Alignment, AvoidObstacles, Cohesion, Hide, Pursue, Separation, StayOnPath};
use throng::{
    AgentId, Behaviour, Edge, Me, Noise, Obstacle, Perception, Reads, Scenario, Settings, Species, SpeciesId, Target,
    Vector, Whom, World,
};

use super::{Make, Outcome, Run, Sight, Timed, To, Workload};
use crate::flock::{Flock, MAX_FORCE, MAX_SPEED, RADIUS, RESPONSE, SEPARATION_RADIUS, TICK_SECONDS};

/// Ticks before the clock and on it, as in the other measurements.
const WARM: u64 = crate::design::WARM;
const ROUND: u64 = crate::design::ROUND;

/// All workloads, most of which have so many agents.
#[must_use]
pub fn all(agents: usize) -> Vec<Workload> {
    let mut list = vec![plain(2, agents), plain(3, agents)];
    for agents in [agents, 10 * agents] {
        list.push(despawn("that tick", agents, 0..1));
        list.push(despawn("each of the next 30", agents, 1..31));
    }
    for times in [1, 10, 100, 1000, 10_000] {
        list.push(turnover(agents, (times * agents / 100_000).max(1)));
    }
    for edge in [Edge::Remove, Edge::Respawn] {
        list.push(Workload::new(format!("edge {edge}"), agents, move || {
            flock(agents, &|settings| settings.edge = edge, |boid| boid)
        }));
    }
    for aspect in [10.0, 100.0, 1000.0, 10_000.0] {
        list.push(Workload::new(format!("corridor {aspect}:1"), agents, move || shape::<2>(agents, [aspect, 1.0])));
    }
    list.push(Workload::new("line along x", agents, move || line(agents, 0)));
    list.push(Workload::new("line along y", agents, move || line(agents, 1)));
    for aspect in [10.0, 100.0, 1000.0] {
        let name = format!("flat 3D {aspect}:1");
        list.push(Workload::new_3d(name, agents, move || shape::<3>(agents, [aspect, aspect, 1.0])));
    }
    for metres in [1.0, 3.0, 10.0] {
        let name = format!("fliers at {metres} m a tick");
        list.push(Workload::new(name.clone(), agents, move || fliers(agents, metres, 0)));
        let seers = move || fliers(agents, metres, 5);
        list.push(Workload::new(format!("{name}, 5 see 1 km"), agents, seers).to(To::Row(name)));
    }
    list.push(Workload::new("1 % see ten times as far", agents, move || far_sighted(agents)).to(To::PlainPair));
    for species in [2, 10, 50, 200] {
        let name = format!("{species} species that all see each other");
        list.push(Workload::new(name, agents, move || mixed(&vec![agents / species; species])));
    }
    let few = move || mixed(&[agents - 10, 10]);
    list.push(Workload::new("10 of a second species, all see", agents, few));
    for prey in [Prey::Even, Prey::Clumped, Prey::Outliers, Prey::OnePoint] {
        let (hunters, hunted) = (agents / 20, agents / 2);
        let hunt = move || pursuit(prey, hunters, hunted);
        list.push(
            Workload::new(format!("pursue the nearest, {prey:?}"), hunters + hunted, hunt).each("hunter", hunters),
        );
    }
    let half = agents / 2;
    for obstacles in [10, 100, 1000, 10_000] {
        let avoid = move || scenery(half, obstacles, |boid, _| boid.with(1.0, AvoidObstacles::default()));
        list.push(Workload::new(format!("avoid {obstacles} obstacles"), half, avoid));
    }
    let hide = move || {
        let from = Target::Nearest(Whom::named("hunter"));
        let mut run = scenery(half, 1000, |boid, _| boid.with(1.0, Hide { from: from.clone(), ..Hide::default() }))?;
        let hunter = run.world.add_species(Species::new("hunter"))?;
        run.world.spawn(hunter, [1.0, 1.0], Vector::ZERO)?;
        Ok(run)
    };
    list.push(Workload::new("hide behind one of 1000", half, hide));
    let stay = move || {
        scenery(half, 0, |boid, size| {
            let points = (0..1000).map(|number| anywhere(1, number, Vector::splat(size))).collect();
            boid.with(1.0, StayOnPath { points, ..StayOnPath::default() })
        })
    };
    list.push(Workload::new("stay on a path of 1000 points", half, stay));
    list.push(Workload::new("hunt.toml", agents, move || hunt(agents)));
    list.push(Workload::new("set_mark every tick", agents, move || {
        Ok(flock::<2>(agents, &|_| {}, |boid| boid)?
            .with_host(|world, tick| Ok(world.scenery_mut().set_mark("pointer", [1.0 + tick as f32, 1.0])?)))
    }));
    list.push(edit_and_ask(10 * agents));
    list.push(first_questions(agents));
    let aligned = move || {
        flock::<2>(agents, &|_| {}, |boid| Species { rules: boid.rules.into_iter().skip(1).take(1).collect(), ..boid })
    };
    list.push(Workload::new("alignment alone", agents, aligned));
    let by_hand = move || flock::<2>(agents, &|_| {}, |boid| Species { rules: Vec::new(), ..boid }.with(1.0, OneByOne));
    list.push(Workload::new("neighbours listed and summed", agents, by_hand).to(To::Row("alignment alone".to_owned())));
    list.push(Workload::new("500 neighbours", agents, move || dense::<2>(agents, 5.0)).to(To::PlainPair));
    let dense_3d = move || dense::<3>(agents, 10_f32.cbrt());
    list.push(Workload::new_3d("200 neighbours, 3D", agents, dense_3d).to(To::PlainPair));
    for few in [200, 1000] {
        let asleep = |threads: usize| {
            let mut row = Workload::new(format!("asleep, {few}, threads: {threads}"), few, move || {
                flock::<2>(few, &|_| {}, |boid| boid)
            });
            (row.threads, row.asleep) = (Some(threads), true);
            row
        };
        list.push(asleep(1));
        list.push(asleep(2).to(To::Row(format!("asleep, {few}, threads: 1"))));
    }
    list.push(Workload::new("everybody on one point", agents, move || one_point(agents)));
    for share in [0.01, 0.03, 0.1, 0.3] {
        let name = format!("{:.0} % of the radius a tick", 100.0 * share);
        list.push(Workload::new(name, agents, move || fliers(agents, share * RADIUS, 0)));
    }
    list
}

/// The plain flock.
pub(super) fn plain(dimensions: usize, agents: usize) -> Workload {
    let name = format!("plain {dimensions}D, {agents}");
    match dimensions {
        2 => Workload::new(name, agents, move || flock(agents, &|_| {}, |boid| boid)),
        _ => Workload::new_3d(name, agents, move || flock(agents, &|_| {}, |boid| boid)),
    }
}

/// What all these worlds have in common, and how those run that may look at any number of candidates.
fn settings<const D: usize>(size: Vector<D>) -> Settings<D> {
    Settings { size, tick_seconds: TICK_SECONDS, seed: 7, ..Settings::default() }
}

fn uncapped<const D: usize>(settings: &mut Settings<D>) {
    settings.candidate_cap = None;
}

/// A species of the plain flock that sees `whom` within `radius`.
fn boid<const D: usize>(name: impl Into<String>, radius: f32, whom: &Whom) -> Species<D> {
    let from = || whom.clone();
    let mut boid = Species::new(name)
        .with(1.0, Separation { radius: radius * SEPARATION_RADIUS / RADIUS, from: from(), ..Separation::default() })
        .with(1.0, Alignment { radius, from: from(), ..Alignment::default() })
        .with(1.0, Cohesion { radius, from: from(), ..Cohesion::default() });
    (boid.max_speed, boid.max_force, boid.response) = (MAX_SPEED.into(), MAX_FORCE.into(), RESPONSE);
    boid
}

/// A point of a world, drawn.
fn anywhere<const D: usize>(key: u64, number: u64, size: Vector<D>) -> Vector<D> {
    let mut noise = Noise::new(key, number, 0, Noise::USER);
    Vector::from_fn(|axis| noise.between(0.0, size[axis] * 0.9999))
}

fn direction<const D: usize>(number: u64) -> Vector<D> {
    Noise::new(8, number, 0, Noise::USER).direction()
}

/// A world of one species, which sees its own.
fn crowd<const D: usize>(
    settings: Settings<D>,
    species: Species<D>,
    sight: Sight,
    places: impl Iterator<Item = (Vector<D>, Vector<D>)>,
) -> Outcome<Run<D>> {
    let mut world = World::new(settings)?;
    let species = world.add_species(species)?;
    for (place, velocity) in places {
        world.spawn(species, place, velocity)?;
    }
    Ok(Run { world, host: Box::new(|_, _| Ok(())), sights: vec![(species, sight)] })
}

fn near() -> Sight {
    Sight::Within(RADIUS, Whom::Own)
}

/// The plain flock, with settings and a species that differ.
fn flock<const D: usize>(
    agents: usize,
    change: &dyn Fn(&mut Settings<D>),
    species: impl FnOnce(Species<D>) -> Species<D>,
) -> Outcome<Run<D>> {
    let flock = Flock::<D>::new(agents);
    let mut settings = settings(Vector::splat(flock.size));
    change(&mut settings);
    let species = species(boid("boid", RADIUS, &Whom::Own));
    crowd(settings, species, near(), flock.position.into_iter().zip(flock.velocity))
}

/// The ids of all agents.
fn ids<const D: usize>(world: &World<D>) -> Outcome<Vec<AgentId>> {
    let mut ids = Vec::new();
    for species in world.species_ids() {
        ids.extend_from_slice(world.agents(species)?.ids());
    }
    Ok(ids)
}

fn despawn(when: &str, agents: usize, ticks: std::ops::Range<u64>) -> Workload {
    let name = format!("1 % of {agents} despawned, {when}");
    let mut workload = Workload::new(name, agents, move || {
        Ok(flock::<2>(agents, &|_| {}, |boid| boid)?.with_host(|world, tick| {
            if tick == 0 {
                for id in ids(world)?.into_iter().step_by(100) {
                    world.despawn(id)?;
                }
            }
            Ok(())
        }))
    });
    workload.ticks = ticks;
    workload
}

/// So many are born and die in each tick, anywhere.
fn turnover(agents: usize, count: usize) -> Workload {
    Workload::new(format!("{count} spawned and despawned a tick"), agents, move || {
        Ok(flock::<2>(agents, &|_| {}, |boid| boid)?.with_host(move |world, tick| {
            let species = world.species_ids().next().ok_or("no species")?;
            let size = world.settings().size;
            for number in 0..count as u64 {
                let rows = world.agents(species)?.len();
                let number = tick * count as u64 + number;
                let row = Noise::new(3, number, 0, Noise::USER).between(0.0, rows as f32) as usize;
                let id = world.agents(species)?.ids()[row.min(rows - 1)];
                world.despawn(id)?;
                world.spawn(species, anywhere(2, number, size), direction::<2>(number) * MAX_SPEED)?;
            }
            Ok(())
        }))
    })
}

/// A world of these aspects with the place of the plain one.
fn shape<const D: usize>(agents: usize, aspects: [f32; D]) -> Outcome<Run<D>> {
    let product: f32 = aspects.iter().product();
    let unit = Flock::<D>::new(1).size * (agents as f32 / product).powf(1.0 / D as f32);
    let mut settings = settings(Vector(aspects) * unit);
    uncapped(&mut settings);
    let size = settings.size;
    let places = (0..agents as u64).map(|number| (anywhere(4, number, size), direction(number) * MAX_SPEED));
    crowd(settings, boid("boid", RADIUS, &Whom::Own), near(), places)
}

/// One agent per metre of an axis.
fn line(agents: usize, axis: usize) -> Outcome<Run<2>> {
    let mut settings = settings(Vector::splat(agents as f32));
    uncapped(&mut settings);
    settings.edge = Edge::Open;
    let places = (0..agents as u64).map(|number| {
        let mut place = anywhere::<2>(4, number, Vector::splat(agents as f32));
        place[1 - axis] = 50.0;
        (place, direction(number) * MAX_SPEED)
    });
    crowd(settings, boid("boid", RADIUS, &Whom::Own), near(), places)
}

/// A flock that goes so many metres a tick, and some of a species of their own that see them all within a kilometre.
fn fliers(agents: usize, metres: f32, seers: usize) -> Outcome<Run<2>> {
    let speed = metres / TICK_SECONDS;
    let mut run = flock::<2>(agents, &|_| {}, |mut boid| {
        boid.max_speed = speed.into();
        boid
    })?;
    for id in ids(&run.world)? {
        run.world.set_velocity(id, direction::<2>(id.to_bits()) * speed)?;
    }
    if seers > 0 {
        let sight = Whom::named("boid");
        let seer = run.world.add_species(boid("seer", 1000.0, &sight))?;
        for number in 0..seers as u64 {
            run.world.spawn(seer, anywhere(5, number, run.world.settings().size), Vector::ZERO)?;
        }
        run.sights.push((seer, Sight::Within(1000.0, sight)));
    }
    Ok(run)
}

/// Several species in the place of the plain flock that all see each other: how far, and how many agents each has.
fn species_mixed(radii: &[f32], counts: &[usize]) -> Outcome<Run<2>> {
    let flock = Flock::<2>::new(counts.iter().sum());
    let mut world = World::new(settings(Vector::splat(flock.size)))?;
    let mut agents = flock.position.into_iter().zip(flock.velocity);
    let mut sights = Vec::new();
    for (number, (&radius, &count)) in radii.iter().zip(counts).enumerate() {
        let species = world.add_species(boid(format!("species {number}"), radius, &Whom::All))?;
        for (place, velocity) in agents.by_ref().take(count) {
            world.spawn(species, place, velocity)?;
        }
        sights.push((species, Sight::Within(radius, Whom::All)));
    }
    Ok(Run { world, host: Box::new(|_, _| Ok(())), sights })
}

fn mixed(counts: &[usize]) -> Outcome<Run<2>> {
    species_mixed(&vec![RADIUS; counts.len()], counts)
}

fn far_sighted(agents: usize) -> Outcome<Run<2>> {
    let far = agents / 100;
    species_mixed(&[RADIUS, 10.0 * RADIUS], &[agents - far, far])
}

/// Where the prey is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Prey {
    Even,
    Clumped,
    Outliers,
    OnePoint,
}

fn pursuit(prey: Prey, hunters: usize, hunted: usize) -> Outcome<Run<2>> {
    let size = Flock::<2>::new(hunted).size;
    let mut settings = settings(Vector::splat(size));
    settings.edge = Edge::Open;
    let mut world = World::new(settings)?;
    let target = world.add_species(Species::new("prey"))?;
    for number in 0..hunted as u64 {
        let place = anywhere::<2>(6, number, Vector::splat(size));
        let place = match prey {
            Prey::Even => place,
            Prey::Clumped => place * 0.05 + Vector::splat(3.0 * size),
            Prey::Outliers if number < 10 => place + Vector::splat(1e5),
            Prey::Outliers => place,
            Prey::OnePoint => Vector::splat(0.5 * size),
        };
        world.spawn(target, place, Vector::ZERO)?;
    }
    let nearest = Whom::named("prey");
    let pursue = Pursue { target: Target::Nearest(nearest.clone()), ..Pursue::default() };
    let mut hunter = Species::new("hunter").with(1.0, pursue);
    hunter.max_speed = MAX_SPEED.into();
    let hunter = world.add_species(hunter)?;
    for number in 0..hunters as u64 {
        world.spawn(hunter, anywhere(9, number, Vector::splat(size)), Vector::ZERO)?;
    }
    Ok(Run { world, host: Box::new(|_, _| Ok(())), sights: vec![(hunter, Sight::Nearest(nearest))] })
}

/// A flock among so many discs.
fn scenery(agents: usize, obstacles: usize, rules: impl Fn(Species<2>, f32) -> Species<2>) -> Outcome<Run<2>> {
    let size = Flock::<2>::new(agents).size;
    let mut run = flock::<2>(agents, &|_| {}, |boid| rules(boid, size))?;
    for number in 0..obstacles as u64 {
        let centre = anywhere(10, number, Vector::splat(size));
        run.world.scenery_mut().add_obstacle(Obstacle { centre, radius: 2.0, velocity: Vector::ZERO })?;
    }
    Ok(run)
}

/// The scenario with so many agents at the same density.
fn hunt(agents: usize) -> Outcome<Run<2>> {
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
    let sight =
        |name: &str, whom: &str, radius| Some((world.species_named(name)?, Sight::Within(radius, Whom::named(whom))));
    let sights = [sight("prey", "hunter", 24.0), sight("prey", "prey", 2.0), sight("hunter", "hunter", 6.0)];
    let sights: Vec<(SpeciesId, Sight)> = sights.into_iter().flatten().collect();
    Ok(Run { world, host: Box::new(|_, _| Ok(())), sights })
}

/// One agent is put a little aside, and it is asked who is near.
fn edit_and_ask(agents: usize) -> Workload {
    let mut workload = Workload::new("an edit and a question", agents, move || {
        let mut found = Vec::new();
        Ok(flock::<2>(agents, &|_| {}, |boid| boid)?.with_host(move |world, tick| {
            let species = world.species_ids().next().ok_or("no species")?;
            let row = (tick as usize * 7919) % agents;
            let (id, place) = (world.agents(species)?.ids()[row], world.agents(species)?.position(row));
            world.set_position(id, place * 0.9999)?;
            Ok(world.within(place, RADIUS, &mut found)?)
        }))
    });
    (workload.timed, workload.each) = (Timed::Host, Some(("pair", 1)));
    workload
}

/// Questions to a world that has made no tick.
fn first_questions(agents: usize) -> Workload {
    const QUESTIONS: usize = 100;
    let mut workload = Workload::new("questions before the first step", agents, move || {
        let mut found = Vec::new();
        Ok(flock::<2>(agents, &|_| {}, |boid| boid)?.with_host(move |world, _| {
            for number in 0..QUESTIONS as u64 {
                world.within(anywhere::<2>(11, number, world.settings().size), RADIUS, &mut found)?;
            }
            Ok(())
        }))
    });
    (workload.warm, workload.ticks) = (0, 0..1);
    (workload.timed, workload.each) = (Timed::Host, Some(("question", QUESTIONS)));
    workload
}

/// Alignment as one's own rule, which adds up its neighbours.
#[derive(Debug)]
struct OneByOne;

impl<const D: usize> Behaviour<D> for OneByOne {
    fn reads(&self) -> Reads<'_> {
        Reads::Neighbours(Perception { radius: RADIUS, field_of_view: 360.0, whom: &Whom::Own })
    }

    fn steer(&self, me: &Me<'_, D>) -> Vector<D> {
        let sum = me.neighbours().iter().fold(Vector::ZERO, |sum, neighbour| sum + neighbour.velocity);
        me.towards(sum.direction() * me.max_speed())
    }
}

/// The plain flock, which sees so many times as far.
fn dense<const D: usize>(agents: usize, times: f32) -> Outcome<Run<D>> {
    let radius = RADIUS * times;
    let mut run = flock::<D>(agents, &|_| {}, |_| boid("boid", radius, &Whom::Own))?;
    run.sights[0].1 = Sight::Within(radius, Whom::Own);
    Ok(run)
}

fn one_point(agents: usize) -> Outcome<Run<2>> {
    let size = Flock::<2>::new(agents).size;
    let places = (0..agents as u64).map(|number| (Vector::splat(0.5 * size), direction(number) * MAX_SPEED));
    crowd(settings(Vector::splat(size)), boid("boid", RADIUS, &Whom::Own), near(), places)
}

impl<const D: usize> Run<D> {
    fn with_host(self, host: impl FnMut(&mut World<D>, u64) -> Outcome<()> + 'static) -> Self {
        Self { host: Box::new(host), ..self }
    }
}

impl Workload {
    fn new(name: impl Into<String>, agents: usize, make: impl Fn() -> Outcome<Run<2>> + 'static) -> Self {
        Self::made(name.into(), agents, Make::Two(Box::new(make)))
    }

    fn new_3d(name: impl Into<String>, agents: usize, make: impl Fn() -> Outcome<Run<3>> + 'static) -> Self {
        Self::made(name.into(), agents, Make::Three(Box::new(make)))
    }

    fn made(name: String, agents: usize, make: Make) -> Self {
        let (timed, ticks) = (Timed::Steps, 0..ROUND);
        Self { name, agents, make, to: To::Plain, warm: WARM, ticks, timed, each: None, threads: None, asleep: false }
    }

    fn to(self, to: To) -> Self {
        Self { to, ..self }
    }

    fn each(self, what: &'static str, count: usize) -> Self {
        Self { each: Some((what, count)), ..self }
    }
}
