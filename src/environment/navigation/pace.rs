//! The pace of ways through zones and crowds: the distance that counts for a metre.

use std::collections::BTreeMap;

use crate::environment::navigation::crowd::Crowd;
use crate::environment::navigation::geometry::{Point, squared_distance};
use crate::environment::navigation::raster::Raster;
use crate::environment::region::Shape;
use crate::environment::zone::{WALKING, Zone};
use crate::maths::Vector;

/// The least factor of a zone that counts: a way through one with a smaller factor is that long.
const LEAST_FACTOR: f32 = 1e-3;

/// A zone on the plane of a navigation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FlatZone {
    pub(super) shape: Shape<2>,
    /// The number of the zone: at a node its regions count once.
    pub(super) number: usize,
    /// The factors; its region's name is empty.
    pub(super) zone: Zone<2>,
}

/// The zones at each node of a grid.
#[derive(Clone, Debug, Default)]
pub(super) struct Pace {
    /// The number of the set of zones at each node; empty without zones.
    sets: Vec<u32>,
    /// For each set, the numbers of its zones.
    members: Vec<Vec<usize>>,
    zones: Vec<FlatZone>,
    /// The distance that counts for a metre at each node in a crowd; empty without one.
    of_crowd: Vec<f32>,
}

impl Pace {
    pub(super) fn new(raster: &Raster, zones: &[FlatZone], crowd: Option<&Crowd>) -> Self {
        let of_crowd = crowd.map_or(Vec::new(), |crowd| crowd.paces(raster));
        let mut pace = Self { sets: Vec::new(), members: vec![Vec::new()], zones: zones.to_vec(), of_crowd };
        pace.sets.resize(if zones.is_empty() { 0 } else { raster.cells[0] * raster.cells[1] }, 0);
        for (number, FlatZone { shape, .. }) in zones.iter().enumerate() {
            let (centre, half) = shape.bounds();
            let end = |side: f64| -> Point {
                std::array::from_fn(|axis| f64::from(centre[axis]) + side * f64::from(half[axis]))
            };
            let mut joined = BTreeMap::new();
            let Self { sets, members, .. } = &mut pace;
            raster.for_each_node_in([end(-1.0), end(1.0)], |node, at| {
                if let Shape::Ball { radius, .. } = *shape
                    && squared_distance(at, centre.0.map(f64::from)) > f64::from(radius) * f64::from(radius)
                {
                    return;
                }
                let set = sets[node] as usize;
                if members[set].last().is_some_and(|last| zones[*last].number == zones[number].number) {
                    return;
                }
                sets[node] = *joined.entry(set).or_insert_with(|| {
                    members.push([&members[set][..], &[number]].concat());
                    members.len() as u32 - 1
                });
            });
        }
        pace
    }

    /// Whether every metre counts as one.
    pub(super) fn is_even(&self) -> bool {
        self.sets.is_empty() && self.of_crowd.is_empty()
    }

    /// The distance that counts for a metre in this direction at a node.
    pub(super) fn at(&self, node: usize, direction: Vector<2>) -> f32 {
        let in_crowd = self.of_crowd.get(node).copied().unwrap_or(1.0);
        let Some(&set) = self.sets.get(node) else { return in_crowd };
        let (mut factor, mut carried) = (1.0, 0.0);
        for &zone in &self.members[set as usize] {
            let zone = &self.zones[zone].zone;
            factor *= zone.factor_at(direction, [None; 2]);
            let along = if direction == Vector::ZERO { zone.carry } else { direction };
            carried += zone.carry.dot(along.direction()) / WALKING;
        }
        factor += carried;
        in_crowd / if factor > LEAST_FACTOR { factor } else { LEAST_FACTOR }
    }

    /// Whether the pace at a node depends on the direction.
    pub(super) fn is_one_way(&self, node: usize) -> bool {
        let set = self.sets.get(node).map_or(0, |&set| set as usize);
        self.members.get(set).is_some_and(|members| members.iter().any(|&zone| self.zones[zone].zone.is_directed()))
    }
}
