"""Published times against predicted ones, row by row, and the mean error by family of machines."""
import csv
import math

from figures import COLOURS, MARKERS, arguments, in_order, plt, read_text, refuse, save, time_text
from matplotlib.ticker import FuncFormatter

WRITE = "write it with syncsim validate --predictors model,nccl_formula,line --format csv"
TEXTS = ("table", "family", "care", "predictor")
NUMBERS = ("measured_us", "predicted_us")
BAND = 0.2  # of time, told by dashed lines


def number(path, line, name, text):
    try:
        value = float(text)
    except (TypeError, ValueError):
        value = math.nan
    if not (math.isfinite(value) and value > 0):
        refuse(f'{path}:{line}: "{name}" is no number above 0; {WRITE}')
    return value


def read_rows(path):
    reader = csv.DictReader(read_text(path, WRITE).splitlines())
    rows = []
    try:
        for row in reader:
            for name in TEXTS + NUMBERS:
                if row.get(name) is None:
                    refuse(f'{path}:{reader.line_num}: has no "{name}"; {WRITE}')
            for name in NUMBERS:
                row[name] = number(path, reader.line_num, name, row[name])
            rows.append(row)
    except csv.Error as failure:
        refuse(f"{path}: is no CSV: {failure}; {WRITE}")
    if not rows:
        refuse(f"{path}: holds no rows; {WRITE}")
    return rows


def share_off(row):
    return abs(row["predicted_us"] / row["measured_us"] - 1)


def mean_error(rows):
    return 100 * sum(map(share_off, rows)) / len(rows) if rows else math.nan


def draw_times(axis, rows, families):
    """Hollow: tables to be treated with care."""
    for i, family in enumerate(families):
        look = {"color": COLOURS[i % len(COLOURS)], "marker": MARKERS[i % len(MARKERS)],
                "linestyle": "none", "markersize": 3.2, "markeredgewidth": 0.5}
        for care in (False, True):
            own = [row for row in rows if row["family"] == family and bool(row["care"]) == care]
            axis.plot([row["measured_us"] for row in own], [row["predicted_us"] for row in own],
                      label=None if care else family, fillstyle="none" if care else "full", **look)
    ends = [min(min(row[name] for name in NUMBERS) for row in rows) / 1.5,
            max(max(row[name] for name in NUMBERS) for row in rows) * 1.5]
    for factor in (1 - BAND, 1, 1 + BAND):
        axis.plot(ends, [factor * end for end in ends], color="#444444", linewidth=0.9,
                  linestyle="-" if factor == 1 else "--", zorder=0)
    for scale, label, side in ((axis.set_xscale, axis.set_xlabel, axis.xaxis),
                               (axis.set_yscale, axis.set_ylabel, axis.yaxis)):
        scale("log")
        label("measured time" if side is axis.xaxis else "predicted time")
        side.set_major_formatter(FuncFormatter(lambda value, _: time_text(value)))
    axis.set_xlim(ends)
    axis.set_ylim(ends)
    axis.legend(fontsize=8, title=f"dashed: {BAND:.0%} off; hollow: with care", title_fontsize=8)


def draw_errors(axis, rows, families, predictors):
    """Of tables that need no care."""
    good = [row for row in rows if not row["care"]] or rows
    groups = families + ["all"]
    width = 0.8 / len(predictors)
    for i, predictor in enumerate(predictors):
        means = [mean_error([row for row in good if row["predictor"] == predictor and
                             family in (row["family"], "all")]) for family in groups]
        bars = axis.bar([place + (i - (len(predictors) - 1) / 2) * width
                         for place in range(len(groups))], means, width, label=predictor,
                        color=COLOURS[(i + 4) % len(COLOURS)])
        axis.bar_label(bars, [f"{mean:.0f}" if math.isfinite(mean) else "" for mean in means],
                       fontsize=7)
    axis.set_xticks(range(len(groups)), [name.replace(", ", ",\n") for name in groups], fontsize=8)
    axis.set_ylabel("mean error of time [%]")
    axis.legend(fontsize=8)


def main():
    options = arguments(__doc__, inputs=1)
    rows = read_rows(options.input[0])
    families = in_order(row["family"] for row in rows)
    predictors = in_order(row["predictor"] for row in rows)
    shown = [row for row in rows if row["predictor"] == predictors[0]]
    figure = plt.figure(figsize=(11.5, 5))
    times, errors = figure.subplots(1, 2, width_ratios=(1, 1.15))
    draw_times(times, shown, families)
    draw_errors(errors, rows, families, predictors)
    tables = len({row["table"] for row in rows})
    figure.suptitle(options.title or f"{predictors[0]} against {tables} published tables, "
                    f"{len(shown)} rows; errors without those to be treated with care")
    save(figure, options.out)


main()
