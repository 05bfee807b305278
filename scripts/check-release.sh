#!/usr/bin/env bash
# Installs the files in dist/ as users do, each in an empty folder without the repository, and runs boids with it:
# check-release.sh [ARTEFACT...], all of them without arguments. Each prints a line with its state hash, which must be the
# golden one. Files for another processor are run by qemu-user.
#
# Needs the network for NumPy, for the crates that the Rust packages depend on, and on Debian for packages of the system.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# ---- the artefacts ----------------------------------------------------------------------------------------------

check_program() {
    local archive run folder
    for archive in "$dist"/throng-"$version"-*.tar.gz; do
        empty "$(basename "$archive" .tar.gz)"
        tar -xzf "$archive" --strip-components 1
        if [[ $archive == *-linux-* ]]; then
            need readelf binutils
            if readelf --program-headers throng | grep -q INTERP; then fails "the program is not static"; fi
        fi
        run=$(runner "$archive")
        alone $run ./throng run flock.toml --ticks "$ticks" --quiet --json --out results >summary.json
        compare "$(sed -n 's/^ *"hash": "\(.*\)",*$/\1/p' summary.json)"
        # Its own scenarios are in it, and the run has left its picture.
        [[ $(alone $run ./throng list) == *murmuration* ]] || fails "no scenarios"
        [[ -s results/picture.png && -s results/summary.json ]] || fails "no picture"
        says "program: run and list, $(du -h throng | cut -f1)"
    done
}

check_wheel() {
    local wheel began
    for wheel in "$dist"/*.whl; do
        empty "$(basename "$wheel" .whl)"
        cat >boids.py <<PYTHON
import time
began = time.perf_counter()
import throng
world = throng.World.from_file("flock.toml")
world.step($ticks)
assert world.positions("starling").shape == (800, 2)
print(world.state_hash(), f"{time.perf_counter() - began:.2f} s")
PYTHON
        local python=(venv/bin/python)
        if [[ $wheel == *_$(uname -m).whl || $wheel != *linux* ]]; then
            "${PYTHON:-python3}" -m venv venv
            [[ -e venv/bin ]] || python=(venv/Scripts/python)
            alone "${python[@]}" -m pip install --quiet --disable-pip-version-check "$wheel"
        else
            foreign_system
            python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --python-version 3.11 \
                --platform manylinux2014_aarch64 --platform manylinux_2_28_aarch64 --dest numpy numpy
            for wheel in "$wheel" numpy/*.whl; do python3 -m zipfile -e "$wheel" packages; done
            python=(env PYTHONPATH=packages qemu-aarch64 -L "$foreign" "$foreign/usr/bin/python3.11")
        fi
        alone "${python[@]}" boids.py >found
        compare "$(cut -d ' ' -f 1 found)"
        says "wheel: import throng and $ticks ticks in $(cut -d ' ' -f 2- found)"
    done
}

check_c() {
    local archive run cc cxx
    need cmake cmake
    need pkg-config pkg-config
    for archive in "$dist"/throng-c-"$version"-*.tar.gz; do
        empty "$(basename "$archive" .tar.gz)"
        mkdir throng
        tar -xzf "$archive" --strip-components 1 -C throng
        run=$(runner "$archive") cc=cc cxx=c++
        if [[ -n $run ]]; then
            need aarch64-linux-gnu-g++ g++-aarch64-linux-gnu
            run="$run -L /usr/aarch64-linux-gnu" cc=aarch64-linux-gnu-gcc cxx=aarch64-linux-gnu-g++
        fi
        cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES C CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(throng 0.3 REQUIRED)
add_executable(scenario throng/examples/scenario.cpp)
target_link_libraries(scenario throng::throng)
add_executable(flock-static throng/examples/flock.c)
target_link_libraries(flock-static throng::static m)
CMAKE
        CC=$cc CXX=$cxx alone cmake -S . -B build -DCMAKE_PREFIX_PATH="$PWD/throng" >cmake.log
        alone cmake --build build >>cmake.log
        compare "$(alone $run build/scenario flock.toml "$ticks" | sed -n 's/^state hash //p')"
        export PKG_CONFIG_PATH=$PWD/throng/lib/pkgconfig
        $cc throng/examples/flock.c $(pkg-config --cflags --libs throng) -lm -Wl,-rpath,"$PWD/throng/lib" -o flock
        [[ $(alone $run ./flock | grep "state hash") == $(alone $run build/flock-static | grep "state hash") ]] ||
            fails "the shared and the static library differ"
        says "c: examples by CMake and by pkg-config, shared and static"
    done
}

check_npm() {
    need node nodejs
    empty npm
    alone npm install --silent --no-audit --no-fund "$dist/throng-crowd-$version.tgz" >/dev/null
    cat >boids.mjs <<JAVASCRIPT
import { readFile } from "node:fs/promises";
import { load } from "throng-crowd";
const throng = await load(readFile(new URL(import.meta.resolve("throng-crowd/throng.wasm"))));
const world = throng.fromText(await readFile("flock.toml", "utf8"));
world.step($ticks);
console.log(world.stateHash());
JAVASCRIPT
    compare "$(alone node boids.mjs)"
    says "npm: in Node $(node --version)"
}

# Compiles the program from the packages, each of which but the plugin for Bevy it uses, and the plugin.
check_crates() {
    local crate patches=()
    empty crates
    for crate in "$dist"/crates/*.crate; do
        tar -xzf "$crate"
        crate=$(basename "$crate" ".crate")
        patches+=(--config "patch.crates-io.${crate%-"$version"}.path = '$PWD/$crate'")
    done
    export CARGO_TARGET_DIR=$PWD/target CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0
    cargo run --quiet --manifest-path "throng-cli-$version/Cargo.toml" "${patches[@]}" -- \
        run flock.toml --ticks "$ticks" --quiet --json --out results >summary.json
    compare "$(sed -n 's/^ *"hash": "\(.*\)",*$/\1/p' summary.json)"
    cargo check --quiet --manifest-path "bevy_throng-$version/Cargo.toml" "${patches[@]}"
    says "crates: $(ls "$dist"/crates | wc -l) packages build the program"
}

# ---- helpers ----------------------------------------------------------------------------------------------------

# empty NAME: enters an empty folder with nothing but the scenario.
empty() {
    here=$1
    mkdir -p "$work/$1"
    cd "$work/$1"
    cp "$scenario" flock.toml
}

# alone COMMAND...: runs a command without the settings of the person at hand.
alone() { env -u CARGO_TARGET_DIR -u PYTHONPATH HOME="$work" "$@"; }

# compare HASH: with the golden one.
compare() { [[ $1 == "$golden" ]] || fails "state hash ${1:-none}, not $golden"; }

fails() {
    echo "  $here: $*" >&2
    exit 1
}

says() { echo "  $here: $golden; $*"; }

# runner FILE: what runs the programs in it, nothing if this machine does.
runner() {
    if [[ $1 == *aarch64* && $(uname -m) == x86_64 ]]; then
        need qemu-aarch64 qemu-user >&2
        echo qemu-aarch64
    fi
}

# Sets `foreign` to a folder with Python for 64-bit Arm, from packages of Debian that are unpacked, not installed.
foreign_system() {
    foreign=$target/release-check/arm64
    if [[ ! -e $foreign/complete ]]; then
        need qemu-aarch64 qemu-user
        mkdir -p "$foreign"/apt/lists/partial "$foreign"/apt/archives/partial
        (
            cd "$foreign/apt"
            local apt=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::Lists="$PWD/lists"
                -o Dir::State::status=/dev/null -o Dir::Cache="$PWD" -o Dir::Cache::archives="$PWD/archives")
            "${apt[@]}" update
            "${apt[@]}" download libc6 libgcc-s1 libstdc++6 python3.11-minimal libpython3.11-minimal libpython3.11-stdlib \
                zlib1g libexpat1 libffi8 libssl3 libbz2-1.0 liblzma5
            for package in *.deb; do dpkg-deb -x "$package" ..; done
        )
        touch "$foreign/complete"
    fi
}

# need PROGRAM PACKAGE: installs a package of Debian, if there is no such program.
need() {
    local as_root=()
    command -v "$1" >/dev/null && return
    [[ $(id -u) == 0 ]] || as_root=(sudo -n)
    ${as_root[@]+"${as_root[@]}"} apt-get install -y -qq --no-install-recommends "$2" >/dev/null ||
        { echo "  scripts/check-release.sh needs $1, and cannot install it" >&2; return 1; }
}

# ---- the run ----------------------------------------------------------------------------------------------------

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
dist=$PWD/dist
scenario=$PWD/scenarios/flock.toml
target=${CARGO_TARGET_DIR:-target}
[[ $target == /* ]] || target=$PWD/$target
read -r ticks golden < <(sed -n 's/^flock \([0-9]*\) \([0-9a-f]*\)$/\1 \2/p' scenarios/golden.txt)

[[ $# -gt 0 ]] || set -- program wheel c npm crates
for name in "$@"; do
    declare -F "check_$name" >/dev/null || { echo "scripts/check-release.sh: no artefact $name" >&2; exit 2; }
done
(cd "$dist" && { sha256sum --check --quiet SHA256SUMS || shasum -a 256 --check --quiet SHA256SUMS; })
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in "$@"; do
    (set -euo pipefail; "check_$name")
done
