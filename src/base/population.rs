//! The walking speeds of the populations in guidelines for evacuation analyses.

use crate::maths::Noise;

/// A population: the distribution of its free walking speeds on level ground, in metres per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Population {
    /// RiMEA guideline 3.2.4 and DIN 18009-2, F.1: half men, half women; ages normal with mean 50 and standard
    /// deviation 20 years, cut to 10 to 85. The mean speed of an age is linear between 1.17 m/s at 10 years, 1.61 at
    /// 20,
    /// 1.41 at 50 and 0.68 at 85; the guideline has a diagram, from which these knots are read. Men walk 10.9 % faster
    /// than women. Speeds of one age and sex are normal with a standard deviation of 19.3 %, cut at three of them.
    Rimea,
    /// Weidmann, "Transporttechnik der Fussgänger" (1993): normal with mean 1.34 and standard deviation 0.26 m/s, cut
    /// at three of them.
    Weidmann,
    /// Passengers of a ship: IMO MSC.1/Circ.1533, annex 3, tables 3.1 and 3.4. Ten groups by age, sex and mobility; the
    /// speeds of each are uniform, within a quarter of their mean. The shares were compared with the circular, the
    /// speeds with another program that quotes table 3.4.
    ImoPassengers,
    /// The crew of a ship: the same tables. Half men, half women.
    ImoCrew,
}

/// The ages of [`Population::Rimea`], in years.
pub(crate) const AGES: [f32; 2] = [10.0, 85.0];

/// The sex of a person, by which walking speeds and bodies differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[expect(missing_docs, reason = "the names say it")]
pub enum Sex {
    Female,
    Male,
}

impl Sex {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Female, Self::Male];

    /// The name in a scenario file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Female => "female",
            Self::Male => "male",
        }
    }
}

/// The mean speed by age, linear between these ages in years.
const SPEED_BY_AGE: [(f64, f64); 4] = [(10.0, 1.17), (20.0, 1.61), (50.0, 1.41), (85.0, 0.68)];
const AGE: f64 = 50.0;
const AGE_SD: f64 = 20.0;
/// The speed of men over the speed of women.
const MEN: f64 = 1.109;
/// The standard deviation of the speeds of one age and sex, relative to their mean.
const SPREAD: f64 = 0.193;
/// The standard deviations at which speeds are cut.
const CUT: f64 = 3.0;
const WEIDMANN: (f64, f64) = (1.34, 0.26);

/// Groups of people: their share in per cent, and their smallest and largest speed.
type Groups = &'static [(f32, f32, f32)];

const PASSENGERS: Groups = &[
    // Women under 30, from 30 to 50, over 50, and over 50 with two degrees of impaired mobility; then men.
    (7.0, 0.93, 1.55),
    (7.0, 0.71, 1.19),
    (16.0, 0.56, 0.94),
    (10.0, 0.43, 0.71),
    (10.0, 0.37, 0.61),
    (7.0, 1.11, 1.85),
    (7.0, 0.97, 1.62),
    (16.0, 0.84, 1.40),
    (10.0, 0.64, 1.06),
    (10.0, 0.55, 0.91),
];
const CREW: Groups = &[(50.0, 0.93, 1.55), (50.0, 1.11, 1.85)];

impl Population {
    /// All variants.
    pub const ALL: [Self; 4] = [Self::Rimea, Self::Weidmann, Self::ImoPassengers, Self::ImoCrew];

    /// The name in a scenario file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rimea => "rimea",
            Self::Weidmann => "weidmann",
            Self::ImoPassengers => "imo_passengers",
            Self::ImoCrew => "imo_crew",
        }
    }

    /// The speed of one agent, whose age is within these years and whose sex is this one, if it is known. Only
    /// [`Population::Rimea`] has speeds by age and sex.
    pub(crate) fn draw(self, noise: &mut Noise, ages: Option<[f32; 2]>, sex: Option<Sex>) -> f32 {
        match self {
            Self::Rimea => {
                let [from, to] = ages.unwrap_or(AGES).map(|age| (f64::from(age) - AGE) / AGE_SD);
                let age = AGE + AGE_SD * noise.normal_between(from, to);
                let drawn = if noise.unit() < 0.5 { Sex::Male } else { Sex::Female };
                let of_sex = if sex.unwrap_or(drawn) == Sex::Male { MEN } else { 1.0 } * 2.0 / (1.0 + MEN);
                (mean_speed(age) * of_sex * (1.0 + SPREAD * noise.normal_between(-CUT, CUT))) as f32
            }
            Self::Weidmann => (WEIDMANN.0 + WEIDMANN.1 * noise.normal_between(-CUT, CUT)) as f32,
            Self::ImoPassengers => of_groups(PASSENGERS, noise),
            Self::ImoCrew => of_groups(CREW, noise),
        }
    }

    /// The largest speed that can be drawn.
    pub(crate) fn fastest(self) -> f32 {
        let of_groups =
            |groups: Groups| groups.iter().fold(0.0, |most, &(.., high)| if high > most { high } else { most });
        match self {
            Self::Rimea => {
                let mean = SPEED_BY_AGE.iter().fold(0.0, |most, &(_, speed)| if speed > most { speed } else { most });
                (mean * 2.0 * MEN / (1.0 + MEN) * (1.0 + SPREAD * CUT)) as f32
            }
            Self::Weidmann => (WEIDMANN.0 + WEIDMANN.1 * CUT) as f32,
            Self::ImoPassengers => of_groups(PASSENGERS),
            Self::ImoCrew => of_groups(CREW),
        }
    }
}

/// The mean speed of an age, over both sexes.
fn mean_speed(age: f64) -> f64 {
    let [from, to] = SPEED_BY_AGE
        .windows(2)
        .find(|pair| age <= pair[1].0)
        .map_or([SPEED_BY_AGE[2], SPEED_BY_AGE[3]], |pair| [pair[0], pair[1]]);
    from.1 + (to.1 - from.1) * ((age - from.0) / (to.0 - from.0))
}

/// The speed of a member of one of the groups, each of which is drawn with its share.
fn of_groups(groups: Groups, noise: &mut Noise) -> f32 {
    let mut percent = noise.between(0.0, 100.0);
    for &(share, low, high) in groups {
        if percent < share {
            return noise.between(low, high);
        }
        percent -= share;
    }
    let (_, low, high) = groups[groups.len() - 1];
    noise.between(low, high)
}
