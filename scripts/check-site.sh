#!/usr/bin/env bash
# Tests the page in a tab in a real browser: builds the site (scripts/site.sh) and the program, and drives the page in
# Chromium (scripts/check-site.py), and in Firefox if it is installed. Hashes are compared with the program, which
# THRONG names if it is built already; SITE names a folder that is built already. Screenshots stay under the target
# folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-target}
[[ $target == /* ]] || target=$PWD/$target

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[[ -n $browser ]] || { echo "the page is checked with Chromium: install it"; exit 1; }

program=${THRONG:-$target/debug/throng}
[[ -n ${THRONG:-} ]] || cargo build --locked --profile test -p throng-cli --bin throng
site=${SITE:-$target/site}
[[ -n ${SITE:-} ]] || scripts/site.sh "$site"
firefox=$(command -v firefox-esr || command -v firefox || true)
python3 scripts/check-site.py "$browser" "$program" "$site" "$target/page" ${firefox:+"$firefox"}
