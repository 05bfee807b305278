#!/usr/bin/env bash
# Compares the bits of every execution, build and platform with tools/determinism/golden.txt, each really run: by this
# machine, by an emulator or by Node. --help describes the options.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<TEXT
scripts/determinism.sh [--short] [--ticks N] [--worlds N] [--record] [NAME...]

Runs the scenes of tools/determinism/ as each of these, or as the named ones, and compares their hashes:

$(printf '  %s\n' "${rows[@]}")

--ticks N  ticks of each scene: 10000 by default, 200 with --short
--worlds N random worlds of the row worlds: 3000 by default; of aarch64 and wasm-simd a hundredth, none with --short
--short    only: ${short[*]}, and only the base of each. scripts/check.sh platforms runs it.
--record   writes the figures of each row to its line in docs/dev/determinism.md

Installs targets with rustup; qemu-user, a
compiler for riscv64 and Node with apt, where it exists.
TEXT
}

rows=(
    "release       x86-64, release build: threads, instruction sets, kinds of neighbour lists"
    "worlds        random worlds of all features: threads, sets, lists, ranks, clones, restored copies, dropped data"
    "debug         x86-64, debug build, with overflow checks and validators after each tick"
    "native        x86-64, release build for the processor of this machine (target-cpu=native)"
    "i686          32-bit x86"
    "aarch64       64-bit Arm with NEON, emulated by qemu-user"
    "riscv64       64-bit RISC-V without vectors, the scalar kernels, emulated by qemu-user"
    "wasm-simd     WebAssembly with 128-bit vectors, in Node"
    "wasm          WebAssembly without vectors, the scalar kernels, in Node"
)
short=(aarch64 wasm-simd)

# ---- the rows ---------------------------------------------------------------------------------------------------

row_release() {
    build release && run base threads instruction_sets neighbour_lists modes tick_1000
}

row_worlds() {
    build release && random "$worlds"
}

row_debug() {
    build dev && run base modes
}

row_native() {
    RUSTFLAGS="-C target-cpu=native" CARGO_TARGET_DIR=$target/native build release && run base instruction_sets
}

row_i686() {
    static
    build platforms i686-unknown-linux-musl && run base instruction_sets
}

row_aarch64() {
    static
    needs qemu-aarch64 qemu-user
    build platforms aarch64-unknown-linux-musl
    run base
    [[ $short_form == yes ]] || { run modes tick_1000 && random $((worlds / 100)); }
}

row_riscv64() {
    scalar
    needs qemu-riscv64 qemu-user
    needs riscv64-linux-gnu-gcc "gcc-riscv64-linux-gnu libc6-dev-riscv64-cross"
    export CARGO_TARGET_RISCV64GC_UNKNOWN_LINUX_GNU_LINKER=riscv64-linux-gnu-gcc
    build platforms riscv64gc-unknown-linux-gnu && run base tick_1000
}

row_wasm-simd() {
    needs node nodejs
    RUSTFLAGS="-C target-feature=+simd128" CARGO_TARGET_DIR=$target/wasm-simd build platforms wasm32-wasip1 &&
        run base && random $((worlds / 100))
}

row_wasm() {
    scalar
    needs node nodejs
    build platforms wasm32-wasip1 && run base
}

# ---- helpers ----------------------------------------------------------------------------------------------------

# Links static programs with Rust's own linker, so that no compiler for the other platform is needed.
static() { export RUSTFLAGS="-C linker=rust-lld -C link-self-contained=yes"; }

# Compiles the kernels for a processor without vectors, where a register is sixteen numbers. The usual passes of LLVM do not
# end within minutes there. With these, a function is simplified before it is inlined: sixteen branches that select
# numbers become sixteen selections, and registers in memory become numbers.
scalar() {
    local simplify="sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg"
    local loops="loop-mssa(loop-rotate),loop(loop-unroll-full)"
    local passes="function(sroa,simplifycfg,early-cse,simplifycfg)"
    passes+=",cgscc(inline<only-mandatory>,inline,function($simplify,$loops,$simplify)),globaldce"
    export RUSTFLAGS="-C no-prepopulate-passes -C passes=$passes -C codegen-units=1" CARGO_PROFILE_PLATFORMS_OPT_LEVEL=2
}

# needs COMMAND PACKAGES: installs Debian packages if a command is missing.
needs() {
    local as_root=()
    command -v "$1" >/dev/null && return
    [[ $(id -u) == 0 ]] || as_root=(sudo -n)
    ${as_root[@]+"${as_root[@]}"} apt-get update -qq
    # shellcheck disable=SC2086 # several packages
    ${as_root[@]+"${as_root[@]}"} apt-get install -y -qq --no-install-recommends $2
}

# build PROFILE [TARGET]: compiles the tests of tools/determinism/, and sets `program` and `platform`.
build() {
    local options=(--locked --no-run -p throng-determinism --lib --profile "$1")
    platform=${2:-}
    if [[ -n $platform ]]; then
        rustup target list --installed | grep -qx "$platform" || rustup target add "$platform"
        options+=(--target "$platform")
    fi
    program=$(cargo test "${options[@]}" --message-format=json |
        sed -n 's/.*"name":"throng_determinism".*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
    [[ -n $program ]]
}

# run TEST...: runs tests of `program` on its platform, one after the other.
run() {
    local runner=()
    case $platform in
        aarch64*) runner=(qemu-aarch64) ;;
        riscv64*) runner=(qemu-riscv64 -L /usr/riscv64-linux-gnu) ;;
        wasm32*) runner=(node --no-warnings scripts/wasi.mjs) ;;
    esac
    THRONG_TICKS=$ticks ${runner[@]+"${runner[@]}"} "$program" "$@" --nocapture --test-threads=1
}

# random N: compares N random worlds.
random() { [[ $1 == 0 ]] || THRONG_WORLDS=$1 run --exact worlds::random_worlds; }

# ---- the run ----------------------------------------------------------------------------------------------------

ticks='' worlds='' selected=() record=no short_form=no
while [[ $# -gt 0 ]]; do
    case $1 in
        --short) selected+=("${short[@]}"); ticks=${ticks:-200} worlds=${worlds:-0} short_form=yes ;;
        --ticks) ticks=${2:?--ticks needs a number}; shift ;;
        --worlds) worlds=${2:?--worlds needs a number}; shift ;;
        --record) record=yes ;;
        -h | --help) usage; exit 0 ;;
        *)
            printf '%s\n' "${rows[@]}" | awk '{ print $1 }' | grep -qxF -e "$1" ||
                { echo "scripts/determinism.sh: no row $1 (see --help)" >&2; exit 2; }
            selected+=("$1")
            ;;
    esac
    shift
done
ticks=${ticks:-10000} worlds=${worlds:-3000}
if [[ ${#selected[@]} == 0 ]]; then
    for row in "${rows[@]}"; do selected+=("${row%% *}"); done
fi
target=${CARGO_TARGET_DIR:-target}
[[ $target == /* ]] || target=$PWD/$target
export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0

# write NAME LINE: replaces the line of a row in docs/dev/determinism.md, or adds it.
write() {
    local page=docs/dev/determinism.md
    LINE=$2 awk -v start="| $1 |" 'index($0, start) == 1 { $0 = ENVIRON["LINE"]; found = 1 } { print }
        END { if (!found) print ENVIRON["LINE"] }' "$page" >"$log"
    cp "$log" "$page"
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=()
for name in "${selected[@]}"; do
    what=$(printf '%s\n' "${rows[@]}" | sed -n "s/^$name  *//p")
    began=$SECONDS
    set +e
    (set -euo pipefail; "row_$name") >"$log" 2>&1
    status=$?
    set -e
    compared=$(sed -n 's/.*: \([0-9]*\) hashes equal.*/\1/p' "$log" | awk '{ sum += $1 } END { print sum + 0 }')
    skipped=$(sed -n 's/^\(.*\): SKIPPED.*/\1/p' "$log" | paste -sd ' ' -)
    result="equal${skipped:+, without $skipped}"
    if [[ $status != 0 || $compared == 0 ]]; then
        result=FAILED
        failed+=("$name")
        cat "$log"
    fi
    echo "  $name: $compared hashes over $ticks ticks, $result, $((SECONDS - began)) s"
    [[ $record == no ]] ||
        write "$name" "| $name | $what | $ticks | $compared | $result | $((SECONDS - began)) | $(date -u +%F) |"
done
[[ ${#failed[@]} == 0 ]]
