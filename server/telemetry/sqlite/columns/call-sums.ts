/** Model calls of a segment, summed by app and hour, so that sums over a long time read no calls. */
import { dollarsMax } from '../../trace-tree.ts';
import { flag, statuses, types } from '../file/codes.ts';
import type { SpanColumn } from './stored-columns.ts';

export const hourUs = 3600 * 1e6;
const failed = statuses.indexOf('ERROR');
const call = types.indexOf('GENERATION');
const notCounted = flag.aggregate | flag.placeholder;

export interface CallSums {
  scope: number;
  /** Since the epoch. */
  hour: number;
  calls: number;
  errors: number;
  cost: number;
  tokens: number;
  input_tokens: number;
  output_tokens: number;
  duration_ns: number;
  models: Set<number>;
  /** Row ids: the user of a trace may change without its calls. */
  traces: Set<number>;
}

const numbers = ['scope', 'hour', 'calls', 'errors', 'cost', 'tokens', 'input_tokens', 'output_tokens', 'duration_ns'] as const;

/** @param columns values of all rows of a segment */
export function sumCalls(columns: Readonly<Record<SpanColumn, Float64Array>>): CallSums[] {
  const byHour = new Map<string, CallSums>();
  const value = (column: SpanColumn, row: number) => columns[column][row] as number;
  for (let row = 0; row < columns.scope.length; row++) {
    const scope = value('scope', row);
    if (scope === 0 || columns.type[row] !== call || (value('flags', row) & notCounted) !== 0) continue;
    const hour = Math.floor(value('start_us', row) / hourUs);
    const key = `${scope} ${hour}`;
    const sums = byHour.get(key) ?? emptySums(scope, hour);
    byHour.set(key, sums);
    sums.calls++;
    if (columns.status[row] === failed) sums.errors++;
    sums.cost += Math.min(value('cost', row), dollarsMax);
    for (const column of ['tokens', 'input_tokens', 'output_tokens', 'duration_ns'] as const) sums[column] += value(column, row);
    if (columns.model[row] !== 0) sums.models.add(value('model', row));
    sums.traces.add(value('trace', row));
  }
  return [...byHour.values()];
}

const emptySums = (scope: number, hour: number): CallSums => ({
  ...{ scope, hour, calls: 0, errors: 0, cost: 0, tokens: 0, input_tokens: 0, output_tokens: 0, duration_ns: 0 },
  ...{ models: new Set(), traces: new Set() },
});

export function encodeCallSums(all: readonly CallSums[]): Uint8Array {
  const values = all.flatMap((sums) => [
    ...numbers.map((name) => sums[name]),
    ...[sums.models, sums.traces].flatMap((ids) => [ids.size, ...ids]),
  ]);
  return new Uint8Array(Float64Array.from(values).buffer);
}

export function decodeCallSums(values: Float64Array): CallSums[] {
  const all: CallSums[] = [];
  let at = 0;
  const next = () => values[at++] as number;
  const ids = () => new Set(Array.from({ length: next() }, next));
  while (at < values.length) {
    const sums = Object.fromEntries(numbers.map((name) => [name, next()])) as Record<(typeof numbers)[number], number>;
    all.push({ ...sums, models: ids(), traces: ids() });
  }
  return all;
}
