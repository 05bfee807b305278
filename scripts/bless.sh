#!/usr/bin/env bash
# Writes everything again that follows from code or from bits, and shows what changed.
#
#   scripts/bless.sh            all of it
#   scripts/bless.sh NAME...    only these
#   scripts/bless.sh --help     the names
#
# Read CONTRIBUTING.md, "Golden hashes", before you commit a hash that changed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

parts=(
    "documents    the tables in docs/ that the code generates, some by running scenarios"
    "schema       scenarios/throng.schema.json"
    "readme       the hash in README.md, in Rust and in Python"
    "golden       tests/golden.txt: a hash of every scenario"
    "scenes       tools/determinism/golden.txt: hashes of the scenes over 10 000 ticks (minutes)"
    "shipped      crates/view/src/shipped: hashes of every scenario at tick 1 000, which the page compares with its own"
    "thumbnails   crates/view/src/thumbnails.json: pictures of the scenarios whose text has changed (needs Chromium)"
)

bless_documents() { THRONG_BLESS=1 cargo test --locked --quiet --workspace --all-features --test documents; }

bless_schema() { THRONG_BLESS=1 cargo test --locked --quiet --workspace --all-features --test schema; }

bless_readme() {
    local output hash
    output=$(cargo test --locked --quiet --workspace --all-features --doc -- readme 2>&1) && return
    hash=$(sed -n 's/^ *left: "\([0-9a-f]\{16\}\)"$/\1/p' <<<"$output" | head -n 1)
    [[ -n $hash ]] || { printf '%s\n' "$output"; return 1; }
    sed -i.old -E "s/(state_hash\(\).*)\"[0-9a-f]{16}\"/\1\"$hash\"/" README.md && rm README.md.old
}

bless_golden() { THRONG_BLESS=1 cargo test --locked --quiet --workspace --all-features --test golden every_scenario; }

bless_scenes() {
    THRONG_BLESS=1 THRONG_TICKS=10000 cargo test --locked --quiet --release -p throng-determinism tests::base
}

bless_shipped() {
    THRONG_BLESS=1 THRONG_TICKS=1000 cargo test --locked --quiet --release -p throng-determinism shipped::all_scenarios
}

bless_thumbnails() {
    local browser
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
        { echo "  skipped: Chromium is not installed"; return; }
    cargo build --locked --quiet --release -p throng-cli
    python3 scripts/view-thumbnails.py "$browser" "${CARGO_TARGET_DIR:-target}/release/throng"
}

selected=("$@")
for name in "${selected[@]}"; do
    case $name in -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; printf '  %s\n' "${parts[@]}"; exit ;; esac
    printf '%s\n' "${parts[@]}" | awk '{ print $1 }' | grep -qxF -e "$name" ||
        { echo "scripts/bless.sh: no part $name (see --help)" >&2; exit 2; }
done
[[ ${#selected[@]} -gt 0 ]] || for part in "${parts[@]}"; do selected+=("${part%% *}"); done
for name in "${selected[@]}"; do
    echo "$name"
    "bless_$name" >/dev/null
done
git --no-pager diff --stat -- docs README.md scenarios/throng.schema.json tests/golden.txt tools/determinism/golden.txt \
    crates/view/src/shipped crates/view/src/thumbnails.json
