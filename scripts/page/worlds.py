"""The scenarios of the tests of the page."""

SCENARIO = """format = 1
[world]
name = "page test"
dimensions = 2
size = [160.0, 90.0]
tick = 0.05
seed = 3
[species.starling]
count = 600
max_speed = [9.0, 9.0]      # drawn for each
min_speed = 6.0
behaviours = [
  { rule = "separation", radius = 2.5 },
  { rule = "alignment", radius = 12.0, weight = 0.0 },
  { rule = "cohesion", radius = 12.0, weight = 0.1, fov = 270.0 },
  { rule = "avoid_obstacles", weight = 4.0 },
  { rule = "seek", target = [80.0, 45.0], weight = 0.0 },
]
"""

OTHER = """# Prey and a hunter.
format = 1
[world]
name = "states"
dimensions = 2
size = [100.0, 60.0]
edge = "bounce"
[species.prey]
count = 20
variables = { fear = { start = 0.2, low = 0.0, high = 1.0 } }
[species.prey.states.graze]
behaviours = [{ rule = "wander" }]
transitions = [{ to = "flee", nearer = "hunter", distance = 14.0 }]
[species.prey.states.flee]
behaviours = [{ rule = "evade", from = "hunter", radius = 20.0 }]
transitions = [{ to = "graze", farther = "hunter", distance = 22.0 }]
[species.hunter]
count = 1
place = { region = "point", centre = [99.0, 59.0] }
behaviours = []
"""

# The only names that are free text: the world's, the file's caption and the file's own name.
MARKUP = """# <img src=x onerror="window.hit = 1"><script>window.hit = 1</script>
format = 1
[world]
name = "</title><img src=x onerror='window.hit = 1'>"
dimensions = 2
size = [100.0, 60.0]
tick = 0.05
[species.bird]
count = 20
behaviours = [{ rule = "wander" }]
"""

ITEMS = """format = 1
walls = [[[10.0, 50.0], [40.0, 50.0]], [[60.0, 50.0], [90.0, 50.0]]]
marks = { lamp = [20.0, 20.0] }
[world]
name = "items"
dimensions = 2
size = [100.0, 60.0]
edge = "bounce"
[[wall]]
size = [8.0, 4.0]
centre = [80.0, 15.0]
[species.ant]
count = 3
behaviours = [
  { rule = "seek", target = "mark:lamp" },
  { rule = "follow_path", points = [[30.0, 10.0], [50.0, 20.0], [70.0, 30.0]] },
]
"""

# A body of 4 m and one of 2 m of one species, at rest beside another species of points, with one of every item.
BODIES = """format = 1
walls = [[[10.0, 5.0], [50.0, 5.0]]]
marks = { lamp = [30.0, 35.0] }
[world]
name = "bodies"
dimensions = 2
size = [60.0, 40.0]
edge = "bounce"
[[obstacle]]
centre = [52.0, 33.0]
radius = 3.0
[[region]]
name = "exit"
centre = [6.0, 34.0]
radius = 4.0
[fields.wind]
cells = [2, 1]
vectors = [[1.0, 0.0], [1.0, 0.0]]
[species.whale]
count = 2
radius = [2.0, 4.0]
max_speed = 1.0
place = { region = "box", centre = [18.0, 18.0], size = [12.0, 8.0], speed = 0.0 }
behaviours = []
[species.midge]
count = 3
radius = 0.0
place = { region = "point", centre = [45.0, 20.0], speed = 0.0 }
behaviours = [
  { rule = "seek", target = "mark:lamp", weight = 0.0 },
  { rule = "follow_path", points = [[40.0, 12.0], [55.0, 12.0]], weight = 0.0 },
  { rule = "follow_flow_field", field = "wind", weight = 0.0 },
]
"""

# Two balls at rest, one far behind the other, and one limit of pairs that they exceed.
SPACE = """format = 1
[world]
name = "space"
dimensions = 3
size = [60.0, 60.0, 40.0]
edge = "bounce"
pair_budget = 64
[species.near]
count = 1
radius = 4.0
place = { region = "point", centre = [14.0, 14.0, 20.0], speed = 0.0 }
behaviours = []
[species.far]
count = 1
radius = 4.0
place = { region = "point", centre = [46.0, 46.0, 20.0], speed = 0.0 }
behaviours = []
[species.crowd]
count = 1500
radius = 0.0
place = { region = "disc", centre = [50.0, 10.0, 30.0], radius = 1.0 }
behaviours = [{ rule = "cohesion", radius = 5.0 }]
"""

# A room with a door in its right wall, a line across the door, an area before it and an exit behind it.
ROOM = """format = 1
walls = [[[16.0, 9.2], [16.0, 2.0], [2.0, 2.0], [2.0, 18.0], [16.0, 18.0], [16.0, 10.8]]]
[world]
name = "room"
dimensions = 2
size = [20.0, 20.0]
edge = "bounce"
tick = 0.05
[[region]]
name = "outside"
centre = [18.5, 10.0]
size = [2.0, 4.0]
[[sink]]
name = "exit"
region = "outside"
[navigation.way]
goals = ["region:outside"]
[species.guest]
count = 40
radius = 0.25
max_speed = 1.5
motion = { model = "social_force" }
place = { region = "box", centre = [9.0, 12.0], size = [12.0, 8.0], speed = 0.0 }
behaviours = [{ rule = "walk_to", goals = ["way"] }]
[output]
picture = { colour = "speed" }
[output.measures]
every = 10
names = ["agents"]
[output.measures.line.door]
from = [16.0, 9.2]
to = [16.0, 10.8]
[output.measures.area.front]
centre = [14.0, 10.0]
size = [3.0, 3.0]
"""

# One agent that goes straight on, in long ticks, around a world without edges.
TRAIN = """format = 1
[world]
name = "train"
dimensions = 2
size = [100.0, 60.0]
edge = "wrap"
tick = 0.5
[species.train]
count = 1
max_speed = 10.0
min_speed = 10.0
place = { region = "point", centre = [60.0, 30.0], heading = [1.0, 0.0], speed = 10.0 }
behaviours = []
"""
