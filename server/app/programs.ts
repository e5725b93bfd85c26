/** Programs that `glasshouse run` started and can end: each run is connected by its live stream for as long as it goes on. */
import { type Scope, scopeKey } from '../platform/scope.ts';

export class Programs {
  readonly #stops = new Map<string, Set<() => void>>();

  /** Connects a run, until the returned function is called. */
  connect(scope: Scope, runId: string, stop: () => void): () => void {
    const key = keyOf(scope, runId);
    const stops = this.#stops.get(key) ?? new Set();
    this.#stops.set(key, stops.add(stop));
    return () => {
      stops.delete(stop);
      if (stops.size === 0) this.#stops.delete(key);
    };
  }

  isConnected(scope: Scope, runId: string): boolean {
    return this.#stops.has(keyOf(scope, runId));
  }

  /** Asks the run to end its program. @returns how many programs were asked */
  stop(scope: Scope, runId: string): number {
    const stops = this.#stops.get(keyOf(scope, runId)) ?? new Set();
    for (const stop of stops) stop();
    return stops.size;
  }
}

const keyOf = (scope: Scope, runId: string): string => `${scopeKey(scope)}\0${runId}`;
