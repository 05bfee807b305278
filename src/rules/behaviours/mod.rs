//! The rules of motion: one file per rule.

mod alignment;
mod arrive;
mod avoid_neighbours;
mod avoid_obstacles;
mod avoid_walls;
mod cohesion;
mod containment;
mod evade;
mod expected;
mod expression;
mod flee;
mod follow_flow_field;
mod follow_path;
mod given_up;
mod hide;
mod host_forces;
mod interpose;
mod match_velocity;
#[cfg(test)]
mod nearest_oracle;
mod offset_pursuit;
#[cfg(test)]
mod one_by_one;
mod own_goal;
mod prefer_velocity;
mod pursue;
mod queue;
mod seek;
#[cfg(test)]
mod environment_oracle;
mod separation;
mod stand;
mod stay_in_group;
mod stay_on_path;
mod take_place;
#[cfg(test)]
mod testing;
mod tether;
mod together;
mod walk_to;
mod wander;
mod wander_to_targets;

pub use alignment::{Alignment, AlignmentSpeed};
pub use arrive::Arrive;
pub use avoid_neighbours::AvoidNeighbours;
pub use avoid_obstacles::AvoidObstacles;
pub use avoid_walls::AvoidWalls;
pub use cohesion::Cohesion;
pub use containment::{Containment, ContainmentArea};
pub use evade::Evade;
pub use expression::Expression;
pub use flee::Flee;
pub use follow_flow_field::{FlowSpeed, FollowFlowField};
pub use follow_path::FollowPath;
pub use hide::Hide;
pub use host_forces::HostForces;
pub use interpose::Interpose;
pub use match_velocity::MatchVelocity;
pub use offset_pursuit::OffsetPursuit;
pub(crate) use own_goal::OWN as OWN_GOAL;
pub use prefer_velocity::PreferVelocity;
pub use pursue::Pursue;
pub use queue::Queue;
pub use seek::Seek;
pub use separation::Separation;
pub use stand::Stand;
pub use stay_in_group::StayInGroup;
pub use stay_on_path::StayOnPath;
pub use take_place::{ArriveAt, TakePlace};
pub use tether::Tether;
pub use walk_to::{ChooseBy, WalkTo};
pub use wander::{Wander, WanderStyle};
pub use wander_to_targets::WanderToTargets;

use crate::rules::interface::NamedRule;

/// All rules with default parameters, in the order of the documentation.
pub(crate) fn all<const D: usize>() -> Vec<Box<dyn NamedRule<D>>> {
    vec![
        Box::new(Seek::default()),
        Box::new(Flee::default()),
        Box::new(Arrive::default()),
        Box::new(Wander::default()),
        Box::new(WanderToTargets::default()),
        Box::new(Pursue::default()),
        Box::new(Evade::default()),
        Box::new(OffsetPursuit::default()),
        Box::new(Interpose::default()),
        Box::new(Hide::default()),
        Box::new(MatchVelocity::default()),
        Box::new(FollowPath::default()),
        Box::new(StayOnPath::default()),
        Box::new(Separation::default()),
        Box::new(Alignment::default()),
        Box::new(Cohesion::default()),
        Box::new(AvoidObstacles::default()),
        Box::new(AvoidWalls::default()),
        Box::new(AvoidNeighbours::default()),
        Box::new(FollowFlowField::default()),
        Box::new(WalkTo::default()),
        Box::new(PreferVelocity::default()),
        Box::new(HostForces::default()),
        Box::new(TakePlace::default()),
        Box::new(Stand::default()),
        Box::new(Containment::default()),
        Box::new(Tether::default()),
        Box::new(Queue::default()),
        Box::new(StayInGroup::default()),
        Box::new(Expression::default()),
    ]
}
