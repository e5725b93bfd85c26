/** Signs of runaways that any gateway finds: the one that writes for a team tells the others, after the signs were stored. */
import { z } from 'zod';
import { type Scope, scopeKey } from '../platform/scope.ts';
import type { RunawayStore } from '../telemetry/runaway-store.ts';
import { type Notices, noticeScope } from './notices.ts';

const channel = 'runaway';
/** Of one notice: they fit (`noticeBytesMax`). */
const traceIdsMax = 100;

const notice = z.strictObject({ scope: noticeScope, trace_ids: z.array(z.string()).max(traceIdsMax) });

type Listener = (traceIds: readonly string[]) => void;

export class SharedRunaways {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #unfollow: (() => void)[];

  constructor(runaways: Pick<RunawayStore, 'follow'>, notices: Notices) {
    this.#unfollow = [
      runaways.follow(({ scope: { tenant_id, app_id }, trace_ids }) => {
        this.#tell(scopeKey({ tenant_id, app_id }), trace_ids);
        for (let at = 0; at < trace_ids.length; at += traceIdsMax)
          notices.publish(channel, { scope: { tenant_id, app_id }, trace_ids: trace_ids.slice(at, at + traceIdsMax) });
      }),
      notices.follow(channel, notice, {
        heard: ({ scope, trace_ids }) => this.#tell(scopeKey(scope), trace_ids),
        missed: () => {
          for (const app of this.#listeners.keys()) this.#tell(app, []);
        },
      }),
    ];
  }

  /** @param listener is called without ids when any may have changed */
  follow(scope: Scope, listener: Listener): () => void {
    const app = scopeKey(scope);
    const listeners = this.#listeners.get(app) ?? new Set();
    this.#listeners.set(app, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(app) === listeners) this.#listeners.delete(app);
    };
  }

  stop(): void {
    for (const unfollow of this.#unfollow) unfollow();
  }

  #tell(app: string, traceIds: readonly string[]): void {
    for (const listener of this.#listeners.get(app) ?? []) listener(traceIds);
  }
}
