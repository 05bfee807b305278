#!/usr/bin/env bash
# Builds the files of a release into dist/, with their checksums: for users without a compiler.
#
# An artefact is one line in `artefacts` (its name and what it is) and one function `release_NAME`, which gets a target and
# runs in a subshell at the root of the repository. scripts/check-release.sh installs the files and runs them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

artefacts=(
    "program  the program, without any other file: on Linux static, with musl"
    "wheel    the Python package, one wheel for all versions from 3.10: on Linux for manylinux 2.17"
    "c        the library for C and C++: shared, static, headers, pkg-config and CMake files"
    "npm      the package for Node and the browser, WebAssembly: the same on all targets"
    "crates   the Rust packages, in the order of publication: the same on all targets"
)
targets=(x86_64 aarch64)

usage() {
    cat <<TEXT
scripts/release.sh [ARTEFACT [TARGET]]

Builds one file of a release, or all of them, into dist/ and writes dist/SHA256SUMS:

$(printf '  %s\n' "${artefacts[@]}")

Targets: x86_64 and aarch64 are Linux, cross-built by Zig's compiler on any Linux; host is the machine at hand,
for macOS and Windows. Without a target: ${targets[*]}.

The network is needed once, for crates, targets of rustup and, from PyPI, the tools ziglang, cargo-zigbuild and maturin,
which go to the target folder. Nothing is published. Respects CARGO_TARGET_DIR.
TEXT
}

# ---- the artefacts ----------------------------------------------------------------------------------------------

release_program() {
    local triple folder
    triple=$(triple "$1" musl)
    cargo_build "$triple" --package throng-cli
    folder=$(stage "throng-$version-$triple")
    cp "$CARGO_TARGET_DIR/$triple/release/throng$(suffix "$triple" .exe)" LICENSE-* CHANGELOG.md "$folder/"
    absolute README.md >"$folder/README.md"
    pack "$folder"
}

release_wheel() {
    local triple options=()
    triple=$(triple "$1" gnu)
    tools
    [[ $1 == host ]] || options=(--zig --compatibility manylinux2014)
    trap restore_readmes EXIT
    absolute_readmes bindings/python/README.md
    # It shares the compiled engine with the library for C.
    export CARGO_TARGET_DIR=$target/bindings
    (cd bindings/python && maturin build --quiet --release --locked --target "$triple" --out "$dist" \
        ${options[@]+"${options[@]}"})
}

release_c() {
    local triple folder built
    triple=$(triple "$1" gnu)
    export CARGO_TARGET_DIR=$target/bindings
    built=$CARGO_TARGET_DIR/$triple/release
    cargo_build "$triple" --manifest-path bindings/c/Cargo.toml
    folder=$(stage "throng-c-$version-$triple")
    mkdir -p "$folder/lib/pkgconfig" "$folder/lib/cmake/throng"
    cp -R bindings/c/include bindings/c/examples LICENSE-* "$folder/"
    absolute bindings/c/README.md >"$folder/README.md"
    case $triple in
        *windows*) cp "$built"/throng.{dll,dll.lib,lib} "$folder/lib/" ;;
        *apple*)
            cp "$built"/libthrong.{dylib,a} "$folder/lib/"
            install_name_tool -id @rpath/libthrong.dylib "$folder/lib/libthrong.dylib"
            ;;
        *) cp "$built"/libthrong.{so,a} "$folder/lib/" ;;
    esac
    sed "s/@version@/$version/" bindings/c/package/throng.pc >"$folder/lib/pkgconfig/throng.pc"
    cp bindings/c/package/throng-config.cmake "$folder/lib/cmake/throng/"
    sed "s/@version@/$version/" bindings/c/package/throng-config-version.cmake \
        >"$folder/lib/cmake/throng/throng-config-version.cmake"
    pack "$folder"
}

release_npm() {
    local folder
    folder=$(stage npm)
    CARGO_TARGET_DIR=$target/bindings bindings/web/build.sh "$folder" >/dev/null
    cp LICENSE-* "$folder/"
    absolute bindings/web/README.md >"$folder/README.md"
    sed "s/@version@/$version/" bindings/web/package.json >"$folder/package.json"
    (cd "$folder" && npm pack --silent --pack-destination "$dist" >/dev/null)
    rm -r "$folder"
}

# The order is the order of their dependencies. check-release.sh compiles them.
release_crates() {
    local name names=(throng throng-formats throng-scenario throng-draw throng-view throng-bench throng-cli)
    local options=(package --locked --quiet --no-verify --allow-dirty)
    rm -rf "$CARGO_TARGET_DIR/package" "$dist/crates"
    mkdir -p "$dist/crates"
    # Scenarios are part of the program. Its package holds a copy.
    cp -R scenarios crates/view/scenarios
    trap 'rm -r crates/view/scenarios; restore_readmes' EXIT
    absolute_readmes README.md crates/{formats,scenario,draw,view}/README.md bindings/bevy/README.md
    cargo "${options[@]}" "${names[@]/#/--package=}"
    # Of a workspace of its own, whose lock file names the engine.
    cargo "${options[@]}" --manifest-path bindings/bevy/Cargo.toml --config "patch.crates-io.throng.path = '$PWD'" \
        --config "patch.crates-io.throng-scenario.path = '$PWD/crates/scenario'"
    for name in "${names[@]}" bevy_throng; do cp "$CARGO_TARGET_DIR/package/$name-$version.crate" "$dist/crates/"; done
}

# ---- helpers ----------------------------------------------------------------------------------------------------

# triple TARGET LIBC: the name that Rust has for a target.
triple() {
    case $1 in
        host) rustc --version --verbose | sed -n 's/^host: //p' ;;
        *) echo "$1-unknown-linux-$2" ;;
    esac
}

# absolute FILE: prints a read-me with absolute links, since registries and archives have no other files.
absolute() { "${PYTHON:-python3}" scripts/registry-readme.py "$1" "$version"; }

# absolute_readmes FILE...: makes links absolute in the files that packages name. restore_readmes puts the files back.
absolute_readmes() {
    local file
    rm -rf "$target/release-readmes"
    for file in "$@"; do
        mkdir -p "$target/release-readmes/$(dirname "$file")"
        cp "$file" "$target/release-readmes/$file"
        absolute "$file" >"$target/release-readmes/$file.absolute"
        cat "$target/release-readmes/$file.absolute" >"$file"
        rm "$target/release-readmes/$file.absolute"
    done
}

restore_readmes() {
    [[ ! -d $target/release-readmes ]] || cp -R "$target/release-readmes/." .
    rm -rf "$target/release-readmes"
}

# suffix TRIPLE TEXT: the text, if the target is Windows.
suffix() { if [[ $1 == *windows* ]]; then printf %s "$2"; fi; }

# cargo_build TRIPLE OPTION...: a release build, by Zig's compiler for Linux: against glibc 2.17 or musl.
cargo_build() {
    local triple=$1
    shift
    rustup target list --installed 2>/dev/null | grep -qx "$triple" || rustup target add "$triple"
    case $triple in
        *-linux-gnu) tools && cargo zigbuild --locked --quiet --release --target "$triple.2.17" "$@" ;;
        *-linux-*) tools && cargo zigbuild --locked --quiet --release --target "$triple" "$@" ;;
        *) cargo build --locked --quiet --release --target "$triple" "$@" ;;
    esac
}

# Puts the tools of PyPI into the path.
tools() {
    local venv=$target/release-tools bin=bin
    [[ ${OS:-} != Windows_NT ]] || bin=Scripts
    if [[ ! -e $venv/complete ]]; then
        "${PYTHON:-python3}" -m venv "$venv"
        "$venv/$bin/python" -m pip install --quiet "ziglang==$ziglang_version" "cargo-zigbuild==$cargo_zigbuild_version" \
            "maturin==$maturin_version"
        touch "$venv/complete"
    fi
    export PATH=$venv/$bin:$PATH
}

# stage NAME: an empty folder of this name, which becomes the top folder of an archive.
stage() {
    rm -rf "$target/release-files/$1"
    mkdir -p "$target/release-files/$1"
    echo "$target/release-files/$1"
}

# pack FOLDER: puts an archive of the folder into dist/.
pack() {
    tar -C "$(dirname "$1")" -czf "$dist/$(basename "$1").tar.gz" "$(basename "$1")"
    rm -r "$1"
}

# Writes the checksums of all files in dist/ and lists them.
checksums() {
    local sum=(sha256sum)
    command -v sha256sum >/dev/null || sum=(shasum -a 256)
    cd "$dist"
    find . -type f ! -name SHA256SUMS | sed 's|^\./||' | LC_ALL=C sort | xargs "${sum[@]}" >SHA256SUMS
    xargs ls -l <<<"$(awk '{ print $2 }' SHA256SUMS)" | awk '{ printf "  %11d bytes  dist/%s\n", $5, $NF }'
}

# ---- the run ----------------------------------------------------------------------------------------------------

ziglang_version=0.17.1 cargo_zigbuild_version=0.24.1 maturin_version=1.16.0
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
dist=$PWD/dist
target=${CARGO_TARGET_DIR:-target}
[[ $target == /* ]] || target=$PWD/$target
export CARGO_TARGET_DIR=$target CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0

case ${1:-} in -h | --help) usage; exit 0 ;; esac
names=()
for line in "${artefacts[@]}"; do names+=("${line%% *}"); done
if [[ -n ${1:-} ]]; then
    declare -F "release_$1" >/dev/null || { echo "scripts/release.sh: no artefact $1 (see --help)" >&2; exit 2; }
    names=("$1")
fi
if [[ -n ${2:-} ]]; then
    case $2 in x86_64 | aarch64 | host) targets=("$2") ;; *) echo "scripts/release.sh: no target $2 (see --help)" >&2; exit 2 ;; esac
fi
mkdir -p "$dist"
if grep -q '^repository = "https://example\.org' Cargo.toml; then
    echo "  the manifests have a placeholder for the address of the project: scripts/set-address.sh replaces it" >&2
fi
for name in "${names[@]}"; do
    case $name in npm | crates) of=("") ;; *) of=("${targets[@]}") ;; esac
    for one in "${of[@]}"; do
        began=$SECONDS
        (set -euo pipefail; "release_$name" "$one")
        echo "  $name${one:+ $one}: $((SECONDS - began)) s"
    done
done
checksums
