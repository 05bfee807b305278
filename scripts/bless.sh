#!/usr/bin/env bash
# Writes everything again that follows from code or from bits. Prints for each part which files differ from the last
# commit, and which hashes.
#
#   scripts/bless.sh            all of it
#   scripts/bless.sh NAME...    only these
#   scripts/bless.sh --help     the names
#
# Read CONTRIBUTING.md, "Golden hashes", before you commit a hash that changed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

parts=(
    "documents    the tables in docs/ that the code generates, some by running scenarios, Python's keys and reference"
    "schema       scenarios/throng.schema.json"
    "readme       the hash in README.md, in Rust and in Python"
    "golden       scenarios/golden.txt: hashes of every scenario, after a few ticks and at tick 1 000 (minutes)"
    "scenes       tools/determinism/golden.txt: hashes of the scenes over 10 000 ticks (minutes)"
    "thumbnails   crates/view/src/thumbnails.json: pictures of the scenarios whose text has changed (needs Chromium)"
)

bless_documents() {
    THRONG_BLESS=1 cargo test --locked --quiet --workspace --all-features --test documents
    python3 scripts/python-reference.py
}

bless_schema() { THRONG_BLESS=1 cargo test --locked --quiet --workspace --all-features --test schema; }

bless_readme() {
    local output hash
    output=$(cargo test --locked --quiet --workspace --all-features --doc -- readme 2>&1) && return
    hash=$(sed -n 's/^ *left: "\([0-9a-f]\{16\}\)"$/\1/p' <<<"$output" | head -n 1)
    [[ -n $hash ]] || { printf '%s\n' "$output"; return 1; }
    sed -i.old -E "s/(state_hash\(\).*)\"[0-9a-f]{16}\"/\1\"$hash\"/" README.md && rm README.md.old
}

bless_golden() {
    THRONG_BLESS=1 THRONG_TICKS=1000 cargo test --locked --quiet --release -p throng-determinism -- --test-threads=1 --exact \
        scenarios::every_scenario_has_its_golden_hash scenarios::tick_1000_of_all
}

bless_scenes() {
    THRONG_BLESS=1 THRONG_TICKS=10000 cargo test --locked --quiet --release -p throng-determinism tests::base
}

bless_thumbnails() {
    local browser
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
        { echo "  skipped: Chromium is not installed"; return; }
    cargo build --locked --quiet --release -p throng-cli
    python3 scripts/view-thumbnails.py "$browser" "${CARGO_TARGET_DIR:-target}/release/throng"
}

# The files of a part.
files_of() {
    case $1 in
        documents) echo docs bindings/python/python/throng/_keys.py ;;
        schema) echo scenarios/throng.schema.json ;;
        readme) echo README.md ;;
        golden) echo scenarios/golden.txt ;;
        scenes) echo tools/determinism/golden.txt ;;
        thumbnails) echo crates/view/src/thumbnails.json ;;
    esac
}

# report FILE: prints how a file differs from the last commit. A file of hashes has a name, a tick and a hash per line.
report() {
    local file=$1 counts added removed
    if [[ $file == *golden.txt ]]; then
        git show "HEAD:$file" | awk -v file="$file" '
            { key = $1 " " $2 }
            NR == FNR { known[key] = $3; next }
            { total++ }
            known[key] != $3 { changed++; if (!named[$1]++) names = names ", " $1 }
            { delete known[key] }
            END {
                for (key in known) { gone++ }
                if (changed) printf "  %s: %d of %d hashes: %s\n", file, changed, total, substr(names, 3)
                if (gone) printf "  %s: %d hashes are gone\n", file, gone
            }' - "$file"
    else
        counts=$(git diff --numstat HEAD -- "$file")
        read -r added removed _ <<<"$counts"
        echo "  $file: $added lines added, $removed removed"
    fi
}

selected=("$@")
for name in "${selected[@]}"; do
    case $name in -h | --help) sed -n '2,9s/^# \{0,1\}//p' "$0"; printf '  %s\n' "${parts[@]}"; exit ;; esac
    printf '%s\n' "${parts[@]}" | awk '{ print $1 }' | grep -qxF -e "$name" ||
        { echo "scripts/bless.sh: no part $name (see --help)" >&2; exit 2; }
done
[[ ${#selected[@]} -gt 0 ]] || for part in "${parts[@]}"; do selected+=("${part%% *}"); done
for name in "${selected[@]}"; do
    echo "$name"
    "bless_$name" >/dev/null
    # shellcheck disable=SC2046 # several files
    changed=$(git diff --name-only HEAD -- $(files_of "$name"))
    [[ -n $changed ]] || echo "  nothing changed"
    for file in $changed; do report "$file"; done
done
