//! Floor plans in every format: they are refused with a place, or have finite walls.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng_formats::{FloorPlan, Format, ReadOptions};

fuzz_target!(|text: &str| {
    for format in [Format::Wkt, Format::Svg, Format::Toml, Format::GeoJson, Format::Dxf] {
        if let Ok(plan) = FloorPlan::parse(text, format, &ReadOptions::default()) {
            assert!(
                plan.bounds().is_none_or(|bounds| bounds.low.iter().chain(&bounds.high).all(|end| end.is_finite()))
            );
        }
    }
});
