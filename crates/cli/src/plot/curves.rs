//! Curves from the table of a sweep: the rows of equal values become one point with a spread.

use std::io::Read;

use throng::measures::{Moments, quantile};

/// The largest number of curves of a figure.
const MOST_CURVES: usize = 24;

/// The curves of a figure.
pub(super) struct Curves {
    pub(super) curves: Vec<Curve>,
    pub(super) spread: Spread,
}

/// One curve: the rows with the same values of all other varied keys.
pub(super) struct Curve {
    /// The values of the other varied keys, such as `species.bird.count = 300`; empty without such keys.
    pub(super) name: String,
    /// The points, from left to right.
    pub(super) points: Vec<CurvePoint>,
}

pub(super) struct CurvePoint {
    pub(super) x: f64,
    pub(super) mean: f64,
    pub(super) spread: f64,
    /// The values below which 5 % and 95 % of the rows are.
    pub(super) band: [f64; 2],
}

/// The meaning of the spread of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spread {
    /// The standard deviation over seeds; a point has at most this number of seeds.
    Seeds(u64),
    /// The standard deviation over the ticks of a single run.
    Ticks,
    /// None: the table has neither seeds nor a column for the spread.
    None,
}

/// The rows of a point.
struct Group {
    x: f64,
    mean: Moments,
    values: Vec<f64>,
    /// The mean of the column for the spread over ticks.
    over_ticks: Option<Moments>,
}

impl Curves {
    /// Reads a table.
    ///
    /// # Errors
    ///
    /// The reason for refusing it, with its place after the name of the file.
    pub(super) fn read(table: impl Read, x: &str, y: &str) -> Result<Self, String> {
        let mut reader = csv::ReaderBuilder::new().from_reader(table);
        let header = reader.headers().map_err(|error| format!(": {error}"))?.clone();
        let place = |name: &str| header.iter().position(|column| column == name);
        let column = |name: &str| {
            let known: Vec<&str> = header.iter().collect();
            place(name).ok_or_else(|| format!(":1: no column is named {name}; there are {}", known.join(", ")))
        };
        let (across, up) = (column(x)?, column(y)?);
        let over_ticks = place(&format!("{y}_sd"));
        // The columns before the seed are varied keys.
        let keys = place("seed").unwrap_or(0);
        let others: Vec<usize> = (0..keys).filter(|key| ![across, up].contains(key)).collect();
        let mut curves: Vec<(Vec<String>, Vec<Group>)> = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| format!(": {error}"))?;
            let line = record.position().map_or(0, csv::Position::line);
            let field = |column: usize| record.get(column).unwrap_or_default();
            let number = |column: usize| {
                let number = field(column).parse::<f64>().ok();
                let name = header.get(column).unwrap_or_default();
                number.ok_or_else(|| format!(":{line}: {name} must be a number, and is `{}`", field(column)))
            };
            let (x, y) = (number(across)?, number(up)?);
            if !x.is_finite() {
                return Err(format!(":{line}: {} must be finite", header.get(across).unwrap_or_default()));
            }
            // A measure without a value, such as one of a world without agents.
            if !y.is_finite() {
                continue;
            }
            let values: Vec<String> = others.iter().map(|&key| field(key).to_owned()).collect();
            let at = curves.iter().position(|(known, _)| *known == values).unwrap_or_else(|| {
                curves.push((values, Vec::new()));
                curves.len() - 1
            });
            if curves.len() > MOST_CURVES {
                return Err(format!(": there are more than {MOST_CURVES} curves, one for each value of other keys"));
            }
            let groups = &mut curves[at].1;
            let at = groups.iter().position(|group| group.x == x).unwrap_or_else(|| {
                let over_ticks = over_ticks.map(|_| Moments::default());
                groups.push(Group { x, mean: Moments::default(), values: Vec::new(), over_ticks });
                groups.len() - 1
            });
            groups[at].mean.add(y);
            groups[at].values.push(y);
            if let (Some(moments), Some(column)) = (&mut groups[at].over_ticks, over_ticks) {
                moments.add(number(column)?);
            }
        }
        if curves.is_empty() {
            return Err(format!(": no row has a number in {y}"));
        }
        let most = curves.iter().flat_map(|(_, groups)| groups).map(|group| group.mean.count()).max().unwrap_or(0);
        let spread = match over_ticks {
            _ if most > 1 => Spread::Seeds(most),
            Some(_) => Spread::Ticks,
            None => Spread::None,
        };
        let name = |values: &[String]| {
            let of = |(key, value): (&usize, &String)| format!("{} = {value}", header.get(*key).unwrap_or_default());
            others.iter().zip(values).map(of).collect::<Vec<_>>().join(", ")
        };
        let curves = curves.into_iter().map(|(values, groups)| Curve::new(name(&values), groups, spread)).collect();
        Ok(Self { curves, spread })
    }
}

/// The standard deviation of the distribution from which the numbers are a sample; zero for a single number.
fn sample_deviation(moments: &Moments) -> f64 {
    let count = moments.count() as f64;
    if count > 1.0 { moments.deviation() * (count / (count - 1.0)).sqrt() } else { 0.0 }
}

impl Curve {
    fn new(name: String, groups: Vec<Group>, spread: Spread) -> Self {
        let point = |mut group: Group| {
            group.values.sort_unstable_by(f64::total_cmp);
            CurvePoint {
                x: group.x,
                mean: group.mean.mean(),
                spread: match spread {
                    Spread::Seeds(_) => sample_deviation(&group.mean),
                    Spread::Ticks => group.over_ticks.map_or(0.0, |moments| moments.mean()),
                    Spread::None => 0.0,
                },
                band: [0.05, 0.95].map(|share| quantile(&group.values, share)),
            }
        };
        let mut points: Vec<CurvePoint> = groups.into_iter().map(point).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Self { name, points }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, x: &str, y: &str) -> Result<Curves, String> {
        Curves::read(text.as_bytes(), x, y)
    }

    #[test]
    fn rows_become_points_with_mean_and_spread() {
        let table = "a,b,seed,m,m_sd\n2,x,1,5,.1\n1,x,1,1,.2\n1,x,2,3,.2\n1,y,1,7,.3\n1,y,2,NaN,.3\n";
        let Curves { curves, spread } = read(table, "a", "m").unwrap();
        assert_eq!(spread, Spread::Seeds(2));
        let names: Vec<&str> = curves.iter().map(|curve| &curve.name[..]).collect();
        assert_eq!(names, ["b = x", "b = y"]);
        let points: Vec<_> = curves[0].points.iter().map(|point| (point.x, point.mean, point.spread)).collect();
        // Of 1 and 3 the sample deviation is the root of two.
        assert_eq!(points, [(1.0, 2.0, 2_f64.sqrt()), (2.0, 5.0, 0.0)]);
        assert_eq!((curves[1].points[0].mean, curves[0].points[0].band), (7.0, [1.0, 3.0]));
        // A single seed has the spread over ticks.
        let Curves { curves, spread } = read("a,seed,m,m_sd\n1,1,5,.25\n2,1,6,.5\n", "a", "m").unwrap();
        assert_eq!((spread, curves[0].points[1].spread), (Spread::Ticks, 0.5));
        assert_eq!(read("a,m\n1,5\n", "a", "m").unwrap().spread, Spread::None);
    }

    #[test]
    fn tables_without_the_columns_or_numbers_are_refused() {
        let refused = |text: &str, x: &str| read(text, x, "m").err().unwrap();
        assert_eq!(refused("a,m\n1,5\n", "b"), ":1: no column is named b; there are a, m");
        assert_eq!(refused("a,m\n1,5\nx,5\n", "a"), ":3: a must be a number, and is `x`");
        assert_eq!(refused("a,m\n", "a"), ": no row has a number in m");
        assert!(refused("a,m\n1,2,3\n", "a").starts_with(": "));
    }
}
