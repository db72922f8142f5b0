// Tables: figures to the right, one unit and one number of decimals a column, said in its head.

import { html } from "./dom";
import { count_text } from "./units";

export interface Column<Row> {
  head: string;
  unit?: string;
  figure?: boolean; // to the right
  cell: (row: Row) => Node | string;
}

export function table<Row>(
  columns: Column<Row>[],
  rows: Row[],
  each?: (row: Row, line: HTMLTableRowElement) => void,
): HTMLTableElement {
  const kind = (column: Column<Row>): Record<string, string> =>
    column.figure ? { class: "figure" } : {};
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
