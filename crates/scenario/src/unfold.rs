//! What the storeys, stairs and lifts of a building, or the sheets of a mesh, give the world: seams, walls, regions and
//! zones.

use throng::parameters::Value;
use throng::{PathFault, Seam, Vector};

use crate::definition::{Group, Scenario};
use crate::items::ItemSpec;
use crate::stair::Stair;
use crate::storeys::Storeys;

impl Storeys {
    /// The lines at which a stair begins and ends, exactly where seams lead: that on the storey below, two for each of its
    /// pieces, and that on the storey above.
    fn lines(&self, stair: &Stair) -> Vec<[Vector<2>; 2]> {
        let [below, above] = stair.storeys.map(|storey| self.storeys[storey].offset);
        let (mut lines, mut from) = (vec![stair.foot().map(|end| end + below)], below);
        for (piece, offset) in &stair.pieces {
            lines.push(lines[lines.len() - 1].map(|end| end + (*offset - from)));
            lines.push(piece.sides().map(|side| side[side.len() - 1] + *offset));
            from = *offset;
        }
        lines.push(lines[lines.len() - 1].map(|end| end + (above - from)));
        lines
    }

    /// The seams at the feet and the heads of stairs, and between sheets.
    pub(crate) fn seams<const D: usize>(&self) -> Vec<Seam<D>> {
        let seam = |[from, to]: [[Vector<2>; 2]; 2], shift: Vector<2>| {
            debug_assert!(from.iter().zip(to).all(|(end, other)| *end + shift == other), "seams are exact");
            Seam { ends: from.map(in_world), shift: in_world(shift) }
        };
        let of_stair = |stair: &Stair| {
            let [below, above] = stair.storeys.map(|storey| self.storeys[storey].offset);
            let offsets = [below].into_iter().chain(stair.pieces.iter().map(|(_, offset)| *offset)).chain([above]);
            let (offsets, lines): (Vec<_>, _) = (offsets.collect(), self.lines(stair));
            let shifts = offsets.windows(2).map(|pair| pair[1] - pair[0]);
            lines.chunks_exact(2).zip(shifts).map(|(pair, shift)| seam([pair[0], pair[1]], shift)).collect::<Vec<_>>()
        };
        let between = self.surface.iter().flat_map(|surface| &surface.seams).flat_map(|(sheets, line)| {
            let [left, right] = sheets.map(|sheet| self.storeys[sheet as usize].offset);
            let moved = |end: Vector<2>, by: Vector<2>| end + by;
            let ends =
                line.windows(2).map(move |part| [left, right].map(|by| [moved(part[0], by), moved(part[1], by)]));
            ends.map(move |ends| seam(ends, right - left))
        });
        self.stairs.iter().flat_map(of_stair).chain(between).collect()
    }

    /// The walls around storeys, beside flights, around the holes over and under them, and where a mesh ends.
    pub(crate) fn walls(&self) -> Vec<ItemSpec> {
        let [x, y] = self.size;
        let around = self.storeys.iter().filter(|_| self.surface.is_none()).map(|storey| {
            let corners = [[0.0, 0.0], [x, 0.0], [x, y], [0.0, y]].map(|corner| storey.offset + Vector(corner));
            line("polygon", &corners, Some(false))
        });
        let through = |from: Vector<2>, between: &mut dyn Iterator<Item = Vector<2>>, to: Vector<2>| {
            line("line", &std::iter::once(from).chain(between).chain([to]).collect::<Vec<_>>(), None)
        };
        let of_stair = |stair: &Stair| {
            let (lines, [near, far]) = (self.lines(stair), stair.sides());
            let [below, above] = stair.storeys.map(|storey| self.storeys[storey].offset);
            // From one end of its foot or head around the stair to the other.
            let (foot, head, last) = (lines[0], lines[lines.len() - 1], near.len() - 1);
            let mut under = near[1..].iter().chain(far[1..].iter().rev()).map(|&point| point + below);
            let mut over = near[..last].iter().rev().chain(&far[..last]).map(|&point| point + above);
            let mut walls = vec![through(foot[0], &mut under, foot[1]), through(head[0], &mut over, head[1])];
            for ((piece, offset), ends) in stair.pieces.iter().zip(lines[1..].chunks_exact(2)) {
                for (number, side) in piece.sides().into_iter().enumerate() {
                    let mut between = side[1..side.len() - 1].iter().map(|&point| point + *offset);
                    walls.push(through(ends[0][number], &mut between, ends[1][number]));
                }
            }
            walls
        };
        let ends = self.surface.iter().flat_map(|surface| &surface.ends).flat_map(|(sheet, points)| {
            let end: Vec<_> = points.iter().map(|&point| point + self.storeys[*sheet as usize].offset).collect();
            let middle = end.len() / 2;
            // A line that returns to its start would be a column, on whose other side agents start. Ground whose parts
            // overlap by as much as rounding may end in a line that crosses itself.
            let pieces: Vec<&[Vector<2>]> = if PathFault::of(&end, false).is_some() {
                end.windows(2).collect()
            } else if end.first() == end.last() {
                vec![&end[..=middle], &end[middle..]]
            } else {
                vec![&end]
            };
            pieces.into_iter().map(|points| line("line", points, None)).collect::<Vec<_>>()
        });
        around.chain(self.stairs.iter().flat_map(of_stair)).chain(self.walls_of_lifts()).chain(ends).collect()
    }

    /// The parts of storeys over and under flights, and in the shafts of lifts, by the names of these and their corners:
    /// agents do not start there.
    pub(crate) fn holes(&self) -> impl Iterator<Item = (&str, [Vector<2>; 2])> {
        let stairs = self.stairs.iter().map(|stair| (&stair.name, &stair.storeys[..], stair.footprint()));
        let lifts = self.lifts.iter().map(|lift| (&lift.name, &lift.storeys[..], lift.boxes()[0]));
        stairs.chain(lifts).flat_map(move |(name, storeys, corners)| {
            storeys.iter().map(move |&storey| (&name[..], corners.map(|corner| corner + self.storeys[storey].offset)))
        })
    }

    /// The regions over each flight with its zone; names that `is_taken` are lengthened.
    pub(crate) fn zones(&self, is_taken: impl Fn(&str) -> bool) -> (Vec<ItemSpec>, Vec<ItemSpec>) {
        let (mut regions, mut zones) = (Vec::<ItemSpec>::new(), Vec::new());
        for stair in &self.stairs {
            let of_pieces = stair
                .pieces
                .iter()
                .flat_map(|(piece, offset)| piece.boxes().into_iter().map(move |(run, boxes)| (run, boxes, *offset)));
            for (number, (run, boxes, offset)) in (1..).zip(of_pieces) {
                let mut name: String = format!("stair-{}", stair.name).chars().take(56).collect();
                if number > 1 {
                    name += &format!("-{number}");
                }
                while is_taken(&name) || regions.iter().any(|region| region.name() == name) {
                    name.push('_');
                }
                let value = |vector: Vector<2>| Some(Value::from(&vector.0[..]));
                regions.extend(boxes.into_iter().map(|[low, high]| {
                    let (centre, size) = ((low + high) * 0.5 + offset, high - low);
                    ItemSpec::new([("name", Some(name[..].into())), ("centre", value(centre)), ("size", value(size))])
                }));
                let [up, down] = stair.factors.map(|factor| Some(factor.into()));
                let zone = [("region", Some(name[..].into())), ("factor", up), ("against", down)];
                let carry = run.direction() * stair.escalator;
                zones.push(ItemSpec::new(zone.into_iter().chain([("direction", value(run)), ("carry", value(carry))])));
            }
        }
        (regions, zones)
    }
}

impl Scenario {
    /// Makes these last zones, of flights, stairs if a species or a kind of people has factors of its own there.
    pub(crate) fn mark_stairs(&mut self, flights: usize) {
        let has_own = |group: &Group| {
            let kinds = group.kinds.kinds.iter().flat_map(|kind| [kind.stairs_up, kind.stairs_down]);
            ["stairs_up", "stairs_down"].iter().any(|key| group.own.get(key).is_some())
                || kinds.flatten().next().is_some()
        };
        if self.groups.iter().any(has_own) {
            let zones = self.people.zones.iter_mut().rev().take(flights);
            zones.for_each(|zone| *zone = std::mem::take(zone).with("stairs", true));
        }
    }

    /// A link with the offset between the parts of the building in which its regions lie, unless it has one.
    pub(crate) fn between_storeys(&self, link: ItemSpec) -> ItemSpec {
        let offset = |end: &str| {
            let mut regions = self.environment.regions.iter();
            let region = regions.find(|region| region.name() == link.word(end))?;
            let centre: [f32; 2] = region.point("centre")?.try_into().ok()?;
            self.storeys.as_ref()?.locate(centre).map(|place| Vector(centre) - place.plan)
        };
        match offset("start").zip(offset("end")).filter(|_| link.get("shift").is_none()) {
            Some((from, to)) => link.with("shift", &(to - from).0[..]),
            None => link,
        }
    }

    /// Gives the world the size of all parts of the building, the walls of storeys and stairs, regions over flights, and lifts.
    /// Returns the zones of these.
    pub(crate) fn unfold(&mut self) -> Vec<ItemSpec> {
        let Some(storeys) = &self.storeys else { return Vec::new() };
        let (walls, regions) = (&mut self.environment.walls, &mut self.environment.regions);
        let (over_flights, zones) = storeys.zones(|name| regions.iter().any(|region| region.name() == name));
        self.size = Some(storeys.world.to_vec());
        walls.extend(storeys.walls());
        regions.extend(over_flights);
        let (lifts, of_lifts) = storeys.lifts(|name| regions.iter().any(|region| region.name() == name));
        regions.extend(of_lifts);
        self.environment.lifts = lifts;
        zones
    }
}

/// A wall through these points.
pub(crate) fn line(key: &'static str, points: &[Vector<2>], solid: Option<bool>) -> ItemSpec {
    let points = points.iter().map(|point| point.0.map(f64::from).to_vec()).collect();
    ItemSpec::new([(key, Some(Value::Points(points))), ("solid", solid.map(Value::Flag))])
}

/// A vector of a world, whose further components are zero.
fn in_world<const D: usize>(vector: Vector<2>) -> Vector<D> {
    Vector::from_fn(|axis| vector.0.get(axis).copied().unwrap_or(0.0))
}
