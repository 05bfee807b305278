//! Tests that users' rules, declared outside the library, are known by name like throng's own.

use throng::motions::{Orca, Passing};
use throng::parameters::{Field, Kind, Parameter, Range, Reflect, Value};
use throng::{AgentRef, Behaviour, Error, NamedRule, Registry, Vector};

/// An angle, written in degrees and stored in turns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Turns(f32);

impl Field for Turns {
    fn value(&self) -> Value {
        (self.0 * 360.0).value()
    }

    fn read(value: &Value, parameter: &Parameter) -> Result<Self, Error> {
        f32::read(value, parameter).map(|degrees| Self(degrees / 360.0))
    }
}

throng::choice! {
    /// Which way the wind turns.
    pub enum Sense {
        /// Anticlockwise.
        Left = "left",
        /// Clockwise.
        Right = "right",
    }
}

throng::rule! {
    /// The desired velocity is the velocity of the wind.
    "drift": "Drifts with the wind."
    pub struct Drift {
        /// How fast the wind blows,
        /// at any height.
        pub speed: f32 = 3.0, "m/s", Kind::Number(Range::from(0.0, 100.0));
        /// How many gusts come in a minute.
        pub gusts: u32 = 4, "", Kind::Whole(1, 60);
        /// How far the wind turns in a minute.
        pub turn: Turns = Turns(0.25), "degrees", Kind::Number(Range::from(0.0, 360.0));
        /// Which way it turns.
        pub sense: Sense = Sense::Left, "", Sense::KIND;
    }
}

impl<const D: usize> Behaviour<D> for Drift {
    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.towards(Vector::from_fn(|axis| if axis == 0 { self.speed } else { 0.0 }))
    }

    throng::reflect!();
}

throng::rule! {
    /// The force pulls towards a point. The rule exists for one number of dimensions at a time.
    "pull": "Is pulled to a point."
    pub struct Pull<D> {
        /// The point.
        pub point: Vector<D> = Vector::ZERO, "m", Kind::Point(Range::COORDINATE);
    }
}

impl<const D: usize> Behaviour<D> for Pull<D> {
    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.offset_to(self.point)
    }

    throng::reflect!();
}

fn names<const D: usize>(registry: &Registry) -> Vec<&'static str> {
    registry.rules::<D>().map(|rule| rule.rule()).collect()
}

#[test]
fn users_rules_come_after_throngs_own() {
    let own = names::<2>(&Registry::new());
    assert_eq!((own.len(), own[0]), (30, "seek"));
    assert_eq!(own, names::<3>(&Registry::new()));
    let registry = Registry::new().with(Drift::default()).unwrap().with_in(Pull::<3>::default()).unwrap();
    assert_eq!(names::<2>(&registry)[30..], ["drift"]);
    assert_eq!(names::<3>(&registry)[30..], ["drift", "pull"]);
    assert!(registry.named::<2>("pull").is_none() && registry.named::<3>("pull").is_some());
    let registry = registry.with_in(Pull::<2>::default()).unwrap();
    assert!(registry.named::<2>("pull").is_some());
}

#[test]
fn a_users_table_is_read_and_set_by_name() {
    let mut rule: Box<dyn NamedRule<2>> = Registry::new().with(Drift::default()).unwrap().named("drift").unwrap();
    assert_eq!(rule.parameter("speed").unwrap().help, "How fast the wind blows, at any height.");
    rule.set("gusts", &Value::Whole(7)).unwrap();
    rule.set("turn", &Value::Number(180.0)).unwrap();
    rule.set("sense", &Value::Word("right".to_owned())).unwrap();
    let values: Vec<_> = rule.parameters().iter().map(|parameter| rule.get(parameter.name).unwrap()).collect();
    let right = Value::Word("right".to_owned());
    assert_eq!(values, [Value::Number(3.0), Value::Whole(7), Value::Number(180.0), right]);
    let refused = |rule: &mut dyn NamedRule<2>, name, value| rule.set(name, &value).unwrap_err().to_string();
    let expected = "drift.gusts = 61: must be a whole number from 1 to 60";
    assert_eq!(refused(&mut *rule, "gusts", Value::Number(61.0)), expected);
    let expected = "drift.turn = 361: must be a number in [0, 360] degrees";
    assert_eq!(refused(&mut *rule, "turn", Value::Number(361.0)), expected);
    let expected = "drift.sense = \"up\": must be one of left, right";
    assert_eq!(refused(&mut *rule, "sense", Value::Word("up".to_owned())), expected);
    let expected = "drift.parameter = \"spead\": must be one of speed, gusts, turn, sense; did you mean `speed`?";
    assert_eq!(refused(&mut *rule, "spead", Value::Number(1.0)), expected);
    assert!(Drift { turn: Turns(f32::NAN), ..Drift::default() }.check().is_err());
}

#[test]
fn advanced_parameters_come_last_and_have_their_defaults_in_no_snapshot() {
    let registry = Registry::new();
    for table in registry.tables().chain(registry.motion_tables()) {
        let rows = table.parameters();
        assert!(rows.is_sorted_by_key(|row| row.advanced), "{}", table.rule());
        for row in rows.iter().filter(|row| row.advanced) {
            assert_eq!(table.usual(row.name), table.get(row.name), "{}.{}", table.rule(), row.name);
        }
    }
}

#[test]
fn parameters_that_rules_share_are_set_and_checked_by_the_name_of_the_rule() {
    let mut motion = Registry::new().motion_named::<2>("orca").unwrap();
    motion.set("crowd_full", &Value::Number(2.5)).unwrap();
    assert_eq!(motion.get("crowd_full"), Some(Value::Number(2.5)));
    assert_ne!(motion.get("crowd_full"), motion.usual("crowd_full"));
    let refused = motion.set("crowd_full", &Value::Number(0.5)).unwrap_err().to_string();
    assert_eq!(refused, "orca.crowd_full = 0.5: must be a number in (1, 1000]");
    let passing = Passing { side_time: f32::NAN, ..Passing::default() };
    let refused = Orca { passing, ..Orca::default() }.check().unwrap_err().to_string();
    assert!(refused.starts_with("orca.side_time = NaN"), "{refused}");
}

/// Registers a rule with this name and this parameter.
macro_rules! named {
    ($name:literal, $parameter:ident, $default:expr) => {{
        throng::rule! {
            $name: "Does nothing."
            struct Idle {
                /// A number.
                $parameter: f32 = $default, "", Kind::Number(Range::from(0.0, 1.0));
            }
        }

        impl<const D: usize> Behaviour<D> for Idle {
            fn steer(&self, _: &AgentRef<'_, D>) -> Vector<D> {
                Vector::ZERO
            }

            throng::reflect!();
        }

        Registry::new().with(Idle::default())
    }};
}

#[test]
fn ambiguous_and_invalid_names_are_refused() {
    assert!(named!("idle", strength, 0.5).is_ok());
    assert_eq!(named!("wander", strength, 0.5), Err(Error::RuleTaken("wander".to_owned())));
    for refused in [
        named!("", strength, 0.5),
        named!("be idle", strength, 0.5),
        named!("idle", weight, 0.5),
        named!("idle", rule, 0.5),
        named!("idle", r#type, 0.5),
        named!("idle", strength, 1.5),
        named!("idle", strength, f32::NAN),
    ] {
        assert!(matches!(refused, Err(Error::BadValue(_))), "{refused:?}");
    }
}

mod files {
    use super::*;
    use throng_scenario::Scenario;

    const FILE: &str = r#"format = 1
[world]
dimensions = 2
size = [100.0, 50.0]
[species.seed]
count = 5
max_speed = -0.0
behaviours = [{ rule = "drift", speed = 7, gusts = 12, sense = "right" }]
"#;

    fn registry() -> Registry {
        Registry::new().with(Drift::default()).unwrap()
    }

    #[test]
    fn a_scenario_names_a_users_rule() {
        let sets = ["species.seed.drift.turn=90".to_owned(), "species.seed.max_speed=9".to_owned()];
        let scenario = Scenario::parse_in(&registry(), FILE, "s.toml", &sets).unwrap();
        let mut world = scenario.build::<2>().unwrap();
        let species = world.find_species("seed").unwrap();
        let rule = &world.species(species).unwrap().rules[0];
        assert_eq!(rule.behaviour.name(), "drift");
        let table = rule.behaviour.table().unwrap();
        let expected = [Value::Number(7.0), Value::Whole(12), Value::Number(90.0), Value::Word("right".to_owned())];
        for (parameter, value) in table.parameters().iter().zip(expected) {
            assert_eq!(table.get(parameter.name), Some(value));
        }
        (0..2000).for_each(|_| world.step());
        let agents = world.agents(species).unwrap();
        assert!((0..5).all(|row| (agents.velocity(row) - Vector([7.0, 0.0])).length() < 1e-3));
        // The scenario keeps its registry.
        assert_eq!(scenario.clone(), scenario);
    }

    #[test]
    fn only_registered_rules_are_suggested() {
        let said = |text: &str| Scenario::parse_in(&registry(), text, "s.toml", &[]).unwrap_err().to_string();
        assert!(said(&FILE.replace("\"drift\"", "\"drifts\"")).contains("did you mean `drift`? (one of seek, "));
        assert!(said(&FILE.replace("gusts = 12", "gusts = 1.5")).contains("gusts = 1.5: must be a whole number from"));
        let unknown = Scenario::parse(FILE, "s.toml").unwrap_err().to_string();
        assert!(unknown.contains("unknown rule") && !unknown.contains("drift`"), "{unknown}");
    }

    #[test]
    fn a_quantity_of_zero_has_no_sign() {
        let world = Scenario::parse_in(&registry(), FILE, "s.toml", &[]).unwrap().build::<2>().unwrap();
        let agents = world.agents(world.find_species("seed").unwrap()).unwrap();
        assert!(agents.max_speed(0).is_sign_positive());
    }
}
