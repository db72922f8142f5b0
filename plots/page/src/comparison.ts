// Strategies beside each other: bars of time with the lower bound as a mark, and their figures.

import type { Data, Point, Report, Row } from "./data";
import { html } from "./dom";
import { type Column, table } from "./table";
import { bytes_text, in_unit, percent_text, time_unit, type Unit } from "./units";

const kGiga: Unit = { name: "GB/s", factor: 1e9 };

const edits_of = (report: Report): string => report.edits.join(", ") || "as it is";
const background_of = ({ background }: Report): string =>
  background ? `beside ${background.file.split("/").pop()}` : "no other traffic";

// What points differ in, beside strategy and size.
function circumstances_of(points: Point[]): string[][] {
  const told: ((report: Report) => string)[] = [
    (report) => report.topology,
    (report) => report.collective,
    (report) => `${report.ranks} ranks`,
    (report) => `${report.rates} rates`,
    edits_of,
    background_of,
  ];
  const differ = told.filter((of) =>
    points.some(({ report }) => of(report) !== of(points[0].report)),
  );
  return points.map(({ report }) => differ.map((of) => of(report)));
}

// What tells points apart: their own names, or where they have none, what they differ in.
export function names_of(points: Point[]): string[] {
  const sizes = points.some(({ report }) => report.bytes !== points[0].report.bytes);
  const circumstances = circumstances_of(points);
  return points.map(({ report }, i) => {
    if (report.name !== "") return report.name;
    const size = sizes ? [bytes_text(report.bytes)] : [];
    return [report.strategy_text, ...size, ...circumstances[i]].join(" · ");
  });
}

// The same for the table, which has a column of sizes: the strategy, the name and what differs.
function lines_of(points: Point[]): string[] {
  const circumstances = circumstances_of(points);
  return points.map(({ report }, i) => {
    const parts = [report.strategy_text, report.name, ...circumstances[i]];
    return parts.filter((part) => part !== "").join(" · ");
  });
}

// As long as the time is, of the longest; the mark is the bound.
function time_bar(row: Row, longest: number): HTMLElement {
  const percent = (ps: number) => `${Math.min(1, ps / Math.max(longest, 1)) * 100}%`;
  const inside = html("span", { class: "length" });
  inside.style.width = percent(row.time_ps);
  const mark = html("span", { class: "bound", title: "lower bound" });
  mark.style.left = percent(row.bound_ps);
  return html("span", { class: "time-bar" }, inside, mark);
}

// A strategy that ran, or that was refused.
type Line = Row | { strategy: string; refused: string };

const is_refused = (line: Line): line is { strategy: string; refused: string } =>
  "refused" in line;

function columns_of(rows: Row[]): Column<Row>[] {
  const longest = Math.max(...rows.map((row) => row.time_ps));
  const time = time_unit(longest);
  const several_sizes = rows.some((row) => row.bytes !== rows[0].bytes);
  const columns: Column<Row>[] = [
    { head: "strategy", cell: (row) => row.strategy },
    { head: "time", unit: time.name, figure: true, cell: (row) => in_unit(row.time_ps, time, 4) },
    { head: "and the lower bound", cell: (row) => time_bar(row, longest) },
    { head: "algbw", unit: "GB/s", figure: true, cell: (row) => in_unit(row.algbw_Bps, kGiga, 2) },
    { head: "busbw", unit: "GB/s", figure: true, cell: (row) => in_unit(row.busbw_Bps, kGiga, 2) },
    { head: "of bound", figure: true, cell: (row) => percent_text(row.efficiency) },
    { head: "busiest link", cell: (row) => row.busiest },
    { head: "used", figure: true, cell: (row) => percent_text(row.busiest_utilization) },
  ];
  if (several_sizes)
    columns.splice(1, 0, { head: "size", figure: true, cell: (row) => bytes_text(row.bytes) });
  return columns;
}

// `chosen`: the point that is shown; `choose` shows another.
export function comparison(
  data: Data,
  chosen: number,
  choose: (point: number) => void,
): HTMLElement | null {
  const several = data.points.length > 1;
  const lines = lines_of(data.points); // the first rows are the points
  const rows = data.comparison.map((row, i) =>
    several && i < lines.length ? { ...row, strategy: lines[i] } : row,
  );
  if (rows.length + data.left_out.length < 2) return null;
  const order = rows.map((_, i) => i);
  if (data.points.length === 1) order.sort((a, b) => rows[a].time_ps - rows[b].time_ps);
  const refused = data.left_out.map(({ strategy, why }) => ({
    strategy,
    refused: `refused: ${why}`,
  }));
  const columns = columns_of(rows).map((column) => ({
    ...column,
    cell: (line: Line) => (is_refused(line) ? "" : column.cell(line)),
  }));
  return table<Line>(
    columns,
    [...order.map((i) => rows[i]), ...refused],
    (row, line) => {
      if (is_refused(row)) {
        const why = html("td", { class: "refused", colspan: columns.length - 1 }, row.refused);
        return line.replaceChildren(html("td", {}, row.strategy), why);
      }
      const number = rows.indexOf(row);
      line.classList.toggle("chosen", number === chosen);
      if (!several) return;
      line.classList.add("choice");
      line.addEventListener("click", () => choose(number));
    },
  );
}
