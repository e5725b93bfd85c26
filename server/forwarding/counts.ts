import { asOwnWork } from '../platform/caller.ts';
import type { PendingCounts } from '../telemetry/forward-store.ts';
import type { ForwardingParts } from './destination.ts';

/** Counting takes at most a twentieth of the time. */
const share = 20;

/** Counts of pending messages for each destination, refreshed in proportion to their cost: counting millions takes a part of a second. */
export class Counts {
  readonly #parts: Pick<ForwardingParts, 'telemetry' | 'scope'>;
  readonly #cache = new Map<string, { until: number; counts: Promise<PendingCounts> }>();

  constructor(parts: Pick<ForwardingParts, 'telemetry' | 'scope'>) {
    this.#parts = parts;
  }

  of(name: string): Promise<PendingCounts> {
    const cached = this.#cache.get(name);
    if (cached && performance.now() < cached.until) return cached.counts;
    const startedAt = performance.now();
    const entry = { until: Number.POSITIVE_INFINITY, counts: asOwnWork(() => this.#count(name)) };
    this.#cache.set(name, entry);
    const onCounted = () => {
      const now = performance.now();
      entry.until = now + (now - startedAt) * share;
    };
    entry.counts.then(onCounted, () => this.forget(name));
    return entry.counts;
  }

  forget(name: string): void {
    this.#cache.delete(name);
  }

  async #count(name: string): Promise<PendingCounts> {
    const { telemetry, scope } = this.#parts;
    return (await telemetry.forwarding.waiting(scope, name)).decode();
  }
}
