#!/usr/bin/env python3
"""Writes a scenario from a building in an IFC file, to the standard output.

    ifc-plans.py building.ifc > building.toml
    ifc-plans.py building.ifc --storeys "Level 1" "Level 2" > building.toml

Walls are cut a metre above the floor of each storey; doors are open. Needs the packages ifcopenshell, numpy and
shapely.
"""

import argparse
import collections
import json
import pathlib
import re
import sys

import ifcopenshell
import ifcopenshell.geom
import ifcopenshell.util.element
import ifcopenshell.util.placement
import ifcopenshell.util.unit
import numpy as np
import shapely
from shapely.geometry import Polygon, box

CUT = 1.0003  # metres above a floor; no round number, at which edges lie
NEAR = 0.3  # metres between a floor and the end of a flight that leads to it
MARGIN = 3.0  # metres around the building
SOLID = ["IfcWall", "IfcColumn", "IfcPlate", "IfcCurtainWall", "IfcMember", "IfcRailing"]
UNREAD = ["IfcStair", "IfcRamp", "IfcRampFlight", "IfcTransportElement"]

Level = collections.namedtuple("Level", "name elevation")
Flight = collections.namedtuple("Flight", "name area axis way foot head")


class Names:
    """Names of a scenario: letters, digits, `_` and `-`, each once."""

    def __init__(self):
        self.taken = set()

    def of(self, text):
        plain = re.sub(r"[^A-Za-z0-9_-]+", "-", text or "").strip("-")[:50] or "unnamed"
        name, number = plain, 1
        while name in self.taken:
            number += 1
            name = f"{plain}-{number}"
        self.taken.add(name)
        return name


def meshes(model, elements):
    """The vertices and the triangles of elements that have a body, by their ids, in metres and without openings."""
    settings = ifcopenshell.geom.settings()
    settings.set("use-world-coords", True)
    settings.set("disable-opening-subtractions", True)
    found = {}
    if not elements:
        return found
    shapes = ifcopenshell.geom.iterator(settings, model, 1, include=elements)
    more = shapes.initialize()
    while more:
        shape = shapes.get()
        points = np.array(shape.geometry.verts).reshape(-1, 3)
        faces = np.array(shape.geometry.faces).reshape(-1, 3)
        if len(faces):
            found[shape.id] = points, faces
        more = shapes.next()
    return found


def section(mesh, z):
    """The area in which a horizontal plane cuts a mesh."""
    points, faces = mesh
    if not points[:, 2].min() < z < points[:, 2].max():
        return Polygon()
    lines, above = [], points[faces, 2] > z
    for corners in points[faces[above.any(axis=1) & ~above.all(axis=1)]]:
        ends = []
        for start, end in zip(corners, np.roll(corners, -1, axis=0)):
            if (start[2] > z) != (end[2] > z):
                # From below to above, so that the triangles at an edge get the same bits.
                start, end = sorted((start, end), key=lambda point: point[2])
                ends.append(start[:2] + (z - start[2]) / (end[2] - start[2]) * (end[:2] - start[:2]))
        lines.append(ends)
    lines = shapely.set_precision(shapely.union_all(shapely.linestrings(lines)), 1e-4)
    return shapely.build_area(shapely.multilinestrings(shapely.get_parts(lines)))


def storeys(model, wanted, names):
    """The storeys to write, from the lowest: those with spaces, if any has, or those that are named."""
    scale = ifcopenshell.util.unit.calculate_unit_scale(model)
    every = model.by_type("IfcBuildingStorey")
    if wanted:
        missing = set(wanted) - {storey.Name for storey in every}
        if missing:
            sys.exit(f"no storeys {sorted(missing)}; the file has {[storey.Name for storey in every]}")
        every = [storey for storey in every if storey.Name in wanted]
    else:
        parts = [ifcopenshell.util.element.get_decomposition(storey) for storey in every]
        spaced = [storey for storey, of in zip(every, parts) if any(part.is_a("IfcSpace") for part in of)]
        every = spaced or every
    heights = [(ifcopenshell.util.placement.get_storey_elevation(storey) * scale, storey.Name) for storey in every]
    return [Level(names.of(name), elevation) for elevation, name in sorted(heights)]


def door_openings(model, z, floor, cuts):
    """The areas of doors and passages in a plane: openings with doors, openings to the floor, doors without one."""
    found = []
    for opening in model.by_type("IfcOpeningElement"):
        if opening.id() not in cuts:
            continue
        fillings = [relation.RelatedBuildingElement for relation in opening.HasFillings]
        bottom = cuts[opening.id()][0][:, 2].min()
        if any(filling.is_a("IfcDoor") for filling in fillings) or (not fillings and bottom < floor + NEAR):
            found.append(section(cuts[opening.id()], z))
    for door in model.by_type("IfcDoor"):
        if not door.FillsVoids and door.id() in cuts:
            found.append(shapely.minimum_rotated_rectangle(section(cuts[door.id()], z)).buffer(0.05))
    return [area for area in found if area.area > 0.0]


def without_slivers(area):
    return area.buffer(-0.005, join_style="mitre").buffer(0.005, join_style="mitre").simplify(0.002)


def polygons(area):
    return [part for part in shapely.get_parts(area) if part.geom_type == "Polygon" and part.area > 1e-3]


def rectangle(points):
    """The box around points in the plan."""
    return box(*points[:, :2].min(axis=0), *points[:, :2].max(axis=0))


def is_climbing(places, heights):
    """Whether the highest points of the four quarters of a way rise."""
    quarters = np.minimum((places - places.min()) / np.ptp(places) * 4.0, 3.0).astype(int)
    tops = [heights[quarters == quarter].max() for quarter in np.unique(quarters)]
    return bool(np.all(np.diff(tops) > 0.01))


def flights(model, names):
    """The straight flights along an axis, with the heights of their ends, and the others with the reason."""
    found, left = [], []
    cuts = meshes(model, model.by_type("IfcStairFlight"))
    for flight in model.by_type("IfcStairFlight"):
        if flight.id() not in cuts:
            left.append((flight.Name, "it has no body"))
            continue
        points = cuts[flight.id()][0]
        area, heights = rectangle(points), points[:, 2]
        climbs = [(axis, way) for axis in (0, 1) for way in (1.0, -1.0) if is_climbing(way * points[:, axis], heights)]
        if shapely.MultiPoint(points[:, :2]).convex_hull.area < 0.9 * area.area or len(climbs) != 1:
            left.append((flight.Name, "it is not straight along an axis"))
            continue
        found.append(Flight(names.of("stair"), area, *climbs[0], heights.min(), heights.max()))
    return found, left


def level_at(levels, z):
    """The storey whose floor is near a height, if there is one."""
    near = min(levels, key=lambda level: abs(level.elevation - z), default=None)
    return near if near and abs(near.elevation - z) <= NEAR else None


def landings(slabs, levels, runs, names):
    """Storeys of landings: for each, the boxes around a landing with its flights, and the flights that lead up."""
    found = {}
    for points, _ in slabs:
        top, area = points[:, 2].max(), rectangle(points)
        beside = [run for run in runs if run.area.distance(area) < NEAR]
        lower = [run for run in beside if abs(run.head - top) <= NEAR]
        upper = [run for run in beside if abs(run.foot - top) <= NEAR]
        if lower and upper and level_at(levels, top) is None:
            level = level_at(list(found), top) or Level(names.of("landing"), top)
            around = shapely.union_all([area, *(run.area for run in lower + upper)]).envelope
            found.setdefault(level, []).append((around, upper))
    return found


def exits(walls, openings):
    """Boxes outside of the doors that have the outside on one side alone: centres and sizes."""
    filled = shapely.union_all([Polygon(part.exterior) for part in polygons(walls.buffer(NEAR))]).buffer(-NEAR)
    found = []
    for opening in openings:
        corners = np.array(shapely.minimum_rotated_rectangle(opening).exterior.coords)
        across, along = sorted(np.diff(corners[:3], axis=0), key=np.linalg.norm)
        normal, centre = across / np.linalg.norm(across), corners[:4].mean(axis=0)
        places = [centre + way * (across / 2.0 + 0.6 * normal) for way in (-1.0, 1.0)]
        outside = [place for place in places if not filled.contains(shapely.Point(place))]
        if len(outside) == 1:
            found.append((outside[0], np.abs(normal) + np.abs(along)))
    return found


def points_of(points):
    return "[" + ", ".join(f"[{x:.3f}, {y:.3f}]" for x, y in points) + "]"


class Writer:
    """Writes tables of the building, with its point `origin` at zero."""

    def __init__(self, origin):
        self.origin = origin

    def walls(self, area, level, solid=None):
        for ring in (ring for part in polygons(area) for ring in (part.exterior, *part.interiors)):
            print(f"\n[[wall]]\npolygon = {points_of(np.array(ring.coords)[:-1] - self.origin)}")
            print(f'storey = "{level.name}"' + ("" if solid is None else f"\nsolid = {str(solid).lower()}"))

    def region(self, name, level, centre, size):
        x, y = centre - self.origin
        print(f'\n[[region]]\nname = "{name}"\ncentre = [{x:.3f}, {y:.3f}]')
        print(f'size = [{size[0]:.3f}, {size[1]:.3f}]\nstorey = "{level.name}"')

    def stair(self, run, lower, upper):
        low, high = (np.array(corner) - self.origin for corner in (run.area.bounds[:2], run.area.bounds[2:]))
        foot, way = np.array([low, high]), [0.0, 0.0]
        foot[:, run.axis] = (low if run.way > 0.0 else high)[run.axis]
        way[run.axis] = run.way * (high - low)[run.axis]
        print(f'\n[[stair]]\nname = "{run.name}"\nstoreys = ["{lower.name}", "{upper.name}"]')
        print(f"foot = {points_of(foot)}\nrun = [{way[0]:.3f}, {way[1]:.3f}]")


def joined(ground, levels, runs, left):
    """The flights between two floors, with both, and the storeys to which they lead from the ground."""
    links = []
    for run in runs:
        lower, upper = level_at(levels, run.foot), level_at(levels, run.head)
        if lower and upper and lower != upper:
            links.append((run, lower, upper))
        else:
            left.append((run.name, f"it leads from z = {run.foot:.2f} m to {run.head:.2f} m, and a floor is missing"))
    reached = {ground}
    for _ in levels:
        reached |= {level for _, *ends in links for level in ends if reached & set(ends)}
    left += [(level.name, "no stair that is read leads to it") for level in levels if level not in reached]
    return [link for link in links if link[1] in reached], [level for level in levels if level in reached]


def write_unread(model, left):
    for kind in UNREAD:
        whole = [element for element in model.by_type(kind) if element.Representation]
        left += [(element.Name, f"{kind} is not read") for element in whole]
    for name, reason in left:
        print(f"\n# Left out: {json.dumps(name)}: {reason}.")


def write_landings(writer, between, links):
    """Writes walls around landings, and around the holes above them and their lower flights."""
    for level, places in between.items():
        for around, upper in places:
            writer.walls(around, level, solid=False)
            for above in {head for run, _, head in links if run in upper}:
                kept = [run.area.buffer(0.02, join_style="mitre") for run, *ends in links if above in ends]
                writer.walls(around.difference(shapely.union_all(kept)), above, solid=True)


def write_exits(writer, level, walls, openings, names, length):
    """Writes the exits of a storey with their sinks, and returns their names."""
    found = exits(walls, openings)
    if not found:
        print("\n# No door leads out of the walls: the exit is a strip beside the building.")
        found = [(writer.origin + [1.0, length / 2.0], np.array([2.0, length]))]
    ways = [names.of("exit") for _ in found]
    for name, (centre, size) in zip(ways, found):
        writer.region(name, level, centre, size)
        print(f'\n[[sink]]\nname = "{name}"\nregion = "{name}"')
    return ways


def write_rooms(writer, model, levels, names):
    """Writes the rectangular spaces as regions, and returns their names."""
    rooms, spaces = [], meshes(model, model.by_type("IfcSpace"))
    for level in levels:
        for space in model.by_type("IfcSpace"):
            area = section(spaces[space.id()], level.elevation + CUT) if space.id() in spaces else Polygon()
            if area.area > 2.0 and area.area > 0.9 * area.envelope.area:
                low, high = np.array(area.bounds[:2]), np.array(area.bounds[2:])
                rooms.append(names.of(f"room-{space.Name}"))
                writer.region(rooms[-1], level, (low + high) / 2.0, high - low)
    return rooms


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="the IFC file", type=pathlib.Path)
    parser.add_argument("--storeys", nargs="+", help="names of the storeys to write; by default those with spaces")
    options = parser.parse_args()
    model, names = ifcopenshell.open(options.file), Names()
    levels = storeys(model, options.storeys, names)
    runs, left = flights(model, names)
    slabs = [slab for slab in model.by_type("IfcSlab") if slab.PredefinedType == "LANDING"]
    between = landings(meshes(model, slabs).values(), levels, runs, names)
    ground = min(levels, key=lambda level: abs(level.elevation))
    links, every = joined(ground, sorted([*levels, *between], key=lambda level: level.elevation), runs, left)
    levels = [level for level in levels if level in every]
    between = {level: between[level] for level in between if level in every}
    parts = map(ifcopenshell.util.element.get_decomposition, model.by_type("IfcStair"))
    of_stairs = {part.id() for stair in parts for part in stair}
    solid = [element for kind in SOLID for element in model.by_type(kind) if element.id() not in of_stairs]
    solid = meshes(model, solid)
    doors = meshes(model, model.by_type("IfcOpeningElement") + model.by_type("IfcDoor"))
    closed, openings = {}, {}
    for level in levels:
        z = level.elevation + CUT
        areas = shapely.union_all([section(mesh, z) for mesh in solid.values()])
        closed[level] = areas.buffer(0.01, join_style="mitre").buffer(-0.01, join_style="mitre")
        openings[level] = door_openings(model, z, level.elevation, doors)
    bounds = np.array(shapely.union_all([*closed.values(), *(run.area for run in runs)]).bounds)
    origin = np.floor(bounds[:2] - MARGIN)
    width, length = np.ceil(bounds[2:] + MARGIN - origin)

    writer = Writer(origin)
    print("#:schema throng.schema.json")
    print(f"# {options.file.name}, by scripts/ifc-plans.py; its point {origin[0]:g}, {origin[1]:g} is zero here.")
    print(f"format = 1\n\n[world]\ndimensions = 2\nsize = [{width}, {length}]\ntick = 0.05\nticks = 20000")
    print('until = "empty"')
    for level in every:
        print(f'\n[[storey]]\nname = "{level.name}"\nelevation = {level.elevation:.3f}')
    for link in links:
        writer.stair(*link)
    write_unread(model, left)
    for level in levels:
        writer.walls(without_slivers(closed[level].difference(shapely.union_all(openings[level]))), level)
    write_landings(writer, between, links)
    ways = write_exits(writer, ground, closed[ground], openings[ground], names, length)
    rooms = write_rooms(writer, model, levels, names)
    goals = json.dumps([f"region:{name}" for name in ways])
    print(f"\n[navigation.out]\ngoals = {goals}\n\n[species.person]\ncount = 100\npeople = true")
    if rooms:
        print(f"place = {{ regions = {json.dumps(rooms)}, speed = 0.0 }}")
    print('behaviours = [{ rule = "walk_to", goals = ["out"] }]')


if __name__ == "__main__":
    main()
