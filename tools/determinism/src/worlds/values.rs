//! Random values of the kinds that tables of keys and of rules describe.

use std::collections::BTreeMap;

use throng::parameters::{Kind, Parameter, Preset, Range, Value};

use crate::worlds::draw::Draw;

/// The items that values refer to.
pub(crate) struct Cast {
    pub(crate) dimensions: usize,
    /// The extent of the world, in metres.
    pub(crate) size: Vec<f64>,
    /// The simulated time of the run.
    pub(crate) seconds: f64,
    /// Names by what they name, such as `region`.
    pub(crate) names: BTreeMap<String, Vec<String>>,
}

impl Cast {
    /// One of the names of such items; sometimes one that does not exist.
    fn name(&self, draw: &mut Draw, what: &str) -> String {
        match self.names.get(what).filter(|names| !names.is_empty()) {
            Some(names) => draw.one(names),
            None => what.to_owned(),
        }
    }

    /// A reference to an item of one of several kinds, `mark or region`, or of one.
    fn reference(&self, draw: &mut Draw, what: &str) -> String {
        // A flow field and the field of a navigation are used alike.
        let fields = ["flow field", "navigation"];
        let whats: Vec<&str> = what.split(" or ").collect();
        match whats[..] {
            [one] if one == fields[0] => {
                let what = draw.one(&fields);
                self.name(draw, what)
            }
            _ if whats.len() > 1 && !self.names.contains_key(what) => {
                let what = draw.one(&whats);
                format!("{what}:{}", self.name(draw, what))
            }
            _ => self.name(draw, what),
        }
    }

    /// The species that a rule perceives, in the words of a file.
    fn species(&self, draw: &mut Draw) -> String {
        match draw.below(4) {
            0 => "own".to_owned(),
            1 => "all".to_owned(),
            _ => self.name(draw, "species"),
        }
    }

    fn length(&self) -> f64 {
        self.size.iter().sum::<f64>() / self.size.len() as f64
    }

    /// A number in the range of a key with this unit and default.
    pub(crate) fn number(&self, draw: &mut Draw, range: Range, unit: &str, default: Option<f64>) -> f64 {
        for _ in 0..8 {
            let scaled = match unit {
                "m" => self.length() * draw.one(&[0.0, 0.01, 0.03, 0.1, 0.3, 1.0]),
                "s" => self.seconds * draw.one(&[0.0, 0.1, 0.3, 1.0]),
                "m/s" => draw.one(&[0.0, 0.5, 1.3, 5.0, 30.0]),
                "1/s" => draw.one(&[1.0, 3.0]) / self.seconds * draw.one(&[1.0, 10.0]),
                _ => draw.one(&[0.0, 0.5, 1.0, 2.0, 90.0]),
            };
            let factor = draw.one(&[0.25, 0.5, 1.0, 2.0, 4.0]);
            let number = match draw.below(8) {
                0..3 => default.filter(|number| number.is_finite()).map_or(scaled, |number| number * factor),
                3 => draw.between(0.0, if scaled > 0.0 { scaled } else { 1.0 }),
                4 => range.low,
                5 if range.high <= 360.0 => range.high,
                _ => scaled,
            };
            if range.contains(number) {
                return number;
            }
        }
        if range.contains(1.0) { 1.0 } else { range.low + 0.5 * (range.high - range.low).min(1.0) }
    }

    /// Components of a vector in a range: a velocity, the extents of something or a place.
    fn components(&self, draw: &mut Draw, range: Range, unit: &str) -> Vec<f64> {
        let component = |draw: &mut Draw, size: f64| match unit {
            "m" if range.low >= 0.0 => size * draw.between(0.05, 0.6),
            "m" => draw.coordinate(size),
            _ if draw.chance(0.2) => 0.0,
            _ => draw.between(-3.0, 3.0),
        };
        self.size.iter().map(|&size| component(draw, size)).collect()
    }

    fn place(&self, draw: &mut Draw) -> Value {
        Value::Point(self.size.iter().map(|&size| draw.coordinate(size)).collect())
    }

    /// A value of a key; `None` for kinds whose values are tables, files or free texts. `points` is the number of
    /// points, if another key gives it.
    pub(crate) fn value(&self, draw: &mut Draw, key: &Parameter, points: Option<usize>) -> Option<Value> {
        let default = match key.default {
            Preset::Number(number) => Some(f64::from(number)),
            _ => None,
        };
        let word = |word: String| Some(Value::Word(word));
        match key.kind {
            Kind::Number(range) => Some(Value::Number(self.number(draw, range, key.unit, default))),
            Kind::Distribution(range) => {
                let mut ends = [0, 1].map(|_| self.number(draw, range, key.unit, default));
                ends.sort_unstable_by(f64::total_cmp);
                Some(if draw.chance(0.5) { Value::Number(ends[1]) } else { Value::Point(ends.to_vec()) })
            }
            Kind::Whole(low, high) => Some(Value::Whole(low.saturating_add(draw.below(9) as u64).min(high))),
            Kind::WholeOrOff(low) if draw.chance(0.7) => Some(Value::Whole(low * draw.one(&[1, 1, 2, 64]))),
            Kind::WholeOrOff(_) => word("off".to_owned()),
            Kind::WholePoint(low, _) => {
                Some(Value::Point(self.size.iter().map(|_| low as f64 + draw.below(4) as f64).collect()))
            }
            Kind::Point(range) => Some(Value::Point(self.components(draw, range, key.unit))),
            Kind::Points(range) => {
                let count = points.unwrap_or_else(|| 2 + draw.below(4));
                Some(Value::Points((0..count).map(|_| self.components(draw, range, key.unit)).collect()))
            }
            Kind::Schedule(_) => {
                let times = (0..1 + draw.below(3)).map(|time| 0.3 * time as f64 * self.seconds);
                Some(Value::Points(times.map(|time| vec![time, draw.below(6) as f64]).collect()))
            }
            Kind::Series(range) => {
                let times = (0..1 + draw.below(3)).map(|time| 0.3 * time as f64 * self.seconds);
                let pair = |time| vec![time, self.number(draw, range, key.unit, None) as f32 as f64];
                Some(Value::Points(times.map(pair).collect()))
            }
            Kind::Intervals(_) => {
                let (first, last) = (draw.below(4) as f64, draw.below(6) as f64);
                let tenth = self.seconds / 10.0;
                Some(Value::Points(vec![vec![first * tenth, (first + last + 1.0) * tenth]]))
            }
            Kind::Flag => Some(Value::Flag(draw.chance(0.5))),
            Kind::Choice(words) => word(draw.one(words).to_owned()),
            Kind::Choices(words) => {
                Some(Value::Words((0..1 + draw.below(3)).map(|_| draw.one(words).to_owned()).collect()))
            }
            Kind::ChoicePerAxis(words) if draw.chance(0.5) => word(draw.one(words).to_owned()),
            Kind::ChoicePerAxis(words) => {
                Some(Value::Words(self.size.iter().map(|_| draw.one(words).to_owned()).collect()))
            }
            Kind::Reference(what) => word(self.reference(draw, what)),
            Kind::References(what) => {
                let mut names: Vec<String> = (0..1 + draw.below(2)).map(|_| self.reference(draw, what)).collect();
                names.dedup();
                Some(Value::Words(names))
            }
            Kind::Goals => {
                let mut names: Vec<String> =
                    (0..1 + draw.below(2)).map(|_| self.reference(draw, "mark or region")).collect();
                names.dedup();
                Some(Value::Words(names))
            }
            Kind::Statements => {
                let statements = [
                    "velocity = mean(velocity_j) + 0.3 * random_direction()",
                    "let near = min(distance)",
                    "force = -2 * sum(offset * exp(-distance)) + normal() * heading",
                    "let seen = pick(speed_j, speed) + count(dot(offset, velocity) > 0)",
                ];
                let count = 1 + draw.below(2);
                let from = draw.below(statements.len() - 1);
                Some(Value::Words(statements[from..from + count].iter().map(|&text| text.to_owned()).collect()))
            }
            Kind::SpeciesFilter if draw.chance(0.2) => {
                let mut names = [0, 1].map(|_| self.name(draw, "species")).to_vec();
                names.dedup();
                Some(Value::Words(names))
            }
            Kind::SpeciesFilter => word(self.species(draw)),
            Kind::SpeciesOrPlace => match draw.below(4) {
                0 => Some(self.place(draw)),
                1 => word(self.reference(draw, "mark or region")),
                _ => word(self.species(draw)),
            },
            Kind::Target => match draw.below(8) {
                0 => Some(self.place(draw)),
                1 => word(format!("mark:{}", self.name(draw, "mark"))),
                2 => word(format!("agent:{}", (1_u64 << 32) + draw.below(9) as u64)),
                3 => word(format!("random:{}", self.seconds * draw.one(&[0.01, 0.3, 1.0]))),
                4 | 5 => word(format!("kept:{}", self.species(draw))),
                _ => word(format!("nearest:{}", self.species(draw))),
            },
            Kind::Heading => match draw.below(3) {
                0 => word("random".to_owned()),
                1 if self.dimensions == 2 => Some(Value::Number(draw.between(0.0, 360.0))),
                _ => Some(Value::Point(self.size.iter().map(|_| draw.between(-1.0, 1.0)).collect())),
            },
            _ => None,
        }
    }
}

/// A value in the words of a file.
pub(crate) fn written(value: &Value) -> String {
    let number = |number: &f64| format!("{:?}", *number as f32);
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    let point = |point: &Vec<f64>| list(point.iter().map(number).collect());
    match value {
        Value::Number(of) => number(of),
        Value::Whole(of) => of.to_string(),
        Value::Flag(of) => of.to_string(),
        Value::Word(of) => format!("{of:?}"),
        Value::Words(of) => list(of.iter().map(|word| format!("{word:?}")).collect()),
        Value::Point(of) => point(of),
        Value::Points(of) => list(of.iter().map(point).collect()),
        _ => String::new(),
    }
}
