#!/usr/bin/env python3
"""The network as a topology: what links carry and cost is what a single pair was calibrated to.

machine.py CALIBRATION.json RATE star|tree [SLOW_HOST SLOW_RATE | UPLINK_RATE] > machine.json
CALIBRATION.json is what `syncsim calibrate --format json` says of two hosts. Other rates are usable
to the same share.
"""
import json
import sys

RATES = {"50mbit": 6.25e6, "100mbit": 12.5e6, "200mbit": 25e6, "1gbit": 125e6}


def calibrated(calibration):
    figures = {figure["figure"]: figure["after"] for figure in calibration["figures"]}
    return figures["bandwidth"] * 1e9, figures["latency"] / 1e6


def link_type(rate, share, delay):
    return {"kind": "network", "bandwidth": f"{RATES[rate]:.0f} B/s",
            "usable": f"{RATES[rate] * share:.0f} B/s", "latency": f"{delay * 1e9 / 2:.0f} ns"}


def machine(calibration, rate, shape, *more):
    usable, delay = calibrated(calibration)
    share = min(1.0, usable / RATES[rate])
    types = {"cable": link_type(rate, share, delay)}
    hosts = [f"gpu{i}" for i in range(4)] + ["cpu0"]
    kinds = dict.fromkeys(hosts, "cable")
    switches = dict.fromkeys(hosts, "switch0")
    links = []
    if shape == "tree":
        switches.update(gpu2="switch1", gpu3="switch1")
        types["uplink"] = link_type(more[0], share, 0)
        links.append({"between": ["switch0", "switch1"], "type": "uplink"})
    elif more:
        kinds[hosts[int(more[0])]] = "slow"
        types["slow"] = link_type(more[1], share, delay)
    links += [{"between": [host, switches[host]], "type": kinds[host]} for host in hosts]
    nodes = [{"id": host, "kind": host[:3]} for host in hosts]
    nodes += [{"id": name, "kind": "switch"} for name in sorted(set(switches.values()))]
    return {"name": f"network_{shape}",
            "source": f"of two hosts: {calibration['source']}",
            "link_types": types, "nodes": nodes, "links": links}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        json.dump(machine(json.load(file), *sys.argv[2:]), sys.stdout, indent=1)


if __name__ == "__main__":
    main()
