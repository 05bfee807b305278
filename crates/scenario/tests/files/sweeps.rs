//! Sweeps: which runs they have, and which designs are refused.

use throng::Registry;
use throng_scenario::keys::MAX_SEED;
use throng_scenario::{Sweep, SweepFault, Varied};

use super::GOOD;

/// A varied key with its values, as in overrides.
fn vary(key: &str, values: &[&str]) -> Varied {
    Varied { key: key.to_owned(), values: values.iter().map(|value| vec![format!("{key}={value}")]).collect() }
}

fn sweep(varied: &[Varied], seeds: (Option<u64>, u64)) -> Result<Sweep, SweepFault> {
    Sweep::new(&Registry::new(), GOOD, "s.toml", &["world.seed=9".to_owned()], varied.to_vec(), seeds, 1000)
}

#[test]
fn seeds_change_first_and_start_at_that_of_the_scenario() {
    let varied = [vary("species.starling.count", &["1", "2"]), vary("species.hawk.count", &["3", "4", "5"])];
    let sweep = sweep(&varied, (None, 2)).unwrap();
    let runs: Vec<_> = (0..sweep.runs()).map(|run| sweep.run(run)).map(|run| (run.values, run.seed)).collect();
    assert_eq!(runs.len(), 12);
    assert_eq!(runs[..3], [(vec![0, 0], 9), (vec![0, 0], 10), (vec![0, 1], 9)]);
    assert_eq!(runs[11], (vec![1, 2], 10));
    let last = sweep.scenario(&sweep.run(11)).unwrap();
    assert_eq!((last.agents(), last.seed()), (7, 10));
}

/// Copies of runs would pass for independent ones.
#[test]
fn designs_that_repeat_a_run_are_refused() {
    let refused = |varied: &[Varied]| sweep(varied, (None, 2)).unwrap_err();
    for key in ["world.seed", " world . seed "] {
        assert!(matches!(refused(&[vary(key, &["1", "2"])]), SweepFault::SeedVaried(_)), "{key}");
    }
    let speed = "species.starling.max_speed";
    for values in [["8", "8"], ["8", "8.0"], ["8", "0.8e1"]] {
        let fault = refused(&[vary(speed, &values)]);
        assert!(matches!(fault, SweepFault::SameRuns { .. }), "{values:?}: {fault}");
    }
    assert!(matches!(refused(&[vary(speed, &["8"]), vary(speed, &["9"])]), SweepFault::KeyTwice(_)));
    // The same key by two names: the second one hides the first.
    let twice = [
        vary("species.starling.separation.radius", &["1", "2"]),
        vary("species.starling.behaviours.0.radius", &["3", "4"]),
    ];
    assert!(matches!(refused(&twice), SweepFault::SameRuns { .. }));
    // The seed in the values of another key.
    let worlds = ["{dimensions=2, size=[9, 9], seed=1}", "{dimensions=2, size=[9, 9], seed=2}"];
    let fault = refused(&[vary("world", &worlds)]);
    assert!(matches!(fault, SweepFault::SameRuns { .. } | SweepFault::Scenario(_)), "{fault}");
    assert!(matches!(refused(&[vary(speed, &[])]), SweepFault::NoValues(_)));
    // Every parameter of a rule counts as a difference.
    for values in [["1", "1.0001"], ["1", "2"]] {
        sweep(&[vary("species.starling.separation.radius", &values)], (None, 2)).unwrap();
        sweep(&[vary("species.starling.behaviours.1.weight", &values)], (None, 2)).unwrap();
    }
}

#[test]
fn seeds_and_numbers_of_runs_have_limits() {
    assert!(matches!(sweep(&[], (None, 0)), Err(SweepFault::Seeds { .. })));
    assert!(matches!(sweep(&[], (Some(MAX_SEED), 2)), Err(SweepFault::Seeds { .. })));
    assert!(matches!(sweep(&[], (None, 1001)), Err(SweepFault::TooManyRuns { runs: Some(1001), most: 1000 })));
    assert!(matches!(sweep(&[vary("world.tick", &["0.1", "-1"])], (None, 1)), Err(SweepFault::Scenario(_))));
}
