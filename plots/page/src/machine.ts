// The machine: figures, and lines coloured by utilization; figures of each direction on hover.

import type { Figure, Frame, Line, Picture, Point, Way } from "./data";
import { html, svg } from "./dom";
import { heat } from "./theme";
import { type Fact, give_tip, tip_content } from "./tip";
import { bytes_text, percent_text, rate_text } from "./units";

const kIdle = 0.005;
const kLineHeight = 13;
const kSide = 16; // of a swatch
const kWideEnough = 560; // a narrower picture is drawn larger, up to kLargest times
const kLargest = 1.5;

function curve_path(curve: number[]): string {
  let path = `M${curve[0]} ${curve[1]}`;
  for (let i = 2; i + 5 < curve.length; i += 6) path += `C${curve.slice(i, i + 6).join(" ")}`;
  return path;
}

function centred(
  lines: string[],
  x: number,
  y: number,
  height: number,
  kind: string,
): SVGTextElement {
  const text = svg("text", { class: kind });
  lines.forEach((line, i) => {
    const at = y + (i - (lines.length - 1) / 2) * height;
    text.append(svg("tspan", { x, y: at.toFixed(1), dy: "0.35em" }, line));
  });
  return text;
}

function shape(figure: Figure, grown: number): SVGElement {
  const width = figure.width + grown;
  const height = figure.height + grown;
  if (figure.role === "nic")
    return svg("ellipse", { cx: figure.x, cy: figure.y, rx: width / 2, ry: height / 2 });
  const radius = figure.role === "gpu" || figure.role === "box" ? 7 : 2;
  return svg("rect", {
    x: figure.x - width / 2,
    y: figure.y - height / 2,
    width,
    height,
    rx: radius,
  });
}

function draw_figure(figure: Figure): SVGElement {
  const group = svg("g", { class: `figure ${figure.role}` });
  if (figure.count > 1) group.append(shape(figure, 7));
  const outline = shape(figure, 0) as SVGElement;
  if (figure.heat >= kIdle) {
    outline.style.stroke = heat(figure.heat);
    outline.style.strokeWidth = "3";
  }
  group.append(outline, centred(figure.lines, figure.x, figure.y, kLineHeight, "name"));
  const facts: Fact[] = [];
  if (figure.count > 1) facts.push({ name: "stands for", value: String(figure.count) });
  if (figure.heat >= kIdle)
    facts.push({ name: "busiest inside", value: percent_text(figure.heat) });
  if (facts.length > 0) give_tip(group, () => tip_content(figure.tooltip, facts));
  return group;
}

function draw_frame(frame: Frame): SVGElement[] {
  const { x, y, width, height } = frame;
  return [
    svg("rect", { class: "frame", x, y, width, height, rx: 8 }),
    svg("text", { class: "frame-title", x: x + 9, y: y + 13 }, frame.title),
    ...frame.inner.flatMap(draw_frame),
  ];
}

function way_facts(from: string, to: string, way: Way, cables: number, seconds: number): Fact[] {
  const used = way.Bps > 0 ? way.carried_Bps / way.Bps : 0;
  const busiest =
    cables > 1 && way.hottest - used > kIdle ? `, up to ${percent_text(way.hottest)}` : "";
  return [
    { name: `${from} → ${to}`, value: `${percent_text(used)}${busiest}` },
    { name: "rate", value: `${rate_text(way.carried_Bps)} of ${rate_text(way.Bps)}` },
    { name: "bytes", value: bytes_text(way.carried_Bps * seconds) },
  ];
}

function line_tip(line: Line, figures: Figure[], seconds: number): HTMLElement {
  const a = figures[line.a].tooltip;
  const b = figures[line.b].tooltip;
  const facts = way_facts(a, b, line.there, line.cables, seconds);
  if (!line.half_duplex) facts.push(...way_facts(b, a, line.back, line.cables, seconds));
  const title = line.cables > 1 ? `${line.cables} cables between ${a} and ${b}` : line.cable;
  return tip_content(title, facts, `${line.kind}, ${line.rate} per direction`);
}

function draw_line(line: Line, figures: Figure[], seconds: number): SVGElement {
  const path = line.curves.map(curve_path).join("");
  const hottest = Math.max(line.there.hottest, line.back.hottest);
  const group = svg("g", { class: "line", "data-cable": line.cable });
  const stroke = svg("path", { class: "stroke", d: path, "stroke-width": line.pen });
  stroke.style.stroke = heat(hottest);
  group.append(
    svg("path", { class: "casing", d: path, "stroke-width": line.pen + 2.5 }),
    stroke,
    svg("path", { class: "reach", d: path, "stroke-width": Math.max(12, line.pen + 6) }),
  );
  give_tip(group, () => line_tip(line, figures, seconds));
  return group;
}

function draw_label(line: Line): SVGElement {
  const lines = line.label.split("\n");
  const { label_x: x, label_y: y } = line;
  return svg(
    "g",
    { class: "label", "data-cable": line.cable },
    centred(lines, x, y, 12, "share"),
  );
}

// Where lines are dense a figure may stand on another's: the line that is pointed at lights its own.
function light_own_labels(drawing: SVGSVGElement): void {
  for (const line of drawing.querySelectorAll(".line")) {
    const cable = line.getAttribute("data-cable");
    line.addEventListener("mouseenter", () => light(drawing, cable));
    line.addEventListener("mouseleave", () => light(drawing, null));
  }
}

function draw(picture: Picture, seconds: number): SVGSVGElement {
  const edge = 8;
  const wide = picture.width + 2 * edge;
  const high = picture.height + 2 * edge;
  const drawing = svg("svg", {
    class: "machine",
    viewBox: `${-edge} ${-edge} ${wide} ${high}`,
    role: "img",
    "aria-label": "The machine, its links coloured by utilization",
  });
  drawing.style.maxWidth = `${wide * Math.max(1, Math.min(kLargest, kWideEnough / wide))}px`;
  const lines = [...picture.lines].sort((a, b) => b.pen - a.pen); // thick ones would cover thin ones
  drawing.append(
    ...picture.frames.flatMap(draw_frame),
    ...lines.map((line) => draw_line(line, picture.figures, seconds)),
    ...picture.figures.map((figure) => draw_figure(figure)),
    ...lines.filter((line) => line.label !== "").map(draw_label),
  );
  light_own_labels(drawing);
  return drawing;
}

// From hardly used to full.
function swatches(count: number): SVGElement {
  const row = svg("svg", { class: "swatches", width: kSide * count, height: 10 });
  for (let i = 0; i < count; ++i) {
    const swatch = svg("rect", { x: kSide * i, y: 0, width: kSide, height: 10 });
    swatch.style.fill = heat(Math.max(0.01, i / (count - 1)));
    row.append(swatch);
  }
  return row;
}

function legend(picture: Picture): HTMLElement {
  const rows = picture.legend.map((row) => {
    const item = html("li", {});
    if (row.colours.length > 0) {
      item.append(swatches(row.colours.length));
    }
    item.append(row.text);
    return item;
  });
  return html("ul", { class: "legend" }, ...rows);
}

export const is_wide = (picture: Picture): boolean => picture.width > 760;

export function machine(point: Point): HTMLElement {
  const seconds = point.report.time_ps / 1e12;
  return html("div", { class: "drawing" }, draw(point.picture, seconds), legend(point.picture));
}

// Marks the line of a cable and its label, or none.
export function light(within: Element, cable: string | null): void {
  for (const line of within.querySelectorAll(".line, .label"))
    line.classList.toggle("lit", line.getAttribute("data-cable") === cable);
}
