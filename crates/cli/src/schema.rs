//! The command `throng schema`: the JSON schema of scenario files, for editors.

use serde_json::{Map, Value, json};
use throng::Registry;
use throng::parameters::{Kind, Parameter, Preset, Range, Reflect, Value as Setting};
use throng::species::tables::WEIGHT;
use throng_scenario::keys::{DISTRIBUTION, FILE};

use crate::failure::Failure;
use crate::output::{json_text, print};
use crate::rules::setting;

/// Runs the command `throng schema`.
pub(crate) fn schema(registry: &Registry) -> Result<(), Failure> {
    let rules = registry.tables().map(|table| named(table, "rule", Some(&WEIGHT))).collect();
    let motions = registry.motion_tables().map(|table| named(table, "model", None)).collect();
    let mut schema = table(FILE, &Known { rules, motions });
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("A scenario of throng");
    print(&json_text(&schema))
}

/// The schemas of the rules and of the motions that a file may have.
#[derive(Default)]
struct Known {
    rules: Vec<Value>,
    motions: Vec<Value>,
}

/// The schema of a table with these keys, in a file with these rules and motions.
fn table(keys: &[Parameter], known: &Known) -> Value {
    let property = |key: &Parameter| (key.name.to_owned(), property(key, default(key), known));
    let properties: Map<String, Value> = keys.iter().map(property).collect();
    let required: Vec<&str> = keys.iter().filter(|key| key.default == Preset::Required).map(|key| key.name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// The schema of a key's or a parameter's value.
fn property(key: &Parameter, default: Option<Value>, known: &Known) -> Value {
    let mut schema = value(key.kind, known);
    let advanced = if key.advanced { "Advanced. " } else { "" };
    schema["description"] = json!(format!("{advanced}{} Must be {}.", key.help, key.allowed()));
    if let Some(default) = default {
        schema["default"] = default;
    }
    schema
}

/// Returns the default of a key of a scenario file; `None` if the key has no default, or only a description of it.
fn default(key: &Parameter) -> Option<Value> {
    match (key.default, key.kind) {
        (Preset::Number(number), _) => Setting::from(number).number().map(whole_or),
        (
            Preset::Word(word),
            Kind::Choice(_) | Kind::ChoiceOrRegion(_) | Kind::ChoicePerAxis(_) | Kind::Heading | Kind::WholeOrOff(_),
        ) => Some(json!(word)),
        _ => None,
    }
}

fn whole_or(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 { json!(number as i64) } else { json!(number) }
}

/// The schema of a value of this kind.
fn value(kind: Kind, known: &Known) -> Value {
    let by_name = |value: Value| {
        let names = json!({ (Kind::NAME_PATTERN): value });
        json!({ "type": "object", "patternProperties": names, "additionalProperties": false })
    };
    match kind {
        Kind::Whole(low, high) if low == high => json!({ "const": low }),
        Kind::Whole(low, high) => json!({ "type": "integer", "minimum": low, "maximum": high }),
        Kind::WholeOrOff(low) => json!({ "anyOf": [{ "type": "integer", "minimum": low }, { "const": "off" }] }),
        Kind::Number(range) => number(range),
        Kind::Distribution(range) => json!({ "anyOf": [
            number(range),
            { "type": "array", "items": number(range), "minItems": 2, "maxItems": 2 },
            table(DISTRIBUTION, known),
        ] }),
        Kind::Schedule(times) => over_time(times, json!({ "type": "integer", "minimum": 0 })),
        Kind::Series(range) => over_time(Range::LENGTH, number(range)),
        Kind::Numbers(range) => json!({ "type": "array", "items": number(range) }),
        Kind::Point(range) => per_axis(number(range)),
        Kind::Points(range) => json!({ "type": "array", "items": per_axis(number(range)) }),
        Kind::Paths(range) => json!({ "type": "array", "items": value(Kind::Points(range), known) }),
        Kind::Intervals(range) => {
            let ends = json!({ "type": "array", "items": number(range), "minItems": 2, "maxItems": 2 });
            json!({ "type": "array", "items": ends })
        }
        Kind::WholePoint(low, high) => per_axis(json!({ "type": "integer", "minimum": low, "maximum": high })),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Choice(words) => json!({ "enum": words }),
        Kind::ChoiceOrRegion(words) => {
            json!({ "anyOf": [{ "enum": words }, { "type": "string", "pattern": "^region:" }] })
        }
        Kind::Choices(words) => json!({ "type": "array", "items": { "enum": words } }),
        Kind::ChoicePerAxis(words) => json!({ "anyOf": [{ "enum": words }, per_axis(json!({ "enum": words }))] }),
        Kind::Text => json!({ "type": "string", "maxLength": Kind::LONGEST_TEXT }),
        Kind::File => json!({ "type": "string", "minLength": 1, "maxLength": Kind::LONGEST_FILE }),
        Kind::FileOrTable(keys) => json!({ "anyOf": [value(Kind::File, known), table(keys, known)] }),
        Kind::Name => json!({ "type": "string", "pattern": Kind::NAME_PATTERN }),
        Kind::Reference(_) => json!({ "type": "string" }),
        Kind::Goals => {
            json!({ "type": "array", "items": { "type": ["string", "array"], "items": { "type": "number" } } })
        }
        Kind::References(_) => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::Statements | Kind::SpeciesFilter => {
            json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] })
        }
        Kind::SpeciesOrPlace => {
            json!({ "anyOf": [value(Kind::SpeciesFilter, known), per_axis(number(Range::COORDINATE))] })
        }
        Kind::Target => json!({ "anyOf": [{ "type": "string" }, per_axis(number(Range::COORDINATE))] }),
        Kind::Heading => {
            json!({ "anyOf": [{ "const": "random" }, { "type": "number" }, per_axis(json!({ "type": "number" }))] })
        }
        Kind::Table(keys) => table(keys, known),
        Kind::Tables(keys) => json!({ "type": "array", "items": table(keys, known) }),
        Kind::Named(_, kind) => by_name(value(*kind, known)),
        Kind::Species(keys) => {
            let mut schema = by_name(table(keys, known));
            schema["minProperties"] = json!(1);
            schema
        }
        Kind::Rules => json!({ "type": "array", "items": { "anyOf": known.rules } }),
        Kind::Motion => json!({ "anyOf": known.motions }),
        _ => json!({}),
    }
}

fn number(range: Range) -> Value {
    let mut schema = json!({ "type": "number" });
    schema[if range.above { "exclusiveMinimum" } else { "minimum" }] = whole_or(range.low);
    if range.high.is_finite() {
        schema["maximum"] = whole_or(range.high);
    }
    schema
}

/// Pairs of a time and a number.
fn over_time(times: Range, number_of: Value) -> Value {
    let pair = json!([number(times), number_of]);
    json!({ "type": "array", "items": { "type": "array", "prefixItems": pair, "minItems": 2, "maxItems": 2 } })
}

fn per_axis(items: Value) -> Value {
    json!({ "type": "array", "items": items, "minItems": 2, "maxItems": 3 })
}

/// The schema of the table of a rule or a motion: `key` has its name, and `extra` belongs to every one.
fn named(rule: &dyn Reflect, key: &str, extra: Option<&Parameter>) -> Value {
    let (mut properties, known) = (Map::new(), Known::default());
    properties.insert(key.to_owned(), json!({ "const": rule.rule(), "description": rule.summary() }));
    if let Some(extra) = extra {
        properties.insert(extra.name.to_owned(), property(extra, default(extra), &known));
    }
    for parameter in rule.parameters() {
        let default = rule.get(parameter.name).map(|value| setting(&value));
        // The default of a point depends on the number of dimensions.
        let default = default.filter(|default| !matches!(default, Value::Null | Value::Array(_)));
        properties.insert(parameter.name.to_owned(), property(parameter, default, &known));
    }
    json!({
        "title": rule.rule(),
        "type": "object",
        "properties": properties,
        "required": [key],
        "additionalProperties": false,
    })
}
