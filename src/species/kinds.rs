//! Kinds of people in a species: parts of its agents with bodies and times of their own.

use crate::base::distribution::Distribution;
use crate::base::error::Error;
use crate::base::population::{AGES, Population, Sex};
use crate::base::values::{Allowed, Kind, Parameter, Range};
use crate::environment::FACTOR;
use crate::species::familiar::Familiar;
use crate::species::tables::{QUANTITIES, TIMES};

/// A kind of people among the agents of a species: see [`Species::kinds`](crate::Species::kinds).
///
/// Each agent draws its kind when it is spawned, by the shares of the kinds. A quantity that the kind has replaces the
/// quantity of the species, so an agent has the radius, the mass, the speed and the pre-movement time of one person.
/// Within a kind the widest bodies are the heaviest.
///
/// ```
/// use throng::{Distribution, PersonKind, Species};
///
/// let wheelchair = PersonKind {
///     radius: Some(0.4.into()),
///     mass: Some(120.0.into()),
///     max_speed: Some(Distribution::Normal { mean: 0.69, sd: 0.35, low: 0.13, high: 1.35 }),
///     ..PersonKind::new("wheelchair", 0.02)
/// };
/// let visitor = Species::<2>::people("visitor").with_kinds([wheelchair]);
/// assert!(visitor.check().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct PersonKind {
    /// The name, unique among the kinds of the species.
    pub name: String,
    /// The share of the agents, in [0, 1]. The agents that the shares of all kinds leave have the quantities of the
    /// species.
    pub share: f32,
    /// The ages in years, in [10, 85]: speeds of [`Population::Rimea`] are speeds of these ages.
    #[cfg_attr(feature = "serde", serde(default))]
    pub ages: Option<[f32; 2]>,
    /// The sex: speeds of [`Population::Rimea`] are speeds of this sex.
    #[cfg_attr(feature = "serde", serde(default))]
    pub sex: Option<Sex>,
    /// The mass in kilograms; `None` for the mass of the species. So are all quantities below.
    #[cfg_attr(feature = "serde", serde(default))]
    pub mass: Option<Distribution>,
    /// The radius of the body, in metres.
    #[cfg_attr(feature = "serde", serde(default))]
    pub radius: Option<Distribution>,
    /// The largest speed, in metres per second.
    #[cfg_attr(feature = "serde", serde(default))]
    pub max_speed: Option<Distribution>,
    /// The time for which an agent rests after it is spawned, in seconds. The species needs a
    /// [`pre_movement`](crate::Species::pre_movement) too.
    #[cfg_attr(feature = "serde", serde(default))]
    pub pre_movement: Option<Distribution>,
    /// The factor of the largest speed up stairs, in place of the [factor](crate::Species::stairs_up) of the species.
    #[cfg_attr(feature = "serde", serde(default))]
    pub stairs_up: Option<f32>,
    /// The same down stairs.
    #[cfg_attr(feature = "serde", serde(default))]
    pub stairs_down: Option<f32>,
    /// The shares that know the goals of navigations, in place of the [shares](crate::Species::familiar) of the
    /// species, such as none for stairs.
    #[cfg_attr(feature = "serde", serde(default))]
    pub familiar: Vec<Familiar>,
}

/// The range of the share of agents.
const SHARE: Parameter =
    Parameter::new("share", "", Kind::Number(Range::from(0.0, 1.0)), "Share of the agents that are of this kind.");

/// The range of factors on stairs.
const STAIRS: Parameter = Parameter::new("stairs", "", Kind::Number(FACTOR), "Factor of the largest speed on stairs.");

/// A kind of [`PersonKind::residents`]: its name, its share, its ages and its sex; the mean and the standard deviation
/// of the radius and of the mass.
type Resident = (&'static str, f32, [f32; 2], Sex, [f32; 2], [f32; 2]);

/// The shares are the parts of the normal distribution of ages of [`Population::Rimea`], half of each sex.
const RESIDENTS: [Resident; 6] = [
    ("girl", 0.017_1, [10.0, 18.0], Sex::Female, [0.194, 0.017], [49.0, 9.0]),
    ("woman", 0.383_4, [18.0, 65.0], Sex::Female, [0.217_5, 0.013_7], [69.2, 13.0]),
    ("old_woman", 0.099_5, [65.0, 85.0], Sex::Female, [0.217_5, 0.013_7], [69.2, 13.0]),
    ("boy", 0.017_1, [10.0, 18.0], Sex::Male, [0.205, 0.019], [53.0, 11.0]),
    ("man", 0.383_4, [18.0, 65.0], Sex::Male, [0.24, 0.012_9], [85.8, 14.0]),
    ("old_man", 0.099_5, [65.0, 85.0], Sex::Male, [0.24, 0.012_9], [85.8, 14.0]),
];

/// The standard deviations at which radii and masses of residents are cut.
const CUT: f32 = 2.5;

impl PersonKind {
    /// The name of the column with the kind of each agent: its number in the species' list from 1 on, or 0.
    pub const COLUMN: &str = "kind";

    /// The excess of the sum of all shares over one that counts as rounding.
    pub const ROUNDING: f32 = 1e-5;

    /// A kind that differs from the species in nothing.
    #[must_use]
    pub fn new(name: impl Into<String>, share: f32) -> Self {
        let name = name.into();
        Self {
            name,
            share,
            ages: None,
            sex: None,
            mass: None,
            radius: None,
            max_speed: None,
            pre_movement: None,
            stairs_up: None,
            stairs_down: None,
            familiar: Vec::new(),
        }
    }

    /// Residents of Germany by age and sex, for a share of the agents. Ages and speeds are the ages and speeds of
    /// [`Population::Rimea`]. The radius is half the breadth of the shoulders: 480 mm for men and 435 mm for women, with
    /// 90 % of all between 440 and 525 mm and between 395 and 485 mm (DIN 33402-2, bideltoid breadth, 18 to 65 years).
    /// The mean mass is 85.8 kg for men and 69.2 kg for women (Mikrozensus 2021). Its deviations, and the bodies of
    /// children, halfway between 10 years and 18, are rounded values.
    #[must_use]
    pub fn residents(share: f32) -> Vec<Self> {
        let normal =
            |[mean, sd]: [f32; 2]| Distribution::Normal { mean, sd, low: mean - CUT * sd, high: mean + CUT * sd };
        let kind = |(name, part, ages, sex, radius, mass): Resident| Self {
            ages: Some(ages),
            sex: Some(sex),
            mass: Some(normal(mass)),
            radius: Some(normal(radius)),
            max_speed: Some(Population::Rimea.into()),
            ..Self::new(name, part * share)
        };
        RESIDENTS.map(kind).to_vec()
    }

    /// One of the quantities of the body, by its place in [`QUANTITIES`].
    pub(crate) fn quantity(&self, number: usize) -> Option<Distribution> {
        [self.mass, self.radius, self.max_speed].get(number).copied().flatten()
    }

    /// Checks the kinds of a species with these variables.
    pub(crate) fn check(kinds: &[Self], variables: &[&str], has_pre_movement: bool) -> Result<(), Error> {
        let mut sum = 0.0;
        for (number, kind) in kinds.iter().enumerate() {
            Distribution::Same(kind.share).check(&SHARE)?;
            sum += kind.share;
            if kinds[..number].iter().any(|other| other.name == kind.name) {
                return Err(Error::NameTaken(kind.name.clone()));
            }
            if let Some([from, to]) = kind.ages
                && !(AGES[0] <= from && from <= to && to <= AGES[1])
            {
                let [low, high] = AGES.map(f64::from);
                let allowed = Allowed::Kind { kind: Kind::Distribution(Range::from(low, high)), unit: "" };
                return Err(Error::bad("ages", &[from, to][..], allowed));
            }
            for (number, table) in QUANTITIES.iter().enumerate() {
                kind.quantity(number).map_or(Ok(()), |quantity| quantity.check(table))?;
            }
            kind.familiar.iter().try_for_each(Familiar::check)?;
            for factor in [kind.stairs_up, kind.stairs_down].into_iter().flatten() {
                Distribution::Same(factor).check(&STAIRS)?;
            }
            if let Some(time) = kind.pre_movement {
                time.check(&TIMES[0])?;
                if !has_pre_movement {
                    let allowed = Allowed::Kind { kind: TIMES[0].kind, unit: TIMES[0].unit };
                    return Err(Error::bad("pre_movement of a species with such a kind", "none", allowed));
                }
            }
        }
        if sum > 1.0 + Self::ROUNDING {
            return Err(Error::bad("sum of shares", sum, Allowed::number(Range::from(0.0, 1.0), "")));
        }
        if !kinds.is_empty() && variables.contains(&Self::COLUMN) {
            return Err(Error::NameTaken(Self::COLUMN.to_owned()));
        }
        Ok(())
    }
}
