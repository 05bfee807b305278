#!/usr/bin/env bash
# Builds and tests the bindings to other languages.
#
# A binding is one line in `bindings` (its name and its needs) and one function `binding_NAME`, which runs in a subshell
# at the root of the repository. Lines that begin with two spaces are its progress. Everything that it builds or installs
# goes to the target folder, except packages of Debian.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bindings=(
    "python  Python 3.10 or later with venv, a package index (PYTHON names the interpreter), Chromium"
    "c       a compiler for C and C++, valgrind, Mono for the example in C#"
    "web     Node 18 or later"
    "tab     Chromium: the page with the engine in a worker"
    "bevy    nothing but Rust"
    "ggrs    nothing but Rust"
)

usage() {
    cat <<TEXT
scripts/bindings.sh [NAME...]

Builds and tests every binding, or the named ones:

$(printf '  %s\n' "${bindings[@]}")

Hashes are compared with those of the program: THRONG is its path; otherwise it is built as the tests are. Missing
programs are installed on Debian; without valgrind or Mono their tests are left out. Respects CARGO_TARGET_DIR.

The bindings are built at level 1 and without optimisation across crates, which takes less time. As users get them,
they are built by the commands of their READMEs.

scripts/bindings.sh window

Compiles the example of Bevy with a window, bindings/bevy/window, which needs Bevy's renderer.
TEXT
}

# ---- the bindings -----------------------------------------------------------------------------------------------

binding_python() {
    local folder=bindings/python python browser
    program
    python_tools
    step "sources are formatted, and Clippy finds nothing"
    (cd "$folder" && cargo fmt --check && PYO3_PYTHON=$python cargo clippy --locked --quiet --release -- -D warnings)
    step "pip install ./bindings/python"
    "$python" -m pip install --quiet --upgrade "./$folder[test]"
    step "pytest"
    (cd "$folder" && "$python" -m pytest -q) | last_line
    (cd "$target" && "$python" -m doctest "$(package_file __init__.py)")
    step "mypy --strict, and the stubs against the module"
    (cd "$folder" && "$python" -m mypy --config-file pyproject.toml tests) | last_line
    (cd "$folder" && "$python" -m mypy.stubtest throng --mypy-config-file pyproject.toml) | last_line
    step "a live world in JupyterLab"
    need_browser
    "$python" scripts/check-notebook.py "$browser" "$target/notebook"
    step "the notebooks"
    "$python" -m nbconvert --to notebook --execute --output-dir "$target/study" "$folder"/examples/*.ipynb
}

binding_c() {
    need c++ g++ libc6-dev
    need valgrind valgrind libc6-dbg || true
    need mcs mono-mcs && need mono mono-runtime libmono-system-core4.0-cil || true
    program
    bindings/c/test.sh
}

binding_web() {
    need node nodejs
    program
    bindings/web/test.sh
}

binding_tab() {
    local browser
    need python3 python3
    need_browser
    program
    step "sources are formatted"
    (cd bindings/tab && cargo fmt --check)
    step "the page in Chromium"
    [[ ! -x $repository_target/tools/bin/mdbook ]] || export MDBOOK=$repository_target/tools/bin/mdbook
    scripts/check-site.sh
}

binding_bevy() {
    cd bindings/bevy
    step "sources are formatted, and Clippy finds nothing"
    cargo fmt --check
    cargo clippy --locked --quiet --release --all-targets -- -D warnings
    step "tests, with 50 000 entities"
    cargo test --locked --quiet --release | last_line
}

binding_ggrs() {
    cd bindings/ggrs
    step "sources are formatted, and Clippy finds nothing"
    cargo fmt --check
    cargo clippy --locked --quiet --release --all-targets -- -D warnings
    step "tests, and a session that goes back eight ticks in every frame"
    cargo test --locked --quiet --release | last_line
    cargo run --locked --quiet --release | last_line
}

binding_window() {
    step "compiles"
    cd bindings/bevy/window
    cargo fmt --check
    cargo clippy --locked --quiet -- -D warnings
}

# ---- helpers ----------------------------------------------------------------------------------------------------

# Builds the program as the tests of the repository are built, so that both share it, and exports its path as THRONG.
program() {
    if [[ -z ${THRONG:-} ]]; then
        step "the program"
        CARGO_TARGET_DIR=$repository_target cargo build --locked --quiet --workspace --all-features --profile test --bin throng
        export THRONG=$repository_target/debug/throng
    fi
}

# need PROGRAM PACKAGE...: installs packages of Debian, if there is no such program.
need() {
    local name=$1 as_root=()
    shift
    command -v "$name" >/dev/null && return
    step "installs $*"
    [[ $(id -u) == 0 ]] || as_root=(sudo -n)
    ${as_root[@]+"${as_root[@]}"} apt-get update -qq &&
        ${as_root[@]+"${as_root[@]}"} apt-get install -y -qq --no-install-recommends "$@" >/dev/null ||
        { echo "  scripts/bindings.sh needs $name, and cannot install it" >&2; return 1; }
}

# Sets `browser` to Chromium or Chrome.
need_browser() {
    [[ -n $(command -v chromium-browser google-chrome || true) ]] || need chromium chromium
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
}

# Sets `python` to the interpreter of an environment in the target folder.
python_tools() {
    need "${PYTHON:-python3}" python3 python3-venv
    python=$target/venv/bin/python
    [[ -x $python ]] || "${PYTHON:-python3}" -m venv "$target/venv"
    "$python" -c 'import sys; assert sys.version_info >= (3, 10), "Python 3.10 or later is needed"'
}

# The path of a file of the installed package.
package_file() {
    "$python" -c 'import pathlib, sys, throng; print(pathlib.Path(throng.__file__).parent / sys.argv[1])' "$1"
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

repository_target=${CARGO_TARGET_DIR:-target}
[[ $repository_target == /* ]] || repository_target=$PWD/$repository_target
target=$repository_target/bindings
export CARGO_TARGET_DIR=$target CARGO_TERM_COLOR=never
mkdir -p "$target"

case ${1:-} in
    -h | --help) usage; exit 0 ;;
esac
wanted=("$@")
if [[ ${#wanted[@]} == 0 ]]; then
    for line in "${bindings[@]}"; do wanted+=("${line%% *}"); done
fi
for binding in "${wanted[@]}"; do
    declare -F "binding_$binding" >/dev/null || { echo "scripts/bindings.sh: no binding $binding (see --help)" >&2; exit 2; }
done
# At level 1 a library shares the generic functions that the engine has compiled already; at level 3 it would compile
# them again.
export CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
    CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_RELEASE_STRIP=none
for binding in "${wanted[@]}"; do
    (set -euo pipefail; "binding_$binding")
done
