"""Which strategy wins, by size and number of ranks."""
from figures import COLOURS, arguments, comparable, in_order, plt, read_all, save, size_text
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch


def main():
    options = arguments(__doc__)
    rows = comparable(options, read_all(options), ("ranks", "bytes", "strategy_text"),
                      along=("rank_order",))
    sizes = sorted({row["bytes"] for row in rows})
    ranks = sorted({row["ranks"] for row in rows})
    best = {}
    for row in rows:
        place = (row["ranks"], row["bytes"])
        if place not in best or row["time_us"] < best[place]["time_us"]:
            best[place] = row
    names = in_order(best[place]["strategy_text"] for place in sorted(best))
    cells = [[names.index(best[n, size]["strategy_text"]) if (n, size) in best else float("nan")
              for size in sizes] for n in ranks]
    figure, axis = plt.subplots(figsize=(9, 4.5))
    colours = [COLOURS[i % len(COLOURS)] for i in range(len(names))]
    axis.imshow(cells, cmap=ListedColormap(colours), vmin=-0.5, vmax=len(names) - 0.5,
                aspect="auto", origin="lower", alpha=0.85)
    axis.set_xticks(range(len(sizes)), [size_text(size) for size in sizes], rotation=45, ha="right")
    axis.set_yticks(range(len(ranks)), ranks)
    axis.set_xlabel("size")
    axis.set_ylabel("ranks")
    axis.grid(False)
    axis.legend(handles=[Patch(color=colour, label=name) for colour, name in zip(colours, names)],
                loc="center left", bbox_to_anchor=(1, 0.5))
    axis.set_title(options.title or f"The fastest {rows[0]['collective']} on {rows[0]['machine']}")
    save(figure, options.out)


main()
