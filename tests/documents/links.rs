//! Every relative link in a Markdown file of the repository leads to a file, and its anchor to a heading.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::page::path;

/// The Markdown files below a folder, build outputs and hidden folders left out.
pub(crate) fn markdown(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "target" && !name.starts_with('.') {
                markdown(&path, files);
            }
        } else if name.ends_with(".md") {
            files.push(path);
        }
    }
}

/// The links of a page, and the anchors of its headings.
struct Links {
    links: Vec<String>,
    anchors: Vec<String>,
}

impl Links {
    fn of(text: &str) -> Self {
        let (mut links, mut anchors): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        let mut heading: Option<String> = None;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    links.push(dest_url.into_string());
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::Text(text) | Event::Code(text) => heading.iter_mut().for_each(|heading| *heading += &text),
                Event::End(TagEnd::Heading(_)) => {
                    let anchor = anchor(&heading.take().unwrap_or_default());
                    let before = anchors.iter().filter(|other| **other == anchor).count();
                    anchors.push(if before == 0 { anchor } else { format!("{anchor}-{before}") });
                }
                _ => {}
            }
        }
        Self { links, anchors }
    }
}

/// Returns the anchor of a heading, as GitHub and mdBook derive it.
pub(crate) fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|&letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[test]
fn relative_links_lead_somewhere() {
    let mut files = Vec::new();
    markdown(&path(""), &mut files);
    let pages: HashMap<PathBuf, Links> = files
        .iter()
        .map(|file| (file.canonicalize().unwrap(), Links::of(&std::fs::read_to_string(file).unwrap())))
        .collect();
    let mut dead = Vec::new();
    for (file, page) in &pages {
        for link in page.links.iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
            let (to, anchor) = link.split_once('#').unwrap_or((link, ""));
            let to = if to.is_empty() { Ok(file.clone()) } else { file.parent().unwrap().join(to).canonicalize() };
            let found = match (to, anchor) {
                (Err(_), _) => false,
                (Ok(_), "") => true,
                (Ok(to), anchor) => pages.get(&to).is_some_and(|page| page.anchors.iter().any(|known| known == anchor)),
            };
            if !found {
                dead.push(format!("{}: {link}", file.to_string_lossy()));
            }
        }
    }
    dead.sort();
    assert!(dead.is_empty(), "links that lead nowhere:\n{}", dead.join("\n"));
    assert!(pages.len() > 10, "the pages were found");
}

#[test]
fn anchors_are_made_of_headings() {
    let page = Links::of("# The `tick`, in full\n\n## A\n\n## A\n\n[to](x.md#y) ![picture](p.png)\n");
    assert_eq!(page.anchors, ["the-tick-in-full", "a", "a-1"]);
    assert_eq!(page.links, ["x.md#y", "p.png"]);
}
