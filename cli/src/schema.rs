//! What may a scenario file say, as a JSON schema that editors check and complete with?

use serde_json::{Map, Value, json};
use throng::behaviours::{self, NamedRule};
use throng::parameters::{Kind, Parameter, Range};
use throng::scenario::keys::{self, Form, Key, Preset};
use throng::species::WEIGHT;

use crate::failure::Failure;
use crate::output::print;
use crate::rules::setting;

/// The command `throng schema`.
pub(crate) fn schema() -> Result<(), Failure> {
    let mut schema = table(&keys::file());
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("A scenario of throng");
    print(&format!("{schema:#}\n"))
}

/// What a name looks like.
const NAME: &str = "^[A-Za-z0-9_-]{1,64}$";

fn table(keys: &[Key]) -> Value {
    let properties: Map<String, Value> = keys.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    let required: Vec<&str> = keys.iter().filter(|key| key.default == Preset::Required).map(|key| key.name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn property(key: &Key) -> Value {
    let mut schema = form(&key.form);
    schema["description"] = json!(describe(key.help, &key.form.allowed(key.unit)));
    match key.default {
        Preset::Number(number) => schema["default"] = whole_or(number),
        Preset::Word(word) if matches!(key.form, Form::Choice(_) | Form::Heading | Form::WholeOrOff(_)) => {
            schema["default"] = json!(word);
        }
        _ => {}
    }
    schema
}

fn describe(help: &str, allowed: &str) -> String {
    let mut letters = allowed.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{help} {first}{}.", letters.as_str())
}

fn whole_or(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 { json!(number as i64) } else { json!(number) }
}

fn form(shape: &Form) -> Value {
    match shape {
        Form::Whole(low, high) if low == high => json!({ "const": low }),
        Form::Whole(low, high) => json!({ "type": "integer", "minimum": low, "maximum": high }),
        Form::WholeOrOff(low) => json!({ "anyOf": [{ "type": "integer", "minimum": low }, { "const": "off" }] }),
        Form::Number(range) => number(*range),
        Form::Spread(range) => json!({ "anyOf": [
            number(*range),
            { "type": "array", "items": number(*range), "minItems": 2, "maxItems": 2 },
        ] }),
        Form::PerAxis(range) => per_axis(number(*range)),
        Form::Choice(words) => json!({ "enum": words }),
        Form::Text => json!({ "type": "string", "maxLength": 100 }),
        Form::Heading => {
            json!({ "anyOf": [{ "const": "random" }, { "type": "number" }, per_axis(json!({ "type": "number" }))] })
        }
        Form::Flag => json!({ "type": "boolean" }),
        Form::Name => json!({ "type": "string", "pattern": NAME }),
        Form::Reference(_) => json!({ "type": "string" }),
        Form::References(_) => json!({ "type": "array", "items": { "type": "string" } }),
        Form::Whom => whom(),
        Form::WholePerAxis(low, high) => per_axis(json!({ "type": "integer", "minimum": low, "maximum": high })),
        Form::Vectors(range) => json!({ "type": "array", "items": per_axis(number(*range)) }),
        Form::Table(keys) => table(keys),
        Form::Tables(keys) => json!({ "type": "array", "items": table(keys) }),
        Form::Named(_, value) => json!({
            "type": "object",
            "patternProperties": { NAME: form(value) },
            "additionalProperties": false,
        }),
        Form::Species(keys) => json!({
            "type": "object",
            "patternProperties": { NAME: table(keys) },
            "additionalProperties": false,
            "minProperties": 1,
        }),
        Form::Rules => json!({ "type": "array", "items": { "anyOf": rules() } }),
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

fn whom() -> Value {
    json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] })
}

fn per_axis(items: Value) -> Value {
    json!({ "type": "array", "items": items, "minItems": 2, "maxItems": 3 })
}

fn rules() -> Vec<Value> {
    let mut schemas: Vec<Value> = behaviours::all::<2>().iter().map(|behaviour| rule(&**behaviour)).collect();
    for behaviour in behaviours::all::<3>() {
        let schema = rule(&*behaviour);
        if !schemas.iter().any(|known| known["title"] == schema["title"]) {
            schemas.push(schema);
        }
    }
    schemas
}

fn rule<const D: usize>(rule: &dyn NamedRule<D>) -> Value {
    let mut properties = Map::new();
    properties.insert("rule".to_owned(), json!({ "const": rule.rule(), "description": rule.summary() }));
    properties.insert(WEIGHT.name.to_owned(), parameter(&WEIGHT, json!(1)));
    for entry in rule.parameters() {
        let default = rule.get(entry.name).map_or(Value::Null, |value| setting(&value));
        properties.insert(entry.name.to_owned(), parameter(entry, default));
    }
    json!({
        "title": rule.rule(),
        "type": "object",
        "properties": properties,
        "required": ["rule"],
        "additionalProperties": false,
    })
}

fn parameter(parameter: &Parameter, default: Value) -> Value {
    let mut schema = match parameter.kind {
        Kind::Number(range) => number(range),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Whom => whom(),
        Kind::Name => json!({ "type": "string" }),
        Kind::Point => per_axis(json!({ "type": "number" })),
        Kind::Points => json!({ "type": "array", "items": per_axis(json!({ "type": "number" })) }),
        Kind::Target => json!({ "anyOf": [{ "type": "string" }, per_axis(json!({ "type": "number" }))] }),
        Kind::Choice(words) => json!({ "enum": words }),
        _ => json!({}),
    };
    schema["description"] = json!(describe(parameter.help, &throng::parameters::allowed(parameter)));
    // The default of a point depends on the number of dimensions.
    if !matches!(default, Value::Null | Value::Array(_)) {
        schema["default"] = default;
    }
    schema
}
