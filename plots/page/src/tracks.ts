// Where the timeline's tracks stand: senders first, the busiest links below them.

import type { Timeline } from "./data";

const kRoom = 460; // for all senders, where they have many rows
const kRow = 15; // of a sender, at most
const kLeastRow = 3;
const kLeastTrack = 16; // so that its name fits, where there are few enough
const kManyTracks = 48;
const kGap = 3;
export const kLinkHeight = 18;
const kBetween = 34; // senders and links: the links' heading

export interface Track {
  name: string;
  top: number;
  height: number;
}

export interface Tracks {
  senders: Track[];
  row: number; // height of a sender's row
  links: Track[];
  height: number;
}

export function place_tracks(timeline: Timeline): Tracks {
  const rows = timeline.tracks.reduce((sum, track) => sum + track.rows, 0);
  const many = timeline.tracks.length > kManyTracks;
  const row = Math.max(kLeastRow, Math.min(kRow, Math.floor(kRoom / Math.max(rows, 1))));
  const gap = many ? 1 : kGap;
  let top = 0;
  const placed = (name: string, height: number, below: number): Track => {
    const track = { name, top, height };
    top += height + below;
    return track;
  };
  const senders = timeline.tracks.map((track) =>
    placed(
      track.rank === null || track.name === "" ? track.name : `${track.rank}  ${track.name}`,
      Math.max(track.rows * row, many ? 0 : kLeastTrack),
      gap,
    ),
  );
  if (timeline.rates.length > 0) top += kBetween;
  const links = timeline.rates.map((link) => placed(link.link, kLinkHeight, kGap));
  return { senders, row, links, height: top };
}
