#!/usr/bin/env bash
# Runs the tests of RiMEA 4.1.1, ISO 20414 and NIST TN 1822 for every model of walkers, and tests against experiments.
# Without arguments it runs everything and writes docs/standards.md, docs/standards/ and their figures; --short runs some
# tests with fewer seeds and writes nothing. --out docs --model NAME TEST ... replaces some measurements, --page --out docs
# none.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" = "--help" ]; then
    sed -n '2,5s/^# //p' "$0"
elif [ $# -eq 0 ]; then
    cargo run --quiet --release -p throng-validation -- standards --out docs
else
    cargo run --quiet --release -p throng-validation -- standards "$@"
fi
