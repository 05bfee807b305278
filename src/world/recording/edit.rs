//! The edits of a host, as a recording has them: each is a call of a function of [`World`](crate::World) that succeeded.

use std::fmt;
use std::sync::Arc;

use crate::agents::columns::Data;
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::Settings;
use crate::environment::WallId;
use crate::maths::Vector;
use crate::species::{Contacts, Quantity, Rule, Species};
use crate::state::snapshot::{Reader, Saved, SnapshotError, Writer, saved};
use crate::world::agent_start::AgentStart;
use crate::world::recording::items::Items;

/// An edit of a world by its host. It is displayed in words.
#[derive(Clone, Debug)]
pub(crate) enum Edit<const D: usize> {
    AddSpecies(Definition<D>),
    ReplaceSpecies(SpeciesId, Definition<D>),
    RemoveSpecies(SpeciesId),
    SetSettings(Settings<D>),
    SetTickSeconds(f32),
    Spawn(SpeciesId, AgentStart<D>),
    /// Positions and velocities.
    SpawnMany(SpeciesId, Vec<[f32; D]>, Vec<[f32; D]>),
    Despawn(Vec<AgentId>),
    Clear,
    ChangeSpecies(AgentId, SpeciesId),
    SetPosition(AgentId, Vector<D>),
    /// A column for each axis.
    SetPositions(SpeciesId, Vec<Vec<f32>>),
    SetPositionsOf(Vec<AgentId>, Vec<[f32; D]>),
    SetVelocity(AgentId, Vector<D>),
    SetVelocities(SpeciesId, Vec<Vec<f32>>),
    SetVelocitiesOf(Vec<AgentId>, Vec<[f32; D]>),
    SetHeading(AgentId, Vector<D>),
    SetGoal(AgentId, Option<Vector<D>>),
    SetState(AgentId, String),
    SetQuantity(AgentId, Quantity, f32),
    AddColumn(SpeciesId, String, Data),
    RemoveColumn(SpeciesId, String),
    /// One row, for each of these agents.
    SetValues(Vec<AgentId>, String, Data),
    SetColumn(SpeciesId, String, Data),
    MoveWall(WallId, Vector<D>, f32),
    SetItems(Items<D>),
}

saved!([const D: usize] enum Edit<D> as "an edit" {
    0 => AddSpecies(definition),
    1 => ReplaceSpecies(species, definition),
    2 => SetSettings(settings),
    3 => Spawn(species, start),
    4 => SpawnMany(species, positions, velocities),
    5 => Despawn(ids),
    6 => Clear,
    7 => ChangeSpecies(id, species),
    8 => SetPosition(id, position),
    9 => SetPositions(species, columns),
    10 => SetPositionsOf(ids, positions),
    11 => SetVelocity(id, velocity),
    12 => SetVelocities(species, columns),
    13 => SetVelocitiesOf(ids, velocities),
    14 => SetHeading(id, heading),
    15 => SetGoal(id, goal),
    16 => SetState(id, state),
    17 => SetQuantity(id, quantity, value),
    18 => AddColumn(species, name, start),
    19 => RemoveColumn(species, name),
    20 => SetValues(ids, name, value),
    21 => SetColumn(species, name, values),
    22 => MoveWall(id, centre, angle),
    23 => SetItems(items),
    24 => SetTickSeconds(seconds),
    25 => RemoveSpecies(species),
});

saved!(enum Quantity as "a quantity" {
    0 => Mass, 1 => Radius, 2 => MaxSpeed, 3 => MaxForce, 4 => MinSpeed, 5 => MaxTurnRate, 6 => Response
});
saved!([const D: usize] struct AgentStart<D> { position, velocity, heading, goal });

/// The definition of a species.
#[derive(Clone, Debug)]
pub(crate) struct Definition<const D: usize>(pub(super) Box<Species<D>>);

impl<const D: usize> Definition<D> {
    pub(crate) fn of(species: &Species<D>) -> Self {
        Self(Box::new(species.clone()))
    }

    /// Returns whether two definitions are known to be equal. A rule or a motion without a table of parameters is known
    /// to equal only itself.
    pub(crate) fn are_equal(one: &Species<D>, other: &Species<D>) -> bool {
        let is_known = |(one, other): (&Rule<D>, &Rule<D>)| {
            one.behaviour.table().is_some() || Arc::ptr_eq(&one.behaviour, &other.behaviour)
        };
        if one.rules.len() != other.rules.len() || !one.rules.iter().zip(&other.rules).all(is_known) {
            return false;
        }
        let hash = |species: &Species<D>| {
            let mut writer = Writer::hash();
            Self::of(species).save(&mut writer);
            writer.end(*b"SPEC").ok()
        };
        hash(one).is_some_and(|hash_of_one| hash(other) == Some(hash_of_one))
    }
}

/// A snapshot has contacts beside the definitions.
impl<const D: usize> Saved for Definition<D> {
    fn save(&self, to: &mut Writer<'_>) {
        self.0.save(to);
        self.0.contacts.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (species, contacts) = <(Species<D>, Option<Contacts>)>::load(from)?;
        Ok(Self(Box::new(Species { contacts, ..species })))
    }
}

impl<const D: usize> Edit<D> {
    /// About the bytes of memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        let mut count = Writer::count();
        self.save(&mut count);
        // A rule that cannot be written takes little memory.
        size_of::<Self>() + count.end(*b"EDIT").unwrap_or(0) as usize
    }
}

impl<const D: usize> fmt::Display for Edit<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agents = |ids: &[AgentId]| match ids {
            [id] => format!("agent {id}"),
            ids => format!("{} agents", ids.len()),
        };
        match self {
            Self::AddSpecies(definition) => write!(f, "add the species {}", definition.0.name),
            Self::ReplaceSpecies(species, definition) => {
                write!(f, "change the species {}, {}", species.0, definition.0.name)
            }
            Self::RemoveSpecies(species) => write!(f, "remove the species {}", species.0),
            Self::SetSettings(_) => write!(f, "change the settings"),
            Self::SetTickSeconds(seconds) => write!(f, "change the length of a tick to {seconds} s"),
            Self::Spawn(species, start) => write!(f, "add an agent of species {} at {}", species.0, start.position),
            Self::SpawnMany(species, positions, _) => {
                write!(f, "add {} agents of species {}", positions.len(), species.0)
            }
            Self::Despawn(ids) => write!(f, "remove {}", agents(ids)),
            Self::Clear => write!(f, "remove all agents"),
            Self::ChangeSpecies(id, species) => write!(f, "make agent {id} one of species {}", species.0),
            Self::SetPosition(id, position) => write!(f, "move agent {id} to {position}"),
            Self::SetPositions(species, _) => write!(f, "move all agents of species {}", species.0),
            Self::SetPositionsOf(ids, _) => write!(f, "move {}", agents(ids)),
            Self::SetVelocity(id, velocity) => write!(f, "set the velocity of agent {id} to {velocity}"),
            Self::SetVelocities(species, _) => write!(f, "set the velocities of all agents of species {}", species.0),
            Self::SetVelocitiesOf(ids, _) => write!(f, "set the velocities of {}", agents(ids)),
            Self::SetHeading(id, heading) => write!(f, "turn agent {id} to {heading}"),
            Self::SetGoal(id, Some(goal)) => write!(f, "set the goal of agent {id} to {goal}"),
            Self::SetGoal(id, None) => write!(f, "clear the goal of agent {id}"),
            Self::SetState(id, state) => write!(f, "put agent {id} into the state {state}"),
            Self::SetQuantity(id, quantity, value) => write!(f, "set {} of agent {id} to {value}", quantity.name()),
            Self::AddColumn(species, name, _) => write!(f, "add the column {name} to species {}", species.0),
            Self::RemoveColumn(species, name) => write!(f, "remove the column {name} of species {}", species.0),
            Self::SetValues(ids, name, _) => write!(f, "set {name} of {}", agents(ids)),
            Self::SetColumn(species, name, _) => write!(f, "set {name} of all agents of species {}", species.0),
            Self::MoveWall(id, centre, angle) => {
                write!(f, "move wall {} to {centre}, at an angle of {angle}", id.to_bits())
            }
            Self::SetItems(items) => write!(f, "change the {}", items.kind()),
        }
    }
}
