import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
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
