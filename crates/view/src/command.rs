//! The commands of a page: one JSON object each, named by its key `do`.

use serde_json::Value as Json;
use throng::AgentId;

use super::edit::{self, Edit, numbers};
use super::shade::Shade;

/// The least and the most multiple of real time.
const SLOWEST: f64 = 1e-3;
const FASTEST: f64 = 1e4;

/// A command of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientCommand {
    /// Requests a description of the world, on arrival or after lost messages.
    Hello,
    /// Reports that the page has disconnected.
    Leave,
    /// Reports that the page has drawn a frame.
    Drawn,
    /// Plays or pauses.
    Play(bool),
    /// Advances by one tick.
    Step,
    /// Sets the multiple of real time; zero for no limit.
    Speed(f64),
    /// Restarts the scenario with this seed, with the changes since it was read if `keep`.
    Reset {
        /// The seed; `None` keeps the present one.
        seed: Option<u64>,
        /// Whether changes are kept.
        keep: bool,
    },
    /// Opens another scenario of the folder.
    Open(String),
    /// Requests the scenario as a file, with all changes.
    Save,
    /// Requests a recording of the run, with all edits.
    Recording,
    /// Requests the run up to here as a link ([`crate::Link`]).
    Link,
    /// Changes the world.
    Edit(Edit),
    /// Ends a gesture: later edits of the same thing are reverted separately.
    Done,
    /// Reverts the last edit.
    Undo,
    /// Repeats the last reverted edit.
    Redo,
    /// Takes the world to another tick of its run.
    Seek(u64),
    /// Selects the quantity that the colours of agents show.
    Colour(Shade),
    /// Starts or stops sending the forces on a sample of agents.
    Forces(bool),
    /// Requests the scenarios of the folder with pictures.
    Gallery,
    /// Watches the agent nearest to a point.
    Pick(Vec<f64>),
    /// Watches this agent, or stops watching.
    Watch(Option<AgentId>),
}

/// Parses a command; `None` if it is invalid.
#[must_use]
pub fn parse(text: &str) -> Option<ClientCommand> {
    let json: Json = serde_json::from_str(text).ok()?;
    let number = |key: &str| json.get(key)?.as_f64();
    let word = |key: &str| Some(json.get(key)?.as_str()?.to_owned());
    Some(match json.get("do")?.as_str()? {
        "hello" => ClientCommand::Hello,
        "drawn" => ClientCommand::Drawn,
        "play" => ClientCommand::Play(true),
        "pause" => ClientCommand::Play(false),
        "step" => ClientCommand::Step,
        "speed" => ClientCommand::Speed(match number("times")? {
            times if times > 0.0 => times.clamp(SLOWEST, FASTEST),
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
        "recording" => ClientCommand::Recording,
        "link" => ClientCommand::Link,
        "done" => ClientCommand::Done,
        "undo" => ClientCommand::Undo,
        "redo" => ClientCommand::Redo,
        "seek" => ClientCommand::Seek(json.get("tick")?.as_u64()?),
        "colour" => ClientCommand::Colour(Shade::named(&word("by")?)),
        "forces" => ClientCommand::Forces(json.get("on")?.as_bool()?),
        "gallery" => ClientCommand::Gallery,
        "pick" => ClientCommand::Pick(numbers(json.get("point")?)?),
        "watch" => ClientCommand::Watch(match json.get("id")? {
            Json::Null => None,
            id => Some(AgentId::from_bits(id.as_str()?.parse().ok()?)),
        }),
        _ => ClientCommand::Edit(edit::from_json(&json)?),
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
