//! Bounds on the work that a drawing asks for, before it is done.

use std::collections::{HashMap, HashSet};

use usvg::roxmltree::{Document, Node};

use crate::plans::builder::Builder;
use crate::plans::error::{Fault, PlanError};
use crate::plans::limits::{LARGEST_FILE, MOST_POINTS};

/// The largest number of elements, texts and comments of a drawing; an element counts each time it is used.
pub(super) const MOST_NODES: usize = 200_000;
/// The largest depth of elements.
const DEEPEST: usize = 512;
/// The largest depth of elements that use each other.
const DEEPEST_USE: usize = 1024;
/// The largest sum of the depths of all elements: a style may be inherited from each element around another. Four
/// declarations in the style of such an element count as one more of them.
const MOST_DEPTHS: usize = 20_000_000;
/// The largest number of characters of paths with curves: an arc of a dozen characters takes a kilobyte.
const MOST_CURVES: usize = 5 << 20;
/// The largest number of times in a row that a path is closed: the parser of paths descends once more for each.
const MOST_CLOSED: usize = 1000;
/// The largest number of elements in copies of patterns: each shape that is filled with a pattern has its own.
const MOST_PAINTED: usize = 400_000;
/// The largest number of characters in style sheets.
const MOST_STYLE: usize = 16 << 10;
/// The largest number of comparisons of elements with selectors of style sheets.
const MOST_MATCHES: f64 = 2e8;
/// The largest number of characters of attributes that are compared with selectors.
const MOST_COMPARED: usize = 2_000_000_000;
/// The largest number of bytes of lists of name spaces.
const MOST_SPACES: usize = 64 << 20;

/// Refuses texts whose entities or name spaces multiply, before they are parsed.
pub(super) fn check_text(builder: &Builder<'_>) -> Result<(), PlanError> {
    let text = builder.text;
    // An element that declares name spaces has a list of all those around it.
    let declared: Vec<&str> = text.match_indices("xmlns").map(|(at, _)| declaration(&text[at..])).collect();
    let different = declared.iter().collect::<HashSet<_>>().len();
    if 2 * declared.len() * different > MOST_SPACES {
        return Err(builder.error(None, Fault::TooMany { what: "name spaces", most: MOST_SPACES / 2 / declared.len() }));
    }
    let values: Vec<&str> = text.split("<!ENTITY").skip(1).map(quoted).collect();
    let longest = values.iter().map(|value| value.len()).max().unwrap_or(0);
    // The parser follows 255 references within one.
    let nested = if values.iter().any(|value| references(value) > 0) { 255 } else { 1 };
    if references(text).saturating_mul(longest).saturating_mul(nested) as u64 > LARGEST_FILE {
        return Err(builder.error(None, Fault::Repeats));
    }
    Ok(())
}

/// The text from here to the end of the first value in quotes.
fn declaration(text: &str) -> &str {
    let value = quoted(text);
    &text[..value.as_ptr() as usize - text.as_ptr() as usize + value.len()]
}

/// The first text in quotes.
fn quoted(text: &str) -> &str {
    let Some(start) = text.find(['"', '\'']) else { return &text[text.len()..] };
    let rest = &text[start + 1..];
    &rest[..rest.find(char::from(text.as_bytes()[start])).unwrap_or(rest.len())]
}

/// The number of references to entities other than characters.
fn references(text: &str) -> usize {
    let known = ["#", "amp;", "lt;", "gt;", "quot;", "apos;"];
    text.split('&').skip(1).filter(|rest| !known.iter().any(|known| rest.starts_with(known))).count()
}

/// Refuses drawings whose reading could take very long.
pub(super) fn check(builder: &Builder<'_>, document: &Document<'_>) -> Result<(), PlanError> {
    let mut depths: Vec<usize> = Vec::new();
    let (mut style, mut selectors, mut by_attribute) = (0, Vec::new(), false);
    for node in document.descendants() {
        // Nodes are numbered in the order of the document, parents first.
        let depth = node.parent().and_then(|parent| depths.get(parent.id().get_usize())).map_or(0, |depth| depth + 1);
        depths.push(depth);
        let at = node.range().start;
        if depth > DEEPEST {
            return Err(builder.error(at, Fault::TooDeep(DEEPEST)));
        }
        if node.is_text() && node.parent().is_some_and(|parent| parent.tag_name().name() == "style") {
            let text = node.text().unwrap_or_default();
            style += text.len();
            if style > MOST_STYLE {
                let fault = Fault::TooMany { what: "characters of style sheets", most: MOST_STYLE };
                return Err(builder.error(at, fault));
            }
            by_attribute |= text.contains('[');
            selectors.extend(text.split([',', '{', '}']).map(|selector| selector.split_whitespace().count()));
        }
    }
    let deepest = depths.iter().copied().max().unwrap_or(0) as f64;
    // A selector reads the classes of an element from the first one, or another attribute.
    let read = |name: &str| by_attribute || name == "class";
    let attributes = document.descendants().flat_map(|node| node.attributes());
    let characters: usize =
        attributes.filter(|attribute| read(attribute.name())).map(|attribute| attribute.value().len()).sum();
    if characters.saturating_mul(selectors.len()) > MOST_COMPARED {
        let fault = Fault::TooMany { what: "comparisons with style sheets", most: MOST_COMPARED };
        return Err(builder.error(None, fault));
    }
    check_paths(builder, document)?;
    // A selector of several names may be compared with every choice among the elements around one.
    let matches = |names: &usize| (1..*names).fold(1.0, |product, name| product * deepest / name as f64);
    // bits: only a limit
    let matches = selectors.iter().map(matches).sum::<f64>() * depths.len() as f64;
    if matches > MOST_MATCHES {
        let fault = Fault::TooMany { what: "comparisons with style sheets", most: MOST_MATCHES as usize };
        return Err(builder.error(None, fault));
    }
    check_uses(builder, document)
}

/// Refuses drawings whose paths are too long.
fn check_paths(builder: &Builder<'_>, document: &Document<'_>) -> Result<(), PlanError> {
    let (mut points, mut curves) = (0, 0);
    for node in document.descendants() {
        let Some(path) = node.attribute("d") else { continue };
        let (mut ends, mut is_curved, mut closed) = (0, false, 0);
        for character in path.bytes().map(|character| character.to_ascii_lowercase()) {
            let curve = matches!(character, b'c' | b's' | b'q' | b't' | b'a');
            is_curved |= curve;
            // Each of these commands has a point at its end.
            ends += usize::from(curve || matches!(character, b'l' | b'h' | b'v'));
            match character {
                b'z' => closed += 1,
                b' ' | b'\t' | b'\n' | b'\r' | 0x0c | b',' => {}
                _ => closed = 0,
            }
            if closed > MOST_CLOSED {
                let fault = Fault::TooMany { what: "ends of a path in a row", most: MOST_CLOSED };
                return Err(builder.error(node.range().start, fault));
            }
        }
        points += ends;
        curves += if is_curved { path.len() } else { 0 };
    }
    if points > MOST_POINTS {
        return Err(builder.error(None, Fault::TooMany { what: "points", most: MOST_POINTS }));
    }
    if curves > MOST_CURVES {
        return Err(builder.error(None, Fault::TooMany { what: "characters of curves", most: MOST_CURVES }));
    }
    Ok(())
}

/// The size of an element with all that it uses.
#[derive(Clone, Copy, Default)]
struct Size {
    nodes: usize,
    /// The characters of attributes.
    bytes: usize,
    /// The sum of the depths of elements within it.
    depths: usize,
    height: usize,
    /// The elements that may be filled with a pattern.
    painted: usize,
}

struct Uses<'d, 'i> {
    ids: HashMap<&'d str, Node<'d, 'i>>,
    /// The sizes of elements, and `None` of those around the present one.
    sizes: HashMap<usize, Option<Size>>,
}

/// Refuses a drawing that becomes too large with all elements that are used.
fn check_uses(builder: &Builder<'_>, document: &Document<'_>) -> Result<(), PlanError> {
    let mut uses = Uses { ids: HashMap::new(), sizes: HashMap::new() };
    let mut own = 0;
    for node in document.descendants() {
        if let Some(id) = node.attribute("id") {
            uses.ids.entry(id).or_insert(node);
        }
        own += characters(node);
    }
    let size = uses.size(document.root(), 0);
    let patterns = document.descendants().filter(|node| node.tag_name().name() == "pattern");
    let pattern = patterns.filter_map(|node| uses.size(node, 0)).map(|size| size.nodes).max().unwrap_or(0);
    let sheets = document.descendants().filter(|node| node.tag_name().name() == "style");
    let all = sheets.flat_map(|sheet| sheet.children()).any(|text| text.text().is_some_and(names_server));
    let painted = size.map_or(0, |size| if all { size.nodes } else { size.painted });
    if painted.saturating_mul(pattern) > MOST_PAINTED {
        return Err(builder.error(None, Fault::TooMany { what: "elements in copies of patterns", most: MOST_PAINTED }));
    }
    let size = size.filter(|size| {
        size.nodes <= MOST_NODES && size.bytes - own <= LARGEST_FILE as usize && size.depths <= MOST_DEPTHS
    });
    size.map(|_| ()).ok_or_else(|| builder.error(None, Fault::Repeats))
}

/// Whether a value or a style names a gradient or a pattern.
fn names_server(value: &str) -> bool {
    value.contains("url(")
}

/// Whether an element and its parts may be filled with a pattern.
fn is_painted(node: Node<'_, '_>) -> bool {
    let paints = |name: &str| matches!(name, "fill" | "stroke" | "style");
    node.attributes().any(|attribute| paints(attribute.name()) && names_server(attribute.value()))
}

/// The number of elements around another one as which an element counts.
fn weight(node: Node<'_, '_>) -> usize {
    1 + node.attribute("style").map_or(0, |style| style.matches(';').count() / 4)
}

/// The number of characters of attributes.
fn characters(node: Node<'_, '_>) -> usize {
    node.attributes().map(|attribute| attribute.name().len() + attribute.value().len()).sum()
}

impl<'d, 'i> Uses<'d, 'i> {
    /// The size of an element at this depth. `None` if elements use each other in a circle or are nested too deep.
    fn size(&mut self, node: Node<'d, 'i>, depth: usize) -> Option<Size> {
        if let Some(known) = self.sizes.get(&node.id().get_usize()) {
            return known.filter(|size| depth + size.height <= DEEPEST_USE);
        }
        if depth > DEEPEST_USE {
            return None;
        }
        self.sizes.insert(node.id().get_usize(), None);
        let mut size = Size { nodes: 1, bytes: characters(node), ..Size::default() };
        let link = node.attributes().filter(|attribute| attribute.name() == "href" && node.tag_name().name() == "use");
        let links: Vec<_> =
            link.filter_map(|link| self.ids.get(link.value().trim().strip_prefix('#')?)).copied().collect();
        let weight = weight(node);
        for inner in node.children().chain(links) {
            let inner = self.size(inner, depth + 1)?;
            size.nodes = size.nodes.saturating_add(inner.nodes);
            size.bytes = size.bytes.saturating_add(inner.bytes);
            size.depths = size.depths.saturating_add(inner.depths).saturating_add(inner.nodes.saturating_mul(weight));
            size.painted = size.painted.saturating_add(inner.painted);
            size.height = size.height.max(inner.height + 1);
        }
        if is_painted(node) {
            size.painted = size.nodes;
        }
        self.sizes.insert(node.id().get_usize(), Some(size));
        Some(size)
    }
}
