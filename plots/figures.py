"""What all figures share: reading of syncsim's CSV and JSON, one style, saving.

Rows are dicts with the keys that `syncsim run --format json` and `syncsim sweep` write; numbers are
numbers. Figures are drawn without a display, titled, with units on every axis.
"""
import argparse
import csv
import json
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)
from matplotlib.ticker import FuncFormatter  # noqa: E402

# Okabe and Ito's colours, told apart by colour-blind people too.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442"]
MARKERS = "osD^vP*X"

plt.rcParams.update({
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
    "svg.hashsalt": "syncsim",  # the same data, the same file
    "svg.fonttype": "none",  # text stays text
})


def number(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def read_rows(path):
    """The points of a report in JSON or JSONL, or the rows of a CSV; rows with an error are left out."""
    text = pathlib.Path(path).read_text()
    if path.endswith(".csv"):
        rows = [{key: number(value) for key, value in row.items()}
                for row in csv.DictReader(text.splitlines())]
    elif path.endswith(".jsonl"):
        rows = [json.loads(line) for line in text.splitlines()]
    else:
        rows = json.loads(text)["points"]
    rows = [row for row in rows if not row.get("error")]
    if not rows:
        raise SystemExit(f"{path}: holds no points; write it with syncsim sweep or run --format json")
    return rows


def label(row):
    """The strategy with what differs from its defaults, as reports call it."""
    return row.get("strategy_text") or row["strategy"]


def in_order(values):
    """Each once, as first met."""
    return list(dict.fromkeys(values))


def styles(names):
    """name -> colour and marker, by first appearance."""
    return {name: {"color": COLOURS[i % len(COLOURS)], "marker": MARKERS[i % len(MARKERS)]}
            for i, name in enumerate(names)}


def size_text(count):
    for factor, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= factor:
            return f"{count / factor:g} {unit}"
    return f"{count:g} B"


def time_text(us):
    for factor, unit in ((1e6, "s"), (1e3, "ms"), (1, "us")):
        if us >= factor:
            return f"{us / factor:g} {unit}"
    return f"{us * 1e3:g} ns"


def scale_sizes(axis):
    """A logarithmic axis of bytes."""
    axis.set_xscale("log")
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: size_text(value)))
    axis.set_xlabel("size")


def scale_times(axis):
    axis.set_yscale("log")
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: time_text(value)))
    axis.set_ylabel("time")


def arguments(description, inputs="+"):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("input", nargs=inputs, help="CSV, JSON or JSONL that syncsim wrote")
    parser.add_argument("-o", "--out", required=True, help="the picture: .svg, .png or .pdf")
    parser.add_argument("--title", help="in place of the figure's own")
    return parser.parse_args()


def save(figure, path):
    pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    metadata = {"Date": None} if str(path).endswith(".svg") else None
    figure.savefig(path, dpi=150, metadata=metadata)
    plt.close(figure)
