//! `README.md` and `ARCHITECTURE.md` stay short, and the figures of the front page are the figures of the pages that it
//! names.

use crate::page;

/// The text of a page below the heading with this anchor, up to the next heading of the same level.
fn section(text: &str, anchor: &str) -> String {
    let mut kept = Vec::new();
    let mut level = 0;
    for line in text.lines() {
        let hashes = line.len() - line.trim_start_matches('#').len();
        if hashes > 0 {
            if level > 0 && hashes <= level {
                break;
            }
            if line[hashes..].trim().to_lowercase().replace(' ', "-") == anchor {
                level = hashes;
            }
        }
        if level > 0 {
            kept.push(line);
        }
    }
    kept.join("\n")
}

/// The texts between two marks, in turn inside and outside of them.
fn between<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(mark).skip(1).step_by(2)
}

#[test]
fn the_facts_are_those_of_the_pages_that_they_name() {
    let readme = page::read("README.md");
    let facts = section(&readme, "five-facts");
    let rows: Vec<&str> = facts.lines().filter(|line| line.starts_with("| ") && line.contains("](")).collect();
    assert_eq!(rows.len(), 5, "five facts");
    for row in rows {
        let (_, link) = row.rsplit_once("](").expect("a link");
        let (file, anchor) = link.split_once(')').expect("a link").0.split_once('#').expect("an anchor");
        let measured = section(&page::read(file), anchor).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(!measured.is_empty(), "{file} has a section {anchor}");
        let mut figures = 0;
        for figure in between(row, "**") {
            assert!(measured.contains(figure), "{file}#{anchor} does not have: {figure}");
            figures += 1;
        }
        assert!(figures > 0, "a fact has figures: {row}");
    }
}

#[test]
fn pages_for_newcomers_stay_short() {
    for (file, most) in [("README.md", 1000), ("ARCHITECTURE.md", 5000), ("CONTRIBUTING.md", 1600)] {
        let words = page::read(file).split_whitespace().count();
        assert!(words <= most, "{file} has {words} words, at most {most}");
    }
}

#[test]
fn versions_dates_and_counts_agree() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, text) in [
        ("CITATION.cff", format!("\nversion: {version}\n")),
        ("docs/citing.md", format!("version = {{{version}}}")),
        ("docs/install.md", format!("`throng-{version}-")),
        ("docs/install.md", format!("`throng_crowd-{version}-")),
        ("bindings/python/conda/recipe.yaml", format!("\n  version: \"{version}\"\n")),
    ] {
        assert!(page::read(file).contains(&text), "{file} is not of version {version}");
    }
    let changes = page::read("CHANGELOG.md");
    let latest = changes.lines().find(|line| line.starts_with("## ")).expect("a version");
    assert!(latest.contains(version), "the newest version of CHANGELOG.md is {latest}");
    // The oldest Rust, on the pages and in the badge.
    let rust = env!("CARGO_PKG_RUST_VERSION");
    for file in ["README.md", "docs/install.md", "docs/pictures/badge-rust.svg"] {
        assert!(page::read(file).contains(&format!("Rust {rust}")), "{file} does not name Rust {rust}");
    }
    // The date of the released version is in both.
    let released = latest.split(" - ").nth(1);
    let cited =
        page::read("CITATION.cff").lines().find_map(|line| line.strip_prefix("date-released: ").map(str::to_owned));
    assert_eq!(released.map(str::to_owned), cited.map(|date| date.trim_matches('"').to_owned()));
    // The front page dates its figures as the page does that has them all.
    let readme = page::read("README.md").split_whitespace().collect::<Vec<_>>().join(" ");
    let performance = page::read("docs/performance.md").split_whitespace().collect::<Vec<_>>().join(" ");
    let measured = readme.split("Speed and memory: version ").nth(1).expect("a date of the figures");
    let measured: String = measured.split(',').take(2).collect::<Vec<_>>().join(",");
    assert!(performance.contains(&format!("Version {measured}, ")), "docs/performance.md has no: Version {measured}");
    // The scenarios whose states at tick 1 000 are recorded, by processor.
    let golden = page::read("scenarios/golden.txt");
    let recorded = |machine| golden.lines().filter(|line| line.split(' ').any(|word| word == machine)).count();
    let [x86, arm, risc] = ["x86_64", "aarch64", "riscv64"].map(recorded);
    let counts = format!("all {x86} scenarios on x86-64, {arm} on aarch64 and {risc} on riscv64");
    assert!(page::read("docs/tab.md").contains(&counts), "docs/tab.md does not have: {counts}");
    // `pedvo` passes the same number of tests on all pages.
    let standards = page::read("docs/standards.md");
    let passes = standards.split("only as a whole: `pedvo` ").nth(1).and_then(|rest| rest.split(',').next());
    let passes = passes.expect("a count of tests");
    for file in ["README.md", "CHANGELOG.md", "docs/paper/paper.md"] {
        assert!(page::read(file).contains(passes), "{file} does not say {passes}, as docs/standards.md does");
    }
}
