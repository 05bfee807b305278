//! Trajectories as point instances of USD, for Blender, Houdini, Maya and usdview: a stage whose instances are *value
//! clips*, a layer per frame, so that a player reads one frame at a time.

use std::fmt::{self, Display, Formatter, Write as _};
use std::io::{self, Write};

use super::frame_files::PerFrame;
use super::{Frame, Heading, SpeciesRows};

/// The half length of the dart of a point, as a share of the longer side of the world.
const POINT: f64 = 0.003;
/// Half the height of a person, in metres.
const HALF_HEIGHT: f32 = 0.875;

/// The prototype of people: a cylinder on the ground.
const STANDING: &str = r#"        def Cylinder "NAME"
        {
            uniform token axis = "Z"
            double height = 2
            double radius = 1
            float3[] extent = [(-1, -1, -1), (1, 1, 1)]
            double3 xformOp:translate = (0, 0, 1)
            uniform token[] xformOpOrder = ["xformOp:translate"]
        }
"#;
/// The prototype of others: a cone along the velocity.
const POINTING: &str = r#"        def Cone "NAME"
        {
            uniform token axis = "X"
            double height = 2
            double radius = 0.5
            float3[] extent = [(-1, -0.5, -0.5), (1, 0.5, 0.5)]
        }
"#;

/// The format.
#[derive(Debug)]
pub(super) struct Usd {
    heading: Heading,
    /// The names of the columns as names in USD.
    columns: Vec<String>,
}

impl Usd {
    pub(super) fn new(heading: Heading) -> Self {
        let mut columns: Vec<String> = Vec::new();
        for (name, _) in heading.column_names() {
            let column = unique(format!("column_{}", identifier(&name)), &columns);
            columns.push(column);
        }
        Self { heading, columns }
    }

    /// The attributes of all instances and their types; each layer of a frame has a sample of every one.
    fn attributes(&self) -> Vec<(&'static str, String)> {
        let fixed = [
            ("int[]", "protoIndices"),
            ("int64[]", "ids"),
            ("point3f[]", "positions"),
            ("quath[]", "orientations"),
            ("float3[]", "scales"),
            ("vector3f[]", "velocities"),
            ("color3f[]", "primvars:displayColor"),
            ("int[]", "primvars:state"),
        ];
        let columns = self.columns.iter().map(|name| ("float[]", format!("primvars:{name}")));
        fixed.into_iter().map(|(kind, name)| (kind, name.to_owned())).chain(columns).collect()
    }

    /// The number of the sample of a frame.
    fn sample(&self, tick: u64) -> u64 {
        self.heading.frame(tick)
    }

    /// Half the length of the dart of a point.
    fn point(&self) -> f32 {
        let [[left, low], [right, high]] = self.heading.bounds;
        let (wide, deep) = (right - left, high - low);
        (POINT * if wide > deep { wide } else { deep }) as f32
    }

    /// The factors by which the prototype of a species grows for an agent.
    fn scale(&self, rows: &SpeciesRows, row: usize) -> [f32; 3] {
        let radius = rows.radii.get(row).copied().unwrap_or(0.0);
        let radius = if radius > 0.0 { radius } else { self.point() };
        [radius, radius, if self.are_people(rows) { HALF_HEIGHT } else { radius }]
    }

    fn are_people(&self, rows: &SpeciesRows) -> bool {
        self.heading.species.get(rows.species).is_some_and(|species| species.is_people)
    }

    /// The names of the prototypes, and their shapes.
    fn prototypes(&self) -> (Vec<String>, String) {
        let (mut names, mut text) = (Vec::new(), String::new());
        for species in &self.heading.species {
            let name = unique(identifier(&species.name), &names);
            let shape = if species.is_people { STANDING } else { POINTING };
            let shape = shape.replace("NAME", &name);
            text.push_str(&shape);
            names.push(name);
        }
        (names, text)
    }
}

impl PerFrame for Usd {
    const ENDING: &'static str = "usda";

    fn encode(&self, frame: &Frame, to: &mut dyn Write) -> io::Result<()> {
        let sample = self.sample(frame.tick);
        write!(
            to,
            "#usda 1.0\n(\n    startTimeCode = {sample}\n    endTimeCode = {sample}\n)\n\nover \"World\"\n{{\n    \
             over \"agents\"\n    {{\n"
        )?;
        let mut columns = self
            .heading
            .columns
            .iter()
            .enumerate()
            .flat_map(|(number, column)| (0..column.width).map(move |place| (number, place)));
        for (kind, name) in self.attributes() {
            write!(to, "        {kind} {name}.timeSamples = {{ {sample}: ")?;
            match &name[..] {
                "protoIndices" => list(frame, to, |rows, _| rows.species)?,
                "ids" => list(frame, to, |rows, row| rows.ids[row])?,
                "positions" => list(frame, to, |rows, row| Tuple(rows.point(row)))?,
                "orientations" => list(frame, to, |rows, row| Tuple(turn(rows.velocity(row), self.are_people(rows))))?,
                "scales" => list(frame, to, |rows, row| Tuple(self.scale(rows, row)))?,
                "velocities" => list(frame, to, |rows, row| Tuple(rows.velocity(row)))?,
                "primvars:displayColor" => {
                    list(frame, to, |rows, row| Tuple(rows.colours.get(row).copied().unwrap_or([255; 3]).map(linear)))?
                }
                // Minus one for an agent without states.
                "primvars:state" => {
                    list(frame, to, |rows, row| rows.states.get(row).map_or(-1, |state| i64::from(*state)))?;
                }
                _ => {
                    let (number, place) = columns.next().unwrap_or_default();
                    list(frame, to, |rows, row| Float(rows.value(number, row, place)))?;
                }
            }
            writeln!(to, " }}")?;
        }
        write!(to, "    }}\n}}\n")
    }

    fn other_files(&self) -> Vec<(&'static str, String)> {
        let mut text = "#usda 1.0\n\nover \"World\"\n{\n    over \"agents\"\n    {\n".to_owned();
        for (kind, name) in self.attributes() {
            let _ = writeln!(text, "        {kind} {name}");
        }
        text.push_str("    }\n}\n");
        vec![("manifest.usda", text)]
    }

    fn head(&self) -> String {
        "#usda 1.0\n".to_owned()
    }

    /// A comment: the stage names its layers in its head, which is written last.
    fn entry(&self, file: &str, _: &Frame, _: bool) -> String {
        format!("# {file}\n")
    }

    fn foot(&self, folder: &str, ticks: Option<[u64; 2]>) -> String {
        let [first, last] = ticks.unwrap_or_default();
        let [start, end] = [first, last].map(|tick| self.sample(tick));
        let every = if self.heading.every == 0 { 1 } else { self.heading.every };
        let rate = self.heading.frame_rate();
        let (prototypes, shapes) = self.prototypes();
        let targets: Vec<String> = prototypes.iter().map(|name| format!("</World/agents/{name}>")).collect();
        let title = quoted(&self.heading.scenario);
        let samples = if ticks.is_some() { start..end + 1 } else { 0..0 };
        let clips = samples.enumerate().map(|(number, sample)| {
            let path = asset(&format!("./{folder}/{:09}.usda", sample * every));
            (path, format!("({sample}, {number})"))
        });
        let (paths, active): (Vec<String>, Vec<String>) = clips.unzip();
        let (paths, active, targets) = (paths.join(", "), active.join(", "), targets.join(", "));
        let manifest = asset(&format!("./{folder}/manifest.usda"));
        let mut values = String::new();
        for (kind, name) in self.attributes().into_iter().filter(|(_, name)| name.starts_with("primvars:")) {
            let _ = write!(values, "        {kind} {name} (\n            interpolation = \"varying\"\n        )\n");
        }
        format!(
            "(\n    defaultPrim = \"World\"\n    doc = {title}\n    startTimeCode = {start}\n    endTimeCode = {end}\n    \
             timeCodesPerSecond = {rate}\n    framesPerSecond = {rate}\n    metersPerUnit = 1\n    upAxis = \"Z\"\n)\n\n\
             def Xform \"World\"\n{{\n    def PointInstancer \"agents\" (\n        clips = {{\n            dictionary \
             default = {{\n                asset manifestAssetPath = {manifest}\n                \
             string primPath = \"/World/agents\"\n                asset[] assetPaths = [{paths}]\n                \
             double2[] active = [{active}]\n                double2[] times = [({start}, {start}), ({end}, {end})]\n            }}\n        \
             }}\n    )\n    {{\n        rel prototypes = [{targets}]\n{values}{shapes}    }}\n}}\n"
        )
    }
}

/// Numbers in parentheses.
struct Tuple<T, const N: usize>([T; N]);

impl<T: Display, const N: usize> Display for Tuple<T, N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (axis, number) in self.0.iter().enumerate() {
            write!(f, "{}{number}", if axis == 0 { "(" } else { ", " })?;
        }
        f.write_str(")")
    }
}

/// A number of a column, in single precision; NaN as USD writes it.
struct Float(f64);

impl Display for Float {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_nan() { f.write_str("nan") } else { write!(f, "{}", self.0 as f32) }
    }
}

/// Writes a value for each agent.
fn list<T: Display>(frame: &Frame, to: &mut dyn Write, value: impl Fn(&SpeciesRows, usize) -> T) -> io::Result<()> {
    let mut separator = "[";
    for rows in &frame.species {
        for row in 0..rows.ids.len() {
            write!(to, "{separator}{}", value(rows, row))?;
            separator = ", ";
        }
    }
    to.write_all(if separator == "[" { b"[]" } else { b"]" })
}

/// The turn from the first axis to a direction without a roll, as a quaternion: first around the vertical, then up or
/// down. People stay upright, and an agent at rest looks along the first axis.
fn turn([x, y, z]: [f32; 3], upright: bool) -> [f32; 4] {
    // The cosine and the sine of half the angle between the first axis and a direction in a plane.
    let half = |along: f32, across: f32| {
        let length = (along * along + across * across).sqrt();
        let cosine = if length > 0.0 { along / length } else { 1.0 };
        let [even, odd] = [0.5 + 0.5 * cosine, 0.5 - 0.5 * cosine].map(f32::sqrt);
        [even, if across < 0.0 { -odd } else { odd }]
    };
    let level = (x * x + y * y).sqrt();
    let [yaw, around] = half(x, y);
    // A positive turn around the second axis looks down.
    let [pitch, down] = if upright { [1.0, 0.0] } else { half(level, -z) };
    [yaw * pitch, -around * down, yaw * down, around * pitch].map(|part| (part * 1e4).round() / 1e4)
}

/// A channel of a colour on a screen (sRGB) as light, from 0 to 1.
fn linear(channel: u8) -> f32 {
    let share = f32::from(channel) / 255.0;
    let light = if share <= 0.04045 { share / 12.92 } else { gamma((share + 0.055) / 1.055) };
    (light * 1e4).round() / 1e4
}

/// The power 2.4 of a number up to one, by Newton's method for the fifth root of its square.
fn gamma(number: f32) -> f32 {
    let square = number * number;
    let root = (0..24).fold(1.0, |root: f32, _| {
        let fourth = root * root * root * root;
        0.8 * root + 0.2 * square / fourth
    });
    square * root
}

/// A name with letters, digits and low lines, that starts with none of the digits.
fn identifier(text: &str) -> String {
    let word = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let name: String = text.chars().map(word).collect();
    if name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_') {
        name
    } else {
        format!("_{name}")
    }
}

/// The name, with low lines after it where others have it.
fn unique(mut name: String, others: &[String]) -> String {
    while others.contains(&name) {
        name.push('_');
    }
    name
}

/// A path in the quotation marks of USD for paths.
fn asset(path: &str) -> String {
    format!("@@@{}@@@", path.replace("@@@", "\\@@@"))
}

/// A text in quotation marks.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => quoted.push(' '),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first axis, turned by a quaternion.
    fn turned([w, x, y, z]: [f32; 4]) -> [f32; 3] {
        [w * w + x * x - y * y - z * z, 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)]
    }

    #[test]
    fn darts_point_along_their_velocities_and_people_stand() {
        let directions = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
        for velocity in directions.into_iter().chain([[0.6, -0.48, 0.64], [-0.36, 0.48, -0.8]]) {
            let found = turned(turn(velocity, false));
            assert!((0..3).all(|axis| (found[axis] - velocity[axis]).abs() < 1e-3), "{velocity:?}: {found:?}");
            let standing = turn(velocity, true);
            assert_eq!(standing[1..3], [0.0; 2], "{velocity:?}");
        }
        assert_eq!(turn([0.0; 3], false), [1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn colours_become_light() {
        // By hand, from the definition of sRGB.
        for (channel, light) in [(0, 0.0), (10, 0.003), (55, 0.0382), (128, 0.2159), (200, 0.5776), (255, 1.0)] {
            assert!((linear(channel) - light).abs() < 1.5e-4, "{channel}: {}", linear(channel));
        }
    }

    #[test]
    fn names_and_texts_of_users_are_names_and_texts_in_usd() {
        assert_eq!(identifier("3 blind mice"), "_3_blind_mice");
        assert_eq!(unique("a".to_owned(), &["a".to_owned(), "a_".to_owned()]), "a__");
        assert_eq!(quoted("a \"b\" \\\n"), "\"a \\\"b\\\" \\\\ \"");
        assert_eq!(asset("./a@@@b"), "@@@./a\\@@@b@@@");
    }
}
