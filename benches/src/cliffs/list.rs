//! The list of workloads.

use throng::behaviours::{AvoidObstacles, Hide, StayOnPath};
use throng::maths::sin_cos;
use throng::{Edge, Mark, Noise, Settings, Species, SpeciesFilter, Target, Vector, World};

use super::people::{costly, doors, waiting};
use super::worlds::{
    OneByOne, Prey, anywhere, apart, chase, dense, direction, environment, far_sighted, fliers, flock, halved, hunt,
    ids, line, mixed, of_all_speeds, one_point, pursuit, shape,
};
use super::{Baseline, Outcome, Setup, TimedPart, Workload, WorldBuilder};
use crate::flock::{MAX_SPEED, RADIUS};

/// Ticks before the clock starts and on it, as in the other measurements.
const WARM: u64 = crate::design::WARM;
const ROUND: u64 = crate::design::ROUND;

/// Returns all workloads; most have `agents` agents.
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
            flock(agents, &|settings| settings.edge = [edge; _], |boid| boid)
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
        list.push(Workload::new(format!("{name}, 5 see 1 km"), agents, seers).against(Baseline::Row(name)));
    }
    list.push(
        Workload::new("1 % see ten times as far", agents, move || far_sighted(agents)).against(Baseline::PlainPair),
    );
    for species in [2, 10, 50, 200] {
        let name = format!("{species} species that all see each other");
        list.push(Workload::new(name, agents, move || mixed(&vec![agents / species; species])));
        let name = format!("{species} species that keep from all, flock with their own");
        list.push(Workload::new(name, agents, move || apart(&vec![agents / species; species])));
    }
    let speeds = move || of_all_speeds(&[agents / 20; 20]);
    list.push(Workload::new("20 species of three speeds that all see each other", agents, speeds));
    let halves = move || mixed(&halved(agents, 10));
    list.push(Workload::new("10 species, each half as many, that all see each other", agents, halves));
    let few = move || mixed(&[agents - 10, 10]);
    list.push(Workload::new("10 of a second species, all see", agents, few));
    for prey in [Prey::Even, Prey::Clumped, Prey::Outliers, Prey::OnePoint, Prey::TenSpecies] {
        let (hunters, hunted) = (agents / 20, agents / 2);
        let hunt = move || pursuit(prey, hunters, hunted);
        list.push(
            Workload::new(format!("pursue the nearest, {prey:?}"), hunters + hunted, hunt).each("hunter", hunters),
        );
    }
    let half = agents / 2;
    list.push(Workload::new("pursue the nearest while flying apart", half, move || chase(half)).each("hunter", half));
    for obstacles in [10, 100, 1000, 10_000] {
        let avoid = move || environment(half, obstacles, |boid, _| boid.with(1.0, AvoidObstacles::default()));
        list.push(Workload::new(format!("avoid {obstacles} obstacles"), half, avoid));
    }
    let hide = move || {
        let from = Target::Nearest(SpeciesFilter::named("hunter"));
        let mut run =
            environment(half, 1000, |boid, _| boid.with(1.0, Hide { from: from.clone(), ..Hide::default() }))?;
        let hunter = run.world.add_species(Species::new("hunter"))?;
        run.world.spawn(hunter, [1.0, 1.0], Vector::ZERO)?;
        Ok(run)
    };
    list.push(Workload::new("hide behind one of 1000", half, hide));
    for (paths, points) in [(1, 10), (1, 1000), (5, 1000)] {
        let stay = move || {
            environment(half, 0, |boid, size| {
                (0..paths).fold(boid, |boid, path| {
                    let points = (0..points).map(|number| anywhere(1 + 20 * path, number, Vector::splat(size)));
                    boid.with(1.0, StayOnPath { points: points.collect(), ..StayOnPath::default() })
                })
            })
        };
        let paths = if paths == 1 { "a path".to_owned() } else { format!("{paths} paths") };
        list.push(Workload::new(format!("stay on {paths} of {points} points"), half, stay));
    }
    for (place, far) in [("around", 0.5), ("far from", 20.0)] {
        let ring = move || {
            environment(half, 0, |boid, size| {
                let middle = Vector::splat(far * size);
                let points = (0..1000).map(|number| {
                    let (sine, cosine) = sin_cos(number as f32 * std::f32::consts::TAU / 1000.0);
                    middle + Vector([cosine, sine]) * (0.3 * size)
                });
                let stay = StayOnPath { points: points.collect(), closed: true, ..StayOnPath::default() };
                boid.with(1.0, stay)
            })
            .map(|mut run| {
                let settings = Settings { edge: [Edge::Open; _], ..run.world.settings().clone() };
                run.world.set_settings(settings)?;
                Ok(run)
            })?
        };
        list.push(Workload::new(format!("stay on a ring {place} them"), half, ring));
    }
    for count in [10_000, 20_000, 40_000] {
        let area = move || waiting(count, false);
        list.push(Workload::new(format!("{count} people and {count} places of an area"), count, area));
        let queue = move || waiting(count, true);
        list.push(Workload::new(format!("{count} people and {count} places of a queue"), count, queue));
    }
    for count in [100, 1000] {
        list.push(Workload::new(format!("{count} doors"), half, move || doors(half, count)));
    }
    let alone = "1000 agents with a costly rule, one thread".to_owned();
    let mut row = Workload::new(alone.clone(), 1000, || costly(1000));
    row.threads = Some(1);
    list.push(row);
    let few = Workload::new("1000 agents with a costly rule", 1000, || costly(1000));
    list.push(few.against(Baseline::Row(alone)));
    list.push(Workload::new("hunt.toml", agents, move || hunt(agents)));
    list.push(Workload::new("set_mark every tick", agents, move || {
        Ok(flock::<2>(agents, &|_| {}, |boid| boid)?.with_host(|world, tick| {
            world.environment_mut().marks.put(Mark::new("pointer", [1.0 + tick as f32, 1.0]))?;
            Ok(())
        }))
    }));
    list.push(edit_and_ask(10 * agents));
    list.push(first_questions(agents));
    let aligned = move || {
        flock::<2>(agents, &|_| {}, |boid| Species { rules: boid.rules.into_iter().skip(1).take(1).collect(), ..boid })
    };
    list.push(Workload::new("alignment alone", agents, aligned));
    let by_hand = move || flock::<2>(agents, &|_| {}, |boid| Species { rules: Vec::new(), ..boid }.with(1.0, OneByOne));
    list.push(
        Workload::new("neighbours listed and summed", agents, by_hand)
            .against(Baseline::Row("alignment alone".to_owned())),
    );
    list.push(Workload::new("500 neighbours", agents, move || dense::<2>(agents, 5.0)).against(Baseline::PlainPair));
    let dense_3d = move || dense::<3>(agents, 10_f64.cbrt() as f32);
    list.push(Workload::new_3d("200 neighbours, 3D", agents, dense_3d).against(Baseline::PlainPair));
    for few in [200, 1000, 2000, 5000, 10_000] {
        let asleep = |name: String, threads: Option<usize>| {
            let mut row = Workload::new(name, few, move || flock::<2>(few, &|_| {}, |boid| boid));
            (row.threads, row.asleep) = (threads, true);
            row
        };
        let alone = format!("asleep, {few}, one thread");
        list.push(asleep(alone.clone(), Some(1)));
        list.push(asleep(format!("asleep, {few}"), None).against(Baseline::Row(alone)));
    }
    list.push(Workload::new("everybody on one point", agents, move || one_point(agents)));
    for share in [0.01, 0.03, 0.1, 0.3, 1.0] {
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

/// Spawns and despawns `count` agents per tick, at random places.
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

/// Moves one agent a little and asks for the agents near it, many times between two ticks.
fn edit_and_ask(agents: usize) -> Workload {
    const PAIRS: usize = 100;
    let mut workload = Workload::new(format!("{PAIRS} edits and questions between ticks"), agents, move || {
        let mut found = Vec::new();
        Ok(flock::<2>(agents, &|_| {}, |boid| boid)?.with_host(move |world, tick| {
            let species = world.species_ids().next().ok_or("no species")?;
            for pair in 0..PAIRS {
                let row = ((tick as usize * PAIRS + pair) * 7919) % agents;
                let id = world.agents(species)?.ids()[row];
                let place = world.position(id)?;
                world.set_position(id, place * 0.9999)?;
                world.query().within(place, RADIUS, &mut found)?;
            }
            Ok(())
        }))
    });
    (workload.timed, workload.each) = (TimedPart::Host, Some(("pair", PAIRS)));
    workload
}

/// Asks a world that has not been stepped.
fn first_questions(agents: usize) -> Workload {
    const QUESTIONS: usize = 10_000;
    let mut workload = Workload::new(format!("{QUESTIONS} questions before the first step"), agents, move || {
        let mut found = Vec::new();
        Ok(flock::<2>(agents, &|_| {}, |boid| boid)?.with_host(move |world, _| {
            for number in 0..QUESTIONS as u64 {
                world.query().within(anywhere::<2>(11, number, world.settings().size), RADIUS, &mut found)?;
            }
            Ok(())
        }))
    });
    (workload.warm, workload.ticks) = (0, 0..1);
    (workload.timed, workload.each) = (TimedPart::Host, Some(("question", QUESTIONS)));
    workload
}

impl<const D: usize> Setup<D> {
    fn with_host(self, host: impl FnMut(&mut World<D>, u64) -> Outcome<()> + 'static) -> Self {
        Self { host: Box::new(host), ..self }
    }
}

impl Workload {
    fn new(name: impl Into<String>, agents: usize, build: impl Fn() -> Outcome<Setup<2>> + Sync + 'static) -> Self {
        Self::with_builder(name.into(), agents, WorldBuilder::Two(Box::new(build)))
    }

    fn new_3d(name: impl Into<String>, agents: usize, build: impl Fn() -> Outcome<Setup<3>> + Sync + 'static) -> Self {
        Self::with_builder(name.into(), agents, WorldBuilder::Three(Box::new(build)))
    }

    fn with_builder(name: String, agents: usize, build: WorldBuilder) -> Self {
        let (timed, ticks) = (TimedPart::Steps, 0..ROUND);
        Self {
            name,
            agents,
            build,
            baseline: Baseline::Plain,
            warm: WARM,
            ticks,
            timed,
            each: None,
            threads: None,
            asleep: false,
        }
    }

    fn against(self, baseline: Baseline) -> Self {
        Self { baseline, ..self }
    }

    fn each(self, what: &'static str, count: usize) -> Self {
        Self { each: Some((what, count)), ..self }
    }
}
