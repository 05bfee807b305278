//! The units of coordinate systems, by their codes in the EPSG registry.

/// The unit of a coordinate system.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum System {
    /// Longitude and latitude.
    Degrees,
    /// Web Mercator, whose metres are true at the equator.
    Mercator,
    Metres,
    Feet,
    Unknown,
}

/// The radius of the sphere of Web Mercator, in metres.
const RADIUS: f64 = 6_378_137.0;

/// The unit of a system by its name, such as `urn:ogc:def:crs:EPSG::25832`.
pub(crate) fn of(name: &str) -> System {
    let lower = name.to_lowercase();
    if lower.contains("crs84") || lower.contains("crs83") || lower.contains("crs27") {
        return System::Degrees;
    }
    let digits = lower.len() - lower.bytes().rev().take_while(u8::is_ascii_digit).count();
    let code = lower[digits..].parse().unwrap_or(0);
    let named = match code {
        4326 | 4258 | 4267 | 4269 | 4283 | 4314 | 4490 | 4612 | 4617 | 4674 | 4937 | 4979 | 6668 | 7844 => {
            System::Degrees
        }
        3857 | 3785 | 900_913 | 102_100 | 102_113 => System::Mercator,
        // Universal Transverse Mercator, and national grids.
        25828..=25838 | 26901..=26923 | 32601..=32660 | 32701..=32760 | 28348..=28358 | 7846..=7859 => System::Metres,
        2056 | 2154 | 2180 | 2193 | 2326 | 3006 | 3035 | 3067 | 3301 | 3346 | 3414 | 4647 | 5179 | 5186 => {
            System::Metres
        }
        5514 | 21781 | 27700 | 28992 | 31254..=31259 | 31370 | 31466..=31469 | 2443..=2461 | 6669..=6687 => {
            System::Metres
        }
        // State planes of the United States.
        2222..=2289 | 2867..=2888 | 2891..=2930 | 3417..=3438 | 32001..=32058 => System::Feet,
        _ => System::Unknown,
    };
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    match named {
        System::Unknown if has(&["ftus", "(ft)", "feet", "foot"]) => System::Feet,
        System::Unknown if has(&["utm zone"]) => System::Metres,
        named => named,
    }
}

/// Longitude and latitude of a point of Web Mercator.
pub(crate) fn unprojected([x, y]: [f64; 2]) -> [f64; 2] {
    [(x / RADIUS).to_degrees(), (y / RADIUS).sinh().atan().to_degrees()]
}
