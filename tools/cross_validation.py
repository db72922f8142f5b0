"""Fits without one machine's tables, and what they predict of these."""
import copy
import json
from concurrent.futures import ThreadPoolExecutor

from cost_fit import NOT_FITTED, Fit, groups_of, move
from cost_tables import Program

CROSS_ROWS = 7  # of a table, where many fits are made
CROSS_ROWS_OF_MANY = 4
CROSS_TOO_LARGE = 100  # ranks: not fitted to


def forget(constants, machine, tables):
    """Gives what only this machine tells the value of its neighbour: of networks the last one of
    the same stack, or the first of all; of shares 1."""
    machine_of = {table.name: table.machine for table in tables}

    def tellers(row):
        return {machine_of.get(name) for name in row["tables"]} - {None}

    for library in ("nccl", "rccl"):
        networks = copy.deepcopy(constants[library]["networks"])
        known = [network for network in networks if tellers(network) - {machine}] or networks[:1]
        for network in constants[library]["networks"]:
            if tellers(network) == {machine} and network != networks[0]:
                alike = [row for row in known if row["stack"] == network["stack"]] or known[:1]
                network.update({key: value for key, value in alike[-1].items()
                                if key not in NOT_FITTED})
        for row in constants[library]["near"]["shares"]:
            if tellers(row) == {machine}:
                row["share"] = 1


def matters(path, program, tables, constants, times):
    """Whether a constant has to do with the times of the tables."""
    other = copy.deepcopy(constants)
    move(other, path, 0.25)
    file = program.folder / "moved.json"
    file.write_text(json.dumps(other))
    return [program.times(table, file) for table in tables] != times


def fitted_without(machine, program, tables, constants):
    own = copy.deepcopy(constants)
    forget(own, machine, tables)
    held_out = [table for table in tables if table.machine == machine]
    others = [table for table in tables if table.machine != machine and "care" not in table.json
              and table.json["gpus"] < CROSS_TOO_LARGE]
    file = program.folder / "start.json"
    file.write_text(json.dumps(own))
    times = [program.times(table, file) for table in held_out]
    groups = {name: [(path, names) for path, names in members
                     if matters(path, program, held_out, own, times)]
              for name, members in groups_of(own, others, "").items()}
    Fit(program, others, own).descend(groups)
    return own


def errors_without(machine, program, tables, constants):
    file = program.folder / "held_out.json"
    file.write_text(json.dumps(fitted_without(machine, program, tables, constants)))
    result = {}
    for table in tables:
        if table.machine != machine:
            continue
        times = program.times(table, file, whole=True)
        result[table.name] = [{"bytes": row["bytes"], "measured_us": row["time_us"],
                               "predicted_us": time}
                              for row, time in zip(table.all_rows, times)]
        mean = sum(abs(row["predicted_us"] / row["measured_us"] - 1)
                   for row in result[table.name]) / len(times)
        print(f"{machine} {table.name}: {mean:.3f}", flush=True)
    return result


def cross_validate(path, folder, tables, constants, options):
    machines = sorted({table.machine for table in tables
                       if options.machine in ("", table.machine)})
    result = {}

    def hold_out(machine):
        own = folder / machine
        own.mkdir()
        result.update(errors_without(machine, Program(path, own, 1), tables, constants))
        options.out.write_text(json.dumps(result, indent=1) + "\n")

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(hold_out, machines))
