#!/usr/bin/env python3
"""Fits the constants of topologies/rates/library_costs.json to published tables, by the program.

  fit_costs.py PROGRAM OUT [--costs FILE] [--only TEXT,...] [--trials N] [--jobs N]
  fit_costs.py PROGRAM OUT --descend [--costs FILE] [--only TEXT] [--sweeps N] [--jobs N]
  fit_costs.py PROGRAM OUT --cross-validate [--machine NAME]

What is made least is the mean of |predicted / measured - 1| over the rows of all tables, at most
1.5 each; rows from 64 MiB on count twice, tables to be treated with care a quarter, and of long
tables some rows stand for all. Which tables a constant is tried on stands beside it, as "tables".
The constants whose path begins with a TEXT ("nccl.networks.0,nccl.algorithms.hop_pace") are moved
together (evolution.py); with --descend each by itself, group by group: up or down by a step that
grows while that helps and halves where it does not. Hours on two cores; OUT is written whenever
something better is found.

--cross-validate fits once for each machine, without its tables, predicts these, and writes their
errors to OUT as JSON. It starts from the constants as they are, but those that no other machine
tells take the value of their neighbour: the first network of the library, a share of 1.
"""
import argparse
import copy
import json
import math
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from evolution import Evolution

ROOT = Path(__file__).resolve().parent.parent
LARGE = 1 << 26
MOST_ROWS = 14
MOST_ROWS_OF_MANY = 7  # of 64 ranks and more
TOO_LARGE = 1000  # ranks: such tables are predicted, not fitted to
NOT_FITTED = {"tables", "note", "name", "stack", "before", "from", "nic_at_most_GBps", "sm_below",
              "c2c", "rendezvous_from_bytes"}


class Table:
    def __init__(self, path, folder):
        self.name = path.stem
        self.json = json.loads(path.read_text())
        self.library = self.json.get("library") or "nccl"
        self.machine = self.json["topology"]
        rows = self.json["rows"]
        self.all_rows = rows
        most = MOST_ROWS_OF_MANY if self.json["gpus"] >= 64 else MOST_ROWS
        if len(rows) > most:
            kept = sorted({round(i * (len(rows) - 1) / (most - 1)) for i in range(most)})
            rows = [rows[i] for i in kept]
        weight = len(self.all_rows) / len(rows) * (0.25 if "care" in self.json else 1)
        self.rows = rows
        self.weights = [weight * (2 if row["bytes"] >= LARGE else 1) for row in rows]
        self.path = folder / path.name
        self.path.write_text(json.dumps({**self.json, "rows": rows}))
        self.whole = path


class Program:
    def __init__(self, path, folder, jobs):
        self.path, self.folder = path, folder
        self.pool = ThreadPoolExecutor(jobs)

    def times(self, table, costs, whole=False):
        run = subprocess.run(
            [self.path, "validate", table.whole if whole else table.path, "--predictors", "model",
             "--costs", costs, "--format", "json"],
            capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise SystemExit(f"{table.name}: {run.stderr.strip()}")
        return [row["predicted_us"]["model"] for row in json.loads(run.stdout)["tables"][0]["rows"]]

    def error(self, table, costs):
        return sum(weight * min(abs(time / row["time_us"] - 1), 1.5) for time, row, weight in
                   zip(self.times(table, costs), table.rows, table.weights))

    def errors(self, tables, constants):
        """By table."""
        path = self.folder / "costs.json"
        path.write_text(json.dumps(constants))
        return dict(zip([table.name for table in tables],
                        self.pool.map(lambda table: self.error(table, path), tables)))

    def sums(self, tables, candidates):
        """Of all tables, by candidate."""
        paths = [self.folder / f"candidate{i}.json" for i in range(len(candidates))]
        for path, constants in zip(paths, candidates):
            path.write_text(json.dumps(constants))
        longest_first = sorted(tables, key=lambda table: -table.json["gpus"])
        work = [(table, path) for table in longest_first for path in paths]
        errors = list(self.pool.map(lambda each: self.error(*each), work))
        return [sum(errors[i::len(paths)]) for i in range(len(paths))]


def figures(node, path=(), tables=None):
    """Each constant's path and the tables beside it, or beside what holds it."""
    if isinstance(node, dict):
        own = node.get("tables", tables)
        if isinstance(own, str):  # "all of the library below"
            own = tables
        for key, value in node.items():
            if key not in NOT_FITTED:
                yield from figures(value, path + (key,), own)
    elif isinstance(node, list):
        for i, value in enumerate(node):
            yield from figures(value, path + (i,), tables)
    elif isinstance(node, (int, float)) and node > 0:
        yield path, tables


def at(node, path):
    for key in path:
        node = node[key]
    return node


def move(node, path, step):
    """By a factor of e^step; what is a part of a whole by less, and within it."""
    holder, key = at(node, path[:-1]), path[-1]
    if "pace" in path or "hop_pace" in path:
        holder[key] = min(max(holder[key] + step / 2.5, 0), 0.95)
        return
    holder[key] *= math.exp(step)
    if "share" in str(key) or "efficiency" in path:
        holder[key] = min(holder[key], 1.03 if "networks" in path else 1.4)


def group(path):
    return path[:3] if "networks" in path else path[:4] if "step_us" in path else path[:2]


class Fit:
    def __init__(self, program, tables, constants):
        self.program, self.constants = program, constants
        self.tables = {table.name: table for table in tables}
        self.error = program.errors(tables, constants)
        self.weight = sum(sum(table.weights) for table in tables)
        self.steps = {}

    def mean(self):
        return sum(self.error.values()) / self.weight

    def try_step(self, path, names, step):
        holder, key = at(self.constants, path[:-1]), path[-1]
        before = holder[key]
        move(self.constants, path, step)
        if holder[key] == before:
            return False
        new = self.program.errors([self.tables[name] for name in names], self.constants)
        if sum(new.values()) < sum(self.error[name] for name in names) - 1e-3:
            self.error.update(new)
            return True
        holder[key] = before
        return False

    def moved(self, paths, steps):
        constants = copy.deepcopy(self.constants)
        for path, step in zip(paths, steps):
            move(constants, path, step)
        return constants

    def evolve(self, groups, trials, out):
        members = [member for group in groups.values() for member in group]
        paths = [path for path, _ in members]
        tables = [self.tables[name] for name in sorted({n for _, names in members for n in names})]
        least = sum(self.error[table.name] for table in tables)
        evolution = Evolution(len(paths), 0.2)
        for _ in range(math.ceil(trials / evolution.size)):
            candidates = [self.moved(paths, steps) for steps in evolution.ask()]
            sums = self.program.sums(tables, candidates)
            evolution.tell(sums)
            best = min(range(len(sums)), key=sums.__getitem__)
            if sums[best] < least:
                least = sums[best]
                out.write_text(json.dumps(candidates[best], indent=1) + "\n")
            weight = sum(sum(table.weights) for table in tables)
            print(f"{len(tables)} tables: {least / weight:.4f}, now {sums[best] / weight:.4f}",
                  flush=True)

    def descend(self, groups, out=None):
        for name, members in groups.items():
            for path, names in members:
                step = self.steps.setdefault(path, 0.25)
                if abs(step) < 0.02:
                    continue
                if self.try_step(path, names, step):
                    self.steps[path] = math.copysign(min(0.6, abs(step) * 1.4), step)
                elif self.try_step(path, names, -step):
                    self.steps[path] = -step
                else:
                    self.steps[path] = step / 2
            if out:
                print(f"{'.'.join(map(str, name))}: {self.mean():.4f}", flush=True)
                out.write_text(json.dumps(self.constants, indent=1) + "\n")


def groups_of(constants, tables, only):
    known = {table.name for table in tables}
    groups = {}
    for library in ("nccl", "rccl"):
        whole = constants[library]["tables"]
        for path, names in figures(constants[library], (library,), whole):
            names = [name for name in names if name in known]
            if names and any(".".join(map(str, path)).startswith(text) for text in only.split(",")):
                groups.setdefault(group(path), []).append((path, names))
    return groups


def forget(constants, machine, tables):
    """Gives what only this machine tells the value of its neighbour."""
    machine_of = {table.name: table.machine for table in tables}
    for library in ("nccl", "rccl"):
        networks = constants[library]["networks"]
        for network in networks:
            told = {machine_of.get(name) for name in network["tables"]} - {None}
            if told == {machine} and network is not networks[0]:
                neighbour = copy.deepcopy(networks[0])
                network.update({key: value for key, value in neighbour.items()
                                if key not in NOT_FITTED})
        for row in constants[library]["near"]["shares"]:
            if {machine_of.get(name) for name in row["tables"]} - {None} == {machine}:
                row["share"] = 1


def cross_validate(program, tables, constants, out, machine):
    result = {}
    for held_out in sorted({table.machine for table in tables if machine in ("", table.machine)}):
        own = copy.deepcopy(constants)
        forget(own, held_out, tables)
        others = [table for table in tables if table.machine != held_out]
        touched = {table.name for table in tables if table.machine == held_out}
        fit = Fit(program, others, own)
        near = {name: members for name, members in groups_of(constants, tables, "").items()
                if any(touched & set(names) for _, names in members)}
        left = {name: [(path, [n for n in names if n not in touched]) for path, names in members
                       if set(names) - touched] for name, members in near.items()}
        fit.descend(left)
        path = program.folder / "held_out.json"
        path.write_text(json.dumps(own))
        for table in tables:
            if table.machine != held_out:
                continue
            times = program.times(table, path, whole=True)
            result[table.name] = [{"bytes": row["bytes"], "measured_us": row["time_us"],
                                   "predicted_us": time}
                                  for row, time in zip(table.all_rows, times)]
            mean = sum(abs(row["predicted_us"] / row["measured_us"] - 1)
                       for row in result[table.name]) / len(times)
            print(f"{held_out} {table.name}: {mean:.3f}", flush=True)
        out.write_text(json.dumps(result, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("out", type=Path)
    parser.add_argument("--costs", type=Path, default=ROOT / "topologies/rates/library_costs.json")
    parser.add_argument("--sweeps", type=int, default=2)
    parser.add_argument("--only", default="", help="constants whose path begins with these texts")
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--descend", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--cross-validate", action="store_true")
    parser.add_argument("--machine", default="", help="hold out this one alone")
    options = parser.parse_args()
    constants = json.loads(options.costs.read_text())
    with tempfile.TemporaryDirectory() as folder:
        tables = [Table(path, Path(folder))
                  for path in sorted((ROOT / "scenarios/measured").glob("*.json"))]
        tables = [table for table in tables if table.json["gpus"] < TOO_LARGE]
        program = Program(options.program, Path(folder), options.jobs)
        if options.cross_validate:
            cross_validate(program, tables, constants, options.out, options.machine)
            return
        fit = Fit(program, tables, constants)
        print(f"start: {fit.mean():.4f}", flush=True)
        groups = groups_of(constants, tables, options.only)
        if not options.descend:
            fit.evolve(groups, options.trials, options.out)
            return
        for _ in range(options.sweeps):
            fit.descend(groups, options.out)


if __name__ == "__main__":
    main()
