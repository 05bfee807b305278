//! Ground with height from meshes: a bridge over a road, an export of an editor, and mistakes.

use std::fs;
use std::path::PathBuf;

use throng::{Vector, World};
use throng_scenario::Scenario;

/// A folder with a scenario and its mesh, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("throng-meshes-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Loads a scenario with this mesh, these keys of its ground and these further lines.
    fn load(&self, mesh: &str, keys: &str, more: &str) -> Result<Scenario, String> {
        fs::write(self.0.join("level.obj"), mesh).unwrap();
        let text = format!(
            "format = 1\nground = {{ file = \"level.obj\"{keys} }}\n[world]\ndimensions = 2\nsize = [60, 40]\n\
             tick = 0.05\nseed = 3\n{more}"
        );
        let file = self.0.join("scenario.toml");
        fs::write(&file, text).unwrap();
        Scenario::load(&file).map_err(|problems| problems.to_string())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A road along x under a bridge along y. A path leads from the road's west end to a ramp along x, and it to the bridge, 5 m
/// above the road. The third axis points up.
const BRIDGE: &str = "
v 4 18 0\nv 60 18 0\nv 60 22 0\nv 0 22 0\nv 0 18 0\n# the road and its west end
v 0 8 0\nv 4 8 0\nv 0 12 0\nv 4 12 0\n# the path
v 28 8 5\nv 28 12 5\nv 32 8 5\nv 32 12 5\nv 28 36 5\nv 32 36 5\n# the bridge
f 1 2 3\nf 1 3 4\nf 5 1 4
f 8 9 1\nf 8 1 5\nf 6 7 9\nf 6 9 8
f 7 10 11\nf 7 11 9
f 10 12 13\nf 10 13 11\nf 11 13 15\nf 11 15 14
";

const UP: &str = ", up = \"z\"";

/// The same as an editor exports it, with y up: faces of many corners, numbers of texture points, vertices that count from
/// the last one, undersides, posts and the faces of each part with their own vertices.
fn exported() -> String {
    let mut text = "# an editor\nmtllib level.mtl\no Level\nvt 0 0\nvn 0 1 0\n".to_owned();
    let mut face = |corners: &[[f64; 3]]| {
        let vertex = |[x, y, height]: &[f64; 3]| format!("v {x:.6} {height:.6} {:.6}\n", -y);
        text.extend(corners.iter().map(vertex));
        let count = corners.len();
        let corner = |number: usize| format!(" -{}/1/1", count - number);
        text += &format!("s 1\nf{}\n", (0..count).map(corner).collect::<String>());
    };
    let ground = [[0.0, 8.0], [4.0, 8.0], [4.0, 12.0], [4.0, 18.0], [60.0, 18.0], [60.0, 22.0], [0.0, 22.0]];
    let ground = ground.map(|[x, y]| [x, y, 0.0]);
    face(&ground);
    let below: Vec<_> = ground.iter().rev().map(|&[x, y, height]| [x, y, height - 0.3]).collect();
    face(&below);
    face(&[[4.0, 8.0, 0.0], [28.0, 8.0, 5.0], [28.0, 12.0, 5.0], [4.0, 12.0, 0.0]]);
    // One face of the bridge ends in the middle of the side of another one.
    face(&[[28.0, 8.0, 5.0], [32.0, 8.0, 5.0], [32.0, 20.0, 5.0], [28.0, 20.0, 5.0]]);
    face(&[[28.0, 20.0, 5.0], [30.0, 20.0, 5.0], [30.0, 36.0, 5.0], [28.0, 36.0, 5.0]]);
    face(&[[30.0, 20.0, 5.0], [32.0, 20.0, 5.0], [32.0, 36.0, 5.0], [30.0, 36.0, 5.0]]);
    face(&[[28.0, 36.0, 5.0], [32.0, 36.0, 5.0], [32.0, 36.0, 6.0], [28.0, 36.0, 6.0]]);
    text
}

const ONE: &str = "[species.walker]\npeople = true\nplace = { positions = [[30, 20]] }\n";

fn positions(world: &World<2>, species: usize) -> Vec<Vector<2>> {
    let agents = &world.all_agents()[species];
    (0..agents.len()).map(|row| agents.position(row)).collect()
}

#[test]
fn a_mesh_becomes_sheets_with_heights() {
    let folder = Folder::new("sheets");
    let scenario = folder.load(BRIDGE, UP, ONE).unwrap();
    assert!(scenario.warnings().is_empty(), "{:?}", scenario.warnings());
    let (storeys, world) = (scenario.storeys().unwrap(), scenario.build::<2>().unwrap());
    assert_eq!(storeys.names().collect::<Vec<_>>(), ["sheet-1", "sheet-2"]);
    let places = [
        ([30.0, 20.0], None, "sheet-1", 0.0),
        ([30.0, 20.0], Some(1.0), "sheet-1", 0.0),
        ([30.0, 20.0], Some(4.0), "sheet-2", 5.0),
        ([30.0, 30.0], None, "sheet-2", 5.0),
        ([16.0, 9.0], None, "sheet-2", 2.5),
        ([10.0, 11.0], Some(0.0), "sheet-2", 1.25),
        ([2.0, 10.0], Some(9.0), "sheet-1", 0.0),
    ];
    for (plan, height, name, elevation) in places {
        let at = storeys.position_at(plan, height).unwrap();
        let found = storeys.locate(at).unwrap();
        assert_eq!((found.name, found.plan, found.elevation), (name, Vector(plan), elevation));
        assert_eq!(storeys.position(name, plan), Some(at));
    }
    assert_eq!(storeys.position_at([20.0, 30.0], None), None, "no ground");
    assert_eq!(positions(&world, 0), [Vector([30.0, 20.0])], "on the road");
    // The one seam is at the foot of the ramp, with the road's sheet to its left.
    let seams = &world.settings().seams;
    assert_eq!(seams.len(), 1);
    let seam = seams[0];
    assert_eq!(seam.ends, [[4.0, 8.0].into(), [4.0, 12.0].into()]);
    assert_eq!(storeys.position("sheet-2", seam.ends[0]), Some(seam.ends[0] + seam.shift));
    let ends: Vec<_> = world.environment().walls.items().iter().map(|wall| wall.shape.edges().len()).collect();
    assert_eq!(ends, [6, 6], "sides around each sheet but for the seam");
}

/// The walls, in an order of their own, and the seams.
fn parts(scenario: &Scenario) -> (Vec<String>, Vec<throng::Seam<2>>) {
    let world = scenario.build::<2>().unwrap();
    let mut walls: Vec<_> = world.environment().walls.items().iter().map(|wall| format!("{:?}", wall.shape)).collect();
    walls.sort();
    (walls, world.settings().seams.clone())
}

#[test]
fn an_export_of_an_editor_is_the_same_ground() {
    let folder = Folder::new("export");
    let expected = parts(&folder.load(BRIDGE, UP, ONE).unwrap());
    assert_eq!(parts(&folder.load(&exported(), "", ONE).unwrap()), expected);
    let by_name = folder.load(&exported(), "", ONE).unwrap();
    assert!(by_name.warnings().is_empty(), "{:?}", by_name.warnings());
    // In centimetres, elsewhere, turned inside out.
    let moved = BRIDGE.lines().map(|line| match line.strip_prefix("v ") {
        Some(point) => {
            let at: Vec<f64> = point.split(' ').map(|number| number.parse().unwrap()).collect();
            format!("v {} {} {}\n", at[0] * 100.0 - 500.0, at[1] * 100.0 - 700.0, at[2] * 100.0)
        }
        None => match line.strip_prefix("f ") {
            Some(face) => format!("f {}\n", face.split(' ').rev().collect::<Vec<_>>().join(" ")),
            None => String::new(),
        },
    });
    let scenario = folder.load(&moved.collect::<String>(), ", up = \"z\", scale = 0.01, origin = [5, 7]", ONE);
    assert_eq!(parts(&scenario.unwrap()), expected);
}

/// People on the road and on the bridge, in this order of species.
fn crossing(species: &[&str]) -> String {
    let mut text = "[[region]]\nname = \"east\"\ncentre = [57, 20]\nsize = [2, 3]\n\
        [[region]]\nname = \"north\"\ncentre = [30, 34]\nsize = [3, 2]\nheight = 5\n\
        [navigation.east]\ngoals = [\"region:east\"]\n[navigation.north]\ngoals = [\"region:north\"]\n"
        .to_owned();
    for name in species {
        let (goal, place) = match *name {
            "road" => ("east", "centre = [16, 20], size = [12, 3]"),
            _ => ("north", "centre = [30, 13], size = [3, 8], height = 4.5"),
        };
        text += &format!(
            "[species.{name}]\ncount = 20\npeople = true\nmax_speed = 1.3\nplace = {{ region = \"box\", {place} }}\n\
             behaviours = [{{ rule = \"walk_to\", goals = [\"{goal}\"] }}]\n"
        );
    }
    text
}

#[test]
fn people_on_a_bridge_and_under_it_pass_without_notice() {
    let folder = Folder::new("crossing");
    for (first, other) in [("road", "bridge"), ("bridge", "road")] {
        let build = |species: &[&str]| folder.load(BRIDGE, UP, &crossing(species)).unwrap();
        let scenario = build(&[first, other]);
        let storeys = scenario.storeys().unwrap();
        let [mut both, mut alone] = [scenario.build::<2>().unwrap(), build(&[first]).build::<2>().unwrap()];
        let mut nearest = f32::INFINITY;
        for _ in 0..400 {
            both.step();
            alone.step();
            let walkers = positions(&both, 0);
            assert_eq!(walkers, positions(&alone, 0), "tick {}", both.tick());
            let places = [walkers, positions(&both, 1)].map(|all| {
                all.into_iter()
                    .map(|at| storeys.locate(at).unwrap())
                    .map(|at| (at.plan, at.elevation))
                    .collect::<Vec<_>>()
            });
            for (plan, elevation) in &places[0] {
                assert_eq!(*elevation, if first == "road" { 0.0 } else { 5.0 });
                let distances = places[1].iter().map(|(other, _)| (*other - *plan).length());
                nearest = distances.fold(nearest, |least, distance| if distance < least { distance } else { least });
            }
        }
        assert!(nearest < 0.3, "in the plan some are on top of each other: {nearest}");
    }
}

/// The shortest way leads around three corners to the left. It keeps a clearance from them: the lengths of its straight
/// parts and arcs are known.
#[test]
fn the_shortest_way_leads_over_the_ramp() {
    let (start, goal, clearance) = ([58.0, 20.0], [30.0, 34.0], 0.3);
    let corners: [[f64; 2]; 3] = [[4.0, 18.0], [4.0, 12.0], [28.0, 12.0]];
    let between = |a: [f64; 2], b: [f64; 2]| (b[0] - a[0], b[1] - a[1]);
    let length = |(x, y): (f64, f64)| x.hypot(y);
    let (to_first, from_last) = (between(start, corners[0]), between(corners[2], goal));
    let tangent = |way: (f64, f64)| (length(way).powi(2) - clearance * clearance).sqrt();
    let lean = |way: (f64, f64)| (clearance / length(way)).asin();
    // From due west to due east and on to the north.
    let headings = [to_first.1.atan2(to_first.0) + std::f64::consts::TAU, from_last.1.atan2(from_last.0)];
    let turn = std::f64::consts::TAU + headings[1] + lean(from_last) - (headings[0] - lean(to_first));
    let straight = tangent(to_first) + 6.0 + 24.0 + tangent(from_last);
    let expected = straight + clearance * turn;

    let folder = Folder::new("way");
    let more = format!(
        "[marks]\nend = [{}, {}]\n[navigation.over]\ngoals = [\"mark:end\"]\nclearance = {clearance}\ncell = 0.125\n\
         [species.walker]\npeople = true\nmax_speed = 1.25\nplace = {{ positions = [[{}, {}]] }}\n\
         behaviours = [{{ rule = \"walk_to\", goals = [\"over\"] }}]\n",
        goal[0], goal[1], start[0], start[1]
    );
    let scenario = folder.load(BRIDGE, UP, &more).unwrap();
    let (storeys, mut world) = (scenario.storeys().unwrap(), scenario.build::<2>().unwrap());
    world.step();
    let field = world.environment().navigations.find("over").and_then(|id| world.environment().navigation_field(id));
    let distance = f64::from(field.unwrap().distance(Vector([58.0, 20.0])));
    assert!((distance / expected - 1.0).abs() < 0.005, "{distance} m, expected {expected} m");
    let (mut highest, mut rises) = (0.0, 0);
    let mut ticks = 0;
    while ticks < 3000 {
        world.step();
        ticks += 1;
        let place = storeys.locate(positions(&world, 0)[0]).unwrap();
        assert!((0.0..=5.0).contains(&place.elevation), "{place:?}");
        rises += usize::from(place.elevation > highest);
        highest = if place.elevation > highest { place.elevation } else { highest };
        if (place.plan - Vector([30.0, 34.0])).length() < 0.5 {
            break;
        }
    }
    let walked = f64::from(ticks) * 0.05 * 1.25;
    assert!((walked / expected - 1.0).abs() < 0.03, "{walked} m, expected {expected} m");
    assert!(highest == 5.0 && rises > 300, "{highest} m in {rises} steps");
}

/// A ramp that winds upwards around a middle in three turns, in one piece. The shortest way keeps to its inner side.
#[test]
fn a_spiral_leads_up_above_itself() {
    const STEPS: usize = 24;
    let corner = |number: usize, radius: f64| {
        let (sine, cosine) = (number as f64 / STEPS as f64 * std::f64::consts::TAU).sin_cos();
        format!("v {} {} {}\n", 20.0 + radius * cosine, 20.0 + radius * sine, number as f64 * 4.0 / STEPS as f64)
    };
    let mut mesh = String::new();
    for number in 0..=3 * STEPS {
        mesh += &(corner(number, 6.0) + &corner(number, 9.0));
        if number > 0 {
            mesh += "f -4 -3 -1 -2\n";
        }
    }
    let folder = Folder::new("spiral");
    let load = |cell: f64| {
        let more = format!(
            "[navigation.up]\ngoals = [\"region:top\"]\nclearance = 0.3\ncell = {cell}\n\
             [[region]]\nname = \"top\"\ncentre = [26.5, 19.6]\nradius = 0.2\nheight = 12\n\
             [species.walker]\npeople = true\nmax_speed = 1.25\nplace = {{ positions = [[26.5, 20.4]] }}\n\
             behaviours = [{{ rule = \"walk_to\", goals = [\"up\"] }}]\n"
        );
        folder.load(&mesh, UP, &more).unwrap()
    };
    let distance = |cell: f64| {
        let (scenario, mut world) = (load(cell), load(cell).build::<2>().unwrap());
        world.step();
        let field = world.environment().navigations.find("up").and_then(|id| world.environment().navigation_field(id));
        f64::from(field.unwrap().distance(scenario.storeys().unwrap().position_at([26.5, 20.4], None).unwrap()))
    };
    let inner = 2.0 * 6.0 * (std::f64::consts::PI / STEPS as f64).sin() * STEPS as f64;
    let expected = 3.0 * (inner + std::f64::consts::TAU * 0.3) - 0.8;
    // The error halves with the cells.
    let [coarse, fine] = [distance(0.25), distance(0.125)];
    assert!((fine / expected - 1.0).abs() < 0.04, "{fine} m, expected {expected} m");
    assert!(((2.0 * fine - coarse) / expected - 1.0).abs() < 0.005, "{coarse} m and {fine} m, expected {expected} m");
    let scenario = load(0.25);
    assert!(scenario.warnings().is_empty(), "{:?}", scenario.warnings());
    let (storeys, mut world) = (scenario.storeys().unwrap(), scenario.build::<2>().unwrap());
    let sheets = storeys.names().count();
    assert!((4..=7).contains(&sheets) && world.settings().seams.len() == sheets - 1, "{sheets} sheets");
    let mut before = 0.0;
    let mut highest = 0.0;
    for _ in 0..2600 {
        world.step();
        let height = storeys.locate(positions(&world, 0)[0]).unwrap().elevation;
        assert!((height - before).abs() < 0.2, "from {before} to {height} m at once");
        before = height;
        highest = if height > highest { height } else { highest };
    }
    assert!(highest > 11.8, "{highest} m");
}

/// Trajectories have heights, and everyone starts on the ground.
#[test]
fn agents_start_on_the_ground() {
    let folder = Folder::new("start");
    let more = "[species.any]\ncount = 200\npeople = true\n[species.high]\ncount = 30\npeople = true\n\
        place = { region = \"disc\", centre = [30, 20], radius = 6, height = 5 }\n";
    let scenario = folder.load(BRIDGE, UP, more).unwrap();
    let (storeys, world) = (scenario.storeys().unwrap(), scenario.build::<2>().unwrap());
    let mut on = [0, 0];
    for at in positions(&world, 0).into_iter().chain(positions(&world, 1)) {
        let place = storeys.locate(at).unwrap();
        let [x, y] = place.plan.0;
        let is_deck = (28.0..=32.0).contains(&x) && (8.0..=36.0).contains(&y);
        let is_ramp = (4.0..=28.0).contains(&x) && (8.0..=12.0).contains(&y);
        let is_low = (18.0..=22.0).contains(&y) || ((0.0..=4.0).contains(&x) && (8.0..=22.0).contains(&y));
        assert!(if place.name == "sheet-1" { is_low } else { is_deck || is_ramp }, "{place:?}");
        on[usize::from(place.name == "sheet-2")] += 1;
    }
    assert!(on[0] > 50 && on[1] > 80, "{on:?}");
    assert_eq!(storeys.locate(positions(&world, 1)[0]).unwrap().elevation, 5.0);
    #[cfg(feature = "trajectories")]
    {
        use throng_scenario::trajectories::{frame, frame_in};
        let frame = frame_in(storeys, frame(&scenario.build_any().unwrap()));
        let [_, _, z] = &frame.species[1].positions[..] else { panic!("positions of three dimensions") };
        assert!(z.len() == 30 && z.iter().all(|&height| height == 5.0), "{z:?}");
    }
}

#[test]
fn mistakes_are_reported() {
    let folder = Folder::new("mistakes");
    let square = "v 0 0 0\nv 9 0 0\nv 9 9 0\nv 0 9 0\n";
    let apart = format!("{square}v 20 0 0\nv 29 0 0\nv 29 9 0\nf 1 2 3 4\nf 5 6 7\n");
    let cases = [
        (square.to_owned(), UP, ONE, "ground = { file = \"level.obj\", up = \"z\" }: level.obj:1: has no faces"),
        ("v 0 nan 0\n".to_owned(), UP, ONE, "level.obj:1: a vertex must be three numbers: `v x y z`"),
        ("\nv 0 0\n".to_owned(), UP, ONE, "level.obj:2: a vertex must be three numbers"),
        (format!("{square}f 1 2 5\n"), UP, ONE, "level.obj:5: a vertex 5 does not exist: 4 are before the face"),
        (format!("{square}f 1 2 -5\n"), UP, ONE, "level.obj:5: a vertex -5 does not exist: 4 are before the face"),
        (format!("{square}f 1 2 0\n"), UP, ONE, "level.obj:5: a vertex 0 does not exist"),
        (format!("{square}f 1 2 x/3\n"), UP, ONE, "level.obj:5: `x` is not the number of a vertex"),
        (format!("{square}f 1 2\n"), UP, ONE, "level.obj:5: a face must have from 3 to 1000 corners"),
        (
            format!("{square}f 1 2 3 4\n"),
            "",
            ONE,
            "level.obj: none of the 1 faces has a slope of 45 degrees or less: is `up` right?",
        ),
        (
            format!("{square}f 1 2 3 4\n"),
            ", up = \"z\", origin = [-1, 0]",
            ONE,
            "level.obj: the ground reaches from (-1.000, 0.000) to (8.000, 9.000) m, out of the world, (0, 0) to (60, 40) \
             m: set origin = [0, 0]",
        ),
        (
            BRIDGE.to_owned(),
            UP,
            "[species.walker]\npeople = true\nplace = { positions = [[20, 30]] }\n",
            "scenario.toml:10:1: species.walker.place: the mesh has no ground under the middle of the place, [20.0, 30.0] m",
        ),
        (
            BRIDGE.to_owned(),
            UP,
            "[[region]]\nname = \"a\"\ncentre = [20, 30]\nradius = 1\n[species.walker]\ncount = 1\n",
            "scenario.toml:8:1: region.0: the mesh has no ground under the middle of the region, [20.0, 30.0] m",
        ),
        (
            BRIDGE.to_owned(),
            UP,
            "[marks]\na = [20, 30]\n[species.walker]\ncount = 1\n",
            "scenario.toml:9:5: marks.a = [20, 30]: the mesh has no ground there",
        ),
        (
            BRIDGE.to_owned(),
            UP,
            "[[region]]\nname = \"a\"\ncentre = [30, 30]\nradius = 3\n[[source]]\nname = \"a\"\nregion = \"a\"\n\
             species = \"walker\"\nnumber = 3\n[species.walker]\npeople = true\n",
            "scenario.toml:14:10: source.0.region = \"a\": all of the region must lie on the ground of the mesh",
        ),
        (
            BRIDGE.to_owned(),
            UP,
            "[[storey]]\nname = \"a\"\n[species.walker]\ncount = 1\n",
            "scenario.toml:8:3: storey: `ground` does not use it",
        ),
    ];
    for (mesh, keys, more, expected) in cases {
        let found = folder.load(&mesh, keys, more).map_or_else(|problems| problems, |_| String::new());
        assert!(found.contains(expected), "{found}\n  not {expected}");
    }
    let scenario = folder.load(&apart, UP, "[species.walker]\ncount = 1\n").unwrap();
    let warnings: Vec<_> = scenario.warnings().iter().map(ToString::to_string).collect();
    assert!(warnings.iter().any(|warning| warning.contains("has 2 parts that no edge joins")), "{warnings:?}");
    let flat =
        "format = 1\n[world]\ndimensions = 2\nsize = [9, 9]\n[species.walker]\ncount = 1\nplace = { height = 2 }\n";
    let found = Scenario::parse(flat, "flat.toml").unwrap_err().to_string();
    assert!(found.contains("place.height: the world has neither storeys nor `ground`"), "{found}");
}

/// What a large mesh costs: hills with many small faces.
#[test]
#[ignore = "a measurement"]
fn large_meshes_take_seconds() {
    const SIDE: usize = 224;
    let mut mesh = String::new();
    for number in 0..SIDE * SIDE {
        let [x, y] = [number % SIDE, number / SIDE].map(|at| at as f64 * 0.17);
        mesh += &format!("v {x} {y} {}\n", 2.0 * (0.3 * x).sin() * (0.2 * y).cos());
    }
    for number in (0..SIDE * (SIDE - 1)).filter(|number| (number + 1) % SIDE != 0) {
        mesh += &format!("f {} {} {} {}\n", number + 1, number + 2, number + SIDE + 2, number + SIDE + 1);
    }
    let folder = Folder::new("large");
    let started = std::time::Instant::now();
    let scenario = folder.load(&mesh, UP, ONE).unwrap();
    println!("{} sheets, {:?}", scenario.storeys().unwrap().names().count(), started.elapsed());
}
