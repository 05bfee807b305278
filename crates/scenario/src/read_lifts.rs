//! Reading of lifts.

use throng::Vector;
use throng::parameters::Value;

use crate::fields::{Fields, Reader};
use crate::keys::OF_LIFT;
use crate::reason::Reason;
use crate::ribbon::LEAST;
use crate::stair::Stair;
use crate::storeys::{LiftPlan, Storey, is_out, overlap};

/// Reads a lift in a plan of this size. Returns `None` after a problem.
pub(crate) fn read<'d>(
    reader: &mut Reader<'d>,
    fields: &Fields<'d>,
    (storeys, stairs, lifts): (&[Storey], &[Stair], &[LiftPlan]),
    plan: [f32; 2],
) -> Option<LiftPlan> {
    let before = reader.problems.count();
    let mut keys = Vec::new();
    for key in OF_LIFT {
        keys.push((key.name, reader.value(fields, key.name, 0)));
    }
    let [centre, extent, door] = ["centre", "size", "door"].map(|key| reader.per_axis(fields, key, 2));
    let (width, numbers) = (reader.number(fields, "door_width"), storeys_of(reader, fields, storeys));
    let name = fields.entry("name").and_then(|entry| entry.item.node.text());
    let (Some(&[x, y]), Some(&[wide, deep])) = (centre.as_deref(), extent.as_deref()) else { return None };
    let (mut numbers, Some(&[ahead, beside]), Some(name)) = (numbers?, door.as_deref(), name) else { return None };
    numbers.sort_unstable_by(|one, other| storeys[*one].elevation.total_cmp(&storeys[*other].elevation));
    let mut refuse = |key: &str, reason| {
        if let Some(entry) = fields.entry(key) {
            reader.refuse(fields.path_of(key), &entry.item, Reason::Stair(reason));
        }
    };
    let ascend = |pair: &[usize]| storeys[pair[0]].elevation < storeys[pair[1]].elevation;
    if numbers.len() < 2 || !numbers.windows(2).all(ascend) {
        refuse("storeys", "must be two storeys or more at different elevations");
    }
    if wide < LEAST || deep < LEAST {
        refuse("size", "must be 0.1 m or more each way");
    }
    if (ahead == 0.0) == (beside == 0.0) {
        refuse("door", "must be a direction along an axis: [x, 0] or [0, y]");
    }
    let (centre, size) = (Vector([x, y]), Vector([wide, deep]));
    let door = Vector([ahead, beside]).direction();
    let mut lift = LiftPlan { name: name.to_owned(), storeys: numbers, centre, size, door, door_width: 0.0, keys };
    let side = 2.0 * lift.half()[1];
    lift.door_width = width.unwrap_or(side);
    if lift.door_width < LEAST || lift.door_width > side {
        refuse("door_width", "must be 0.1 m or more, and not wider than the car");
    }
    let at = fields.entry("centre").map_or(fields.at, |entry| entry.item.at);
    let [car, before_door] = lift.boxes();
    if [car, before_door].iter().any(|[low, high]| is_out([low.0, high.0], plan)) {
        reader.note(at, fields.path.clone(), None, Reason::OutOfPlan("lift with the metre before its door", plan));
    }
    let is_beside = |others: &[usize]| others.iter().any(|storey| lift.storeys.contains(storey));
    let of_stairs =
        stairs.iter().filter(|stair| is_beside(&stair.storeys)).map(|stair| (&stair.name, [stair.inside(); 2]));
    let of_lifts = lifts.iter().filter(|other| is_beside(&other.storeys)).map(|other| (&other.name, other.boxes()));
    // Two doors may have one lobby.
    let meets =
        |[own, before]: &[[Vector<2>; 2]; 2]| overlap(*own, car) || overlap(*own, before_door) || overlap(*before, car);
    let other = of_stairs.chain(of_lifts).find(|(_, boxes)| meets(boxes)).map(|(name, _)| name.clone());
    if let (Some(other), Some(entry)) = (other, fields.entry("centre")) {
        reader.refuse(fields.path_of("centre"), &entry.item, Reason::Overlaps(other));
    }
    (reader.problems.count() == before).then_some(lift)
}

/// The numbers of the storeys of a stair or a lift.
pub(crate) fn storeys_of<'d>(reader: &mut Reader<'d>, fields: &Fields<'d>, storeys: &[Storey]) -> Option<Vec<usize>> {
    let Value::Words(words) = reader.value(fields, "storeys", 0)? else { return None };
    let known: Vec<&str> = storeys.iter().map(|storey| &storey.name[..]).collect();
    let unknown = words.iter().filter(|word| !reader.known(fields, "storeys", "storey", word, &known)).count();
    let numbers = words.iter().filter_map(|word| known.iter().position(|name| name == word)).collect();
    (unknown == 0).then_some(numbers)
}
