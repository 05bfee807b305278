//! Buildings: their storeys have names, and may be drawn above each other.

use throng::Vector;
use throng_scenario::Storeys;

use crate::bounds::Bounds;
use crate::drawable::{Drawable, DrawnAgent, EnvironmentShape, Subject, Values};

/// The height of a building of few storeys that are drawn above each other, in parts of its longer side. It is stretched.
const HEIGHT: f32 = 0.7;

/// The room above the highest storey, in metres.
const ROOM: f32 = 2.5;

/// A crowd, and the building in which it is, if there is one. The storeys and stairs lie side by side in the world.
#[derive(Clone, Copy, Debug)]
pub struct Building<'a, C: ?Sized> {
    /// The crowd, in the coordinates of the world.
    pub crowd: &'a C,
    /// The storeys and stairs. Without them the crowd is drawn as it is.
    pub storeys: Option<&'a Storeys>,
    /// Whether the storeys are drawn above each other, in three dimensions. A building of few storeys is drawn higher than
    /// it is.
    pub stacked: bool,
}

impl<C: Drawable + ?Sized> Building<'_, C> {
    fn stack(&self) -> Option<Stack<'_>> {
        self.storeys.filter(|_| self.stacked).map(Stack::new)
    }
}

impl<C: Drawable + ?Sized> Drawable for Building<'_, C> {
    fn subject(&self) -> Subject {
        let subject = self.crowd.subject();
        match self.stack() {
            None => subject,
            Some(stack) => Subject { flat: false, bounds: stack.bounds, crowd: Bounds::EMPTY, ..subject },
        }
    }

    fn tick(&self) -> u64 {
        self.crowd.tick()
    }

    fn crowd(&self, each: &mut dyn FnMut(&[DrawnAgent])) {
        let Some(stack) = self.stack() else { return self.crowd.crowd(each) };
        let mut block = Vec::new();
        self.crowd.crowd(&mut |agents| {
            block.clear();
            block.extend(agents.iter().map(|agent| {
                let position = stack.place(agent.position);
                DrawnAgent { position, before: position + agent.before - agent.position, ..*agent }
            }));
            each(&block);
        });
    }

    fn values(&self, name: &str) -> Option<Values> {
        self.crowd.values(name)
    }

    fn shapes(&self) -> Vec<EnvironmentShape> {
        let Some(storeys) = self.storeys else { return self.crowd.shapes() };
        let mut shapes: Vec<_> = floors(storeys).collect();
        shapes.extend(self.crowd.shapes());
        if let Some(stack) = self.stack() {
            // A flight is its walls: a flat box on it would cut through it, as would floors of sheets through others.
            let is_sheet = |shape: &_| storeys.is_mesh() && matches!(shape, EnvironmentShape::Floor { .. });
            shapes.retain(|shape| !is_sheet(shape) && !stack.is_across(shape));
            shapes.iter_mut().for_each(|shape| stack.lift(shape));
        }
        shapes
    }
}

/// The floors of a building in its world. Flights have no names.
fn floors(storeys: &Storeys) -> impl Iterator<Item = EnvironmentShape> {
    let names = storeys.names().map(str::to_owned).chain(std::iter::repeat(String::new()));
    names.zip(storeys.parts()).map(|(name, corners)| {
        let [low, high] = corners.map(|corner| Vector([corner[0], corner[1], 0.0]));
        EnvironmentShape::Floor { bounds: Bounds { low, high }, name }
    })
}

/// Storeys above each other.
struct Stack<'a> {
    storeys: &'a Storeys,
    /// The factor of heights.
    stretch: f32,
    bounds: Bounds,
}

impl<'a> Stack<'a> {
    fn new(storeys: &'a Storeys) -> Self {
        let mut stack = Self { storeys, stretch: 1.0, bounds: Bounds::EMPTY };
        for [x, y] in storeys.corners().map(|corner| corner.0) {
            stack.bounds = stack.bounds.including(stack.place(Vector([x, y, 0.0])));
        }
        let extent = stack.bounds.extent();
        let longer = if extent[0] > extent[1] { extent[0] } else { extent[1] };
        if !storeys.is_mesh() && extent[2] > 0.0 && extent[2] < HEIGHT * longer {
            stack.stretch = HEIGHT * longer / extent[2];
        }
        let Bounds { low, high } = &mut stack.bounds;
        low[2] *= stack.stretch;
        high[2] = (high[2] + ROOM) * stack.stretch;
        stack
    }

    /// The place of a point of the world.
    fn place(&self, point: Vector<3>) -> Vector<3> {
        let found = self.storeys.locate([point[0], point[1]]);
        found.map_or(point, |place| Vector([place.plan[0], place.plan[1], place.elevation * self.stretch]))
    }

    /// Whether a box lies on a flight.
    fn is_across(&self, shape: &EnvironmentShape) -> bool {
        let (EnvironmentShape::Box { bounds, .. } | EnvironmentShape::Floor { bounds, .. }) = shape else {
            return false;
        };
        let corner = |x: Vector<3>, y: Vector<3>| self.place(Vector([x[0], y[1], 0.0]))[2];
        let (low, high) = (bounds.low, bounds.high);
        [(low, high), (high, low), (high, high)].iter().any(|(x, y)| corner(*x, *y) != corner(low, low))
    }

    /// Moves a shape of the world to its place.
    fn lift(&self, shape: &mut EnvironmentShape) {
        use EnvironmentShape as Shape;
        match shape {
            Shape::Ball { centre: one, .. } | Shape::Obstacle { centre: one, .. } | Shape::Mark { at: one } => {
                *one = self.place(*one);
            }
            Shape::Flow { from, to }
            | Shape::Link { from, to }
            | Shape::Wall { from, to }
            | Shape::Door { from, to } => {
                (*from, *to) = (self.place(*from), self.place(*to));
            }
            Shape::Box { bounds, .. } | Shape::Floor { bounds, .. } => {
                *bounds = bounds.around(self.place(bounds.middle()))
            }
            // Only maps have substances.
            Shape::Substance { .. } => {}
            Shape::Path { points, .. } => points.iter_mut().for_each(|point| *point = self.place(*point)),
        }
    }
}
