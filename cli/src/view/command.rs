//! The commands of a page: one JSON object each, named by its key `do`.

use std::sync::mpsc::SyncSender;

use serde_json::Value as Json;
use throng::AgentId;
use throng::parameters::Value;

use super::mailbox::ClientId;

/// The least and the most ticks per second. The time between two ticks must be a duration.
const SLOWEST: f64 = 1e-3;
const FASTEST: f64 = 1e4;

/// The channel of commands from the clients to the engine.
pub(crate) type CommandSender = SyncSender<(ClientId, ClientCommand)>;

/// A command of a client.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ClientCommand {
    /// Requests a description of the world, on arrival or after lost messages.
    Hello,
    /// Reports that the client has disconnected.
    Leave,
    /// Reports that the client has drawn a frame.
    Drawn,
    Play(bool),
    Step,
    /// Sets the ticks per second; zero for no limit.
    Speed(f64),
    /// Restarts the scenario with this seed, with the changes since it was read if `keep`.
    Reset {
        seed: Option<u64>,
        keep: bool,
    },
    /// Opens another scenario of the folder.
    Open(String),
    /// Requests the scenario as a file, with all changes.
    Save,
    /// Sets a parameter of a rule, or its weight; without a rule, a quantity of the species.
    Set {
        species: usize,
        rule: Option<usize>,
        name: String,
        value: Value,
    },
    /// Watches the agent nearest to a point.
    Pick(Vec<f64>),
    /// Watches this agent, or stops watching.
    Watch(Option<AgentId>),
    Mark {
        name: String,
        point: Vec<f64>,
    },
    /// Appends a point to a path.
    Waypoint {
        species: usize,
        rule: usize,
        name: String,
        point: Vec<f64>,
    },
    Obstacle {
        point: Vec<f64>,
        radius: f64,
    },
    ClearObstacles,
    Spawn {
        species: usize,
        point: Vec<f64>,
        radius: f64,
        count: u64,
    },
    Remove {
        point: Vec<f64>,
        radius: f64,
    },
}

/// Parses a command; `None` if it is invalid.
pub(crate) fn parse(text: &str) -> Option<ClientCommand> {
    let json: Json = serde_json::from_str(text).ok()?;
    let number = |key: &str| json.get(key)?.as_f64();
    let place = |key: &str| usize::try_from(json.get(key)?.as_u64()?).ok();
    let word = |key: &str| Some(json.get(key)?.as_str()?.to_owned());
    let point = || numbers(json.get("point")?);
    Some(match json.get("do")?.as_str()? {
        "hello" => ClientCommand::Hello,
        "drawn" => ClientCommand::Drawn,
        "play" => ClientCommand::Play(true),
        "pause" => ClientCommand::Play(false),
        "step" => ClientCommand::Step,
        "speed" => ClientCommand::Speed(match number("ticks")? {
            ticks if ticks > 0.0 => ticks.clamp(SLOWEST, FASTEST),
            _ => 0.0,
        }),
        "reset" => {
            // As text: a seed has 63 bits, and JavaScript's integers are exact up to 53.
            let seed = match json.get("seed") {
                None | Some(Json::Null) => None,
                Some(seed) => Some(seed.as_str()?.parse().ok()?),
            };
            ClientCommand::Reset { seed, keep: json.get("keep")?.as_bool()? }
        }
        "open" => ClientCommand::Open(word("name")?),
        "save" => ClientCommand::Save,
        "set" => ClientCommand::Set {
            species: place("species")?,
            rule: match json.get("rule") {
                None | Some(Json::Null) => None,
                Some(_) => Some(place("rule")?),
            },
            name: word("name")?,
            value: value(json.get("value")?)?,
        },
        "pick" => ClientCommand::Pick(point()?),
        "watch" => ClientCommand::Watch(match json.get("id")? {
            Json::Null => None,
            id => Some(AgentId::from_bits(id.as_str()?.parse().ok()?)),
        }),
        "mark" => ClientCommand::Mark { name: word("name")?, point: point()? },
        "waypoint" => ClientCommand::Waypoint {
            species: place("species")?,
            rule: place("rule")?,
            name: word("name")?,
            point: point()?,
        },
        "obstacle" => ClientCommand::Obstacle { point: point()?, radius: number("radius")? },
        "clear" => ClientCommand::ClearObstacles,
        "spawn" => ClientCommand::Spawn {
            species: place("species")?,
            point: point()?,
            radius: number("radius")?,
            count: json.get("count")?.as_u64()?,
        },
        "remove" => ClientCommand::Remove { point: point()?, radius: number("radius")? },
        _ => return None,
    })
}

fn numbers(json: &Json) -> Option<Vec<f64>> {
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
        Json::Array(_) => Value::Point(numbers(json)?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_commands_are_parsed_and_others_refused() {
        assert_eq!(parse(r#"{"do":"play"}"#), Some(ClientCommand::Play(true)));
        let reset = parse(r#"{"do":"reset","seed":"18446744073709551615","keep":false}"#);
        assert_eq!(reset, Some(ClientCommand::Reset { seed: Some(u64::MAX), keep: false }));
        let wrong = [
            "",
            "{",
            "null",
            "[]",
            "7",
            r#"{"do":"fly"}"#,
            r#"{"do":7}"#,
            r#"{"do":"open","name":7}"#,
            r#"{"do":"pick","point":[1,2,3,4]}"#,
            r#"{"do":"pick","point":["x"]}"#,
            r#"{"do":"speed"}"#,
            r#"{"do":"set","species":-1,"rule":0,"name":"radius","value":3}"#,
            r#"{"do":"set","species":0,"rule":"body","name":"mass","value":3}"#,
            r#"{"do":"set","species":0,"name":"mass"}"#,
            r#"{"do":"reset","seed":"-1","keep":true}"#,
            r#"{"do":"watch"}"#,
        ];
        for text in wrong {
            assert_eq!(parse(text), None, "{text}");
        }
        // Nesting that would overflow the stack of a recursive parser.
        assert_eq!(parse(&"[".repeat(60_000)), None);
    }
}
