/** Destinations of forwarding, and the forwarding states of visible traces. */
import { useQuery } from '@tanstack/react-query';
import type { Destination } from '../../shared/contract/operations/destination.ts';
import type { TraceForwarding } from '../../shared/contract/operations/trace-forwarding.ts';
import { gateway } from './client.ts';
import { useServed } from './served.ts';

export const destinationsKey = ['forwarding', 'destinations'];
export const traceForwardingKey = ['forwarding', 'trace'];

const queuedRefreshMs = 2_000;
const refreshMs = 15_000;

/** Refetched while visible. Undefined until loaded, and on gateways that do not forward. */
export function useDestinations() {
  const isServed = useServed()('forwarding');
  return useQuery({
    queryKey: destinationsKey,
    queryFn: async () => (await gateway.forwarding.list()).data,
    enabled: isServed,
    staleTime: queuedRefreshMs,
    refetchInterval: queuedRefreshMs,
  });
}

const noDestinations: readonly Destination[] = [];

/** Cached destinations, without a request. */
export function useKnownDestinations(): readonly Destination[] {
  const isServed = useServed()('forwarding');
  const { data } = useQuery({
    queryKey: destinationsKey,
    queryFn: async () => (await gateway.forwarding.list()).data,
    enabled: isServed,
    staleTime: refreshMs,
  });
  return data ?? noDestinations;
}

/** State of a trace at each destination; null for an unknown trace, undefined until loaded. */
export function useTraceForwarding(traceId: string): TraceForwarding | null | undefined {
  const isForwarding = useKnownDestinations().length > 0;
  const { data } = useQuery({
    queryKey: [...traceForwardingKey, traceId],
    queryFn: () => requestBatched(traceId),
    enabled: isForwarding,
    staleTime: queuedRefreshMs,
    refetchInterval: ({ state }) => (isQueued(state.data) ? queuedRefreshMs : refreshMs),
  });
  return isForwarding ? data : null;
}

const isQueued = (forwarding: TraceForwarding | null | undefined): boolean =>
  forwarding?.destinations.some(({ is }) => is === 'queued') ?? false;

/** The rows of a list request their states at the same time; one request fetches all of them. */
const batchMs = 20;
const idsMax = 500;
type Waiter = { resolve: (forwarding: TraceForwarding | null) => void; reject: (error: unknown) => void };
let waiting = new Map<string, Waiter[]>();

function requestBatched(traceId: string): Promise<TraceForwarding | null> {
  if (waiting.size === 0) setTimeout(() => void sendBatch(), batchMs);
  return new Promise((resolve, reject) => waiting.set(traceId, [...(waiting.get(traceId) ?? []), { resolve, reject }]));
}

async function sendBatch(): Promise<void> {
  const batch = waiting;
  waiting = new Map();
  const ids = [...batch.keys()];
  for (let from = 0; from < ids.length; from += idsMax) {
    const batchIds = ids.slice(from, from + idsMax);
    try {
      const { data } = await gateway.forwarding.states({ body: { trace_ids: batchIds } });
      const forwarding = new Map(data.map((state) => [state.trace_id, state]));
      for (const id of batchIds) for (const { resolve } of batch.get(id) ?? []) resolve(forwarding.get(id) ?? null);
    } catch (error) {
      for (const id of batchIds) for (const { reject } of batch.get(id) ?? []) reject(error);
    }
  }
}
