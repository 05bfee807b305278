//! The scenes: a scenario each, and edits by the host between ticks.

use throng::{AnyWorld, Execution, Noise, Registry, World};
use throng_scenario::Scenario;

/// A scene.
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    text: &'static str,
    /// What the host edits before a tick.
    edit: fn(&mut World<2>),
}

/// A scene without edits.
macro_rules! scene {
    ($name:literal) => {
        scene!($name, |_| ())
    };
    ($name:literal, $edit:expr) => {
        Scene { name: $name, text: include_str!(concat!("../scenes/", $name, ".toml")), edit: $edit }
    };
}

pub(crate) const SCENES: [Scene; 11] = [
    scene!("flock"),
    scene!("clump"),
    scene!("churn", replace_agents),
    scene!("hunt"),
    scene!("shoal"),
    scene!("rules"),
    scene!("bottleneck"),
    scene!("model"),
    scene!("people"),
    scene!("storeys"),
    scene!("lifts"),
];

/// A scene with enough agents for several threads.
pub(crate) const CROWD: Scene = scene!("crowd");

/// A scene in progress.
pub(crate) struct Course<'a> {
    scene: &'a Scene,
    world: AnyWorld,
}

impl Scene {
    /// The scene at tick zero.
    pub(crate) fn start(&self, execution: Execution) -> Course<'_> {
        let scenario = Scenario::parse(self.text, self.name).unwrap_or_else(|problems| panic!("{problems}"));
        let mut world = scenario.build_any().expect("a scene is small");
        world.set_execution(execution).expect("the instruction set is available");
        Course { scene: self, world }
    }
}

impl Course<'_> {
    pub(crate) fn step(&mut self) {
        if let AnyWorld::Flat(world) = &mut self.world {
            (self.scene.edit)(world);
        }
        self.world.step();
    }

    /// A recording from now on, of a tick.
    pub(crate) fn recording(mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.world.record(1);
        self.world.step();
        let recording = self.world.recording().expect("it is recorded");
        recording.write(&mut bytes).expect("a vector takes every byte");
        bytes
    }

    pub(crate) fn snapshot(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.world.save(&mut bytes).expect("a vector takes every byte");
        bytes
    }

    pub(crate) fn state_hash(&self) -> u64 {
        self.world.state_hash()
    }
}

/// Removes an agent, adds up to three and moves one, all drawn from the tick.
fn replace_agents(world: &mut World<2>) {
    let midge = world.find_species("midge").expect("the scene has midges");
    let mut noise = Noise::new(99, world.tick(), 0, Noise::USER);
    let mut any = |world: &World<2>| {
        let ids = world.agents(midge).expect("the species exists").ids();
        ids.get((noise.unit() * ids.len() as f32) as usize).copied()
    };
    if let Some(agent) = any(world) {
        world.despawn(agent).expect("the agent is alive");
    }
    if let Some(agent) = any(world) {
        world.set_position(agent, [30.0, 30.0]).expect("the point is in the world");
    }
    let mut noise = Noise::new(99, world.tick(), 1, Noise::USER);
    let missing = 350usize.saturating_sub(world.agents(midge).expect("the species exists").len());
    for _ in 0..missing.min(3) {
        let place = [noise.between(0.0, 60.0), noise.between(0.0, 60.0)];
        let velocity = [noise.between(-5.0, 5.0), noise.between(-5.0, 5.0)];
        world.spawn(midge, place, velocity).expect("the world has room");
    }
}

#[test]
fn the_scene_of_rules_has_every_rule() {
    let scene = SCENES.iter().find(|scene| scene.name == "rules").expect("it is in the list");
    for rule in Registry::new().rules::<2>() {
        assert!(scene.text.contains(&format!("rule = \"{}\"", rule.name())), "{}", rule.name());
    }
}
