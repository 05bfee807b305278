#!/usr/bin/env bash
# Runs all checks of the repository, for contributors and for continuous integration.
#
# A check is one line in `checks` (its name and its claim) and one function `check_NAME`. The function runs in a
# subshell at the root of the repository and fails when one of its commands fails. Its output is printed only on
# failure. `show` prints at once; `skip` ends a check as neither passed nor failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

checks=(
    "format        sources are formatted by rustfmt"
    "bits          src/ contains no code whose bits depend on the machine (tools/checks/src/bits.rs)"
    "lint          Clippy finds nothing, imports follow the layers, circles of files and size stay within limits, new prose is plain"
    "features      each package compiles without features"
    "wasm          the library compiles for WebAssembly (wasm32-unknown-unknown)"
    "dependencies  the library depends on no crate for command lines, file formats or drawing"
    "docs          the documentation and the book build, links are valid, tables and examples match the code"
    "tests         unit, integration, property and documentation tests pass"
    "examples      every example succeeds"
    "validation    the models of the literature give the numbers of their papers (scripts/validate.sh --short)"
    "standards     the walkers pass the tests of the guidelines that they are known to pass (scripts/standards.sh --short)"
    "page          the page of throng view works in a real browser (scripts/check-page.sh; installs Chromium on Debian)"
    "benches       every benchmark runs once, as a test"
)
# What `quick` runs besides: for the minutes between two commits.
quick_checks=(
    "format"
    "bits"
    "lint"
    "units"
)
full_checks=(
    "platforms     64-bit Arm and WebAssembly, emulated, have the same bits (scripts/determinism.sh --short)"
    "instructions  a tick stays within its limit of instructions (valgrind)"
    "licences      dependencies: licences, sources and duplicates (cargo-deny)"
    "selections    each package compiles with the features that it has by default, with each alone and with all"
    "msrv          the oldest supported Rust compiles everything"
    "long          more cases per property, and the tests that are marked #[ignore] because they are long"
    "window        the example of bindings/bevy with a window compiles (scripts/bindings.sh window)"
    "advisories    no dependency has a known vulnerability (needs the network)"
)
named_checks=(
    "units         unit tests pass (a part of tests)"
    "formats       trajectories and tables are read by the programs that they are for (scripts/formats.sh; installs them)"
    "recipes       the scripts for FDS and IFC give closed forms and drawings (scripts/recipes.sh; installs packages)"
    "bindings      the bindings to other languages build and pass their tests (scripts/bindings.sh)"
)

# What everything takes on two cores (EPYC of the third generation) without a previous build, and with one; and on disk.
cold_minutes=65 warm_minutes=30 disk_gigabytes=14

cargo_deny_version=0.20.2
mdbook_version=0.5.4
packages=(throng throng-scenario throng-bench throng-draw throng-formats throng-view throng-cli)
example_seconds=60      # the time limit of an example
long_cases=4096         # per property, with --full
instruction_agents=4096 # of the flock whose instructions are counted
# A flock in two and three dimensions, or people, and the most instructions per agent and tick with AVX2: a little above
# the counts. Another compiler may need other limits.
most_instructions='2 568
3 1295
people 9000'

usage() {
    cat <<TEXT
scripts/check.sh [--full] [quick | NAME...]

Runs every check, or the named ones; the exit code is 0 only if all pass. \`quick\` stands for
${quick_checks[*]}: less than a minute after a previous build. Needs Rust from rustup;
installs other missing tools (rustfmt, Clippy, a linker and Chromium on Debian; cargo-deny $cargo_deny_version and
mdbook $mdbook_version under the target folder), and asks first in a terminal, unless CI is set.
Everything takes about $cold_minutes minutes on two cores without a previous build, $warm_minutes with one, and
$disk_gigabytes GB under the target folder.

$(printf '  %s\n' "${checks[@]}")

With --full also:

$(printf '  %s\n' "${full_checks[@]}")

Only by name:

$(printf '  %s\n' "${named_checks[@]}")

Respects CARGO_TARGET_DIR and NO_COLOR. PROPTEST_CASES sets the cases per property.
TEXT
}

# ---- the checks -------------------------------------------------------------------------------------------------

check_format() {
    cargo fmt --all --check -- --color never
}

check_bits() {
    cargo run --locked --quiet -p throng-checks -- bits
}

check_lint() {
    cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
    cargo run --locked --quiet -p throng-checks -- layers | tee /dev/stderr | grep circles | show_lines
    cargo run --locked --quiet -p throng-checks -- prose | show_lines
    cargo run --locked --quiet -p throng-checks -- size | show_lines
}

check_features() {
    local package
    # Clippy includes `cargo check` and can fail on warnings. Everything is compiled without features, which finds tests,
    # examples and benches that need one and do not declare it (`required-features`), and with all of them by lint.
    for package in "${packages[@]}"; do
        cargo clippy --locked -p "$package" --all-targets --no-default-features -- -D warnings
    done
}

check_selections() {
    local package feature
    for package in "${packages[@]}"; do
        # By default, as after `cargo add throng`.
        cargo clippy --locked -p "$package" --lib --bins -- -D warnings
        for feature in $(features_of "$package"); do
            echo "== $package with $feature alone"
            cargo clippy --locked -p "$package" --lib --bins --no-default-features --features "$feature" -- -D warnings
        done
        cargo clippy --locked -p "$package" --lib --bins --all-features -- -D warnings
    done
}

check_wasm() {
    local triple=wasm32-unknown-unknown
    rustup target list --installed 2>/dev/null | grep -qx "$triple" ||
        { may_install "$triple" && rustup target add "$triple"; } || skip "rustup target add $triple"
    cargo clippy --locked -p throng -p throng-scenario -p throng-view --target "$triple" --all-features -- -D warnings
}

check_dependencies() {
    local command_line='clap|clap_.*|argh|pico-args|lexopt|anstream|anstyle.*|indicatif|console|crossterm|ratatui|ctrlc|terminal_size|log|env_logger|tracing.*'
    local formats='toml|toml_.*|serde|serde_.*|ron|csv.*|json.*|yaml.*|quick-xml|bincode|postcard|rkyv|parquet|arrow.*|hdf5.*|rusqlite|libsqlite3-sys|flate2|zstd.*|zip|tar'
    local drawing='png|image|gif|tiny-skia.*|resvg|usvg|svg|plotters.*|kiss3d|macroquad|wgpu|winit|font.*|ab_glyph'
    local network='tungstenite|tokio.*|mio|hyper|axum|tiny_http|ureq|reqwest|socket2'
    local test_tools='criterion.*|proptest.*|insta'
    local tree unwanted options
    for options in '' --no-default-features; do
        # shellcheck disable=SC2086 # an empty option must vanish
        tree=$(cargo tree --locked -p throng -e normal --target all --prefix none $options)
        echo "$tree"
        unwanted=$(awk '{ print $1 }' <<<"$tree" | sort -u |
            grep -Ex "$command_line|$formats|$drawing|$network|$test_tools" || true)
        if [[ -n $unwanted ]]; then
            echo "the library (cargo tree -p throng $options) depends on: ${unwanted//$'\n'/, }"
            return 1
        fi
    done
}

check_formats() { scripts/formats.sh; }

check_recipes() { scripts/recipes.sh; }

check_docs() {
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --workspace --all-features
    cargo test --locked --workspace --all-features --test documents --test schema 2>&1 | show_results
    if command -v python3 >/dev/null; then python3 scripts/python-reference.py --check; fi
    tool mdbook "$mdbook_version" --no-default-features || skip "the book: mdbook $mdbook_version cannot be installed"
    MDBOOK=$tool scripts/book.sh
}

check_tests() {
    cargo test --locked --workspace --all-features --no-fail-fast 2>&1 | show_results
}

check_units() {
    cargo test --locked --workspace --all-features --no-fail-fast --lib --bins 2>&1 | show_results
}

check_platforms() {
    local missing=()
    command -v qemu-aarch64 >/dev/null || missing+=(qemu-user)
    command -v node >/dev/null || missing+=(nodejs)
    [[ ${#missing[@]} == 0 ]] || install_packages "${missing[@]}" || skip "${missing[*]} cannot be installed"
    scripts/determinism.sh --short 2>&1 | show_lines
}

check_examples() {
    local name began
    build_programs
    for name in $(targets_in examples); do
        began=$SECONDS
        echo "== example $name"
        within "$example_seconds" "$target/debug/examples/$name"
        show "  $name: $((SECONDS - began)) s"
    done
    # It writes its files to the folder that it is given.
    within "$example_seconds" "$target/debug/examples/picture" "$(mktemp -d)"
}

check_validation() {
    build_programs
    "$target/debug/validation" --short
}

check_standards() {
    build_programs
    # The model that people have by default, and the one whose bodies never overlap.
    "$target/debug/validation" standards --short --model pedvo --model orca
}

check_page() {
    command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
        install_packages chromium || skip "Chromium cannot be installed"
    build_programs
    THRONG=$target/debug/throng scripts/check-page.sh 2>&1 | show_steps
}

check_benches() {
    cargo test --locked --workspace --all-features --bench '*'
}

check_instructions() {
    [[ $(uname -m) == x86_64 ]] || skip "the limits are for x86-64"
    command -v valgrind >/dev/null || install_packages valgrind libc6-dbg || skip "valgrind cannot be installed"
    cargo build --locked --release -p throng-bench --example ticks
    local world most found few many
    while read -r world most; do
        # The 32 ticks include one that arranges rows. Start and end are in both counts and cancel.
        few=$(instructions "$world" "$instruction_agents" 16)
        many=$(instructions "$world" "$instruction_agents" 48)
        found=$(((many - few) / (32 * instruction_agents)))
        show "  $world: $found instructions per agent and tick, at most $most"
        ((found * 100 > most * 97)) || show "  limit can be lowered: $world: $found"
        ((found <= most))
    done <<<"$most_instructions"
}

check_licences() {
    cargo_deny check licenses bans sources
}

check_msrv() {
    local version toolchain
    version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    toolchain=$(rustup toolchain list | awk '{ print $1 }' | grep -E "^${version//./\\.}(\.[0-9]+)?-" | head -n 1) ||
        skip "rustup toolchain install $version --profile minimal"
    CARGO_TARGET_DIR="$target/msrv" cargo "+$toolchain" check --locked --workspace --all-features
}

check_long() {
    # No documentation tests: there, `ignore` marks examples that cannot run.
    PROPTEST_CASES="${PROPTEST_CASES:-$long_cases}" cargo test --locked --workspace --all-features --no-fail-fast \
        --lib --bins --tests -- --include-ignored 2>&1 | show_results
    # The library with its default features, as a dependent crate gets it.
    cargo test --locked -p throng --no-fail-fast 2>&1 | show_results
}

check_advisories() {
    cargo_deny fetch db || skip "the advisory database is out of reach"
    cargo_deny check advisories
}

check_window() {
    CARGO_TARGET_DIR=$target scripts/bindings.sh window 2>&1 | show_steps
}

check_bindings() {
    CARGO_TARGET_DIR=$target scripts/bindings.sh 2>&1 | show_steps
}

# ---- helpers of the checks --------------------------------------------------------------------------------------

# Builds all programs and examples as the tests are built, so that all of them share one build of the library.
build_programs() {
    cargo build --locked --workspace --all-features --profile test --bins --examples
}

# In a terminal: keeps the last line of the log, which is what Cargo compiles, at the end of the screen.
follow_log() {
    local line
    [[ $terminal == yes ]] || return 0
    while sleep 0.5; do
        [[ ! -e $log.asking ]] || continue
        line=$(tail -c 400 "$log" 2>/dev/null | tr -d '\r\033' | grep . | tail -n 1 || true)
        printf '\r\e[K%s' "${dim}  $((SECONDS - began)) s  ${line:0:$((${COLUMNS:-80} - 14))}${plain}"
    done
}

# Removes what follow_log has left.
clear_line() { [[ $terminal == no ]] || printf '\r\e[K'; }

# Prints a line, also when the check passes.
show() { clear_line >&3; printf '%s\n' "$*" >&3; }

# Ends a check that cannot run here, as skipped.
skip() {
    show "  skipped: $*"
    exit "$skipped"
}

# Passes the output of `cargo test` on and shows the last line of each test program at once.
show_results() {
    local line
    while IFS= read -r line; do
        case $line in
            "test result:"* | *"limit can be lowered:"*) show "$line" ;;
            "     Running "* | "   Doc-tests "*) show "$line"; printf '%s\n' "$line" ;;
            *) printf '%s\n' "$line" ;;
        esac
    done
}

# Passes lines on and shows each at once.
show_lines() {
    local line
    while IFS= read -r line; do
        show "  $line"
        printf '%s\n' "$line"
    done
}

# Passes lines on and shows those that a script indents at once.
show_steps() {
    local line
    while IFS= read -r line; do
        if [[ $line == "  "* ]]; then show "$line"; fi
        printf '%s\n' "$line"
    done
}

# within SECONDS COMMAND...: runs a command with a time limit, where the system has `timeout`.
within() {
    if command -v timeout >/dev/null; then timeout "$@"; else shift; "$@"; fi
}

# instructions DIMENSIONS AGENTS TICKS: prints the instructions of that many ticks.
instructions() {
    THRONG_ISA=avx2 valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$target/release/examples/ticks" "$@" 2>&1 | tee /dev/stderr | sed -n 's/^.*Collected : \([0-9]*\).*$/\1/p'
}

# features_of PACKAGE: prints the features of a package of the workspace.
features_of() {
    local manifest
    case $1 in
        throng) manifest=Cargo.toml ;;
        throng-bench) manifest=benches/Cargo.toml ;;
        throng-draw) manifest=crates/draw/Cargo.toml ;;
        throng-formats) manifest=crates/formats/Cargo.toml ;;
        throng-scenario) manifest=crates/scenario/Cargo.toml ;;
        throng-view) manifest=crates/view/Cargo.toml ;;
        *) manifest=crates/cli/Cargo.toml ;;
    esac
    awk '/^\[/ { inside = $0 == "[features]" } inside && match($0, /^[A-Za-z0-9_-]+ *=/) { sub(/ *=.*/, ""); print }' \
        "$manifest" | grep -vx default || true
}

# targets_in FOLDER: prints the targets that Cargo finds there, NAME.rs and NAME/main.rs.
targets_in() {
    find "$1" \( -path "$1/*/*/*" -prune \) -o \( -path "$1/*/main.rs" -o -name '*.rs' ! -path "$1/*/*" \) -print 2>/dev/null |
        sed -E 's|^[^/]*/||; s|/main\.rs$||; s|\.rs$||' | LC_ALL=C sort
}

# tool NAME VERSION [OPTION...]: sets `tool` to this version of a program: the installed one, or else one that Cargo
# installs under the target folder.
tool() {
    local name=$1 version=$2
    shift 2
    tool=$name
    if ! "$tool" --version 2>/dev/null | grep -qE " v?${version//./\\.}\$"; then
        tool=$target/tools/bin/$name
        if ! "$tool" --version 2>/dev/null | grep -qE " v?${version//./\\.}\$"; then
            may_install "$name $version" || skip "$name $version is not installed"
            # A debug build compiles in half the time and is fast enough. Cargo clears its build folder.
            env -u CARGO_TARGET_DIR CARGO_PROFILE_DEV_DEBUG=0 cargo install "$name" --locked --debug --force \
                --version "$version" --root "$target/tools" "$@"
        fi
    fi
}

cargo_deny() {
    tool cargo-deny "$cargo_deny_version"
    # Without --workspace, only the root package would be checked.
    "$tool" --workspace --all-features "$@"
}

# may_install WHAT...: whether to install this. Asks in a terminal, unless CI is set.
may_install() {
    local answer
    [[ -z ${CI:-} && -t 3 && -r /dev/tty ]] || return 0
    touch "$log.asking" # follow_log waits
    show "  install $* now? [Y/n] "
    read -r answer </dev/tty || answer=no
    rm "$log.asking"
    [[ -z $answer || $answer == [yY]* ]]
}

# Installs packages of the system, with apt.
install_packages() {
    local as_root=()
    command -v apt-get >/dev/null && may_install "$@" || return 1
    [[ $(id -u) == 0 ]] || as_root=(sudo -n)
    ${as_root[@]+"${as_root[@]}"} apt-get update -qq &&
        ${as_root[@]+"${as_root[@]}"} apt-get install -y -qq --no-install-recommends "$@"
}

# Installs the common needs of all checks: Cargo's components and a linker.
prepare() {
    command -v cargo >/dev/null || PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
    command -v cargo >/dev/null || { echo "scripts/check.sh needs Rust: install it with rustup"; return 1; }
    command -v cc >/dev/null || install_packages gcc libc6-dev || true
    cargo fmt --version >/dev/null 2>&1 || { may_install rustfmt && rustup component add rustfmt; }
    cargo clippy --version >/dev/null 2>&1 || { may_install Clippy && rustup component add clippy; }
}

# ---- the run ----------------------------------------------------------------------------------------------------

skipped=77
target=${CARGO_TARGET_DIR:-target}
[[ $target == /* ]] || target=$PWD/$target
export CARGO_TERM_COLOR=never CARGO_TERM_PROGRESS_WHEN=never

terminal=no green='' red='' dim='' plain=''
[[ ! -t 1 || ${TERM:-dumb} == dumb ]] || terminal=yes
if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
    green=$'\e[32m' red=$'\e[31m' dim=$'\e[2m' plain=$'\e[0m'
fi

full=no everything=no
wanted=()
for argument in "$@"; do
    case $argument in
        --full) full=yes ;;
        -h | --help) usage; exit 0 ;;
        -*) echo "scripts/check.sh: no option $argument (see --help)" >&2; exit 2 ;;
        quick) wanted+=("${quick_checks[@]}") ;;
        *)
            printf '%s\n' "${checks[@]}" "${full_checks[@]}" "${named_checks[@]}" | awk '{ print $1 }' | grep -qxF -e "$argument" ||
                { echo "scripts/check.sh: no check $argument (see --help)" >&2; exit 2; }
            wanted+=("$argument")
            ;;
    esac
done
if [[ ${#wanted[@]} == 0 ]]; then
    everything=yes
    for check in "${checks[@]}"; do wanted+=("${check%% *}"); done
    if [[ $full == yes ]]; then
        for check in "${full_checks[@]}"; do wanted+=("${check%% *}"); done
    fi
fi

log=$(mktemp)
follower=
trap 'rm -f "$log" "$log.asking"; [[ -z $follower ]] || kill "$follower" 2>/dev/null || true' EXIT
trap 'cat "$log"; echo "interrupted"; exit 130' INT TERM
exec 3>&1 </dev/null

failed=() left_out=()
if ! (set -e; prepare) >"$log" 2>&1; then
    cat "$log"
    exit 1
fi
command -v cargo >/dev/null || export PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"

if [[ $everything == yes ]]; then
    mkdir -p "$target"
    free=$(df -Pk "$target" | awk 'NR == 2 { printf "%d", $4 / 1e6 }')
    echo "${#wanted[@]} checks: about $cold_minutes minutes on two cores without a previous build, $warm_minutes with one;" \
        "$disk_gigabytes GB on disk ($free GB free)"
fi

for name in "${wanted[@]}"; do
    what=$(printf '%s\n' "${checks[@]}" "${full_checks[@]}" "${named_checks[@]}" | sed -n "s/^$name  *//p")
    printf '%s\n' "${dim}▸${plain} $name: $what"
    began=$SECONDS
    follow_log & follower=$!
    # Not in a condition, where `set -e` has no effect inside the check.
    set +e
    (set -euo pipefail; "check_$name") >"$log" 2>&1
    status=$?
    kill "$follower" 2>/dev/null
    wait "$follower" 2>/dev/null
    set -e
    clear_line
    took="$((SECONDS - began)) s"
    case $status in
        0) printf '%s\n' "${green}✓${plain} $name $took" ;;
        "$skipped")
            left_out+=("$name")
            printf '%s\n' "${dim}-${plain} $name $took"
            ;;
        *)
            failed+=("$name")
            cat "$log"
            printf '%s\n' "${red}✗${plain} $name $took"
            ;;
    esac
done

echo
[[ ${#left_out[@]} == 0 ]] || echo "skipped: ${left_out[*]}"
if [[ ${#failed[@]} -gt 0 ]]; then
    printf '%s\n' "${red}✗ ${#failed[@]} of ${#wanted[@]} checks failed in $SECONDS s:${plain} ${failed[*]}"
    exit 1
fi
printf '%s\n' "${green}✓ all $((${#wanted[@]} - ${#left_out[@]})) checks passed in $SECONDS s${plain}"
