//! Searches for the agents near a point, for rules and for the host.
//!
//! Distances are those of the pair kernel: in a periodic world to the nearest image. Ties go to the first species, then
//! to the first row, so that the answer does not depend on how boxes were gone through.

use crate::agents::Agents;
use crate::derived::Places;
use crate::kernels::CLUSTER;
use crate::scene::Scene;
use crate::settings::nearest_image;
use crate::strays::Strays;
use crate::vector::Vector;

/// An agent that a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found<const D: usize> {
    pub(crate) distance_squared: f32,
    pub(crate) row: usize,
    pub(crate) offset: Vector<D>,
}

/// Where the agents of a species are to be looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crowd<'a, const D: usize> {
    pub(crate) agents: &'a Agents<D>,
    pub(crate) places: &'a Places<D>,
    /// Rows outside of the boxes of the places.
    pub(crate) strays: &'a Strays<D>,
    /// The rest of these, to be looked at one by one.
    pub(crate) rest: &'a [u32],
}

impl<const D: usize> Crowd<'_, D> {
    /// Calls `visit` with the agents within `radius` of a point, in any order, some of them more than once.
    pub(crate) fn visit_within(
        &self,
        period: &[f32; D],
        point: Vector<D>,
        radius: f32,
        mut visit: impl FnMut(Found<D>),
    ) {
        let mut look = |row: usize| {
            if row < self.agents.len() {
                let position = &self.agents.position;
                let offset = Vector::from_fn(|axis| nearest_image(position[axis][row] - point[axis], period[axis]));
                let distance_squared = offset.length_squared();
                if distance_squared <= radius * radius {
                    visit(Found { distance_squared, row, offset });
                }
            }
        };
        self.places.index.visit_clusters(point, radius, period, |first| (first..first + CLUSTER).for_each(&mut look));
        if !self.strays.is_empty() {
            self.strays.index.visit_clusters(point, radius, period, |first| {
                self.strays.rows[first..].iter().take(CLUSTER).for_each(|&row| look(row as usize));
            });
        }
        self.rest.iter().for_each(|&row| look(row as usize));
    }
}

/// The nearest agent to a point within `radius` (which may be infinite) that is wanted, and the number of its species.
pub(crate) fn nearest<const D: usize>(
    scene: &Scene<'_, D>,
    point: Vector<D>,
    radius: f32,
    want: impl Fn(&Agents<D>, usize) -> bool,
) -> Option<(usize, Found<D>)> {
    let period = scene.settings.period();
    let mut best: Option<(usize, Found<D>)> = None;
    for (number, (agents, places)) in scene.agents.iter().zip(scene.places).enumerate() {
        let crowd = Crowd { agents, places, strays: &places.strays, rest: &[] };
        crowd.visit_within(&period, point, radius, |found| {
            let key = |number: usize, found: &Found<D>| (found.distance_squared.to_bits(), number, found.row);
            if best.is_none_or(|(other, best)| key(number, &found) < key(other, &best)) && want(agents, found.row) {
                best = Some((number, found));
            }
        });
    }
    best
}
