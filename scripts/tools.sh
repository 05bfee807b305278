#!/usr/bin/env bash
# Runs tools that look for what tests cannot see: scripts/tools.sh [miri] [address] [thread] [coverage] [mutants]. All of
# them without arguments. They need nightly Rust or programs that Cargo installs under the target folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-target}
[[ $target == /* ]] || target=$PWD/$target
export CARGO_INCREMENTAL=0

nightly() {
    rustup toolchain list | grep -q ^nightly || rustup toolchain install nightly --profile minimal
    rustup +nightly component add "$@"
}

program() {
    [[ -x $target/tools/bin/$1 ]] || CARGO_PROFILE_DEV_DEBUG=0 cargo install "$1" --locked --debug --root "$target/tools"
    export PATH=$target/tools/bin:$PATH
}

# The scalar kernels: Miri knows few vector instructions, and this target has none. The last test steps a world.
tool_miri() {
    nightly miri rust-src
    MIRIFLAGS="-Zmiri-tree-borrows -Zmiri-ignore-leaks -Zmiri-disable-isolation" CARGO_TARGET_DIR=$target/miri \
        cargo +nightly miri test --target riscv64gc-unknown-linux-gnu -p throng --lib -- \
        base::ids base::values agents::columns agents::row_order agents::parallel state::snapshot::bytes maths::vector \
        interpose::tests::an_agent_brakes
}

# The scenes of tools/determinism/, with pools of one to sixteen threads. AddressSanitizer has no build of the standard
# library of its own; ThreadSanitizer needs one.
tool_address() {
    nightly rust-src
    RUSTFLAGS="-Zsanitizer=address" CARGO_TARGET_DIR=$target/address THRONG_TICKS=200 THRONG_WORLDS=30 \
        cargo +nightly test --profile platforms --target x86_64-unknown-linux-gnu -p throng-determinism
}

tool_thread() {
    nightly rust-src
    RUSTFLAGS="-Zsanitizer=thread" CARGO_TARGET_DIR=$target/thread THRONG_TICKS=100 \
        cargo +nightly test -Zbuild-std --profile platforms --target x86_64-unknown-linux-gnu -p throng-determinism threads
}

# The tests that read, write and save. Counters make the kernels slow, so tests that step many worlds and the unit tests
# are left out. So is the test of a full disk: it limits the size of files, those of the counters included.
tool_coverage() {
    rustup component add llvm-tools
    program cargo-llvm-cov
    export CARGO_TARGET_DIR=$target/coverage PROPTEST_CASES=32
    local options=(--no-report --all-features -p throng -p throng-scenario -p throng-formats -p throng-view -p throng-cli)
    cargo llvm-cov clean --profraw-only
    cargo llvm-cov "${options[@]}" --test scenarios --test people --test forged --test plans --test tables --test trajectories
    cargo llvm-cov "${options[@]}" --test program -- checkpoints:: trajectories:: --skip a_list_of_frames_on_a_full_disk
    cargo llvm-cov "${options[@]}" --test measures -- over_time files
    cargo llvm-cov "${options[@]}" --test core -- snapshots state_hash states registry columns names errors ways attacks \
        --skip a_restored_world --skip every_kind_of_edit
    cargo llvm-cov report --summary-only \
        --ignore-filename-regex '/(tests|index|kernels|maths|neighbour_lists|rules|tick)/'
}

# One in SHARE mutants of snapshots, ids and edits, and one in ten times as many of kernels and tick: each builds the
# library again.
tool_mutants() {
    program cargo-mutants
    local options=(-p throng --all-features --profile mutants -j 1 --timeout 300 --gitignore true)
    cargo mutants "${options[@]}" --output "$target/mutants" --shard "0/${SHARE:-1}" \
        -f 'src/state/snapshot/*.rs' -f src/base/ids.rs -f 'src/world/edits/*.rs' -- --lib --test core
    cargo mutants "${options[@]}" --output "$target/mutants-sample" --shard "0/$((10 * ${SHARE:-1}))" \
        -f 'src/kernels/*.rs' -f 'src/tick/**/*.rs' -- --lib --test core --test oracle
}

[[ $# -gt 0 ]] || set -- miri address thread coverage mutants
for name in "$@"; do
    declare -F "tool_$name" >/dev/null || { echo "scripts/tools.sh: no tool $name" >&2; exit 2; }
    echo "== $name"
    "tool_$name"
done
