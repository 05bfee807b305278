//! The axes of a figure: the columns that the command line names, or the only ones that there can be.

use std::io::Read;

/// The columns of a figure.
#[derive(Debug)]
pub(super) struct Axes {
    pub(super) x: String,
    pub(super) y: String,
}

impl Axes {
    /// Chooses the columns of a sweep's table: a varied key, before the column `seed`, and a measure, after it.
    ///
    /// # Errors
    ///
    /// The reason for refusing the table, which names the columns to choose from.
    pub(super) fn choose(table: impl Read, x: Option<&str>, y: Option<&str>) -> Result<Self, String> {
        let mut reader = csv::ReaderBuilder::new().from_reader(table);
        let header = reader.headers().map_err(|error| format!(": {error}"))?.clone();
        let columns: Vec<&str> = header.iter().collect();
        let seed = columns.iter().position(|column| *column == "seed");
        let (keys, measures) = columns.split_at(seed.unwrap_or(0));
        // A measure is followed by its spread; faults and hashes are not.
        let spread = |column: &&&str| columns.contains(&&format!("{column}_sd")[..]);
        let measures: Vec<&str> = measures.iter().filter(spread).copied().collect();
        let keys = if keys.is_empty() { &columns[..] } else { keys };
        let measures = if measures.is_empty() { &columns[..] } else { &measures[..] };
        match (x.or(only(keys)), y.or(only(measures))) {
            (Some(x), Some(y)) => Ok(Self { x: x.to_owned(), y: y.to_owned() }),
            (x, y) => {
                let wanted = [("--x", x, keys), ("--y", y, measures)];
                let missing = wanted.iter().filter(|(_, chosen, _)| chosen.is_none());
                let missing: Vec<String> =
                    missing.map(|(name, _, known)| format!("{name} is one of {}", known.join(", "))).collect();
                Err(format!(": {}", missing.join("; ")))
            }
        }
    }
}

/// The only one of some columns.
fn only<'c>(columns: &[&'c str]) -> Option<&'c str> {
    match columns {
        [one] => Some(one),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_are_not_chosen_are_the_only_ones_or_named() {
        let one = "bird.noise,seed,polarisation,polarisation_sd,inexact,state_hash\n";
        let axes = Axes::choose(one.as_bytes(), None, None).unwrap();
        assert_eq!([&axes.x[..], &axes.y[..]], ["bird.noise", "polarisation"]);
        let two = "a,b,seed,speed,speed_sd,order,order_sd,inexact\n";
        let refused = Axes::choose(two.as_bytes(), None, None).unwrap_err();
        assert_eq!(refused, ": --x is one of a, b; --y is one of speed, order");
        let refused = Axes::choose(two.as_bytes(), Some("b"), None).unwrap_err();
        assert_eq!(refused, ": --y is one of speed, order");
        // Another program's table has no such order.
        let refused = Axes::choose("u,v\n".as_bytes(), Some("u"), None).unwrap_err();
        assert_eq!(refused, ": --y is one of u, v");
    }
}
