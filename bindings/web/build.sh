#!/usr/bin/env bash
# Builds the module and the page: build.sh [FOLDER], by default the folder `web` of the target folder. FOLDER gets
# throng.wasm and throng.js, for pages of one's own, and index.html, a page that contains everything and needs no server.
set -euo pipefail
[[ -z ${1:-} || $1 == /* ]] || set -- "$PWD/$1"
cd "$(dirname "${BASH_SOURCE[0]}")"
target=${CARGO_TARGET_DIR:-$PWD/target}
folder=${1:-$target/web}
triple=wasm32-unknown-unknown
pages=../../cli/src/view/page

rustup target list --installed 2>/dev/null | grep -qx "$triple" || rustup target add "$triple"
RUSTFLAGS="-C target-feature=+simd128" CARGO_TARGET_DIR=$target cargo build --locked --quiet --release --target "$triple"
mkdir -p "$folder"
cp "$target/$triple/release/throng_web.wasm" "$folder/throng.wasm"
cp js/throng.js "$folder/"

# The page: its own script after those that it shares with the page of `throng view`. Scenarios that name other files
# are left out, for the page has no files.
node - "$folder" "$pages" ../../scenarios <<'NODE'
const fs = require("node:fs"), path = require("node:path");
const [, , folder, pages, scenarios] = process.argv;
const read = (...parts) => fs.readFileSync(path.join(...parts), "utf8");
const texts = {};
for (const name of fs.readdirSync(scenarios).filter((name) => name.endsWith(".toml")).sort()) {
  const text = read(scenarios, name);
  if (!/^floor_plan\s*=/m.test(text)) texts[path.basename(name, ".toml")] = text;
}
const shared = ["elements.js", "frame.js", "camera.js", "colours.js", "backgrounds.js", "shaders.js", "draw.js", "trails.js",
  "floors.js", "plan.js", "overlay.js"].map((name) => read(pages, name)).join("\n");
const wasm = fs.readFileSync(path.join(folder, "throng.wasm")).toString("base64");
const script = [
  read("js", "throng.js").replace(/^export /gm, ""),
  `const SCENARIOS = ${JSON.stringify(texts).replaceAll("</", "<\\/")};`,
  `const throng = await load(Uint8Array.from(atob("${wasm}"), (letter) => letter.charCodeAt(0)));`,
  "const LOOKS = throng.looks;",
  shared,
  read("page", "main.js"),
].join("\n");
const page = read("page", "page.html")
  .replace("/*STYLE*/", () => read("page", "page.css"))
  .replace("/*SCRIPT*/", () => script);
fs.writeFileSync(path.join(folder, "index.html"), page);
NODE
ls -l "$folder"
