/** Events of the live stream: commits and requests, combined to a few a second. */
import type { LiveEvent, LiveRequests } from '../../../../shared/contract/viewer/viewer.ts';
import type { IngestLog } from '../../../ingest/ingest-log.ts';
import { type Scope, sameScope } from '../../../platform/scope.ts';
import { throttled } from '../../../platform/throttled.ts';
import type { LiveChanges } from '../../../telemetry/live-changes.ts';

/** Events arrive by hundreds a second under load. A single one is sent at once. */
const intervalMs = 150;
const traceIdsMax = 200;

export function followCommits(changes: LiveChanges, scope: Scope, send: (event: LiveEvent) => void): () => void {
  let traceIds = new Set<string>();
  let span_count = 0;
  let hasMore = false;
  const sender = throttled(() => {
    send({ trace_ids: [...traceIds].slice(0, traceIdsMax), span_count, more: hasMore || traceIds.size > traceIdsMax });
    traceIds = new Set();
    span_count = 0;
    hasMore = false;
  }, intervalMs);
  const unfollow = changes.follow(scope, (change) => {
    for (const id of change.trace_ids) if (traceIds.size <= traceIdsMax) traceIds.add(id);
    span_count += change.span_count;
    hasMore ||= change.more;
    sender.request();
  });
  return () => {
    unfollow();
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
  }, intervalMs);
  const unfollow = log.follow((of, requests) => {
    if (!sameScope(of, scope)) return;
    request_count += requests.request_count;
    refused_count += requests.refused_count;
    sender.request();
  });
  return () => {
    unfollow();
    sender.stop();
  };
}
