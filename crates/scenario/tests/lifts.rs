//! Lifts in scenario files: people ride between storeys, and mistakes with their places.

use throng::{Vector, World};
use throng_scenario::Scenario;

/// Three storeys that a lift and, if asked for, stairs join; people walk from the highest to an exit on the lowest.
fn tower(count: usize, lift: &str, others: &str) -> String {
    format!(
        "format = 1\n[world]\ndimensions = 2\nsize = [20, 16]\ntick = 0.05\nseed = 3\n\
         [[storey]]\nname = \"ground\"\n[[storey]]\nname = \"first\"\nelevation = 3.5\n\
         [[storey]]\nname = \"second\"\nelevation = 7\n\
         [[lift]]\nname = \"main\"\nstoreys = [\"ground\", \"first\", \"second\"]\ncentre = [4, 4]\nsize = [2, 2]\n\
         door = [1, 0]\ndoor_width = 1.2\n{lift}\n\
         [[region]]\nname = \"exit\"\ncentre = [18, 8]\nsize = [2, 4]\n\
         [[sink]]\nname = \"exit\"\nregion = \"exit\"\n[navigation.out]\ngoals = [\"region:exit\"]\n\
         [species.person]\ncount = {count}\npeople = true\nplace = {{ storey = \"second\", speed = 0 }}\n\
         behaviours = [{{ rule = \"walk_to\", goals = [\"out\"] }}]\n{others}"
    )
}

fn read(text: &str) -> Scenario {
    Scenario::parse(text, "s.toml").unwrap_or_else(|problems| panic!("{problems}"))
}

/// The numbers of people on each storey and on stairs.
fn where_they_are(scenario: &Scenario, world: &World<2>) -> [usize; 4] {
    let storeys = scenario.storeys().unwrap();
    let mut counts = [0; 4];
    for at in world.all_agents().iter().flat_map(|agents| (0..agents.len()).map(|row| agents.position(row))) {
        let place = storeys.locate(at).unwrap_or_else(|| panic!("{at:?} is in no storey"));
        counts[storeys.names().position(|name| name == place.name).unwrap_or(3)] += 1;
    }
    counts
}

#[test]
fn all_ride_down_in_cars_that_are_not_overfull() {
    let scenario = read(&tower(20, "capacity = 8", ""));
    let mut world = scenario.build::<2>().unwrap();
    let lift = world.environment().lifts.find("main").unwrap();
    let (mut arrivals, mut before) = (Vec::new(), 20);
    while world.population() > 0 && world.tick() < 6000 {
        world.step();
        let [ground, first, second, _] = where_they_are(&scenario, &world);
        assert_eq!(first, 0, "the car does not stop where it need not");
        if second < before {
            assert_eq!(world.environment().lift_car(lift), Some((0, false)));
            arrivals.push(before - second);
            before = second;
        }
        if world.tick() % 100 == 0 {
            println!("{} {:?} {ground} {second}", world.tick(), world.environment().lift_car(lift));
            let st = scenario.storeys().unwrap();
            for a in world.all_agents().iter() {
                for row in 0..a.len() {
                    let p = st.locate(a.position(row)).unwrap();
                    if p.name == "second" && p.plan.0[0] < 9.0 {
                        print!(
                            " {:.2},{:.2} v{:.2},{:.2} |",
                            p.plan.0[0],
                            p.plan.0[1],
                            a.velocity(row)[0],
                            a.velocity(row)[1]
                        );
                    }
                }
            }
            println!();
        }
    }
    assert_eq!((world.population(), &arrivals[..]), (0, &[8, 8, 4][..]), "tick {}", world.tick());
}
