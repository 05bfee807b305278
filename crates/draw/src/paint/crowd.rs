//! The agents of a crowd as they are drawn, a block after another: a picture never holds the darts of all agents.

use rayon::prelude::*;

use super::canvas::{Canvas, Dart};
use super::style::Style;
use crate::drawable::{Drawable, DrawnAgent};

/// The number of agents of a block.
const BLOCK: usize = 1 << 16;

/// The number of darts that are sorted from the back to the front at once, or the share of all of them if that is more.
const MOST: usize = 1 << 18;
const SHARE: usize = 16;

/// The number of levels of depth from the front to the back.
const LEVELS: usize = 1 << 16;

/// A crowd, its appearance, and the places of neighbours or variables on the colour scale where these are shown.
pub(super) struct Crowd<'a, S: ?Sized> {
    pub(super) drawable: &'a S,
    pub(super) style: &'a Style,
    pub(super) near: Option<Vec<f32>>,
}

impl<S: Drawable + ?Sized> Crowd<'_, S> {
    /// Calls `each` with the darts of all agents in front of the camera, block by block.
    pub(super) fn each(&self, each: impl FnMut(&[Dart])) {
        let style = self.style;
        self.each_of(|agent, near| style.dart(agent, near), each);
    }

    /// The same with the values that `seen` returns for an agent and its share of neighbours.
    pub(super) fn each_of<T: Send>(
        &self,
        seen: impl Fn(&DrawnAgent, f32) -> Option<T> + Sync,
        mut each: impl FnMut(&[T]),
    ) {
        let (mut first, mut all) = (0, Vec::new());
        let shares = self.near.as_ref();
        self.drawable.crowd(&mut |agents| {
            for agents in agents.chunks(BLOCK) {
                let near = |row: usize| shares.map_or(0.0, |shares| shares[first + row]);
                let rows = (0..agents.len()).into_par_iter().with_min_len(1024);
                all.clear();
                all.par_extend(rows.filter_map(|row| seen(&agents[row], near(row))));
                each(&all);
                first += agents.len();
            }
        });
    }

    /// Draws all agents in their order, and returns their number.
    pub(super) fn draw(&self, canvas: &mut Canvas) -> usize {
        let mut count = 0;
        self.each(|darts| {
            canvas.draw(darts);
            count += darts.len();
        });
        count
    }

    /// Draws all agents from the back to the front: those in front hide those behind. Returns their number.
    pub(super) fn draw_by_depth(&self, canvas: &mut Canvas) -> usize {
        self.draw_in_slices(canvas, MOST)
    }

    /// The same in slices of a sixteenth of all agents, and of at least `few`. Fewer agents are read once.
    fn draw_in_slices(&self, canvas: &mut Canvas, few: usize) -> usize {
        let (mut levels, mut count, mut darts) = (vec![0; LEVELS], 0, Vec::new());
        self.each(|block| {
            block.iter().for_each(|dart| levels[level(dart.depth)] += 1);
            count += block.len();
            if count <= few {
                darts.extend_from_slice(block);
            }
        });
        if count <= few {
            draw_sorted(&mut darts, canvas);
            return count;
        }
        let (all, most) = (count, if count / SHARE > few { count / SHARE } else { few });
        let mut end = LEVELS;
        while end > 0 {
            let (mut start, mut count) = (end - 1, levels[end - 1]);
            while start > 0 && count + levels[start - 1] <= most {
                start -= 1;
                count += levels[start];
            }
            darts.clear();
            let style = self.style;
            let dart = |agent: &DrawnAgent, near: f32| {
                let depth = style.camera.project(agent.position)?.depth;
                if (start..end).contains(&level(depth)) { style.dart(agent, near) } else { None }
            };
            self.each_of(dart, |block| darts.extend_from_slice(block));
            draw_sorted(&mut darts, canvas);
            end = start;
        }
        all
    }
}

/// The level of a depth from the front (0) to the back (1).
fn level(depth: f32) -> usize {
    (depth * (LEVELS - 1) as f32) as usize
}

/// Draws darts from the back to the front. Agents of equal depth stay in their order.
fn draw_sorted(darts: &mut [Dart], canvas: &mut Canvas) {
    darts.par_sort_by(|a, b| b.depth.total_cmp(&a.depth));
    canvas.draw(darts);
}

#[cfg(test)]
mod tests {
    use throng::{Noise, Vector};

    use super::*;
    use crate::bounds::Bounds;
    use crate::drawable::Subject;
    use crate::options::{Colour, Options};

    /// Agents in space; many share their depth.
    struct Swarm(Vec<DrawnAgent>);

    impl Drawable for Swarm {
        fn subject(&self) -> Subject {
            let bounds = Bounds { low: Vector::ZERO, high: Vector([30.0, 20.0, 10.0]) };
            Subject { agents: self.0.len(), species: 6, ..Subject::new(3, bounds) }
        }

        fn tick(&self) -> u64 {
            0
        }

        fn crowd(&self, each: &mut dyn FnMut(&[DrawnAgent])) {
            self.0.chunks(700).for_each(each);
        }
    }

    #[test]
    fn a_picture_does_not_depend_on_its_slices() {
        let mut noise = Noise::new(5, 0, 0, Noise::USER);
        let mut agent = |number: u32| {
            let at = Vector([30.0, 20.0, 10.0].map(|size: f32| (size * noise.unit()).floor()));
            DrawnAgent { velocity: noise.direction(), species: number % 6, ..DrawnAgent::at(at) }
        };
        let swarm = Swarm((0..5000).map(&mut agent).collect());
        let options = Options { width: Some(320), colour: Some(Colour::Species), ..Options::default() };
        let subject = swarm.subject();
        let style = Style::new(&options, &subject, subject.bounds);
        let crowd = Crowd { drawable: &swarm, style: &style, near: None };
        let drawn = |few: Option<usize>| {
            let mut canvas = Canvas::new(style.width, style.height, vec![0; style.width * style.height * 3]);
            canvas.start(|_, _| {});
            match few {
                Some(few) => assert_eq!(crowd.draw_in_slices(&mut canvas, few), 5000),
                None => {
                    let mut darts: Vec<Dart> = swarm.0.iter().filter_map(|agent| style.dart(agent, 0.0)).collect();
                    draw_sorted(&mut darts, &mut canvas);
                }
            }
            canvas.into_picture()
        };
        let whole = drawn(None);
        assert!(whole.pixels().iter().any(|&channel| channel > 0));
        for few in [1, 40, 900, 4999, 5000] {
            assert!(drawn(Some(few)) == whole, "slices of {few}");
        }
    }
}
