//! Neighbours across seams: the images of agents that each agent of a cluster sees, after all others.
//!
//! An image is seen if it is near enough and in the field of view, and if the line to it crosses its seam. Images are few,
//! and tested one by one in every tick: no list keeps them.

use crate::base::seam::{Side, flat};
use crate::kernels::CHUNK;
use crate::kernels::pairs::{COINCIDENT, Sum};
use crate::kernels::visibility::Sights;
use crate::kernels::vision::Vision;
use crate::maths::{Vector, ones};
use crate::neighbour_lists::pass::Pass;
use crate::neighbour_lists::search::NeighbourSearch;

/// An image and one bit for each agent of a cluster that sees it.
pub(super) type SeenAcross = smallvec::SmallVec<[(u32, u16); 32]>;

impl<const D: usize> NeighbourSearch<'_, D> {
    /// Whether rules read images now: there are seams, and the stage Steer runs.
    pub(super) fn shows_images(&self) -> bool {
        self.world.agents.len() > self.world.indices.len()
    }

    /// The number under which rules read the images of a species.
    pub(super) fn images_of(&self, species: usize) -> u32 {
        (self.world.indices.len() + species) as u32
    }

    /// The images of a species that the agents of a cluster see, with the view of each agent in `lanes`, by its place in
    /// the cluster.
    pub(super) fn seen_across(
        &self,
        (chunk, cluster, lanes): (usize, usize, u16),
        (species, radius): (usize, f32),
        view: impl Fn(usize) -> Vision,
    ) -> SeenAcross {
        let mut seen = SeenAcross::new();
        if !self.shows_images() {
            return seen;
        }
        let own = self.own_rows(chunk, cluster);
        let near = (self.agents, own.clone(), radius);
        self.world.images.visit_near(self.world.settings, near, species, |side, images| {
            for image in images {
                let sees =
                    |lane: &usize| self.sees_across(side, own.start + lane, (species, image), view(*lane)).is_some();
                let by = ones(lanes)
                    .filter(|lane| own.start + lane < own.end)
                    .filter(sees)
                    .fold(0, |by, lane| by | 1 << lane);
                if by != 0 {
                    seen.push((image, by));
                }
            }
        });
        seen
    }

    /// Appends the images of a species that agents see.
    pub(super) fn extend_across(&self, species: usize, seen: &SeenAcross, sights: &mut Sights) {
        if !seen.is_empty() {
            sights.extend(self.images_of(species), seen.iter().copied());
        }
    }

    /// The offset to an image, if the agent at a row sees it.
    fn sees_across(
        &self,
        side: &Side<D>,
        row: usize,
        (species, image): (usize, u32),
        view: Vision,
    ) -> Option<Vector<D>> {
        let images = &self.world.agents[self.images_of(species) as usize];
        let offset = self.offset(row, images, image as usize);
        let squared = offset.length_squared();
        if squared > view.radius_squared {
            return None;
        }
        let crosses = || side.is_crossed(flat(self.agents.position(row)), flat(images.position(image as usize)));
        (self.is_in_view(row, &offset, squared, view) && crosses()).then_some(offset)
    }

    /// Adds the images that the agents of a chunk see to the sums of all passes. `states` has the states of its agents, if
    /// there are any.
    pub(crate) fn add_across(&self, chunk: usize, sums: &mut [Sum<D>], states: &[u32]) {
        if !self.shows_images() {
            return;
        }
        for pass in self.plan.passes.iter().filter(|pass| pass.has_candidates) {
            self.add_images(chunk, pass, pass.species, sums, states);
        }
        let Some(joint) = &self.plan.joint else { return };
        for mixed in self.world.all_agents().iter().filter(|agents| agents.is_mixed()) {
            self.add_images(chunk, joint, mixed.species.number(), sums, states);
        }
    }

    /// Adds the images of a species that the agents of a chunk see to the sums of a pass.
    fn add_images(&self, chunk: usize, pass: &Pass, species: usize, sums: &mut [Sum<D>], states: &[u32]) {
        let (images, number) = (&self.world.agents[self.images_of(species) as usize], chunk * CHUNK);
        for cluster in 0..self.clusters_of(chunk) {
            let own = self.own_rows(chunk, cluster);
            let near = (self.agents, own.clone(), pass.radius);
            self.world.images.visit_near(self.world.settings, near, species, |side, range| {
                for (row, image) in own.clone().flat_map(|row| range.clone().map(move |image| (row, image))) {
                    let (lane, state) = (row - number, states.get(row - number).map_or(0, |&state| state as usize));
                    for run in &pass.runs {
                        for (term, view) in run.table.of(state).into_iter().enumerate() {
                            let Some(view) = view else { continue };
                            let Some(offset) = self.sees_across(side, row, (species, image), view) else { continue };
                            let sum = &mut sums[run.slots[term]];
                            let squared = offset.length_squared();
                            let addend = match term {
                                0 if squared < COINCIDENT => Vector::ZERO,
                                0 => offset / squared,
                                1 => images.velocity(image as usize),
                                _ => offset,
                            };
                            for axis in 0..D {
                                sum.vector[axis][lane] += addend[axis];
                            }
                            sum.count[lane] += if term == 0 { 0.0 } else { 1.0 };
                        }
                    }
                }
            });
        }
    }
}
