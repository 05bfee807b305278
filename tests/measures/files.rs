//! Measures in scenario files.

use throng::measures::measures;
use throng_scenario::Scenario;

/// The problems of a file with these lines of output, without the path of the file; `size` gives the dimensions.
fn problems(size: &str, output: &str) -> String {
    match parse(size, output) {
        Ok(_) => String::new(),
        Err(problems) => problems.to_string().replace("s.toml:", "").trim().to_owned(),
    }
}

fn parse(size: &str, output: &str) -> Result<Scenario, throng_scenario::Problems> {
    let dimensions = size.split(',').count();
    let head = format!("format = 1\nworld = {{ dimensions = {dimensions}, size = [{size}] }}\nspecies.a.count = 1\n");
    Scenario::parse(&format!("{head}{output}\n"), "s.toml")
}

const FLAT: &str = "10.0, 10.0";

#[test]
fn a_file_asks_for_measures() {
    let recording = |output: &str| parse(FLAT, output).unwrap().recording().clone();
    let names =
        |output: &str| recording(output).measures.iter().map(|measure| measure.name.clone()).collect::<Vec<_>>();
    assert_eq!(recording(""), Default::default());
    assert_eq!(recording("[output]\nmeasures = { every = 10 }").every, 10);
    let usual = measures().iter().filter(|measure| measure.is_usual() && !measure.needs_radius);
    let without: Vec<_> = usual.map(|measure| measure.name.clone()).collect();
    assert_eq!(names("[output]\nmeasures = { every = 10 }"), without);
    let all_usual = measures().iter().filter(|measure| measure.is_usual()).count();
    assert_eq!(names("[output]\nmeasures = { radius = 2 }").len(), all_usual);
    assert_eq!(names("[output]\nmeasures.names = ['milling', 'density', 'milling']"), ["milling", "density"]);
    let full = recording("[output.measures]\nnames = []\n[output.measures.line.door]\nfrom = [1, 2]\nto = [3, 4]");
    assert_eq!(full.lines, [("door".to_owned(), [[1.0, 2.0].into(), [3.0, 4.0].into()])]);
    let area = recording("[output.measures.area.hall]\ncentre = [5, 5]\nsize = [2, 1]");
    assert_eq!((&area.areas[0].0[..], area.areas[0].2), ("hall", 2.0));
    assert!(!recording("").crowd && recording("walls = [[[1, 1], [2, 2]]]").crowd);
}

#[test]
fn mistakes_are_reported_with_their_place() {
    let cases = [
        ("[output]\nmeasures = 10", "5:12: output.measures = 10: must be a table"),
        ("[output]\nmeasures = { every = 0 }", "5:22: output.measures.every = 0: must be a whole number from 1 to "),
        ("[output]\nmeasures = { evry = 1 }", "5:14: output.measures.evry: unknown key; did you mean `every`?"),
        (
            "[output]\nmeasures = { names = ['milling', 'milking'] }",
            "5:34: output.measures.names = 'milking': unknown measure `milking`; did you mean `milling`?",
        ),
        (
            "[output]\nmeasures = { names = 'milling' }",
            "5:22: output.measures.names = 'milling': must be an array of words, each one of agents, polarisation, ",
        ),
        ("[output]\nmeasures = { names = [1] }", "5:22: output.measures.names = [1]: must be an array of words"),
        (
            "[output]\nmeasures = { names = ['clusters'] }",
            "5:1: output.measures.radius: is missing: the names `clusters` needs it",
        ),
        (
            "[output]\nmeasures = { radius = -1 }",
            "5:23: output.measures.radius = -1: must be a number in [0.000001, 1e6] m",
        ),
        (
            "[output.measures.line.door]\nfrom = [1, 2]\nto = [1, 2]",
            "6:6: output.measures.line.door.to = [1, 2]: must differ from the first end",
        ),
        (
            "[output.measures.line.door]\nfrom = [1, 2]",
            "4:23: output.measures.line.door.to: is missing: must be an array",
        ),
        (
            "[output.measures.line.'a b']\nfrom = [1, 2]\nto = [2, 2]",
            "4:23: output.measures.line.a b: a name must be 1 to 64 letters, digits, `_` or `-`",
        ),
        (
            "[output.measures.area.a]\ncentre = [1, 2]\nsize = [1, 0]",
            "6:8: output.measures.area.a.size = [1, 0]: must be an array of one number per dimension, each in ",
        ),
        (
            "[output.measures.area.a]\ncentre = [1, 2]\nsize = [1, 1]\nreach = 0",
            "7:9: output.measures.area.a.reach = 0: must be a number in [0.000001, 1e6] m",
        ),
    ];
    for (output, expected) in cases {
        let found = problems(FLAT, output);
        assert!(found.starts_with(expected), "{output}\n{found}\n{expected}");
        assert!(found.lines().count() <= 2, "{found}");
    }
    let found = problems("10.0, 10.0, 10.0", "[output.measures.line.door]\nfrom = [1, 2, 3]\nto = [3, 2, 3]");
    assert!(found.contains("output.measures.line: needs a world of two dimensions"), "{found}");
}
