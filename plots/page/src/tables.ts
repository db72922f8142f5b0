// Phases and the critical path.

import type { CriticalOp, Report } from "./data";
import { html } from "./dom";
import { phase_colour } from "./theme";
import { type Column, figures_column, table } from "./table";
import { byte_unit, ps_of_us, time_unit } from "./units";

type Phase = Report["phases"][number];

function times<Row extends { start_us: number; finish_us: number }>(rows: Row[]): Column<Row>[] {
  const column = (head: string, us: (row: Row) => number) =>
    figures_column(head, rows, (row) => Math.round(ps_of_us(us(row))), time_unit, 4);
  return [
    column("start", (row) => row.start_us),
    column("finish", (row) => row.finish_us),
    column("takes", (row) => row.finish_us - row.start_us),
  ];
}

// `names`: all phases of the schedule, whose numbers are their colours.
export function phases(report: Report, names: string[]): HTMLElement {
  const name = (phase: Phase) => {
    const mark = html("span", { class: "mark" });
    mark.style.background = phase_colour(Math.max(0, names.indexOf(phase.name)));
    return html("span", {}, mark, phase.name);
  };
  return table<Phase>(
    [{ head: "phase", cell: name }, ...times(report.phases)],
    report.phases,
  );
}

export function critical_path(rows: CriticalOp[]): HTMLElement {
  return table<CriticalOp>(
    [
      { head: "op", figure: true, cell: (op) => String(op.op) },
      { head: "kind", cell: (op) => op.kind },
      { head: "from", cell: (op) => op.from },
      { head: "to", cell: (op) => op.to },
      { head: "phase", cell: (op) => op.phase },
      figures_column("bytes", rows, (op) => op.bytes, byte_unit, 3),
      ...times(rows),
    ],
    rows,
  );
}
