/**
 * Cache of the payloads of recently read spans. A screen that follows a running trace reads it after every commit, when all spans but the
 * newest are unchanged.
 */
import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import { flag } from '../file/codes.ts';
import type { SpanRow } from './span-wire.ts';

export type SpanPayload = Pick<
  SpanInTrace,
  'input' | 'output' | 'output_object' | 'tool_calls' | 'props' | 'settings' | 'truncated_fields'
>;

interface Entry {
  /** Position of the record, which is another one when the record is replaced. */
  block: number;
  at: number;
  payload: SpanPayload;
  length: number;
}

/** UTF-16 units of all entries; some 10 MB of memory at most. */
const lengthMax = 4 * 1024 * 1024;

export class PayloadCache {
  readonly #entries = new Map<number, Entry>();
  #length = 0;

  /** Cached result of `make`. It is not cached for spans with log records, because more may arrive. */
  of(row: SpanRow, make: () => SpanPayload): SpanPayload {
    if ((row.flags & flag.hasLogs) !== 0) return make();
    const cached = this.#entries.get(row.id);
    if (cached && cached.block === row.block && cached.at === row.at) return cached.payload;
    const payload = make();
    const length = lengthOf(payload);
    if (this.#length + length > lengthMax) this.#clear();
    this.#entries.set(row.id, { block: row.block, at: row.at, payload, length });
    this.#length += length;
    return payload;
  }

  #clear(): void {
    this.#entries.clear();
    this.#length = 0;
  }
}

function lengthOf({ input = '', output = '', output_object = '', tool_calls = '', props, settings }: SpanPayload): number {
  return 100 + input.length + output.length + output_object.length + tool_calls.length + (props?.length ?? 0) + (settings?.length ?? 0);
}
