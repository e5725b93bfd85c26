/**
 * Stores what was read like everything else that arrives. It waits for as long as the gateway is busy, paused or has no space; what can never be
 * stored is left out, span by span, so that it does not keep the rest from being stored.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { DecoderDied, IngestOverload } from '../../ingest/admission.ts';
import type { IngestPipeline } from '../../ingest/pipeline.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Scope } from '../../platform/scope.ts';
import { otlpRequest } from '../otlp-span.ts';

/** Before another attempt. */
const retryMs = 5_000;
/** A decoder that dies with the same spans so often dies because of them. */
const deathsMax = 3;

/** How many spans were not stored. */
export interface NotStored {
  /** Others have their ids. */
  conflicts: number;
  /** They can never be stored. */
  refused: number;
}

interface StoreParts {
  ingest: IngestPipeline;
  scope: Scope;
  clock: Clock;
  log: Log;
  stopping: AbortSignal;
  /** Told why nothing can be stored now, in a sentence. */
  onProblem: (why: string) => void;
}

interface Part {
  body: Uint8Array;
  /** At so many deaths of the decoder it is split. */
  deathsAllowed: number;
  isWanted: () => boolean;
}

export class BatchStore {
  readonly #parts: StoreParts;

  constructor(parts: StoreParts) {
    this.#parts = parts;
  }

  /**
   * @param body OTLP/JSON with an entry of `resourceSpans` for each span
   * @param isWanted asked before each attempt
   * @returns null if it is no longer wanted, and not all of it is stored
   * @throws AbortError when the gateway stops
   */
  async store(body: Uint8Array, isWanted: () => boolean): Promise<NotStored | null> {
    const total: NotStored = { conflicts: 0, refused: 0 };
    return (await this.#store({ body, deathsAllowed: deathsMax, isWanted }, total)) ? total : null;
  }

  async #store(part: Part, total: NotStored): Promise<boolean> {
    const { body, deathsAllowed, isWanted } = part;
    let deaths = 0;
    for (;;) {
      this.#parts.stopping.throwIfAborted();
      if (!isWanted()) return false;
      try {
        const { rejected, conflicts } = await this.#submit(body);
        total.refused += rejected;
        total.conflicts += conflicts.length;
        return true;
      } catch (error) {
        if (error instanceof DecoderDied) deaths++;
        if (!isTemporary(error) || deaths >= deathsAllowed) return await this.#storeHalves(part, error, total);
        await this.#waitAfter(error);
      }
    }
  }

  async #submit(body: Uint8Array) {
    const { ingest, scope, clock } = this.#parts;
    const admission = ingest.admit(body.length);
    try {
      const sent = { signal: 'traces', bytes: Uint8Array.from(body), encoding: null, protobuf: false } as const;
      return await ingest.submit(scope, sent, { received_ms: clock.now(), attribution: null, allowance: null });
    } finally {
      admission.release();
    }
  }

  /** Finds the spans that cannot be stored. */
  async #storeHalves({ body, isWanted }: Part, error: unknown, total: NotStored): Promise<boolean> {
    const spans = entriesOf(body);
    if (spans.length <= 1) {
      if (total.refused === 0) this.#parts.log.error('agent_history_refused', { reason: String(error) });
      total.refused++;
      return true;
    }
    const middle = spans.length >> 1;
    const deathsAllowed = error instanceof DecoderDied ? 1 : deathsMax;
    for (const half of [spans.slice(0, middle), spans.slice(middle)]) {
      const part = { body: new TextEncoder().encode(otlpRequest(half)), deathsAllowed, isWanted };
      if (!(await this.#store(part, total))) return false;
    }
    return true;
  }

  /** The store may have no space, which it says in a sentence. */
  async #waitAfter(error: unknown): Promise<void> {
    const { ingest, log, stopping, onProblem } = this.#parts;
    const isBusy = error instanceof IngestOverload;
    if (!isBusy) log.error('agent_history_not_stored', { reason: String(error), again_in_ms: retryMs });
    if (!isBusy || ingest.isPaused) onProblem(error instanceof Error ? `${error.message}.` : String(error));
    await wait(isBusy ? error.retryAfterSeconds * 1000 : retryMs, undefined, { signal: stopping });
  }
}

const entriesOf = (body: Uint8Array): string[] =>
  (JSON.parse(new TextDecoder().decode(body)) as { resourceSpans: unknown[] }).resourceSpans.map((entry) => JSON.stringify(entry));

/** Whether the same request may be stored later. */
const isTemporary = (error: unknown): boolean =>
  error instanceof IngestOverload || !['corrupt', 'mistake', undefined].includes(storageErrorKind(error));

/** Failures of the store name their kind; undefined for other errors. */
const storageErrorKind = (error: unknown): string | undefined => (error as { errorKind?: string }).errorKind;
