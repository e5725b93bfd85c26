/** Reads a shared trace with the token of its link. */
import { useQuery } from '@tanstack/react-query';
import { createClient } from '../../../../shared/client.ts';
import { shareTokenHeader } from '../../../../shared/contract/tracing/shared-trace.ts';
import { sendWith, Unreachable } from '../../../api/client.ts';
import { SpanTree } from '../../../model/trace/span-tree.ts';
import { loadedTrace } from '../page/trace-query.ts';

const client = (token: string) => createClient((request) => sendWith({ [shareTokenHeader]: token }, request)).shareLinks;

/** Without a gateway, the page tries again by itself, as it says. */
const untilReachable = ({ state: { error } }: { state: { error: Error | null } }) => (error instanceof Unreachable ? 5000 : false);

export const useSharedTrace = (token: string) =>
  useQuery({
    queryKey: ['shared', token],
    queryFn: async () => {
      const { trace, ...link } = (await client(token).readTrace({})).data;
      return { ...link, loaded: loadedTrace(new SpanTree(trace, Date.now())) };
    },
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    // Opened again, it is read again: it may have ended.
    gcTime: 0,
    retry: false,
    refetchInterval: untilReachable,
  });

export type SharedLink = NonNullable<ReturnType<typeof useSharedTrace>['data']>;

export const readSharedSpans = (token: string) => async (ids: string) => (await client(token).readPreviews({ query: { ids } })).data;

export const useSharedPreview = (token: string, spanId: string, isEnabled: boolean) =>
  useQuery({
    queryKey: ['shared', token, 'preview', spanId],
    queryFn: () => readSharedSpans(token)(spanId),
    enabled: isEnabled,
    gcTime: 60_000,
    refetchInterval: untilReachable,
  });

/** The whole contents of a span, and its attributes. */
export const useSharedSpan = (token: string, spanId: string, isEnabled: boolean) =>
  useQuery({
    queryKey: ['shared', token, 'span', spanId],
    queryFn: async () => (await client(token).readSpan({ query: { id: spanId } })).data,
    enabled: isEnabled,
    gcTime: 60_000,
    refetchInterval: untilReachable,
  });
