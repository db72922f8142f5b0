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
tells take the value of their neighbour: the last network of the same stack, or the first of the
library; a share of 1. The others that matter to the machine are tried once each, up and down, on
fewer rows and without the tables that are to be treated with care. Machines side by side.
"""
import argparse
import json
import os
import tempfile
from pathlib import Path

from cost_fit import Fit, groups_of
from cost_tables import Program, Table
from cross_validation import CROSS_ROWS, CROSS_ROWS_OF_MANY, cross_validate

ROOT = Path(__file__).resolve().parent.parent
TOO_LARGE = 1000  # ranks: such tables are predicted, not fitted to


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
        rows = (CROSS_ROWS, CROSS_ROWS_OF_MANY) if options.cross_validate else ()
        tables = [Table(path, Path(folder), *rows)
                  for path in sorted((ROOT / "scenarios/measured").glob("*.json"))]
        tables = [table for table in tables if table.json["gpus"] < TOO_LARGE]
        if options.cross_validate:
            cross_validate(options.program, Path(folder), tables, constants, options)
            return
        program = Program(options.program, Path(folder), options.jobs)
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
