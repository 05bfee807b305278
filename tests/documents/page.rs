//! Pages of Markdown: their generated parts, their code blocks, and how both are compared.

use std::path::PathBuf;

/// The start of a comment in whose place the book on the site has a live world; the path of its scenario follows.
pub(crate) const LIVE: &str = "live ";

/// A file of the repository.
pub(crate) fn path(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file)
}

/// The text of a file of the repository.
pub(crate) fn read(file: &str) -> String {
    std::fs::read_to_string(path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Compares a page with the expected text; with `THRONG_BLESS` writes the text to the page instead.
pub(crate) fn compare(file: &str, should: &str) {
    let is = read(file);
    if std::env::var_os("THRONG_BLESS").is_some() {
        std::fs::write(path(file), should).unwrap();
        return;
    }
    for (is, should) in is.lines().zip(should.lines()) {
        assert_eq!(is, should, "{file}: scripts/bless.sh documents rewrites it");
    }
    assert_eq!(is, should, "{file}");
}

/// The page with every part between `<!-- NAME -->` and `<!-- end -->` replaced by `part(NAME)`, where it gives one. Live
/// worlds have no such parts.
pub(crate) fn fill(page: &str, mut part: impl FnMut(&str) -> Option<String>) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("<!-- ") {
        let (name, after) = after.split_once(" -->\n").expect("a comment ends its line");
        text += &format!("{before}<!-- {name} -->\n");
        rest = after;
        if name.starts_with(LIVE) {
            continue;
        }
        if let Some(part) = part(name) {
            let (_, after) = rest.split_once("<!-- end -->").unwrap_or_else(|| panic!("{name} has no end"));
            text += &format!("{part}<!-- end -->");
            rest = after;
        }
    }
    text + rest
}

/// The code blocks of a page in this language, with the line on which each begins.
pub(crate) fn blocks(page: &str, language: &str) -> Vec<(usize, String)> {
    use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

    let mut blocks = Vec::new();
    let mut open = None;
    for (event, range) in Parser::new(page).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) if &*info == language => {
                open = Some((page[..range.start].lines().count() + 1, String::new()));
            }
            Event::Text(text) => open.iter_mut().for_each(|(_, block)| block.push_str(&text)),
            Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

/// An example as a whole scenario: what every file needs is added where the example lacks it.
pub(crate) fn whole(example: &str) -> String {
    let keys: toml::Table = example.parse().unwrap_or_else(|error| panic!("{error}:\n{example}"));
    let mut text = String::new();
    if !keys.contains_key("format") {
        text += "format = 1\n";
    }
    text += example;
    if !keys.contains_key("world") {
        text += "\n[world]\ndimensions = 2\nsize = [100.0, 100.0]\n";
    }
    if !keys.contains_key("species") {
        text += "\n[species.agent]\ncount = 10\n";
    }
    text
}
