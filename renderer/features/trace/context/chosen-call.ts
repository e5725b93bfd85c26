import { type CallRange, columnsMax, rangeWith } from '../../../model/trace/context-plot.ts';
import type { TraceView } from '../page/url.ts';

function readRange(text: string | undefined, count: number): CallRange {
  const whole = { from: 0, to: count - 1 };
  const [from = 1, to = count] = text?.split('-').map((part) => Math.round(Number(part))) ?? [];
  const isRange = from >= 1 && to <= count && from < to;
  if (count <= columnsMax || !isRange) return whole;
  return { from: from - 1, to: to - 1 };
}

export const callWithin = ({ from, to }: CallRange, index: number): number => Math.min(to, Math.max(from, index));

/**
 * The chosen call and the calls drawn, which always contain it: a chosen call moves the range, a range moves what nobody chose.
 *
 * @param count calls of the window, at least one
 * @param usual index of the call that is chosen without a choice
 */
export function chosenCall(
  { call, calls }: Pick<TraceView, 'call' | 'calls'>,
  count: number,
  usual: number,
): { index: number; range: CallRange } {
  const range = readRange(calls, count);
  if (call === undefined) return { index: callWithin(range, usual), range };
  const index = Math.min(count, call) - 1;
  return { index, range: rangeWith(range, index) };
}
