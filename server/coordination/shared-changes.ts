/**
 * Changes of what any gateway stores. Each tells the others, combined to a few notices a second; a notice is sent after the commit, so that what it
 * names can be read.
 */
import { z } from 'zod';
import { type Scope, scopeKey } from '../platform/scope.ts';
import { throttled } from '../platform/throttled.ts';
import { followStore, type LiveChanges, type StoreChange } from '../telemetry/live-changes.ts';
import type { TelemetryStore } from '../telemetry/store.ts';
import { type Notices, noticeBytesMax, noticeScope } from './notices.ts';
import { SharedRunaways } from './shared-runaways.ts';

const channel = 'commit';
const intervalMs = 150;
const traceIdsMax = 200;

const notice = z.strictObject({
  scope: noticeScope,
  span_count: z.int().nonnegative(),
  trace_ids: z.array(z.string()).max(traceIdsMax),
  more: z.boolean(),
});
type Notice = z.output<typeof notice>;

/** For the viewers of a gateway that may have missed notices. */
const anything: StoreChange = { trace_ids: [], span_count: 0, more: true };

interface Pending {
  scope: Scope;
  trace_ids: Set<string>;
  span_count: number;
  more: boolean;
}

type Listener = (change: StoreChange) => void;

export class SharedChanges implements LiveChanges {
  readonly #notices: Notices;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #pending = new Map<string, Pending>();
  readonly #publisher = throttled(() => this.#publish(), intervalMs);
  readonly #unfollow: (() => void)[];
  readonly #runaways: SharedRunaways;

  constructor(telemetry: TelemetryStore, notices: Notices) {
    this.#notices = notices;
    this.#runaways = new SharedRunaways(telemetry.runaways, notices);
    const heard = ({ scope, ...change }: Notice) => this.#tell(scopeKey(scope), change);
    const missed = () => {
      for (const app of this.#listeners.keys()) this.#tell(app, anything);
    };
    this.#unfollow = [
      followStore(telemetry, (scope, change) => this.#add(scope, change)),
      notices.follow(channel, notice, { heard, missed }),
    ];
  }

  follow(scope: Scope, onChange: Listener): () => void {
    const app = scopeKey(scope);
    const listeners = this.#listeners.get(app) ?? new Set();
    this.#listeners.set(app, listeners.add(onChange));
    return () => {
      listeners.delete(onChange);
      if (listeners.size === 0 && this.#listeners.get(app) === listeners) this.#listeners.delete(app);
    };
  }

  followRunaways(scope: Scope, onChange: (traceIds: readonly string[]) => void): () => void {
    return this.#runaways.follow(scope, onChange);
  }

  stop(): void {
    this.#runaways.stop();
    for (const unfollow of this.#unfollow) unfollow();
    this.#publisher.stop();
  }

  #tell(app: string, change: StoreChange): void {
    for (const listener of this.#listeners.get(app) ?? []) listener(change);
  }

  #add(scope: Scope, change: StoreChange): void {
    const app = scopeKey(scope);
    this.#tell(app, change);
    const pending = this.#pending.get(app) ?? { scope, trace_ids: new Set<string>(), span_count: 0, more: false };
    this.#pending.set(app, pending);
    pending.span_count += change.span_count;
    pending.more ||= change.more;
    for (const id of change.trace_ids) if (pending.trace_ids.size <= traceIdsMax) pending.trace_ids.add(id);
    this.#publisher.request();
  }

  #publish(): void {
    for (const pending of this.#pending.values()) this.#notices.publish(channel, noticeOf(pending));
    this.#pending.clear();
  }
}

/** With as many ids as fit. */
function noticeOf({ scope, span_count, trace_ids, more }: Pending): Notice {
  const cut: Notice = { scope, span_count, trace_ids: [], more };
  let bytes = Buffer.byteLength(JSON.stringify({ ...cut, more: false }));
  for (const id of trace_ids) {
    bytes += Buffer.byteLength(JSON.stringify(id)) + 1;
    if (bytes > noticeBytesMax || cut.trace_ids.length === traceIdsMax) return { ...cut, more: true };
    cut.trace_ids.push(id);
  }
  return cut;
}
