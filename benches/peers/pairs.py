"""Measures pairs per microsecond of one core in GROMACS or LAMMPS, and prints a line of JSON.

    python benches/peers/pairs.py gromacs|lammps

The best of many short runs, since a machine with other work interrupts long ones.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS = 60

# Lennard-Jones at the density of a melt, as in the benchmark of LAMMPS, with 4000 atoms.
MELT = f"""
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 10 0 10 0 10
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
run 100
label again
variable turn loop {RUNS}
run 2
next turn
jump SELF again
"""


def gromacs():
    """The kernel for a reaction field, which has the least arithmetic of GROMACS' kernels with charges."""
    command = "gmx nonbonded-benchmark -size 1 -nt 1 -iter 3 -warmup 3 -coulomb reaction-field".split()
    best = (0.0, 0.0)
    for _ in range(RUNS):
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        total, useful = re.findall(r"^RF .* ([\d.]+) +([\d.]+)$", output, re.MULTILINE)[0]
        best = max(best, (float(useful), float(total)))
    width = re.search(r"SIMD width: +(\d+)", output).group(1)
    version = subprocess.run(["gmx", "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"GROMACS version: +([\w.]+)", version).group(1)
    # The counter of cycles runs at a constant rate, half of what Linux calls bogomips.
    rate = float(re.search(r"bogomips\s*: ([\d.]+)", Path("/proc/cpuinfo").read_text()).group(1)) / 2
    return f"GROMACS {version}", f"SSE, {width} lanes", best[1] * rate, best[0] * rate


def lammps():
    """The style lj/cut/opt. Its list has all pairs within 2.8, and counts the pairs within 2.5."""
    environment = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "melt.in"
        script.write_text(MELT)
        # The package `mpich` has the library that LAMMPS is linked with.
        variables = {**os.environ, "LD_LIBRARY_PATH": str(environment.parent / "lib"), "OMP_NUM_THREADS": "1"}
        command = [environment / "lmp", "-sf", "opt", "-log", "none", "-in", str(script)]
        output = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder, env=variables).stdout
    seconds = [float(number) for number in re.findall(r"^Pair +\| ([\d.e-]+)", output, re.MULTILINE)][1:]
    pairs = [int(number) for number in re.findall(r"Total # of neighbors = (\d+)", output)][1:]
    tested = max(2 * pair / second for pair, second in zip(pairs, seconds)) * 1e-6
    version = re.search(r"LAMMPS \((.*?)\)", output).group(1)
    return f"LAMMPS {version}", "lj/cut/opt", tested, tested * (2.5 / 2.8) ** 3


def main():
    program, isa, tested, found = {"gromacs": gromacs, "lammps": lammps}[sys.argv[1]]()
    print(json.dumps({"program": program, "isa": isa, "tested": round(tested, 1), "found": round(found, 1)}))


if __name__ == "__main__":
    main()
