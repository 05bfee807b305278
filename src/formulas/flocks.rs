//! What one neighbour adds to the sums of an agent, in the models of flocks.

use crate::maths::components::{direction, dot, minus, plus, times};
use crate::maths::number::{Number, Truth};
use crate::maths::{cosine_of_half_turns, exp_single, ln_single};

/// An agent and one of its neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<N, const D: usize> {
    /// The offset to the neighbour, and its squared length.
    pub(crate) offset: [N; D],
    pub(crate) squared: N,
    /// The velocity and the direction of the agent.
    pub(crate) own: [N; D],
    pub(crate) heading: [N; D],
    /// The velocity of the neighbour.
    pub(crate) theirs: [N; D],
}

/// The sums of an agent over its neighbours; each model says which.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlockSums<N, const D: usize> {
    pub(crate) vectors: [[N; D]; 3],
    pub(crate) counts: [N; 3],
}

impl<const D: usize> FlockSums<f32, D> {
    pub(crate) const ZERO: Self = Self { vectors: [[0.0; D]; 3], counts: [0.0; 3] };
}

impl<N: Number, const D: usize> FlockSums<N, D> {
    /// Adds a vector where `truth` holds. Adding zero changes no sum that starts at zero.
    #[inline(always)]
    fn add(&mut self, place: usize, truth: N::Truth, term: [N; D]) {
        let zero = term[0].same(0.0);
        for axis in 0..D {
            self.vectors[place][axis] += truth.choose(term[axis], zero);
        }
    }

    /// Counts a neighbour where `truth` holds.
    #[inline(always)]
    fn count(&mut self, place: usize, truth: N::Truth) {
        let one = self.counts[place].same(1.0);
        self.counts[place] += truth.choose(one, one.same(0.0));
    }
}

/// What a neighbour adds to the sums of an agent.
pub(crate) trait Interaction<const D: usize>: Copy {
    /// Adds the neighbour where `sees` holds.
    fn add<N: Number>(&self, pair: &Pair<N, D>, sees: N::Truth, sums: &mut FlockSums<N, D>);
}

/// Cucker and Smale 2007. The first sum is the acceleration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approach {
    pub(crate) strength: f32,
    /// The square of the scale.
    pub(crate) square: f32,
    pub(crate) exponent: f32,
}

impl<const D: usize> Interaction<D> for Approach {
    #[inline(always)]
    fn add<N: Number>(&self, pair: &Pair<N, D>, sees: N::Truth, sums: &mut FlockSums<N, D>) {
        let same = |value: f32| pair.squared.same(value);
        let power = exp_single(ln_single(pair.squared + same(self.square)) * same(-self.exponent));
        sums.add(0, sees, times(minus(pair.theirs, pair.own), power * same(self.strength)));
    }
}

/// D'Orsogna et al. 2006. The first sum is the force of the Morse potential.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Morse {
    /// The forces at the distance zero.
    pub(crate) repels: f32,
    pub(crate) attracts: f32,
    pub(crate) repulsion_range: f32,
    pub(crate) attraction_range: f32,
}

impl<const D: usize> Interaction<D> for Morse {
    #[inline(always)]
    fn add<N: Number>(&self, pair: &Pair<N, D>, sees: N::Truth, sums: &mut FlockSums<N, D>) {
        let same = |value: f32| pair.squared.same(value);
        let distance = pair.squared.sqrt();
        let attraction = exp_single(distance * same(-1.0 / self.attraction_range)) * same(self.attracts);
        let repulsion = exp_single(distance * same(-1.0 / self.repulsion_range)) * same(self.repels);
        sums.add(0, sees, times(direction(pair.offset), attraction - repulsion));
    }
}

/// Couzin et al. 2002. The sums of repulsion, orientation and attraction, and the numbers of neighbours in them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Zones {
    pub(crate) repulsion_radius: f32,
    pub(crate) orientation_radius: f32,
    /// The cosine of half the field of view, below all cosines if it has no limit.
    pub(crate) behind: f32,
}

impl<const D: usize> Interaction<D> for Zones {
    #[inline(always)]
    fn add<N: Number>(&self, pair: &Pair<N, D>, sees: N::Truth, sums: &mut FlockSums<N, D>) {
        let same = |value: f32| pair.squared.same(value);
        let (towards, distance) = (direction(pair.offset), pair.squared.sqrt());
        let repels = distance.lt(same(self.repulsion_radius));
        let behind = dot(&towards, &pair.heading).lt(same(self.behind));
        let aligns = distance.lt(same(self.orientation_radius));
        let seen = sees & !repels & !behind;
        let places = [sees & repels, seen & aligns, seen & !aligns];
        sums.add(0, places[0], times(towards, same(-1.0)));
        sums.add(1, places[1], direction(pair.theirs));
        sums.add(2, places[2], towards);
        for place in 0..3 {
            sums.count(place, places[place]);
        }
    }
}

/// Gregoire and Chate 2004. The sums of headings, of forces and of directions away from neighbours in the core; and the
/// number of neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bonds {
    pub(crate) core: f32,
    pub(crate) equilibrium: f32,
    pub(crate) attraction: f32,
}

impl<const D: usize> Interaction<D> for Bonds {
    #[inline(always)]
    fn add<N: Number>(&self, pair: &Pair<N, D>, sees: N::Truth, sums: &mut FlockSums<N, D>) {
        let same = |value: f32| pair.squared.same(value);
        let (towards, distance) = (direction(pair.offset), pair.squared.sqrt());
        let near = same(0.25) * (distance - same(self.equilibrium)) / same(self.attraction - self.equilibrium);
        let force = distance.lt(same(self.attraction)).choose(near, same(1.0));
        sums.add(0, sees, direction(pair.theirs));
        sums.add(1, sees, times(towards, force));
        sums.add(2, sees & distance.lt(same(self.core)), times(towards, same(-1.0)));
        sums.count(0, sees);
    }
}

/// Olfati-Saber 2006. The first sum is the acceleration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lattice {
    pub(crate) epsilon: f32,
    /// The sigma-norms of the radius and of the spacing.
    pub(crate) reach: f32,
    pub(crate) rest: f32,
    pub(crate) near: f32,
    pub(crate) far: f32,
    pub(crate) bump: f32,
}

impl Lattice {
    /// The bump function: 1 up to `bump`, 0 from 1 on.
    #[inline(always)]
    fn weight<N: Number>(&self, share: N) -> N {
        let same = |value: f32| share.same(value);
        let (half, one) = (same(0.5), same(1.0));
        let falls = half * (one + cosine_of_half_turns((share - same(self.bump)) * same(1.0 / (1.0 - self.bump))));
        share.lt(same(self.bump)).choose(one, share.lt(one).choose(falls, same(0.0)))
    }

    /// The action function without its bump, of the difference of a sigma-norm and the sigma-norm of the spacing.
    #[inline(always)]
    fn action<N: Number>(&self, difference: N) -> N {
        let same = |value: f32| difference.same(value);
        let (a, b) = (self.near, self.far);
        let at = difference + same((a - b).abs() / (4.0 * a * b).sqrt());
        same(0.5) * (same(a + b) * at / (same(1.0) + at * at).sqrt() + same(a - b))
    }
}

impl<const D: usize> Interaction<D> for Lattice {
    #[inline(always)]
    fn add<N: Number>(&self, pair: &Pair<N, D>, sees: N::Truth, sums: &mut FlockSums<N, D>) {
        let one = pair.squared.same(1.0);
        let root = (one + pair.squared.same(self.epsilon) * pair.squared).sqrt();
        let norm = pair.squared / (root + one);
        let weight = self.weight(norm * one.same(1.0 / self.reach));
        let along = times(pair.offset, weight * self.action(norm - one.same(self.rest)) / root);
        sums.add(0, sees, plus(along, times(minus(pair.theirs, pair.own), weight)));
    }
}
