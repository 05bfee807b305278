#!/usr/bin/env bash
# Tests the page of `throng view` in a real browser, Chromium: builds the program and drives the page
# (scripts/check-page.py). npm fetches axe-core for the check of accessibility. Screenshots stay under
# the target folder. `scripts/check-page.sh million` prints what a frame of a million agents costs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-target}
[[ $target == /* ]] || target=$PWD/$target

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[[ -n $browser ]] || { echo "the page is checked with Chromium: install it"; exit 1; }

# The tests of the program build it with this profile too.
program=${THRONG:-$target/debug/throng}
[[ -n ${THRONG:-} ]] || cargo build --locked --profile test -p throng-cli --bin throng
python3 scripts/check-page.py "$browser" "$program" "$target/page" "$@"
