/** Geometry of the picture of a context window: scale, columns, and which figures have room below it. */
import type { ContextCall, ContextWindow } from '../../../shared/contract/tracing/context-windows.ts';
import { breakOf } from './context-breaks.ts';
import { type Bands, type BandTone, bandTones } from './context-parts.ts';
import { costOfLoss, promptTokens } from './context-verdicts.ts';

/** With more calls than this the columns become an area, and a range of calls can be picked. */
export const columnsMax = 60;

/** Calls from `from` to `to`, both included. */
export interface CallRange {
  from: number;
  to: number;
}

/** From 0 upwards. */
export interface Scale {
  top: number;
  ticks: readonly number[];
  /** Whether the limit of the model is on the scale. */
  hasLimit: boolean;
}

/** Prompts that fill less than this share of the window are drawn without its limit: they would be a line at the bottom. */
const shareMin = 0.2;
const stepsMax = 4;

export function scaleOf(most: number, limit: number | null): Scale {
  const hasLimit = limit !== null && most >= limit * shareMin;
  const top = hasLimit ? Math.max(limit, most) : most > 0 ? most * 1.12 : 1;
  const magnitude = 10 ** Math.floor(Math.log10(top / stepsMax));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * magnitude).find((each) => top / each <= stepsMax + 1e-9) ?? top;
  const ticks = Array.from({ length: Math.floor(top / step + 1e-9) }, (_, index) => (index + 1) * step);
  return { top, ticks, hasLimit };
}

/** `50 k`, `$0.3`: ticks are round numbers, so their last zeros say nothing. */
export const tickText = (text: string): string => (text.includes('.') ? text.replace(/\.?0+(?= |$)/, '') : text);

export type FillTone = BandTone | 'entered' | 'cost' | 'lost';

/** A piece of a column, from `low` to `high` in tokens or dollars. */
export interface Piece {
  tone: FillTone;
  low: number;
  high: number;
  /** Index of the part; null for what belongs to none or to several. */
  part: number | null;
}

export interface PlotColumn {
  call: number;
  total: number;
  pieces: readonly Piece[];
  isRunning: boolean;
}

/** The parts of each call in the order in which they stand in the prompt, from the bottom upwards. */
export function tokenColumns(window: ContextWindow, { toneOf }: Bands, { from, to }: CallRange): PlotColumn[] {
  return window.calls.slice(from, to + 1).map((call, index) => {
    const entered = new Set(call.compared_with === null ? [] : call.entered);
    const pieces: Piece[] = [];
    let low = call.other_tokens;
    if (low > 0) pieces.push({ tone: 'other', low: 0, high: low, part: null });
    for (const [at, part] of call.parts.entries()) {
      const high = low + (call.tokens[at] ?? 0);
      if (high > low) pieces.push({ tone: entered.has(part) ? 'entered' : (toneOf[part] ?? 'other'), low, high, part });
      low = high;
    }
    return { call: from + index, total: Math.max(low, promptTokens(call)), pieces, isRunning: call.is_running };
  });
}

/** What each call cost, with what the break of the cache added to it. */
export const costColumns = ({ calls }: ContextWindow, { from, to }: CallRange): PlotColumn[] =>
  calls.slice(from, to + 1).map((call, index) => {
    const [total, lost] = [call.cost ?? 0, Math.min(call.cost ?? 0, costOfLoss(call))];
    const pieces: Piece[] = [];
    if (total > lost) pieces.push({ tone: 'cost', low: 0, high: total - lost, part: null });
    if (lost > 0) pieces.push({ tone: 'lost', low: total - lost, high: total, part: null });
    return { call: from + index, total, pieces, isRunning: call.is_running };
  });

/** At most `count` columns for an area: the highest of neighbours stands for them, and its pieces are sorted by band. */
export function areaColumns(columns: readonly PlotColumn[], count: number): PlotColumn[] {
  const size = Math.max(1, Math.ceil(columns.length / Math.max(1, count)));
  const shown = Array.from({ length: Math.ceil(columns.length / size) }, (_, index) => {
    const neighbours = columns.slice(index * size, (index + 1) * size);
    return neighbours.reduce((highest, each) => (each.total > highest.total ? each : highest));
  });
  return shown.map((column) => ({ ...column, pieces: byBand(column.pieces) }));
}

const order = new Map<FillTone, number>([...bandTones, 'entered', 'cost', 'lost'].map((tone, index) => [tone as FillTone, index]));

function byBand(pieces: readonly Piece[]): Piece[] {
  const sums = new Map<FillTone, number>();
  for (const { tone, low, high } of pieces) sums.set(tone, (sums.get(tone) ?? 0) + high - low);
  let low = 0;
  return [...sums]
    .sort(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
    .map(([tone, size]) => {
      const piece = { tone, low, high: low + size, part: null };
      low = piece.high;
      return piece;
    });
}

/**
 * The calls whose figures are written below the picture, so that none overlaps another: the chosen one, then the breaks, then every so many.
 *
 * @param widthPx of one column
 */
export function labelledCalls(
  calls: readonly ContextCall[],
  { from, to }: CallRange,
  chosen: number,
  widthPx: number,
  labelPx = 40,
): number[] {
  const gap = Math.max(1, Math.ceil(labelPx / Math.max(1, widthPx)));
  const labelled: number[] = [];
  const add = (index: number) => {
    if (index >= from && index <= to && labelled.every((other) => Math.abs(other - index) >= gap)) labelled.push(index);
  };
  add(chosen);
  for (let index = from; index <= to; index++) if (calls[index] && breakOf(calls[index] as ContextCall)) add(index);
  for (let index = from; index <= to; index += gap) add(index);
  return labelled.sort((a, b) => a - b);
}

/** Tokens of parts that were dropped at a call and not replaced: what was pruned. */
export function prunedTokens({ parts }: ContextWindow, { dropped, rewritten }: ContextCall): number {
  const replaced = new Set(rewritten.map(({ from }) => from));
  return dropped.reduce((sum, part) => sum + (replaced.has(part) ? 0 : (parts[part]?.tokens ?? 0)), 0);
}

/** The range moved by as little as shows a call. */
export function rangeWith({ from, to }: CallRange, call: number): CallRange {
  const shift = call < from ? call - from : call > to ? call - to : 0;
  return { from: from + shift, to: to + shift };
}
