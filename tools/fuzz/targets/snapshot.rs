//! Snapshots whose hashes are right: they are refused, or give a world that steps.
#![no_main]

#[path = "../../../tests/forged/seal.rs"]
#[allow(dead_code, reason = "the tests take snapshots apart, too")]
mod seal;

use libfuzzer_sys::fuzz_target;
use throng::AnyWorld;

fuzz_target!(|data: &[u8]| {
    let mut bytes = data.to_vec();
    seal::seal(&mut bytes);
    if let Ok(mut world) = AnyWorld::load(&bytes[..]) {
        (0..2).for_each(|_| world.step());
        let mut again = Vec::new();
        world.save(&mut again).expect("a vector takes every byte");
        assert!(AnyWorld::load(&again[..]).is_ok());
    }
});
