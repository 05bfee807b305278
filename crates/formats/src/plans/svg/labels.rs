//! The names and places of the elements of a drawing, which the tree of `usvg` keeps by their ids alone.

use std::collections::HashMap;

use usvg::roxmltree::{Document, Node};

/// The name space of Inkscape, which names its layers in it.
const INKSCAPE: &str = "http://www.inkscape.org/namespaces/inkscape";
/// The elements that the tree keeps.
const KEPT: [&str; 9] = ["g", "use", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"];

/// The names of an element, and the byte at which it starts.
#[derive(Clone)]
pub(super) struct Label {
    label: Option<String>,
    id: Option<String>,
    pub(super) byte: usize,
}

impl Label {
    /// The name that a reader of the drawing sees.
    pub(super) fn name(&self) -> Option<&str> {
        self.names().next()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.label.iter().chain(&self.id).map(String::as_str)
    }
}

/// The labels of all elements, by id.
pub(super) struct Labels(HashMap<String, Label>);

impl Labels {
    /// The labels, and the text of the drawing in which every element has an id.
    pub(super) fn new(document: &Document<'_>) -> (Self, String) {
        let text = document.input_text();
        let (mut labels, mut labelled, mut copied) = (HashMap::new(), String::with_capacity(text.len()), 0);
        let start = document.root_element().range().start;
        let kept = |node: &Node<'_, '_>| node.is_element() && KEPT.contains(&node.tag_name().name());
        for node in document.descendants().filter(kept) {
            let byte = node.range().start;
            let named = |name: Option<&str>| name.filter(|name| !name.is_empty()).map(str::to_owned);
            let label =
                Label { label: named(node.attribute((INKSCAPE, "label"))), id: named(node.attribute("id")), byte };
            // The elements of an entity have places before the first element.
            if let Some(id) = node.attribute("id") {
                labels.entry(id.to_owned()).or_insert(label);
            } else if let Some(rest) = text.get(byte..).filter(|_| byte >= start && byte >= copied) {
                let tag = rest.find(|end: char| end.is_ascii_whitespace() || matches!(end, '/' | '>')).unwrap_or(0);
                let id = format!("throng-byte-{byte}");
                labelled.push_str(&text[copied..byte + tag]);
                labelled.push_str(&format!(" id='{id}'"));
                copied = byte + tag;
                labels.insert(id, label);
            }
        }
        labelled.push_str(&text[copied..]);
        (Self(labels), labelled)
    }

    /// The label of an id of the tree.
    pub(super) fn of(&self, id: &str) -> Option<Label> {
        self.0.get(id).cloned()
    }
}
