//! The columns of a trajectory in a table, by their names.

use super::rows::unread;

/// The places of the columns of a trajectory among all columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub(super) tick: Option<usize>,
    pub(super) id: Option<usize>,
    pub(super) species: Option<usize>,
    pub(super) position: [Option<usize>; 3],
    pub(super) velocity: [Option<usize>; 3],
    pub(super) time: Option<usize>,
    /// The length of a unit of the coordinates, in metres.
    pub(super) scale: f64,
}

/// The names that are read, in lower case; of several for a column the first one is throng's.
const NAMES: [&[&str]; 10] = [
    &["tick", "frame"],
    &["id", "particle"],
    &["species"],
    &["x"],
    &["y"],
    &["z"],
    &["vx"],
    &["vy"],
    &["vz"],
    &["time"],
];

/// A name in lower case, and its unit: `x/cm`, `x [cm]` and `x (cm)`.
pub(super) fn with_unit(name: &str) -> (String, String) {
    let name = name.to_ascii_lowercase();
    let (base, unit) = name.split_once(['/', '[', '(']).unwrap_or((&name, ""));
    (base.trim().to_owned(), unit.trim_matches([' ', ']', ')']).to_owned())
}

impl Columns {
    /// Finds the columns of these names: x and y at least, and `id` where there are ticks or frames.
    pub(super) fn find(names: &[String]) -> Result<Self, String> {
        let known: Vec<(String, String)> = names.iter().map(|name| with_unit(name)).collect();
        let find =
            |number: usize| NAMES[number].iter().find_map(|name| known.iter().position(|(column, _)| column == name));
        let [tick, id, species, x, y, z, vx, vy, vz, time] = std::array::from_fn(find);
        let missing = if x.is_none() {
            Some("x")
        } else if y.is_none() {
            Some("y")
        } else if tick.is_some() && id.is_none() {
            Some("id")
        } else {
            None
        };
        if let Some(missing) = missing {
            let names = names.iter().take(20).map(String::as_str).collect::<Vec<_>>().join(", ");
            return Err(format!("has no column {missing}: a trajectory has tick or frame, id, x and y, not {names}"));
        }
        let unit = x.map_or("", |x| &known[x].1[..]);
        let scale = match unit {
            "" | "m" => 1.0,
            "cm" => 0.01,
            "mm" => 0.001,
            _ => return Err(format!("x has the unit {unit}: units are m, cm and mm")),
        };
        if [y, z].into_iter().flatten().any(|axis| known[axis].1 != unit) {
            return Err("the coordinates have several units".to_owned());
        }
        Ok(Self { tick, id, species, position: [x, y, z], velocity: [vx, vy, vz], time, scale })
    }

    /// The number of dimensions.
    pub(super) fn dimensions(&self) -> usize {
        if self.position[2].is_some() { 3 } else { 2 }
    }

    /// Whether there are velocities on all axes.
    pub(super) fn has_velocities(&self) -> bool {
        self.velocity.iter().take(self.dimensions()).all(Option::is_some)
    }

    /// Whether the coordinates are pixels: they have a name of trackpy's beside them, and neither a unit nor a scale.
    pub(super) fn is_in_pixels(&self, names: &[String]) -> bool {
        let named = |place: Option<usize>| place.and_then(|place| names.get(place)).map_or("", String::as_str);
        self.scale == 1.0
            && named(self.id).eq_ignore_ascii_case("particle")
            && with_unit(named(self.position[0])).1.is_empty()
    }

    /// The note on further columns; none without any. Times and unwrapped positions have what other columns have too.
    pub(super) fn unread(&self, names: &[String]) -> Option<String> {
        let used = [self.tick, self.id, self.species, self.time].into_iter();
        let used: Vec<usize> = used.chain(self.position).chain(self.velocity).flatten().collect();
        let further = names.iter().enumerate();
        // pandas writes numbers of rows without a name.
        let is_further = |name: &str| !name.is_empty() && !name.ends_with("_unwrapped");
        let further = further.filter(|(place, name)| !used.contains(place) && is_further(name));
        unread(&further.map(|(_, name)| name.clone()).collect::<Vec<_>>())
    }
}
