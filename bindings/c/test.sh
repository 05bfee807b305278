#!/usr/bin/env bash
# Builds the library and the programs in C and C++, and runs them: as they are, with AddressSanitizer, and under valgrind.
# Compares the header with what cbindgen makes, unless cbindgen cannot be installed. `--header` writes it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
cbindgen_version=0.29.4
root=$PWD/../..
target=${CARGO_TARGET_DIR:-$PWD/target}
tools=$target/tools

cbindgen=cbindgen
for cbindgen in cbindgen "$tools/bin/cbindgen"; do
    if "$cbindgen" --version 2>/dev/null | grep -qF " $cbindgen_version"; then break; fi
    cbindgen=
done
if [[ -z $cbindgen ]]; then
    echo "  installs cbindgen $cbindgen_version"
    env -u CARGO_TARGET_DIR cargo install --quiet --locked --debug --root "$tools" --version "$cbindgen_version" cbindgen
    cbindgen=$tools/bin/cbindgen
fi
if [[ ${1:-} == --header ]]; then
    "$cbindgen" --quiet --output include/throng.h .
    exit
fi
"$cbindgen" --quiet --verify --output include/throng.h . || {
    echo "include/throng.h is not what the sources give: bindings/c/test.sh --header writes it"
    exit 1
}
echo "  the header is up to date"

cargo fmt --check
cargo clippy --locked --quiet --release -- -D warnings
CARGO_TARGET_DIR=$target cargo build --locked --quiet --release
out=$target/programs
mkdir -p "$out"
libraries=("$target/release/libthrong.a" -lpthread -ldl -lm)
strict=(-Wall -Wextra -Wpedantic -Werror -O1 -g -Iinclude)
scenario=$root/scenarios/flock.toml

# programs SUFFIX OPTION...: builds all programs.
programs() {
    local suffix=$1
    shift
    for name in flock battle; do
        cc -std=c11 "${strict[@]}" "$@" -o "$out/$name$suffix" "examples/$name.c" "${libraries[@]}"
    done
    cc -std=c11 -D_GNU_SOURCE "${strict[@]}" -frounding-math "$@" -o "$out/wrong_use$suffix" tests/wrong_use.c "${libraries[@]}"
    cc -std=c11 "${strict[@]}" "$@" -o "$out/random_use$suffix" tests/random_use.c "${libraries[@]}"
    c++ -std=c++17 "${strict[@]}" "$@" -o "$out/scenario$suffix" examples/scenario.cpp "${libraries[@]}"
    c++ -std=c++17 "${strict[@]}" "$@" -o "$out/exceptions$suffix" tests/exceptions.cpp "${libraries[@]}"
}

programs ""
programs "-asan" -fsanitize=address,undefined -fno-sanitize-recover
# The shared library, as a host would load it.
cc -std=c11 "${strict[@]}" -o "$out/flock-shared" examples/flock.c -L"$target/release" -lthrong -lm \
    -Wl,-rpath,"$target/release"

cd "$out"
hashes=()
for name in flock flock-asan flock-shared; do hashes+=("$(./"$name" | grep "state hash")"); done
[[ ${hashes[0]} == "${hashes[1]}" && ${hashes[0]} == "${hashes[2]}" ]]
echo "  flock in C: ${hashes[0]}, static, shared and with AddressSanitizer"
hash=$(./battle | grep "state hash")
[[ $hash == "$(./battle-asan | grep "state hash")" ]]
echo "  battle in C: $hash, also with AddressSanitizer"
for name in wrong_use wrong_use-asan random_use random_use-asan exceptions exceptions-asan; do ./"$name"; done
echo "  wrong use: a status and a text for each, also of random calls, exceptions in C++, also with AddressSanitizer"
if command -v mcs >/dev/null && command -v mono >/dev/null; then
    mcs -out:Flock.exe "$root/bindings/c/examples/Flock.cs"
    echo "  flock in C#, with a rollback: $(LD_LIBRARY_PATH=$target/release mono Flock.exe | sed -n 's/^state hash //p')"
fi
found=$(./scenario-asan "$scenario" 50 | sed -n 's/^state hash //p')
if [[ -n ${THRONG:-} ]]; then
    wanted=$("$THRONG" run "$scenario" --ticks 50 --quiet --json | sed -n 's/^ *"hash": "\(.*\)",*$/\1/p')
    [[ $found == "$wanted" ]]
    echo "  scenario in C++: $found, as the program's"
fi
if command -v valgrind >/dev/null; then
    # Optimised code of safe Rust compares enums with bytes that the variant at hand does not have, and drops the result.
    for program in "./flock 5" ./battle "./scenario $scenario 5"; do
        # shellcheck disable=SC2086 # a program and its arguments
        valgrind --quiet --error-exitcode=9 --undef-value-errors=no --leak-check=full \
            --show-leak-kinds=definite --errors-for-leak-kinds=definite $program >/dev/null
    done
    echo "  flock and battle in C and scenario in C++ under valgrind: no error, nothing lost"
fi
