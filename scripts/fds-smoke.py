#!/usr/bin/env python3
"""Writes the smoke and the gases of an FDS simulation as regions and zones of a scenario, to the standard output.

    fds-smoke.py FOLDER --scenario office.toml > office-fire.toml    the scenario, with the zones at its end
    fds-smoke.py FOLDER > zones.toml                                 the regions and zones alone

Reads horizontal slices: an extinction coefficient or an optical density, and the volume fractions of carbon monoxide,
carbon dioxide and oxygen, if there are any. Needs the package fdsreader.
"""

import argparse
import math
import pathlib
import sys
import tomllib

import fdsreader
import numpy as np

CLEAR = 0.05  # 1/m, which slows people by 0.4 per cent
HARMLESS = 0.01  # a dose over the whole simulation
NEAR = 0.5  # metres, from the height asked for to a slice
GASES = {"CARBON MONOXIDE": "CO", "CARBON DIOXIDE": "CO2", "OXYGEN": "O2"}


def key_of(quantity):
    """The name of a slice's quantity here, and the factor to its unit here: 1/m, ppm or per cent."""
    name, unit = quantity.name.upper(), quantity.unit
    if name.endswith("EXTINCTION COEFFICIENT"):
        key, expected, factor = "K", "1/m", 1.0
    elif name.endswith("OPTICAL DENSITY"):
        # FDS divides the extinction by this.
        key, expected, factor = "D", "1/m", 2.3
    elif name.endswith(" VOLUME FRACTION") and name.removesuffix(" VOLUME FRACTION") in GASES:
        key = GASES[name.removesuffix(" VOLUME FRACTION")]
        expected, factor = "mol/mol", 1e6 if key == "CO" else 100.0
    else:
        return None, None
    if unit != expected:
        sys.exit(f"{quantity.name} has the unit {unit}, not {expected}")
    return key, factor


def slices_near(simulation, height):
    """For each quantity, its horizontal slice that is nearest to a height, with the factor to its unit here."""
    found = {}
    for plane in simulation.slices:
        key, factor = key_of(plane.quantity)
        away = abs(plane.extent.z_start - height)
        if key and plane.orientation == 3 and away <= NEAR and (key not in found or away < found[key][2]):
            found[key] = plane, factor, away
    if "K" not in found and "D" in found:
        found["K"] = found["D"]
    found.pop("D", None)
    if not found:
        names = sorted({f"{plane.quantity.name} at z = {plane.extent.z_start:g}" for plane in simulation.slices})
        sys.exit(f"no horizontal slice of smoke or gases within {NEAR} m of z = {height:g}; found {names}")
    return {key: (plane, factor) for key, (plane, factor, _) in found.items()}


def in_cells(plane, part):
    """The values of a slice in one mesh, by time and cell of FDS."""
    data = part.data.astype(float)
    if not plane.cell_centered:
        data = (data[:, 1:, 1:] + data[:, :-1, 1:] + data[:, 1:, :-1] + data[:, :-1, :-1]) / 4.0
    return data


def dose_rate(gas):
    """The fractional effective dose of Purser that the gases add in a second, as FDS computes it."""
    rate = 0.0
    if "CO" in gas:
        rate = 4.607e-7 * np.maximum(gas["CO"], 0.0) ** 1.036
        if "CO2" in gas:
            rate = rate * np.exp(0.1903 * np.maximum(gas["CO2"], 0.0) + 2.0004) / 7.1
    if "O2" in gas:
        lack = 1.0 / (60.0 * np.exp(8.13 - 0.54 * (20.9 - gas["O2"])))
        rate = rate + np.where(gas["O2"] < 20.0, lack, 0.0)
    return rate


def moments(times, every):
    """Pairs of a time and of the slices around it, in equal numbers before and after it."""
    every = max(every, np.diff(times).max(initial=0.0))
    found = []
    for moment in np.arange(np.ceil(max(times[0], 0.0) / every) * every, times[-1] + every / 1000.0, every):
        away = np.abs(times - moment)
        reach = min(every / 2.0, moment - times[0], times[-1] - moment)
        found.append((moment, away <= max(reach, away.min()) + 1e-6))
    return found


def averages(found, side, every):
    """Times, the low corner and the high corner of the slices, and by cell the extinction and the rate of the dose."""
    planes = [plane for plane, _ in found.values()]
    times = min((plane.times for plane in planes), key=len)
    steps = moments(times, every)
    extent = planes[0].extent
    low, high = np.array([extent.x_start, extent.y_start]), np.array([extent.x_end, extent.y_end])
    size = np.maximum(np.ceil((high - low) / side - 1e-6).astype(int), 1)
    sums = {key: np.zeros((len(steps), *size)) for key in ("area", "K", "rate")}
    for part in planes[0].subslices:
        # Solid cells have no gas. FDS averages nodes over the cells beside them that have.
        ranges = part.index_ranges(cell_centered=True)
        region = tuple(ranges[axis] for axis in ("x", "y", "z"))
        free = part.mesh.get_obstruction_mask(times, cell_centered=True, region=region)[:, :, :, 0]
        gas = {}
        for key, (plane, factor) in found.items():
            other = next((other for other in plane.subslices if other.mesh.id == part.mesh.id), None)
            if other is None or other.shape != part.shape:
                sys.exit(f"the slices of {plane.quantity.name} have another extent in the mesh {part.mesh.id}")
            gas[key] = np.where(free, in_cells(plane, other)[: len(times)] * factor, 0.0)
        sides = [part.mesh.coordinates[axis][ranges[axis].start : ranges[axis].stop + 1] for axis in ("x", "y")]
        areas = np.outer(*map(np.diff, sides)) * free
        cells = [
            np.clip(((edge[1:] + edge[:-1]) / 2.0 - low[axis]) // side, 0, size[axis] - 1).astype(int)
            for axis, edge in enumerate(sides)
        ]
        fields = {"area": 1.0, "K": np.maximum(gas.pop("K", 0.0), 0.0), "rate": dose_rate(gas)}
        for key, values in fields.items():
            values = areas * values
            for number, (_, around) in enumerate(steps):
                np.add.at(sums[key][number], np.ix_(*cells), values[around].sum(axis=0))
    with np.errstate(invalid="ignore"):
        means = {key: sums[key] / sums["area"] for key in ("K", "rate")}
    return np.array([moment for moment, _ in steps]), low, high, means


def thinned(times, values, tolerance):
    """The points of a series that a line through fewer of them needs to stay within a tolerance of all."""
    kept, open_parts = {0, len(times) - 1}, [(0, len(times) - 1)]
    while open_parts:
        start, end = open_parts.pop()
        line = np.interp(times[start : end + 1], times[[start, end]], values[[start, end]])
        gaps = np.abs(values[start : end + 1] - line)
        if gaps.max() > tolerance:
            worst = start + int(gaps.argmax())
            kept.add(worst)
            open_parts += [(start, worst), (worst, end)]
    return sorted(kept)


def series(key, times, values, tolerance):
    """A line of TOML with a series."""
    kept = thinned(times, values, tolerance * values.max())
    return f"{key} = [" + ", ".join(f"[{times[at]:.6g}, {values[at]:.4g}]" for at in kept) + "]", len(kept)


def tables(options):
    """The text of the regions and zones."""
    simulation = fdsreader.Simulation(options.folder)
    found = slices_near(simulation, options.height)
    times, low, high, means = averages(found, options.cell, options.every)
    used = ", ".join(f"{plane.quantity.name} at z = {plane.extent.z_start:g} m" for plane, _ in found.values())
    lines = [f"\n# Smoke of the FDS simulation {simulation.chid}, by scripts/fds-smoke.py: {used};"]
    lines.append(f"# means over squares of {options.cell:g} m and {options.every:g} s.")
    name = "smoke-" + (f"{options.storey}-" if options.storey else "")
    cells = points = most = worst = 0
    for column, row in np.ndindex(means["K"].shape[1:]):
        extinction, rate = (means[key][:, column, row] for key in ("K", "rate"))
        if np.isnan(extinction).any():
            continue  # solid at a time
        dose = np.trapezoid(rate, times)
        written = []
        if extinction.max() >= CLEAR:
            written.append(series("extinction", times, extinction, options.tolerance))
        if dose >= HARMLESS:
            written.append(series(f'variable = "{options.variable}"\nrate', times, rate, options.tolerance))
        if not written:
            continue
        start = low + np.array([column, row]) * options.cell
        end = np.minimum(start + options.cell, high)
        middle, size = (start + end) / 2.0 + options.origin, end - start
        lines.append(f'\n[[region]]\nname = "{name}{column}-{row}"')
        lines.append(f"centre = [{middle[0]:.6g}, {middle[1]:.6g}]\nsize = [{size[0]:.6g}, {size[1]:.6g}]")
        if options.storey:
            lines.append(f'storey = "{options.storey}"')
        lines.append(f'\n[[zone]]\nregion = "{name}{column}-{row}"\nfactor = 1.0')
        lines += [line for line, _ in written]
        cells, points = cells + 1, points + sum(number for _, number in written)
        most, worst = max(most, extinction.max()), max(worst, dose)
    print(f"{cells} of {means['K'][0].size} cells, {points} points; largest extinction {most:.3g} 1/m", file=sys.stderr)
    if "CO" in found or "O2" in found:
        print(f"largest dose of an agent that stays: {worst:.3g}", file=sys.stderr)
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="folder of the simulation, or its .smv file")
    parser.add_argument("--scenario", type=pathlib.Path, help="scenario to write before the tables")
    parser.add_argument("--height", type=float, default=2.0, help="z of heads in FDS, in metres (2)")
    parser.add_argument("--cell", type=float, default=4.0, help="side of the squares, in metres (4)")
    parser.add_argument("--every", type=float, default=10.0, help="seconds between the points of a series (10)")
    parser.add_argument("--tolerance", type=float, default=0.01, help="error of a series, of its largest value (0.01)")
    parser.add_argument("--storey", help="storey of the scenario on which the regions lie")
    parser.add_argument("--origin", type=float, nargs=2, default=[0.0, 0.0], help="the point (0, 0) of FDS in the plan")
    parser.add_argument("--variable", default="dose", help="variable of the species to which zones add (dose)")
    options = parser.parse_args()
    if not (options.cell > 0.0 and options.every > 0.0 and options.tolerance >= 0.0):
        sys.exit("--cell and --every are above zero, --tolerance is not below")
    text = (options.scenario.read_text() if options.scenario else "") + tables(options)
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        sys.exit(f"{options.scenario}: the tables do not fit at its end ({error}); write [[region]] and [[zone]]")
    print(text, end="")


if __name__ == "__main__":
    main()
