/** Changes of what is stored, for screens that show it. */
import { type Scope, sameScope } from '../platform/scope.ts';
import type { TelemetryStore } from './store.ts';

/** One commit, or a deletion, which names no traces: what shows a list reads it again. */
export interface StoreChange {
  trace_ids: readonly string[];
  span_count: number;
  /** Further traces of the app may have changed. */
  more: boolean;
}

export interface LiveChanges {
  /** Calls back for changes of one app, until the returned function is called. */
  follow(scope: Scope, onChange: (change: StoreChange) => void): () => void;
  /**
   * Calls back with the traces of one app whose signs of a runaway are others than before, until the returned function is called; without any when
   * those of all may be.
   */
  followRunaways(scope: Scope, onChange: (traceIds: readonly string[]) => void): () => void;
}

/** Calls back for changes of all apps in one store. */
export function followStore(telemetry: TelemetryStore, onChange: (scope: Scope, change: StoreChange) => void): () => void {
  const unfollow = telemetry.follow(({ scope, trace_ids, span_count }) => {
    if (trace_ids.length > 0) onChange(scope, { trace_ids, span_count, more: false });
  });
  const unfollowDeletions = telemetry.deletions.follow(({ scope, state }) => {
    if (state !== 'removing') onChange(scope, { trace_ids: [], span_count: 0, more: false });
  });
  return () => {
    unfollow();
    unfollowDeletions();
  };
}

/** The changes of the gateway's own store. */
export const changesOf = (telemetry: TelemetryStore): LiveChanges => ({
  follow: (scope, onChange) =>
    followStore(telemetry, (of, change) => {
      if (sameScope(of, scope)) onChange(change);
    }),
  followRunaways: (scope, onChange) =>
    telemetry.runaways.follow(({ scope: of, trace_ids }) => {
      if (sameScope(of, scope)) onChange(trace_ids);
    }),
});
