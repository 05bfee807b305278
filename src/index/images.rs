//! The images of agents across seams: copies of the agents near a seam, where those on its other side see them.
//!
//! Rules read images as they read agents. While the stage Steer runs, the images of each species follow the agents of all
//! species, as if they were species of their own. No index has them: a search looks for seams near a cluster, and then
//! through all images there.

use std::ops::Range;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::base::seam::{Side, flat};
use crate::base::settings::{Seam, Settings};
use crate::boxes::aabb::Aabb;
use crate::boxes::tree::BoxTree;
use crate::kernels::CLUSTER;
use crate::maths::Vector;

/// The images of agents across the seams of a world.
#[derive(Debug, Default)]
pub(crate) struct Images<const D: usize> {
    /// Both sides of each seam, one after the other, and the boxes around them.
    sides: Vec<Side<D>>,
    tree: BoxTree<D>,
    /// For each species, its images while no rule reads them, and the range of those that each side shows.
    agents: Vec<Agents<D>>,
    shown: Vec<Vec<Range<u32>>>,
    /// A side and the row of an agent that it shows.
    found: Vec<(u32, u32)>,
    rows: Vec<u32>,
}

impl<const D: usize> Images<D> {
    /// Whether the world has no seams.
    pub(crate) fn is_empty(&self) -> bool {
        self.sides.is_empty()
    }

    /// Follows the seams of a world.
    pub(crate) fn follow(&mut self, level: Level, settings: &Settings<D>) {
        let sides = || settings.seams.iter().flat_map(Seam::sides);
        if self.sides.len() == 2 * settings.seams.len() && self.sides.iter().copied().eq(sides()) {
            return;
        }
        self.sides = sides().collect();
        let boxes = self.sides.iter().enumerate().map(|(number, side)| {
            let [a, b] = side.ends;
            let half = (b - a) * 0.5;
            (number as u32, Aabb { centre: a + half, half: Vector::from_fn(|axis| half[axis].abs()) })
        });
        self.tree = BoxTree::new(level, boxes, settings.period());
    }

    /// Copies the agents within `reach` metres of a seam on its other side.
    pub(crate) fn update(&mut self, settings: &Settings<D>, agents: &[Agents<D>], reach: f32) {
        let Self { sides, tree, agents: images, shown, found, rows } = self;
        images.truncate(agents.len());
        shown.resize_with(agents.len(), Vec::new);
        for (number, (agents, shown)) in agents.iter().zip(shown).enumerate() {
            found.clear();
            for first in (0..agents.len()).step_by(CLUSTER) {
                let cluster = first..(first + CLUSTER).clamp(0, agents.len());
                tree.visit(&around(agents, cluster.clone(), reach, settings), |number| {
                    let side = &sides[number as usize];
                    let is_near = |row: &usize| {
                        let at = agents.position(*row);
                        side.squared_distance(at) <= reach * reach && side.is_before(flat(at))
                    };
                    found.extend(cluster.clone().filter(is_near).map(|row| (number ^ 1, row as u32)));
                });
            }
            found.sort_unstable();
            rows.clear();
            rows.extend(found.iter().map(|(_, row)| *row));
            if images.len() == number {
                images.push(agents.part(0..0));
            }
            images[number].copy_rows(agents, rows);
            shown.clear();
            let mut first = 0;
            for (side, Side { shift, .. }) in sides.iter().enumerate() {
                let end = first + found[first..].partition_point(|(shown_by, _)| *shown_by as usize == side);
                let position = &mut *images[number].position;
                for axis in 0..D {
                    position[axis][first..end].iter_mut().for_each(|at| *at -= shift[axis]);
                }
                shown.push(first as u32..end as u32);
                first = end;
            }
        }
    }

    /// Appends the images to the agents of all species, for rules to read.
    pub(crate) fn show(&mut self, agents: &mut Vec<Agents<D>>) {
        agents.append(&mut self.agents);
    }

    /// Takes them back from the agents of this many species.
    pub(crate) fn hide(&mut self, agents: &mut Vec<Agents<D>>, species: usize) {
        self.agents.extend(agents.drain(species..));
    }

    /// Calls `visit` with the sides of seams within `reach` metres of these rows, and possibly more, ascending, and with the
    /// images of a species that each shows.
    pub(crate) fn visit_near(
        &self,
        settings: &Settings<D>,
        (agents, rows, reach): (&Agents<D>, Range<usize>, f32),
        species: usize,
        mut visit: impl FnMut(&Side<D>, Range<u32>),
    ) {
        if rows.is_empty() {
            return;
        }
        let mut near = smallvec::SmallVec::<[u32; 16]>::new();
        self.tree.visit(&around(agents, rows, reach, settings), |side| near.push(side));
        near.sort_unstable();
        for side in near {
            let shown = self.shown[species][side as usize].clone();
            if !shown.is_empty() {
                visit(&self.sides[side as usize], shown);
            }
        }
    }

    /// Calls `visit` with the sides of seams near the way from one point to another.
    pub(crate) fn visit_on_way(&self, from: Vector<D>, to: Vector<D>, mut visit: impl FnMut(&Side<D>)) {
        let half = (to - from) * 0.5;
        let bounds = Aabb { centre: from + half, half: Vector::from_fn(|axis| half[axis].abs()) };
        self.tree.visit(&bounds, |side| visit(&self.sides[side as usize]));
    }
}

/// The box around these rows, with `reach` metres on each side.
fn around<const D: usize>(agents: &Agents<D>, rows: Range<usize>, reach: f32, settings: &Settings<D>) -> Aabb<D> {
    let at = |row: usize| Aabb { centre: agents.position(row), half: Vector::ZERO };
    let bounds = Aabb::around(rows.map(at), settings);
    Aabb { half: bounds.half + Vector::splat(reach), ..bounds }
}
