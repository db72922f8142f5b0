// Phases and the critical path.

import type { CriticalOp, Report } from "./data";
import { html } from "./dom";
import { phase_colour } from "./theme";
import { type Column, table } from "./table";
import { byte_unit, in_unit, ps_of_us, time_unit } from "./units";

type Phase = Report["phases"][number];

function times(
  total_ps: number,
): <Row extends { start_us: number; finish_us: number }>() => Column<Row>[] {
  const unit = time_unit(total_ps);
  const us = (value: number) => in_unit(ps_of_us(value), unit, 4);
  return () => [
    { head: "start", unit: unit.name, figure: true, cell: (row) => us(row.start_us) },
    { head: "finish", unit: unit.name, figure: true, cell: (row) => us(row.finish_us) },
    {
      head: "takes",
      unit: unit.name,
      figure: true,
      cell: (row) => us(row.finish_us - row.start_us),
    },
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
    [{ head: "phase", cell: name }, ...times(report.time_ps)<Phase>()],
    report.phases,
  );
}

export function critical_path(report: Report, rows: CriticalOp[]): HTMLElement {
  const unit = byte_unit(Math.max(...rows.map((op) => op.bytes)));
  return table<CriticalOp>(
    [
      { head: "op", figure: true, cell: (op) => String(op.op) },
      { head: "kind", cell: (op) => op.kind },
      { head: "from", cell: (op) => op.from },
      { head: "to", cell: (op) => op.to },
      { head: "phase", cell: (op) => op.phase },
      { head: "bytes", unit: unit.name, figure: true, cell: (op) => in_unit(op.bytes, unit, 3) },
      ...times(report.time_ps)<CriticalOp>(),
    ],
    rows,
  );
}
