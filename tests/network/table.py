#!/usr/bin/env python3
"""table.py TITLE RUN.json...: the textbook's strategies as rows, on one network.

Measured beside simulated, the ratio to central_gpu = 60, and MPI_Allreduce in the same run.
"""
import json
import sys


def main():
    title, *paths = sys.argv[1:]
    points = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            points += json.load(file)["points"]
    central = points[0]["measured_us"]
    print(f"{title}, {points[0]['bytes'] / 1e6:g} MB")
    print(f"  {'strategy':14} {'measured':>10} {'simulated':>10} {'deviation':>9} {'ratio':>6}"
          f" {'library':>10}  data")
    for point in points:
        library = point["library"]
        beside = f"{library['us'] / 1e6:8.3f} s" if library else ""
        print(f"  {point['strategy']:14} {point['measured_us'] / 1e6:8.3f} s"
              f" {point['simulated_us'] / 1e6:8.3f} s {100 * point['deviation']:+7.2f} %"
              f" {60 * point['measured_us'] / central:6.1f}"
              f" {beside:>10}"
              f"  {'exact' if point['data_correct'] else 'WRONG'}")


if __name__ == "__main__":
    main()
