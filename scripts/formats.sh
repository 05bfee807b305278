#!/usr/bin/env bash
# Writes trajectories, measures and sweeps in every format, opens them with the programs that they are for (polars,
# pyarrow, pandas, PedPy, JuPedSim, pyvista, plyfile, USD), and compares what these read with the CSV.
#
#   scripts/formats.sh            compares; installs the programs into the target folder the first time
#   scripts/formats.sh --speed    measures bytes per agent and frame, frames a second, and what a run loses
#
# Needs Python 3.11 or later with venv. THRONG is the program, by default a release build.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ${1:-} == --help ]]; then
    sed -n '2,8s/^# \{0,1\}//p' "$0"
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
venv=${FORMATS_VENV:-$target/formats-venv}
if [[ ! -x $venv/bin/python ]]; then
    python3 -m venv "$venv"
fi
"$venv/bin/pip" install --quiet --disable-pip-version-check -r scripts/formats-requirements.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$venv/bin/python" scripts/formats.py "$throng" "$work" "$@"
