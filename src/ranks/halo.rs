//! The halo of a rank: the chunks of other ranks near its own, whose positions and velocities it gets in every tick, and
//! whose ids and bodies it gets with its lists.
//!
//! The halo of a pass is the chunks that the search for its candidates finds. It lasts as long as its lists.

use crate::agents::Agents;
use crate::kernels::CHUNK;
use crate::neighbour_lists::pass::Pass;
use crate::ranks::columns::{OwnColumns, Wide, single};
use crate::ranks::messages::Messages;
use crate::ranks::shares::Shares;
use crate::transport::numbers::Wire as _;

/// A chunk: the number of its species, and its own.
type Place = (usize, usize);

/// The chunks that ranks send each other.
#[derive(Debug, Default)]
pub(crate) struct Halo {
    /// For each pass of each species, the chunks of other ranks that are near.
    pub(super) passes: Vec<Vec<Vec<usize>>>,
    /// For each rank, the chunks that it sends to this one, and those that this one sends to it.
    pub(super) incoming: Vec<Vec<Place>>,
    outgoing: Vec<Vec<Place>>,
}

impl Halo {
    /// Requests the chunks of other ranks near this one, and learns which chunks the others request.
    pub(super) fn request<'a, const D: usize>(
        &mut self,
        messages: &mut Messages,
        shares: &Shares,
        passes: impl Iterator<Item = &'a [Pass]>,
        agents: &mut [Agents<D>],
    ) {
        let mut near: Vec<Place> = Vec::new();
        for (passes, chunks) in passes.zip(&self.passes) {
            for (pass, chunks) in passes.iter().zip(chunks) {
                near.extend(chunks.iter().map(|&chunk| (pass.species, chunk)));
            }
        }
        near.sort_unstable();
        near.dedup();
        self.incoming.resize_with(messages.ranks(), Vec::new);
        for (rank, incoming) in self.incoming.iter_mut().enumerate() {
            let is_its =
                |(species, chunk): &&Place| shares.of(rank, Some(*species), agents[*species].chunks()).contains(chunk);
            incoming.clear();
            incoming.extend(near.iter().filter(is_its));
        }
        let from = messages.exchange(|rank, to| {
            for &(species, chunk) in &self.incoming[rank] {
                (species as u32).write(to);
                (chunk as u32).write(to);
            }
        });
        self.outgoing.clear();
        self.outgoing.extend(from.iter().map(|bytes| {
            let mut bytes = &bytes[..];
            let mut places = Vec::new();
            while !bytes.is_empty() {
                let [species, chunk] = [(); 2].map(|()| u32::read(&mut bytes) as usize);
                places.push((species, chunk));
            }
            places
        }));
        self.exchange(messages, agents, |agents| OwnColumns::of(agents).fixed);
    }

    /// Sends and gets the positions and velocities of these chunks.
    pub(super) fn exchange_motion<const D: usize>(&self, messages: &mut Messages, agents: &mut [Agents<D>]) {
        self.exchange(messages, agents, |agents| {
            let motion = agents.position.iter_mut().chain(&mut agents.velocity);
            motion.map(|column| single(column)).collect()
        });
    }

    /// Sends and gets some columns of these chunks.
    fn exchange<const D: usize>(
        &self,
        messages: &mut Messages,
        agents: &mut [Agents<D>],
        columns: impl Fn(&mut Agents<D>) -> Vec<Wide<'_>>,
    ) {
        // Without a pass, nothing was asked for.
        if self.outgoing.is_empty() {
            return;
        }
        let mut columns: Vec<_> = agents.iter_mut().map(columns).collect();
        // Not every column has rows for the agents that fill the last cluster.
        let entries = |(numbers, width): &Wide<'_>, chunk: usize| {
            let unit = CHUNK * width;
            chunk * unit..((chunk + 1) * unit).min(numbers.entries())
        };
        let from = messages.exchange(|rank, to| {
            for &(species, chunk) in &self.outgoing[rank] {
                columns[species].iter().for_each(|column| column.0.write(entries(column, chunk), to));
            }
        });
        for (places, bytes) in self.incoming.iter().zip(from) {
            let mut bytes = &bytes[..];
            for &(species, chunk) in places {
                for column in &mut columns[species] {
                    let entries = entries(column, chunk);
                    column.0.read(entries, &mut bytes);
                }
            }
        }
    }
}
