#!/usr/bin/env bash
# Builds throng-mpi, and compares its bits with those of throng.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-$PWD/target}
packages=(libopenmpi-dev openmpi-bin libclang-dev)

usage() {
    cat <<TEXT
scripts/mpi.sh [SCENARIO...]   builds, and runs scenarios (all of scenarios/ by default) on ranks
scripts/mpi.sh build           installs MPI from Debian where it is missing, and builds throng-mpi

A comparison runs \`throng run\` and \`throng-mpi run\` for TICKS ticks (500), on each number of ranks in RANKS
(1 2 3 4 7) with each number of threads per rank in THREADS (1 2) and with each source of candidates in LISTS
(fresh kept), and fails where hashes or events differ.
Respects CARGO_TARGET_DIR.
TEXT
}

# Installs what the build needs. Asks first where there is a terminal.
install() {
    if command -v mpirun >/dev/null && command -v mpicc >/dev/null && ls /usr/lib/llvm-*/lib/libclang*.so* >/dev/null 2>&1; then
        return
    fi
    command -v apt-get >/dev/null || { echo "MPI with its compiler mpicc, and libclang, are missing" >&2; exit 1; }
    local root=()
    [ "$(id -u)" = 0 ] || root=(sudo)
    if [ -t 0 ]; then
        read -rp "install ${packages[*]} with apt-get? [y/N] " answer
        [ "$answer" = y ] || exit 1
    fi
    "${root[@]}" apt-get update -qq
    "${root[@]}" apt-get install -y -qq --no-install-recommends "${packages[@]}"
}

build() {
    install
    (cd bindings/mpi && CARGO_TARGET_DIR=$target cargo build --release --locked --quiet)
}

# Runs a program of ranks on this machine, with more ranks than cores where asked for.
ranks() {
    local number=$1
    shift
    # Open MPI refuses the user root, who is the user of many containers.
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n "$number" "$@"
}

# Prints the hash and the events of a run, from its summary.
outcome() {
    python3 -c 'import json, sys; run = json.load(sys.stdin); print(run["hash"], json.dumps(run["events"], sort_keys=True))'
}

compare() {
    local scenario=$1 out expected found number threads lists
    out=$(mktemp -d)
    local options=(run "$scenario" --ticks "${TICKS:-500}" --quiet --json --force)
    expected=$("$target/release/throng" "${options[@]}" --out "$out/one" | outcome)
    for number in ${RANKS:-1 2 3 4 7}; do
        for threads in ${THREADS:-1 2}; do
            for lists in ${LISTS:-fresh kept}; do
                found=$(THRONG_LISTS=$lists ranks "$number" "$target/release/throng-mpi" "${options[@]}" \
                    --threads "$threads" --out "$out/ranks" | outcome)
                if [ "$found" != "$expected" ]; then
                    echo "$scenario: $number ranks of $threads threads with $lists lists have $found," \
                        "one process $expected" >&2
                    exit 1
                fi
            done
        done
    done
    rm -r "$out"
    echo "$scenario: ${expected%% *} on ${RANKS:-1 2 3 4 7} ranks with ${LISTS:-fresh kept} lists"
}

case ${1:-} in
    -h | --help) usage ;;
    build) build ;;
    *)
        build
        cargo build --release --locked --quiet -p throng-cli --bin throng
        [ $# -gt 0 ] || set -- scenarios/*.toml
        for scenario; do compare "$scenario"; done
        ;;
esac
