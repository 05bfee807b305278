//! Active Brownian agents against closed forms: displacements, velocities and walls.

use throng::motions::ActiveBrownian;
use throng::{AgentId, Edge, Species, Vector, Wall, WallAudit, WallShape};

use crate::{crowd, world};

#[test]
fn active_brownian_agents_spread_as_the_closed_form() {
    // <r^2> = 4 D t + 2 v^2 / R^2 (R t - 1 + exp(-R t)), for two lengths of the tick.
    let (speed, rotation, diffusion, seconds) = (2.0, 0.5, 0.3, 4.0f64);
    let model = ActiveBrownian { rotational_diffusion: rotation as f32, diffusion: diffusion as f32, mobility: 1.0 };
    for dt in [0.1f32, 0.01] {
        let (mut world, kind) = crowd(
            world::<2>(10.0, Edge::Open, dt),
            Species::new("particle").with_max_speed(speed as f32).with_motion(model.clone()),
            4000,
            speed as f32,
        );
        let start: Vec<(AgentId, Vector<2>)> = {
            let agents = world.agents(kind).unwrap();
            agents.ids().iter().enumerate().map(|(row, id)| (*id, agents.position(row))).collect()
        };
        (0..(seconds as f32 / dt).round() as u64).for_each(|_| world.step());
        let squares = start.iter().map(|(id, at)| f64::from((world.position(*id).unwrap() - *at).length_squared()));
        let measured = squares.sum::<f64>() / start.len() as f64;
        let turned = rotation * seconds;
        let wanted = 4.0 * diffusion * seconds + 2.0 * (speed / rotation).powi(2) * (turned - 1.0 + (-turned).exp());
        assert!((measured / wanted - 1.0).abs() < 0.05, "{dt}: {measured}, {wanted}");
    }
}

#[test]
fn the_velocity_of_an_active_brownian_agent_is_its_self_propulsion() {
    // The mean heading after 0.1 s is exp(-R t), whatever the diffusion of positions and the length of the tick.
    let (speed, rotation, seconds) = (2.0f32, 0.5f32, 0.1f32);
    for diffusion in [0.0, 0.3] {
        for dt in [0.1f32, 0.01, 0.001] {
            let model = ActiveBrownian { rotational_diffusion: rotation, diffusion, mobility: 1.0 };
            let mut world = world::<2>(100.0, Edge::Wrap, dt);
            let species = Species::new("particle").with_max_speed(speed).with_motion(model);
            let kind = world.add_species(species).unwrap();
            for _ in 0..4000 {
                world.spawn(kind, [50.0; 2], [speed, 0.0]).unwrap();
            }
            (0..(seconds / dt).round() as u64).for_each(|_| world.step());
            let agents = world.agents(kind).unwrap();
            let velocities: Vec<Vector<2>> = (0..agents.len()).map(|row| agents.velocity(row)).collect();
            assert!(velocities.iter().all(|velocity| (velocity.length() - speed).abs() < 1e-4), "{diffusion} {dt}");
            let mean =
                velocities.iter().fold(Vector::ZERO, |sum, velocity| sum + *velocity).length() / (4000.0 * speed);
            assert!((mean - throng::maths::exp(-rotation * seconds)).abs() < 0.01, "{diffusion} {dt}: {mean}");
            // Positions also diffuse: across the heading by 2 D t, and a little more as headings turn.
            let across =
                (0..agents.len()).map(|row| agents.position(row)[1] - 50.0).map(|y| y * y).sum::<f32>() / 4000.0;
            let wanted = 2.0 * diffusion * seconds;
            assert!(across > 0.9 * wanted && across < 1.1 * wanted + 5e-3, "{diffusion} {dt}: {across}, {wanted}");
        }
    }
}

#[test]
fn no_diffusing_agent_crosses_a_wall() {
    let mut world = world::<2>(20.0, Edge::Bounce, 0.05);
    let points = [[8.0, 8.0], [12.0, 8.0], [12.0, 12.0], [8.0, 12.0]].map(Vector).to_vec();
    world.environment_mut().walls.add(Wall::new(WallShape::Path { points, closed: true })).unwrap();
    let model = ActiveBrownian { diffusion: 20.0, ..ActiveBrownian::default() };
    let species = Species::new("particle").with_max_speed(0.1).with_radius(0.05).with_motion(model);
    let kind = world.add_species(species).unwrap();
    for _ in 0..300 {
        world.spawn(kind, [10.0; 2], [0.1, 0.0]).unwrap();
    }
    let mut audit = WallAudit::default();
    for _ in 0..100 {
        audit.before(&world);
        world.step();
        assert_eq!(audit.after(&world), 0);
    }
    let agents = world.agents(kind).unwrap();
    let inside = |row: usize| agents.position(row).0.iter().all(|at| (8.0..=12.0).contains(at));
    assert!((0..agents.len()).all(inside));
    let apart = (agents.position(0) - agents.position(1)).length();
    assert!(apart > 0.01, "they diffuse: {apart}");
}
