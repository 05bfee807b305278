#!/usr/bin/env bash
# Draws every scenario of scenarios/ to docs/pictures/NAME.png, and writes docs/gallery.md, which shows the pictures. With
# Python 3 installed the pictures are compressed further, without loss. Takes half a minute, after the build; with THRONG,
# the path of a program, it builds none. scripts/hero.sh draws the film of the README.
#
#   scripts/pictures.sh            draws all pictures
#   scripts/pictures.sh NAME...    draws these pictures, and writes the page; `tutorial` and `tuning` are the pictures of
#                                  these documents
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The drawing options of each scenario: wide enough for its crowd, and with trails, except for large crowds, which
# trails would hide. The most telling tick is drawn, or one at which more is to be seen.
options_of() {
    case $1 in
        murmuration) echo "--ticks 280 --zoom 4 --trails 6 --width 960" ;;
        shoal) echo "--ticks 260 --zoom 1.9 --trails 14 --width 960" ;;
        hall) echo "--ticks 600 --width 800" ;;
        bottleneck) echo "--ticks 500 --width 800" ;;
        platform) echo "--ticks 400 --width 960 --height 360 --centre 22.5,7 --zoom 2.2" ;;
        stadium) echo "--ticks 900 --density --width 640" ;;
        office) echo "--ticks 600 --width 960" ;;
        tower) echo "--ticks 900 --width 640 --height 800 --stacked --elevation 12" ;;
        circle) echo "--ticks 1500 --width 640" ;;
        ants) echo "--ticks 900 --width 800 --fit world" ;;
        physarum) echo "--ticks 600 --width 800 --fit world" ;;
        arrivals) echo "--ticks 1200 --width 800" ;;
        crossing | counterflow | stand | take_place | stay_in_group) echo "--width 800 --trails 20" ;;
        walls) echo "--ticks 900 --width 800 --trails 20" ;;
        walk_to) echo "--ticks 240 --width 720" ;;
        queue) echo "--width 720 --trails 60 --fit crowd" ;;
        arrive) echo "--ticks 100 --width 720 --trails 60" ;;
        hide) echo "--ticks 90 --width 720 --trails 60" ;;
        seek) echo "--ticks 60 --width 720 --trails 60 --fit world" ;;
        alignment | follow_flow_field | netlogo_flocking | mason_flockers | vicsek) echo "--width 680 --trails 20" ;;
        tether | wander) echo "--width 720 --trails 40" ;;
        cohesion | containment | evade | flee | flock | match_velocity | separation | wander_to_targets)
            echo "--width 720 --trails 30"
            ;;
        *) echo "--width 720 --trails 60" ;;
    esac
}
# The pictures of the tutorial, drawn from docs/tutorial/NAME.toml: NAME and the last tick.
tutorial='1-agents 60
2-flock 400
3-obstacles 240
4-predators 600
5-states 600'
tutorial_film="--from 240 --ticks 420 --every 3 --fps 20 --width 360 --trails 20"
# The pictures of docs/tuning.md, drawn from docs/tuning/shoal.toml: NAME and the overrides.
tuning='shoal cohesion.weight=0.5
ball cohesion.weight=1.5
knots cohesion.weight=3
quick response=0.1
calm response=0.8
slow response=3.2
rest min_speed=0
sight cohesion.fov=270'
# The largest sizes of a picture and of all pictures together, in KiB.
most=445 most_large=900 most_together=10240

case ${1:-} in
    -*) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac

throng=${THRONG:-${CARGO_TARGET_DIR:-target}/release/throng}
[[ -n ${THRONG:-} ]] || cargo build --locked --release -p throng-cli
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT

# smaller FILE: stores the rows of a picture unfiltered and compresses them with zlib's best, if that makes it smaller.
smaller() {
    command -v python3 >/dev/null || return 0
    python3 - "$1" <<'PYTHON'
import struct, sys, zlib

file = sys.argv[1]
data = open(file, "rb").read()
at, packed = 8, b""
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + length]
    if kind == b"IHDR":
        header = body
    if kind == b"IDAT":
        packed += body
    at += 12 + length
width, height, *form = struct.unpack(">IIBBBBB", header)
assert form == [8, 2, 0, 0, 0], "eight bits each of red, green and blue"

# Undo the filter of each row: the predictor is left, above, their mean, or Paeth's.
def paeth(a, b, c):
    p, q, r = abs(b - c), abs(a - c), abs(a + b - c - c)
    return a if p <= q and p <= r else b if q <= r else c

raw, stride, rows = zlib.decompress(packed), width * 3, [bytearray(width * 3)]
for start in range(0, len(raw), stride + 1):
    kind, row, above = raw[start], bytearray(raw[start + 1:start + 1 + stride]), rows[-1]
    for x in range(stride) if kind else ():
        a, b, c = (row[x - 3] if x > 2 else 0), above[x], (above[x - 3] if x > 2 else 0)
        row[x] = row[x] + (a if kind == 1 else b if kind == 2 else (a + b) // 2 if kind == 3 else paeth(a, b, c)) & 255
    rows.append(row)

def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

plain = zlib.compress(b"".join(b"\0" + row for row in rows[1:]), 9)
best = data[:8] + chunk(b"IHDR", header) + chunk(b"IDAT", plain) + chunk(b"IEND", b"")
if len(best) < len(data):
    open(file, "wb").write(best)
PYTHON
}

# Prints the first sentence of a scenario's opening comment.
first_sentence() {
    awk '/^#:schema/ { next } !/^#/ { exit } { sub(/^# ?/, ""); text = text (text == "" ? "" : " ") $0 }
        END {
            gsub(/et al[.]/, "et al\001", text)
            if (match(text, /[.]( |$)/)) text = substr(text, 1, RSTART)
            gsub("\001", ".", text)
            print text
        }' "$1"
}

# filled NAME: fails if the crowd of a picture covers less than a quarter of its width and of its height.
filled() {
    awk -v name="$1" '/"crowd_share"/ { getline; wide = $1 + 0; getline; high = $1 + 0 }
        END { if (wide < 0.25 && high < 0.25) { print name ": the crowd covers " wide " x " high " of the picture"; exit 1 } }' >&2
}

kibibytes() { echo $((($(wc -c <"$1") + 1023) / 1024)); }

# The command that gives the state of a picture; one that is not drawn now keeps its command.
cp docs/gallery.md "$out/"
run_of() { cat "$out/$1.run" 2>/dev/null || grep "^throng run scenarios/$1.toml " "$out/gallery.md"; }

mkdir -p docs/pictures
if [[ $# -gt 0 ]]; then names=("$@"); else names=(tutorial tuning scenarios/*.toml); fi
for name in "${names[@]}"; do
    name=$(basename "$name" .toml)
    if [[ $name == tutorial ]]; then
        while read -r step ticks; do
            "$throng" render "docs/tutorial/$step.toml" -o "$out/$step.png" --quiet --ticks "$ticks" --width 480 --trails 30
            smaller "$out/$step.png"
            cp "$out/$step.png" "docs/tutorial/$step.png"
        done <<<"$tutorial"
        # shellcheck disable=SC2086 # words
        "$throng" render docs/tutorial/5-states.toml -o docs/tutorial/film.gif $tutorial_film --force
        continue
    elif [[ $name == tuning ]]; then
        while read -r shot set; do
            "$throng" render docs/tuning/shoal.toml -o "$out/$shot.png" --force --quiet --set "species.fish.$set" --width 240 --trails 20
            smaller "$out/$shot.png"
            cp "$out/$shot.png" "docs/tuning/$shot.png"
        done <<<"$tuning"
        continue
    fi
    # shellcheck disable=SC2046 # words
    "$throng" render "scenarios/$name.toml" -o "$out/$name.png" --force --json $(options_of "$name") >"$out/$name.json"
    filled "$name" <"$out/$name.json"
    run="run scenarios/$name.toml --ticks $(sed -nE 's/^ *"tick": ([0-9]+),?$/\1/p' "$out/$name.json")"
    # shellcheck disable=SC2086 # words
    hash=$("$throng" $run --out "$out/$name" --json | sed -nE 's/^ *"hash": "([0-9a-f]+)",?$/\1/p')
    echo "throng $run --expect-hash $hash" >"$out/$name.run"
    smaller "$out/$name.png"
    cp "$out/$name.png" "docs/pictures/$name.png"
    echo "docs/pictures/$name.png: $(kibibytes "docs/pictures/$name.png") KiB"
done

{
    echo "# Pictures"
    echo
    echo "Every scenario in [scenarios/](../scenarios), at a telling tick. \`scripts/pictures.sh\` writes this page. The last"
    echo "command of each ends with the hash of the state that the picture shows."
    for file in scenarios/*.toml; do
        name=$(basename "$file" .toml)
        sentence=$(first_sentence "$file")
        echo
        echo "## $name"
        echo
        echo "$sentence" | fold -s -w 120 | sed 's/ *$//'
        echo
        echo "![$name](pictures/$name.png)"
        echo
        echo '```sh'
        echo "throng render scenarios/$name.toml -o $name.png $(options_of "$name")"
        run_of "$name"
        echo '```'
    done
} >docs/gallery.md

together=0
for file in docs/pictures/*.png; do
    size=$(kibibytes "$file")
    together=$((together + size))
    limit=$most
    if [[ $file == */murmuration.png || $file == */shoal.png ]]; then limit=$most_large; fi
    if ((size > limit)); then echo "$file has $size KiB; the limit is $limit" >&2; exit 1; fi
done
echo "$together KiB in all"
((together <= most_together)) || { echo "the limit is $most_together KiB" >&2; exit 1; }
