// Strategies beside each other: bars of time with the lower bound as a mark, and their figures.

import type { Data, Row } from "./data";
import { html } from "./dom";
import { tells_of } from "./names";
import { type Column, figures_column, table } from "./table";
import { bytes_text, percent_text, rate_unit, time_unit } from "./units";

// A row, and which point's it is, where there are several.
interface Entry extends Row {
  point: string;
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
type Line = Entry | { strategy: string; refused: string };

const is_refused = (line: Line): line is { strategy: string; refused: string } =>
  "refused" in line;

function entries_of(data: Data): Entry[] {
  const tells = tells_of(data.points);
  const several = data.points.length > 1;
  return data.comparison.map((row, i) => ({
    ...row,
    point: several ? tells[i] : "",
  }));
}

// What tells the rows apart.
function naming_columns(rows: Entry[]): Column<Entry>[] {
  const columns: Column<Entry>[] = [
    { head: "strategy", kind: "strategy", cell: (row) => row.strategy },
  ];
  if (rows.some((row) => row.point !== ""))
    columns.unshift({ head: "point", kind: "point", cell: (row) => row.point });
  if (rows.some((row) => row.bytes !== rows[0].bytes))
    columns.push({ head: "size", figure: true, cell: (row) => bytes_text(row.bytes) });
  return columns;
}

function columns_of(rows: Entry[]): Column<Entry>[] {
  const longest = Math.max(...rows.map((row) => row.time_ps));
  return [
    ...naming_columns(rows),
    figures_column("time", rows, (row) => row.time_ps, time_unit, 4),
    { head: "and the lower bound", cell: (row) => time_bar(row, longest) },
    figures_column("algbw", rows, (row) => row.algbw_Bps, rate_unit, 2),
    figures_column("busbw", rows, (row) => row.busbw_Bps, rate_unit, 2),
    { head: "of bound", figure: true, cell: (row) => percent_text(row.efficiency) },
    { head: "busiest link", cell: (row) => row.busiest },
    { head: "used", figure: true, cell: (row) => percent_text(row.busiest_utilization) },
  ];
}

// `chosen`: the point that is shown; `choose` shows another.
export function comparison(
  data: Data,
  chosen: number,
  choose: (point: number) => void,
): HTMLElement | null {
  const rows = entries_of(data);
  if (rows.length + data.left_out.length < 2) return null;
  const order = rows.map((_, i) => i);
  if (data.points.length === 1) order.sort((a, b) => rows[a].time_ps - rows[b].time_ps);
  const several = data.points.length > 1;
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
