"""A figure is drawn from CSV, JSON and JSONL alike, without a display, with its figures as text.

    check.py SOURCE_DIRECTORY SYNCSIM        exit code 77: matplotlib is not installed
"""
import os
import pathlib
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


def draw(figure, data, picture):
    return subprocess.run([sys.executable, str(source / "plots" / figure), str(data), "-o",
                           str(picture)], env=environment, capture_output=True, text=True)


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

    (folder / "empty.json").write_text('{"points": []}')
    refused = draw("textbook_bars.py", folder / "empty.json", folder / "empty.svg")
    assert refused.returncode != 0 and "holds no points" in refused.stderr, refused.stderr
    assert not (folder / "empty.svg").exists()
print("1 passed, 0 failed")
