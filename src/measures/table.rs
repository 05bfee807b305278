//! The table of measures: names, units, help, and the functions behind them.
//!
//! The reader of scenario files, its messages, the schema, the documents and the program read it.

use std::borrow::Cow;
use std::sync::Arc;

use crate::base::dimensions::for_dimensions;
use crate::base::error::Error;
use crate::base::values::Allowed;
use crate::measures::correlation::correlation_length;
use crate::measures::fluctuations::fluctuation_exponent;
use crate::measures::order::{mean_speed, milling, polarisation};
use crate::measures::own::{self, Own};
use crate::measures::sample::Sample;
use crate::measures::spacing::{density, local_density, nearest_distance, overlapping};
use crate::measures::{Measured, clusters};

/// Computes a measure, given its radius.
type Compute<const D: usize> = fn(&Measure, &Sample<D>, f32) -> f64;

// They are compiled in this crate, as the functions of a world are.
static FLAT: Compute<2> = Measure::computed;
static SPACE: Compute<3> = Measure::computed;

/// A measure of agents that is one number per tick: one of [`measures`], or an expression ([`Measure::parse`]).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Measure {
    /// Its name in scenario files, tables and messages.
    pub name: Cow<'static, str>,
    /// Its unit in two dimensions; empty where it has none.
    pub unit: Cow<'static, str>,
    /// Its help: one line, or its expression.
    pub help: Cow<'static, str>,
    /// Whether it needs a radius.
    pub needs_radius: bool,
    pub(super) quantity: Quantity,
}

/// The result of a measure.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Quantity {
    Agents,
    Polarisation,
    Milling,
    MeanSpeed,
    NearestDistance,
    Density,
    LocalDensity,
    Clusters,
    LargestCluster,
    MeanClusterSize,
    FluctuationExponent,
    CorrelationLength,
    VelocityAutocorrelation,
    MeanSquaredDisplacement,
    Overlaps,
    OverlapDepth,
    Yielding,
    Stuck,
    Own(Arc<Own>),
}

const fn of(name: &'static str, unit: &'static str, help: &'static str, quantity: Quantity) -> Measure {
    let needs_radius = matches!(
        quantity,
        Quantity::LocalDensity | Quantity::Clusters | Quantity::LargestCluster | Quantity::MeanClusterSize
    );
    let [name, unit, help] = [Cow::Borrowed(name), Cow::Borrowed(unit), Cow::Borrowed(help)];
    Measure { name, unit, help, needs_radius, quantity }
}

const MEASURES: &[Measure] = &[
    of("agents", "", "Number of agents.", Quantity::Agents),
    of("polarisation", "", "Length of the mean heading: 1 in parallel, 0 at random.", Quantity::Polarisation),
    of("milling", "", "Mean rotation about the centre of the agents: 1 in a mill.", Quantity::Milling),
    of("mean_speed", "m/s", "Mean speed.", Quantity::MeanSpeed),
    of("nearest_distance", "m", "Mean distance to the nearest neighbour.", Quantity::NearestDistance),
    of("density", "1/m^D", "Agents per area or volume of the world.", Quantity::Density),
    of("local_density", "1/m^D", "Mean density of other agents within `radius` of an agent.", Quantity::LocalDensity),
    of("clusters", "", "Number of clusters of agents connected at `radius`.", Quantity::Clusters),
    of("largest_cluster", "", "Share of agents in the largest cluster.", Quantity::LargestCluster),
    of("mean_cluster_size", "", "Mean size of the cluster of an agent.", Quantity::MeanClusterSize),
    of(
        "fluctuation_exponent",
        "",
        "Exponent by which fluctuations of numbers grow: 0.5 at random.",
        Quantity::FluctuationExponent,
    ),
    of(
        "correlation_length",
        "m",
        "Distance at which the correlation of velocities falls to zero.",
        Quantity::CorrelationLength,
    ),
    of(
        "mean_squared_displacement",
        "m2",
        "Mean squared distance from the first positions, unwrapped.",
        Quantity::MeanSquaredDisplacement,
    ),
    of(
        "velocity_autocorrelation",
        "",
        "Correlation of velocities with the first ones: 1 at the start.",
        Quantity::VelocityAutocorrelation,
    ),
    of(
        "overlaps",
        "",
        "Share of agents whose bodies, or cores of bodies that yield, overlap another.",
        Quantity::Overlaps,
    ),
    of("overlap_depth", "m", "Largest depth of an overlap of two bodies.", Quantity::OverlapDepth),
    of("yielding", "", "Share of agents whose shoulders yield to another body.", Quantity::Yielding),
    of("stuck", "", "Number of agents that want to move and do not get on.", Quantity::Stuck),
];

/// All measures that are one number per tick.
///
/// ```
/// use throng::measures::measures;
///
/// assert!(measures().iter().any(|measure| measure.name == "polarisation"));
/// ```
#[must_use]
pub const fn measures() -> &'static [Measure] {
    MEASURES
}

/// The measure with this name, if any.
#[must_use]
pub fn measure(name: &str) -> Option<&'static Measure> {
    MEASURES.iter().find(|measure| measure.name == name)
}

/// The error for a name that no measure has. It has the names of all, and the name of the nearest one.
///
/// ```
/// use throng::measures::unknown_measure;
///
/// assert!(unknown_measure("polarization").to_string().contains("did you mean `polarisation`?"));
/// ```
#[must_use]
pub fn unknown_measure(name: &str) -> Error {
    Error::bad("measure", name, Allowed::one_of(MEASURES.iter().map(|measure| &*measure.name)))
}

impl Measure {
    /// The measure with this name, or one of an expression: `NAME = EXPRESSION`, or `NAME [UNIT] = EXPRESSION`. The
    /// expression is a number: functions over agents such as `mean`, `count` and `quantile`, and arithmetic on their
    /// results. `docs/measures.md` lists them. An expression without a name is its own name.
    ///
    /// ```
    /// use throng::measures::Measure;
    /// use throng::{Settings, Species, World};
    ///
    /// let mut world = World::<2>::new(Settings::default())?;
    /// let bird = world.add_species(Species::new("bird"))?;
    /// world.spawn(bird, [1.0, 1.0], [3.0, 4.0])?;
    /// world.spawn(bird, [2.0, 1.0], [0.0, 1.0])?;
    /// let fast = Measure::parse("fast [1/s] = mean(speed > 2) / 2")?;
    /// assert_eq!((&*fast.name, &*fast.unit, fast.compute(&world, None)), ("fast", "1/s", 0.25));
    /// # Ok::<(), throng::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if no measure has the name, or the expression has a mistake.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let Some(parts) = own::parts(text) else {
            return measure(text.trim()).cloned().ok_or_else(|| unknown_measure(text.trim()));
        };
        let (start, expression) = parts.expression;
        let own =
            Own::new(expression).map_err(|mistake| Error::mistake("measure", text, mistake.after(start, text)))?;
        Ok(Self {
            name: Cow::Owned(parts.name.to_owned()),
            unit: Cow::Owned(parts.unit.to_owned()),
            help: Cow::Owned(expression.trim().to_owned()),
            needs_radius: false,
            quantity: Quantity::Own(Arc::new(own)),
        })
    }

    /// Checks that agents with these variables, in a world with this number of dimensions, have the measure.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if its expression has other names.
    pub fn check(&self, dimensions: usize, variables: &[&str]) -> Result<(), Error> {
        match &self.quantity {
            Quantity::Own(own) => own
                .check(dimensions, variables)
                .map_err(|mistake| Error::mistake(&format!("measure.{}", self.name), &self.help, mistake)),
            _ => Ok(()),
        }
    }

    /// The unit in a world of this number of dimensions.
    #[must_use]
    pub fn unit_in(&self, dimensions: usize) -> &str {
        match (&*self.unit, dimensions) {
            ("1/m^D", 2) => "1/m2",
            ("1/m^D", _) => "1/m3",
            (unit, _) => unit,
        }
    }

    /// The name of one of [`measures`]; empty for an expression.
    #[must_use]
    pub const fn built_in_name(&self) -> &'static str {
        match &self.name {
            Cow::Borrowed(name) => name,
            Cow::Owned(_) => "",
        }
    }

    /// Whether a run records the measure if its file names none.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        !matches!(
            self.quantity,
            Quantity::MeanClusterSize
                | Quantity::FluctuationExponent
                | Quantity::CorrelationLength
                | Quantity::VelocityAutocorrelation
        )
    }

    /// Whether the measure follows agents over time, so that only a [`Recorder`](crate::measures::Recorder) has its
    /// value.
    #[must_use]
    pub fn follows_agents(&self) -> bool {
        matches!(self.quantity, Quantity::MeanSquaredDisplacement | Quantity::VelocityAutocorrelation | Quantity::Stuck)
    }

    /// The value for the agents of a world or of a sample, with `radius` in metres where the measure needs one. NaN if
    /// the measure is undefined for these agents, or [follows agents](Self::follows_agents).
    ///
    /// ```
    /// use throng::measures::measure;
    /// use throng::{AnyWorld, Settings, with_world};
    ///
    /// let world = AnyWorld::new(2, Settings::default())?;
    /// let speed = measure("mean_speed").unwrap();
    /// assert_eq!(with_world!(&world, world => speed.compute(world, None)), 0.0);
    /// # Ok::<(), throng::Error>(())
    /// ```
    #[must_use]
    pub fn compute<const D: usize>(&self, agents: &impl Measured<D>, radius: Option<f32>) -> f64 {
        let computed: &Compute<D> = for_dimensions(&FLAT, &SPACE);
        match &self.quantity {
            Quantity::Own(own) => agents.world().map_or(f64::NAN, |world| own.value(world, None)),
            _ => computed(self, &agents.sample(), radius.unwrap_or(f32::NAN)),
        }
    }

    fn computed<const D: usize>(&self, sample: &Sample<D>, radius: f32) -> f64 {
        if self.needs_radius && radius.is_nan() {
            return f64::NAN;
        }
        match &self.quantity {
            Quantity::Agents => sample.len() as f64,
            Quantity::Polarisation => polarisation(sample),
            Quantity::Milling => milling(sample),
            Quantity::MeanSpeed => mean_speed(sample),
            Quantity::NearestDistance => nearest_distance(sample),
            Quantity::Density => density(sample),
            Quantity::LocalDensity => local_density(sample, radius),
            Quantity::Clusters => clusters(sample, radius).sizes.len() as f64,
            Quantity::LargestCluster => clusters(sample, radius).largest_share(),
            Quantity::MeanClusterSize => clusters(sample, radius).mean_size(),
            Quantity::FluctuationExponent => fluctuation_exponent(sample),
            Quantity::CorrelationLength => correlation_length(sample),
            Quantity::Overlaps if sample.is_empty() => 0.0,
            Quantity::Overlaps => overlapping(sample).agents as f64 / sample.len() as f64,
            Quantity::Yielding => overlapping(sample).yielding as f64 / sample.len() as f64,
            Quantity::OverlapDepth => overlapping(sample).worst,
            Quantity::MeanSquaredDisplacement
            | Quantity::VelocityAutocorrelation
            | Quantity::Stuck
            | Quantity::Own(_) => f64::NAN,
        }
    }
}
