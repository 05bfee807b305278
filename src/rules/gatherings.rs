//! Gatherings: how much room the walkers take that rest at a goal.

/// The part of a disc that bodies cover which come to rest side by side.
const COVERED: f32 = 0.8;

/// Square millimetres in a square metre: sums of whole numbers do not depend on the order of rows.
const WHOLE: f32 = 1e6;

/// The keys of goals and the squared radii of those that rest there, summed for each goal.
#[derive(Debug, Default)]
pub(crate) struct Gatherings(Vec<(u32, u64)>);

impl Gatherings {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a walker with this radius that rests at a goal.
    pub(crate) fn add(&mut self, goal: u32, radius: f32) {
        let area = (radius * radius * WHOLE) as u64;
        match self.0.binary_search_by_key(&goal, |(key, _)| *key) {
            Ok(place) => self.0[place].1 += area,
            Err(place) => self.0.insert(place, (goal, area)),
        }
    }

    /// The radius of the disc around a goal in which those that rest there have room, and one more body with this
    /// radius, in metres.
    pub(crate) fn radius(&self, goal: u32, one: f32) -> f32 {
        let place = self.0.binary_search_by_key(&goal, |(key, _)| *key);
        let areas = place.map_or(0.0, |place| self.0[place].1 as f32 / WHOLE);
        ((areas + one * one) / COVERED).sqrt()
    }
}
