"""Time and busbw over size, a line a strategy, with the lower bound."""
from figures import (arguments, comparable, in_order, plt, read_all, refuse_points, save, scale_sizes,
                     scale_times, styles)


def main():
    options = arguments(__doc__)
    rows = comparable(options, read_all(options), ("bytes", "strategy_text"))
    if any(row["bytes"] <= 0 or row["time_us"] <= 0 for row in rows):
        refuse_points(options, "of 0 B or without time, which logarithmic axes cannot show; leave them out")
    times, bandwidths = plt.figure(figsize=(10, 4.2)).subplots(1, 2)
    style = styles(in_order(row["strategy_text"] for row in rows))
    for name, look in style.items():
        own = sorted((row for row in rows if row["strategy_text"] == name), key=lambda row: row["bytes"])
        sizes = [row["bytes"] for row in own]
        times.plot(sizes, [row["time_us"] for row in own], label=name, markersize=4, **look)
        bandwidths.plot(sizes, [row["busbw_GBps"] for row in own], markersize=4, **look)
    bounds = {}
    for row in rows:  # of helpers there may be several: the lowest counts
        bounds[row["bytes"]] = min(row["bound_us"], bounds.get(row["bytes"], row["bound_us"]))
    of_busbw = {row["bytes"]: row["busbw_GBps"] * row["time_us"] for row in rows}
    sizes = sorted(size for size in bounds if bounds[size] > 0)
    dashed = {"color": "#777777", "linestyle": "--", "linewidth": 1.2}
    times.plot(sizes, [bounds[size] for size in sizes], label="lower bound", **dashed)
    bandwidths.plot(sizes, [of_busbw[size] / bounds[size] for size in sizes], **dashed)
    for axis in (times, bandwidths):
        scale_sizes(axis)
    scale_times(times)
    bandwidths.set_ylabel("busbw [GB/s]")
    bandwidths.set_ylim(bottom=0)
    first = rows[0]
    times.figure.suptitle(options.title or
                          f"{first['collective'].capitalize()} on {first['machine']}, {first['ranks']} ranks")
    times.legend(fontsize=8)
    save(times.figure, options.out)


main()
