/** Dataset queries. Other programs write the files too, so every visit fetches them again. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DatasetRow, RowMapping } from '../../../shared/contract/projects/datasets.ts';
import type { RowSource } from '../../../shared/row-mapping.ts';
import { gateway } from '../../api/client.ts';
import { useFollow } from '../../api/queries.ts';
import type { Place } from '../../ui/overlays/chosen-places.ts';
import type { RunDraft } from './run-draft.ts';
import type { ImportSource } from './url.ts';

const listMax = 1000;
const always = () => true;

export interface ListedDataset {
  id: string;
  name: string;
  /** Null for a file that is too large to be read. */
  row_count: number | null;
  created_at: string;
}

export const useDatasets = () =>
  useQuery({
    queryKey: ['datasets', 'list'],
    queryFn: async () => {
      const { data, pagination } = await gateway.datasets.list({ query: { limit: listMax } });
      return { rows: data.map((dataset): ListedDataset => ({ ...dataset, id: dataset.name })), total: pagination.total };
    },
    staleTime: 0,
  });

export interface NumberedRow {
  id: string;
  line: number;
  row: Partial<DatasetRow>;
}

export const useRows = (name: string) =>
  useQuery({
    queryKey: ['datasets', 'rows', name],
    queryFn: async (): Promise<NumberedRow[]> => {
      const content = await gateway.templates.get({ query: { path: name, format: 'json' } });
      const rows = Array.isArray(content) ? content : [];
      return rows.map((row, line) => ({ id: String(line), line, row: row as Partial<DatasetRow> }));
    },
    staleTime: 0,
  });

/** The path of a dataset without its extension, as the write routes expect it. */
const withoutExtension = (name: string) => name.replace(/\.jsonl$/, '');

function useInvalidateDatasets() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['datasets'] });
}

export function useAppend(name: string) {
  const invalidate = useInvalidateDatasets();
  return useMutation({
    networkMode: 'always',
    mutationFn: (row: DatasetRow) => gateway.datasets.append({ params: { datasetName: withoutExtension(name) }, body: row }),
    onSuccess: invalidate,
  });
}

export function useImport(name: string, from: ImportSource) {
  const invalidate = useInvalidateDatasets();
  return useMutation({
    networkMode: 'always',
    mutationFn: async ({ ids, mapping }: { ids: string[]; mapping: RowMapping }) => {
      const params = { datasetName: withoutExtension(name) };
      const { data } =
        from === 'traces'
          ? await gateway.datasets.importTraces({ params, body: { trace_ids: ids, mapping } })
          : await gateway.datasets.importSpans({ params, body: { span_ids: ids, mapping } });
      return data;
    },
    onSuccess: invalidate,
  });
}

/** Prompts for experiments: those of the default environment, or of the project folder. */
export const useRunnablePrompts = () =>
  useQuery({
    queryKey: ['prompts', 'runnable'],
    queryFn: async () => (await gateway.viewerPrompts.list({})).data,
    select: ({ prompts }) => prompts.map(({ path, name }) => ({ path, name })),
    staleTime: 0,
  });

export function useStartExperiment() {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (body: RunDraft) => gateway.experimentRuns.start({ body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['experiments'] }),
    // The worker may have disconnected since the form was opened.
    onError: () => queries.invalidateQueries({ queryKey: ['worker'] }),
  });
}

/** Most items that one import takes. */
export const importMax = 100;

export interface Candidate {
  id: string;
  traceId: string;
  spanId: string;
  name: string;
  about: string;
  start: string;
}

/** The newest traces or model calls, to select from. */
export function useCandidates(from: ImportSource) {
  const queryKey = ['traces', 'candidates', from];
  useFollow(queryKey, always);
  return useQuery({
    queryKey,
    queryFn: async (): Promise<Candidate[]> => {
      if (from === 'traces') {
        const { data } = await gateway.traces.list({ query: { limit: importMax } });
        return data.map(({ id, name, start, input_preview }) => ({ id, traceId: id, spanId: '', name, about: input_preview ?? '', start }));
      }
      const { data } = await gateway.spans.list({ query: { limit: importMax, type: 'GENERATION' } });
      return data.map((span) => ({
        id: `${span.trace_id}:${span.id}`,
        traceId: span.trace_id,
        spanId: span.id,
        name: span.name,
        about: span.model ?? '',
        start: span.timestamp,
      }));
    },
  });
}

/** A selected trace or span in the form that mapping paths refer to. Its texts are previews. */
export const useSource = (candidate: Pick<Candidate, 'traceId' | 'spanId'> | undefined) =>
  useQuery({
    queryKey: ['trace', candidate?.traceId, 'source', candidate?.spanId],
    enabled: candidate !== undefined,
    queryFn: async () => {
      const { traceId = '', spanId = '' } = candidate ?? {};
      const { data: trace } = await gateway.traces.get({ params: { traceId } });
      if (spanId === '') {
        const root = trace.spans.find(({ parent_id }) => !trace.spans.some(({ id }) => id === parent_id)) ?? null;
        return {
          ...trace,
          ...payload(trace),
          props: trace.spans.map(({ props }) => parsed(props)).find(isFilled) ?? null,
          root_span: root,
        };
      }
      const span = trace.spans.find(({ id }) => id === spanId);
      return span ? { ...span, ...payload(span), props: parsed(span.props) } : null;
    },
  });

/** A trace or span with its whole texts, whatever their size. */
export const useWholeSource = ({ traceId, spanId }: Place) =>
  useQuery({
    queryKey: ['trace', traceId, 'whole-source', spanId],
    queryFn: async (): Promise<RowSource> => {
      const { data: trace } = await gateway.traces.get({ params: { traceId } });
      const whole = async (id: string) => (await gateway.spans.io({ params: { traceId, spanId: id } })).data;
      if (spanId !== '') {
        const io = await whole(spanId);
        return { ...payload(io), props: parsed(trace.spans.find(({ id }) => id === spanId)?.props) };
      }
      const props = trace.spans.map((span) => parsed(span.props)).find(isFilled) ?? null;
      const [input, output] = (['input', 'output'] as const).map((side) =>
        trace.spans.find((span) => trace[side] && span[side] === trace[side]),
      );
      return {
        input: parsed(input ? (await whole(input.id)).input : trace.input),
        output: parsed(output ? (await whole(output.id)).output : trace.output),
        props,
      };
    },
  });

const payload = ({ input, output }: { input?: string | null | undefined; output?: string | null | undefined }) => ({
  input: parsed(input),
  output: parsed(output),
});

const isFilled = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

function parsed(text: string | null | undefined): unknown {
  if (text === null || text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
