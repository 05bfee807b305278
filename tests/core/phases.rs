//! Models whose agents have an inner state that neighbours perceive: the memory of a rule, read as a column.

use throng::maths::sin_cos;
use throng::{
    AgentId, AgentRef, Behaviour, Inputs, Perception, Settings, Species, SpeciesFilter, SpeciesId, Vector, World,
};

/// Kuramoto's oscillators: `phase' = coupling * sum of sin(phase of the neighbour - phase)`.
#[derive(Debug)]
struct Sync {
    coupling: f32,
    radius: f32,
}

impl<const D: usize> Behaviour<D> for Sync {
    fn inputs(&self) -> Inputs {
        let near = Perception::within(self.radius, &SpeciesFilter::Own);
        Inputs::default().neighbours(near).memory("phase", 0.0_f32).column("phase")
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let phase: f32 = me.recall(0);
        let phases = me.column::<f32>(0, me.species()).unwrap();
        assert_eq!(phases[me.row()], phase);
        let pull = me.neighbours(0).fold(0.0, |pull, other| pull + sin_cos(phases[other.row] - phase).0);
        me.remember(0, phase + self.coupling * pull * me.world().settings().tick_seconds);
        Vector::ZERO
    }
}

fn world(coupling: f32) -> (World<2>, SpeciesId) {
    let mut world = World::new(Settings { tick_seconds: 0.01, ..Settings::default() }).unwrap();
    let firefly = world.add_species(Species::new("firefly").with(1.0, Sync { coupling, radius: 5.0 })).unwrap();
    (world, firefly)
}

fn phase(world: &World<2>, id: AgentId) -> f64 {
    f64::from(world.column_value::<f32>(id, "phase").unwrap())
}

/// Two oscillators: the tangent of half of their phase difference falls as `exp(-2 coupling t)`.
#[test]
fn two_oscillators_converge_at_the_exact_rate() {
    let (mut world, firefly) = world(0.5);
    let [a, b] = [10.0, 12.0].map(|x| world.spawn(firefly, [x, 10.0], [0.0, 0.0]).unwrap());
    let far = world.spawn(firefly, [60.0, 60.0], [0.0, 0.0]).unwrap();
    world.set_column(firefly, "phase", &[0.5_f32, -2.0, 1.0]).unwrap();
    let at_start = ((phase(&world, a) - phase(&world, b)) / 2.0).tan();
    let mut oracle = [0.5_f64, -2.0];
    for tick in 1..=400 {
        world.step();
        let pull = 0.5 * 0.01 * (oracle[1] - oracle[0]).sin();
        oracle = [oracle[0] + pull, oracle[1] - pull];
        let [one, other] = [phase(&world, a), phase(&world, b)];
        assert!((one - oracle[0]).abs() < 1e-5 && (other - oracle[1]).abs() < 1e-5, "tick {tick}: {one} {other}");
        let exact = 2.0 * (at_start * (-f64::from(tick) * 0.01).exp()).atan();
        assert!((one - other - exact).abs() < 0.01, "tick {tick}: {}, not {exact}", one - other);
    }
    assert_eq!(phase(&world, far), 1.0);
}

/// Others perceive the memory as it was at the start of the tick, on any number of threads.
#[test]
fn a_crowd_of_oscillators_has_the_same_bits_on_any_number_of_threads() {
    let course = |threads: usize| {
        let (mut world, firefly) = world(0.1);
        for number in 0..1500 {
            let at = number as f32;
            world.spawn(firefly, [(at * 7.3) % 100.0, (at * 3.1) % 100.0], [(at * 0.1).fract(), 0.3]).unwrap();
        }
        let phases: Vec<f32> = (0..1500).map(|number| (number as f32 * 0.77) % 6.0).collect();
        world.set_column(firefly, "phase", &phases).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (0..60).for_each(|_| world.step()));
        world.state_hash()
    };
    assert_eq!(course(1), course(4));
}

#[test]
fn a_column_of_the_host_takes_precedence_over_the_memory_of_a_rule() {
    let (mut world, firefly) = world(0.0);
    let id = world.spawn(firefly, [1.0, 1.0], [0.0, 0.0]).unwrap();
    world.set_column_value(id, "phase", 3.0_f32).unwrap();
    assert_eq!(world.agents(firefly).unwrap().columns().count(), 0);
    world.add_column(firefly, "phase", 7_u32).unwrap();
    assert_eq!(world.column_value::<u32>(id, "phase").unwrap(), 7);
    assert!(world.column_value::<f32>(id, "phase").is_err());
    world.remove_column(firefly, "phase").unwrap();
    assert_eq!(phase(&world, id), 3.0);
    assert!(world.remove_column(firefly, "phase").is_err(), "a rule's memory is not the host's");
}
