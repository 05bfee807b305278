//! The macros that declare rules and their types.

/// Declares a rule or a motion: its struct, its defaults and its parameter table ([`Reflect`](crate::parameters::Reflect)).
///
/// After the documentation come the rule's name in scenario files and a one-line summary; then, for each parameter, one
/// line of help, its [`Field`](crate::parameters::Field) type, its default, its unit and its
/// [`Kind`](crate::parameters::Kind). The word `added` after it marks a parameter that a rule got later: see
/// [`Reflect::usual`](crate::parameters::Reflect::usual). The word `advanced` marks one that was added and that few
/// users change, and a word of [`Scaled`](crate::parameters::Scaled) how it grows with the world. A line `..pub field:
/// Struct;` after the parameters adds another struct, whose parameters several rules
/// share. A struct that ends with `<D>` is generic in the number of dimensions. The rule's
/// [`Behaviour`](crate::Behaviour) is written by hand, with [`reflect!`](crate::reflect) in it.
///
/// ```
/// use throng::parameters::{Kind, Range};
/// use throng::{AgentRef, Behaviour, Registry, Vector};
///
/// throng::rule! {
///     /// The agent accelerates downwards, along the last axis.
///     "fall": "Falls."
///     pub struct Fall {
///         /// Gravity.
///         pub gravity: f32 = 9.81, "m/s²", Kind::Number(Range::from(0.0, 1e3));
///     }
/// }
///
/// impl<const D: usize> Behaviour<D> for Fall {
///     fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
///         Vector::from_fn(|axis| if axis == D - 1 { -self.gravity * me.mass() } else { 0.0 })
///     }
///
///     throng::reflect!();
/// }
///
/// let registry = Registry::new().with(Fall::default())?;
/// assert_eq!(registry.named::<3>("fall").unwrap().summary(), "Falls.");
/// # Ok::<(), throng::Error>(())
/// ```
#[macro_export]
macro_rules! rule {
    (@advanced) => { false };
    (@advanced advanced $($option:ident)*) => { true };
    (@advanced $other:ident $($option:ident)*) => { $crate::rule!(@advanced $($option)*) };
    (@added) => { false };
    (@added added $($option:ident)*) => { true };
    (@added advanced $($option:ident)*) => { true };
    (@added $other:ident $($option:ident)*) => { $crate::rule!(@added $($option)*) };
    (@scaled) => { $crate::parameters::Scaled::Places };
    (@scaled added $($option:ident)*) => { $crate::rule!(@scaled $($option)*) };
    (@scaled advanced $($option:ident)*) => { $crate::rule!(@scaled $($option)*) };
    (@scaled $scaled:ident $($option:ident)*) => { $crate::parameters::Scaled::$scaled };
    (
        $(#[$meta:meta])*
        $rule:literal: $summary:literal
        $visibility:vis struct $name:ident $(<$dimensions:ident>)? {
            $(
                $(#[doc = $help:literal])+
                $field_visibility:vis $field:ident: $type:ty = $default:expr, $unit:literal, $kind:expr
                $(, $($option:ident)+)?;
            )*
            $(..$shared_visibility:vis $shared:ident: $shared_type:ty;)*
        }
    ) => {
        #[doc = $summary]
        #[doc = ""]
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        $visibility struct $name $(<const $dimensions: usize>)? {
            $(
                $(#[doc = $help])+
                #[doc = concat!("\n\nUnit: ", $unit, ".")]
                $field_visibility $field: $type,
            )*
            $(
                #[doc = concat!("The parameters that it shares with other rules: [`", stringify!($shared_type), "`].")]
                $shared_visibility $shared: $shared_type,
            )*
        }

        impl $(<const $dimensions: usize>)? Default for $name $(<$dimensions>)? {
            fn default() -> Self {
                Self { $($field: $default,)* $($shared: <$shared_type>::default(),)* }
            }
        }

        impl $(<const $dimensions: usize>)? $crate::parameters::Table for $name $(<$dimensions>)? {
            const TABLE: &'static [$crate::parameters::Parameter] = {
                const OWN: &[$crate::parameters::Parameter] = &[$($crate::parameters::Parameter {
                    default: $crate::parameters::Preset::OfRule,
                    scaled: $crate::rule!(@scaled $($($option)+)?),
                    added: $crate::rule!(@added $($($option)+)?),
                    advanced: $crate::rule!(@advanced $($($option)+)?),
                    ..$crate::parameters::Parameter::new(
                        stringify!($field), $unit, $kind, concat!($($help),+).trim_ascii(),
                    )
                },)*];
                const PARTS: &[&[$crate::parameters::Parameter]] =
                    &[OWN, $(<$shared_type as $crate::parameters::Table>::TABLE,)*];
                const ALL: [$crate::parameters::Parameter; $crate::parameters::count(PARTS)] =
                    $crate::parameters::joined(PARTS);
                &ALL
            };
        }

        impl $(<const $dimensions: usize>)? $crate::parameters::Reflect for $name $(<$dimensions>)? {
            fn rule(&self) -> &'static str {
                $rule
            }

            fn summary(&self) -> &'static str {
                $summary
            }

            fn parameters(&self) -> &'static [$crate::parameters::Parameter] {
                <Self as $crate::parameters::Table>::TABLE
            }

            fn get(&self, name: &str) -> Option<$crate::parameters::Value> {
                $(if name == stringify!($field) {
                    return Some($crate::parameters::Field::value(&self.$field));
                })*
                $(if let Some(value) = $crate::parameters::Reflect::get(&self.$shared, name) {
                    return Some(value);
                })*
                let _ = name;
                None
            }

            fn set(&mut self, name: &str, value: &$crate::parameters::Value) -> Result<(), $crate::Error> {
                let parameter = $crate::parameters::Reflect::parameter(self, name)?;
                $(if name == stringify!($field) {
                    self.$field = $crate::parameters::Field::read(value, parameter)
                        .map_err(|error| error.of_rule($rule))?;
                })*
                $(if $crate::parameters::Reflect::get(&self.$shared, name).is_some() {
                    $crate::parameters::Reflect::set(&mut self.$shared, name, value)
                        .map_err(|error| error.of_rule($rule))?;
                })*
                let _ = (parameter, value);
                Ok(())
            }

            fn usual(&self, name: &str) -> Option<$crate::parameters::Value> {
                $(if name == stringify!($field) && $crate::rule!(@added $($($option)+)?) {
                    return Some($crate::parameters::Field::value(&Self::default().$field));
                })*
                $(if let Some(value) = $crate::parameters::Reflect::usual(&self.$shared, name) {
                    return Some(value);
                })*
                let _ = name;
                None
            }

            fn check(&self) -> Result<(), $crate::Error> {
                $($crate::parameters::Field::check(
                    &self.$field,
                    $crate::parameters::Reflect::parameter(self, stringify!($field))?,
                )
                .map_err(|error: $crate::Error| error.of_rule($rule))?;)*
                $($crate::parameters::Reflect::check(&self.$shared)
                    .map_err(|error: $crate::Error| error.of_rule($rule))?;)*
                Ok(())
            }
        }
    };
}

/// Connects a rule to its table, inside its `impl Behaviour<D>`. For a rule that exists in one number of dimensions
/// only, that number is the argument. Inside an `impl Motion<D>`, the first argument is `motion`.
#[macro_export]
macro_rules! reflect {
    (motion) => {
        $crate::reflect!(motion, D);
    };
    (motion, $dimensions:expr) => {
        fn table(&self) -> Option<&dyn $crate::NamedMotion<{ $dimensions }>> {
            Some(self)
        }
    };
    () => {
        $crate::reflect!(D);
    };
    ($dimensions:expr) => {
        fn table(&self) -> Option<&dyn $crate::NamedRule<{ $dimensions }>> {
            Some(self)
        }
    };
}

/// Declares the type of a parameter whose value is one of several words; its [`Kind`](crate::parameters::Kind) is
/// `KIND`.
///
/// ```
/// throng::choice! {
///     /// A side of the road.
///     pub enum Side {
///         /// The left one.
///         Left = "left",
///         /// The right one.
///         Right = "right",
///     }
/// }
///
/// assert_eq!(Side::KIND.allowed(""), "one of left, right");
/// ```
#[macro_export]
macro_rules! choice {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $name:ident {
            $(
                $(#[doc = $help:literal])+
                $variant:ident = $word:literal,
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visibility enum $name {
            $(
                $(#[doc = $help])+
                #[doc = concat!("\n\nIn a scenario file: `", $word, "`.")]
                $variant,
            )*
        }

        impl $name {
            /// The kind of a parameter of this type.
            pub const KIND: $crate::parameters::Kind = $crate::parameters::Kind::Choice(&[$($word),*]);
        }

        impl $crate::parameters::Field for $name {
            fn value(&self) -> $crate::parameters::Value {
                let word = match self {
                    $(Self::$variant => $word,)*
                };
                $crate::parameters::Value::Word(word.to_owned())
            }

            fn read(
                value: &$crate::parameters::Value,
                parameter: &$crate::parameters::Parameter,
            ) -> Result<Self, $crate::Error> {
                match value.word() {
                    $(Some($word) if parameter.kind.takes(value, 0) => Ok(Self::$variant),)*
                    _ => Err(parameter.refuse(value)),
                }
            }
        }
    };
}

pub(crate) use {choice, reflect, rule};
