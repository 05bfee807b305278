#!/usr/bin/env bash
# Compares scripts/fds-smoke.py and scripts/ifc-plans.py with closed forms and drawings: they read files of FDS and IFC
# that scripts/recipes writes, and the program checks and runs what they make of them.
#
#   scripts/recipes.sh            installs the Python packages into the target folder the first time
#
# Needs Python 3.11 or later with venv. THRONG is the program, by default a release build.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ${1:-} == --help ]]; then
    sed -n '2,7s/^# \{0,1\}//p' "$0"
    exit
fi
root=$PWD
target=${CARGO_TARGET_DIR:-$root/target}
if [[ -n ${THRONG:-} ]]; then
    throng=$(realpath "$THRONG")
else
    cargo build --quiet --release -p throng-cli --bin throng
    throng=$target/release/throng
fi
venv=${RECIPES_VENV:-$target/recipes-venv}
if [[ ! -x $venv/bin/python ]]; then
    python3 -m venv "$venv"
fi
"$venv/bin/pip" install --quiet --disable-pip-version-check -r scripts/recipes/requirements.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for recipe in fds ifc; do
    mkdir "$work/$recipe"
    "$venv/bin/python" "scripts/recipes/$recipe.py" "$throng" "$work/$recipe"
done
