"""Constants by their paths, and how they are moved to make the errors of tables least."""
import copy
import json
import math

from evolution import Evolution

NOT_FITTED = {"tables", "note", "name", "stack", "before", "from", "nic_at_most_GBps", "sm_below",
              "c2c", "rendezvous_from_bytes"}


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


def settle(constants):
    """RCCL's LL128 is hardly measured: a hop of it costs no less than one of LL, and overlaps so."""
    rccl = constants["rccl"]
    steps = [rccl["near"]["step_us"]["xgmi"]] + [row["hop_us"] for row in rccl["networks"]]
    for step in steps:
        step["ll128"] = max(step["ll128"], step["ll"])
    pace = rccl["algorithms"]["hop_pace"]
    pace["ll128"] = pace["ll"]


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
        before = copy.deepcopy(self.constants)
        move(self.constants, path, step)
        settle(self.constants)
        if self.constants == before:
            return False
        new = self.program.errors([self.tables[name] for name in names], self.constants)
        if sum(new.values()) < sum(self.error[name] for name in names) - 1e-3:
            self.error.update(new)
            return True
        self.constants.clear()  # others hold it
        self.constants.update(before)
        return False

    def moved(self, paths, steps):
        constants = copy.deepcopy(self.constants)
        for path, step in zip(paths, steps):
            move(constants, path, step)
        settle(constants)
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
