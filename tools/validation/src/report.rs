//! Comparisons of measured with expected values, and the page of them.

use std::fmt;

/// A measured value and the range in which it must be.
pub(crate) struct Check {
    pub(crate) what: String,
    pub(crate) measured: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Check {
    /// A value that must be within a tolerance of another one.
    pub(crate) fn near(what: impl Into<String>, measured: f64, wanted: f64, tolerance: f64) -> Self {
        Self { what: what.into(), measured, low: wanted - tolerance, high: wanted + tolerance }
    }

    /// A value that must be in a range.
    pub(crate) fn between(what: impl Into<String>, measured: f64, low: f64, high: f64) -> Self {
        Self { what: what.into(), measured, low, high }
    }

    /// Whether the value is in its range.
    pub(crate) fn holds(&self) -> bool {
        (self.low..=self.high).contains(&self.measured)
    }

    fn range(&self) -> String {
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => format!("{:.4} to {:.4}", self.low, self.high),
            (true, false) => format!("above {:.4}", self.low),
            _ => format!("below {:.4}", self.high),
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.holds() { "ok    " } else { "FAILED" };
        write!(f, "{verdict} {}: {:.4}, expected {}", self.what, self.measured, self.range())
    }
}

/// The measurements of one model.
pub(crate) struct Section {
    pub(crate) title: &'static str,
    /// The setting and its source, in Markdown, above the table of checks.
    pub(crate) text: String,
    pub(crate) checks: Vec<Check>,
    /// The name of a figure beside the page, and its caption.
    pub(crate) figures: Vec<(&'static str, &'static str)>,
}

/// The paragraphs of a text in lines of at most 120 characters; a table stays as it is.
fn wrapped(text: &str) -> String {
    let fill = |part: &str| if part.starts_with('|') { part.to_owned() } else { textwrap::fill(part, 120) };
    text.trim_end().split("\n\n").map(fill).collect::<Vec<_>>().join("\n\n")
}

/// The page with all sections.
pub(crate) fn page(sections: &[Section]) -> String {
    let mut text = include_str!("head.txt").to_owned();
    for section in sections {
        text += &format!("\n## {}\n\n{}\n", section.title, wrapped(&section.text));
        if !section.checks.is_empty() {
            text += "\n| quantity | measured | expected |\n|---|---|---|\n";
        }
        for check in &section.checks {
            text += &format!("| {} | {:.4} | {} |\n", check.what, check.measured, check.range());
        }
        for (figure, caption) in &section.figures {
            text += &format!("\n![{caption}](pictures/validation/{figure}.svg)\n");
        }
    }
    text
}
