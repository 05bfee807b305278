"""Writes docs/comparisons.md, and a page of all rows, from published.toml and the results in benches/results."""

import json
import re
import statistics
import textwrap
import tomllib
from pathlib import Path

RESULTS = Path("benches/results")
PAGE = Path("docs/comparisons.md")
MEASURED = Path("docs/comparisons/measured.md")
PUBLISHED = tomllib.loads((Path(__file__).parent / "published.toml").read_text())

HEAD = """\
# Comparisons with published benchmarks

throng on the benchmarks of other projects, with their parameters. `scripts/comparisons.sh` measures and writes this
page. [All rows](comparisons/measured.md) have every case, run and hash, and [benches/results](../benches/results) the
raw results. [Performance](performance.md) has throng's own workloads.
"""

VERDICTS = """\
Factors, from the least to the greatest of the cases. Published figures are compared with throng on all threads of the
machine below.
"""

READING = """\
## How to read the tables

- Times are the best of the runs by the clock. Programs ran in turns.
{loaded}
- Figures under *Published* are by their authors, on the machines named.
- The number of ticks is as published unless a row has fewer.
"""

ROWS = """\
# Comparisons: all rows

The measurements behind [the comparisons](../comparisons.md). *Clock* is the time by the clock, best and median of the
runs, *processor* the processor time of all threads, the least of the runs. The hash of the state at the end is equal
for any number of threads and on every machine, for the same ticks.
"""

QUIET = "Ratios are those of the best times by the clock."
LOADED = (
    "Ratios are those of the best times by the clock, except in {letters}: **there the machine had other work all the "
    "time**, so that the clock says little, and ratios use processor time divided by threads, which is what the clock "
    "would show at best on a machine without other work."
)


class Machine:
    """The results of one machine."""

    def __init__(self, file):
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        self.facts = [line["machine"] for line in lines if "machine" in line][-1]
        self.runs = [line for line in lines if "case" in line]
        self.dates = sorted({line["date"] for line in self.runs})
        self.load = statistics.mean(line["load"] for line in self.runs)

    def is_loaded(self, letter):
        """Whether other programs ran beside a comparison. Its own are a load of up to one for each core."""
        loads = [run["load"] for run in self.runs if run["case"].split("/")[0] == letter]
        return bool(loads) and statistics.mean(loads) > 1.5 * self.facts["cores"]

    def cells(self):
        """The machine's row in the table of machines."""
        facts, dates = self.facts, " to ".join(dict.fromkeys([self.dates[0], self.dates[-1]]))
        names = [facts["processor"], str(facts["cores"]), facts["isa"], f"{facts['memory_gb']} GB", facts["system"]]
        throng = f"{facts['version']}, {facts['commit']}"
        return [*names, facts["rustc"].split(" (")[0], throng, dates, f"{self.load:.0f}"]

    def rows(self, letter):
        """The rows of a comparison. Of runs that differ in their ticks, those with the most count."""
        keys = dict.fromkeys((run["case"], run["program"], run["threads"]) for run in self.runs)
        of_letter = [key for key in keys if key[0].startswith(f"{letter}/")]
        for key in sorted(of_letter, key=lambda key: [float(part) for part in re.findall(r"/([\d.]+)", key[0])]):
            runs = [run for run in self.runs if (run["case"], run["program"], run["threads"]) == key]
            ticks = max(run["ticks"] for run in runs)
            yield Row([run for run in runs if run["ticks"] == ticks], letter, self.is_loaded(letter))


class Row:
    """One program on one case."""

    def __init__(self, runs, letter, is_loaded):
        self.runs, last = runs, runs[-1]
        self.case, self.program, self.threads, self.ticks = map(last.get, ["case", "program", "threads", "ticks"])
        # A run of B counts whole, others by the tick.
        unit = 1e3 if letter == "B" else 1e3 / self.ticks
        seconds = [second for run in runs for second in run["seconds"]]
        self.best, self.median = min(seconds) * unit, statistics.median(seconds) * unit
        self.processor = min(run["processor_seconds"] / len(run["seconds"]) for run in runs) * unit
        self.time = self.processor / self.threads if is_loaded else self.best
        self.neighbours = "{:.0f} to {:.0f}".format(*last["neighbours"]) if "neighbours" in last else ""
        self.hash = f"`{last['hash']}`" if "hash" in last else ""

    def cells(self):
        clock = f"{number(self.best)} ({number(self.median)})"
        fixed = [self.case, self.program, *map(str, [self.threads, self.ticks, len(self.runs)])]
        return [*fixed, clock, number(self.processor), self.neighbours, self.hash]


def number(value):
    """Three significant digits."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def table(head, rows):
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows]) + "\n"


def milliseconds(column):
    """The figures of a published column in milliseconds per tick."""
    if "ms" in column:
        return column["ms"]
    return {case: seconds * 1e3 / column["ticks"] for case, seconds in column["seconds"].items()}


def span(ratios):
    low, high = number(min(ratios)), number(max(ratios))
    return low if low == high else f"{low} to {high}"


class Verdicts:
    """Rows of programs that are faster than throng, and of those that are slower."""

    def __init__(self):
        self.losses, self.wins = [], []

    def add(self, letter, name, source, ratios):
        """Compares with a program by its times in times of throng, one for each case."""
        losses = [1 / ratio for ratio in ratios if ratio < 1]
        wins = [ratio for ratio in ratios if ratio >= 1]
        for rows, factors in [(self.losses, losses), (self.wins, wins)]:
            if factors:
                rows.append([letter, name, source, span(factors), f"{len(factors)} of {len(ratios)}"])


def wrapped(lines):
    return "\n".join(textwrap.fill(line, 120, subsequent_indent="  ", break_on_hyphens=False) for line in lines)


def fastest(rows):
    """The fastest row of throng for each case."""
    best = {}
    for row in (row for row in rows if row.program == "throng"):
        best[row.case] = min(best.get(row.case, row), row, key=lambda row: row.time)
    return best


def measured(letter, machine):
    """The table of all rows of a comparison on one machine."""
    unit = PUBLISHED[letter].get("unit", "ms per tick")
    head = ["case", "program", "threads", "ticks", "runs", f"clock, {unit}", "processor", "neighbours", "hash"]
    return table(head, [row.cells() for row in machine.rows(letter)])


def comparison(letter, machine, verdicts):
    """The tables of a comparison on one machine."""
    about, rows = PUBLISHED[letter], list(machine.rows(letter))
    if not rows:
        return "Not measured on this machine.\n"
    unit = about.get("unit", "ms per tick")
    text, ours = [], fastest(rows)
    if "published" not in about:
        shown = [[row.case, row.program, str(row.threads), number(row.time)] for row in rows]
        text.append(table(["case", "program", "threads", unit], shown))
    alone = {row.case: row for row in rows if row.program == "throng" and row.threads == 1}
    for peer in dict.fromkeys(row.program for row in rows if row.program != "throng"):
        of_peer = {row.case: row for row in rows if row.program == peer}
        ratios = [row.time / alone[case].time for case, row in of_peer.items() if case in alone]
        verdicts.add(letter, peer, "measured here, one thread each", ratios)
    if "published" in about:
        columns = {column["name"]: milliseconds(column) for column in about["published"]}
        shown = [
            [case, number(row.time)] + [number(column[case]) if case in column else "" for column in columns.values()]
            for case, row in ours.items()
        ]
        text.append(f"Published, {unit}, beside throng's best on this machine:\n")
        own = "throng, processor by threads" if machine.is_loaded(letter) else "throng"
        text.append(table(["case", own] + [f"*{name}*" for name in columns], shown))
        sources = [f"- {column['name']}: {column['machine']}; {column['source']}." for column in about["published"]]
        text.append(wrapped(sources) + "\n")
        for column in about["published"]:
            figures = columns[column["name"]]
            ratios = [figures[case] / row.time for case, row in ours.items() if case in figures]
            verdicts.add(letter, column["name"], f"published, {column['machine']}", ratios)
    if "ratios" in about:
        mesa = {row.case: row for row in rows if row.program == "mesa"}
        cases = [case for case in mesa if case in ours]
        shown = [["throng"] + [number(ours[case].time / mesa[case].time) for case in cases]]
        shown += [[f"*{row['name']}*"] + [number(row["values"][case]) for case in cases] for row in about["ratios"]]
        text.append("Times relative to Mesa, published ones in italics:\n")
        text.append(table(["program"] + cases, shown))
        for row in about["ratios"]:
            ratios = [row["values"][case] * mesa[case].time / ours[case].time for case in cases]
            verdicts.add(letter, row["name"], "published ratio to Mesa, Mesa measured here", ratios)
    return "\n".join(text)


def kernels(_letter, machine, verdicts):
    """The table of the kernels on one machine."""
    best = {}
    for run in (run for run in machine.runs if run["case"] == "kernels"):
        # throng counts a pair for both agents.
        own = [("throng", each, 0.5) for each in run.get("sets", [])] or [(run.get("title"), run, 1.0)]
        for name, each, share in own:
            tested, found = best.get((name, each["isa"]), (0.0, 0.0))
            best[name, each["isa"]] = (max(tested, each["tested"] * share), max(found, each["found"] * share))
    if not best:
        return "Not measured on this machine.\n"
    ours = {isa: found for (name, isa), (_, found) in best.items() if name == "throng"}
    for (name, _), (_, theirs) in best.items():
        for isa in ours if name != "throng" else []:
            source = f"measured here, throng with {isa}, pairs within the radius"
            verdicts.add("kernels", name, source, [ours[isa] / theirs])
    cells = [[name, isa, number(tested), number(found)] for (name, isa), (tested, found) in best.items()]
    return table(["program", "instructions", "tested", "within the radius"], cells)


def check_hashes(machines):
    """Stops unless the hashes of a case are the same in every run, with any number of threads and on every machine."""
    hashes = {}
    for run in (run for machine in machines for run in machine.runs if "hash" in run):
        known = hashes.setdefault((run["case"], run["ticks"]), run["hash"])
        if known != run["hash"]:
            raise SystemExit(f"{run['case']}, {run['ticks']} ticks: hashes {known} and {run['hash']}")


def main():
    machines = [Machine(file) for file in sorted(RESULTS.glob("*/comparisons.jsonl"))]
    check_hashes(machines)
    verdicts, reading = Verdicts(), []
    sections = {letter: [about["text"].lstrip()] for letter, about in PUBLISHED.items()}
    all_rows = [ROWS]
    for machine in machines:
        facts = machine.facts
        for letter, section in sections.items():
            text = (kernels if letter == "kernels" else comparison)(letter, machine, verdicts)
            place = f"On the {facts['processor']}:\n\n" if len(machines) > 1 else ""
            section.append(place + text)
            if letter != "kernels":
                all_rows.append(f"## {PUBLISHED[letter]['title']}\n\n{place}{measured(letter, machine)}")
        reading.append(machine.cells())
    loaded = [letter for letter in PUBLISHED if any(machine.is_loaded(letter) for machine in machines)]
    note = LOADED.format(letters=" and ".join(loaded)) if loaded else QUIET
    losses, wins, of = verdicts.losses, verdicts.wins, ["comparison", "program", "by"]
    head = ["machine", "cores", "instructions", "memory", "system", "compiler", "throng", "date", "load"]
    parts = [
        HEAD,
        f"## Where throng is slower\n\n{VERDICTS}\n" + table([*of, "it is faster by", "cases"], losses),
        "## Where throng is faster\n\n" + table([*of, "throng is faster by", "cases"], wins),
        READING.format(loaded=wrapped([f"- {note}"])) + "\n" + table(head, reading),
    ]
    for letter, section in sections.items():
        parts.append(f"## {PUBLISHED[letter]['title']}\n\n" + "\n".join(section))
    PAGE.write_text("\n".join(part.rstrip("\n") + "\n" for part in parts))
    MEASURED.parent.mkdir(exist_ok=True)
    MEASURED.write_text("\n".join(all_rows))
    print(f"written to {PAGE} and {MEASURED}")


if __name__ == "__main__":
    main()
