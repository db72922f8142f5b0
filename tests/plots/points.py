"""A figure refuses points that differ in what it does not show, and pictures that cannot be.

    points.py SOURCE_DIRECTORY        exit code 77: matplotlib is not installed

The scripts run within this process, since loading matplotlib takes longer than all the rest; what
they accept is not drawn.
"""
import contextlib
import io
import json
import os
import pathlib
import runpy
import sys
import tempfile
import warnings

try:
    from matplotlib.figure import Figure
except ImportError:
    print("skipped: python3-matplotlib is not installed")
    sys.exit(77)

plots = pathlib.Path(sys.argv[1]).resolve() / "plots"
sys.path.insert(0, str(plots))
warnings.simplefilter("error")
Figure.savefig = lambda figure, target, **options: target.write(b"drawn")

ROW = {"strategy": "ring", "collective": "allreduce", "topology": "m", "bytes": 1_000_000, "ranks": 2,
       "time_us": 1.0, "busbw_GBps": 1.0, "bound_us": 1.0, "efficiency": 1.0}
SHOWN = {"strategy": "one_shot", "parameters": {"chunks": "8"}, "bytes": 1_000_001, "ranks": 4,
         "topology": "n"}
HIDDEN = {"collective": "broadcast", "rates": "usable", "executor": "threads", "datatype": "int8",
          "edits": ["scale kind:nvlink bandwidth 2"], "rank_order": [0, 1], "root": 1, "seed": 2,
          "overhead_us": 0.5, "reduction": "at-end", "start": ["3=1 ms"],
          "events": [{"link": "a-b", "time_ps": 1}], "background": {"file": "f.csv", "flows": 2}}
PLACES = {"size_curves.py": ("strategy", "parameters", "bytes"),
          "crossover_map.py": ("strategy", "parameters", "bytes", "ranks"),
          "efficiency.py": ("strategy", "parameters", "topology"),
          "textbook_bars.py": ("strategy", "parameters", "topology"),
          "ring_scaling.py": ("ranks",)}


def draw(figure, rows, picture="picture.svg"):
    """What it says on standard error, after its exit code."""
    pathlib.Path("points.json").write_text(json.dumps({"points": rows}))
    sys.argv = [figure, "points.json", "-o", picture]
    with contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            runpy.run_path(str(plots / figure))
            code = 0
        except SystemExit as end:
            code = end.code
    return f"{code} {said.getvalue()}"


def refuses(figure, rows, why, picture="picture.svg"):
    said = draw(figure, rows, picture)
    assert said.startswith(f"2 {figure}: ") and why in said and said.count("\n") == 1, (figure, why, said)


def draws(figure, rows):
    said = draw(figure, rows)
    assert said == "0 ", (figure, rows, said)


def fields_shown_and_hidden():
    for figure, told in PLACES.items():
        for key, value in {**SHOWN, **HIDDEN}.items():
            rows = [ROW, {**ROW, key: value, "time_us": 2.0}]
            if key in told:
                draws(figure, rows)
            else:
                name = {"topology": "machine", "parameters": "strategy"}.get(key, key)
                refuses(figure, rows, f'points that differ in "{name}", which the figure does not show: ')
    refuses("size_curves.py", [ROW, {**ROW, "bytes": 2, "rates": "usable"}],
            'points.json: holds points that differ in "rates", which the figure does not show: '
            "none, usable; give it those of one\n")


def equal_points():
    for figure in PLACES:
        refuses(figure, [ROW, ROW, {**ROW, "time_us": 2.0}],
                "points that are alike, but take 1, 2 us; give it one of them")
        draws(figure, [ROW, ROW])


def fields_that_go_along():
    draws("ring_scaling.py", [ROW, {**ROW, "ranks": 4, "topology": "n", "rank_order": [0, 1, 2, 3]}])
    draws("efficiency.py", [ROW, {**ROW, "ranks": 4, "topology": "n"}])
    draws("crossover_map.py", [ROW, {**ROW, "ranks": 3, "rank_order": [0, 1, 2]}])
    draws("textbook_bars.py", [{**ROW, "name": name, "rates": name} for name in ("line", "usable")])
    refuses("textbook_bars.py", [{**ROW, "name": "x", "rates": name} for name in ("line", "usable")],
            'differ in "rates"')
    chosen = [{**ROW, "strategy": "auto", "bytes": size, "parameters": {"chunks": str(size)}}
              for size in (1, 2)]
    draws("size_curves.py", chosen)


def points_without_bytes():
    nothing = {**ROW, "bytes": 0, "busbw_GBps": 0.0, "time_us": 0.0}
    refuses("ring_scaling.py", [nothing], "points that move nothing, which have no 2 M / B")
    refuses("size_curves.py", [nothing], "points of 0 B or without time")
    draws("textbook_bars.py", [nothing])
    refuses("ring_scaling.py", [{**ROW, "collective": "reduce-scatter"}], "of ring's reduce-scatter; give")


def pictures_that_cannot_be():
    for picture, why in (("", 'has no suffix; name a .svg'), (".", 'has no suffix; name a .svg'),
                         (".png", 'has no suffix; name a .svg'),
                         ("none/x.png", "cannot be written: No such file or directory"),
                         ("folder.png", "cannot be written: Is a directory"),
                         ("./points.json", "is what the figure reads; name another file")):
        refuses("size_curves.py", [ROW], why, picture)
    assert sorted(path.name for path in pathlib.Path().iterdir()) == [
        "folder.png", "picture.svg", "points.json"]


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    pathlib.Path("folder.png").mkdir()
    groups = [fields_shown_and_hidden, equal_points, fields_that_go_along, points_without_bytes,
              pictures_that_cannot_be]
    for check in groups:
        check()
    os.chdir(plots)
print(f"{len(groups)} passed, 0 failed")
