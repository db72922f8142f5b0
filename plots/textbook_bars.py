"""The textbook's strategies for 160 MB, one bar each."""
from figures import (COLOURS, arguments, label, machine, plt, read_rows, require_alike, require_apart, save,
                     size_text)


def bar(row):
    return row.get("name") or f"{label(row)}, {machine(row)}"


def main():
    options = arguments(__doc__)
    rows = [row for path in options.input for row in read_rows(path)]
    require_alike(rows, shown=(), fields=("collective", "bytes"))
    require_apart(rows, bar)
    names = [bar(row) for row in rows]
    times = [row["time_us"] / 1e3 for row in rows]
    figure, axis = plt.subplots(figsize=(8, 0.55 * len(rows) + 1.3))
    bars = axis.barh(names, times, color=[COLOURS[i % len(COLOURS)] for i in range(len(rows))])
    axis.bar_label(bars, [f"{time:.4g} ms" for time in times], padding=4)
    axis.invert_yaxis()
    axis.set_xlabel("time [ms]")
    axis.set_xlim(right=max(times) * 1.15)
    axis.grid(axis="y", visible=False)
    axis.set_title(options.title or
                   f"{rows[0]['collective'].capitalize()} of {size_text(rows[0]['bytes'])}")
    save(figure, options.out)


main()
