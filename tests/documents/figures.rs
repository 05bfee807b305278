//! Every figure of speed or memory has one record: a section with its date and machine. Elsewhere the paragraph, the item
//! of a list or the row of a table that quotes a figure has a link to a record with this figure.

use std::ops::Range;
use std::path::Path;

use crate::links::{anchor, markdown};
use crate::page::{path, read};

/// Units that only measurements have: limits are in MiB, and times of worlds in seconds.
const UNITS: &str = "ms|µs|ns|GB|MB|kB|microseconds|nanoseconds|times as fast|times as long|bytes per agent|bytes each";
/// Pages with a table of the machine and the date, which `scripts/comparisons.sh` writes.
const GENERATED: [&str; 2] = ["docs/comparisons.md", "docs/comparisons/measured.md"];
/// Machines. One was recorded without its name.
const MACHINES: [&str; 3] = ["AMD EPYC", "Intel Xeon", "machine with two cores"];
/// The pages and folders of records.
const RECORDS: [&str; 3] = ["docs/performance.md", "docs/dev", "docs/people"];

/// The places of the numbers of a text. Groups of three digits belong to one number.
fn numbers(text: &str) -> Vec<Range<usize>> {
    let length = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut found = Vec::<Range<usize>>::new();
    let mut at = 0;
    while let Some(next) = text[at..].find(|letter: char| letter.is_ascii_digit()) {
        let start = at + next;
        at = start + length(start);
        while text[at..].starts_with(' ') && length(at + 1) == 3 {
            at += 4;
        }
        if text[at..].starts_with('.') && length(at + 1) > 0 {
            at += 1 + length(at + 1);
        }
        if !text[..start].ends_with(char::is_alphanumeric) {
            found.push(start..at);
        }
    }
    found
}

/// The digits of a number.
fn digits(text: &str, place: Range<usize>) -> String {
    text[place].replace(' ', "")
}

/// Whether a text begins with a unit.
fn is_unit(text: &str) -> bool {
    UNITS.split('|').any(|unit| text.strip_prefix(unit).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
}

/// The figures of a text: the numbers before a unit, and the number before such a one and "to", "and" or "or".
fn figures(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut next = None;
    for place in numbers(text).into_iter().rev() {
        let joined = next.is_some_and(|next| matches!(&text[place.end..next], " to " | " and " | " or "));
        next = (joined || is_unit(text[place.end..].trim_start())).then_some(place.start);
        found.extend(next.map(|_| digits(text, place)));
    }
    found
}

/// A paragraph, an item of a list or a row of a table, and its figures.
struct Block {
    text: String,
    figures: Vec<String>,
}

/// The blocks of a section, without code.
fn blocks(section: &str) -> Vec<Block> {
    let section = section.replace("**", "");
    let mut texts = vec![String::new()];
    for (part, prose) in section.split("```").enumerate() {
        for line in prose.lines().filter(|_| part % 2 == 0) {
            if line.is_empty() || line.starts_with(['-', '|']) {
                texts.push(String::new());
            }
            let text = texts.last_mut().expect("a text");
            *text = format!("{text} {}", line.trim());
        }
    }
    let mut units = Vec::new();
    let mut blocks = Vec::new();
    for text in texts {
        let cells: Vec<&str> = text.split(" | ").collect();
        let mut all = figures(&text);
        if !text.starts_with(" |") {
            units.clear();
        } else if units.is_empty() {
            let words = |cell: &&str| {
                cell.char_indices().any(|(at, _)| !cell[..at].ends_with(char::is_alphanumeric) && is_unit(&cell[at..]))
            };
            units = cells.iter().map(words).collect();
        } else {
            let columns = cells.iter().zip(&units).filter(|(_, is_unit)| **is_unit);
            all.extend(columns.flat_map(|(cell, _)| numbers(cell).into_iter().map(|place| digits(cell, place))));
        }
        blocks.push(Block { text, figures: all });
    }
    blocks
}

/// Whether a section of a page is a record: it, or the start of its page, has a machine and a date.
fn is_record(file: &Path, section: &str) -> bool {
    let text = section.split_whitespace().collect::<Vec<_>>().join(" ");
    let has_date = text.match_indices(" 20").any(|(at, _)| text[..at].ends_with("ber"));
    let place = file.strip_prefix(path("")).expect("a file of the repository");
    let is_here = RECORDS.iter().any(|record| place.starts_with(record));
    is_here && has_date && MACHINES.iter().any(|machine| text.contains(machine))
}

/// The sections of a page, each with the start of the page, which may name the machine and the date for all.
fn sections(page: &str) -> Vec<[&str; 2]> {
    let mut parts = page.split("\n## ");
    let start = parts.next().unwrap_or_default();
    std::iter::once(["", start]).chain(parts.map(|part| [start, part])).collect()
}

/// The section that has a heading with this anchor.
fn find<'a>(page: &'a str, to: &str) -> Option<[&'a str; 2]> {
    let has = |part: &str| {
        part.lines().enumerate().any(|(line, text)| {
            (line == 0 || text.starts_with("### ")) && anchor(text.trim_start_matches('#').trim()) == to
        })
    };
    sections(page).into_iter().find(|[_, part]| has(part))
}

/// The records that a block has links to.
fn records(file: &Path, block: &str) -> Vec<String> {
    let links = block.split("](").skip(1).filter_map(|rest| rest.split_once(')')?.0.split_once('#'));
    let record = |(to, anchor): (&str, &str)| {
        let file = if to.is_empty() { file.to_owned() } else { file.parent()?.join(to).canonicalize().ok()? };
        let text = std::fs::read_to_string(&file).ok()?;
        let section = find(&text, anchor)?.concat();
        (is_record(&file, &section) || GENERATED.iter().any(|page| file.ends_with(page))).then_some(section)
    };
    links.filter_map(record).collect()
}

#[test]
fn figures_are_found_by_their_units() {
    assert_eq!(figures("2 cores take 1 to 2.5 ms, 10 000 take 40 MiB, and 3 times as fast"), ["3", "2.5", "1"]);
    let rows = blocks("| agents | ms per tick |\n|---|---|\n| 1 000 | 0.5; 0.7 |\n");
    assert_eq!(rows.last().unwrap().figures, ["0.5", "0.7"]);
}

#[test]
fn every_figure_has_a_record() {
    let mut files = vec![path("CITATION.cff")];
    markdown(&path(""), &mut files);
    let mut without = Vec::new();
    for file in files.iter().filter(|file| !GENERATED.iter().any(|page| file.ends_with(page))) {
        let text = std::fs::read_to_string(file).unwrap();
        // Of the changes, the newest version.
        let most = if file.ends_with("CHANGELOG.md") { 2 } else { usize::MAX };
        for section in sections(&text).into_iter().take(most).filter(|section| !is_record(file, &section.concat())) {
            for Block { text, figures } in blocks(section[1]) {
                let records = records(file, &text);
                let has = |figure: &String| {
                    records
                        .iter()
                        .any(|record| numbers(record).into_iter().any(|place| digits(record, place) == *figure))
                };
                let lacks: Vec<_> = figures.iter().filter(|figure| !has(figure)).collect();
                if !lacks.is_empty() {
                    without.push(format!("{}: {lacks:?} in{text}", file.to_string_lossy()));
                }
            }
        }
    }
    assert!(without.is_empty(), "figures without a link to a dated section that has them:\n{}", without.join("\n"));
}

#[test]
fn the_agents_of_a_frame_follow_from_the_times_beside_them() {
    let page = read("docs/benchmark.md");
    let number = |cell: &str, place: Range<usize>| digits(cell, place).parse::<f64>().unwrap();
    let mut rows = 0;
    for row in page.lines().filter(|line| line.starts_with("| ") && line.contains("](")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [.., recorded, agents] = cells[..] else { panic!("{row}") };
        let [time, of] = &numbers(recorded)[..] else { continue };
        let (fit, said) = (number(recorded, of.clone()) / 60e-3 / number(recorded, time.clone()), &numbers(agents)[0]);
        let digit = 10_f64.powf(fit.log10().floor() - 1.0);
        assert_eq!((fit / digit).floor() * digit, number(agents, said.clone()), "{row}");
        rows += 1;
    }
    assert!(rows >= 10, "{rows} rows");
}
