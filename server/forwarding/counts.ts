import { asOwnWork } from '../platform/caller.ts';
import type { Waiting } from '../telemetry/forward-store.ts';
import type { ForwardingParts } from './destination.ts';

/** Counting takes at most one part in so many of the time. */
const share = 20;

/** Counts of pending messages for each destination, refreshed in proportion to their cost: counting millions takes a part of a second. */
export class Counts {
  readonly #parts: Pick<ForwardingParts, 'telemetry' | 'scope'>;
  readonly #known = new Map<string, { until: number; waiting: Promise<Waiting> }>();

  constructor(parts: Pick<ForwardingParts, 'telemetry' | 'scope'>) {
    this.#parts = parts;
  }

  of(name: string): Promise<Waiting> {
    const known = this.#known.get(name);
    if (known && performance.now() < known.until) return known.waiting;
    const began = performance.now();
    const entry = { until: Number.POSITIVE_INFINITY, waiting: asOwnWork(() => this.#count(name)) };
    this.#known.set(name, entry);
    const counted = () => {
      const now = performance.now();
      entry.until = now + (now - began) * share;
    };
    entry.waiting.then(counted, () => this.forget(name));
    return entry.waiting;
  }

  forget(name: string): void {
    this.#known.delete(name);
  }

  async #count(name: string): Promise<Waiting> {
    const { telemetry, scope } = this.#parts;
    return (await telemetry.forwarding.waiting(scope, name)).decode();
  }
}
