//! The parts of a drawing that a plan needs: its unit, its layers, and the text of its blocks and entities.
//!
//! The crate `dxf` drops the flags of layers, and allocates tables of any size that an object claims to have.

use std::fmt::Write;

use crate::plans::error::{Fault, Place, PlanError};
use crate::plans::units::Units;

/// The largest number of entities; a block counts each time it is inserted.
pub(super) const MOST_ENTITIES: usize = 200_000;

/// The largest number of bytes of the name of a layer or a block. Each entity that is inserted reads its name again.
const LONGEST_NAME: usize = 2048;

/// The parts of a drawing.
pub(super) struct Sections {
    pub(super) units: Units,
    /// The layers that are switched off or frozen, in lower case.
    pub(super) hidden: Vec<String>,
    /// The sections of blocks and entities. Characters beyond ASCII are escaped.
    pub(super) text: String,
    /// Lines of `text` and the lines of the file that they were, where a section starts.
    starts: Vec<[usize; 2]>,
}

/// A layer of the table of layers.
#[derive(Default)]
struct Layer {
    name: String,
    is_hidden: bool,
}

impl Sections {
    /// The parts of a text.
    pub(super) fn of(text: &str) -> Result<Self, PlanError> {
        let binary = [("AutoCAD Binary DXF", "a binary DXF"), ("AutoCAD DXB", "a DXB"), ("AC10", "a DWG")];
        if let Some((_, kind)) = binary.iter().find(|(start, _)| text.starts_with(start)) {
            return Err(PlanError::whole(Fault::Binary(kind)));
        }
        let mut found = Self { units: Units::Unitless, hidden: Vec::new(), text: String::new(), starts: Vec::new() };
        let (mut lines, mut kept, mut entities) = (text.lines().enumerate(), 0, 0);
        let (mut section, mut variable, mut layer) = ("", "", None::<Layer>);
        while let Some((line, code)) = lines.next() {
            let code = code.trim();
            // A file may end with empty lines.
            let (true, Some((_, value))) = (!code.is_empty(), lines.next()) else { break };
            let expected = |expected| {
                let found = code.chars().take(40).collect();
                PlanError {
                    place: Some(Place { line: line + 1, column: 1 }),
                    ..PlanError::whole(Fault::Expected { expected, found })
                }
            };
            let code: i32 = code.parse().map_err(|_| expected("a group code of a DXF"))?;
            let word = value.trim();
            match (code, section) {
                (0, _) => {
                    found.hidden.extend(layer.take().filter(|layer| layer.is_hidden).map(|layer| layer.name));
                    match word {
                        "EOF" => break,
                        "SECTION" => section = "SECTION",
                        "LAYER" if section == "TABLES" => layer = Some(Layer::default()),
                        _ => {}
                    }
                }
                (2, "SECTION") => {
                    section = word;
                    if matches!(section, "BLOCKS" | "ENTITIES") {
                        found.starts.push([kept, line - 2]);
                        found.text.push_str("0\nSECTION\n");
                        kept += 2;
                    }
                }
                (9, "HEADER") => variable = word,
                (70, "HEADER") if variable == "$INSUNITS" => found.units = units(word),
                (2, "TABLES") => layer.iter_mut().for_each(|layer| layer.name = value.to_lowercase()),
                (62, "TABLES") => layer.iter_mut().for_each(|layer| layer.is_hidden |= word.starts_with('-')),
                // The first bit of its flags freezes a layer.
                (70, "TABLES") => {
                    let is_frozen = word.parse::<i64>().is_ok_and(|flags| flags & 1 == 1);
                    layer.iter_mut().for_each(|layer| layer.is_hidden |= is_frozen);
                }
                _ => {}
            }
            if matches!(section, "BLOCKS" | "ENTITIES") {
                let too_many = |what, most, line| {
                    let place = Some(Place { line, column: 1 });
                    Err(PlanError { place, ..PlanError::whole(Fault::TooMany { what, most }) })
                };
                entities += usize::from(code == 0);
                if entities > MOST_ENTITIES {
                    return too_many("entities", MOST_ENTITIES, line + 1);
                }
                if matches!(code, 2 | 8) && value.len() > LONGEST_NAME {
                    return too_many("characters of a name", LONGEST_NAME, line + 2);
                }
                let _ = writeln!(found.text, "{code}");
                escape(value, &mut found.text);
                kept += 2;
                if code == 0 && word == "ENDSEC" {
                    section = "";
                }
            }
        }
        found.text.push_str("0\nEOF\n");
        Ok(found)
    }

    /// The error of the crate `dxf` about the text; its message ends with the line.
    pub(super) fn error(&self, message: &str) -> PlanError {
        let (message, line) = message.rsplit_once(" at line/offset ").unwrap_or((message, ""));
        // The message may have the line in the middle too.
        let message = match (message.find("[@"), message.find(']')) {
            (Some(start), Some(end)) if start < end => message[..start].to_owned() + &message[end + 1..],
            _ => message.to_owned(),
        };
        let place = line.parse().ok().map(|line: usize| {
            let [kept, of_file] = self.starts.iter().rev().find(|[kept, _]| *kept < line).copied().unwrap_or_default();
            Place { line: of_file + line - kept, column: 1 }
        });
        PlanError { place, ..PlanError::whole(Fault::Syntax(message)) }
    }
}

/// The unit of a value of `$INSUNITS`.
fn units(value: &str) -> Units {
    match value {
        "1" | "21" | "22" => Units::Inches,
        "2" => Units::Feet,
        "4" => Units::Millimetres,
        "5" => Units::Centimetres,
        "6" => Units::Metres,
        _ => Units::Unitless,
    }
}

/// Adds a line in ASCII, as the crate `dxf` reads it.
fn escape(value: &str, text: &mut String) {
    for character in value.chars() {
        if character.is_ascii() {
            text.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(text, "\\U+{unit:04X}");
            }
        }
    }
    text.push('\n');
}
