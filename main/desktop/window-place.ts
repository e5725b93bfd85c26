/**
 * Window positions, stored for each arrangement of displays. A position outside all displays is corrected, so that a window never opens out
 * of reach.
 */
import { z } from 'zod';
import { DurableFile } from './durable-file.ts';

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Display {
  bounds: Rectangle;
  /** Without task bars and docks. */
  workArea: Rectangle;
}

export interface Place {
  bounds: Rectangle;
  isMaximized: boolean;
  isFullScreen: boolean;
}

const pixels = z.int().min(-100_000).max(100_000);
const rectangle = z.object({ x: pixels, y: pixels, width: pixels, height: pixels });
const place = z.object({
  arrangement: z.string(),
  kind: z.string(),
  bounds: rectangle,
  isMaximized: z.boolean(),
  isFullScreen: z.boolean().default(false),
});
const fields = { places: z.array(place).max(50).default([]) };

export type PlacesFile = DurableFile<typeof fields>;
export const openPlaces = (path: string): PlacesFile => new DurableFile(path, { fields });

const placesMax = 20;
const smallest = { width: 640, height: 480 };
const usual = { width: 1440, height: 900 };
/** The part of the title bar that must be visible to drag it. */
const grip = { width: 80, height: 24 };

export const arrangementOf = (displays: readonly Display[]): string =>
  displays
    .map(({ bounds: { x, y, width, height } }) => `${width}x${height}@${x},${y}`)
    .sort()
    .join(' ');

const overlap = (from: number, length: number, start: number, size: number) =>
  Math.min(from + length, start + size) - Math.max(from, start);

const isReachable = ({ x, y, width }: Rectangle, { workArea: area }: Display): boolean =>
  overlap(x, width, area.x, area.width) >= grip.width && y >= area.y - 1 && y + grip.height <= area.y + area.height;

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most));

function centred({ width, height }: Pick<Rectangle, 'width' | 'height'>, { workArea: area }: Display): Rectangle {
  const size = { width: Math.min(width, area.width), height: Math.min(height, area.height) };
  return {
    x: Math.round(area.x + (area.width - size.width) / 2),
    y: Math.round(area.y + (area.height - size.height) / 2),
    ...size,
  };
}

const sizeOn = ({ workArea }: Display, { width, height }: Rectangle) => ({
  width: clamp(width, smallest.width, workArea.width),
  height: clamp(height, smallest.height, workArea.height),
});

/** @param displays the primary one first */
export function placeOf(file: PlacesFile, kind: string, displays: readonly Display[]): Place {
  const primary = displays[0] as Display;
  const arrangement = arrangementOf(displays);
  const ofKind = file.values.places.filter((entry) => entry.kind === kind);
  const saved = ofKind.findLast((entry) => entry.arrangement === arrangement) ?? ofKind.at(-1);
  if (!saved) return { bounds: centred(usual, primary), isMaximized: false, isFullScreen: false };
  const fitted = displays.map((display) => ({ display, bounds: { ...saved.bounds, ...sizeOn(display, saved.bounds) } }));
  // Checked at its fitted size: a window that is shrunk to its display may no longer reach into it.
  const home = fitted.find(({ display, bounds: candidate }) => isReachable(candidate, display));
  const bounds = home ? home.bounds : centred(sizeOn(primary, saved.bounds), primary);
  return { bounds, isMaximized: saved.isMaximized, isFullScreen: saved.isFullScreen };
}

export function rememberPlace(file: PlacesFile, kind: string, displays: readonly Display[], place: Place): void {
  const arrangement = arrangementOf(displays);
  const others = file.values.places.filter((entry) => entry.kind !== kind || entry.arrangement !== arrangement);
  file.change({ places: [...others, { arrangement, kind, ...place }].slice(-placesMax) });
}

const shift = 28;

/** Offsets a window from others at the same position. */
export function cascaded(bounds: Rectangle, taken: readonly Rectangle[]): Rectangle {
  const isTaken = taken.some(({ x, y }) => x === bounds.x && y === bounds.y);
  return isTaken ? cascaded({ ...bounds, x: bounds.x + shift, y: bounds.y + shift }, taken) : bounds;
}
