// Tables: figures to the right, where it can be with one unit a column, said in its head.

import { html } from "./dom";
import { count_text, figures_in, type Unit } from "./units";

export interface Column<Row> {
  head: string;
  unit?: string;
  figure?: boolean; // to the right
  kind?: string; // a class of its style
  cell: (row: Row) => Node | string;
}

// A column of quantities in `unit_of`'s units.
export function figures_column<Row>(
  head: string,
  rows: Row[],
  value: (row: Row) => number,
  unit_of: (value: number) => Unit,
  decimals: number,
): Column<Row> {
  const { unit, text } = figures_in(rows.map(value), unit_of, decimals);
  return { head, unit, figure: true, cell: (row) => text(value(row)) };
}

export function table<Row>(
  columns: Column<Row>[],
  rows: Row[],
  each?: (row: Row, line: HTMLTableRowElement) => void,
): HTMLTableElement {
  const kind = (column: Column<Row>): Record<string, string> =>
    column.figure ? { class: "figure" } : column.kind ? { class: column.kind } : {};
  const heads = columns.map((column) => {
    const head = html("th", { ...kind(column), scope: "col" }, column.head);
    if (column.unit) head.append(html("span", { class: "unit" }, column.unit));
    return head;
  });
  const body = html("tbody", {});
  for (const row of rows) {
    const line = html(
      "tr",
      {},
      ...columns.map((column) => html("td", kind(column), column.cell(row))),
    );
    each?.(row, line);
    body.append(line);
  }
  return html("table", {}, html("thead", {}, html("tr", {}, ...heads)), body);
}

// Long tables stay closed until somebody opens them.
const kOpenRows = 16;

export function foldable(
  title: string,
  all: number,
  shown: number,
  content: () => HTMLElement,
): HTMLElement {
  const count =
    shown < all ? `the first ${count_text(shown)} of ${count_text(all)}` : count_text(all);
  const details = html("details", {}, html("summary", {}, `${title} (${count})`));
  details.open = shown <= kOpenRows;
  const fill = () => {
    if (details.open && details.childElementCount === 1) details.append(content());
  };
  details.addEventListener("toggle", fill);
  fill();
  return details;
}

export function bar(part: number, colour: string): HTMLElement {
  const inside = html("span", {});
  inside.style.width = `${Math.min(Math.max(part, 0), 1) * 100}%`;
  inside.style.background = colour;
  return html("span", { class: "bar" }, inside);
}
