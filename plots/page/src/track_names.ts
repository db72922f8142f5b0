// The timeline's ground: each track's name and its background, and the links' heading.

import { kLeft, kRight, kTop } from "./chart";
import type { Theme } from "./theme";
import type { Track, Tracks } from "./tracks";

const kNameHeight = 14; // of its line; where tracks are lower only some have their names
const kMostCharacters = 22;
const kLinksHeading = "Rate of the busiest links, as a part of their bandwidth";

function fitting(name: string): string {
  return name.length <= kMostCharacters ? name : name.slice(0, 10) + "…" + name.slice(-11);
}

function text(
  content: string,
  x: number,
  y: number,
  fill: string,
  font: string,
  align: "left" | "right",
) {
  const style = { text: content, align, verticalAlign: "middle" as const, fill, font };
  return { type: "text" as const, silent: true, x, y, style };
}

function names(tracks: Track[], look: Theme) {
  let free = 0; // below the last name
  const named = tracks.filter(({ top, height }) => {
    const above = top + height / 2 - kNameHeight / 2;
    if (above < free && free > 0) return false;
    free = above + kNameHeight;
    return true;
  });
  return named.map(({ name, top, height }) =>
    text(
      fitting(name),
      kLeft - 10,
      kTop + top + height / 2,
      look.muted,
      `11px ${look.font}`,
      "right",
    ),
  );
}

// `width`: of all of the chart.
export function ground(tracks: Tracks, look: Theme, width: number) {
  const grounds = [...tracks.senders, ...tracks.links].map(({ top, height }) => ({
    type: "rect" as const,
    silent: true,
    z: -10,
    shape: { x: kLeft, y: kTop + top, width: width - kLeft - kRight, height },
    style: { fill: look.sunken },
  }));
  const headings = tracks.links
    .slice(0, 1)
    .map(({ top }) =>
      text(kLinksHeading, kLeft, kTop + top - 12, look.muted, `12px ${look.font}`, "left"),
    );
  return [...grounds, ...names(tracks.senders, look), ...names(tracks.links, look), ...headings];
}
