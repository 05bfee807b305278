//! The starts of the agents of a species: clear of walls and, where they walk, of each other.

use std::ops::Range;

use throng::maths::mix64;
use throng::{AgentId, Noise};

use crate::bodies::Body;
use crate::build::BuildError;
use crate::definition::Group;
use crate::draw::{DrawnStart, OccupiedSpace};
use crate::gathering::Gathering;

/// The largest number of draws for a position, for one agent.
const DRAWS: u32 = 100_000;

impl<const D: usize> OccupiedSpace<'_, D> {
    /// The starts of the agents with these numbers in their species, whose first agent has the id `first`. The starts
    /// of earlier species have been asked for before.
    pub(super) fn starts<'s>(
        &'s mut self,
        group: &'s Group,
        first: u64,
        numbers: Range<u64>,
    ) -> Result<Box<dyn Iterator<Item = DrawnStart<D>> + 's>, BuildError> {
        if self.bodies.is_some() {
            // Where an agent starts depends on all before it.
            let starts = self.place(group, first).map_err(|fit| BuildError::TooFull {
                species: group.name.clone(),
                fit,
                agents: group.count,
            })?;
            let own = (numbers.end - numbers.start) as usize;
            return Ok(Box::new(starts.into_iter().skip(numbers.start as usize).take(own)));
        }
        let mut gathering = group.gathering();
        // A member of a group starts beside the first one, so groups are drawn from the first agent on.
        let drawn = if gathering.is_some() { 0 } else { numbers.start };
        let space = &*self;
        let starts = (drawn..numbers.end).map(move |number| space.start(group, first, number, gathering.as_mut()).0);
        Ok(Box::new(starts.skip((numbers.start - drawn) as usize)))
    }

    /// Places all agents of a species and keeps their bodies. If they do not fit, the error is the number that do.
    pub(super) fn place(&mut self, group: &Group, first: u64) -> Result<Vec<DrawnStart<D>>, u64> {
        let before = self.bodies.as_ref().map_or(0, |bodies| bodies.len());
        let (mut gathering, mut starts) = (group.gathering(), Vec::new());
        for number in 0..group.count {
            let (start, fits) = self.start(group, first, number, gathering.as_mut());
            if fits {
                self.add(group, &start);
                starts.push(start);
            } else if group.is_drawn() {
                self.keep(before);
                let most = match group.walks {
                    true => self.place_on_lattice(group, first),
                    false => Err(0),
                };
                return most.map_err(|most| if most > number { most } else { number });
            }
        }
        let fit = starts.len() as u64;
        if fit < group.count { Err(fit) } else { Ok(starts) }
    }

    fn add(&mut self, group: &Group, start: &DrawnStart<D>) {
        let radius = group.radius(self.settings.seed, start.id);
        if let Some(bodies) = &mut self.bodies {
            bodies.add(Body { position: start.agent.position, radius, walks: group.walks });
        }
    }

    fn keep(&mut self, bodies: usize) {
        if let Some(all) = &mut self.bodies {
            all.truncate(bodies);
        }
    }

    /// The start of an agent, and whether it is clear.
    fn start(
        &self,
        group: &Group,
        first: u64,
        number: u64,
        gathering: Option<&mut Gathering<D>>,
    ) -> (DrawnStart<D>, bool) {
        // A new world assigns ids in order, so the draws of an agent are known before it is spawned.
        let id = AgentId::from_bits(first + number);
        let mut noise = Noise::new(self.settings.seed, id.to_bits(), 0, Noise::PLACE);
        let (mut position, mut fits) = group.draw_position(self, &mut noise, (id, number), DRAWS);
        let joined = gathering.map(|gathering| {
            let place = gathering.join(self, group, id, position);
            (position, fits) = place.map_or((position, fits), |place| (place, true));
            gathering.joined()
        });
        (group.start_at(self.settings, &mut noise, (id, number), position, joined), fits)
    }

    /// Places the agents on a lattice, each at a drawn place near a site of its own. If the sites are too few, the
    /// error is their number.
    fn place_on_lattice(&mut self, group: &Group, first: u64) -> Result<Vec<DrawnStart<D>>, u64> {
        let seed = self.settings.seed;
        let (sites, slack) = self.sites(group, first)?;
        let mut gathering = group.gathering();
        let mut order: Vec<usize> = (0..sites.len()).collect();
        // Members of a group start on consecutive sites, others anywhere.
        if gathering.is_none() {
            order.sort_by_cached_key(|&site| mix64(mix64(seed ^ first) ^ site as u64));
        }
        let place = |(number, site): (u64, usize)| {
            let id = AgentId::from_bits(first + number);
            let mut noise = Noise::new(seed, id.to_bits(), 0, Noise::PLACE);
            let radius = group.radius(seed, id);
            let near = sites[site] + noise.in_ball::<D>() * slack;
            let position = if self.fits(group, near, radius) { near } else { sites[site] };
            let joined = gathering.as_mut().map(|gathering| gathering.count(self, id, position));
            group.start_at(self.settings, &mut noise, (id, number), position, joined)
        };
        let starts: Vec<_> = (0..group.count).zip(order).map(place).collect();
        starts.iter().for_each(|start| self.add(group, start));
        Ok(starts)
    }
}
