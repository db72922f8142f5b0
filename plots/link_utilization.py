"""How much of their bandwidth the busiest links use over time, from `syncsim run --trace`."""
from figures import COLOURS, arguments, parse, plt, read_text, refuse, save, some_of

WRITE = "write it with syncsim run --trace"
RUN = "run: "  # begins the name of each point's first process
MOST = 8  # links drawn, those with most bytes first


def read_links(path):
    """name -> [(us, share used)] of every counter of a link."""
    trace = parse(path, read_text(path, WRITE), write=WRITE)
    links, runs = {}, []
    try:
        for event in trace["traceEvents"]:
            if event["ph"] == "C":
                step = float(event["ts"]), float(event["args"]["used %"])
                links.setdefault(event["name"], []).append(step)
            elif event["name"] == "process_name" and event["args"]["name"].startswith(RUN):
                runs.append(event["args"]["name"].removeprefix(RUN))
    except (AttributeError, KeyError, TypeError, ValueError):
        refuse(f"{path}: is no trace; {WRITE}")
    if len(runs) > 1:
        refuse(f"{path}: holds {len(runs)} points, the figure shows one: {some_of(runs, '; ')}; "
               "trace one of them")
    if not links or max(steps[-1][0] for steps in links.values()) <= 0:
        refuse(f"{path}: holds no links that are used; {WRITE}")
    return links


def mean_use(steps, end):
    """A counter holds from one event to the next."""
    ends = [at for at, _ in steps[1:]] + [end]
    return sum(used * (after - at) for (at, used), after in zip(steps, ends)) / end


def main():
    options = arguments(__doc__, inputs=1)
    links = read_links(options.input[0])
    end = max(steps[-1][0] for steps in links.values())
    busiest = sorted(links, key=lambda name: (-mean_use(links[name], end), name))[:MOST]
    figure, axes = plt.subplots(len(busiest), 1, sharex=True, figsize=(9, 0.75 * len(busiest) + 1.2))
    for axis, name in zip(axes if len(busiest) > 1 else [axes], busiest):
        steps = links[name] + [(end, links[name][-1][1])]
        axis.fill_between([at / 1e3 for at, _ in steps], [used for _, used in steps],
                          step="post", color=COLOURS[0], alpha=0.7, linewidth=0)
        axis.set_ylim(0, 105)
        axis.set_yticks([0, 100])
        axis.set_ylabel(name, rotation=0, ha="right", va="center", fontsize=9)
        axis.text(1.01, 0.5, f"{mean_use(links[name], end):.0f} %", va="center", fontsize=9,
                  transform=axis.transAxes)
    axis.set_xlim(0, end / 1e3)
    axis.set_xlabel("time [ms]")
    figure.suptitle(options.title or "Bandwidth used by the busiest links [%], and their mean")
    save(figure, options.out)


main()
