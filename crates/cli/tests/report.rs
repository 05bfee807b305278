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
fn runs_are_added_until_the_curve_has_converged() {
    let folder = Folder::new("report-until");
    let file = folder.write("rooms.toml", EVACUATION);
    assert!(throng(&folder, &["run", &file, "--out", "done", "--quiet"]).status.success());
    let made = throng(&folder, &["report", "done", "--json", "--quiet", "--until", "0.2", "-o", "page.html"]);
    assert!(made.status.success(), "{made:?}");
    let object = json(&made.stdout);
    let runs = object["runs"].as_u64().unwrap();
    assert!(object["converged"] == true && (11..100).contains(&runs), "{object}");
    assert!(fs::read_to_string(folder.path("page.html")).unwrap().contains("Ronchi"));
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
