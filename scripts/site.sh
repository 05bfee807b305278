#!/usr/bin/env bash
# Builds the page of `throng view` with the engine in it, and the book with live worlds, as a folder of static files, for
# any server and any subfolder: site.sh [FOLDER], by default the folder `site` of the target folder. Prints the size of
# each file of the page, and compressed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-target}
[[ $target == /* ]] || target=$PWD/$target
folder=${1:-$target/site}
triple=wasm32-unknown-unknown

rustup target list --installed 2>/dev/null | grep -qx "$triple" || rustup target add "$triple"
RUSTFLAGS="-C target-feature=+simd128" CARGO_TARGET_DIR=$target/tab cargo build --locked --quiet --release \
    --manifest-path bindings/tab/Cargo.toml --target "$triple"
mkdir -p "$folder"
cp "$target/tab/$triple/release/throng_tab.wasm" "$folder/engine.wasm"
cp bindings/tab/engine.js "$folder/"
cargo run --locked --quiet -p throng-view --example site -- "$folder"

scripts/book.sh --live
rm -rf "$folder/book"
cp -r "$target/book" "$folder/book"

total=0
for file in "$folder"/*; do
    [[ -f $file ]] || continue
    compressed=$(gzip -9 -c "$file" | wc -c)
    total=$((total + compressed))
    printf '  %-14s %9d bytes, %8d compressed\n' "${file##*/}" "$(wc -c <"$file")" "$compressed"
done
printf '  %-14s %28d compressed\n' "all" "$total"
printf '  %-14s %9d pages\n' "book/" "$(find "$folder/book" -name '*.html' | wc -l)"
