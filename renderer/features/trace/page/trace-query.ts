import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { gateway } from '../../../api/client.ts';
import { concerns, type Signal } from '../../../api/live.ts';
import { prefetchQuery, useFollow } from '../../../api/queries.ts';
import { type CriticalPath, criticalPath } from '../../../model/trace/critical-path.ts';
import { SpanTree } from '../../../model/trace/span-tree.ts';
import { isAgentRun, traceFacts } from '../../../model/trace/trace-facts.ts';

export const outlineOf = (traceId: string) => ({
  queryKey: ['trace', traceId, 'outline'],
  queryFn: async () => loadedTrace(new SpanTree((await gateway.traceViewer.outline({ params: { traceId } })).data, Date.now())),
  // Comparing two responses value by value costs more than rendering the visible rows again.
  structuralSharing: false,
  gcTime: 60_000,
});

/** Resolves when the page of a trace can be rendered at once, with the trace or with the reason why it failed. */
export const askTraceAhead = (traceId: string): Promise<void> => prefetchQuery(outlineOf(traceId), (signal) => concerns(signal, traceId));

/** Outline of a trace with the figures of all spans; refetched after each commit. Texts are separate (span-texts.ts). */
export function useTrace(traceId: string) {
  useFollow(
    ['trace', traceId],
    useCallback((signal: Signal) => concerns(signal, traceId), [traceId]),
  );
  return useQuery(outlineOf(traceId));
}

/** Values that only one view needs are computed when it is first rendered. */
export function loadedTrace(tree: SpanTree) {
  let critical: CriticalPath | undefined;
  return {
    trace: tree.outline,
    tree,
    facts: traceFacts(tree),
    get critical(): CriticalPath {
      critical ??= criticalPath(tree);
      return critical;
    },
    isAgentRun: isAgentRun(tree),
    calls: modelCalls(tree),
  };
}

export type LoadedTrace = ReturnType<typeof loadedTrace>;

export interface ModelCalls {
  count: number;
  /** Ordinal of each model call, from 1 in reading order; 0 for other spans. */
  nth: Int32Array;
}

function modelCalls(tree: SpanTree): ModelCalls {
  const nth = new Int32Array(tree.size);
  let count = 0;
  for (let at = 0; at < tree.size; at++) if (tree.isGeneration(at)) nth[at] = ++count;
  return { count, nth };
}
