//! Edits as JSON: as a page sends them, and as links contain them.

use serde_json::{Value as Json, json};
use throng::parameters::Value;
use throng::{AgentId, Vector, Wall, WallShape};
use throng_formats::trajectory::shortest;

use super::kinds::{Edit, Respawned};

/// Parses an edit; `None` if it is invalid.
pub(crate) fn from_json(json: &Json) -> Option<Edit> {
    let radius = || json.get("radius")?.as_f64();
    let place = |key: &str| usize::try_from(json.get(key)?.as_u64()?).ok();
    let name = || Some(json.get("name")?.as_str()?.to_owned());
    let point = || numbers(json.get("point")?);
    Some(match json.get("do")?.as_str()? {
        "set" => Edit::Set {
            species: place("species")?,
            rule: match json.get("rule") {
                None | Some(Json::Null) => None,
                Some(_) => Some(place("rule")?),
            },
            name: name()?,
            value: value(json.get("value")?)?,
        },
        "mark" => Edit::Mark { name: name()?, point: point()? },
        "waypoint" => {
            Edit::Waypoint { species: place("species")?, rule: place("rule")?, name: name()?, point: point()? }
        }
        "obstacle" => match json.get("number") {
            None => Edit::AddObstacle {
                point: point()?,
                radius: radius()?,
                velocity: json.get("velocity").map_or(Some(Vec::new()), numbers)?,
                carve: carves(json),
            },
            Some(_) => Edit::SetObstacle { number: place("number")?, point: point()?, radius: radius()? },
        },
        "remove_obstacle" => Edit::RemoveObstacle(place("number")?),
        "clear" => Edit::ClearObstacles,
        "wall" => Edit::MoveWall { number: place("number")?, point: point()? },
        "remove_wall" => Edit::RemoveWall(place("number")?),
        "draw_wall" => Edit::DrawWall { from: numbers(json.get("from")?)?, to: numbers(json.get("to")?)? },
        "add_wall" => Edit::AddWall(Box::new(wall_from(json.get("wall")?)?)),
        "falcon" => Edit::Falcon {
            at: match json.get("point")? {
                Json::Null => None,
                point => Some(numbers(point)?),
            },
            radius: radius()?,
        },
        "spawn" => Edit::Spawn {
            species: place("species")?,
            point: point()?,
            radius: radius()?,
            count: json.get("count")?.as_u64()?,
        },
        "remove" => Edit::Remove { point: point()?, radius: radius()? },
        "despawn" => {
            let id = |id: &Json| Some(AgentId::from_bits(id.as_str()?.parse().ok()?));
            Edit::Despawn(json.get("agents")?.as_array()?.iter().map(id).collect::<Option<_>>()?)
        }
        "respawn" => {
            let agent = |agent: &Json| {
                let species = usize::try_from(agent.get(0)?.as_u64()?).ok()?;
                let vector = |place| Some(vector(agent.get(place)?)?.0);
                Some(Respawned { species, position: vector(1)?, velocity: vector(2)? })
            };
            Edit::Respawn(json.get("agents")?.as_array()?.iter().map(agent).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// Parses at most three numbers.
pub(crate) fn numbers(json: &Json) -> Option<Vec<f64>> {
    let numbers: Option<Vec<f64>> = json.as_array()?.iter().map(Json::as_f64).collect();
    numbers.filter(|numbers| numbers.len() <= 3)
}

fn value(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Number(number) => Value::Number(number.as_f64()?),
        // JSON has no infinity.
        Json::Null => Value::Number(f64::INFINITY),
        Json::Bool(flag) => Value::Flag(*flag),
        Json::String(word) => Value::Word(word.clone()),
        Json::Array(all) if all.first().is_some_and(Json::is_array) => {
            Value::Points(all.iter().map(numbers).collect::<Option<_>>()?)
        }
        Json::Array(_) => Value::Point(numbers(json)?),
        _ => return None,
    })
}

/// Three numbers.
fn vector(json: &Json) -> Option<Vector<3>> {
    let [x, y, z] = numbers(json)?.try_into().ok()?;
    Some(Vector([x, y, z].map(|at: f64| at as f32)))
}

fn carves(json: &Json) -> bool {
    json.get("carve").and_then(Json::as_bool) == Some(true)
}

fn wall_from(json: &Json) -> Option<Wall<3>> {
    let at = |key: &str| vector(json.get(key)?);
    let shape = if let Some(points) = json.get("points") {
        let points = points.as_array()?.iter().map(vector).collect::<Option<_>>()?;
        WallShape::Path { points, closed: json.get("closed")?.as_bool()? }
    } else if json.get("half").is_some() {
        WallShape::Box { centre: at("centre")?, half: at("half")? }
    } else if json.get("normal").is_some() {
        WallShape::Plane { point: at("point")?, normal: at("normal")? }
    } else {
        WallShape::Ball { centre: at("centre")?, radius: json.get("radius")?.as_f64()? as f32 }
    };
    // JSON has no infinity.
    let end = |end: &Json| if end.is_null() { Some(f32::INFINITY) } else { end.as_f64().map(|end| end as f32) };
    let interval = |ends: &Json| Some([end(ends.get(0)?)?, end(ends.get(1)?)?]);
    Some(Wall {
        name: json.get("name")?.as_str().map(str::to_owned),
        shape,
        velocity: at("velocity")?,
        open: json.get("open")?.as_array()?.iter().map(interval).collect::<Option<_>>()?,
        solid: json.get("solid")?.as_bool(),
        carve: carves(json),
    })
}

/// The edit as JSON, from which [`from_json`] makes an edit with the same effect: points and radii have the precision of
/// the engine.
pub(crate) fn to_json(edit: &Edit) -> Json {
    match edit {
        Edit::Set { species, rule, name, value } => {
            json!({ "do": "set", "species": species, "rule": rule, "name": name, "value": value_json(value) })
        }
        Edit::Waypoint { species, rule, name, point } => {
            json!({ "do": "waypoint", "species": species, "rule": rule, "name": name, "point": short(point) })
        }
        Edit::Mark { name, point } => json!({ "do": "mark", "name": name, "point": short(point) }),
        Edit::AddObstacle { point, radius, velocity, carve } => json!({
            "do": "obstacle", "point": short(point), "radius": one(*radius), "velocity": short(velocity), "carve": carve,
        }),
        Edit::SetObstacle { number, point, radius } => {
            json!({ "do": "obstacle", "number": number, "point": short(point), "radius": one(*radius) })
        }
        Edit::RemoveObstacle(number) => json!({ "do": "remove_obstacle", "number": number }),
        Edit::ClearObstacles => json!({ "do": "clear" }),
        Edit::MoveWall { number, point } => json!({ "do": "wall", "number": number, "point": short(point) }),
        Edit::RemoveWall(number) => json!({ "do": "remove_wall", "number": number }),
        Edit::DrawWall { from, to } => json!({ "do": "draw_wall", "from": short(from), "to": short(to) }),
        Edit::AddWall(wall) => json!({ "do": "add_wall", "wall": wall_json(wall) }),
        Edit::Spawn { species, point, radius, count } => {
            json!({ "do": "spawn", "species": species, "point": short(point), "radius": one(*radius), "count": count })
        }
        Edit::Remove { point, radius } => json!({ "do": "remove", "point": short(point), "radius": one(*radius) }),
        Edit::Falcon { at, radius } => {
            json!({ "do": "falcon", "point": at.as_deref().map(short), "radius": one(*radius) })
        }
        Edit::Despawn(ids) => {
            let ids: Vec<String> = ids.iter().map(|id| id.to_bits().to_string()).collect();
            json!({ "do": "despawn", "agents": ids })
        }
        Edit::Respawn(agents) => {
            let agents = agents
                .iter()
                .map(|agent| json!([agent.species, agent.position.map(shortest), agent.velocity.map(shortest)]));
            json!({ "do": "respawn", "agents": agents.collect::<Vec<_>>() })
        }
    }
}

fn one(number: f64) -> f64 {
    shortest(number as f32)
}

fn short(numbers: &[f64]) -> Vec<f64> {
    numbers.iter().copied().map(one).collect()
}

fn value_json(value: &Value) -> Json {
    match value {
        // Infinity becomes null.
        Value::Number(number) => (*number).into(),
        Value::Whole(whole) => (*whole).into(),
        Value::Flag(flag) => (*flag).into(),
        Value::Word(word) => word[..].into(),
        Value::Point(point) => point[..].into(),
        Value::Points(points) => points.clone().into(),
        // No page sets one of these.
        _ => Json::Null,
    }
}

fn wall_json(wall: &Wall<3>) -> Json {
    let numbers = |vector: &Vector<3>| vector.0.map(shortest).to_vec();
    let mut json = match &wall.shape {
        WallShape::Path { points, closed } => {
            json!({ "points": points.iter().map(numbers).collect::<Vec<_>>(), "closed": closed })
        }
        WallShape::Box { centre, half } => json!({ "centre": numbers(centre), "half": numbers(half) }),
        WallShape::Plane { point, normal } => json!({ "point": numbers(point), "normal": numbers(normal) }),
        WallShape::Ball { centre, radius } => json!({ "centre": numbers(centre), "radius": shortest(*radius) }),
        // The conversion to three dimensions knows no other.
        _ => Json::Null,
    };
    json["name"] = wall.name.clone().into();
    json["velocity"] = numbers(&wall.velocity).into();
    json["open"] = wall.open.iter().map(|ends| ends.map(shortest).to_vec()).collect::<Vec<_>>().into();
    json["solid"] = wall.solid.into();
    json["carve"] = wall.carve.into();
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_stays_the_same_as_json() {
        let wall = |shape| {
            let open = vec![[1.0, 2.5], [0.1 + 0.2, f32::INFINITY]];
            Wall { name: None, shape, velocity: Vector([0.1, 0.0, 0.0]), open, solid: Some(true), carve: true }
        };
        let (a, b) = (Vector([0.1, 0.2, 0.3]), Vector([4.0, 5.0, 1.0 / 3.0]));
        let shapes = [
            WallShape::Path { points: vec![a, b], closed: true },
            WallShape::Box { centre: a, half: b },
            WallShape::Plane { point: a, normal: b },
            WallShape::Ball { centre: a, radius: 0.7 },
        ];
        let (point, name) = (vec![f64::from(0.1_f32), 2.0], "lamp".to_owned());
        let point = short(&point);
        let set = |rule, value| Edit::Set { species: 1, rule, name: name.clone(), value };
        let mut edits = vec![
            set(Some(2), Value::Number(0.1 + 0.2)),
            set(None, Value::Number(f64::INFINITY)),
            set(None, Value::Flag(true)),
            set(None, Value::Word("heading".to_owned())),
            set(None, Value::Point(vec![1.0 / 3.0, 2.0])),
            set(None, Value::Points(vec![vec![1.0, 2.0], vec![3.0, 4.0]])),
            Edit::Waypoint { species: 0, rule: 1, name: name.clone(), point: point.clone() },
            Edit::Mark { name: name.clone(), point: point.clone() },
            Edit::AddObstacle { point: point.clone(), radius: 2.0, velocity: vec![0.5, 0.25], carve: true },
            Edit::SetObstacle { number: 3, point: point.clone(), radius: 2.0 },
            Edit::RemoveObstacle(4),
            Edit::ClearObstacles,
            Edit::MoveWall { number: 5, point: point.clone() },
            Edit::RemoveWall(6),
            Edit::DrawWall { from: point.clone(), to: vec![8.0, 9.0] },
            Edit::Spawn { species: 0, point: point.clone(), radius: 1.5, count: 30 },
            Edit::Remove { point: point.clone(), radius: 1.5 },
            Edit::Falcon { at: Some(point), radius: 30.0 },
            Edit::Falcon { at: None, radius: 0.0 },
            Edit::Despawn(vec![AgentId::from_bits(u64::MAX), AgentId::from_bits(7)]),
            Edit::Respawn(vec![Respawned { species: 1, position: a.0, velocity: b.0 }]),
        ];
        edits.extend(shapes.map(|shape| Edit::AddWall(Box::new(wall(shape)))));
        for edit in edits {
            let text = to_json(&edit).to_string();
            assert_eq!(from_json(&serde_json::from_str(&text).unwrap()), Some(edit), "{text}");
        }
    }
}
