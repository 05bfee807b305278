#!/usr/bin/env bash
# Measures the models of the literature against their papers. Without arguments it runs everything and writes
# docs/validation.md with its figures; --short runs what takes a minute or two and writes nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" = "--help" ]; then
    sed -n '2,3s/^# //p' "$0"
elif [ $# -eq 0 ]; then
    cargo run --quiet --release -p throng-validation -- --out docs
else
    cargo run --quiet --release -p throng-validation -- "$@"
fi
