"""What all figures share: reading of syncsim's CSV and JSON, one style, saving.

Rows are dicts with the keys that `syncsim run --format json` and `syncsim sweep` write; numbers are
numbers. Figures are drawn without a display, titled, with units on every axis.
"""
import argparse
import csv
import json
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


def number(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


WRITE = "write it with syncsim sweep, or run --format json"
TEXTS = ("strategy", "collective", "topology")
FIGURES = ("bytes", "ranks", "time_us", "busbw_GBps", "bound_us", "efficiency")


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
        if name in FIGURES and not isinstance(row[name], (int, float)):
            refuse(f'{path}: row {number}: "{name}" is no number; {WRITE}')


def read_rows(path):
    """The points of a report in JSON or JSONL, or the rows of a CSV; rows with an error are left out."""
    text = read_text(path)
    if path.endswith(".csv"):
        try:
            rows = [{key: number(value) if isinstance(value, str) else value
                     for key, value in row.items()} for row in csv.DictReader(text.splitlines())]
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


# What a run's time depends on beside its strategy: a figure shows some of these; of the rest its points
# have one.
SETTINGS = ("collective", "topology", "machine", "ranks", "rank_order", "bytes", "datatype", "root", "edits",
            "events", "start", "rates", "overhead_us", "reduction", "seed", "background", "executor")


def value_text(value):
    """The same of CSV and JSON."""
    if isinstance(value, list):
        value = "; ".join(map(str, value))
    return str(value) if value else ""


def require_alike(rows, shown, fields=SETTINGS):
    """Points that differ in what the figure does not show are not drawn as if they did not."""
    for field in fields:
        values = in_order(value_text(row.get(field)) for row in rows)
        if field not in shown and len(values) > 1:
            some = ", ".join(f'"{value[:40]}"' for value in values[:3]) + (", ..." if len(values) > 3 else "")
            refuse(f'the points differ in "{field}" ({some}), which the figure does not show; '
                   "give those of one")


def require_apart(rows, place):
    """Nor two points as one; place(row) says in words where a row is drawn."""
    seen = set()
    for row in rows:
        if place(row) in seen:
            refuse(f"two points are {place(row)}; give one of them")
        seen.add(place(row))


def machine(row):
    return row.get("machine") or row["topology"]


def with_rates(rows):
    """Those that move bytes: others have no bandwidth, and no place on a logarithmic axis."""
    moving = [row for row in rows if row["bytes"] > 0 and row["busbw_GBps"] > 0]
    if not moving:
        refuse("no point moves any bytes; give larger ones")
    return moving


def label(row):
    """The strategy with what differs from its defaults, as reports call it."""
    asked = row.get("asked_parameters") or ""
    if isinstance(asked, dict):
        asked = " ".join(f"{key}={value}" for key, value in asked.items())
    return f"{row['strategy']} {asked}".rstrip()


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
    options = parser.parse_args()
    out = pathlib.Path(options.out)
    if out.suffix not in (".svg", ".png", ".pdf"):
        refuse(f'"{out}" says no form of picture; name a .svg, .png or .pdf')
    if any(out.resolve() == pathlib.Path(path).resolve() for path in options.input):
        refuse(f'"{out}" is what is read; name another file')
    return options


def save(figure, path):
    metadata = {"Date": None} if str(path).endswith(".svg") else None
    try:
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=150, metadata=metadata)
    except OSError as failure:
        refuse(f"{path}: cannot be written: {failure.strerror}; check the path")
    plt.close(figure)
