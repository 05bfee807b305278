//! Prints how pedestrians walk with each model: a corridor with two flows, two groups that swap sides, and RVO2's
//! circle of agents that change places. Takes some minutes.
//!
//! ```text
//! cargo run --release -p throng-bench --example walkers [corridor|swap|circle [AGENTS RADIUS]|speed [MODEL]|price [MODEL]]
//! ```

mod price;

use throng::behaviours::{AvoidNeighbours, AvoidWalls, Separation};
use throng::motions::{CollisionFreeSpeed, Orca, Pedvo, SocialForce};
use throng::{
    AgentId, AgentRef, Behaviour, Edge, Error, Motion, Noise, Settings, Species, SpeciesFilter, SpeciesId, Vector,
    Wall, WallShape, World,
};
use throng_bench::{Walk, processor_seconds};

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
    Pedvo,
    SocialForce,
    CollisionFreeSpeed,
}

impl Model {
    const ALL: [Self; 5] = [Self::Rules, Self::Orca, Self::Pedvo, Self::SocialForce, Self::CollisionFreeSpeed];

    fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Orca => "orca",
            Self::Pedvo => "pedvo",
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
                    ..AvoidNeighbours::default()
                };
                let separation = Separation { radius: 0.6, from: SpeciesFilter::All, ..Default::default() };
                let species = species.with(2.0, avoid).with(1.0, separation).with(1.0, AvoidWalls::default());
                species.with_mass(1.0).with_max_force(8.0)
            }
            Self::Orca => species.with_motion(Orca::default()),
            Self::Pedvo => species.with_motion(Pedvo::default()),
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
        let ids: Vec<AgentId> = world.all_agents().iter().flat_map(|agents| agents.ids().to_vec()).collect();
        let mut near = Vec::new();
        for id in ids {
            world.query().around(id, 2.0 * radius, &mut near).unwrap();
            for neighbour in &near {
                let distance = neighbour.distance();
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
        world.environment_mut().walls.add(Wall::new(shape))?;
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
    let (mut across, mut arrived) = (None, None);
    // Goals that are nearer to each other than bodies are wide cannot all be taken.
    let room = std::f32::consts::TAU * circle_radius > 3.0 * agents as f32;
    while (across.is_none() || (room && arrived.is_none())) && (world.tick() as f32) * 0.25 < 20.0 * circle_radius {
        world.step();
        seen.look(&world, 1.5);
        let places = || goals.iter().map(|(id, goal)| (world.position(*id).expect("no agent leaves"), *goal));
        let seconds = || Some(world.tick() as f64 * 0.25);
        if across.is_none() && places().all(|(at, goal)| is_across(at - middle, goal - middle)) {
            across = seconds();
        }
        if places().all(|(at, goal)| at.distance(goal) <= 1.5) {
            arrived = seconds();
        }
        if world.tick() % 1000 == 0 {
            let across = places().filter(|(at, goal)| is_across(*at - middle, *goal - middle)).count();
            eprintln!("tick {}: {across} of {agents} across", world.tick());
        }
    }
    let shown = |time: Option<f64>| time.map_or("never".to_owned(), |time| format!("{time:.0} s"));
    let left =
        goals.iter().filter(|(id, goal)| !is_across(world.position(*id).unwrap() - middle, *goal - middle)).count();
    println!(
        "| circle, {agents} | {name} | {:.4} | {:.3} | across {}, {left} not | at the goals {} |",
        seen.overlaps / seen.ticks as f64 / agents as f64,
        seen.least,
        shown(across),
        shown(arrived)
    );
    Ok(())
}

/// Whether an agent has come nine tenths of its way from the middle of a circle to its goal.
fn is_across(at: Vector<2>, goal: Vector<2>) -> bool {
    at.dot(goal) >= 0.9 * goal.length_squared()
}

/// A workload: agents that walk to random goals in a square.
struct Workload<M> {
    name: &'static str,
    motion: M,
    agents: usize,
    /// The side of the square, in metres.
    side: f32,
    radius: f32,
    max_speed: f32,
    tick: f32,
    /// Whether there are walls of 10 x 0.2 m, one in each square of 20 m.
    walls: bool,
}

impl<M: Motion<2>> Workload<M> {
    /// Prints milliseconds per tick, best and median of eight rounds: of the clock, and of the processor.
    fn measure(self, threads: usize) -> Result<(), Error> {
        let Self { side, agents, .. } = self;
        let settings = Settings {
            size: Vector::splat(side),
            edge: [Edge::Bounce; 2],
            tick_seconds: self.tick,
            ..Settings::default()
        };
        let mut world = World::<2>::new(settings)?;
        let species = Species::new("agent").with_radius(self.radius).with_max_speed(self.max_speed);
        let walk = WalkToGoal(0.7 * self.max_speed);
        let group =
            world.add_species(species.with_response(0.5).with_mass(80.0).with(1.0, walk).with_motion(self.motion))?;
        if self.walls {
            for place in 0..(side / 20.0) as usize * (side / 20.0) as usize {
                let [x, y] = [place % (side / 20.0) as usize, place / (side / 20.0) as usize];
                let centre = Vector([x as f32 * 20.0 + 15.0, y as f32 * 20.0 + 10.0]);
                let corners = [[-5.0, -0.1], [5.0, -0.1], [5.0, 0.1], [-5.0, 0.1]];
                let points = corners.map(|corner| centre + Vector(corner)).to_vec();
                world.environment_mut().walls.add(Wall::new(WallShape::Path { points, closed: true }))?;
            }
        }
        let mut noise = Noise::new(8, 0, 0, 0);
        let cells = (agents as f32).sqrt().ceil();
        for number in 0..agents {
            let cell = [number as f32 % cells, (number as f32 / cells).floor()];
            let at = Vector(cell.map(|cell| (cell + noise.between(0.4, 0.6)) * side / cells));
            let id = world.spawn(group, at, Vector::ZERO)?;
            let goal = [0; 2].map(|_| (noise.between(0.0, cells).floor() + 0.5) * side / cells);
            world.set_goal(id, Some(Vector(goal)))?;
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
        let (mut times, mut processor) = (Vec::new(), Vec::new());
        pool.install(|| {
            for _ in 0..16 {
                world.step();
            }
            for _ in 0..8 {
                let (start, used) = (std::time::Instant::now(), processor_seconds());
                for _ in 0..8 {
                    world.step();
                }
                times.push(start.elapsed().as_secs_f64() * 1e3 / 8.0);
                processor.push((processor_seconds() - used) * 1e3 / 8.0);
            }
        });
        times.sort_by(f64::total_cmp);
        processor.sort_by(f64::total_cmp);
        let neighbours = world.profile().neighbours as f64 / agents as f64;
        println!(
            "| {} | {agents} | {threads} | {:.1} / {:.1} ms | {:.1} / {:.1} ms | {neighbours:.1} |",
            self.name, times[0], times[4], processor[0], processor[4]
        );
        Ok(())
    }
}

fn speeds(only: Option<&str>) -> Result<(), Error> {
    let runs = |name: &str| only.is_none_or(|only| only == name);
    for threads in [1, 2] {
        let (agents, tick) = (100_000, 0.02);
        if runs("orca") {
            let side = (agents as f32 * std::f32::consts::PI * 100.0 / 20.0).sqrt();
            let motion = Orca { neighbour_dist: 10.0, max_neighbours: 20, time_horizon: 5.0, ..Orca::default() };
            let (radius, max_speed) = (0.75, 2.0);
            Workload { name: "orca", motion, agents, side, radius, max_speed, tick: 0.25, walls: false }
                .measure(threads)?;
        }
        let (radius, max_speed) = (RADIUS, 1.75);
        if runs("people") {
            // Few people, and a jam: 4 m² and 0.3 m² for each.
            for ([orca, pedvo], room) in [(["orca, few", "pedvo, few"], 4.0), (["orca, jam", "pedvo, jam"], 0.3)] {
                let (agents, radius, max_speed) = (20_000, 0.2, 1.75);
                let side = (agents as f32 * room).sqrt().ceil();
                let motion = Orca::default();
                Workload { name: orca, motion, agents, side, radius, max_speed, tick: DT, walls: false }
                    .measure(threads)?;
                let motion = Pedvo::default();
                Workload { name: pedvo, motion, agents, side, radius, max_speed, tick: DT, walls: false }
                    .measure(threads)?;
            }
        }
        if runs("social_force") {
            let (motion, side) = (SocialForce::default(), (agents as f32).sqrt().ceil());
            Workload { name: "social_force", motion, agents, side, radius, max_speed, tick, walls: true }
                .measure(threads)?;
        }
        if runs("collision_free_speed") {
            let (motion, agents) = (CollisionFreeSpeed::default(), agents / 2);
            let side = (agents as f32).sqrt().ceil();
            Workload { name: "collision_free_speed", motion, agents, side, radius, max_speed, tick, walls: false }
                .measure(threads)?;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
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
        speeds(std::env::args().nth(2).as_deref())?;
    }
    if runs("price") {
        price::prices(std::env::args().nth(2).as_deref())?;
    }
    if runs("circle") {
        let rvo2 = Orca { neighbour_dist: 15.0, max_neighbours: 10, time_horizon: 10.0, ..Orca::default() };
        let numbers: Vec<f32> = std::env::args().skip(2).map_while(|number| number.parse().ok()).collect();
        match numbers[..] {
            [agents, radius] => circle("orca", rvo2, agents as usize, radius)?,
            _ => {
                for (agents, radius) in [(250, 200.0), (1000, 400.0), (10_000, 1265.0)] {
                    circle("orca", rvo2.clone(), agents, radius)?;
                }
            }
        }
    }
    Ok(())
}
