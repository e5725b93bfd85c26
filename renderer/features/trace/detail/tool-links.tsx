import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import { gateway } from '../../../api/client.ts';
import { readMessages } from '../../../model/trace/messages.ts';
import type { SpanNode } from '../../../model/trace/span-node.ts';
import { toolSpansAround } from './related-spans.ts';

interface ToolLinks {
  /** The span that ran a call, by call id. */
  spanOf: (callId: string) => SpanInTrace | undefined;
  onOpen: (spanId: string) => void;
}

const Links = createContext<ToolLinks>({ spanOf: () => undefined, onOpen: () => {} });

/** Lets message cards find the span that ran a tool call. */
export const useToolLinks = () => useContext(Links);

/** The id of the call that a tool span ran: the only entry of its `tool_calls`. */
function callIdOf({ tool_calls }: SpanInTrace): string {
  const [part] = readMessages(`[{"role":"assistant","content":${tool_calls || '[]'}}]`)?.[0]?.parts ?? [];
  return part?.type === 'tool-call' ? part.id : '';
}

interface ToolLinksProps {
  node: SpanNode;
  isEnabled: boolean;
  onOpen: (spanId: string) => void;
  children: ReactNode;
}

export function ToolLinksOf({ node, isEnabled, onOpen, children }: ToolLinksProps) {
  const traceId = node.span.trace_id;
  const ids = useMemo(() => (isEnabled ? toolSpansAround(node) : []), [node, isEnabled]);
  const { data } = useQuery({
    queryKey: ['trace', traceId, 'spans', ids],
    queryFn: async () => (await gateway.traceViewer.previews({ params: { traceId }, query: { ids: ids.join() } })).data,
    enabled: ids.length > 0,
    gcTime: 60_000,
  });
  const links = useMemo(() => {
    const byCall = new Map<string, SpanInTrace>();
    for (const span of data ?? []) {
      const id = callIdOf(span);
      if (id && !byCall.has(id)) byCall.set(id, span);
    }
    return { spanOf: (callId: string) => byCall.get(callId), onOpen };
  }, [data, onOpen]);
  return <Links value={links}>{children}</Links>;
}
