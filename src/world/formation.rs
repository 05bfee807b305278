//! Formations: places beside each other for agents that a host orders together.

use crate::base::definition::{Definition, definition};
use crate::base::error::Error;
use crate::base::ids::AgentId;
use crate::base::settings::LIMIT;
use crate::maths::Vector;
use crate::rules::parameters::{Allowed, Kind, Range, choice};
use crate::world::World;

choice! {
    /// The shape of a formation.
    pub enum FormationShape {
        /// All abreast.
        Line = "line",
        /// One behind the other.
        Column = "column",
        /// A triangle whose tip leads: each rank has two more than the one ahead.
        Wedge = "wedge",
        /// As deep as it is wide.
        Box = "box",
    }
}

/// The range of distances between places.
const APART: Range = Range::above(0.0, LIMIT as f64);

definition! {
    /// A formation: its shape and how close its places are.
    ///
    /// ```
    /// use throng::behaviours::WalkTo;
    /// use throng::motions::Orca;
    /// use throng::{Formation, FormationShape, Navigation, Settings, Species, World};
    ///
    /// let mut world = World::<2>::new(Settings::default())?;
    /// world.environment_mut().navigations.add(Navigation::new("ground", vec![]))?;
    /// let goals = vec!["ground".to_owned()];
    /// let soldier = Species::new("soldier").with_radius(0.4).with_max_speed(3.0).with_motion(Orca::default());
    /// let soldier = world.add_species(soldier.with(1.0, WalkTo { goals, ..WalkTo::default() }))?;
    /// let squad = world.spawn_many(soldier, &[[20.0, 20.0], [20.0, 22.0], [20.0, 24.0], [20.0, 26.0]], &[[0.0; 2]; 4])?;
    ///
    /// world.form(&squad, &Formation::new(FormationShape::Wedge, 2.0), [60.0, 30.0], [1.0, 0.0])?;
    /// (0..1500).for_each(|_| world.step());
    /// let ahead = squad.iter().filter(|id| world.position(**id).is_ok_and(|at| (at[0] - 61.0).abs() < 0.3));
    /// assert_eq!(ahead.count(), 1);
    /// # Ok::<(), throng::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Formation {
        /// Shape.
        pub shape: FormationShape = (FormationShape::Box), "", FormationShape::KIND;
        /// Distance between places beside each other.
        pub spacing: f32, "m", Kind::Number(APART);
        /// Distance between ranks.
        pub depth: Option<f32> = None or "`spacing`", "m", Kind::Number(APART);
        /// Number of files abreast of a line, a column or a box.
        pub files: Option<u64> = None or "the number of its shape", "", Kind::Whole(1, 1 << 24);
    }
}

impl Formation {
    /// A formation whose ranks are as far apart as its files, in metres.
    #[must_use]
    pub fn new(shape: FormationShape, spacing: f32) -> Self {
        Self { shape, spacing, depth: None, files: None }
    }

    /// Replaces the number of files abreast.
    #[must_use]
    pub fn with_files(self, files: u64) -> Self {
        Self { files: Some(files), ..self }
    }

    /// The lengths of the ranks of a number of agents, the foremost first.
    fn ranks(&self, count: usize) -> Vec<usize> {
        let files = match self.shape {
            FormationShape::Line => count,
            FormationShape::Column | FormationShape::Wedge => 1,
            FormationShape::Box => (1..=count).find(|files| files * files >= count).unwrap_or(1),
        };
        let chosen = self.files.filter(|_| self.shape != FormationShape::Wedge);
        let files = chosen.map_or(files, |files| files.clamp(1, 1 + count as u64) as usize);
        let (mut left, mut ranks) = (count, Vec::<usize>::new());
        while left > 0 {
            let widened = if self.shape == FormationShape::Wedge { 2 * ranks.len() } else { 0 };
            ranks.push(left.min(files + widened));
            left -= ranks[ranks.len() - 1];
        }
        ranks
    }

    /// The places of a number of agents relative to the middle between its first and last rank: ahead and to the left, in
    /// metres. The foremost rank comes first, each from the left to the right; the last may be shorter, and is centred.
    ///
    /// ```
    /// use throng::{Formation, FormationShape, Vector};
    ///
    /// let places = Formation::new(FormationShape::Wedge, 1.0).places(4);
    /// assert_eq!(places, [[0.5, 0.0], [-0.5, 1.0], [-0.5, 0.0], [-0.5, -1.0]].map(Vector));
    /// ```
    #[must_use]
    pub fn places(&self, count: usize) -> Vec<Vector<2>> {
        let ranks = self.ranks(count);
        let middle = |number: usize| 0.5 * (number as f32 - 1.0);
        let of_rank = |(rank, length): (usize, usize)| {
            let ahead = self.depth.unwrap_or(self.spacing) * (middle(ranks.len()) - rank as f32);
            (0..length).map(move |file| Vector([ahead, self.spacing * (middle(length) - file as f32)]))
        };
        ranks.iter().copied().enumerate().flat_map(of_rank).collect()
    }

    /// The number of the place of each agent, by its offset ahead and to the left of the middle, in metres. Straight ways
    /// from the offsets to the places do not cross.
    #[must_use]
    pub fn assign(&self, offsets: &[Vector<2>]) -> Vec<usize> {
        // Ranks are filled from the front, and files from the left.
        let by = |axis: usize| move |one: &usize, other: &usize| offsets[*other][axis].total_cmp(&offsets[*one][axis]);
        let mut agents: Vec<usize> = (0..offsets.len()).collect();
        agents.sort_by(by(0));
        let mut rest = &mut agents[..];
        for length in self.ranks(offsets.len()) {
            let (rank, behind) = rest.split_at_mut(length);
            rank.sort_by(by(1));
            rest = behind;
        }
        let places = self.places(offsets.len());
        uncross(&mut agents, offsets, &places);
        let mut assigned = vec![0; offsets.len()];
        agents.iter().enumerate().for_each(|(place, agent)| assigned[*agent] = place);
        assigned
    }
}

/// Exchanges places until no exchange of two shortens their ways: two that cross would be longer than exchanged.
fn uncross(agents: &mut [usize], offsets: &[Vector<2>], places: &[Vector<2>]) {
    let way = |agent: usize, place: usize| {
        let off = (offsets[agent] - places[place]).0.map(f64::from);
        (off[0] * off[0] + off[1] * off[1]).sqrt()
    };
    let mut ways: Vec<f64> = agents.iter().enumerate().map(|(place, agent)| way(*agent, place)).collect();
    // Exchanges that gain no more than rounding would not end.
    let gain = 1.0 - 1e-9;
    let mut is_settled = false;
    while !is_settled {
        is_settled = true;
        for one in 0..agents.len() {
            for other in one + 1..agents.len() {
                let (a, b) = (way(agents[other], one), way(agents[one], other));
                if a + b < gain * (ways[one] + ways[other]) {
                    agents.swap(one, other);
                    (ways[one], ways[other], is_settled) = (a, b, false);
                }
            }
        }
    }
}

impl<const D: usize> World<D> {
    /// Orders agents into a formation: gives each the [goal](Self::set_goal) of a place, so that their straight ways do
    /// not cross. Rules that follow a goal take them there, [`WalkTo`](crate::behaviours::WalkTo) around walls. A formation
    /// turns and closes its ranks by another order. `facing` is the direction ahead, a vector of any length. In three
    /// dimensions the formation is level.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], or [`Error::BadValue`] if the spacing or the depth is not positive or beyond [`LIMIT`], if
    /// `facing` is zero or vertical, or if a place is not finite or beyond [`LIMIT`]. No agent has another goal then.
    pub fn form(
        &mut self,
        agents: &[AgentId],
        formation: &Formation,
        middle: impl Into<Vector<D>>,
        facing: impl Into<Vector<D>>,
    ) -> Result<(), Error> {
        let (middle, facing) = (middle.into(), facing.into());
        formation.check_keys()?;
        let ahead = Vector([facing[0], facing[1]]).direction();
        if ahead == Vector::ZERO || !facing.is_finite() {
            return Err(Error::bad("facing", facing, Allowed::point(Range::COORDINATE, "")));
        }
        let mut offsets = Vec::with_capacity(agents.len());
        for &id in agents {
            let offset = self.settings().offset(middle, self.position(id)?);
            let flat = Vector([offset[0], offset[1]]);
            offsets.push(Vector([flat.dot(ahead), ahead[0] * flat[1] - ahead[1] * flat[0]]));
        }
        let places = formation.places(agents.len());
        let goals = formation.assign(&offsets).into_iter().map(|place| {
            let [forward, left] = places[place].0;
            let [x, y] = [ahead[0] * forward - ahead[1] * left, ahead[1] * forward + ahead[0] * left];
            middle + Vector::from_fn(|axis| [x, y].get(axis).copied().unwrap_or(0.0))
        });
        let goals: Vec<Vector<D>> = goals.collect();
        if let Some(beyond) = goals.iter().find(|goal| !goal.0.iter().all(|coordinate| coordinate.abs() <= LIMIT)) {
            return Err(Error::bad("goal", *beyond, Allowed::point(Range::COORDINATE, "m")));
        }
        agents.iter().zip(goals).try_for_each(|(&id, goal)| self.set_goal(id, Some(goal)))
    }
}
