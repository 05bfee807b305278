//! Order, spacing and clusters.

use throng::measures::{
    centre, clusters, density, local_density, mean_speed, milling, nearest_distance, nearest_distances, overlapping,
    polarisation,
};
use throng::motions::Orca;
use throng::{Edge, Settings, Species, World};

use crate::{close, lattice, random, sample, settings};

fn world(velocities: &[[f32; 2]]) -> World<2> {
    let mut world = World::new(Settings::default()).unwrap();
    let species = world.add_species(Species::new("starling")).unwrap();
    for velocity in velocities {
        world.spawn(species, [50.0, 50.0], *velocity).unwrap();
    }
    world
}

#[test]
fn polarisation_is_one_in_a_row_and_zero_in_a_star() {
    assert_eq!(polarisation(&world(&[[2.0, 0.0], [5.0, 0.0], [0.0, 0.0]])), 1.0);
    assert_eq!(polarisation(&world(&[[1.0, 0.0], [-1.0, 0.0], [0.0, 3.0], [0.0, -3.0]])), 0.0);
    assert_eq!(polarisation(&world(&[[0.0, 0.0]])), 0.0);
    assert_eq!(polarisation(&world(&[])), 0.0);
}

#[test]
fn the_mean_speed_includes_agents_at_rest() {
    assert_eq!(mean_speed(&world(&[[3.0, 4.0], [0.0, 0.0]])), 2.5);
    assert_eq!(mean_speed(&world(&[])), 0.0);
}

/// Agents on a ring around `centre` that move along it, half of them or all in the same sense.
fn ring(centre: [f32; 2], both: bool) -> Vec<([f32; 2], [f32; 2])> {
    let agent = |number: u32| {
        let angle = number as f32 / 64.0 * std::f32::consts::TAU;
        let (sine, cosine) = throng::maths::sin_cos(angle);
        let sense = if both && number % 2 == 1 { -2.0 } else { 2.0 };
        let at = |at: f32| at.rem_euclid(20.0);
        ([at(centre[0] + 3.0 * cosine), at(centre[1] + 3.0 * sine)], [-sense * sine, sense * cosine])
    };
    (0..64).map(agent).collect()
}

#[test]
fn a_rotating_ring_mills_also_across_the_seam() {
    for (edge, place) in [(Edge::Open, [7.0, 9.0]), (Edge::Wrap, [7.0, 9.0]), (Edge::Wrap, [0.5, 19.5])] {
        let settings = settings([20.0, 20.0], edge);
        let all = sample(&settings, &ring(place, false));
        close(milling(&all), 1.0, 1e-6);
        close(polarisation(&all), 0.0, 1e-6);
        let found = centre(&all).unwrap();
        assert!(settings.offset(found, place).length() < 1e-5, "{found:?} instead of {place:?}");
        close(milling(&sample(&settings, &ring(place, true))), 0.0, 1e-6);
    }
}

#[test]
fn a_ring_in_space_mills_about_any_axis() {
    let flat = ring([7.0, 9.0], false);
    let upright = flat.iter().map(|([x, y], [u, v])| ([*x, 4.0, *y], [*u, 0.0, *v])).collect::<Vec<_>>();
    close(milling(&sample(&settings([20.0; 3], Edge::Wrap), &upright)), 1.0, 1e-6);
}

/// The estimate on only the circle would be biased for such a group.
#[test]
fn the_centre_of_a_lopsided_group_is_its_mean_also_across_the_seam() {
    let at = [0.0, 0.1, 0.2, 5.0].map(|x| ([(18.0_f32 + x).rem_euclid(20.0), 1.0], [0.0; 2]));
    let found = centre(&sample(&settings([20.0, 20.0], Edge::Wrap), &at)).unwrap();
    close(f64::from(found[0]), 19.325, 1e-5);
    assert!(centre(&sample::<2>(&settings([20.0, 20.0], Edge::Wrap), &[])).is_none());
}

#[test]
fn a_lattice_has_its_distance_and_density() {
    let flat = sample(&settings([20.0; 2], Edge::Wrap), &lattice::<2>(20));
    assert_eq!(nearest_distances(&flat), vec![1.0; 400]);
    assert_eq!((nearest_distance(&flat), density(&flat)), (1.0, 1.0));
    // The disc of radius 1.5 around an agent has its four neighbours and the four beyond the corners.
    close(local_density(&flat, 1.5), 8.0 / (std::f64::consts::PI * 2.25), 1e-12);
    let space = sample(&settings([8.0; 3], Edge::Wrap), &lattice::<3>(8));
    assert_eq!((nearest_distance(&space), density(&space)), (1.0, 1.0));
    close(local_density(&space, 1.2), 6.0 / (4.0 / 3.0 * std::f64::consts::PI * 1.728), 1e-6);
}

/// Clark and Evans 1954: the mean distance is 1 / (2 √ρ), with the standard error .26136 / √(N ρ).
#[test]
fn random_agents_have_the_nearest_distance_of_clark_and_evans() {
    let agents = sample(&settings([50.0, 80.0], Edge::Wrap), &random([50.0, 80.0], 20_000, 3));
    let rho: f64 = 5.0;
    close(density(&agents), rho, 1e-9);
    close(nearest_distance(&agents), 0.5 / rho.sqrt(), 4.0 * 0.26136 / (20_000.0 * rho).sqrt());
}

#[test]
fn nearest_distances_are_those_of_all_pairs() {
    for edge in [Edge::Wrap, Edge::Bounce] {
        let (settings, agents) = (settings([9.0, 5.0, 7.0], edge), random([9.0, 5.0, 7.0], 700, 4));
        let expected = (0..agents.len()).map(|one| {
            let others = (0..agents.len()).filter(|other| *other != one);
            let distances = others.map(|other| settings.offset(agents[one].0, agents[other].0).length());
            distances.fold(f32::INFINITY, |low, distance| if distance < low { distance } else { low })
        });
        let found = nearest_distances(&sample(&settings, &agents));
        for (found, expected) in found.into_iter().zip(expected) {
            close(f64::from(found), f64::from(expected), 1e-6);
        }
    }
    let alone = sample(&settings([9.0; 2], Edge::Wrap), &[([1.0, 1.0], [0.0; 2])]);
    assert_eq!(nearest_distances(&alone), [f32::INFINITY]);
    assert!(nearest_distance(&alone).is_nan());
}

#[test]
fn coincident_agents_are_at_distance_zero() {
    let agents = sample(&settings([9.0; 2], Edge::Wrap), &[([1.0, 1.0], [0.0; 2]), ([1.0, 1.0], [0.0; 2])]);
    assert_eq!(nearest_distance(&agents), 0.0);
}

/// Two groups, one of which lies across the seam, a bridge that is too long, and a single agent.
#[test]
fn clusters_have_their_sizes_across_the_seam() {
    let mut agents = Vec::new();
    // 30 agents in a row at a distance of 0.5, from 15 over the seam to 9.5.
    agents.extend((0..30).map(|number| ([(15.0 + 0.5 * number as f32).rem_euclid(20.0), 3.0], [0.0; 2])));
    agents.extend((0..12).map(|number| ([0.5 * number as f32 + 2.0, 9.0], [0.0; 2])));
    agents.push(([12.0, 9.0], [0.0; 2]));
    let found = clusters(&sample(&settings([20.0; 2], Edge::Wrap), &agents), 0.5);
    assert_eq!(found.sizes, [30, 12, 1]);
    assert!(found.of[..30].iter().all(|&of| of == 0) && found.of[30..42].iter().all(|&of| of == 1));
    close(found.largest_share(), 30.0 / 43.0, 1e-12);
    let bounded = clusters(&sample(&settings([20.0; 2], Edge::Bounce), &agents), 0.5);
    assert_eq!(bounded.sizes, [20, 12, 10, 1]);
    assert_eq!(clusters(&sample(&settings([20.0; 2], Edge::Wrap), &agents), 0.49).sizes, vec![1; 43]);
}

/// The clusters are the same as in a search over all pairs, with any number of threads.
#[test]
fn clusters_of_a_random_crowd_are_those_of_all_pairs() {
    let (settings, agents) = (settings([30.0, 30.0], Edge::Wrap), random([30.0, 30.0], 3000, 8));
    let radius = 0.62_f32;
    let mut labels: Vec<usize> = (0..agents.len()).collect();
    let root = |labels: &[usize], mut at: usize| {
        while labels[at] != at {
            at = labels[at];
        }
        at
    };
    for one in 0..agents.len() {
        for other in 0..one {
            if settings.offset(agents[one].0, agents[other].0).length_squared() <= radius * radius {
                let (a, b) = (root(&labels, one), root(&labels, other));
                labels[a.max(b)] = a.min(b);
            }
        }
    }
    let mut sizes = vec![0u32; agents.len()];
    (0..agents.len()).for_each(|agent| sizes[root(&labels, agent)] += 1);
    sizes.retain(|&size| size > 0);
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let sample = sample(&settings, &agents);
    let mut last = None;
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let found = pool.install(|| clusters(&sample, radius));
        assert_eq!(found.sizes, sizes);
        assert!(last.replace(found.clone()).is_none_or(|last| last == found));
    }
}

#[test]
fn bodies_overlap_by_the_sum_of_their_radii() {
    let agents = [[1.0, 1.0], [1.8, 1.0], [19.75, 1.0], [10.0, 10.0]].map(|at| (at, [0.0; 2]));
    let sample = sample(&settings([20.0; 2], Edge::Wrap), &agents);
    assert_eq!(overlapping(&sample), Default::default());
    // Radii .5 and .5 at .8 m; .5 and .9 at 1.25 m across the seam.
    let found = overlapping(&sample.with_radii(&[0.5, 0.5, 0.9, 0.5]).unwrap());
    assert_eq!((found.agents, found.pairs), (3, 2));
    close(found.worst, 0.2, 1e-6);
}

/// People squeeze past others with two fifths of their radius at least: 0.1 m of 0.25 m. Bodies of `orca` do not yield.
#[test]
fn shoulders_that_yield_do_not_overlap() {
    for (apart, people, others) in [(0.6, (0, 0), (0, 0)), (0.3, (0, 2), (2, 0)), (0.15, (2, 0), (2, 0))] {
        let walkers = Species::<2>::people("person");
        for (species, expected) in [(walkers.clone(), people), (walkers.with_motion(Orca::default()), others)] {
            let mut world = World::<2>::new(settings([20.0; 2], Edge::Bounce)).unwrap();
            let species = world.add_species(species).unwrap();
            for x in [5.0, 5.0 + apart] {
                world.spawn(species, [x, 5.0], [0.0; 2]).unwrap();
            }
            let found = overlapping(&world);
            assert_eq!((found.agents, found.yielding), expected, "{apart}");
        }
    }
}

#[test]
fn slices_that_make_no_sense_are_refused() {
    use throng::Error;
    use throng::measures::Sample;
    let world = Settings::<2>::default();
    let sample = |x: &[f32], v: &[f32]| Sample::new([x, x], [v, v], &world).err();
    assert_eq!(sample(&[1.0], &[]), Some(Error::Length { agents: 1, given: 0 }));
    assert!(matches!(sample(&[f32::NAN], &[0.0]), Some(Error::BadValue(_))));
    assert!(matches!(sample(&[1.0], &[f32::INFINITY]), Some(Error::BadValue(_))));
    let one = Sample::new([&[1.0], &[1.0]], [&[0.0], &[0.0]], &world).unwrap();
    assert!(one.clone().with_radii(&[]).is_err() && one.with_radii(&[-1.0]).is_err());
}

/// Positions outside a periodic world stand for their images.
#[test]
fn unwrapped_positions_count_as_their_images() {
    let agents = [([1.0, 5.0], [0.0; 2]), ([-39.0, 5.0], [0.0; 2]), ([62.5, 5.0], [0.0; 2])];
    assert_eq!(nearest_distances(&sample(&settings([20.0; 2], Edge::Wrap), &agents)), [0.0, 0.0, 1.5]);
}

/// Bits do not depend on threads, nor on the number of pieces.
#[test]
fn measures_have_the_same_bits_for_any_number_of_threads() {
    let agents = random([60.0, 60.0], 5000, 6);
    let all = || {
        let sample = sample(&settings([60.0, 60.0], Edge::Bounce), &agents).with_radii(&[0.3; 5000]).unwrap();
        let value = |measure: &throng::measures::Measure| measure.compute(&sample, Some(2.0)).to_bits();
        throng::measures::measures().iter().map(value).collect::<Vec<_>>()
    };
    let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(all);
    let one = on(1);
    assert!([2, 3, 8].into_iter().all(|threads| on(threads) == one));
}
