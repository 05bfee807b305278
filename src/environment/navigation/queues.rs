//! The agents on their way to each navigation's goals.

/// For each navigation, the distances that the agents heading for its goals have left.
#[derive(Debug, Default)]
pub(crate) struct Queues {
    /// The bits of the distances, ascending, by the index of the navigation.
    left: Vec<Vec<u32>>,
}

impl Queues {
    /// Empties the queues, for this number of navigations.
    pub(crate) fn clear(&mut self, navigations: usize) {
        self.left.resize_with(navigations, Vec::new);
        self.left.iter_mut().for_each(Vec::clear);
    }

    /// Adds an agent with this distance left. Bits of distances have the order of the distances.
    pub(crate) fn add(&mut self, navigation: usize, distance: u32) {
        self.left[navigation].push(distance);
    }

    /// Sorts the queues after all agents were added.
    pub(crate) fn sort(&mut self) {
        self.left.iter_mut().for_each(|left| left.sort_unstable());
    }

    /// The number of agents that are nearer to the goals of a navigation than `distance`, in metres.
    pub(crate) fn nearer(&self, navigation: usize, distance: f32) -> usize {
        let distance = distance.to_bits();
        self.left.get(navigation).map_or(0, |left| left.partition_point(|&other| other < distance))
    }
}
