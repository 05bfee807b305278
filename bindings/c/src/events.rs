//! The events of the last tick.

use engine::{AgentId, Event as EngineEvent};

use crate::fault::Status;
use crate::guard::call;
use crate::pointers;
use crate::table::{self, WorldHandle};

/// What happened.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The agent was caught; `other` is the hunter's id.
    Caught = 0,
    /// The tick discarded a steering or a velocity of the agent that was not finite or too large.
    Quarantined = 1,
    /// The agent reached the target of a rule.
    Arrived = 2,
    /// The agent ran into a wall; `other` is the wall's handle.
    Collided = 3,
    /// A wall appeared on the agent and pushed it out; `other` is the wall's handle, `depth` how far they overlapped.
    PushedOut = 4,
    /// A moving wall stayed, for it would have crushed the agent; `other` is the wall's handle.
    Squeezed = 5,
    /// The agent left the world.
    Left = 6,
    /// A source spawned the agent; `other` is the source's handle.
    Spawned = 7,
    /// The agent does not exist any more; `other` is the handle of the sink that removed it, else UINT64_MAX.
    Removed = 8,
    /// The agent entered a region; `other` is the region's handle.
    EnteredRegion = 9,
    /// The agent left a region; `other` is the region's handle.
    LeftRegion = 10,
    /// The bodies of the agent and of another came into contact; `other` is the other's id.
    Touched = 11,
    /// The two are in contact no longer; `other` is the other's id.
    Parted = 12,
    /// An event that this version of the interface does not know.
    Unknown = 255,
}

/// An event of the last tick.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// The species of the agent.
    pub species: u32,
    /// The id of the agent.
    pub agent: u64,
    /// A further id or number: see the kind. Zero where there is none.
    pub other: u64,
    /// The depth in metres by which a wall that appeared and the agent overlapped; zero for the other kinds. Four bytes
    /// of padding follow: an event takes 32.
    pub depth: f32,
}

fn converted(event: &EngineEvent) -> Event {
    let made = |kind, agent: AgentId, species: engine::SpeciesId, other| Event {
        kind,
        species: species.number() as u32,
        agent: agent.to_bits(),
        other,
        depth: 0.0,
    };
    match *event {
        EngineEvent::Caught { agent, species, by } => made(EventKind::Caught, agent, species, by.to_bits()),
        EngineEvent::Quarantined { agent, species } => made(EventKind::Quarantined, agent, species, 0),
        EngineEvent::Arrived { agent, species } => made(EventKind::Arrived, agent, species, 0),
        EngineEvent::Collided { agent, species, wall } => made(EventKind::Collided, agent, species, wall.to_bits()),
        EngineEvent::PushedOut { agent, species, wall, depth } => {
            Event { depth, ..made(EventKind::PushedOut, agent, species, wall.to_bits()) }
        }
        EngineEvent::Squeezed { agent, species, wall } => made(EventKind::Squeezed, agent, species, wall.to_bits()),
        EngineEvent::Left { agent, species } => made(EventKind::Left, agent, species, 0),
        EngineEvent::Spawned { agent, species, source } => made(EventKind::Spawned, agent, species, source.to_bits()),
        EngineEvent::Removed { agent, species, reason } => {
            let sink = if let engine::Removal::Sink(sink) = reason { sink.to_bits() } else { u64::MAX };
            made(EventKind::Removed, agent, species, sink)
        }
        EngineEvent::Touched { agent, species, other } => made(EventKind::Touched, agent, species, other.to_bits()),
        EngineEvent::Parted { agent, species, other } => made(EventKind::Parted, agent, species, other.to_bits()),
        EngineEvent::EnteredRegion { agent, species, region } => {
            made(EventKind::EnteredRegion, agent, species, region.to_bits())
        }
        EngineEvent::LeftRegion { agent, species, region } => {
            made(EventKind::LeftRegion, agent, species, region.to_bits())
        }
        _ => Event { kind: EventKind::Unknown, species: u32::MAX, agent: u64::MAX, other: 0, depth: 0.0 },
    }
}

/// Copies the events of the last tick. `events` has room for `capacity` of them; `count` gets the number of all.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_events(
    world: WorldHandle,
    events: *mut Event,
    capacity: usize,
    count: *mut usize,
) -> Status {
    call(|| {
        table::with(world, |entry| {
            // SAFETY: the room is valid for writing, as the header demands.
            let room = unsafe { pointers::room("events", events, capacity) }?;
            for (to, event) in room.iter_mut().zip(entry.world.events()) {
                *to = converted(event);
            }
            // SAFETY: the pointer is valid for writing, as the header demands.
            unsafe { pointers::write("count", count, entry.world.events().len()) }
        })
    })
}
