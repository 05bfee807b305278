//! Tests of recordings with other entries than a world records.

use crate::agents::columns::Data;
use crate::base::ids::{AgentId, SpeciesId};
use crate::behaviours::Wander;
use crate::environment::WallId;
use crate::species::Quantity;
use crate::world::World;
use crate::world::agent_start::AgentStart;
use crate::world::recording::edit::{Definition, Edit};
use crate::world::recording::log::{Log, What};
use crate::world::recording::{Recording, RecordingError, ReplayError};
use crate::{Settings, Species, Vector};

fn recorded() -> (World<2>, AgentId) {
    let mut world = World::<2>::new(Settings::default()).unwrap();
    world.record(2);
    let moth = world.add_species(Species::new("moth").with(1.0, Wander::default())).unwrap();
    let ids: Vec<_> = (0..9).map(|at| world.spawn(moth, [at as f32, 3.0], [1.0, 0.0]).unwrap()).collect();
    for tick in 0..9 {
        world.set_velocity(ids[tick], [2.0, 1.0]).unwrap();
        world.step();
    }
    (world, ids[0])
}

/// The recording with other entries, through a file.
fn with(recording: &Recording<2>, entries: impl IntoIterator<Item = (u64, What<2>)>) -> Recording<2> {
    let (mut changed, mut bytes) = (Recording { log: Log::default(), ..recording.clone() }, Vec::new());
    entries.into_iter().for_each(|(tick, what)| changed.log.push(tick, what));
    changed.write(&mut bytes).unwrap();
    Recording::read(&bytes[..]).unwrap()
}

#[test]
fn an_edit_that_is_left_out_or_made_at_another_tick_is_noticed() {
    let recording = recorded().0.recording().unwrap();
    let entries: Vec<_> =
        recording.log.entries().iter().map(|link| (link.entry.tick, link.entry.what.clone())).collect();
    assert_eq!(with(&recording, entries.clone()).replay().unwrap().run(), Ok(()));
    for number in 0..entries.len() {
        let (tick, what) = entries[number].clone();
        let mut fewer = entries.clone();
        fewer.remove(number);
        let outcome = with(&recording, fewer).replay().unwrap().run();
        match (what, outcome) {
            (What::Hash(_), outcome) => assert_eq!(outcome, Ok(())),
            (What::Edit(_), Err(ReplayError::Differs { tick: found, equal })) => {
                // A hash follows after two ticks at most.
                assert!(found >= tick && found <= tick + 2 && equal <= tick, "{number}: {found} {equal}");
            }
            (What::Edit(_), Err(ReplayError::Refused { .. })) => {}
            (what, outcome) => panic!("{number}, {what:?}: {outcome:?}"),
        }
    }
}

#[test]
fn forged_edits_are_refused_and_change_nothing() {
    let (mut world, id) = recorded();
    let (moth, other) = (SpeciesId(0), SpeciesId(7));
    world.add_column(moth, "load", [1.0_f32, 2.0]).unwrap();
    world.record(0);
    let recording = world.recording().unwrap();
    let (gone, text) = (AgentId::from_bits(1 << 40), || "load".to_owned());
    let nan = Vector([f32::NAN, 0.0]);
    let forged = [
        Edit::AddSpecies(Definition::of(&Species::new("moth"))),
        Edit::ReplaceSpecies(other, Definition::of(&Species::new("bee"))),
        Edit::RemoveSpecies(other),
        Edit::Spawn(other, AgentStart::default()),
        Edit::Spawn(moth, AgentStart::new(nan, nan)),
        Edit::SpawnMany(moth, vec![[1.0; 2]], Vec::new()),
        Edit::Despawn(vec![gone]),
        Edit::ChangeSpecies(id, other),
        Edit::SetPosition(id, nan),
        Edit::SetPositions(moth, vec![vec![1.0; 9]]),
        Edit::SetPositions(moth, vec![vec![1.0; 9], vec![1.0; 8]]),
        Edit::SetPositions(moth, vec![vec![1.0; 9]; 3]),
        Edit::SetPositionsOf(vec![id], Vec::new()),
        Edit::SetVelocity(gone, Vector::ZERO),
        Edit::SetVelocities(other, vec![Vec::new(); 2]),
        Edit::SetVelocitiesOf(vec![gone], vec![[0.0; 2]]),
        Edit::SetHeading(id, Vector::ZERO),
        Edit::SetGoal(id, Some(nan)),
        Edit::SetState(id, text()),
        Edit::SetQuantity(id, Quantity::Response, 1.0),
        Edit::AddColumn(moth, text(), Data::F32(vec![1.0])),
        Edit::AddColumn(moth, "empty".to_owned(), Data::F32(Vec::new())),
        Edit::RemoveColumn(moth, "empty".to_owned()),
        Edit::SetValues(vec![id], text(), Data::F32(vec![1.0])),
        Edit::SetValues(vec![id], text(), Data::U32(vec![1, 2])),
        Edit::SetColumn(moth, text(), Data::F32(vec![1.0; 17])),
        Edit::SetColumn(other, text(), Data::F32(vec![1.0; 18])),
        Edit::MoveWall(WallId::from_bits(3), nan, 0.0),
    ];
    for edit in forged {
        let (words, forged) = (edit.to_string(), with(&recording, [(world.tick(), What::Edit(edit))]));
        let mut replay = forged.replay().unwrap();
        match replay.run() {
            Err(ReplayError::Refused { edit, .. }) => assert_eq!(edit, words),
            other => panic!("{words}: {other:?}"),
        }
        assert_eq!(replay.world().state_hash(), world.state_hash(), "{words}");
    }
}

#[test]
fn entries_out_of_their_order_are_refused_with_their_number() {
    let (world, _) = recorded();
    let recording = world.recording().unwrap();
    let read = |entries: &[u64]| {
        let (mut log, mut bytes) = (Log::default(), Vec::new());
        entries.iter().for_each(|&tick| log.push(tick, What::Hash(1)));
        Recording { log, ..recording.clone() }.write(&mut bytes).unwrap();
        Recording::<2>::read(&bytes[..])
    };
    assert!(read(&[0, 3, 3, 9]).is_ok());
    assert!(matches!(read(&[0, 3, 2]), Err(RecordingError::Entry { number: 3, .. })));
    assert!(matches!(read(&[0, 10]), Err(RecordingError::Edits(_))));
}
