/** Queries of the span detail. Large responses are parsed in a web worker, so that no span freezes the page. */
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { pathOf } from '../../../../shared/client.ts';
import type { ScoreDraft } from '../../../../shared/contract/evaluation/score-draft.ts';
import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import { viewer } from '../../../../shared/contract/viewer/viewer.ts';
import { gateway } from '../../../api/client.ts';
import { readTruncated } from '../../../api/documents.ts';
import { type PayloadField, readPayloads, withPayloads } from '../../../api/span-io.ts';
import type { Truncated } from '../../../model/trace/truncate-texts.ts';

const attributeCharsMax = 200_000;
const gcTime = 60_000;

export const rawPath = (traceId: string, spanId: string) => pathOf(viewer.rawSpan.path, { traceId, spanId });

export type LightRaw = Truncated<RawSpanReply>;

export function useLightRaw(traceId: string, spanId: string, isEnabled: boolean) {
  return useQuery({
    queryKey: ['trace', traceId, 'raw', spanId],
    queryFn: () => readTruncated<RawSpanReply>(rawPath(traceId, spanId), attributeCharsMax),
    enabled: isEnabled,
    gcTime,
  });
}

export interface TooLarge {
  field: PayloadField;
  /** Characters. */
  size: number;
}

/** Payload of a span: first its preview, then the full text of truncated fields. A field that is too large stays a preview. */
export function usePayload(traceId: string, spanId: string, isEnabled: boolean) {
  const preview = useQuery({
    queryKey: ['trace', traceId, 'spans', [spanId]],
    queryFn: async () => (await gateway.traceViewer.previews({ params: { traceId }, query: { ids: spanId } })).data,
    enabled: isEnabled,
    gcTime,
  });
  const span: SpanInTrace | undefined = preview.data?.[0];
  const cut = span?.truncated_fields ?? [];
  const io = useQuery({
    queryKey: ['trace', traceId, 'io', spanId],
    queryFn: () => readPayloads(traceId, spanId),
    enabled: isEnabled && cut.length > 0,
    gcTime,
  });
  const whole = useMemo(() => (span && io.data ? withPayloads(span, io.data) : span), [span, io.data]);
  const tooLarge = (io.data?.cuts ?? []).map(({ path, size }): TooLarge => ({ field: path[0] as PayloadField, size }));
  return {
    span: whole,
    /** Fields of which only the beginning has loaded so far. */
    truncated: io.data ? [] : cut,
    tooLarge,
    error: preview.error ?? io.error,
    retry: () => void (preview.error ? preview.refetch() : io.refetch()),
  };
}

export type Payloads = ReturnType<typeof usePayload>;

export function usePrice(model: string, provider: string, isEnabled: boolean) {
  return useQuery({
    queryKey: ['price', model, provider],
    queryFn: async () => (await gateway.viewer.price({ query: { model, ...(provider ? { provider } : {}) } })).data,
    enabled: isEnabled && model !== '',
  });
}

const scoresShown = 200;

/** Scores of the span itself, newest first. */
export function useScores(traceId: string, spanId: string, isEnabled: boolean) {
  return useQuery({
    queryKey: ['trace', traceId, 'scores', spanId],
    queryFn: async () => (await gateway.scores.list({ query: { resource_id: spanId, limit: scoresShown } })).data,
    enabled: isEnabled,
    gcTime,
  });
}

/** Also invalidates the scores screen, which shows these scores too. */
const invalidateScores = (queries: QueryClient, traceId: string, spanId: string) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ['trace', traceId, 'scores', spanId] }),
    queries.invalidateQueries({ queryKey: ['scores'] }),
  ]);

export function useAddScore(traceId: string, spanId: string) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (draft: Omit<ScoreDraft, 'resource_id' | 'source'>) =>
      gateway.scores.create({ body: { ...draft, resource_id: spanId, source: 'annotation' } }),
    onSuccess: () => invalidateScores(queries, traceId, spanId),
  });
}

export function useRemoveScore(traceId: string, spanId: string) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (scoreId: string) => gateway.scores.remove({ params: { scoreId } }),
    onSuccess: () => invalidateScores(queries, traceId, spanId),
  });
}
