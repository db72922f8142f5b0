"""The published tables that constants are fitted to, and the program that predicts them."""
import json
import subprocess
from concurrent.futures import ThreadPoolExecutor

LARGE = 1 << 26
MOST_ROWS = 14
MOST_ROWS_OF_MANY = 7  # of 64 ranks and more


class Table:
    def __init__(self, path, folder, most_rows=MOST_ROWS, most_of_many=MOST_ROWS_OF_MANY):
        self.name = path.stem
        self.json = json.loads(path.read_text())
        self.library = self.json.get("library") or "nccl"
        self.machine = self.json["topology"]
        rows = self.json["rows"]
        self.all_rows = rows
        most = most_of_many if self.json["gpus"] >= 64 else most_rows
        if len(rows) > most:
            kept = sorted({round(i * (len(rows) - 1) / (most - 1)) for i in range(most)})
            rows = [rows[i] for i in kept]
        weight = len(self.all_rows) / len(rows) * (0.25 if "care" in self.json else 1)
        self.rows = rows
        self.weights = [weight * (2 if row["bytes"] >= LARGE else 1) for row in rows]
        self.path = folder / path.name
        self.path.write_text(json.dumps({**self.json, "rows": rows}))
        self.whole = path


class Program:
    def __init__(self, path, folder, jobs):
        self.path, self.folder = path, folder
        self.pool = ThreadPoolExecutor(jobs)

    def times(self, table, costs, whole=False):
        run = subprocess.run(
            [self.path, "validate", table.whole if whole else table.path, "--predictors", "model",
             "--costs", costs, "--format", "json"],
            capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise SystemExit(f"{table.name}: {run.stderr.strip()}")
        return [row["predicted_us"]["model"] for row in json.loads(run.stdout)["tables"][0]["rows"]]

    def error(self, table, costs):
        return sum(weight * min(abs(time / row["time_us"] - 1), 1.5) for time, row, weight in
                   zip(self.times(table, costs), table.rows, table.weights))

    def errors(self, tables, constants):
        """By table."""
        path = self.folder / "costs.json"
        path.write_text(json.dumps(constants))
        return dict(zip([table.name for table in tables],
                        self.pool.map(lambda table: self.error(table, path), tables)))

    def sums(self, tables, candidates):
        """Of all tables, by candidate."""
        paths = [self.folder / f"candidate{i}.json" for i in range(len(candidates))]
        for path, constants in zip(paths, candidates):
            path.write_text(json.dumps(constants))
        longest_first = sorted(tables, key=lambda table: -table.json["gpus"])
        work = [(table, path) for table in longest_first for path in paths]
        errors = list(self.pool.map(lambda each: self.error(*each), work))
        return [sum(errors[i::len(paths)]) for i in range(len(paths))]
