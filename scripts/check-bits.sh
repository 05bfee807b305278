#!/usr/bin/env bash
# Finds lines of the library that could give different bits on another machine or with another number of threads.
#
#   scripts/check-bits.sh              scan src/
#   scripts/check-bits.sh FILE...      scan these files
#   scripts/check-bits.sh --self-test  test that every rule finds its samples, and nothing else
#
# Comments, strings and test code (`#[cfg(test)]`, `#[test]`, tests.rs) are skipped. clippy.toml covers what Clippy can
# see by type (f32::min, f32::sin, ...); this script covers the rest. A line that is correct nevertheless gives the
# reason, at its end or in the line above: `// bits: only the profile reads this`. No reason excuses a fused
# multiplication, an approximate reciprocal or `unsafe`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The one module that may hold `unsafe` and machine intrinsics.
simd_module='^src/kernels/simd(_[a-z0-9_]+)?[.]rs$|^src/kernels/simd/'

# Reads Rust and prints `FILE:LINE: [rule] what is wrong`. Ends with 1 if it printed anything.
scan() {
    LC_ALL=C awk -v simd_module="$simd_module" '
    function report(rule, text) {
        if (in_test && rule != "unsafe") return
        if (excused[FNR] && rule !~ /^(fused|approximate|unsafe)$/) return
        printf "%s:%d: [%s] %s\n", FILENAME, FNR, rule, text
        found = 1
    }

    # `name`, an identifier; `before`, the token in front of it; `after`, the text of the line behind it.
    function identifier(name, before, after) {
        if (name == "unsafe" && !simd_file)
            report("unsafe", "`unsafe` belongs in src/kernels/simd*.rs alone")
        if (name == "arch" && before == "::" && before_path ~ /^(std|core)$/ && !simd_file)
            report("intrinsics", "machine intrinsics belong in src/kernels/simd*.rs alone")

        if (name ~ /(^|_)(mul_add|mul_sub|fmadd|fmsub|fnmadd|fnmsub|fmaddsub|fmsubadd)(_|$)/ || name ~ /^vfm[as]q?_/)
            report("fused", "`" name "` rounds once where a multiplication and an addition round twice")
        if (name ~ /approximate_recip|rsqrt|^vrecp[es]|(^|_)rcp(14|28)?_/)
            report("approximate", "`" name "` has a precision that depends on the processor: divide")

        if (name ~ /^((f|i|u|mask)(8|16|32|64))s$/ && before != "." && before != "fn")
            report("width", "`" name "` has a width that depends on the processor: use a fixed width")
        if (name ~ /^reduce_(sum|product)(_(f|i|u)(8|16|32|64)x[0-9]+)?$/ || name ~ /^pairwise_dot_product/)
            report("lanes", "`" name "` adds across lanes in an order of its own: add in one written order")
        if (name ~ /^reduce_(min|max)(_f(32|64)x[0-9]+)?$/ || name ~ /^(min|max)_f(32|64)x[0-9]+$/)
            report("lanes", "`" name "` leaves NaN and the sign of zero to the processor: compare and select")

        if (name ~ /^(thread_rng|OsRng|SysRng|from_os_rng|from_entropy|SystemTime|RandomState)$/)
            report("outside", "`" name "` differs from run to run: draw from noise, by seed, id and tick")

        if (name ~ transcendental && ((before == "." && after ~ /^\(/) || (before == "::" && before_path ~ /^f(32|64)$/)))
            report("library", "`" name "` of the standard library differs by platform: use throng::maths")

        if (name ~ /^(find_any|find_map_any|position_any|par_bridge)$/)
            report("parallel", "`" name "` depends on which thread is first")
        if (name ~ /^(into_par_iter|par_iter|par_iter_mut|par_r?chunks(_exact)?(_mut)?|par_windows|par_drain|par_bridge)$/)
            parallel[depth] = 1
        if (parallel[depth] && before == "." && name ~ /^(sum|product|reduce|reduce_with|try_reduce|try_reduce_with|fold|fold_with|try_fold)$/)
            if (after !~ /^::<[ui](8|16|32|64|128|size)>/)
                report("parallel", "`" name "` of a parallel iterator adds in an order that the threads choose: collect one value a chunk, add those in order (or name the integer type: `" name "::<u64>()`)")
    }

    # Handles one token that is neither space, comment nor literal.
    function token(text, after) {
        if (block_closed && text != "." && text != "?") parallel[depth] = 0
        block_closed = 0
        if (text ~ /^[A-Za-z_]/) identifier(text, last, after)
        else if (text ~ /^[\(\[{]$/) {
            if (text == "{" && test_next && !in_test) { in_test = 1; test_depth = depth }
            if (text == "{") test_next = 0
            depth++; parallel[depth] = 0
        } else if (text ~ /^[])}]$/) {
            depth--
            if (text == "}") block_closed = 1
            if (in_test && text == "}" && depth <= test_depth && !test_file) in_test = 0
        } else if (text == ";" || text == ",") {
            parallel[depth] = 0
            if (text == ";") test_next = 0
        }
        if (text == "::") before_path = last
        last = text
    }

    BEGIN {
        transcendental = "^(sin|cos|tan|sin_cos|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh" \
            "|exp|exp2|exp_m1|ln|ln_1p|log|log2|log10|powf|powi|cbrt|hypot)$"
    }

    FNR == 1 {
        depth = 0; comment = 0; raw = ""; in_string = 0; test_next = 0; block_closed = 0; last = ""; before_path = ""
        split("", parallel); split("", excused)
        simd_file = FILENAME ~ simd_module
        test_file = FILENAME ~ /(^|\/)tests(\.rs$|\/)/
        in_test = test_file; test_depth = -1
    }

    {
        s = $0
        if (s ~ /\/\/ bits: ./) { excused[FNR] = 1; if (s ~ /^ *\/\//) excuse_next = 1 }
        else if (s !~ /^ *\/\//) { if (excuse_next) excused[FNR] = 1; excuse_next = 0 }

        while (s != "") {
            if (comment) {                                          # inside /* ... */, which nest
                if (match(s, /\/\*|\*\//)) {
                    comment += substr(s, RSTART, 2) == "/*" ? 1 : -1
                    s = substr(s, RSTART + 2)
                } else s = ""
            } else if (raw != "") {                                 # inside r#"..."#
                if ((at = index(s, raw)) > 0) { s = substr(s, at + length(raw)); raw = "" } else s = ""
            } else if (in_string) {                                 # inside "..."
                if (match(s, /^([^"\\]|\\.)*"/)) { s = substr(s, RLENGTH + 1); in_string = 0 } else s = ""
            } else if (s ~ /^\/\//) s = ""
            else if (s ~ /^\/\*/) { comment = 1; s = substr(s, 3) }
            else if (match(s, /^(br|cr|r)#*"/)) {
                raw = substr(s, 1, RLENGTH); sub(/^[bcr]+/, "", raw); gsub(/"/, "", raw); raw = "\"" raw
                s = substr(s, RLENGTH + 1)
            } else if (match(s, /^[bc]?"/)) { in_string = 1; s = substr(s, RLENGTH + 1) }
            else if (match(s, /^'\''\\.[^'\'']*'\''/)) s = substr(s, RLENGTH + 1)      # a character, escaped
            else if (match(s, /^'\''[A-Za-z_][A-Za-z0-9_]*/) && substr(s, RLENGTH + 1, 1) != "'\''")
                s = substr(s, RLENGTH + 1)                                             # a lifetime
            else if (match(s, /^'\''[^'\'']*'\''/)) s = substr(s, RLENGTH + 1)         # a character
            else if (match(s, /^#!\[cfg\(test\)\]/)) { in_test = test_file = 1; s = substr(s, RLENGTH + 1) }
            else if (match(s, /^#\[(cfg\(test\)|test)\]/)) { test_next = 1; s = substr(s, RLENGTH + 1) }
            else if (match(s, /^[A-Za-z_][A-Za-z0-9_]*/) || match(s, /^[0-9][A-Za-z0-9_]*/) || match(s, /^::/) || match(s, /^[^ \t]/)) {
                text = substr(s, 1, RLENGTH); s = substr(s, RLENGTH + 1)
                token(text, s)
            } else s = substr(s, 2)
        }
    }

    END { exit found }
    ' "$@"
}

# Tests that the scan finds every line that ends in `//~ rule`, by that rule, and no other line.
self_test() {
    local sample expected actual
    sample=$(mktemp -d)
    # shellcheck disable=SC2064 # expand now: this folder is the one to remove
    trap "rm -rf '$sample'" EXIT
    cat > "$sample/sample.rs" <<'RUST'
//! mul_add in a comment; unsafe too.
/* a block /* in a block */ with fmadd
   over two lines: approximate_recip */
fn fused<'a>(a: &'a f32, s: Simd) -> f32 {
    let text = "mul_add \" unsafe"; let raw = r#"say "fmadd" "#; let quote = '"'; let tick = '\''; let byte = b'"';
    let over_lines = "one
        mul_add and unsafe
        three";
    let x = a.mul_add(2.0, 1.0); //~ fused
    let x = a.mul_add(2.0, 1.0); /* bits do not excuse this */ //~ fused
    // bits: nor does a line of its own
    let x = _mm256_fmadd_ps(a, b, c); //~ fused
    let y = s.mul_sub_f32x16(a, b, c); //~ fused
    let z = vfmaq_f32(a, b, c); //~ fused
    let simul_addition = accumulate_add(x, y);
    s.approximate_recip_f32x16(z) + _mm_rsqrt_ps(z) //~ approximate //~ approximate
}
fn words() {
    let unsafe_code = 1; // not the keyword
    unsafe { go() } //~ unsafe
    use std::arch::x86_64::*; //~ intrinsics
    let v: S::f32s = S::f32s::splat(1.0); //~ width //~ width
    let v = reader.f32s(3); // a method of this name is not a vector
    let v = v.reduce_sum() + s.reduce_max_f32x16(v); //~ lanes //~ lanes
    let v = s.max_f32x16(v, w); //~ lanes
    let k = v.reduce_sum(); // bits: integers
    let r = rand::thread_rng(); //~ outside
}
fn library(x: f64, trig: Trig) -> f64 {
    let fine = trig::sin(x) + sin(x) + self.exp + log!(x);
    let bad = x.sin() //~ library
        + f64::exp(x); //~ library
    let reported = x.ln(); // bits: printed, never fed back
    // bits: printed, never fed back
    // (two lines of comment)
    let reported = x.ln();
    map(f32::sqrt).map(f32::cos) //~ library
}
fn parallel(rows: &[f32]) -> f32 {
    let count = rows.par_iter().filter(|x| **x > 0.0).map(|_| 1).sum::<usize>();
    let total: f32 = rows.par_iter().sum(); //~ parallel
    let total = rows
        .par_chunks(256)
        .map(|chunk| chunk.iter().sum::<f32>())
        .reduce(|| 0.0, |a, b| a + b); //~ parallel
    let parts: Vec<f32> = rows.par_chunks(256).map(|c| { let s: f32 = c.iter().sum(); s }).collect();
    if rows.par_iter().any(|x| x.is_nan()) {
        return 0.0;
    }
    let pair = (rows.par_iter().count(), rows.iter().sum::<f32>());
    let first = rows.par_iter().find_any(|x| **x > 0.0); //~ parallel
    let most = rows.par_iter().copied().reduce(|| 0, u32::max); // bits: the largest, in any order
    parts.iter().sum()
}
#[cfg(test)]
mod tests;
fn after() { x.mul_add(y, z); } //~ fused
#[cfg(test)]
mod checks {
    fn oracle(x: f64) -> f64 { x.sin().mul_add(x, x) }
    fn not_even_here() { unsafe { go() } } //~ unsafe
}
fn last(x: f64) -> f64 { x.cos() } //~ library
RUST
    mkdir -p "$sample/src/kernels/simd" "$sample/src/tests"
    echo 'fn load() { unsafe { core::arch::x86_64::_mm_setr_ps() } }' > "$sample/src/kernels/simd_sse.rs"
    cp "$sample/src/kernels/simd_sse.rs" "$sample/src/kernels/simd/load.rs"
    echo 'fn oracle(x: f64) -> f64 { x.sin() }' > "$sample/src/tests/oracle.rs"

    expected=$(awk '{ n = NR; s = $0; while (match(s, /\/\/~ [a-z]+/)) { print n, substr(s, RSTART + 4, RLENGTH - 4); s = substr(s, RSTART + RLENGTH) } }' "$sample/sample.rs")
    actual=$(cd "$sample" && scan sample.rs src/kernels/simd_sse.rs src/kernels/simd/load.rs src/tests/oracle.rs |
        sed -E 's/^sample\.rs:([0-9]+): \[([a-z]+)\].*/\1 \2/') || true
    if [[ $expected != "$actual" ]]; then
        echo "expected findings (<) and actual ones (>) differ:"
        diff <(printf '%s\n' "$expected") <(printf '%s\n' "$actual") || true
        return 1
    fi
    echo "the rules find all $(printf '%s\n' "$expected" | wc -l) samples and nothing else"
}

case ${1:-} in
    --self-test) self_test ;;
    -*) echo "usage: scripts/check-bits.sh [--self-test | FILE...]" >&2; exit 2 ;;
    '')
        files=()
        while IFS= read -r file; do files+=("$file"); done < <(find src -name '*.rs' | LC_ALL=C sort)
        [[ ${#files[@]} -gt 0 ]] || { echo "no Rust files in src/"; exit 1; }
        scan "${files[@]}"
        echo "${#files[@]} files of src/ keep to the rules"
        ;;
    *) scan "$@" ;;
esac
