"""The textbook's strategies for 160 MB, one bar each."""
from figures import COLOURS, SETTINGS, arguments, comparable, plt, read_all, save, size_text


def bars_of(options):
    """Rows that differ in what their names say: the points' own, or strategy and machine."""
    rows = read_all(options)
    for row in rows:
        row["bar"] = row.get("name") or f"{row['strategy_text']}, {row['machine']}"
    follows_machine = ("topology", "ranks", "rank_order")
    unnamed = [row for row in rows if not row.get("name")]
    comparable(options, unnamed, ("strategy_text", "machine"), along=follows_machine)
    everything = [name for name in SETTINGS if name not in ("collective", "bytes")]
    return comparable(options, rows, ("bar",), along=everything)


def main():
    options = arguments(__doc__)
    rows = bars_of(options)
    names = [row["bar"] for row in rows]
    times = [row["time_us"] / 1e3 for row in rows]
    figure, axis = plt.subplots(figsize=(8, 0.55 * len(rows) + 1.3))
    bars = axis.barh(names, times, color=[COLOURS[i % len(COLOURS)] for i in range(len(rows))])
    axis.bar_label(bars, [f"{time:.4g} ms" for time in times], padding=4)
    axis.invert_yaxis()
    axis.set_xlabel("time [ms]")
    axis.set_xlim(right=max(times) * 1.15 or 1)
    axis.grid(axis="y", visible=False)
    axis.set_title(options.title or
                   f"{rows[0]['collective'].capitalize()} of {size_text(rows[0]['bytes'])}")
    save(figure, options.out)


main()
