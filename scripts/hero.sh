#!/usr/bin/env bash
# Draws the film of the README, docs/pictures/hero.gif, and its still for readers who want no motion,
# docs/pictures/hero-still.png. Needs no other programs. Takes some minutes: 50 000 people leave a stadium.
#
#   scripts/hero.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The largest size of the film, in KiB.
most=3000

case ${1:-} in
    -*) sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac

cargo run --locked --release -p throng-draw --features scenario --example hero docs/pictures
size=$((($(wc -c <docs/pictures/hero.gif) + 1023) / 1024))
echo "docs/pictures/hero.gif: $size KiB"
((size <= most)) || { echo "the limit is $most KiB" >&2; exit 1; }
