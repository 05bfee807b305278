#!/usr/bin/env bash
# Builds the module and the page, runs the module in Node and the page in Chromium, and compares hashes with those of the
# program, whose path is THRONG. Screenshots stay in the folder `web` of the target folder.
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
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [[ -n $browser ]]; then
    python3 tests/page.py "$browser" "$out/index.html" "$program" "$out/pictures"
else
    echo "  without Chromium the page is not tested"
fi
