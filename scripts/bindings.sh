#!/usr/bin/env bash
# Builds and tests the bindings to other languages.
#
# A binding is one line in `bindings` (its name and its needs) and one function `binding_NAME`, which runs in a subshell
# at the root of the repository. Lines that begin with two spaces are its progress. Everything that it builds or installs
# goes to the target folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bindings=(
    "python  Python 3.10 or later with venv, and a package index (PYTHON names the interpreter)"
    "c       a compiler for C and C++; uses valgrind where it is installed"
    "web     Node 20 or later; uses Chromium where it is installed"
    "bevy    nothing but Rust"
)

usage() {
    cat <<TEXT
scripts/bindings.sh [NAME...]

Builds and tests every binding, or the named ones:

$(printf '  %s\n' "${bindings[@]}")

Respects CARGO_TARGET_DIR. With THRONG, the path of the program, hashes are compared with its own.

scripts/bindings.sh wheel [ZIG]

Builds the wheel of the Python package into \$CARGO_TARGET_DIR/bindings/wheels and checks its metadata: with the word
\`zig\` for manylinux 2.17, without it for the oldest manylinux that this system's C library allows.
TEXT
}

# ---- the bindings -----------------------------------------------------------------------------------------------

binding_python() {
    local folder=bindings/python python
    python_tools
    step "sources are formatted, and Clippy finds nothing"
    (cd "$folder" && cargo fmt --check && PYO3_PYTHON=$python cargo clippy --locked --quiet -- -D warnings)
    step "pip install ./bindings/python"
    "$python" -m pip install --quiet --upgrade "./$folder[test]"
    step "pytest"
    (cd "$folder" && "$python" -m pytest -q) | last_line
    (cd "$target" && "$python" -m doctest "$(package_file __init__.py)")
    step "mypy --strict, and the stubs against the module"
    (cd "$folder" && "$python" -m mypy --config-file pyproject.toml tests) | last_line
    (cd "$folder" && "$python" -m mypy.stubtest throng --mypy-config-file pyproject.toml) | last_line
    step "the example study"
    "$python" -m nbconvert --to notebook --execute --output-dir "$target/study" "$folder/examples/study.ipynb"
}

binding_c() {
    bindings/c/test.sh
}

binding_web() {
    bindings/web/test.sh
}

binding_bevy() {
    cd bindings/bevy
    step "sources are formatted, and Clippy finds nothing"
    cargo fmt --check
    cargo clippy --locked --quiet --all-targets -- -D warnings
    step "tests, with 50 000 entities"
    cargo test --locked --quiet | last_line
}

# ---- helpers ----------------------------------------------------------------------------------------------------

# Sets `python` to the interpreter of an environment in the target folder.
python_tools() {
    python=$target/venv/bin/python
    [[ -x $python ]] || "${PYTHON:-python3}" -m venv "$target/venv"
    "$python" -c 'import sys; assert sys.version_info >= (3, 10), "Python 3.10 or later is needed"'
}

# The path of a file of the installed package.
package_file() {
    "$python" -c 'import pathlib, sys, throng; print(pathlib.Path(throng.__file__).parent / sys.argv[1])' "$1"
}

wheel() {
    local python compatibility=()
    python_tools
    "$python" -m pip install --quiet --upgrade maturin twine
    if [[ ${1:-} == zig ]]; then
        "$python" -m pip install --quiet --upgrade ziglang
        compatibility=(--zig --compatibility manylinux2014)
    fi
    rm -rf "$target/wheels"
    (cd bindings/python && PATH="$target/venv/bin:$PATH" "$python" -m maturin build --release --locked \
        --out "$target/wheels" ${compatibility[@]+"${compatibility[@]}"})
    "$python" -m twine check --strict "$target"/wheels/*.whl
    ls -l "$target"/wheels
}

step() { printf '  %s: %s\n' "$binding" "$*"; }

# Passes the output of a program on, and its last line as progress.
last_line() {
    local line last=''
    while IFS= read -r line; do
        printf '%s\n' "$line"
        last=$line
    done
    printf '    %s\n' "$last"
}

# ---- the run ----------------------------------------------------------------------------------------------------

target=${CARGO_TARGET_DIR:-target}
[[ $target == /* ]] || target=$PWD/$target
target=$target/bindings
export CARGO_TARGET_DIR=$target CARGO_TERM_COLOR=never
mkdir -p "$target"

case ${1:-} in
    -h | --help) usage; exit 0 ;;
    wheel) shift; wheel "$@"; exit ;;
esac
wanted=("$@")
if [[ ${#wanted[@]} == 0 ]]; then
    for line in "${bindings[@]}"; do wanted+=("${line%% *}"); done
fi
for binding in "${wanted[@]}"; do
    declare -F "binding_$binding" >/dev/null || { echo "scripts/bindings.sh: no binding $binding (see --help)" >&2; exit 2; }
done
for binding in "${wanted[@]}"; do
    (set -euo pipefail; "binding_$binding")
done
