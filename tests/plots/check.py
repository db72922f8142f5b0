"""A figure is drawn from CSV, JSON and JSONL alike, without a display, with its figures as text.

    check.py SOURCE_DIRECTORY SYNCSIM        exit code 77: matplotlib is not installed

What is refused is refused within this process, since loading matplotlib takes longer than all the
rest.
"""
import contextlib
import io
import json
import os
import pathlib
import runpy
import subprocess
import sys
import tempfile

try:
    import matplotlib  # noqa: F401
except ImportError:
    print("skipped: python3-matplotlib is not installed")
    sys.exit(77)

source, program = pathlib.Path(sys.argv[1]), sys.argv[2]
environment = {key: value for key, value in os.environ.items() if key != "DISPLAY"}
sys.path.insert(0, str((source / "plots").resolve()))


def command_of(figure, data, picture):
    return [str(source / "plots" / figure), str(data), "-o", str(picture)]


def draw(figure, data, picture, more={}):
    return subprocess.run([sys.executable, *command_of(figure, data, picture)],
                          env={**environment, **more}, capture_output=True, text=True)


def run_here(figure, data, picture):
    """What draw() gives, without a process."""
    out, err = io.StringIO(), io.StringIO()
    arguments, sys.argv = sys.argv, command_of(figure, data, picture)
    code = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            runpy.run_path(sys.argv[0], run_name="__main__")
    except SystemExit as end:
        code = end.code
    finally:
        sys.argv = arguments
    return subprocess.CompletedProcess(figure, code, out.getvalue(), err.getvalue())


def refuses(figure, data, picture, why, run=run_here):
    """With exit code 2 and one line, that names the figure; nothing is written."""
    refused = run(figure, data, picture)
    assert refused.returncode == 2, (data, refused.stderr)
    assert refused.stderr.startswith(figure + ": ") and why in refused.stderr, refused.stderr
    assert refused.stderr.count("\n") == 1 and refused.stdout == "", refused.stderr
    assert not picture.exists()


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    sweep = source / "plots/sweeps/textbook_bars.json"
    pictures = []
    for kind in ("csv", "jsonl", "json"):
        data, picture = folder / f"bars.{kind}", folder / f"bars_{kind}.svg"
        command = ["run", str(sweep), "--format", "json"] if kind == "json" else [
            "sweep", str(sweep), "--out", str(data)]
        run = subprocess.run([program, *command], capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        if kind == "json":
            data.write_text(run.stdout)
        drawn = draw("textbook_bars.py", data, picture)
        assert drawn.returncode == 0, drawn.stderr
        pictures.append(picture.read_text())
    for text in ("60 ms", "80 ms", "15 ms", "5.185 ms", "time [ms]", "Allreduce of 160 MB"):
        assert f">{text}<" in pictures[0], text
    assert pictures[0] == pictures[1] == pictures[2], "the same points give other pictures"

    trace = folder / "trace.json"
    command = ["run", "--topology", "pcie_4gpu", "--strategy", "ring", "--bytes", "160 MB"]
    run = subprocess.run([program, *command, "--trace", str(trace)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    drawn = draw("link_utilization.py", trace, folder / "links.svg")
    assert drawn.returncode == 0, drawn.stderr

    row = {"strategy": "ring", "collective": "allreduce", "topology": "m", "bytes": 1, "ranks": 2,
           "time_us": 1.0, "busbw_GBps": 1.0, "bound_us": 1.0, "efficiency": 1.0}
    for name, text, why in (
            ("empty.json", '{"points": []}', "holds no points"),
            ("other.json", '{"name": "x"}', 'has no list of "points"'),
            ("list.json", "[1]", 'has no list of "points"'),
            ("torn.json", '{"points": [\n', ":2: is no JSON"),
            ("torn.jsonl", json.dumps(row) + "\n{", ":2: is no JSON"),
            ("lacks.json", json.dumps({"points": [{**row}, {"strategy": "x"}]}),
             'row 1 has no "collective"'),
            ("text.json", json.dumps({"points": [{**row, "time_us": "soon"}]}),
             'row 0: "time_us" is no number'),
            ("other.csv", "a,b\n1,2\n", 'row 0 has no "strategy"'),
            ("binary.csv", b"\xff\xfe\x00", "is no text"),
            ("no.csv", None, "cannot be read: No such file or directory")):
        if text is not None:
            (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        refuses("textbook_bars.py", folder / name, folder / "refused.svg", why)
    refuses("link_utilization.py", folder / "bars.json", folder / "refused.svg",
            "is no trace; write it with syncsim run --trace")
    refuses("link_utilization.py", folder / "bars.csv", folder / "refused.svg",
            "is no JSON: Expecting value; write it with syncsim run --trace")
    two = folder / "two.json"
    command[command.index("ring")] = "central_gpu,ring"
    run = subprocess.run([program, *command, "--trace", str(two)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    refuses("link_utilization.py", two, folder / "refused.svg",
            "holds 2 points, the figure shows one: central_gpu, 160 MB on pcie_4gpu; ring, 160 MB on pcie_4gpu")

    heads = "table,family,care,collective,bytes,measured_us,predictor,predicted_us,error\n"
    validation = folder / "validation.csv"
    validation.write_text(heads + "".join(
        f"{table},{family},{care},allreduce,8,100,{predictor},{predicted},0\n"
        for table, family, care, model in (("a", "\"PCIe, one node\"", "", 110),
                                           ("b", "sockets", "", 70), ("c", "sockets", "odd", 900))
        for predictor, predicted in (("model", model), ("line", 145))))
    drawn = draw("validation.py", validation, folder / "validation.svg")
    assert drawn.returncode == 0, drawn.stderr
    picture = (folder / "validation.svg").read_text()
    # The model's 10, 30 and 20 % (of all), the line's 45 %: without the table that needs care.
    for text in ("measured time", "predicted time", "PCIe, one node", "mean error of time [%]", "10",
                 "30", "20", "45"):
        assert f">{text}<" in picture, text
    assert "model against 3 published tables, 3 rows" in picture
    for name, text, why in (("heads.csv", heads, "holds no rows"),
                            ("zero.csv", heads + "a,f,,allreduce,8,0,model,1,0\n",
                             ':2: "measured_us" is no number above 0'),
                            ("short.csv", heads + "a,f,,allreduce,8,1,model\n",
                             ':2: has no "predicted_us"'),
                            ("points.csv", "a,b\n1,2\n", ':2: has no "table"')):
        (folder / name).write_text(text)
        refuses("validation.py", folder / name, folder / "refused.svg", why)

    (folder / "row.json").write_text(json.dumps({"points": [row]}))
    refuses("textbook_bars.py", folder / "row.json", folder / "refused.gifx", "name a .svg")
    without = {"PYTHONPATH": str(folder)}
    (folder / "matplotlib.py").write_text("raise ImportError('not here')")
    refuses("textbook_bars.py", folder / "row.json", folder / "refused.svg",
            "install it (Debian: python3-matplotlib)",
            lambda *arguments: draw(*arguments, more=without))
print("1 passed, 0 failed")
