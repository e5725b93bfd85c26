/** Events of the live stream: commits and requests, combined to a few a second. */
import type { LiveEvent, LiveRequests } from '../../../../shared/contract/viewer/viewer.ts';
import { type IngestLog, isRefused } from '../../../ingest/ingest-log.ts';
import { type Scope, sameScope } from '../../../platform/scope.ts';
import type { TelemetryStore } from '../../../telemetry/store.ts';

/** Hundreds a second under load. A single one is sent at once. */
const gatherMs = 150;
const traceIdsMax = 200;

export function followCommits(telemetry: TelemetryStore, scope: Scope, tell: (event: LiveEvent) => void): () => void {
  let gathered = new Set<string>();
  let span_count = 0;
  const rhythm = paced(() => {
    tell({ trace_ids: [...gathered].slice(0, traceIdsMax), span_count, more: gathered.size > traceIdsMax });
    gathered = new Set();
    span_count = 0;
  });
  const unfollow = telemetry.follow((notice) => {
    if (!sameScope(notice.scope, scope)) return;
    for (const id of notice.trace_ids) if (gathered.size <= traceIdsMax) gathered.add(id);
    span_count += notice.span_count;
    if (span_count > 0) rhythm.want();
  });
  return () => {
    unfollow();
    rhythm.stop();
  };
}

export function followRequests(log: IngestLog, scope: Scope, tell: (event: LiveRequests) => void): () => void {
  let request_count = 0;
  let refused_count = 0;
  const rhythm = paced(() => {
    tell({ request_count, refused_count });
    request_count = 0;
    refused_count = 0;
  });
  const unfollow = log.follow((of, entry) => {
    if (!sameScope(of, scope)) return;
    request_count++;
    if (isRefused(entry)) refused_count++;
    rhythm.want();
  });
  return () => {
    unfollow();
    rhythm.stop();
  };
}

/** Acts at once after quiet, then at most once in a while. */
function paced(act: () => void): { want(): void; stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  let isWanted = false;
  const run = () => {
    timer = null;
    if (!isWanted) return;
    isWanted = false;
    act();
    timer = setTimeout(run, gatherMs);
  };
  return {
    want: () => {
      isWanted = true;
      if (timer === null) run();
    },
    stop: () => {
      if (timer) clearTimeout(timer);
    },
  };
}
