//! Validates candidate lists in debug builds: the lists of one cluster per tick, by a search over all pairs.

use crate::kernels::{CHUNK, CLUSTER, CLUSTERS};
use crate::neighbour_lists::lists::TickLists;
use crate::neighbour_lists::search::NeighbourSearch;

impl<const D: usize> NeighbourSearch<'_, D> {
    /// Asserts that a cluster's lists contain all agents within the radius. Each tick checks another cluster, so that
    /// all of them are checked in turn.
    pub(crate) fn check_lists(&self, chunk: usize, lists: TickLists<'_>) {
        let (tick, clusters) = (self.world.tick % 1_000_003, self.agents.padded() / CLUSTER);
        let cluster =
            (tick as usize * 7919 % clusters).checked_sub(chunk * CLUSTERS).filter(|&cluster| cluster < CLUSTERS);
        let Some(cluster) = cluster.filter(|_| self.limit.is_none()) else { return };
        let period = self.world.settings.period();
        for (number, pass) in self.plan.passes.iter().enumerate().filter(|(_, pass)| pass.has_candidates) {
            let others = self.others(pass);
            let listed = lists.candidates(number, others);
            let first = chunk * CHUNK + cluster * CLUSTER;
            for row in (first..first + CLUSTER).take_while(|&row| row < self.agents.len()) {
                let listed = listed.of((row % CHUNK) * self.groups() / CLUSTER);
                assert!(listed.is_sorted_by(|a, b| a < b), "a list is not in ascending order");
                let is_unknown = |row: &usize| self.their_index(pass).placed.is_unknown(*row);
                for their_row in (0..others.len()).filter(|row| !is_unknown(row)) {
                    if self.looks_at_own(pass) && (first..first + CLUSTER).contains(&their_row) {
                        assert!(listed.binary_search(&(their_row as u32)).is_err(), "a cluster is on its own list");
                        continue;
                    }
                    let mut squared = 0.0;
                    for axis in 0..D {
                        let offset = others.position[axis][their_row] - self.agents.position[axis][row];
                        let offset = crate::base::settings::nearest_image(offset, period[axis]);
                        squared += offset * offset;
                    }
                    if squared <= pass.radius * pass.radius {
                        assert!(
                            listed.binary_search(&(their_row as u32)).is_ok(),
                            "row {their_row} of species {} is {} m from row {row}, and not on its list of {} m",
                            pass.species,
                            squared.sqrt(),
                            pass.radius,
                        );
                    }
                }
            }
        }
    }
}
