#!/usr/bin/env bash
# Kills runs at every system call of two checkpoint cycles and at random moments, makes their writes fail, and damages
# their files; each time, `throng resume` must end with the bytes of an uninterrupted run.
#
#   scripts/faults.sh [kills|random|errors|formats|damage|signals]...   by default all
#
# `formats` is kills and errors with a second trajectory, in each other format. Needs strace, and sqlite3 for `formats`.
# THRONG is the program, by default a release build; RANDOM_KILLS is the number of random kills (200); CALLS is a regular
# expression of the system calls of `kills`, by default all, and in `formats` those that change files; FORMATS are those of
# `formats`.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

steps=("$@")
[[ ${#steps[@]} -gt 0 ]] || steps=(kills random errors formats damage signals)
command -v strace >/dev/null || { echo "strace is missing: apt-get install strace" >&2; exit 2; }
if [[ -n ${THRONG:-} ]]; then
    throng=$(realpath "$THRONG")
else
    cargo build --quiet --release -p throng-cli --bin throng
    throng=${CARGO_TARGET_DIR:-$root/target}/release/throng
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >scenario.toml <<'TOML'
format = 1
[world]
dimensions = 2
size = [30.0, 20.0]
edge = "wrap"
tick = 0.05
seed = 7
[species.bird]
count = 40
behaviours = [{ rule = "separation", radius = 1.0 }, { rule = "wander" }]
[output]
trajectory = { every = 1, unwrapped = true }
measures = { every = 1, names = ["polarisation", "stuck"] }
TOML
every=10
ticks=25

# run FOLDER [COMMAND...]: a run into this folder, with a trajectory of the format `$format` too, under this command.
format=
run() {
    local out=$1
    shift
    "$@" "$throng" run scenario.toml --quiet --threads 1 --ticks $ticks --checkpoint-every $every --force --out "$out" \
        ${format:+--trajectory "$out/run.$format"}
}

fail() { echo "FAILED: $*" >&2; exit 1; }

run whole
results=(trajectory.csv measures.csv measures.svg picture.png)

# The bytes of a Parquet file before its footer, which has statistics of each part of a run.
pages() { head -c "-$(($(tail -c 8 "$1" | od -An -tu4 -N4) + 8))" "$1"; }

# Compares two results: databases by their rows, folders by their files, and others by their bytes.
same() {
    case $1 in
    *.parquet) cmp -s <(pages "$1") <(pages "$2") ;;
    *.sqlite) cmp -s <(sqlite3 "$1" .dump) <(sqlite3 "$2" .dump) ;;
    */run) diff -rq "$1" "$2" >/dev/null ;;
    *) cmp -s "$1" "$2" ;;
    esac
}

# Goes on with a run, and compares its results with those of the uninterrupted run.
resumes() {
    "$throng" resume "$1" --quiet --threads 1 || fail "$2: resume exits with $?"
    for name in "${results[@]}"; do
        same "whole/$name" "$1/$name" || fail "$2: $name differs"
    done
    [[ $(grep '"hash"' whole/summary.json) == $(grep '"hash"' "$1/summary.json") ]] || fail "$2: the hash differs"
}

# The last tick of the checkpoints in a folder; -1 without any.
last() {
    local file
    file=$(find "$1/checkpoints" -name '*.ckpt' ! -name '.*' 2>/dev/null | sort | tail -n 1)
    [[ -n $file ]] && echo $((10#$(basename "$file" .ckpt))) || echo -1
}

# The number of checkpoints that a traced run completed.
written() { grep -c 'rename.*\.ckpt") *= 0' "$1" || true; }

# How far the run is after this many checkpoints: at ticks 0, 10, 20, and the last one.
tick_of() { if (($1 == 0)); then echo -1; elif (($1 > 3)); then echo $ticks; else echo $((($1 - 1) * every)); fi; }

# The system calls of a run, with the largest number of times that one of its threads makes each.
calls() {
    run traced strace -f -o trace
    awk '{ sub(/\(.*/, "", $2); if ($2 ~ /^[a-z_0-9]+$/) n[$1 " " $2]++ }
        END { for (k in n) { split(k, p, " "); if (n[k] > most[p[2]]) most[p[2]] = n[k] }
              for (c in most) print c, most[c] }' trace | sort
}

kills() {
    local call count number killed=0 unfinished
    while read -r call count; do
        # These do not return, or start the program.
        [[ $call == exit* || $call == execve ]] && continue
        [[ $call =~ ^(${CALLS:-.*})$ ]] || continue
        for ((number = 1; number <= count; number++)); do
            rm -rf out
            run out strace -f -o trace -e "inject=$call:signal=SIGKILL:when=$number" >log 2>&1 && continue
            killed=$((killed + 1))
            unfinished=$(tick_of "$(written trace)")
            (($(last out) >= unfinished)) || fail "$call $number: the last checkpoint is $(last out), not $unfinished"
            if (($(last out) >= 0)); then
                resumes out "$call $number"
            elif [[ -e out/checkpoints/000000000000.ckpt ]]; then
                fail "$call $number: the first checkpoint is lost"
            fi
        done
    done < <(calls)
    echo "kills: $killed system calls, each resumed or before the first checkpoint"
}

random() {
    local killed=0 resumed=0 ended=0 code start end pid
    local long=("$throng" run scenario.toml --quiet --ticks 3000 --checkpoint-every 100 --force)
    start=$(date +%s%N)
    "${long[@]}" --out whole
    end=$(date +%s%N)
    while ((killed < ${RANDOM_KILLS:-200})); do
        rm -rf out
        "${long[@]}" --out out & pid=$!
        sleep "$(awk -v ms=$(((end - start) / 1000000)) -v r=$RANDOM 'BEGIN { printf "%.4f", ms * r / 32768 / 1000 }')"
        kill -9 $pid 2>/dev/null || true
        code=0
        wait $pid 2>/dev/null || code=$?
        if ((code == 137)); then killed=$((killed + 1)); else ended=$((ended + 1)); fi
        if (($(last out) >= 0)); then
            resumes out "random kill $killed"
            ((code != 137)) || resumed=$((resumed + 1))
        fi
    done
    echo "random: $killed kills, $resumed resumed, the others before the first checkpoint; $ended runs ended before their kill"
    run whole
}

errors() {
    local call count error number code failed=0 ignored=0 before name
    while read -r call count; do
        [[ $call =~ ^(write|pwrite64|fsync|fdatasync|rename|ftruncate|mkdir)$ ]] || continue
        for error in ENOSPC EIO; do
            for ((number = 1; number <= count; number++)); do
                rm -rf out
                code=0
                # Files of the system, such as libraries, are left alone.
                run "$work/out" strace -f -o trace -P "$work/out" "${paths[@]}" \
                    -e "inject=$call:error=$error:when=$number" >log 2>&1 || code=$?
                grep -q INJECTED trace || break
                failed=$((failed + 1))
                # SQLite does not report that the folder of its journal was not synced. The run loses nothing.
                if [[ $format == sqlite && $call == fsync && $code == 0 ]]; then
                    ignored=$((ignored + 1))
                    for name in "${results[@]}"; do
                        same "whole/$name" "out/$name" || fail "$error at $call $number: $name differs"
                    done
                    continue
                fi
                ((code == 5)) || fail "$error at $call $number: exit code $code: $(cat log)"
                grep -qi "out.*\(No space left\|Input/output error\|disk is full\|disk I/O error\)" log || fail "$error at $call $number: $(cat log)"
                before=$(last out)
                ((before < 0)) || resumes out "$error at $call $number"
            done
        done
    done < <(calls)
    echo "errors: $failed failures of writing, all but $ignored with exit code 5, the file and the cause"
}
# The paths that a run writes to.
paths=()
for name in .run.parquet.part run.parquet .run.sqlite.part .run.sqlite.part-journal run.sqlite .run.pvd.part run.pvd run \
    .summary.json.part summary.json .trajectory.csv.part trajectory.csv .measures.csv.part measures.csv \
    .measures.svg.part measures.svg .picture.png.part picture.png checkpoints; do
    paths+=(-P "$work/out/$name")
done
for tick in 000000000000 000000000010 000000000020 000000000025; do
    paths+=(-P "$work/out/checkpoints/.$tick.ckpt.part" -P "$work/out/checkpoints/$tick.ckpt")
done
for ((tick = 0; tick <= ticks; tick++)); do
    name=$work/out/run/$(printf '%09d' $tick)
    paths+=(-P "$name.vtp.part" -P "$name.vtp")
done

formats() {
    local before=("${results[@]}")
    command -v sqlite3 >/dev/null || { echo "sqlite3 is missing: apt-get install sqlite3" >&2; exit 2; }
    for format in ${FORMATS:-parquet sqlite vtp}; do
        results=("${before[@]}" "run.$format")
        [[ $format != vtp ]] || results=("${before[@]}" run.pvd run)
        run whole
        echo "formats: $format"
        CALLS=${CALLS:-write|pwrite64|fsync|fdatasync|rename|ftruncate|unlink|mkdir} kills
        errors
    done
    format='' results=("${before[@]}")
    run whole
}

damage() {
    (cd "$root" && cargo test --quiet -p throng-cli --lib -- --include-ignored damaged)
    echo "damage: a cut at every byte, and 1 000 000 changed bytes each, of a checkpoint and of a trajectory"
}

signals() {
    local signal code start end pid number
    for signal in INT TERM; do
        rm -rf out
        "$throng" run scenario.toml --quiet --set species.bird.count=1000000 --set 'world.size=[3000.0,3000.0]' \
            --set output.trajectory.every=1000000 --ticks 1000000 --checkpoint-every 600s --out out --force & pid=$!
        for ((number = 0; number < 600; number++)); do (($(last out) < 0)) || break; sleep 0.1; done
        sleep 2
        start=$(date +%s%N)
        kill -$signal $pid
        code=0
        wait $pid || code=$?
        end=$(date +%s%N)
        [[ $code == "$([[ $signal == INT ]] && echo 130 || echo 143)" ]] || fail "SIG$signal: exit code $code"
        (($(last out) > 0)) || fail "SIG$signal: no checkpoint of the last tick"
        echo "signals: SIG$signal at 1 000 000 agents: saved and ended after $(((end - start) / 1000000)) ms"
    done
}

for step in "${steps[@]}"; do
    case $step in
    kills | random | errors | formats | damage | signals) "$step" ;;
    *) echo "there is no step $step" >&2; exit 2 ;;
    esac
done
