/** Spans for one request to a gateway. */
import { type HistorySpan, otlpRequest, resourceSpan } from './otlp-span.ts';

/** In bytes. A gateway accepts 20 MiB. */
const spanSizeMax = 18 * 1024 * 1024;

export class SpanBatch {
  readonly #lengthMax: number;
  #entries: string[] = [];
  #length = 0;

  /** @param lengthMax in UTF-16 code units; a single span may be longer */
  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax;
  }

  get count(): number {
    return this.#entries.length;
  }

  /** @returns `full`: take the batch, then add it again; `too large`: no gateway accepts it */
  add(span: HistorySpan): 'added' | 'full' | 'too large' {
    const entry = resourceSpan(span);
    if (entry.length > spanSizeMax / 3 && Buffer.byteLength(entry) > spanSizeMax) return 'too large';
    if (this.#entries.length > 0 && this.#length + entry.length > this.#lengthMax) return 'full';
    this.#entries.push(entry);
    this.#length += entry.length;
    return 'added';
  }

  /** The request, after which the batch is empty. */
  take(): string {
    const request = otlpRequest(this.#entries);
    [this.#entries, this.#length] = [[], 0];
    return request;
  }
}
