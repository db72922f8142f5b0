"""Time of a ring against its number of ranks, towards 2 M / B."""
from figures import COLOURS, arguments, comparable, plt, read_all, refuse_points, save, size_text


def rings_of(options):
    rows = comparable(options, read_all(options), ("ranks",),
                      along=("machine", "topology", "rank_order"))
    rows.sort(key=lambda row: row["ranks"])
    kind = f"{rows[0]['strategy']}'s {rows[0]['collective']}"
    if kind != "ring's allreduce":
        refuse_points(options, f"of {kind}; give it those of a ring's allreduce")
    if rows[-1]["busbw_GBps"] <= 0:
        refuse_points(options, "that move nothing, which have no 2 M / B; give it some bytes")
    return rows


def main():
    options = arguments(__doc__)
    rows = rings_of(options)
    ranks = [row["ranks"] for row in rows]
    times = [row["time_us"] / 1e3 for row in rows]
    # busbw is the rate of the ring's links: with n ranks 2 (n-1)/n of the bytes pass each.
    limit = 2 * rows[-1]["bytes"] / (rows[-1]["busbw_GBps"] * 1e9) * 1e3
    figure, axis = plt.subplots(figsize=(7, 4))
    axis.plot(ranks, times, marker="o", color=COLOURS[0], label="simulated")
    axis.axhline(limit, color="#777777", linestyle="--", linewidth=1.2,
                 label=f"2 M / B = {limit:.3g} ms")
    axis.set_xscale("log", base=2)
    axis.set_xticks(ranks, ranks)
    axis.minorticks_off()
    axis.set_ylim(bottom=0)
    axis.set_xlabel("ranks")
    axis.set_ylabel("time [ms]")
    axis.legend(loc="lower right")
    axis.set_title(options.title or f"A ring's {rows[0]['collective']} of "
                   f"{size_text(rows[0]['bytes'])} at {rows[-1]['busbw_GBps']:.3g} GB/s")
    save(figure, options.out)


main()
