// The page, from top to bottom. With several points it shows one at a time.

import { comparison } from "./comparison";
import { type Data, type Point, read_data } from "./data";
import { html, section } from "./dom";
import { explanation, figures, heading, title_of } from "./head";
import { all_links, busiest } from "./links";
import { is_wide, light, machine } from "./machine";
import { names_of } from "./names";
import { foldable } from "./table";
import { critical_path, phases } from "./tables";
import { use_ramp } from "./theme";
import { type Shown, timeline } from "./timeline";
import { time_text } from "./units";

function machine_section(point: Point): HTMLElement {
  const drawing = machine(point);
  const wide = is_wide(point.picture);
  const point_at = (cable: string | null) => light(drawing, cable);
  const table = busiest(point.report, wide, point_at);
  const idle = point.report.links.length === 0;
  const body = html("div", { class: wide || idle ? "above-each-other" : "beside" });
  body.append(drawing, ...(idle ? [] : [table]));
  return section(
    "Machine",
    "Point at a line for its bytes, rate and bandwidth in each direction.",
    body,
  );
}

function details_section(point: Point): HTMLElement[] {
  const { report } = point;
  const path = report.critical_path;
  const links = report.links;
  if (report.phases.length + path.length + links.length === 0) return [];
  const card = section("Details", "");
  if (report.phases.length > 0)
    card.append(
      foldable("Phases", report.phases.length, report.phases.length, () =>
        phases(report, point.timeline.phases),
      ),
    );
  if (path.length > 0)
    card.append(
      foldable("Critical path", report.critical_ops, path.length, () =>
        critical_path(path),
      ),
    );
  if (links.length > 0)
    card.append(
      foldable("Links that carried something", report.links_in_use, links.length, () =>
        all_links(links),
      ),
    );
  return [card];
}

function comparison_section(
  data: Data,
  chosen: number,
  choose: (point: number) => void,
): HTMLElement[] {
  const table = comparison(data, chosen, choose);
  if (!table && data.note === "") return [];
  const note = data.points.length > 1 ? "Click on one to see it." : data.note;
  return [section("Comparison", note, ...(table ? [table] : []))];
}

function tabs(data: Data, chosen: number, choose: (point: number) => void): HTMLElement[] {
  if (data.points.length < 2 || data.points.length > 12) return [];
  const names = names_of(data.points);
  const buttons = data.points.map(({ report }, number) => {
    const button = html(
      "button",
      { type: "button", "aria-pressed": String(number === chosen) },
      names[number],
      html("span", { class: "unit" }, time_text(report.time_ps)),
    );
    button.addEventListener("click", () => choose(number));
    return button;
  });
  return [html("nav", { class: "tabs" }, ...buttons)];
}

const page = document.getElementById("page")!;
let gantt: Shown | undefined;

function show(data: Data, chosen: number): void {
  const choose = (point: number) => show(data, point);
  const point = data.points[chosen];
  const top = scrollY;
  gantt?.stop();
  gantt = timeline(point);
  document.title = title_of(point.report);
  page.replaceChildren(
    heading(point.report),
    ...tabs(data, chosen, choose),
    figures(point.report),
    explanation(point.report),
    machine_section(point),
    section(
      "Timeline",
      "What each rank sends. Ctrl and the wheel zoom, dragging moves.",
      gantt.element,
    ),
    ...comparison_section(data, chosen, choose),
    ...details_section(point),
  );
  gantt.start();
  scrollTo(0, top);
}

const data = read_data();
use_ramp(data.ramp);
show(data, 0);
