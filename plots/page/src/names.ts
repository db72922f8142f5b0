// What tells points apart, in their tabs and in the rows of their comparison.

import type { Point, Report } from "./data";
import { circumstances } from "./head";
import { bytes_text } from "./units";

type Key = (report: Report) => unknown;

function differ(reports: Report[], key: Key): boolean {
  return reports.some((report) => key(report) !== key(reports[0]));
}

const joined = (parts: string[]): string => parts.filter((part) => part !== "").join(" · ");

// Those that a reader would take for the same: of one name, or on one machine without a name.
function twins(report: Report, reports: Report[]): Report[] {
  const keys: Key[] = [(each) => each.scenario, (each) => each.name, (each) => each.topology];
  if (report.name !== "") keys.push((each) => each.strategy_text, (each) => each.bytes);
  return reports.filter((other) => keys.every((key) => key(other) === key(report)));
}

// Its scenario, name and machine, and the circumstances that its twins do not share. Strategy and
// size have columns of their own.
export function tells_of(points: Point[]): string[] {
  const reports = points.map((point) => point.report);
  const scenarios = differ(reports, (report) => report.scenario);
  const topologies = differ(reports, (report) => report.topology);
  const all_of = (report: Report) => [report.collective, ...circumstances(report)];
  return reports.map((report) => {
    const others = twins(report, reports).map(all_of);
    const own = all_of(report).filter((text) => others.some((list) => !list.includes(text)));
    const machine = topologies ? report.topology : "";
    return joined([scenarios ? report.scenario : "", report.name, machine, ...own]);
  });
}

// A line for each: its own name where that is enough.
export function names_of(points: Point[]): string[] {
  const reports = points.map((point) => point.report);
  const names = reports.map((report) => report.name);
  if (names.every((name, i) => name !== "" && names.indexOf(name) === i)) return names;
  const sizes = differ(reports, (report) => report.bytes);
  return tells_of(points).map((tells, i) =>
    joined([
      reports[i].strategy_text,
      sizes ? bytes_text(reports[i].bytes) : "",
      tells,
    ]),
  );
}
