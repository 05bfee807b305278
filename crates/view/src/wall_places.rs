//! The places of the walls of a world in its scenario file.

use toml_edit::Value;

use super::scenario_editor::{ListChange, ScenarioEditor};

/// The place of one wall in a file.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// The entry of `[[wall]]` with this number.
    Entry(usize),
    /// The path of `walls` with this number.
    Path(usize),
    /// A floor plan, which is another file.
    Plan,
}

/// The places of all walls, by their numbers in the world. Walls beyond the end belong to a floor plan.
#[derive(Debug)]
pub(super) struct WallPlaces(Vec<Place>);

impl WallPlaces {
    /// The places in an unchanged file.
    pub(super) fn of(editor: &ScenarioEditor) -> Self {
        let entries = (0..editor.length("wall")).map(Place::Entry);
        Self(entries.chain((0..editor.length("walls")).map(Place::Path)).collect())
    }

    /// Changes the wall with this number in the world, where it is in the file.
    ///
    /// # Errors
    ///
    /// Fails if the file has no place for the change.
    pub(super) fn change(
        &mut self,
        editor: &mut ScenarioEditor,
        number: usize,
        change: &ListChange,
    ) -> Result<(), String> {
        if let ListChange::Add(_) = change {
            self.0.resize(number, Place::Plan);
            self.0.push(Place::Entry(editor.length("wall")));
            return editor.change_list("wall", change);
        }
        let place = self.0.get(number).copied().unwrap_or(Place::Plan);
        match (place, change) {
            (Place::Plan, _) => Err(format!(
                "wall {} is part of the floor plan, which is a file of its own: undo its change, or change the plan \
                 in the program that made it",
                number + 1
            )),
            (Place::Entry(place), ListChange::Set(_, keys)) => {
                editor.change_list("wall", &ListChange::Set(place, keys.clone()))
            }
            (Place::Path(place), ListChange::Set(_, keys)) => {
                let points = keys.first().map_or(Value::from(false), |(_, points)| points.clone());
                editor.set(&["walls", &place.to_string()], points)
            }
            (Place::Entry(place), _) => {
                self.remove(number);
                editor.change_list("wall", &ListChange::Remove(place))
            }
            (Place::Path(place), _) => {
                self.remove(number);
                editor.change_list("walls", &ListChange::Remove(place))
            }
        }
    }

    /// Removes a place. Those after it in the same list move up.
    fn remove(&mut self, number: usize) {
        let removed = self.0.remove(number);
        for place in &mut self.0 {
            match (place, removed) {
                (Place::Entry(place), Place::Entry(gone)) | (Place::Path(place), Place::Path(gone))
                    if *place > gone =>
                {
                    *place -= 1;
                }
                _ => {}
            }
        }
    }
}
