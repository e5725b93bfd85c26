/** Destinations of forwarding, and the forwarding states of visible traces. */
import { useQuery } from '@tanstack/react-query';
import type { Destination } from '../../shared/contract/operations/destination.ts';
import type { TraceForwarding } from '../../shared/contract/operations/trace-forwarding.ts';
import { gateway } from './client.ts';
import { useServed } from './served.ts';

export const destinationsKey = ['forwarding', 'destinations'];
export const traceForwardingKey = ['forwarding', 'trace'];

const underWayMs = 2_000;
const restingMs = 15_000;

/** Refetched while visible. Undefined until loaded, and on gateways that do not forward. */
export function useDestinations() {
  const isServed = useServed()('forwarding');
  return useQuery({
    queryKey: destinationsKey,
    queryFn: async () => (await gateway.forwarding.list()).data,
    enabled: isServed,
    staleTime: underWayMs,
    refetchInterval: underWayMs,
  });
}

const none: readonly Destination[] = [];

/** Cached destinations, without a request. */
export function useKnownDestinations(): readonly Destination[] {
  const isServed = useServed()('forwarding');
  const { data } = useQuery({
    queryKey: destinationsKey,
    queryFn: async () => (await gateway.forwarding.list()).data,
    enabled: isServed,
    staleTime: restingMs,
  });
  return data ?? none;
}

/** State of a trace at each destination; null for an unknown trace, undefined until loaded. */
export function useTraceForwarding(traceId: string): TraceForwarding | null | undefined {
  const isAsked = useKnownDestinations().length > 0;
  const { data } = useQuery({
    queryKey: [...traceForwardingKey, traceId],
    queryFn: () => askTogether(traceId),
    enabled: isAsked,
    staleTime: underWayMs,
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? underWayMs : restingMs),
  });
  return isAsked ? data : null;
}

const isUnderWay = (found: TraceForwarding | null | undefined): boolean => found?.destinations.some(({ is }) => is === 'queued') ?? false;

/** The rows of a list ask within one moment, and are answered by one request. */
const gatherMs = 20;
const idsMax = 500;
type Answer = { resolve: (found: TraceForwarding | null) => void; reject: (error: unknown) => void };
let asked = new Map<string, Answer[]>();

function askTogether(traceId: string): Promise<TraceForwarding | null> {
  if (asked.size === 0) setTimeout(() => void answerAll(), gatherMs);
  return new Promise((resolve, reject) => asked.set(traceId, [...(asked.get(traceId) ?? []), { resolve, reject }]));
}

async function answerAll(): Promise<void> {
  const now = asked;
  asked = new Map();
  const ids = [...now.keys()];
  for (let from = 0; from < ids.length; from += idsMax) {
    const some = ids.slice(from, from + idsMax);
    try {
      const { data } = await gateway.forwarding.states({ body: { trace_ids: some } });
      const found = new Map(data.map((each) => [each.trace_id, each]));
      for (const id of some) for (const { resolve } of now.get(id) ?? []) resolve(found.get(id) ?? null);
    } catch (error) {
      for (const id of some) for (const { reject } of now.get(id) ?? []) reject(error);
    }
  }
}
