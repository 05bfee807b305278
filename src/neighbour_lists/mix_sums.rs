//! Sums over neighbours in the mix, stored by place until the rules of each species run.

use std::ops::Range;

use crate::agents::parallel::{ChunkedColumn, PerThread, for_each_chunk_of};
use crate::kernels::CHUNK;
use crate::kernels::pairs::Sum;
use crate::neighbour_lists::list_lifetime::ListMode;
use crate::neighbour_lists::lists::ChunkLists;
use crate::neighbour_lists::mix::{Mixed, slot};
use crate::neighbour_lists::pass::{KernelRun, Pass};
use crate::neighbour_lists::patches::Patch;
use crate::neighbour_lists::search::{NeighbourSearch, SearchBuffers};
use crate::neighbour_lists::sums::Counts;
use crate::transport::numbers::{Numbers, Wire};

/// One sum, for the agent at one place.
#[derive(Clone, Copy, Debug)]
struct RowSum<const D: usize> {
    vector: [f32; D],
    count: f32,
}

impl<const D: usize> Wire for RowSum<D> {
    const BYTES: usize = (D + 1) * f32::BYTES;

    fn put(self, to: &mut [u8]) {
        let numbers = self.vector.into_iter().chain([self.count]);
        numbers.zip(to.chunks_exact_mut(f32::BYTES)).for_each(|(number, bytes)| number.put(bytes));
    }

    fn get(mut from: &[u8]) -> Self {
        Self { vector: std::array::from_fn(|_| f32::read(&mut from)), count: f32::get(from) }
    }
}

/// The sums over neighbours in the mix, and the lists kept for later ticks.
#[derive(Debug, Default)]
pub(crate) struct MixSums<const D: usize> {
    /// The sums of all slots of each place, one place after the other.
    sums: Vec<RowSum<D>>,
    slots: usize,
    lists: Vec<ChunkLists>,
    patches: Vec<Patch>,
    pub(crate) counts: Vec<Counts>,
}

impl<const D: usize> MixSums<D> {
    /// Makes room for the sums of each place.
    fn resize(&mut self, mixed: &Mixed<D>) {
        let chunks = mixed.agents.chunks();
        self.slots = mixed.plan.slots;
        self.sums.resize(chunks * CHUNK * self.slots, RowSum { vector: [0.0; D], count: 0.0 });
        self.counts.clear();
        self.counts.resize(chunks, Counts::default());
        if mixed.modes[0] != ListMode::Fresh {
            self.lists.resize_with(chunks, ChunkLists::default);
        }
    }

    /// Forms the sums of the agents in these chunks of the mix.
    pub(crate) fn add_all(
        &mut self,
        mixed: &Mixed<D>,
        search: &NeighbourSearch<'_, D>,
        buffers: &PerThread<SearchBuffers<D>>,
        chunks: Range<usize>,
    ) {
        self.resize(mixed);
        let Self { sums, slots, lists, patches, counts } = self;
        search.find_patches(&mixed.modes[..mixed.plan.passes.len()], patches);
        let columns = (
            ChunkedColumn(&mut sums[..], CHUNK * *slots),
            ChunkedColumn(&mut lists[..], 1),
            ChunkedColumn(&mut counts[..], 1),
        );
        for_each_chunk_of(chunks, 1, columns, &|chunk, (sums, lists, counts)| {
            counts.0[0] = buffers.with(|buffers| {
                mixed.add_chunk(search, buffers, chunk, (&mixed.modes, patches), lists.0.first_mut(), sums.0)
            });
        });
    }

    /// The sums of all places, and their number per chunk.
    pub(crate) fn sums(&mut self) -> (Box<dyn Numbers + '_>, usize) {
        (Box::new(&mut self.sums[..]), CHUNK * self.slots)
    }

    /// Forms the sums of the agents in the chunk of one place.
    pub(crate) fn add_around(
        &mut self,
        mixed: &Mixed<D>,
        search: &NeighbourSearch<'_, D>,
        buffers: &PerThread<SearchBuffers<D>>,
        place: usize,
    ) {
        self.resize(mixed);
        let (chunk, length) = (place / CHUNK, CHUNK * self.slots);
        let modes = &[ListMode::Fresh][..mixed.plan.passes.len()];
        search.find_patches(modes, &mut self.patches);
        let sums = &mut self.sums[chunk * length..(chunk + 1) * length];
        buffers.with(|buffers| mixed.add_chunk(search, buffers, chunk, (modes, &self.patches), None, sums));
    }

    /// Copies the sums that a species shares, for the agents at these places.
    pub(crate) fn take(&self, joint: &Pass, rows: &[u32], sums: &mut [Sum<D>]) {
        for (run, KernelRun { terms, slots, .. }) in joint.runs.iter().enumerate() {
            for (term, _) in terms.each().iter().enumerate().filter(|(_, view)| view.is_some()) {
                let (Sum { vector, count }, slot) = (&mut sums[slots[term]], slot(run, term));
                for (row, &place) in rows.iter().enumerate().take(CHUNK) {
                    let from = &self.sums[place as usize * self.slots + slot];
                    for axis in 0..D {
                        vector[axis][row] = from.vector[axis];
                    }
                    count[row] = from.count;
                }
            }
        }
    }
}

impl<const D: usize> Mixed<D> {
    fn add_chunk(
        &self,
        search: &NeighbourSearch<'_, D>,
        buffers: &mut SearchBuffers<D>,
        chunk: usize,
        (modes, patches): (&[ListMode], &[Patch]),
        kept: Option<&mut ChunkLists>,
        to: &mut [RowSum<D>],
    ) -> Counts {
        let slots = self.plan.slots;
        if slots == 0 {
            return Counts::default();
        }
        buffers.prepare(slots);
        let SearchBuffers { sums, finder, lists } = buffers;
        let lists = search.find_candidates(chunk, modes, patches, kept, finder, lists);
        let mut classes = [0; CHUNK];
        self.classes(chunk, search.world.agents, &mut classes);
        let counts = search.add_passes(chunk, lists, sums, &classes);
        for (lane, to) in to.chunks_exact_mut(slots).enumerate().take(CHUNK) {
            for (to, sum) in to.iter_mut().zip(&*sums) {
                *to = RowSum { vector: std::array::from_fn(|axis| sum.vector[axis][lane]), count: sum.count[lane] };
            }
        }
        counts
    }
}
