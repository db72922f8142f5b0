"""How near each strategy comes to the lower bound, machine by machine."""
from figures import arguments, comparable, in_order, plt, read_all, save, size_text, styles


def main():
    options = arguments(__doc__)
    rows = comparable(options, read_all(options), ("machine", "strategy_text"),
                      along=("topology", "ranks", "rank_order"))
    machines = in_order(row["machine"] for row in rows)
    style = styles(in_order(row["strategy_text"] for row in rows))
    figure, axis = plt.subplots(figsize=(9, 0.42 * len(machines) + 1.4))
    for name, look in style.items():
        own = [row for row in rows if row["strategy_text"] == name]
        axis.scatter([100 * row["efficiency"] for row in own],
                     [machines.index(row["machine"]) for row in own], s=45, label=name, **look)
    axis.set_yticks(range(len(machines)), machines)
    axis.invert_yaxis()
    axis.set_xlim(0, 103)
    axis.set_xlabel("lower bound / time [%]")
    axis.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    axis.set_title(options.title or
                   f"{rows[0]['collective'].capitalize()} of {size_text(rows[0]['bytes'])}: share of the bound")
    save(figure, options.out)


main()
