#!/usr/bin/env bash
# Fuzzes what reads input, 60 seconds each or as long as given: scripts/fuzz.sh [SECONDS] [TARGET...]. Needs nightly Rust;
# installs cargo-fuzz under the target folder. What is found lies under tools/fuzz/artifacts: a failing input becomes a test and
# a file of tools/fuzz/seeds. No sanitizer: throng has no unsafe code, and scripts/tools.sh runs its tests with them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seconds=60
if [[ ${1:-} =~ ^[0-9]+$ ]]; then seconds=$1; shift; fi
targets=("$@")
[[ $# -gt 0 ]] || targets=(scenario overrides snapshot recording trajectory floor_plan operations page expression population tracks fit link)

target=${CARGO_TARGET_DIR:-target}
[[ $target == /* ]] || target=$PWD/$target
rustup toolchain list | grep -q ^nightly || rustup toolchain install nightly --profile minimal
fuzz=$target/tools/bin/cargo-fuzz
[[ -x $fuzz ]] || CARGO_PROFILE_DEV_DEBUG=0 cargo install cargo-fuzz --locked --debug --root "$target/tools"

# Valid input to start from: tools/fuzz/seeds, and files of the repository. What the fuzzer adds stays out of the repository.
seed() {
    local corpus=$target/fuzz/corpus/$1
    mkdir -p "$corpus"
    [[ ! -d tools/fuzz/seeds/$1 ]] || cp "tools/fuzz/seeds/$1"/* "$corpus"
    case $1 in
        scenario) cp tools/determinism/scenes/*.toml "$corpus" ;;
        snapshot | recording) THRONG_CORPUS=$corpus cargo test -p throng-determinism --profile platforms seeds >/dev/null 2>&1 ;;
        floor_plan) find scenarios formats \( -name '*.wkt' -o -name '*.svg' -o -name '*.geojson' -o -name '*.dxf' \) -size -64k -exec cp {} "$corpus" \; ;;
    esac
    echo "$corpus"
}

failed=()
for name in "${targets[@]}"; do
    log=$target/fuzz/$name.log
    mkdir -p "$(dirname "$log")"
    if PATH="$(dirname "$fuzz"):$PATH" cargo +nightly fuzz run --fuzz-dir tools/fuzz --target-dir "$target/fuzz" --sanitizer none "$name" "$(seed "$name")" -- \
        -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 >"$log" 2>&1; then
        result=clean
    else
        result=FAILED
        failed+=("$name")
        tail -n 40 "$log"
    fi
    echo "  $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1) executions in $seconds s, $result"
done
[[ ${#failed[@]} == 0 ]]
