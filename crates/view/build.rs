//! Names the folder of the built-in scenarios: inside of a published package, and beside this crate in the repository.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder =
        ["scenarios", "../../scenarios"].map(|folder| here.join(folder)).into_iter().find(|folder| folder.is_dir());
    match folder {
        Some(folder) => println!("cargo::rustc-env=THRONG_SCENARIOS={}", folder.to_string_lossy()),
        None => println!("cargo::error=the folder of the scenarios is missing"),
    }
}
