"""Measures throng and its peers in alternating turns: `measure.py [--short] [--again] A|B|C|D|E|kernels ...`.

Appends one line of JSON for each run to benches/results/MACHINE/comparisons.jsonl. What has enough lines is skipped;
--again removes the lines of these comparisons first.
TARGET is the folder of the compiled programs, REPETITIONS the number of turns.
"""

import datetime
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

TARGET = Path(os.environ.get("TARGET", "target"))
THRONG = TARGET / "release/examples/comparisons"
KRABMAGA = TARGET / "comparisons/peers/release/throng-peer-krabmaga"
PYTHON = TARGET / "comparisons/venv/bin/python"
REPETITIONS = int(os.environ.get("REPETITIONS", "3"))
# Seconds after which a program is not run again on a case.
ENOUGH = 600
# Agents times ticks above which --short takes a tenth of the ticks.
LARGE = 10_000_000
# Sides of krABMaga's ladder, by its number of agents.
LADDER = {1000 << doubling: side for doubling, side in enumerate([100, 141, 200, 282, 400, 565, 800, 1131])}


def command_output(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def machine():
    """What the rows of one machine have in common. The folder has the processor's name."""
    info = Path("/proc/cpuinfo").read_text()
    processor = re.search(r"model name\s*: (.*)", info).group(1)
    name = re.sub(r"\((R|TM)\)|CPU|Processor|@.*|\d+-Core", "", processor, flags=re.IGNORECASE).lower()
    sets = {"AVX-512": "avx512_vbmi2", "AVX2": "avx2"}
    memory = re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text()).group(1)
    return re.sub(r"[^a-z0-9]+", "-", name).strip("-"), {
        "processor": processor,
        "cores": os.cpu_count(),
        "isa": next((name for name, flag in sets.items() if flag in info), "SSE2"),
        "memory_gb": round(int(memory) / 1e6),
        "rustc": command_output("rustc", "--version"),
        "system": f"{os.uname().sysname} {os.uname().release.split('-')[0]}",
    }


def throng(case, threads):
    return lambda ticks: [THRONG, case, str(threads), str(ticks)]


def rows(letter, cases):
    """The programs of a comparison: case, program, threads, ticks, and the command from the ticks."""
    every = os.cpu_count()
    threads = {"B": [1], "D": [every], "E": [every]}.get(letter, sorted({1, every}))
    for case, ticks in cases:
        for count in threads:
            yield case, "throng", count, ticks, throng(case, count)
        size = case.split("/")[1]
        if letter == "B":
            for library in ["mesa", "mesa-frames"]:
                command = [PYTHON, "benches/peers/birds.py", library, size, "2"]
                yield case, library, 1, ticks, lambda _, command=command: command
        if letter == "C":
            command = [KRABMAGA, size, str(LADDER[int(size)])]
            yield case, "krABMaga", 1, ticks, lambda ticks, command=command: [*command, str(ticks)]
    if letter == "kernels":
        yield "kernels", "throng", 1, 0, lambda _: [THRONG, "kernels"]
        programs = ["lammps"] + (["gromacs"] if shutil.which("gmx") else [])
        for program in programs:
            yield "kernels", program, 1, 0, lambda _, program=program: [PYTHON, "benches/peers/pairs.py", program]


def main():
    short, again = "--short" in sys.argv, "--again" in sys.argv
    chosen = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    name, facts = machine()
    folder = Path("benches/results") / name
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "comparisons.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    # Results and the page differ from the commit while they are measured.
    changed = command_output("git", "status", "--porcelain", "--", ".", ":!benches/results", ":!docs/comparisons*")
    if again:
        lines = [line for line in lines if line.get("case", "").split("/")[0] not in chosen]
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    facts["commit"] = command_output("git", "rev-parse", "--short", "HEAD") + ("-dirty" if changed else "")
    facts["version"] = re.search(r'version = "(.*)"', Path("Cargo.toml").read_text()).group(1)
    cases = [line.split() for line in command_output(THRONG, "list").splitlines()]

    def ticks_of(case, ticks):
        size = re.search(r"/(\d+)", case)
        return ticks // 10 if short and size and int(size.group(1)) * ticks > LARGE else ticks

    with file.open("a") as out:

        def write(row):
            out.write(json.dumps(row) + "\n")
            out.flush()
            lines.append(row)

        write({"machine": facts})
        for letter in chosen:
            own = [(case, ticks_of(case, int(ticks))) for case, ticks in cases if case.startswith(f"{letter}/")]
            for turn in range(REPETITIONS):
                for case, program, threads, ticks, command in rows(letter, own):
                    key = {"case": case, "program": program, "threads": threads, "ticks": ticks}
                    done = [line for line in lines if key.items() <= line.items()]
                    spent = sum(sum(line.get("seconds", [])) for line in done)
                    if len(done) > turn or spent > ENOUGH:
                        continue
                    output = subprocess.run(command(ticks), capture_output=True, text=True)
                    if output.returncode != 0:
                        sys.exit(f"{case}, {program}: {output.stderr.strip()}")
                    result = json.loads(output.stdout)
                    if isinstance(result, list):
                        result = {"sets": result}
                    # The name of a peer in the table; its key names it for the next run.
                    result = {"title" if name == "program" else name: value for name, value in result.items()}
                    facts_of_run = {"date": str(datetime.date.today()), "load": round(os.getloadavg()[0], 1)}
                    write({**result, **key, **facts_of_run})
                    seconds = f"{sum(result['seconds']):.3f} s" if "seconds" in result else ""
                    print(f"{case:<16} {program:<12} {threads:>3} threads, turn {turn + 1} {seconds}", flush=True)


if __name__ == "__main__":
    main()
