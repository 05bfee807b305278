#!/usr/bin/env bash
# Builds the module: build.sh [FOLDER], by default the folder `web` of the target folder. FOLDER gets throng.wasm and
# throng.js, for pages of one's own.
set -euo pipefail
[[ -z ${1:-} || $1 == /* ]] || set -- "$PWD/$1"
cd "$(dirname "${BASH_SOURCE[0]}")"
target=${CARGO_TARGET_DIR:-$PWD/target}
folder=${1:-$target/web}
triple=wasm32-unknown-unknown

rustup target list --installed 2>/dev/null | grep -qx "$triple" || rustup target add "$triple"
RUSTFLAGS="-C target-feature=+simd128" CARGO_TARGET_DIR=$target cargo build --locked --quiet --release --target "$triple"
mkdir -p "$folder"
cp "$target/$triple/release/throng_web.wasm" "$folder/throng.wasm"
cp js/throng.js js/throng.d.ts "$folder/"
ls -l "$folder"
