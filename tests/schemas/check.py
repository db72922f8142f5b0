"""What is shipped and what is written keeps to its schema; what is wrong does not.

    check.py SOURCE_DIRECTORY SYNCSIM        exit code 77: jsonschema or xmllint is not installed
"""
import copy
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(SKIPPED)
if shutil.which("xmllint") is None:
    print("skipped: xmllint (libxml2-utils) is not installed")
    sys.exit(SKIPPED)

source, program = pathlib.Path(sys.argv[1]), sys.argv[2]
failures = []


def check(good, what):
    if not good:
        failures.append(what)


def schema(path):
    text = json.loads((source / path).read_text())
    jsonschema.Draft202012Validator.check_schema(text)
    return jsonschema.Draft202012Validator(text)


def complaints(validator, value):
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(value)]


def accepts_all(validator, files):
    files = sorted(files)
    check(files, "there are no files to hold against a schema")
    for file in files:
        for complaint in complaints(validator, json.loads(file.read_text())):
            failures.append(f"{file.relative_to(source)}: {complaint}")
    return json.loads(files[0].read_text())


def refuses(validator, value, *changes):
    """Each change makes a good value a bad one."""
    check(not complaints(validator, value), "what the changes start from is refused")
    for change in changes:
        bad = copy.deepcopy(value)
        change(bad)
        check(complaints(validator, bad), f"accepted: {json.dumps(bad)[:300]}")


def run(*arguments, code=0):
    result = subprocess.run([program, *arguments], capture_output=True, text=True)
    check(result.returncode == code, f"{arguments}: exit code {result.returncode}: {result.stderr}")
    return result.stdout


def topologies():
    validator = schema("topologies/schema/topology.schema.json")
    accepts_all(validator, (source / "topologies").glob("*.json"))
    listed = json.loads((source / "topologies/pcie_4gpu.json").read_text())
    kind = next(iter(listed["link_types"]))
    refuses(
        validator,
        listed,
        lambda t: t.update(colour="red"),
        lambda t: t.pop("nodes"),
        lambda t: t["nodes"][0].update(kind="tpu"),
        lambda t: t["link_types"][kind].update(bandwidth="16"),
        lambda t: t["link_types"][kind].update(bandwidth="-16 GB/s"),
        lambda t: t["link_types"][kind].update(duplex="both"),
        lambda t: t["links"][0].update(count=0),
        lambda t: t["links"][0].pop("type"),
    )
    refuses(
        validator,
        json.loads((source / "topologies/fat_tree_2level.json").read_text()),
        lambda t: t.update(kind="tree"),
        lambda t: t.update(levels=4),
        lambda t: t.update(nodes=[]),
        lambda t: t.pop("link"),
    )
    exported = run("topology", "export", "dgx_a100_x2", "--format", "json")
    for complaint in complaints(validator, json.loads(exported)):
        failures.append(f"exported topology: {complaint}")


def scenarios():
    validator = schema("scenarios/schema/scenario.schema.json")
    shipped = ("scenarios/claims", "scenarios/what_if", "plots/sweeps")
    files = [file for folder in shipped for file in (source / folder).rglob("*.json")]
    accepts_all(validator, files)
    refuses(
        validator,
        json.loads((source / "scenarios/claims/slow_socket_link.json").read_text()),
        lambda s: s.update(byte="160 MB"),
        lambda s: s.update(bytes="160"),
        lambda s: s.update(rates="full"),
        lambda s: s.update(points=[]),
        lambda s: s.update(sweep={"byte": ["1 MB"]}),
        lambda s: s.update(sweep={"bytes": {"from": "1 MB"}}),
        lambda s: s["expect"].append({"crossover": {"between": ["ring"]}, "from": 1, "to": 2}),
        lambda s: s["expect"][0].pop("less_than"),
        lambda s: s["expect"][0].update(metric="speed"),
        lambda s: s["expect"][0].update(value="3 ms"),
        lambda s: s["expect"].append({"metric": "time", "value": "3 ms"}),
        lambda s: s.update(sweep={"bytes": {"from": "1 kB"}}),
        lambda s: s["expect"].append({"crossover": {"between": ["ring"]}, "from": "1 B", "to": "1 MB"}),
        lambda s: s.update(sweep={"parameters.": [1]}),
        lambda s: s["expect"].append({"metric": "time", "at_least": "1 s", "where": {"chunks": 1}}),
        lambda s: s["expect"].append({"metric": "time", "at_least": "1 s", "where": {"ranks": 0}}),
    )
    # Every axis of a sweep can be selected.
    named = {"name": "as it is", "edits": []}
    grid = {"topology": "pcie_4gpu", "strategy": "ring", "bytes": "1 MB",
            "sweep": {"parameters.chunks": [1, "2..8 x2"], "edits": [[], named, ["disable p2p"]]},
            "expect": [{"metric": "time", "at_least": "1 us", "where": where} for where in (
                {"parameters.chunks": 4, "edits": []}, {"edits": "as it is", "ranks": 4},
                {"edits": named, "topology": "pcie_4gpu", "bytes": 1000000, "seed": 0, "root": 0},
                {"edits": ["disable p2p"], "overhead": "0 s", "start": {}, "events": []})]}
    for complaint in complaints(validator, grid):
        failures.append(f"selectors: {complaint}")


def models():
    validator = schema("scenarios/schema/model.schema.json")
    accepts_all(validator, (source / "scenarios/models").glob("*.json"))
    refuses(
        validator,
        json.loads((source / "scenarios/models/lenet.json").read_text()),
        lambda m: m.update(colour="red"),
        lambda m: m.pop("batch"),
        lambda m: m.update(batch=0),
        lambda m: m.update(datatype="float23"),
        lambda m: m.update(layers=[]),
        lambda m: m["times"].update(kind="guessed"),
        lambda m: m["layers"][0].pop("forward"),
        lambda m: m["layers"][0].update(backward="3"),
        lambda m: m["layers"][0]["tensors"][0].update(bytes=0),
        lambda m: m["layers"][0]["tensors"][0].update(bytes="-4 B"),
    )
    trace = source / "tests/workload/data/gpu_step.json"
    imported = run("model", "import", "kineto", str(trace))
    for complaint in complaints(validator, json.loads(imported)):
        failures.append(f"imported model: {complaint}")


def measured():
    validator = schema("scenarios/schema/measured.schema.json")
    files = list((source / "scenarios/measured").glob("*.json"))
    accepts_all(validator, files)
    for file in files:
        for key in ("topology", "library", "source"):
            check(key in json.loads(file.read_text()), f"{file.name}: says no {key}")
    refuses(
        validator,
        json.loads(files[0].read_text()),
        lambda m: m.update(colour="red"),
        lambda m: m.pop("machine"),
        lambda m: m.update(rows=[]),
        lambda m: m.update(ranks="all"),
        lambda m: m.update(launch="by hand"),
        lambda m: m.update(network="pigeons"),
        lambda m: m.update(library="mpi"),
        lambda m: m.update(care=""),
        lambda m: m["rows"][0].update(bytes=0),
        lambda m: m["rows"][0].update(bytes="8 B"),
        lambda m: m["rows"][0].update(time_us=0),
        lambda m: m["rows"][0].pop("time_us"),
    )


def plans(folder):
    validator = schema("scenarios/schema/plan.schema.json")
    plan = folder / "plan.json"
    for strategy in ("ring", "central_cpu", "hierarchical", "packed_trees"):
        run("plan", "--topology", "dgx1v", "--strategy", strategy, "--bytes", "1 MB",
            "--out", str(plan))
        for complaint in complaints(validator, json.loads(plan.read_text())):
            failures.append(f"plan of {strategy}: {complaint}")
    refuses(
        validator,
        json.loads(plan.read_text()),
        lambda p: p.update(format="syncsim plan 0"),
        lambda p: p.pop("ops"),
        lambda p: p["op_columns"].append("colour"),
        lambda p: p["collectives"][0].update(collective="all_reduce"),
    )


def reports(folder):
    validator = schema("scenarios/schema/report.schema.json")
    # All that a report may hold; and the least.
    everything = run("run", "--topology", "hgx_h100", "--strategy", "auto,ring", "--bytes", "64 kB",
                     "--links", "--explain", "--start", "1=1 us", "--event",
                     "at 1 us kind:nvlink bandwidth=8 GB/s", "--format", "json")
    nothing = run("run", "--topology", "pcie_4gpu", "--strategy", "ring", "--bytes", "0 B",
                  "--format", "json")
    published = run("run", source / "scenarios/claims/training/published/pytorch_ddp_dgx1v.json",
                "--format", "json")
    steps = folder / "steps.json"
    steps.write_text(json.dumps({"topology": "pcie_4gpu", "strategy": "ring", "model": "lenet",
                                 "jitter": {"lognormal": 0.1, "trace": [[1, "3 us"]]},
                                 "loading": {"bytes": "1 MB", "from": "cpu0", "ahead": 0},
                                 "replicas": 3}))
    for complaint in complaints(schema("scenarios/schema/scenario.schema.json"),
                                json.loads(steps.read_text())):
        failures.append(f"jitter: {complaint}")
    varied = run("run", str(steps), "--format", "json")
    measured = run("execute", "--topology", "pcie_4gpu", "--strategy", "ring", "--bytes", "4 kB",
                   "--iterations", "1", "--format", "json")
    for text in (everything, nothing, published, varied, measured):
        for complaint in complaints(validator, json.loads(text)):
            failures.append(f"report: {complaint}")
    refuses(
        validator,
        json.loads(nothing),
        lambda r: r.pop("points"),
        lambda r: r["points"][0].pop("time_ps"),
        lambda r: r["points"][0].update(bytes="160 MB"),
        lambda r: r["points"][0].update(colour="red"),
    )
    refuses(
        validator,
        json.loads(published),
        lambda r: r["points"][0]["step"].pop("published"),
        lambda r: r["points"][0]["step"]["published"].pop("source"),
        lambda r: r["points"][0]["step"]["published"]["deviations"].update(speed=0),
        lambda r: r["points"][0]["step"].pop("critical_path"),
        lambda r: r["points"][0]["step"]["critical_path"]["pieces"][0].update(kind="idle"),
        lambda r: r["points"][0]["step"]["critical_path"]["pieces"][0]["hops"][0].pop("links"),
    )


def measured_tables():
    validator = schema("scenarios/schema/measured.schema.json")
    refuses(
        validator,
        accepts_all(validator, (source / "scenarios/measured").glob("*.json")),
        lambda m: m.update(colour="red"),
        lambda m: m.update(rows=[]),
        lambda m: m["rows"][0].pop("bytes"),
        lambda m: m["rows"][0].update(time_us=0),
    )


def calibrations(folder):
    validator = schema("scenarios/schema/calibration.schema.json")
    table = folder / "table.csv"
    table.write_text("size,time,collective\n" + "".join(
        f"{size},{10 + size / 8000},allreduce\n" for size in (4000, 64000, 400000, 4000000)))
    command = ["calibrate", "--topology", "pcie_4gpu", "--strategy", "ring", "--from", str(table),
               "--format", "json"]
    fitted = run(*command, "--expect", "within 50 %")
    refuses(
        validator,
        json.loads(fitted),
        lambda c: c.update(colour="red"),
        lambda c: c.pop("held_out"),
        lambda c: c["figures"][0].update(figure="speed"),
        lambda c: c["figures"][0].pop("kept_because"),
        lambda c: c["points"][0].update(bytes=0),
        lambda c: c["fitted"].update(mean_abs_error="1 %"),
    )
    for complaint in complaints(validator, json.loads(run(*command, "--hold-out", "0"))):
        failures.append(f"calibration: {complaint}")


def predictions(folder):
    validator = schema("scenarios/schema/prediction.schema.json")
    # Far too slow for large sizes, so that there are suspects.
    table = folder / "slow.csv"
    table.write_text("size,time,collective\n" + "".join(
        f"{size},{size / 400},allreduce\n" for size in (2**10, 2**26, 2**27, 2**28)))
    command = ["predict", "--topology", "dgx_a100", "--measured", str(table), "--format", "json"]
    predicted = json.loads(run(*command))
    check(predicted["tables"][0]["ranges"][1]["suspects"], "a slow table has no suspects")
    refuses(
        validator,
        predicted,
        lambda p: p.update(colour="red"),
        lambda p: p.pop("rows"),
        lambda p: p["rows"][0].update(verdict="slow"),
        lambda p: p["rows"][0].update(ratio=0),
        lambda p: p["tables"][0]["ranges"][0].update(sizes="tiny"),
        lambda p: p["tables"][0]["ranges"][1]["suspects"][0].pop("check"),
        lambda p: p["tables"][0]["ranges"][1]["suspects"][0].update(cause="bad luck"),
    )


def figures():
    command = ["figures", "dgx_a100", "--sizes", "1 MiB,1 GiB", "--format"]
    refuses(
        schema("scenarios/schema/figures.schema.json"),
        json.loads(run(*command, "json")),
        lambda f: f.update(colour="red"),
        lambda f: f.pop("assumed"),
        lambda f: f.update(ranks=1),
        lambda f: f.update(rows=[]),
        lambda f: f["rows"][0].update(bytes=0),
        lambda f: f["rows"][0].pop("bound_us"),
        lambda f: f["rows"][0].update(binds=None),
    )
    refuses(
        schema("scenarios/schema/thresholds.schema.json"),
        json.loads(run(*command, "thresholds")),
        lambda t: t.update(warn_margin=1),
        lambda t: t.pop("assumed"),
        lambda t: t.update(collectives=[]),
        lambda t: t["collectives"][0].update(test="all-reduce"),
        lambda t: t["collectives"][0].update(thresholds=[]),
        lambda t: t["collectives"][0]["thresholds"][0].update(fail_below_GBps=0),
        lambda t: t["collectives"][0]["thresholds"][0].pop("expected_busbw_GBps"),
    )


def junit(folder):
    claim = {"topology": "pcie_4gpu", "strategy": "ring", "bytes": "160 MB",
             "expect": [{"metric": "time", "value": "15 ms", "tolerance": "1 %"},
                        {"name": "<&>", "metric": "time", "value": "1 ms", "tolerance": "1 %"}]}
    (folder / "claim.json").write_text(json.dumps(claim))
    report = folder / "junit.xml"
    run("check", str(folder / "claim.json"), "--junit", str(report), code=1)
    text = report.read_text()

    def valid(xml):
        (folder / "held.xml").write_text(xml)
        xsd = source / "tests/schemas/junit.xsd"
        return subprocess.run(["xmllint", "--noout", "--schema", str(xsd),
                               str(folder / "held.xml")], capture_output=True).returncode == 0

    check(valid(text), f"JUnit: {text}")
    (folder / "refused.json").write_text('{"expect": "<"}')
    run("check", str(folder / "refused.json"), "--junit", str(report), code=2)
    refused = report.read_text()
    check(valid(refused) and "<error " in refused, f"JUnit of a refused file: {refused}")
    check('failures="1"' in text, "JUnit: the claim that fails is not counted")
    check(not valid(text.replace('tests="2"', 'tests="two"')), "the JUnit schema accepts all")
    check(not valid(text.replace("<testsuites ", '<testsuites skipped="1" ')),
          "the JUnit schema lets all suites together skip")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    topologies()
    scenarios()
    models()
    measured()
    plans(folder)
    reports(folder)
    measured_tables()
    calibrations(folder)
    predictions(folder)
    figures()
    junit(folder)
for failure in failures:
    print("FAIL", failure)
print(f"{len(failures)} failed")
sys.exit(1 if failures else 0)
