#!/usr/bin/env bash
# Measures the models of walkers beside RVO2 and JuPedSim in alternating rounds: name, agents, threads, milliseconds per
# tick by the clock (best / median), the same of processor time, neighbours. The peers are installed from PyPI into the
# virtual environment that the first argument names, target/peers by default. The second is the number of rounds.
# `peers.sh passage` sends two crowds through a gap instead, with throng and the crowd of Detour, which npm installs.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" = "--help" ]; then
    sed -n '2,5s/^# //p' "$0"
    exit
fi
if [ "${1:-}" = passage ]; then
    modules=target/peers-npm
    npm install --silent --no-save --prefix "$modules" @recast-navigation/core@0.43.1 @recast-navigation/generators@0.43.1
    cargo build --quiet --release -p throng-cli
    exec node benches/peers/passage.mjs "$modules" target/release/throng
fi
environment=${1:-target/peers}
python=$environment/bin/python
if [ ! -x "$python" ]; then
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet numpy jupedsim==1.4.2 pyrvo==0.4.3
fi
cargo build --quiet --release -p throng-bench --example walkers
for _ in $(seq "${2:-3}"); do
    target/release/examples/walkers speed orca
    OMP_NUM_THREADS=1 "$python" benches/peers/rvo2.py speed 100000
    target/release/examples/walkers speed social_force
    "$python" benches/peers/jps.py social_force 10000
    target/release/examples/walkers speed collision_free_speed
    "$python" benches/peers/jps.py collision_free_speed 50000
done
