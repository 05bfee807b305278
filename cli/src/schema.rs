//! The command `throng schema`: what a scenario file may contain, as a JSON schema for editors.

use serde_json::{Map, Value, json};
use throng::Registry;
use throng::parameters::{Kind, Parameter, Range, Tunable};
use throng::scenario::keys::{self, Form, Key, Preset};
use throng::species::WEIGHT;

use crate::failure::Failure;
use crate::output::print;
use crate::rules::setting;

/// Runs the command `throng schema`.
pub(crate) fn schema(registry: &Registry) -> Result<(), Failure> {
    let mut schema = table(&keys::file(), &registry.tables().map(rule).collect::<Vec<_>>());
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("A scenario of throng");
    print(&format!("{schema:#}\n"))
}

/// The schema of a table with these keys, in a file with these rules.
fn table(keys: &[Key], rules: &[Value]) -> Value {
    let properties: Map<String, Value> = keys.iter().map(|key| (key.name.to_owned(), property(key, rules))).collect();
    let required: Vec<&str> = keys.iter().filter(|key| key.default == Preset::Required).map(|key| key.name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn property(key: &Key, rules: &[Value]) -> Value {
    let mut schema = form(&key.form, rules);
    schema["description"] = json!(describe(key.help, &key.form.expected(key.unit).to_string()));
    match key.default {
        Preset::Number(number) => schema["default"] = whole_or(number),
        Preset::Word(word)
            if matches!(key.form, Form::Value(Kind::Choice(_) | Kind::Heading | Kind::WholeOrOff(_))) =>
        {
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

fn form(form: &Form, rules: &[Value]) -> Value {
    let named = |value: Value| {
        let names = json!({ (Kind::NAME_PATTERN): value });
        json!({ "type": "object", "patternProperties": names, "additionalProperties": false })
    };
    match form {
        Form::Value(kind) => value(*kind),
        Form::Table(keys) => table(keys, rules),
        Form::Tables(keys) => json!({ "type": "array", "items": table(keys, rules) }),
        Form::Named(_, value) => named(self::form(value, rules)),
        Form::Species(keys) => {
            let mut schema = named(table(keys, rules));
            schema["minProperties"] = json!(1);
            schema
        }
        Form::Rules => json!({ "type": "array", "items": { "anyOf": rules } }),
        _ => json!({}),
    }
}

/// The schema of a key's or a parameter's value.
fn value(kind: Kind) -> Value {
    match kind {
        Kind::Whole(low, high) if low == high => json!({ "const": low }),
        Kind::Whole(low, high) => json!({ "type": "integer", "minimum": low, "maximum": high }),
        Kind::WholeOrOff(low) => json!({ "anyOf": [{ "type": "integer", "minimum": low }, { "const": "off" }] }),
        Kind::Number(range) => number(range),
        Kind::Spread(range) => json!({ "anyOf": [
            number(range),
            { "type": "array", "items": number(range), "minItems": 2, "maxItems": 2 },
        ] }),
        Kind::Point(range) => per_axis(number(range)),
        Kind::Points(range) => json!({ "type": "array", "items": per_axis(number(range)) }),
        Kind::WholePoint(low, high) => per_axis(json!({ "type": "integer", "minimum": low, "maximum": high })),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Choice(words) => json!({ "enum": words }),
        Kind::Text => json!({ "type": "string", "maxLength": Kind::LONGEST_TEXT }),
        Kind::Name => json!({ "type": "string", "pattern": Kind::NAME_PATTERN }),
        Kind::Reference(_) => json!({ "type": "string" }),
        Kind::References(_) => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::Whom => json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] }),
        Kind::WhomOrPlace => json!({ "anyOf": [value(Kind::Whom), per_axis(number(Range::COORDINATE))] }),
        Kind::Target => json!({ "anyOf": [{ "type": "string" }, per_axis(number(Range::COORDINATE))] }),
        Kind::Heading => {
            json!({ "anyOf": [{ "const": "random" }, { "type": "number" }, per_axis(json!({ "type": "number" }))] })
        }
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

fn per_axis(items: Value) -> Value {
    json!({ "type": "array", "items": items, "minItems": 2, "maxItems": 3 })
}

fn rule(rule: &dyn Tunable) -> Value {
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
    let mut schema = value(parameter.kind);
    schema["description"] = json!(describe(parameter.help, &parameter.allowed()));
    // The default of a point depends on the number of dimensions.
    if !matches!(default, Value::Null | Value::Array(_)) {
        schema["default"] = default;
    }
    schema
}
