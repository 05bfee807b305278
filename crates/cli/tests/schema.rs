//! The committed schema is the one that the program prints, and every scenario names it for editors.

mod common;

use std::path::{Path, PathBuf};

use common::{Folder, throng};

const SCHEMA: &str = "scenarios/throng.schema.json";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_committed_schema_is_the_printed_one() {
    let folder = Folder::new("schema");
    let output = throng(&folder, &["schema"]);
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    let path = root().join(SCHEMA);
    if std::env::var_os("THRONG_BLESS").is_some() {
        std::fs::write(path, printed).unwrap();
        return;
    }
    let committed = std::fs::read_to_string(path).unwrap();
    for (committed, printed) in committed.lines().zip(printed.lines()) {
        assert_eq!(committed, printed, "scripts/bless.sh schema rewrites {SCHEMA}");
    }
    assert_eq!(committed, printed, "{SCHEMA}");
}

#[test]
fn every_scenario_begins_with_the_path_of_the_schema() {
    let schema = root().join(SCHEMA).canonicalize().unwrap();
    let mut count = 0;
    for folder in ["scenarios", "docs/tutorial", "docs/tuning"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|end| end != "toml") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let named = text.lines().next().and_then(|line| line.strip_prefix("#:schema "));
            let named = named.unwrap_or_else(|| panic!("{}: the first line must be #:schema", path.to_string_lossy()));
            let found = path.parent().unwrap().join(named).canonicalize();
            assert_eq!(found.ok(), Some(schema.clone()), "{}: #:schema {named}", path.to_string_lossy());
            count += 1;
        }
    }
    assert!(count > 20, "{count} scenarios were found");
}
