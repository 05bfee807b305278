//! Lattices of places for bodies that fill a region too densely to be drawn one by one.

use throng::maths::cube_root;
use throng::{AgentId, Edge, Vector};

use crate::bodies::Body;
use crate::definition::Group;
use crate::draw::OccupiedSpace;
use crate::start::StartRegion;

/// The gap between bodies on the densest lattice, as a share of their distance, which is more than rounding.
const GAP: f32 = 1e-3;

/// The largest number of points of a lattice.
const MOST_POINTS: usize = 1 << 24;

/// The largest number of lattices that are tried.
const TRIES: usize = 8;

impl<const D: usize> OccupiedSpace<'_, D> {
    /// Sites for all agents of a species, whose bodies are clear of each other and of others, and the distance that
    /// each may leave its site. If there are too few, the error is their number.
    pub(super) fn sites(&mut self, group: &Group, first: u64) -> Result<(Vec<Vector<D>>, f32), u64> {
        let seed = self.settings.seed;
        let radii = (0..if group.radius_varies() { group.count } else { 1 })
            .map(|number| group.radius(seed, AgentId::from_bits(first + number)));
        let radius = radii.fold(0.0, |widest, radius| if radius > widest { radius } else { widest });
        let (bounds, wanted) = (self.bounds_of(group, radius), group.count as usize);
        let extent = bounds[1] - bounds[0];
        let least = 2.0 * radius * (1.0 + GAP);
        let least = if least > 1e-6 { least } else { 1e-6 };
        // A lattice of this spacing fills the box with about the wanted number.
        let volume = extent.0.iter().fold(1.0, |volume, &extent| volume * f64::from(extent));
        let mut spacing = root::<D>(volume / group.count as f64) as f32;
        for _ in 0..TRIES {
            spacing = if spacing > least { spacing } else { least };
            let sites = self.lattice(group, radius, bounds, spacing);
            if sites.len() >= wanted {
                return Ok((sites, 0.49 * (spacing - 2.0 * radius)));
            }
            if spacing == least {
                return Err(sites.len() as u64);
            }
            let share = root::<D>(sites.len() as f64 / wanted as f64) as f32;
            spacing *= if share < 0.98 { share } else { 0.98 };
        }
        let sites = self.lattice(group, radius, bounds, least);
        if sites.len() >= wanted { Ok((sites, 0.0)) } else { Err(sites.len() as u64) }
    }

    /// The bounds of the centres of bodies.
    fn bounds_of(&self, group: &Group, radius: f32) -> [Vector<D>; 2] {
        let [mut low, mut high] = group.start.region.bounds(self.settings.size);
        for axis in 0..D {
            if self.settings.edge[axis] == Edge::Bounce {
                let last = self.settings.size[axis] - radius;
                low[axis] = if low[axis] < radius { radius } else { low[axis] };
                high[axis] = if high[axis] > last { last } else { high[axis] };
            }
        }
        [low, high]
    }

    /// Whether a body of the species may be at a point.
    pub(super) fn fits(&self, group: &Group, position: Vector<D>, radius: f32) -> bool {
        let region = &group.start.region;
        let [low, high] = region.bounds(self.settings.size);
        let inside = (0..D).all(|axis| (low[axis]..=high[axis]).contains(&position[axis]));
        let body = Body { position, radius, walks: group.walks };
        inside && region.contains(position) && self.is_clear(&body, *region == StartRegion::All)
    }

    /// The free sites of a lattice: triangles in two dimensions, the closest packing of balls in three.
    fn lattice(&mut self, group: &Group, radius: f32, [low, high]: [Vector<D>; 2], spacing: f32) -> Vec<Vector<D>> {
        let before = self.bodies.as_ref().map_or(0, |bodies| bodies.len());
        let step: Vector<D> = if D == 2 {
            Vector::from_fn(|axis| [0.5, 0.75_f32.sqrt(), 0.0][axis] * spacing)
        } else {
            Vector::splat(0.5_f32.sqrt() * spacing)
        };
        let count: [usize; D] = std::array::from_fn(|axis| {
            // Rounding does not cost the last site.
            let steps = (high[axis] - low[axis]) / step[axis] + 1e-3;
            if steps >= 0.0 { steps as usize + 1 } else { 0 }
        });
        let mut sites = Vec::new();
        let points = count.iter().fold(1_usize, |all, &count| all.saturating_mul(count));
        for number in 0..points.min(MOST_POINTS) {
            let (mut rest, mut sum) = (number, 0);
            let position = Vector::from_fn(|axis| {
                let at = rest % count[axis];
                (rest, sum) = (rest / count[axis], sum + at);
                let place = low[axis] + at as f32 * step[axis];
                if place < high[axis] { place } else { high[axis] }
            });
            // Every other point is a site, as the black fields of a board.
            if sum % 2 == 0 && self.fits(group, position, radius) {
                sites.push(position);
                if let Some(bodies) = &mut self.bodies {
                    bodies.add(Body { position, radius, walks: true });
                }
            }
        }
        if let Some(bodies) = &mut self.bodies {
            bodies.truncate(before);
        }
        sites
    }
}

/// The side of a square or a cube of this size.
fn root<const D: usize>(size: f64) -> f64 {
    if D == 2 { size.sqrt() } else { cube_root(size) }
}
