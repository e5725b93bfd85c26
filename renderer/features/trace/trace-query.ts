import { useQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { SpanInTrace } from '../../../shared/contract/spans.ts';
import { gateway } from '../../api/client.ts';
import { concerns, type Signal } from '../../api/live.ts';
import { useFollow } from '../../api/queries.ts';
import { buildSpanTree } from '../../model/span-tree.ts';
import { traceFacts } from '../../model/trace-facts.ts';

/** The trace with all its spans; asked again whenever one of them is committed. */
export function useTrace(traceId: string) {
  useFollow(
    ['trace', traceId],
    useCallback((signal: Signal) => concerns(signal, traceId), [traceId]),
  );
  return useQuery({
    queryKey: ['trace', traceId, 'whole'],
    queryFn: async () => {
      const { data } = await gateway.traces.get({ params: { traceId }, query: {} });
      const tree = buildSpanTree(data.spans);
      const calls = new Map(tree.nodes.filter(({ span }) => span.type === 'GENERATION').map(({ span }, i) => [span.id, i + 1]));
      return { trace: data, tree, facts: traceFacts(tree), calls };
    },
    // Comparing two answers value by value costs more than drawing the forty rows on screen again.
    structuralSharing: false,
    gcTime: 60_000,
  });
}

export type LoadedTrace = NonNullable<ReturnType<typeof useTrace>['data']>;

const restMs = 120;

/** A span the reader has stopped at. Passing by with a held key asks nothing of the gateway. */
export function useRested<T>(value: T): T | undefined {
  const deferred = useDeferredValue(value);
  const [rested, setRested] = useState<T>();
  useEffect(() => {
    const timer = setTimeout(() => setRested(deferred), restMs);
    return () => clearTimeout(timer);
  }, [deferred]);
  return rested === value ? rested : undefined;
}

export function useRawSpan(span: SpanInTrace, isWanted: boolean) {
  return useQuery({
    queryKey: ['trace', span.trace_id, 'raw', span.id],
    queryFn: async () => (await gateway.viewer.rawSpan({ params: { traceId: span.trace_id, spanId: span.id } })).data,
    enabled: isWanted,
    gcTime: 60_000,
  });
}

/** The span with its whole payload: what the trace brought, and what it only previewed once that has come. */
export function useWholeSpan(span: SpanInTrace, isWanted: boolean) {
  const cut = span.truncated_fields ?? [];
  const io = useQuery({
    queryKey: ['trace', span.trace_id, 'io', span.id],
    queryFn: async () => (await gateway.spans.io({ params: { traceId: span.trace_id, spanId: span.id } })).data,
    enabled: isWanted && cut.length > 0,
    gcTime: 60_000,
  });
  const whole = useMemo((): SpanInTrace => {
    if (!io.data) return span;
    const { input, output, output_object, tool_calls } = io.data;
    return { ...span, input, output, output_object: output_object ?? '', tool_calls: tool_calls ?? '' };
  }, [span, io.data]);
  return { whole, cut: io.data ? [] : cut, error: io.error, retry: () => void io.refetch() };
}
