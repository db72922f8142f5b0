"""What all figures share: reading of syncsim's CSV and JSON, one style, saving.

Rows are dicts with the keys that `syncsim run --format json` and `syncsim sweep` write; numbers are
numbers. Figures are drawn without a display, titled, with units on every axis.
"""
import argparse
import csv
import io
import json
import math
import os
import pathlib
import sys


def refuse(message):
    """Ends with one line, as syncsim does for bad input."""
    print(f"{pathlib.Path(sys.argv[0]).name}: {message}", file=sys.stderr)
    raise SystemExit(2)


try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)
    from matplotlib.ticker import FuncFormatter  # noqa: E402
except ImportError as missing:
    refuse(f"matplotlib cannot be loaded ({missing}); install it (Debian: python3-matplotlib)")

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


WRITE = "write it with syncsim sweep, or run --format json"
TEXTS = ("strategy", "collective", "topology")
FIGURES = ("bytes", "ranks", "time_us", "busbw_GBps", "bound_us", "efficiency")
# What a point can differ in from another; of each a figure shows it, or holds one value only.
SETTINGS = ("collective", "strategy_text", "bytes", "machine", "topology", "edits", "events", "ranks",
            "rank_order", "root", "rings", "datatype", "executor", "rates", "overhead_us", "reduction",
            "seed", "start", "background")


def number(name, text):
    """A cell of a CSV: a number where the column holds numbers."""
    for kind in (int, float) if name in FIGURES else ():
        try:
            return kind(text)
        except (TypeError, ValueError):
            pass
    return text


def read_text(path, write=WRITE):
    try:
        return pathlib.Path(path).read_text()
    except OSError as failure:
        refuse(f"{path}: cannot be read: {failure.strerror}; check the path")
    except UnicodeDecodeError:
        refuse(f"{path}: is no text; {write}")


def parse(path, text, line=1, write=WRITE):
    try:
        return json.loads(text)
    except json.JSONDecodeError as failure:
        refuse(f"{path}:{line + failure.lineno - 1}: is no JSON: {failure.msg}; {write}")


def require_columns(path, number, row):
    """Every figure draws some of these; a report of any kind of points has them all."""
    for name in TEXTS + FIGURES:
        if not isinstance(row, dict) or name not in row:
            refuse(f'{path}: row {number} has no "{name}"; {WRITE}')
        if name in FIGURES and (type(row[name]) not in (int, float) or not math.isfinite(row[name])):
            refuse(f'{path}: row {number}: "{name}" is no number; {WRITE}')


def read_rows(path):
    """The points of a report in JSON or JSONL, or the rows of a CSV; rows with an error are left out."""
    text = read_text(path)
    if path.endswith(".csv"):
        try:
            rows = [{key: number(key, value) for key, value in row.items()}
                    for row in csv.DictReader(text.splitlines())]
        except csv.Error as failure:
            refuse(f"{path}: is no CSV: {failure}; {WRITE}")
    elif path.endswith(".jsonl"):
        rows = [parse(path, line, at) for at, line in enumerate(text.splitlines(), 1)]
    else:
        report = parse(path, text)
        rows = report.get("points") if isinstance(report, dict) else None
    if not isinstance(rows, list):
        refuse(f'{path}: has no list of "points"; {WRITE}')
    rows = [(i, row) for i, row in enumerate(rows) if not (isinstance(row, dict) and row.get("error"))]
    if not rows:
        refuse(f"{path}: holds no points; {WRITE}")
    for i, row in rows:
        require_columns(path, i, row)
    return [row for _, row in rows]


def in_order(values):
    """Each once, as first met."""
    return list(dict.fromkeys(values))


def parameters(row):
    """name -> value; of `auto` none, since it chooses them point by point."""
    own = row.get("parameters") or {}
    if row["strategy"] == "auto":
        return {}
    return dict(part.partition("=")[::2] for part in own.split()) if isinstance(own, str) else own


def name_strategies(rows):
    """Sets strategy_text: the strategy, and the parameters in which its points differ."""
    for name in in_order(row["strategy"] for row in rows):
        own = [row for row in rows if row["strategy"] == name]
        keys = in_order(key for row in own for key in parameters(row))
        keys = [key for key in keys if len({str(parameters(row).get(key)) for row in own}) > 1]
        for row in own:
            row["strategy_text"] = " ".join(
                [name] + [f"{key}={parameters(row).get(key, 'none')}" for key in keys])


def read_all(options):
    """The points of all inputs, with their machine and their strategy_text."""
    rows = [row for path in options.input for row in read_rows(path)]
    for row in rows:
        row["machine"] = row.get("machine") or row["topology"]
    name_strategies(rows)
    return rows


def setting(row, name):
    """As text that is the same from JSON and CSV."""
    value = row.get(name)
    if name == "bytes":
        return size_text(value, digits=15)
    if isinstance(value, list):
        value = "; ".join(each if isinstance(each, str) else json.dumps(each) for each in value)
    if isinstance(value, dict):
        return json.dumps(value)
    return "none" if value in (None, "") else f"{value:.12g}" if isinstance(value, float) else str(value)


def grouped(rows, names):
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def some_of(values, between=", "):
    return between.join(values[:4]) + (f"{between}..." if len(values) > 4 else "")


def refuse_points(options, message):
    refuse(f"{', '.join(options.input)}: holds points {message}")


def require_one(options, rows, name):
    values = in_order(setting(row, name) for row in rows)
    if len(values) > 1:
        values = [json.dumps(value) if "," in value or ";" in value else value for value in values]
        key = name.removesuffix("_text")
        refuse_points(options, f'that differ in "{key}", which the figure does not show: {some_of(values)}; '
                      "give it those of one")


def comparable(options, rows, shown, along=()):
    """The rows, each once, if they differ only in the fields `shown`. Those of `along` may differ with
    these (the machine of a number of ranks), if each place of the figure has one."""
    places = grouped(rows, shown)
    for name in SETTINGS:
        if name in shown:
            continue
        for group in places.values() if name in along else [rows]:
            require_one(options, group, name)
    for group in places.values():
        times = in_order(setting(row, "time_us") for row in group)
        if len(times) > 1:
            refuse_points(options, f"that are alike, but take {some_of(times)} us; give it one of them")
    return [group[0] for group in places.values()]


def styles(names):
    """name -> colour and marker, by first appearance."""
    return {name: {"color": COLOURS[i % len(COLOURS)], "marker": MARKERS[i % len(MARKERS)]}
            for i, name in enumerate(names)}


def size_text(count, digits=6):
    for factor, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= factor:
            return f"{count / factor:.{digits}g} {unit}"
    return f"{count:.{digits}g} B"


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
    options = parser.parse_args()
    require_picture(options)
    return options


def require_picture(options):
    """--out names a picture by its suffix, and none of the inputs."""
    if not pathlib.Path(options.out).suffix:
        refuse(f'--out: "{options.out}" has no suffix; name a .svg, .png or .pdf')
    for path in options.input:
        if os.path.exists(path) and os.path.exists(options.out) and os.path.samefile(path, options.out):
            refuse(f'--out: "{options.out}" is what the figure reads; name another file')


def save(figure, path):
    """Whole or not at all."""
    kind = pathlib.Path(path).suffix[1:].lower()
    picture = io.BytesIO()
    try:
        figure.savefig(picture, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
    except ValueError as failure:  # a format that matplotlib does not write
        refuse(f"{path}: {str(failure).splitlines()[0]}; name a .svg, .png or .pdf")
    plt.close(figure)
    place = os.path.realpath(path)
    part = f"{place}.part"
    try:
        if os.path.isdir(place):
            raise IsADirectoryError(None, "Is a directory")
        pathlib.Path(part).write_bytes(picture.getvalue())
        os.replace(part, place)
    except OSError as failure:
        pathlib.Path(part).unlink(missing_ok=True)
        refuse(f"{path}: cannot be written: {failure.strerror}; check the path")
