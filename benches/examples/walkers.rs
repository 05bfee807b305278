//! Prints how pedestrians walk with each model: a corridor with two flows, two groups that swap sides, and RVO2's circle
//! of agents that change places. Takes some minutes.
//!
//! ```text
//! cargo run --release -p throng-bench --example walkers [corridor|swap|circle|speed]
//! ```

use throng::behaviours::{AvoidNeighbours, AvoidWalls, Separation};
use throng::motions::{CollisionFreeSpeed, Orca, SocialForce};
use throng::{
    AgentId, AgentRef, Behaviour, Edge, Error, Motion, Noise, Settings, Species, SpeciesFilter, SpeciesId, Vector,
    Wall, WallShape, World,
};

/// Requests a constant velocity.
#[derive(Debug)]
struct Walk(Vector<2>);

impl Behaviour<2> for Walk {
    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        me.towards(self.0)
    }
}

/// Requests a speed towards the goal.
#[derive(Debug)]
struct WalkToGoal(f32);

impl Behaviour<2> for WalkToGoal {
    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        let Some(goal) = me.goal() else { return me.towards(Vector::ZERO) };
        me.towards(me.offset_to(goal).truncate(self.0))
    }
}

#[derive(Clone, Copy, Debug)]
enum Model {
    /// Reynolds' vehicle with rules that avoid, and no motion of the literature.
    Rules,
    Orca,
    SocialForce,
    CollisionFreeSpeed,
}

impl Model {
    const ALL: [Self; 4] = [Self::Rules, Self::Orca, Self::SocialForce, Self::CollisionFreeSpeed];

    fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Orca => "orca",
            Self::SocialForce => "social_force",
            Self::CollisionFreeSpeed => "collision_free_speed",
        }
    }

    fn on(self, species: Species<2>) -> Species<2> {
        match self {
            Self::Rules => {
                let avoid = AvoidNeighbours {
                    radius: 6.0,
                    horizon: 3.0,
                    avoid_buffer: 0.1,
                    from: SpeciesFilter::All,
                    nearest: 0,
                    fov: 360.0,
                };
                let separation = Separation { radius: 0.6, from: SpeciesFilter::All, ..Default::default() };
                let species = species.with(2.0, avoid).with(1.0, separation).with(1.0, AvoidWalls::default());
                species.with_mass(1.0).with_max_force(8.0)
            }
            Self::Orca => species.with_motion(Orca::default()),
            Self::SocialForce => species.with_motion(SocialForce::default()),
            Self::CollisionFreeSpeed => species.with_motion(CollisionFreeSpeed::default()),
        }
    }
}

const RADIUS: f32 = 0.25;
const SPEED: f32 = 1.35;
const DT: f32 = 0.05;

fn walker(name: &str, velocity: [f32; 2], model: Model) -> Species<2> {
    let species = Species::new(name).with_radius(RADIUS).with_mass(80.0).with_max_speed(1.3 * SPEED).with_response(0.5);
    model.on(species.with(1.0, Walk(Vector(velocity))))
}

/// Positions without overlaps, drawn one after the other.
fn places(count: usize, low: [f32; 2], high: [f32; 2], apart: f32, noise: &mut Noise) -> Vec<Vector<2>> {
    let mut places: Vec<Vector<2>> = Vec::new();
    let mut least = apart;
    while places.len() < count {
        let mut tries = 0;
        loop {
            let place = Vector([noise.between(low[0], high[0]), noise.between(low[1], high[1])]);
            if places.iter().all(|other| other.distance(place) > least) {
                places.push(place);
                break;
            }
            tries += 1;
            if tries > 10_000 {
                least *= 0.95;
                tries = 0;
            }
        }
    }
    places
}

#[derive(Debug, Default)]
struct Seen {
    ticks: u64,
    overlaps: f64,
    least: f32,
}

impl Seen {
    /// Counts the pairs of overlapping bodies.
    fn look(&mut self, world: &World<2>, radius: f32) {
        self.ticks += 1;
        self.least = if self.ticks == 1 { f32::INFINITY } else { self.least };
        let ids: Vec<AgentId> = world.all().flat_map(|agents| agents.ids().to_vec()).collect();
        let mut near = Vec::new();
        for id in ids {
            world.neighbours_into(id, 2.0 * radius, &mut near).unwrap();
            for neighbour in &near {
                let distance = neighbour.offset.length();
                self.least = if distance < self.least { distance } else { self.least };
                self.overlaps += if distance < 2.0 * radius * 0.9999 { 0.5 } else { 0.0 };
            }
        }
    }
}

/// A world with walls at 2 and 10 metres.
fn between_walls(settings: Settings<2>) -> Result<World<2>, Error> {
    let mut world = World::new(settings)?;
    for y in [2.0, 10.0] {
        let shape = WallShape::Plane { point: Vector([0.0, y]), normal: Vector([0.0, 1.0]) };
        world.environment_mut().add_wall(Wall::new(shape))?;
    }
    Ok(world)
}

fn corridor(model: Model, agents: usize) -> Result<(), Error> {
    let settings = Settings {
        size: Vector([40.0, 12.0]),
        edge: [Edge::Wrap, Edge::Bounce],
        tick_seconds: DT,
        ..Settings::default()
    };
    let mut world = between_walls(settings)?;
    let flows = [("east", [SPEED, 0.0]), ("west", [-SPEED, 0.0])];
    let mut species: Vec<SpeciesId> = Vec::new();
    for (name, velocity) in flows {
        species.push(world.add_species(walker(name, velocity, model))?);
    }
    let (mut noise, mut ids) = (Noise::new(5, 0, 0, 0), Vec::new());
    for (number, place) in places(agents, [0.0, 2.3], [40.0, 9.7], 0.55, &mut noise).into_iter().enumerate() {
        ids.push(world.spawn(species[number % 2], place, Vector::ZERO)?);
    }
    let mut seen = Seen::default();
    let mut along = vec![0.0f64; agents];
    let ticks = (120.0 / DT) as usize;
    for tick in 0..ticks {
        world.step();
        if tick * 4 < ticks {
            continue;
        }
        seen.look(&world, RADIUS);
        for (number, id) in ids.iter().enumerate() {
            let sign = if number % 2 == 0 { 1.0 } else { -1.0 };
            along[number] += f64::from(sign * world.velocity(*id)?[0]);
        }
    }
    let each = seen.ticks as f64;
    let stuck = along.iter().filter(|along| **along / each < 0.2).count();
    println!(
        "| corridor, {agents} | {} | {:.4} | {:.3} | {:.2} | {stuck} |",
        model.name(),
        seen.overlaps / each / agents as f64,
        seen.least,
        along.iter().sum::<f64>() / each / agents as f64
    );
    Ok(())
}

fn swap(model: Model, agents: usize) -> Result<(), Error> {
    let settings = Settings {
        size: Vector([240.0, 12.0]),
        edge: [Edge::Wrap, Edge::Bounce],
        tick_seconds: DT,
        ..Settings::default()
    };
    let mut world = between_walls(settings)?;
    let mut species: Vec<SpeciesId> = Vec::new();
    let mut noise = Noise::new(6, 0, 0, 0);
    for (name, velocity, from) in [("east", [SPEED, 0.0], 100.0), ("west", [-SPEED, 0.0], 120.0)] {
        let group = world.add_species(walker(name, velocity, model))?;
        species.push(group);
        for place in places(agents / 2, [from, 2.3], [from + 20.0, 9.7], 0.55, &mut noise) {
            world.spawn(group, place, Vector::ZERO)?;
        }
    }
    let mut seen = Seen::default();
    let mut early = 0.0f64;
    for tick in 0..(60.0 / DT) as usize {
        world.step();
        seen.look(&world, RADIUS);
        if tick < (20.0 / DT) as usize {
            for (number, sign) in [(0, 1.0), (1, -1.0)] {
                early +=
                    world.agents(species[number])?.velocities()[0].iter().map(|v| f64::from(sign * v)).sum::<f64>();
            }
        }
    }
    let mut passed = 0;
    for (number, line, sign) in [(0, 140.0, 1.0), (1, 100.0, -1.0)] {
        let group = world.agents(species[number])?;
        passed += group.positions()[0].iter().filter(|x| (**x - line) * sign > 0.0).count();
    }
    println!(
        "| swap, {agents} | {} | {:.4} | {:.3} | {:.2} | {:.3} |",
        model.name(),
        seen.overlaps / seen.ticks as f64 / agents as f64,
        seen.least,
        early / (20.0 / f64::from(DT)) / agents as f64,
        passed as f64 / agents as f64
    );
    Ok(())
}

/// RVO2's example Circle.
fn circle(name: &str, motion: impl Motion<2>, agents: usize, circle_radius: f32) -> Result<(), Error> {
    let middle = Vector::splat(2.0 * circle_radius);
    let settings = Settings { size: middle * 2.0, edge: [Edge::Open; 2], tick_seconds: 0.25, ..Settings::default() };
    let mut world = World::<2>::new(settings)?;
    let species = Species::new("agent").with_radius(1.5).with_max_speed(2.0).with_response(1.0).with_mass(80.0);
    let mut goals = Vec::new();
    let group = world.add_species(species.with(1.0, WalkToGoal(1.0)).with_motion(motion))?;
    for number in 0..agents {
        let angle = number as f64 * std::f64::consts::TAU / agents as f64;
        let at = Vector([angle.cos() as f32, angle.sin() as f32]) * circle_radius; // bits: an example
        let id = world.spawn(group, middle + at, Vector::ZERO)?;
        world.set_goal(id, Some(middle - at))?;
        goals.push((id, middle - at));
    }
    let mut seen = Seen::default();
    let mut left = agents;
    while left > 0 && (world.tick() as f32) * 0.25 < 20.0 * circle_radius {
        world.step();
        seen.look(&world, 1.5);
        let far = |(id, goal): &&(AgentId, Vector<2>)| world.position(*id).unwrap().distance(*goal) > 1.5;
        left = goals.iter().filter(far).count();
    }
    println!(
        "| circle, {agents} | {name} | {:.4} | {:.3} | {:.2} s | {left} left |",
        seen.overlaps * 1.0 / seen.ticks as f64 / agents as f64,
        seen.least,
        world.tick() as f64 * 0.25
    );
    Ok(())
}

/// Milliseconds per tick of agents that walk to random goals, the fastest of some rounds.
fn speed(
    name: &str,
    motion: impl Motion<2>,
    agents: usize,
    [side, radius, top, dt]: [f32; 4],
    threads: usize,
) -> Result<(), Error> {
    let settings =
        Settings { size: Vector::splat(side), edge: [Edge::Bounce; 2], tick_seconds: dt, ..Settings::default() };
    let mut world = World::<2>::new(settings)?;
    let species = Species::new("agent").with_radius(radius).with_max_speed(top).with_response(0.5).with_mass(80.0);
    let group = world.add_species(species.with(1.0, WalkToGoal(0.7 * top)).with_motion(motion))?;
    let mut noise = Noise::new(8, 0, 0, 0);
    let cells = (agents as f32).sqrt().ceil();
    for number in 0..agents {
        let cell = [number as f32 % cells, (number as f32 / cells).floor()];
        let at = Vector(cell.map(|cell| (cell + noise.between(0.25, 0.75)) * side / cells));
        let id = world.spawn(group, at, Vector::ZERO)?;
        world.set_goal(id, Some(Vector([noise.between(0.0, side), noise.between(0.0, side)])))?;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
    let mut times = Vec::new();
    pool.install(|| {
        for _ in 0..16 {
            world.step();
        }
        for _ in 0..8 {
            let start = std::time::Instant::now();
            for _ in 0..8 {
                world.step();
            }
            times.push(start.elapsed().as_secs_f64() * 1e3 / 8.0);
        }
    });
    times.sort_by(f64::total_cmp);
    let neighbours = world.profile().neighbours as f64 / agents as f64;
    println!("| {name} | {agents} | {threads} | {:.1} / {:.1} ms | {neighbours:.1} |", times[0], times[4]);
    Ok(())
}

fn speeds() -> Result<(), Error> {
    for threads in [1, 2] {
        let many = 100_000;
        let side = (many as f32 * std::f32::consts::PI * 100.0 / 20.0).sqrt();
        let orca = Orca { neighbour_dist: 10.0, max_neighbours: 20, time_horizon: 5.0, ..Orca::default() };
        speed("orca", orca, many, [side, 0.75, 2.0, 0.25], threads)?;
        speed("social_force", SocialForce::default(), many, [(many as f32).sqrt(), RADIUS, 1.75, 0.02], threads)?;
        let fewer = 50_000;
        let side = (fewer as f32).sqrt();
        speed("collision_free_speed", CollisionFreeSpeed::default(), fewer, [side, RADIUS, 1.75, 0.02], threads)?;
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let only = std::env::args().nth(1);
    let runs = |name: &str| only.as_deref().is_none_or(|only| only == name);
    for model in Model::ALL {
        for agents in [100, 400] {
            if runs("corridor") {
                corridor(model, agents)?;
            }
            if runs("swap") {
                swap(model, agents)?;
            }
        }
    }
    if runs("speed") {
        speeds()?;
    }
    if runs("circle") {
        let rvo2 = Orca { neighbour_dist: 15.0, max_neighbours: 10, time_horizon: 10.0, ..Orca::default() };
        for (agents, radius) in [(250, 200.0), (1000, 400.0), (10_000, 1265.0)] {
            circle("orca", rvo2.clone(), agents, radius)?;
        }
    }
    Ok(())
}
