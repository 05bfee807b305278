"""Queries and edits: each against a direct computation."""

from typing import Any

import numpy as np
import pytest
import throng


def distances(world: throng.World, point: list[float]) -> Any:
    offsets = np.abs(world.positions("bird").astype(np.float64) - point)
    offsets = np.minimum(offsets, 100.0 - offsets)  # the world is periodic
    return np.sqrt((offsets**2).sum(axis=1))


def test_within_and_nearest(world: throng.World) -> None:
    point = [50.0] * world.dimensions
    order = np.argsort(distances(world, point), kind="stable")
    ids = world.ids("bird")
    inside = np.sort(distances(world, point))
    np.testing.assert_array_equal(world.nearest(point, 9), ids[order[:9]])
    radius = float((inside[9] + inside[10]) / 2)
    np.testing.assert_array_equal(world.within(point, radius), ids[order[:10]])
    assert world.within(point, 0.0).dtype == np.uint64
    for found, far in [world.within(point, radius, distances=True), world.nearest(point, 10, distances=True)]:
        np.testing.assert_array_equal(found, ids[order[:10]])
        np.testing.assert_allclose(far, inside[:10], rtol=1e-5)
    world.add_species("fish", states=["calm", "late"])
    (fish,) = (int(id) for id in world.spawn("fish", [point]))
    world.set_state(fish, "late")
    for among in ["fish", ["fish"], "fish:late", ["none", "fish:late"]]:
        assert world.within(point, 50.0, among=among).tolist() == [fish] == world.nearest(point, 3, among=among).tolist()
    assert world.nearest(point, 3, among="fish:calm").tolist() == [] == world.within(point, 9.0, among="none").tolist()
    with pytest.raises(TypeError):
        world.within(point, 9.0, among=3)  # type: ignore[call-overload]


def test_neighbours(world: throng.World) -> None:
    world.step()
    me = int(world.ids("bird")[3])
    found = world.neighbours(me, 20.0)
    at = world.position(me)
    expected = {int(id) for id in world.within(at, 20.0)} - {me}
    assert {int(id) for id in found["id"]} == expected and expected
    assert found["offset"].shape == found["velocity"].shape == (len(expected), world.dimensions)
    for id, velocity in zip(found["id"], found["velocity"], strict=True):
        assert world.velocity(int(id)) == velocity.tolist()
    assert (np.linalg.norm(found["offset"], axis=1) <= 20.001).all()
    np.testing.assert_allclose(found["distance"], np.linalg.norm(found["offset"], axis=1), rtol=1e-6)
    assert (np.diff(found["distance"]) >= 0).all()
    for among in ["own", "bird", "all"]:
        np.testing.assert_array_equal(world.neighbours(me, 20.0, among=among)["id"], found["id"])
    assert len(world.neighbours(me, 20.0, among="fish")["id"]) == 0


def test_pairs(world: throng.World) -> None:
    world.step()
    world.add_species("fish")
    world.spawn("fish", [world.position(int(world.ids("bird")[3]))])
    few = {"among": "own", "nearest": 3, "fov": 200.0}
    cases: list[tuple[dict[str, Any], bool]] = [({}, True), ({"among": "own"}, False), (few, False)]
    for arguments, fish in cases:
        near = world.pairs("bird", 20.0, **arguments)
        assert len(near["start"]) == world.count("bird") + 1 and near["start"][-1] == len(near["id"]) > 0
        own = np.repeat(np.arange(world.count("bird")), np.diff(near["start"]))
        assert near["offset"].shape == (len(own), world.dimensions)
        bird = near["species"] == 0
        assert bird.all() != fish
        np.testing.assert_array_equal(world.ids("bird")[near["row"][bird]], near["id"][bird])
        offsets = (world.positions("bird")[near["row"]] - world.positions("bird")[own])[bird]
        offsets -= 100.0 * np.round(offsets / 100.0)  # the world is periodic
        np.testing.assert_allclose(near["offset"][bird], offsets, atol=2e-5)
        np.testing.assert_allclose(near["distance"], np.linalg.norm(near["offset"], axis=1), rtol=1e-5)
        if "nearest" in arguments:
            assert np.diff(near["start"]).max() == 3
        else:
            for row, me in list(enumerate(world.ids("bird")))[::17]:
                found = near["id"][near["start"][row] : near["start"][row + 1]]
                assert sorted(found) == sorted(world.neighbours(int(me), 20.0, **arguments)["id"])


def test_the_length_of_a_tick_may_change() -> None:
    world = throng.World((20.0, 20.0), tick_seconds=0.5)
    world.step(3)
    world.tick_seconds = 0.25
    world.step()
    assert world.tick_seconds == 0.25 and world.time == 1.75
    with pytest.raises(ValueError, match="tick_seconds"):
        world.tick_seconds = 0.0


def test_lines_of_sight() -> None:
    world = throng.World((20.0, 20.0))
    door = world.add_wall([[5, 0], [5, 15]], name="door")
    assert world.is_clear([2.0, 4.0], [8.0, 4.0]) is False
    assert world.is_clear([2.0, 18.0], [8.0, 18.0]) and world.is_clear([2.0, 4.0], [18.0, 4.0])  # across the seam
    world.set_wall_open(door, [[0.0, 9.0]])
    assert world.is_clear([2.0, 4.0], [8.0, 4.0]) and world.ray([2.0, 4.0], [8.0, 4.0]) is None
    world.add_obstacle([5, 4], 0.5)
    assert not world.is_clear([2.0, 4.0], [8.0, 4.0])
    hit = world.ray([2.0, 4.0], [8.0, 4.0])
    assert hit is not None and hit[1][1] == 4.0 and hit[1][0] == 2.0 + hit[0] and hit[2] == [-1.0, 0.0]
    with pytest.raises(ValueError):
        world.is_clear([2.0, 4.0, 1.0], [8.0, 4.0])


def test_single_agents(world: throng.World) -> None:
    (id,) = (int(id) for id in world.spawn("bird", np.full((1, world.dimensions), 5.0)))
    assert world.find(id) == ("bird", 200) and world.contains(id) and world.count("bird") == 201
    assert world.velocity(id) == world.steering_of(id) == [0.0] * world.dimensions
    world.set_position(id, [7.0] * world.dimensions)
    world.set_velocity(id, np.ones(world.dimensions))
    world.set_column_value(id, "load", 3.5)
    world.set_quantity(id, "mass", 2.0)
    world.set_goal(id, [9.0] * world.dimensions)
    world.set_goal(id, None)
    assert world.position(id) == [7.0] * world.dimensions and world.velocity(id) == [1.0] * world.dimensions
    assert world.preferred_velocity(id) == [1.0] * world.dimensions
    assert world.column_value(id, "load") == 3.5 and world.state(id) is None
    assert world.column("bird", "mass")[200] == 2.0 and world.column("bird", "max_speed")[:200].min() >= 8
    explained = world.explain(id)
    assert [part["rule"] for part in explained["contributions"]] == ["separation", "alignment"]
    assert len(explained["steering"]) == world.dimensions and explained["columns"] == {"load": [3.5]}
    world.remove(id)
    assert not world.contains(id) and world.population == 200 and world.removed == {"despawned": 1}
    world.clear()
    assert world.population == 0


def test_columns_are_written_and_read(world: throng.World) -> None:
    world.write("bird", "position", world.positions("bird")[::-1])
    world.write("bird", "velocity", np.asfortranarray(world.velocities("bird") * np.float32(0.5)))
    moved = world.positions("bird")
    np.testing.assert_array_equal(moved[:, 0], world.column("bird", "x"))
    assert np.allclose(np.linalg.norm(world.velocities("bird"), axis=1), 2.5, atol=1e-5)
    world.add_column("bird", "count", 7, dtype="uint64")
    world.add_column("bird", "pair", [1.0, 2.0])
    assert world.column("bird", "count").dtype == np.uint64 and world.column("bird", "pair").shape == (200, 2)
    world.write("bird", "count", np.arange(200, dtype=np.uint64))
    world.write("bird", "pair", np.arange(400, dtype=np.float32).reshape(200, 2))
    world.write("bird", "max_speed", np.linspace(1, 2, 200, dtype=np.float32))
    last = int(world.ids("bird")[-1])
    assert world.column_value(last, "count") == 199 and world.column("bird", "pair")[-1].tolist() == [398.0, 399.0]
    assert world.column("bird", "max_speed")[-1] == 2.0
    world.remove_column("bird", "pair")
    assert world.column_names("bird")[-2:] == ["count", "load"]
    world.step()
    assert (world.steering("bird") != 0).any() and world.states("bird").tolist() == [0] * 200


def test_species_and_rules(world: throng.World) -> None:
    assert world.parameter("bird", "separation.radius") == 3.0 and world.parameter("bird", "max_speed") == (8.0, 12.0)
    world.set_parameter("bird", "separation.radius", 4)
    world.set_parameter("bird", "behaviours.1.weight", 0.5)
    world.set_parameter("bird", "max_speed", {"mean": 10, "sd": 1, "low": 9})
    assert world.parameter("bird", "behaviours.0.radius") == 4.0 and world.parameter("bird", "alignment.weight") == 0.5
    world.add_rule("bird", throng.Rule("seek", target=[50.0] * world.dimensions, weight=2))
    rule = world.rules("bird")[-1]
    assert (rule["rule"], rule["weight"]) == ("seek", 2.0)
    assert rule["parameters"]["target"] == [50.0] * world.dimensions
    world.remove_rule("bird", 2)
    assert [rule["rule"] for rule in world.rules("bird")] == ["separation", "alignment"]
    world.add_species(
        "walker", motion=throng.Motion("vicsek", noise=0.25), combine=("priority", 2.0), states=["calm", "late"],
        variables={"stamina": (1.0, 0.0, 2.0)}, response=0.5, lifetime=(20, 30), min_speed=0.5,
    )
    assert world.species == ["bird", "walker"] and world.state_names("walker") == ["calm", "late"]
    assert world.parameter("walker", "motion.noise") == 0.25 and world.parameter("walker", "response") == 0.5
    (id,) = (int(id) for id in world.spawn("walker", np.full((1, world.dimensions), 5.0)))
    world.set_state(id, "late")
    assert world.state(id) == "late" and world.states("walker").tolist() == [1]
    world.set_column_value(id, "stamina", 0.5)
    with pytest.raises(ValueError, match="stamina"):
        world.set_column_value(id, "stamina", 3.0)
    world.add_species("visitor", people=True, max_speed=1.2)
    assert [world.parameter("visitor", name) for name in ("mass", "radius", "max_speed")] == pytest.approx([80, 0.2, 1.2])
    assert world.parameter("visitor", "motion.headway") == pytest.approx(0.89)
    world.add_species("guest", people=True, motion="orca")
    assert world.parameter("guest", "mass") == 80 and world.parameter("guest", "motion.time_horizon") == 2
    world.step()
    assert "seek" in throng.rules() and throng.models()["vicsek"]["parameters"]["noise"]["help"]


def test_a_scenario_as_a_dictionary(world: throng.World) -> None:
    scenario = {
        "format": 1,
        "world": {"dimensions": 2, "size": [200.0, 100.0], "seed": 4},
        "species": {"starling": {"count": 10, "behaviours": [{"rule": "alignment", "radius": 8.0}]}},
    }
    text = """
    format = 1
    world = { dimensions = 2, size = [200.0, 100.0], seed = 4 }
    [species.starling]
    count = 10
    behaviours = [{ rule = "alignment", radius = 8.0 }]
    """
    assert throng.World.from_dict(scenario).state_hash() == throng.World.from_text(text).state_hash()
    with pytest.raises(throng.ScenarioError, match="world.seed"):
        throng.World.from_dict(scenario | {"world": {"dimensions": 2, "size": [1, 1], "seed": 'a "quoted"\ntext'}})


def test_the_environment() -> None:
    world = throng.World((20.0, 20.0), edge=["wrap", "bounce"], tick_seconds=0.1)
    wall = world.add_wall([[5, 0], [5, 20]], name="door")
    world.add_wall(centre=[15, 10], radius=1.0, velocity=[0.5, 0.0])
    world.add_wall(centre=[15, 5], size=[2, 1])
    world.add_wall(point=[0, 19.5], normal=[0, -1])
    near = world.walls_within([4.0, 10.0], 2.0)
    assert len(near) == 1 and near[0]["wall"] == 0 and near[0]["distance"] == 1.0 and near[0]["offset"] == [1.0, 0.0]
    assert [wall["name"] for wall in world.walls()] == ["door", None, None, None]
    world.set_wall_open(wall, [[0.0, 100.0]])
    assert world.walls_within([4.0, 10.0], 2.0) == [] and world.walls()[0]["open"] == [[0.0, 100.0]]
    world.remove_wall(wall)
    obstacle = world.add_obstacle([3, 3], 1.0)
    assert world.add_obstacle([4, 4], 2.0, replaces=obstacle) == obstacle
    [rock] = world.obstacles()
    assert (rock["handle"], rock["centre"], rock["radius"], rock["carve"]) == (obstacle, [4.0, 4.0], 2.0, False)
    world.remove_obstacle(obstacle)
    mark = world.set_mark("exit", [1, 2])
    world.set_mark("exit", [3, 2])
    assert world.marks() == {"exit": [3.0, 2.0]}
    gate = world.add_region("gate", [10, 10], size=[2, 2])
    world.add_region("hole", [2, 10], radius=1.0)
    assert [region["name"] for region in world.regions()] == ["gate", "hole"]
    assert world.add_region("gate", [10, 10], size=[3, 2], replaces=gate) == gate and world.regions()[0]["size"] == [3, 2]
    world.add_species("visitor", radius=0.2, rules=[throng.Rule("seek", target="mark:exit")])
    source = world.add_source("in", "visitor", "gate", rate=2.0, limit=4)
    sink = world.add_sink("out", "hole", species=["visitor"])
    smoke: dict[str, Any] = {"extinction": [[0.0, 0.0], [60.0, 2.0]], "variable": "dose", "rate": [[0.0, 0.25]]}
    smoke.update(carry=[0.5, 0.0], stairs=True)
    zone = world.add_zone("gate", 0.5, against=0.25, direction=[1, 0], **smoke)
    navigation = world.add_navigation("ways", ["mark:exit", [1.0, 1.0], "region:hole"], cell=0.5)
    with pytest.raises(ValueError, match="not computed yet"):
        world.way(navigation, [10.0, 10.0])
    assert world.sinks() == [{"handle": sink, "name": "out", "region": "hole", "species": ["visitor"], "states": []}]
    assert world.zones() == [
        {"handle": zone, "region": "gate", "factor": 0.5, "against": 0.25, "direction": [1.0, 0.0], **smoke}
    ]
    assert world.walls()[1]["size"] == [2.0, 1.0] and "radius" not in world.walls()[1]
    goals = world.navigations()[0]["goals"]
    assert goals == ["mark:exit", "point:1,1", "region:hole"]
    assert world.add_navigation("ways", goals, cell=0.5, replaces=navigation) == navigation
    assert [item["name"] for item in world.navigations()] == ["ways"] and world.navigations()[0]["cell"] == 0.5
    world.step(40)
    assert world.sources()[0]["spawned"] == 4 and world.spawned == 4 and world.backlog == 0
    for remove, handle in [
        (world.remove_source, source), (world.remove_sink, sink), (world.remove_zone, zone), (world.remove_mark, mark),
        (world.remove_navigation, navigation), (world.remove_region, gate),
    ]:
        remove(handle)
        with pytest.raises(throng.NotFoundError):
            remove(handle)
    world.step()


def test_every_item_is_replaced_in_its_place() -> None:
    world = throng.World((20.0, 20.0), tick_seconds=0.1)
    world.add_species("visitor")
    add: list[tuple[Any, Any]] = [
        (lambda **more: world.add_wall([[5, 0], [5, 20]], **more), world.walls),
        (lambda **more: world.add_obstacle([3, 3], 1.0, **more), world.obstacles),
        (lambda **more: world.add_region("gate", [10, 10], radius=1, **more), world.regions),
        (lambda **more: world.add_source("in", "visitor", "gate", rate=1, **more), world.sources),
        (lambda **more: world.add_sink("out", "gate", **more), world.sinks),
        (lambda **more: world.add_zone("gate", 0.5, **more), world.zones),
        (lambda **more: world.add_navigation("ways", [[1, 1]], **more), world.navigations),
        (lambda **more: world.add_lift("up", ["gate"] * 2, ["gate"] * 2, [0, 3], **more), world.lifts),
        (lambda **more: world.add_link("jump", "gate", "gate", 1.0, **more), world.links),
        (lambda **more: world.add_queue("line", [[1, 1], [5, 1]], **more), world.places),
    ]
    for call, items in add:
        handle = call()
        assert call(replaces=handle) == handle and len(items()) == 1
        with pytest.raises(throng.NotFoundError, match="does not exist"):
            call(replaces=handle + 2**32)
        assert len(items()) == 1


def test_a_lift_carries_its_passengers_up() -> None:
    world = throng.World((40.0, 10.0), edge="bounce", tick_seconds=0.1)
    for name, start in [("low", 0.0), ("high", 20.0)]:
        world.add_region(name, [2.0 + start, 5.0], size=[2.0, 2.0])
        world.add_region(name + "-door", [3.5 + start, 5.0], size=[1.0, 1.2])
        corners = [[3.0, 4.4], [3.0, 4.0], [1.0, 4.0], [1.0, 6.0], [3.0, 6.0], [3.0, 5.6]]
        world.add_wall([[x + start, y] for x, y in corners])
    lift = world.add_lift("main", ["low", "high"], ["low-door", "high-door"], [0.0, 4.0], capacity=2, open_seconds=1.0)
    world.add_wall([[10, 0], [10, 10]])
    world.add_navigation("up", [[28.0, 5.0]])
    walk = throng.Rule("walk_to", goals=["up"])
    world.add_species("person", radius=0.2, max_speed=1.3, motion=throng.Motion("pedvo"), rules=[walk])
    world.spawn("person", [[7.0, 4.0], [7.0, 5.0], [7.0, 6.0]])
    above = []
    for _ in range(900):
        world.step()
        above.append(int((world.positions("person")[:, 0] > 18).sum()))
    assert above[-1] == 3 and sorted(set(above)) == [0, 2, 3]
    assert world.lifts()[0]["handle"] == lift and world.lifts()[0]["heights"] == [0.0, 4.0]


def test_a_link_leads_through_a_wall() -> None:
    world = throng.World((40.0, 10.0), edge="bounce", tick_seconds=0.1)
    world.add_wall([[20, 0], [20, 10]])
    for name, x in [("near", 18.0), ("far", 22.0)]:
        world.add_region(name, [x, 5.0], size=[2.0, 2.0])
    world.add_link("ladder", "near", "far", 2.0, both_ways=True)
    world.add_navigation("east", [[35.0, 5.0]])
    world.add_species("person", max_speed=1.3, motion=throng.Motion("pedvo"), rules=[throng.Rule("walk_to", goals=["east"])])
    world.spawn("person", [[10.0, 5.0]])
    world.step(400)
    assert world.positions("person")[0, 0] > 34.0
    assert world.links()[0]["end"] == "far" and world.links()[0]["both_ways"] is True


def test_ways_lead_around_a_wall() -> None:
    world = throng.World((20.0, 10.0), edge="open", tick_seconds=0.1)
    world.add_wall([[10, 0], [10, 8]])
    ways = world.add_navigation("ways", [[15.0, 1.0]], clearance=0.1, cell=0.1)
    world.prepare()
    distance, direction = world.way(ways, [5.0, 1.0])
    straight = 2 * np.hypot(5.0, 7.0)
    assert straight < distance < 1.03 * straight and direction[1] > 0.7
    assert world.way(ways, [15.0, 1.5])[0] == pytest.approx(0.5, abs=0.02)
    route = world.route(ways, [5.0, 1.0], [15.0, 1.0])
    assert route is not None and route[-1] == [15.0, 1.0] and np.hypot(*np.subtract(route[0], [10.0, 8.0])) < 0.4
    assert world.nearest_free(ways, [5.0, 1.0]) == [5.0, 1.0]
    distances = world.navigation_distances(ways)
    assert distances.shape == (200, 100)
    assert distances[50, 10] == pytest.approx(world.way(ways, [5.05, 1.05])[0], abs=0.2)
    assert all(abs(cell - centre) < 1 for cell, centre in zip(divmod(distances.argmin(), 100), (149.5, 9.5), strict=True))


def test_a_squad_takes_a_formation() -> None:
    world = throng.World((60.0, 40.0), edge="bounce", tick_seconds=0.1)
    world.add_navigation("ground", [])
    walk = throng.Rule("walk_to", goals=["ground"])
    world.add_species("soldier", radius=0.3, max_speed=2.0, motion=throng.Motion("orca"), rules=[walk])
    squad = [int(id) for id in world.spawn("soldier", [[5.0 + i % 3, 10.0 + i // 3] for i in range(9)])]
    world.form(squad, "line", 1.5, [40.0, 20.0], [1.0, 0.0], files=3, depth=2.0)
    world.step(400)
    places = np.array(sorted(world.position(id) for id in squad))
    expected = [(x, y) for x in (38.0, 40.0, 42.0) for y in (18.5, 20.0, 21.5)]
    distances = np.linalg.norm(places[:, None] - np.array(expected)[None], axis=2)
    assert (distances.min(axis=0) < 0.3).all()
    with pytest.raises(ValueError, match="spacing = -1"):
        world.form(squad, "line", -1.0, [40.0, 20.0], [1.0, 0.0])
    with pytest.raises(TypeError, match="unknown key `file`; known are shape, spacing, depth, files"):
        world.form(squad, "line", 1.0, [40.0, 20.0], [1.0, 0.0], file=3)


def test_places_are_taken() -> None:
    world = throng.World((20.0, 20.0), edge="bounce", tick_seconds=0.1)
    queue = world.add_queue("till", [[5.0, 5.0], [8.0, 5.0]], spacing=1.0)
    area = world.add_waiting_area("bench", [15.0, 15.0], size=[2.0, 1.0], spacing=1.0)
    first, second = world.places()
    assert first["points"] == [[5.0, 5.0], [6.0, 5.0], [7.0, 5.0], [8.0, 5.0]] and first["queue"]
    assert len(second["points"]) == 6 and not second["queue"] and second["agents"] == [None] * 6
    world.add_species("guest", radius=0.2, max_speed=1.5, rules=[throng.Rule("take_place", places="till")])
    ids = world.spawn("guest", [[10.0, 5.0], [14.0, 5.0]])
    world.step(150)
    assert world.places()[0]["agents"] == [int(ids[0]), int(ids[1]), None, None]
    assert np.allclose(world.position(int(ids[0])), [5.0, 5.0], atol=0.3)
    with pytest.raises(ValueError, match="places"):
        world.add_queue("none", [])
    world.remove_places(area)
    world.remove_places(queue)
    assert world.places() == []


def test_states_transitions_and_a_catch_are_those_of_a_scenario() -> None:
    text = """
    format = 1
    world = { dimensions = 2, size = [100.0, 100.0], seed = 4, tick = 0.1 }
    marks = { water = [50.0, 50.0] }
    [species.deer]
    count = 0
    behaviours = [{ rule = "wander" }]
    variables = { thirst = { start = 0.0, low = 0.0, high = 1.0 } }
    [species.deer.states.graze]
    rates = { thirst = 0.2 }
    transitions = [
      { to = "flee", nearer = "wolf", distance = 10.0 }, { to = "drink", when = "thirst", above = 0.5 },
      { to = "flee", event = "was_caught" }, { to = "flee", nearer = "mark:water", distance = 1.0 },
    ]
    [species.deer.states.drink]
    behaviours = [{ rule = "seek", target = "mark:water" }]
    rates = { thirst = -0.2 }
    transitions = [{ to = "graze", when = "thirst", below = 0.1 }, { to = "flee", farther = [50.0, 50.0], distance = 90.0 }]
    [species.deer.states.flee]
    transitions = [{ to = "graze", farther = ["wolf"], distance = 20.0 }, { to = "graze", after = 30.0 }]
    [species.wolf]
    count = 0
    behaviours = [{ rule = "pursue", target = "nearest:deer" }]
    catch = { whom = "deer", distance = 1.0, remove = true }
    """
    deer: dict[str, Any] = {
        "graze": {
            "rates": {"thirst": 0.2},
            "transitions": [
                {"to": "flee", "nearer": "wolf", "distance": 10.0}, {"to": "drink", "when": "thirst", "above": 0.5},
                {"to": "flee", "event": "was_caught"}, {"to": "flee", "nearer": "mark:water", "distance": 1.0},
            ],
        },
        "drink": {
            "rates": {"thirst": -0.2},
            "transitions": [
                {"to": "graze", "when": "thirst", "below": 0.1}, {"to": "flee", "farther": [50.0, 50.0], "distance": 90.0}
            ],
        },
        "flee": {"transitions": [{"to": "graze", "farther": ["wolf"], "distance": 20.0}, {"to": "graze", "after": 30.0}]},
    }
    scenario = throng.World.from_text(text)
    world = throng.World((100.0, 100.0), tick_seconds=0.1, seed=4)
    world.set_mark("water", [50.0, 50.0])
    world.add_species(
        "deer", states=deer, variables={"thirst": (0.0, 0.0, 1.0)},
        rules=["wander", throng.Rule("seek", target="mark:water", during=["drink"])],
    )
    world.add_species(
        "wolf", rules=[throng.Rule("pursue", target="nearest:deer")],
        catch={"whom": "deer", "distance": 1.0, "remove": True},
    )
    generator = np.random.default_rng(1)
    places, starts = generator.uniform(0, 100, (60, 2)), generator.uniform(-3, 3, (60, 2))
    seen = set()
    for each in [scenario, world]:
        each.spawn("deer", places[:50], starts[:50])
        each.spawn("wolf", places[50:], starts[50:])
    assert scenario.state_hash() == world.state_hash()
    for _ in range(60):
        scenario.step(2)
        world.step(2)
        seen |= set(world.states("deer").tolist())
    assert scenario.state_hash() == world.state_hash()
    assert seen == {0, 1, 2} and world.removed["caught"] > 0


@pytest.mark.parametrize(
    ("parts", "kind", "text"),
    [
        ({"a": {"speed": 3}}, TypeError, "unknown key `speed`"),
        ({"a": {"transitions": [{"to": "b", "after": 1.0}]}}, ValueError, "b"),
        ({"a": {"transitions": [{"to": "a", "above": 1.0}]}}, TypeError, "`when` is missing"),
        ({"a": {"transitions": [{"after": 1.0}]}}, TypeError, "`to` is missing"),
        ({"a": {"transitions": [{"to": "a", "event": "born"}]}}, ValueError, "born"),
        ({"a": {"transitions": [{"to": "a", "when": "age", "above": 1.0}]}}, ValueError, "age"),
        ({"a": {"transitions": [{"to": "a", "after": "soon"}]}}, ValueError, "soon"),
        ({"a": {"transitions": ["a"]}}, TypeError, "dictionary"),
        ({"a": {"rates": {"age": float("nan")}}}, ValueError, "age"),
        ({"a": 3}, TypeError, "dictionary"),
    ],
)
def test_wrong_states_are_refused(world: throng.World, parts: Any, kind: type[Exception], text: str) -> None:
    before = world.state_hash()
    with pytest.raises(kind, match=text):
        world.add_species("deer", states=parts)
    with pytest.raises(TypeError, match="whom"):
        world.add_species("deer", catch={"distance": 1.0})
    with pytest.raises(TypeError, match="unknown key"):
        world.add_species("deer", catch={"whom": "own", "distance": 1.0, "kill": True})
    assert world.state_hash() == before and world.species == ["bird"]


def test_a_flow_field_has_its_cells_where_the_array_has_them() -> None:
    world = throng.World((4.0, 6.0), edge="open", tick_seconds=0.1)
    flow = np.zeros((2, 3, 2), np.float32)
    flow[1, 2] = [0.0, 2.0]
    field = world.set_flow_field("wind", flow)
    world.add_species("leaf", motion="kinematic", rules=[throng.Rule("follow_flow_field", field="wind")])
    world.spawn("leaf", [[3.0, 5.0], [1.0, 5.0], [3.0, 1.0]])
    world.step()
    assert world.flow("wind", [3.0, 5.0]) == [0.0, 2.0] and world.flow_fields() == {"wind": field}
    with pytest.raises(throng.NotFoundError, match="gale"):
        world.flow("gale", [3.0, 5.0])
    moved = np.linalg.norm(world.velocities("leaf"), axis=1) > 0
    assert sorted(zip(world.positions("leaf")[:, 0].round().tolist(), moved.tolist(), strict=True))[-1] == (3.0, True)
    assert moved.sum() == 1
    world.remove_flow_field(field)
    with pytest.raises(ValueError, match="flow field"):
        world.set_flow_field("wind", np.zeros((2, 3), np.float32))


def test_a_species_says_once_that_walls_hide_others() -> None:
    def velocity(**arguments: Any) -> float:
        world = throng.World((100.0, 100.0), edge="open", tick_seconds=0.1)
        world.add_wall([[50.0, 0.0], [50.0, 100.0]])
        world.add_species("bird", rules=["cohesion", throng.Rule("pursue", target="nearest:own")], **arguments)
        world.spawn("bird", [[49.0, 50.0], [51.0, 50.0]])
        world.step()
        return float(abs(world.velocities("bird")).max())

    assert velocity() > 0.1 and velocity(sight="through") > 0.1
    assert velocity(sight="walls") == 0.0
    with pytest.raises(throng.BadValueError, match="sight"):
        velocity(sight="always")
