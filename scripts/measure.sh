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

cargo build --locked --release -p throng-cli --features bench
throng=${CARGO_TARGET_DIR:-target}/release/throng

# bench NAME AGENTS TICKS OPTION...: writes rows to NAME.json and the plot to NAME.svg.
bench() {
    local name=$1 agents=$2 ticks=$3
    shift 3
    [[ $quick == no ]] || { agents=1000,2000 ticks=32; }
    echo "== $name"
    "$throng" bench --agents "$agents" --ticks "$ticks" "$@" --json --plot "$out/$name.svg" >"$out/$name.json"
}

{
    date -u +'%Y-%m-%d'
    sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1
    echo "$(nproc 2>/dev/null || echo '?') cores"
    sed -n 's/^MemTotal:[[:space:]]*//p' /proc/meminfo 2>/dev/null
    rustc --version
    git describe --always --dirty 2>/dev/null || true
} >"$out/machine.txt"

# The table and the plot, up to the size at which the tree of agents is still measured.
bench bench 1000,10000,100000 224 $peers
# A million agents, without the tree.
bench million 1000000 64
# The flock of the stated ratios, five times: on a shared machine two threads are slow in some processes, so the best of
# the five counts.
for process in 1 2 3 4 5; do
    bench "flock-$process" 100000,1000000 224 --dimensions 2 --threads 2
    rm "$out/flock-$process.svg"
done
# The other instruction sets, on one thread.
bench_with() { THRONG_ISA=$1 bench "$1" 100000 64 --threads 1; }
bench_with baseline
for set in avx2 avx512; do
    # The kernels need more of AVX-512 than this flag; the program checks the rest.
    if grep -qw "${set/512/512_vbmi2}" /proc/cpuinfo 2>/dev/null; then bench_with "$set"; fi
done

[[ $quick == no ]] || rm -r "$out"
echo "written to $out"
