//! Tests of `throng bench`: its rows, its keys and errors of usage.

mod common;

use std::fs;

use common::{Folder, json, throng};

#[test]
fn every_design_has_a_row_with_every_key_and_fresh_and_kept_share_a_hash() {
    let folder = Folder::new("bench");
    let arguments =
        ["bench", "--agents", "300,2000", "--threads", "1,2", "--ticks", "40", "--json", "--plot", "bench.svg"];
    let output = throng(&folder, &arguments);
    assert!(output.status.success(), "{output:?}");
    let rows = json(&output.stdout);
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 4 * 2 * 2 * 2);
    for row in rows {
        for key in [
            "milliseconds_per_tick",
            "agent_updates_per_second",
            "pair_tests_per_second",
            "roofline_fraction",
            "candidates_per_pair",
            "mean_neighbours",
            "bytes_per_agent",
        ] {
            assert!(row[key].as_f64().is_some_and(|number| number > 0.0), "{key} in {row}");
        }
        assert_eq!(row["ticks"], 40);
        assert_eq!(row["capped_share"], 0.0);
        assert!(["fresh", "kept", "grid", "rstar_per_agent"].contains(&row["design"].as_str().unwrap()));
        assert!(row["instruction_set"].is_string());
        assert!((15.0..25.0).contains(&row["mean_neighbours"].as_f64().unwrap()), "{row}");
        assert!(row["candidates_per_pair"].as_f64().unwrap() >= 1.0, "{row}");
        // Fresh and kept lists give the same bits, on any number of threads.
        let one_hash = |design: &str| if design == "kept" { "fresh".to_owned() } else { design.to_owned() };
        for other in rows {
            let key = |row: &serde_json::Value| {
                (one_hash(row["design"].as_str().unwrap()), row["agents"].as_u64(), row["dimensions"].as_u64())
            };
            assert_eq!(key(row) == key(other), row["hash"] == other["hash"], "{row} {other}");
        }
    }
    let picture = fs::read_to_string(folder.path("bench.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("rstar_per_agent"), "{picture}");
}

#[test]
fn a_bench_without_its_program_reports_what_is_missing() {
    let folder = Folder::new("bench-alone");
    let alone = folder.path("throng");
    fs::copy(env!("CARGO_BIN_EXE_throng"), &alone).unwrap();
    let output = std::process::Command::new(&alone).arg("bench").env("PATH", "").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("throng-bench") && error.contains("cargo install throng-cli --features bench"), "{error}");
}

#[test]
fn invalid_plans_are_errors_of_usage() {
    let folder = Folder::new("bench-usage");
    for arguments in [
        &["bench", "--dimensions", "4"][..],
        &["bench", "--agents", "0"],
        &["bench", "--ticks", "0"],
        &["bench", "--agents", "many"],
    ] {
        assert_eq!(throng(&folder, arguments).status.code(), Some(2), "{arguments:?}");
    }
    let output = throng(&folder, &["bench", "--agents", "10", "--ticks", "1", "--plot", "nowhere/bench.svg"]);
    assert_eq!(output.status.code(), Some(5), "{output:?}");
}
