#!/usr/bin/env bash
# Builds the module, runs it in Node, and compares hashes with the program, whose path is THRONG.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
root=$PWD/../..
out=$CARGO_TARGET_DIR/web
program=${THRONG:?names the program; scripts/bindings.sh web builds it}

cargo fmt --check
./build.sh "$out" >/dev/null
scenario=$root/scenarios/flock.toml
hash=$("$program" run "$scenario" --ticks 100 --quiet --json --out "$out/run" --force | sed -n 's/^ *"hash": "\(.*\)",*$/\1/p')
node tests/node.mjs "$out/throng.wasm" "$scenario" 100 "$hash"
