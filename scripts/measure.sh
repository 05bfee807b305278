#!/usr/bin/env bash
# Measures the designs for the documents and writes the results to benches/results/MACHINE/. Takes about twenty
# minutes on two cores, after the build. Run nothing else at the same time.
#
#   scripts/measure.sh            MACHINE is the name of the processor
#   scripts/measure.sh --peers    measures other crates too
#   scripts/measure.sh --quick    a test of a few seconds that stores no results
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

quick=no
peers=''
for argument in "$@"; do
    case $argument in
        --quick) quick=yes ;;
        --peers) peers=--peers ;;
        *) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2 ;;
    esac
done

# The processor's name in lower case, without words that all names share.
machine=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1 |
    sed -E 's/\((R|TM|r|tm)\)//g; s/ (CPU|Processor)//g; s/@.*//; s/[0-9]+-Core//' | tr '[:upper:]' '[:lower:]' |
    sed -E 's/[^a-z0-9]+/-/g; s/^-+|-+$//g')
out=benches/results/${machine:-unknown-cpu}
[[ $quick == no ]] || out=$(mktemp -d)
mkdir -p "$out"

cargo build --locked --release -p throng-cli --features designs
throng=${CARGO_TARGET_DIR:-target}/release/throng

# bench NAME AGENTS REPETITIONS OPTION...: writes the machine and the rows to NAME.json, and the plot to NAME.svg.
bench() {
    local name=$1 agents=$2 repetitions=$3
    shift 3
    [[ $quick == no ]] || { agents=1000,2000 repetitions=1; }
    echo "== $name"
    "$throng" bench --agents "$agents" --repetitions "$repetitions" "$@" --json --plot "$out/$name.svg" >"$out/$name.json"
}

# The table and the plot, up to the size at which the tree of agents is still measured.
bench bench 1000,10000,100000 7 --designs $peers
# A million agents, without the tree.
bench million 1000000 2 --designs
# The flock of the stated ratios, five times: on a shared machine two threads are slow in some processes, so the best of
# the five counts.
for process in 1 2 3 4 5; do
    bench "flock-$process" 100000,1000000 7 --designs --dimensions 2 --threads 2
    rm "$out/flock-$process.svg"
done
# The other instruction sets, on one thread.
bench_with() { THRONG_ISA=$1 bench "$1" 100000 2 --designs --threads 1; }
bench_with baseline
for set in avx2 avx512; do
    # The kernels need more of AVX-512 than this flag; the program checks the rest.
    if grep -qw "${set/512/512_vbmi2}" /proc/cpuinfo 2>/dev/null; then bench_with "$set"; fi
done
# Weak scaling, and what more threads could make of a tick.
bench weak 1000000 5 --dimensions 2 --weak
[[ $quick == no ]] && sizes=100000,1000000 || sizes=2000
"$throng" bench --span --agents "$sizes" --dimensions 2 --json >"$out/span.json"

[[ $quick == no ]] || rm -r "$out"
echo "written to $out"
