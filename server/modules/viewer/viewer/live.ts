/** Events of the live stream: commits and requests, combined to a few a second. */
import type { LiveEvent, LiveRequests } from '../../../../shared/contract/viewer/viewer.ts';
import { type IngestLog, isRefused } from '../../../ingest/ingest-log.ts';
import { type Scope, sameScope } from '../../../platform/scope.ts';
import type { TelemetryStore } from '../../../telemetry/store.ts';

/** Events arrive by hundreds a second under load. A single one is sent at once. */
const intervalMs = 150;
const traceIdsMax = 200;

export function followCommits(telemetry: TelemetryStore, scope: Scope, send: (event: LiveEvent) => void): () => void {
  let traceIds = new Set<string>();
  let span_count = 0;
  const sender = throttled(() => {
    send({ trace_ids: [...traceIds].slice(0, traceIdsMax), span_count, more: traceIds.size > traceIdsMax });
    traceIds = new Set();
    span_count = 0;
  });
  const unfollow = telemetry.follow((notice) => {
    if (!sameScope(notice.scope, scope)) return;
    for (const id of notice.trace_ids) if (traceIds.size <= traceIdsMax) traceIds.add(id);
    span_count += notice.span_count;
    if (traceIds.size > 0) sender.request();
  });
  // Deletions have no trace ids: what shows a list fetches it again.
  const unfollowDeletions = telemetry.deletions.follow((change) => {
    if (sameScope(change.scope, scope) && change.state !== 'removing') sender.request();
  });
  return () => {
    unfollow();
    unfollowDeletions();
    sender.stop();
  };
}

export function followRequests(log: IngestLog, scope: Scope, send: (event: LiveRequests) => void): () => void {
  let request_count = 0;
  let refused_count = 0;
  const sender = throttled(() => {
    send({ request_count, refused_count });
    request_count = 0;
    refused_count = 0;
  });
  const unfollow = log.follow((of, entry) => {
    if (!sameScope(of, scope)) return;
    request_count++;
    if (isRefused(entry)) refused_count++;
    sender.request();
  });
  return () => {
    unfollow();
    sender.stop();
  };
}

/** Acts at once after a pause, then at most once in each interval. */
function throttled(act: () => void): { request(): void; stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  let isRequested = false;
  const run = () => {
    timer = null;
    if (!isRequested) return;
    isRequested = false;
    act();
    timer = setTimeout(run, intervalMs);
  };
  return {
    request: () => {
      isRequested = true;
      if (timer === null) run();
    },
    stop: () => {
      if (timer) clearTimeout(timer);
    },
  };
}
