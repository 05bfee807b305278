//! Tests of `throng report`: the page has what happened in the run, and stands by itself.

use crate::common;

use std::fs;

use common::{EVACUATION, Folder, SMALL, json, throng};

#[test]
fn a_page_has_the_exits_the_densities_and_the_origin_of_a_run() {
    let folder = Folder::new("report");
    let file = folder.write("rooms.toml", EVACUATION);
    let ran = throng(&folder, &["run", &file, "--out", "done", "--quiet"]);
    assert!(ran.status.success(), "{ran:?}");
    let summary = json(&fs::read(folder.path("done/summary.json")).unwrap());
    let made = throng(&folder, &["report", "done", "--json", "--quiet", "--seeds", "3"]);
    assert!(made.status.success(), "{made:?}");
    let object = json(&made.stdout);
    assert_eq!(
        ["runs", "persons", "left", "remaining"].map(|key| object[key].as_u64()),
        [Some(3), Some(9), Some(9), Some(0)]
    );
    // The last person leaves in the last tick of a run that ends when its world is empty.
    let last = object["last_exits"][0].as_f64().unwrap();
    let ticks = summary["ticks"].as_f64().unwrap();
    assert!((last - 0.05 * ticks).abs() < 0.051, "{last} {ticks}");
    // About eight metres at 1.3 m/s at least.
    assert!((5.0..60.0).contains(&last), "{last}");
    let [low, high] = [0, 1].map(|end| object["mean_last_exit_confidence"][end].as_f64().unwrap());
    let all: Vec<f64> = object["last_exits"].as_array().unwrap().iter().filter_map(|last| last.as_f64()).collect();
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    assert!(low < mean && mean < high, "{low} {mean} {high}");
    let page = fs::read_to_string(folder.path("done/report.html")).unwrap();
    let hash = summary["hash"].as_str().unwrap();
    for part in [
        "<title>Rooms &lt;A&gt; &amp; B</title>",
        "9 agents; 9 left",
        "<td>east</td><td class=\"n\">9</td>",
        "The most at any time",
        "mean of 3 runs",
        "3 to 5",
        hash,
        "Save the table of all 9 agents",
        "with a confidence of 95 %",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // The flow of an exit is defined as for a line: the persons after the first, over the time between the first and the last.
    let row = page.split("<td>east</td>").nth(1).and_then(|row| row.split("</tr>").next()).unwrap();
    let cells: Vec<f64> =
        row.split("<td class=\"n\">").skip(1).map(|cell| cell[..cell.len() - 5].parse().unwrap()).collect();
    let [agents, first, last, flow] = [0, 1, 2, 3].map(|cell| cells[cell]);
    let seconds = last - first;
    assert!((flow * seconds - (agents - 1.0)).abs() < 0.1 * flow + 0.01 * seconds, "{cells:?}");
    // Nothing is loaded from elsewhere.
    for part in ["http://", "https://", "<script", "<link"] {
        let found = page.match_indices(part).map(|(at, _)| &page[at..usize::min(at + 60, page.len())]);
        let found: Vec<&str> = found.filter(|text| !text.starts_with("http://www.w3.org/")).collect();
        assert!(found.is_empty(), "{found:?}");
    }
    let again = throng(&folder, &["report", "done"]);
    assert!(again.status.code() == Some(2) && String::from_utf8_lossy(&again.stderr).contains("--force"), "{again:?}");
}

#[test]
fn a_page_has_the_inputs_the_lines_and_the_areas_of_a_run() {
    let folder = Folder::new("report-inputs");
    let scenario = EVACUATION.replace(
        "place = {",
        "pre_movement = { median = 5.0, log_sd = 0.5, high = 30.0 }\nfamiliar = { out = 0.5 }\n\
         kinds = [{ name = \"slow\", share = 0.25, max_speed = 0.5 }]\nplace = {",
    );
    let more = "[[wall]]\nname = \"gate\"\nline = [[10.0, 4.0], [10.0, 4.6]]\nopen = [[2.0, 90.0]]\n\
                [output.measures.line.door]\nfrom = [10.0, 4.0]\nto = [10.0, 6.0]\n\
                [output.measures.area.front]\ncentre = [9.0, 5.0]\nsize = [2.0, 2.0]\n";
    let file = folder.write("rooms.toml", &format!("{scenario}{more}"));
    let set = ["--set", "species.person.radius=0.21", "--set", "navigation.out.clearance=0.3"];
    let ran = throng(&folder, &[&["run", &file, "--out", "done", "--quiet"], &set[..]].concat());
    assert!(ran.status.success(), "{ran:?}");
    let made = throng(&folder, &["report", "done", "--seeds", "2"]);
    assert!(made.status.success(), "{made:?}");
    let summary = json(&fs::read(folder.path("done/summary.json")).unwrap());
    let mean = |name: &str| format!("{:.2}", summary["measures"][&format!("{name}.front")]["mean"].as_f64().unwrap());
    let [count, cells] = ["classic_density", "voronoi_density"].map(mean);
    let flow = format!("{:.2}</td></tr>", summary["flow"]["door"].as_f64().unwrap());
    let page = fs::read_to_string(folder.path("done/report.html")).unwrap();
    for part in [
        // The values of the run, with the changes of the command line.
        "agents = 9, motion = collision_free_speed, mass = 80 kg, radius = 0.21 m, max_speed = 1.3 m/s, pre_movement = \
         { median = 5, log_sd = 0.5, low = 0, high = 30 } s, familiar.out = 0.5",
        "<td>kind of person</td><td>slow</td><td>share = 0.25, max_speed = 0.5 m/s</td>",
        "clearance = 0.3 m",
        "<td>door</td><td>gate</td>",
        "line = [[10.0, 4.0], [10.0, 4.6]] m",
        "open = [[2.0, 90.0]] s",
        "<td>door</td><td class=\"n\">9</td><td class=\"n\">9</td><td class=\"n\">0</td>",
        &flow,
        &format!("<td>front</td><td class=\"n\">{count}</td>"),
        &format!("<td class=\"n\">{cells}</td>"),
        "nearest rank",
        // The curves of one figure.
        "\nin the world\n",
        "\nset off\n",
        "\nleft\n",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn runs_are_added_until_the_curve_has_converged() {
    let folder = Folder::new("report-until");
    let file = folder.write("rooms.toml", EVACUATION);
    assert!(throng(&folder, &["run", &file, "--out", "done", "--quiet"]).status.success());
    let made = throng(&folder, &["report", "done", "--json", "--quiet", "--until", "0.2", "-o", "page.html"]);
    assert!(made.status.success(), "{made:?}");
    let object = json(&made.stdout);
    let runs = object["runs"].as_u64().unwrap();
    assert!(object["converged"] == true && (11..100).contains(&runs), "{object}");
    // The tolerance is not the error of the mean: page and text have its interval.
    let page = fs::read_to_string(folder.path("page.html")).unwrap();
    assert!(page.contains("Ronchi") && page.contains("Such a change is not the error of the mean"));
    assert_eq!(page.contains("too narrow"), runs < 20);
    let text = throng(&folder, &["report", "done", "--until", "0.2", "-o", "page.html", "--force"]).stdout;
    let text = String::from_utf8_lossy(&text).into_owned();
    let [low, high] = [0, 1].map(|end| object["mean_last_exit_confidence"][end].as_f64().unwrap());
    assert!(
        text.contains(&format!("converged to 0.2; the mean of the last exit is {low:.1} to {high:.1} s")),
        "{text}"
    );
}

#[test]
fn a_changed_run_and_a_missing_one_are_refused() {
    let folder = Folder::new("report-wrong");
    let file = folder.write("small.toml", SMALL);
    assert!(throng(&folder, &["run", &file, "--ticks", "5", "--out", "done", "--quiet"]).status.success());
    // Agents that stay have no exits, and a page all the same.
    let made = throng(&folder, &["report", "done", "-q"]);
    assert!(made.status.success(), "{made:?}");
    assert!(fs::read_to_string(folder.path("done/report.html")).unwrap().contains("30 did not leave"));
    let path = folder.path("done/summary.json");
    let text = fs::read_to_string(&path).unwrap();
    let hash = json(text.as_bytes())["hash"].as_str().unwrap().to_owned();
    fs::write(&path, text.replace(&hash, "0123456789abcdef")).unwrap();
    let wrong = throng(&folder, &["report", "done", "-q", "--force"]);
    assert_eq!(wrong.status.code(), Some(3), "{wrong:?}");
    for (arguments, part) in [(&["report", "nowhere"][..], "nowhere"), (&["report", "done", "--until", "1"], "below 1")]
    {
        let refused = throng(&folder, arguments);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains(part), "{refused:?}");
    }
}

/// In a building: the agents of each storey and of the stairs, and the stairs by which they left.
#[test]
fn a_page_has_the_storeys_and_the_stairs_of_a_building() {
    let folder = Folder::new("report-storeys");
    let file = folder.write(
        "house.toml",
        "format = 1\n[world]\ndimensions = 2\nsize = [20, 16]\ntick = 0.05\nticks = 4000\nuntil = \"empty\"\nseed = 3\n\
         [[storey]]\nname = \"ground\"\n[[storey]]\nname = \"upper\"\nelevation = 3.5\n\
         [[stair]]\nname = \"west\"\nstoreys = [\"ground\", \"upper\"]\nfoot = [[4, 4], [6, 4]]\nrun = [0, 6]\n\
         [[stair]]\nname = \"far\"\nstoreys = [\"ground\", \"upper\"]\nfoot = [[14, 4], [16, 4]]\nrun = [0, 6]\n\
         [[region]]\nname = \"exit\"\ncentre = [1, 1]\nsize = [2, 2]\n\
         [[sink]]\nname = \"door\"\nregion = \"exit\"\n[navigation.out]\ngoals = [\"region:exit\"]\n\
         [species.person]\ncount = 6\npeople = true\nbehaviours = [{ rule = \"walk_to\", goals = [\"out\"] }]\n\
         place = { region = \"box\", centre = [6, 12], size = [6, 2], storey = \"upper\", speed = 0 }\n",
    );
    let ran = throng(&folder, &["run", &file, "--out", "done", "--quiet"]);
    assert!(ran.status.success(), "{ran:?}");
    let made = throng(&folder, &["report", "done", "--json", "--quiet"]);
    assert!(made.status.success(), "{made:?}");
    assert_eq!(json(&made.stdout)["remaining"].as_u64(), Some(0));
    let page = fs::read_to_string(folder.path("done/report.html")).unwrap();
    let cells = |name: &str| -> Vec<String> {
        let row = page.split(&format!("<tr><td>{name}</td>")).nth(1).and_then(|row| row.split("</tr>").next()).unwrap();
        row.split("<td").skip(1).map(|cell| cell[cell.find('>').unwrap() + 1..cell.len() - 5].to_owned()).collect()
    };
    let number = |name: &str, cell: usize| cells(name)[cell].parse::<f64>().unwrap();
    assert_eq!([number("upper", 0), number("upper", 1), number("ground", 0)], [6.0, 6.0, 0.0]);
    assert_eq!([number("west", 0), number("far", 0)], [6.0, 0.0]);
    // The last leaves the upper storey as it comes on the stair, and the ground when the run ends.
    assert!((number("upper", 3) - number("west", 3)).abs() < 0.11, "{:?} {:?}", cells("upper"), cells("west"));
    assert!(number("ground", 3) > number("upper", 3));
    assert!(page.contains("<tr><td>west</td><td>door</td><td class=\"n\">6</td></tr>"), "{page}");
    assert!(page.contains(">upper</text>"));
}
