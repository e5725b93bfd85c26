/** Model calls of a range of time with what they cost, in order of time. */

import { cacheSavings } from '../../../ingest/cost/cache-savings.ts';
import type { SpentCall } from '../../../telemetry/spending/spent-call.ts';
import { dollarsMax } from '../../trace-tree.ts';
import { flag, types } from '../file/codes.ts';
import type { ReadContext } from './read-context.ts';
import { metadataOf } from './span-wire.ts';
import { inTime } from './time-limit.ts';

const call = types.indexOf('GENERATION');
const notCounted = flag.aggregate | flag.placeholder | flag.pending;
const unknown = -1;
/** The time limit is checked once in this many rows. */
const checkRows = 1024;

type CallRow = [
  start_us: number,
  trace: number,
  model: number,
  service: number,
  cost: number,
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
];

/** A call with the row ids of its names. */
export interface StoredCall extends SpentCall {
  trace: number;
  model: number;
  service: number;
}

export class SpentCalls {
  readonly #context: ReadContext;
  readonly #calls;
  readonly #metadata;
  readonly #prices = new Map<number, ReturnType<ReadContext['pricing']['resolve']>>();

  constructor(context: ReadContext) {
    this.#context = context;
    const tokens = ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'].map(
      (name) => `max(coalesce(${name}, 0), 0)`,
    );
    this.#calls = context.db
      .prepare<[number, number, number], CallRow>(
        `SELECT start_us, trace, coalesce(model, 0), coalesce(service, 0), coalesce(min(cost, ${dollarsMax}), ${unknown}), ${tokens.join()}
         FROM span INDEXED BY span_started WHERE scope = ? AND start_us >= ? AND start_us < ? AND type = ${call}
           AND (flags & ${notCounted}) = 0 AND ${inTime('span.id')} ORDER BY start_us`,
      )
      .raw();
    this.#metadata = context.db.prepare<[number], number>('SELECT metadata FROM trace WHERE id = ?').pluck();
  }

  *between(scope: number, fromMs: number, toMs: number): Generator<StoredCall> {
    const { damageReporter, limit } = this.#context;
    let rows = 0;
    for (const row of this.#calls.iterate(scope, fromMs * 1000, toMs * 1000)) {
      if (rows++ % checkRows === 0) limit.check();
      if (!damageReporter.isNumeric('database', 'calls of a range of time', row)) continue;
      const [start_us, trace, model, service, cost, input, output, cacheRead, cacheWrite] = row;
      const price = cacheRead + cacheWrite > 0 ? this.#priceOf(model) : null;
      const savings = price ? cacheSavings(price.price, input, cacheRead, cacheWrite) : 0;
      const tokens = { input, output, cacheRead, cacheWrite };
      yield { atMs: Math.floor(start_us / 1000), cost: cost === unknown ? null : cost, ...tokens, savings, trace, model, service };
    }
  }

  /** Folder of the project of a trace; null where it is not recorded. @param known by trace, to be filled */
  folderOf(trace: number, known: Map<number, string | null>): string | null {
    let folder = known.get(trace);
    if (folder !== undefined) return folder;
    const { documents, damageReporter } = this.#context;
    const metadata = damageReporter.read('trace', trace, () => metadataOf(documents, this.#metadata.get(trace) ?? null));
    folder = metadata?.['folder'] || null;
    known.set(trace, folder);
    return folder;
  }

  #priceOf(model: number) {
    let price = this.#prices.get(model);
    if (price === undefined) {
      price = this.#context.pricing.resolve(this.#context.lookup.text(model), '');
      this.#prices.set(model, price);
    }
    return price;
  }
}
