"""The keyword arguments that add items of the environment. Written by `scripts/bless.sh documents`."""

# ruff: noqa: E501

from collections.abc import Sequence
from typing import Literal, TypedDict

from throng._types import Point, Points, Quantity


class WallKeys(TypedDict, total=False):
    """Keys of `add_wall`."""

    name: str | None
    """Name of the wall, which no other wall has."""

    polygon: Points | None
    """Corners of a closed line, in two dimensions. In m."""

    centre: Point | None
    """Centre of a disc, a ball or a box. In m."""

    radius: float | None
    """Radius of a disc or a ball. In m."""

    size: Point | None
    """Extent of a box. In m."""

    point: Point | None
    """Point of a plane, or of a line without ends in two dimensions. In m."""

    normal: Point | None
    """Direction at right angles to the plane."""

    velocity: Point | None
    """Velocity; the wall turns back at the world's boundary, and re-enters a periodic world on the opposite side. It moves at most 0.45 periods in a tick. In m/s. By default zero."""

    open: Sequence[Sequence[float]] | None
    """Times at which the wall does not exist: a door is open from the first number, included, to the second, excluded. In s."""

    solid: bool | None
    """Whether agents start outside a `polygon`, as of a column, or inside, as of a room. By default false if it encloses a region, a start, a mark, an obstacle, a wall or half of the world."""

    carve: bool | None
    """Whether routes of navigations lead round it while it moves. By default false."""


class ObstacleKeys(TypedDict, total=False):
    """Keys of `add_obstacle`."""

    velocity: Point | None
    """Velocity; the obstacle turns back at the world's boundary. In m/s. By default zero."""

    carve: bool | None
    """Whether routes of navigations lead round it while it moves. By default false."""


class RegionKeys(TypedDict, total=False):
    """Keys of `add_region`."""

    radius: float | None
    """Radius of a disc or a ball; excludes `size`. In m."""

    size: Point | None
    """Extent of a box; excludes `radius`. In m."""


class NavigationKeys(TypedDict, total=False):
    """Keys of `add_navigation`."""

    clearance: float | None
    """Least distance of ways from walls: the radius of the bodies. In m. By default 0.25."""

    cell: float | None
    """Length of a cell; a passage must be wider by more than a cell than twice the clearance. In m. By default the longer side of the world / 512."""

    capacity: float | None
    """Agents that can leave at the goals per second, for estimates of queues. In 1/s. By default `flow` for each metre of the narrowest passage on the way."""

    flow: float | None
    """Agents per second that pass a metre of the width of a passage, for estimates of queues; 1.3 is the flow at capacity of Weidmann (1993). In 1/(m s). By default 1.3."""


class SourceKeys(TypedDict, total=False):
    """Keys of `add_source`."""

    number: int | None
    """Arrivals: this number at once, at the start."""

    rate: float | None
    """Arrivals: this number of agents per second, evenly. In 1/s."""

    poisson: float | None
    """Arrivals: a Poisson process with this mean rate. In 1/s."""

    schedule: Sequence[tuple[float, int]] | None
    """Arrivals: numbers of agents at these times. In s."""

    on_entry: str | None
    """Arrivals: one agent for each that enters this region."""

    limit: int | None
    """Number of agents after which the source ends."""

    heading: Point | float | str | None
    """Direction of motion of new agents. By default random."""

    speed: Quantity | None
    """Speed of new agents. In m/s. By default the largest speed of each agent."""


class SinkKeys(TypedDict, total=False):
    """Keys of `add_sink`."""

    species: Sequence[str] | None
    """Species that it removes; all by default."""

    states: Sequence[str] | None
    """States in which it removes agents; all by default."""


class SpeciesKeys(TypedDict, total=False):
    """Keys of `add_species`."""

    mass: Quantity | None
    """Mass; 80 kg by default with a motion of walkers. In kg. By default 1."""

    radius: Quantity | None
    """Radius of the body; 0.25 m by default with such a motion. In m. By default 0.5."""

    max_speed: Quantity | None
    """Largest speed; 1.34 m/s by default with such a motion. In m/s. By default 10."""

    max_force: Quantity | None
    """Largest steering force. In N. By default 30."""

    min_speed: Quantity | None
    """Smallest speed of a moving agent. In m/s. By default 0."""

    max_turn_rate: Quantity | None
    """Largest turn rate. In degrees/s. By default inf."""

    response: Quantity | None
    """Time in which an agent reaches its desired velocity. In s. By default 0.2."""

    pre_movement: Quantity | None
    """Time for which an agent rests after it is spawned. In s."""

    lifetime: Quantity | None
    """Time after which an agent is removed. In s."""

    sight: Literal["through", "walls"] | None
    """Whether `walls` and closed doors hide other agents from all rules with `sight = "through"`, rules without that key, and the model of motion; `social_force` and `collision_free_speed` see through no wall. By default through."""

    gap: float | None
    """Least distance between the body of a new agent of a source and other bodies, walls and obstacles. In m. By default 0."""

    stairs_up: float | None
    """Factor of the largest speed up stairs, in place of the factor of the stairs."""

    stairs_down: float | None
    """Factor of the largest speed down stairs, in place of the factor of the stairs."""


class ZoneKeys(TypedDict, total=False):
    """Keys of `add_zone`."""

    against: float | None
    """Factor for agents that want to move against `direction`."""

    direction: Point | None
    """Direction that `against` refers to."""

    carry: Point | None
    """Velocity of the ground, which carries the agents. In m/s."""

    extinction: Sequence[Sequence[float]] | None
    """Extinction of smoke over time. In 1/m."""

    variable: str | None
    """Variable to which the zone adds; the species that lack it are not concerned."""

    stairs: bool | None
    """Whether it is a flight of stairs that leads up in `direction`: factors of species on stairs replace its own. By default false."""

    rate: Sequence[Sequence[float]] | None
    """What it adds to the variable in a second, over time. In 1/s."""


class LiftKeys(TypedDict, total=False):
    """Keys of `add_lift`."""

    capacity: int | None
    """Largest number of passengers. By default 8."""

    speed: float | None
    """Largest speed of the car. In m/s. By default 1."""

    acceleration: float | None
    """Acceleration of the car. In m/s². By default 1."""

    door_seconds: float | None
    """Time in which its doors open, and in which they close. In s. By default 2."""

    open_seconds: float | None
    """Least time for which its doors are open. In s. By default 4."""

    wait: float | None
    """Time for which the quickest ways expect to wait for it. In s. By default half of a run from the lowest landing to the highest and back."""

    evacuates: bool | None
    """Whether it fetches the agents of the highest call first, and stops on its way only for passengers. By default false."""


class LinkKeys(TypedDict, total=False):
    """Keys of `add_link`."""

    both_ways: bool | None
    """Whether it leads back, too. By default false."""

    capacity: int | None
    """Largest number of agents on it. By default 1."""

    cost: float | None
    """Length as which ways count it, 0.1 m at least. In m. By default the metres that a person of 1.34 m/s walks in its time."""

    shift: Point | None
    """Offset between the coordinates of two parts of the world, which an agent changes on the middle of its way. In m. By default in a building or on a mesh from one storey or sheet to the other."""


class SubstanceKeys(TypedDict, total=False):
    """Keys of `add_substance`."""

    decay: float | None
    """Rate of decay: the part e^(-decay) is left after a second. In 1/s. By default 0."""

    diffusion: float | None
    """Coefficient of diffusion; its product with a tick is at most 16 times the area of a cell. In m²/s. By default 0."""

    start: float | None
    """Amount per square or cubic metre in all cells at the start. In 1/m². By default 0."""
