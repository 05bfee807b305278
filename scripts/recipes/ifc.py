"""Compares scripts/ifc-plans.py with a building that it writes: ifc.py THRONG FOLDER.

Two storeys of 12 m times 8 m with walls of 0.2 m, in millimetres and far from the origin. A wall across each has a
door, a window and a hatch; one flight, or two with a landing, lead up, and one door leads out. The areas of
the walls, the flights and the exit are compared with the drawing, and all people have to leave.
"""

import json
import pathlib
import subprocess
import sys
import tomllib

import ifcopenshell.api.aggregate
import ifcopenshell.api.context
import ifcopenshell.api.feature
import ifcopenshell.api.geometry
import ifcopenshell.api.project
import ifcopenshell.api.root
import ifcopenshell.api.spatial
import ifcopenshell.api.unit
import numpy as np
from shapely.geometry import Polygon

api = ifcopenshell.api
SCRIPT = pathlib.Path(__file__).parent.parent / "ifc-plans.py"
PLACE = np.array([5000.0, 300.0])  # of the building's corner in the file
HEIGHT = 3.0


class Building:
    """An IFC file with a storey per height."""

    def __init__(self):
        self.file = api.project.create_file()
        project = self.make("IfcProject")
        api.unit.assign_unit(self.file)  # millimetres
        model = api.context.add_context(self.file, context_type="Model")
        self.body = api.context.add_context(
            self.file, context_type="Model", context_identifier="Body", target_view="MODEL_VIEW", parent=model
        )
        self.building = self.make("IfcBuilding")
        api.aggregate.assign_object(self.file, products=[self.building], relating_object=project)

    def make(self, kind, name=None, **predefined):
        return api.root.create_entity(self.file, ifc_class=kind, name=name, **predefined)

    def storey(self, name, height):
        storey = self.make("IfcBuildingStorey", name)
        self.put(storey, 0.0, 0.0, height)
        api.aggregate.assign_object(self.file, products=[storey], relating_object=self.building)
        return storey

    def put(self, element, x, y, z, turned=False):
        matrix = np.eye(4)
        if turned:
            matrix[:2, :2] = [[0.0, -1.0], [1.0, 0.0]]
        matrix[:3, 3] = [x + PLACE[0], y + PLACE[1], z]
        api.geometry.edit_object_placement(self.file, product=element, matrix=matrix)

    def box(self, kind, storey, low, size, **predefined):
        """An element that is a box, without its place in the storey for openings and doors."""
        x, y, z = size
        element = self.make(kind, f"{kind}-{len(self.file.by_type(kind))}", **predefined)
        shape = api.geometry.add_wall_representation(self.file, context=self.body, length=x, height=z, thickness=y)
        api.geometry.assign_representation(self.file, product=element, representation=shape)
        self.put(element, *low)
        if kind == "IfcSpace":
            api.aggregate.assign_object(self.file, products=[element], relating_object=storey)
        elif storey:
            api.spatial.assign_container(self.file, products=[element], relating_structure=storey)
        return element

    def hole(self, wall, low, size, filling):
        opening = self.box("IfcOpeningElement", None, low, size)
        api.feature.add_feature(self.file, feature=opening, element=wall)
        if filling:
            filled = self.box(filling, None, low, size)
            api.feature.add_filling(self.file, opening=opening, element=filled)

    def flight(self, storey, low, size, up):
        """Steps along y; `up` is 1 or -1."""
        count = 10
        depth, rise = size[1] / count, size[2] / count
        points, faces = [], []
        for step in range(count):
            y = step * depth if up > 0 else size[1] - (step + 1) * depth
            corner = len(points)
            for z in (0.0, (step + 1) * rise):
                points += [(0.0, y, z), (size[0], y, z), (size[0], y + depth, z), (0.0, y + depth, z)]
            sides = [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
            faces += [[corner + at for at in side] for side in sides]
        flight = self.make("IfcStairFlight", "flight")
        shape = api.geometry.add_mesh_representation(self.file, context=self.body, vertices=[points], faces=[faces])
        api.geometry.assign_representation(self.file, product=flight, representation=shape)
        self.put(flight, *low)
        api.spatial.assign_container(self.file, products=[flight], relating_structure=storey)


def write(path, landing):
    building = Building()
    levels = [building.storey(name, height) for name, height in (("Ground floor", 0.0), ("First floor", HEIGHT))]
    for number, storey in enumerate(levels):
        z = number * HEIGHT
        south = building.box("IfcWall", storey, (0.0, 0.0, z), (12.0, 0.2, HEIGHT))
        building.box("IfcWall", storey, (0.0, 7.8, z), (12.0, 0.2, HEIGHT))
        building.box("IfcWall", storey, (0.0, 0.2, z), (0.2, 7.6, HEIGHT))
        building.box("IfcWall", storey, (11.8, 0.2, z), (0.2, 7.6, HEIGHT))
        across = building.box("IfcWall", storey, (6.0, 0.2, z), (0.2, 7.6, HEIGHT))
        building.hole(across, (6.0, 6.0, z), (0.2, 1.0, 2.1), "IfcDoor")
        building.hole(across, (6.0, 3.0, z + 0.8), (0.2, 1.0, 1.2), "IfcWindow")
        building.hole(across, (6.0, 1.0, z + 0.5), (0.2, 1.0, 1.2), None)
        if number == 0:
            building.hole(south, (9.0, 0.0, z), (1.2, 0.2, 2.1), "IfcDoor")
        building.box("IfcSpace", storey, (0.2, 0.2, z), (5.8, 7.6, 2.8))
        building.box("IfcSpace", storey, (6.2, 0.2, z), (5.6, 7.6, 2.8))
    if landing:
        building.flight(levels[0], (1.0, 2.0, 0.0), (1.2, 3.0, HEIGHT / 2.0), 1.0)
        building.flight(levels[0], (2.4, 2.0, HEIGHT / 2.0), (1.2, 3.0, HEIGHT / 2.0), -1.0)
        slab = (1.0, 5.0, HEIGHT / 2.0 - 0.1), (2.6, 1.4, 0.1)
        building.box("IfcSlab", levels[0], *slab, predefined_type="LANDING")
    else:
        building.flight(levels[0], (1.0, 2.0, 0.0), (1.2, 4.0, HEIGHT), 1.0)
    building.file.write(str(path))


def compare(text, landing):
    """Compares a scenario with the drawing; the corner of the building is at (3, 3)."""
    read = tomllib.loads(text)
    names = ["Ground-floor", *["landing"] * landing, "First-floor"]
    assert [storey["name"] for storey in read["storey"]] == names
    assert [storey["elevation"] for storey in read["storey"]] == [0.0, *[HEIGHT / 2.0] * landing, HEIGHT]
    around = 12.0 * 8.0 - 11.6 * 7.6 + 0.2 * 7.6
    for name, doors in (("Ground-floor", 0.2 * 1.0 + 0.2 * 1.2), ("First-floor", 0.2 * 1.0)):
        area = Polygon()
        for wall in read["wall"]:
            if wall["storey"] == name and "solid" not in wall:
                area = area.symmetric_difference(Polygon(wall["polygon"]))
        assert abs(area.area - (around - doors)) < 0.01, (name, area.area, around - doors)
    flights = [(stair["storeys"], stair["foot"], stair["run"]) for stair in read["stair"]]
    if landing:
        expected = [(["Ground-floor", "landing"], [[4.0, 5.0], [5.2, 5.0]], [0.0, 3.0])]
        expected += [(["landing", "First-floor"], [[5.4, 8.0], [6.6, 8.0]], [0.0, -3.0])]
    else:
        expected = [(["Ground-floor", "First-floor"], [[4.0, 5.0], [5.2, 5.0]], [0.0, 4.0])]
    assert flights == expected, flights
    (exit,) = [region for region in read["region"] if region["name"].startswith("exit")]
    assert np.allclose(exit["centre"], [12.6, 2.4]) and np.allclose(exit["size"], [1.2, 1.0]), exit
    rooms = [region["size"] for region in read["region"] if region["name"].startswith("room")]
    assert np.allclose(rooms, [[5.8, 7.6], [5.6, 7.6]] * 2), rooms


def main(throng, folder):
    folder = pathlib.Path(folder)
    for landing in (False, True):
        path = folder / f"building-{landing}.ifc"
        write(path, landing)
        scenario = path.with_suffix(".toml")
        scenario.write_text(subprocess.check_output([sys.executable, SCRIPT, path], text=True))
        compare(scenario.read_text(), landing)
        subprocess.run([throng, "check", scenario], check=True)
        out = path.with_suffix("")
        subprocess.run([throng, "run", scenario, "--set", "species.person.count=20", "-o", out], check=True)
        summary = json.loads((out / "summary.json").read_text())
        assert summary["spawned"] == 20 and summary["removed"] == {"sink:exit": 20}, summary["removed"]


if __name__ == "__main__":
    main(*sys.argv[1:])
