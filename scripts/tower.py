#!/usr/bin/env python3
"""Writes a scenario of a tower to the standard output: tower.py STOREYS PEOPLE [LENGTH WIDTH], in metres."""

import sys

HEIGHT = 3.5  # of a storey, in metres
FLIGHT = (8.0, 1.8)  # length and width


def main(storeys, people, length, width):
    run, wide = FLIGHT
    low, high = (width - run) / 2, (width + run) / 2
    names = [f"storey-{number}" for number in range(storeys)]
    print("#:schema throng.schema.json")
    print(f"# {people} people leave a tower of {storeys} storeys by two exits on the lowest. At both ends of the building, flights lead")
    print("# down, one beside the other by turns. `scripts/tower.py` writes towers of any size.")
    print("format = 1\n\nstorey = [")
    for number, name in enumerate(names):
        print(f'  {{ name = "{name}", elevation = {number * HEIGHT} }},')
    print("]\n\nstair = [")
    for number in range(storeys - 1):
        ends = f'storeys = ["{names[number]}", "{names[number + 1]}"]'
        turn = number % 2
        foot, way = (low, run) if turn == 0 else (high, -run)
        west = turn * (wide + 0.2)
        for side, start in (("west", west), ("east", length - west - wide)):
            line = f"[[{start:.1f}, {foot}], [{start + wide:.1f}, {foot}]]"
            print(f'  {{ name = "{side}-{number}", {ends}, foot = {line}, run = [0.0, {way}] }},')
    print("]\n\nregion = [")
    print(f'  {{ name = "west-exit", centre = [2.0, 1.0], size = [4.0, 2.0] }},')
    print(f'  {{ name = "east-exit", centre = [{length - 2.0}, {width - 1.0}], size = [4.0, 2.0] }},')
    size = f"size = [{length - 12.0}, {width - 2.0}]"
    for name in names:
        print(f'  {{ name = "of-{name}", centre = [{length / 2}, {width / 2}], {size}, storey = "{name}" }},')
    print(f"""]

sink = [{{ name = "west", region = "west-exit" }}, {{ name = "east", region = "east-exit" }}]

[world]
dimensions = 2
size = [{length}, {width}]         # metres, of each storey
tick = 0.05                 # seconds
ticks = 20000
until = "empty"
seed = 40

[navigation.out]
goals = ["region:west-exit", "region:east-exit"]

[species.person]
count = {people}
people = true
max_speed = {{ mean = 1.34, sd = 0.26, low = 0.8, high = 1.8 }}   # metres per second, on level ground
pre_movement = [0.0, 30.0]  # seconds
behaviours = [{{ rule = "walk_to", goals = ["out"] }}]

[species.person.place]
speed = 0.0
regions = [""")
    for name in names:
        print(f'  "of-{name}",')
    print("""]

[output]
picture = { colour = "speed" }

[output.measures]
every = 100                 # ticks
names = ["agents", "mean_speed", "overlaps", "stuck"]""")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__)
    storeys, people, *size = (int(text) for text in sys.argv[1:])
    main(storeys, people, *(float(side) for side in size or (36, 24)))
