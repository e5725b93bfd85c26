import { useQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { SpanInTrace } from '../../../shared/contract/spans.ts';
import { gateway } from '../../api/client.ts';
import { concerns, type Signal } from '../../api/live.ts';
import { useFollow } from '../../api/queries.ts';
import { criticalPath } from '../../model/critical-path.ts';
import { SpanTree } from '../../model/span-tree.ts';
import { isAgentRun, traceFacts } from '../../model/trace-facts.ts';

/** The numbers of all spans of a trace; asked again whenever one of them is committed. Texts come apart (span-texts.ts). */
export function useTrace(traceId: string) {
  useFollow(
    ['trace', traceId],
    useCallback((signal: Signal) => concerns(signal, traceId), [traceId]),
  );
  return useQuery({
    queryKey: ['trace', traceId, 'outline'],
    queryFn: async () => loaded(new SpanTree((await gateway.traceViewer.outline({ params: { traceId } })).data, Date.now())),
    // Comparing two answers value by value costs more than drawing the forty rows on screen again.
    structuralSharing: false,
    gcTime: 60_000,
  });
}

function loaded(tree: SpanTree) {
  const calls = new Map<string, number>();
  for (let at = 0; at < tree.size; at++) if (tree.isGeneration(at)) calls.set(tree.idAt(at), calls.size + 1);
  return { trace: tree.outline, tree, facts: traceFacts(tree), critical: criticalPath(tree), isAgentRun: isAgentRun(tree), calls };
}

export type LoadedTrace = ReturnType<typeof loaded>;

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

/** Spans with previews of their payloads, by id. Empty until they are here; at most 200 at a time. */
export function useSpans(traceId: string, ids: readonly string[]): ReadonlyMap<string, SpanInTrace> {
  const { data } = useQuery({
    queryKey: ['trace', traceId, 'spans', ids],
    queryFn: async () => (await gateway.traceViewer.previews({ params: { traceId }, query: { ids: ids.join() } })).data,
    enabled: ids.length > 0,
    gcTime: 60_000,
  });
  return useMemo(() => new Map(data?.map((span) => [span.id, span])), [data]);
}

/** The span with its whole payload: its previews first, and what they cut off once that has come. */
export function useWholeSpan(span: SpanInTrace, isWanted: boolean) {
  const { trace_id: traceId, id: spanId } = span;
  const preview = useQuery({
    queryKey: ['trace', traceId, 'spans', [spanId]],
    queryFn: async () => (await gateway.traceViewer.previews({ params: { traceId }, query: { ids: spanId } })).data,
    enabled: isWanted,
    gcTime: 60_000,
  });
  const known = preview.data?.[0] ?? span;
  const cut = known.truncated_fields ?? [];
  const io = useQuery({
    queryKey: ['trace', traceId, 'io', spanId],
    queryFn: async () => (await gateway.spans.io({ params: { traceId, spanId } })).data,
    enabled: isWanted && cut.length > 0,
    gcTime: 60_000,
  });
  const whole = useMemo((): SpanInTrace => {
    if (!io.data) return known;
    const { input, output, output_object, tool_calls } = io.data;
    return { ...known, input, output, output_object: output_object ?? '', tool_calls: tool_calls ?? '' };
  }, [known, io.data]);
  return {
    whole,
    isHere: preview.data !== undefined,
    cut: io.data ? [] : cut,
    error: preview.error ?? io.error,
    retry: () => void (preview.error ? preview.refetch() : io.refetch()),
  };
}
