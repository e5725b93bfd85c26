/**
 * The reads that are the first to become slow in a large store: filters by every field with an exact total, filters by content, deep pages,
 * and counts over everything. The values come from the measured store.
 */
import type { SpanItem } from '../../shared/contract/tracing/spans.ts';
import { HttpClient } from '../gateway/http-client.ts';
import type { Checkpoint } from '../traffic/bodies.ts';
import { quotedValue, wordsOf } from './filters.ts';
import { quantile } from './quantiles.ts';
import { measurePaths, type ReadMeasure, type ReadOptions, readClient } from './reads.ts';

const pageSize = 50;
const valuesMax = 10;
const samplesMax = 200;
/** In no text of the traffic. */
const absent = ['hjqzephyrow', 'wqxkumquaty'];

type Reads = [name: string, paths: string[]][];

interface FilterField {
  name: string;
  kind: string;
}

export async function measureLimitReads({ checkpoint, ...options }: ReadOptions): Promise<ReadMeasure[]> {
  const client = readClient(options);
  const reads = [...(await fieldFilters(client)), ...(await contentFilters(client)), ...(await deepReads(client, checkpoint))];
  const measures = await measurePaths(client, reads, options);
  client.close();
  return measures;
}

/** The content filters alone, for a store of which nothing was indexed yet. */
export async function measureContentFilters(url: string, options: Pick<ReadOptions, 'msMax' | 'callsMax'>): Promise<ReadMeasure[]> {
  const client = new HttpClient(url, 1);
  const measures = await measurePaths(client, await contentFilters(client), options);
  client.close();
  return measures;
}

const filtered = (list: string, filters: string[]): string[] =>
  filters.map((filter) => `/v1/${list}?limit=${pageSize}&filter=${encodeURIComponent(filter)}`);

/** Fields over contents: their totals may be lower bounds, and they are measured by words. */
const contents = ['input', 'output', 'props'];

/** A filter of spans by each other field of the published table. */
async function fieldFilters(client: HttpClient): Promise<Reads> {
  const { data } = await client.json<{ data: { resources: { spans: { fields: FilterField[] } } } }>('/v1/filter-schema');
  const spans = await client.json<{ data: SpanItem[] }>(`/v1/spans?limit=${samplesMax}`);
  const reads: Reads = [];
  for (const { name, kind } of data.resources.spans.fields) {
    if (contents.includes(name)) continue;
    const filters = await filtersBy(client, name, kind, spans.data);
    if (filters.length > 0) reads.push([`spans by ${name}`, filtered('spans', filters)]);
  }
  return reads;
}

/** The columns of numeric fields. */
const columns: Record<string, keyof SpanItem> = {
  latency_ms: 'duration_ms',
  cost: 'cost',
  prompt_tokens: 'input_tokens',
  completion_tokens: 'output_tokens',
};

async function filtersBy(client: HttpClient, name: string, kind: string, spans: SpanItem[]): Promise<string[]> {
  if (kind === 'status') return ['status = OK', 'status = ERROR'];
  if (kind === 'numeric') {
    const observed = spans.map((span) => Number(span[columns[name] ?? 'duration_ms']));
    return [0.5, 0.95].map((part) => `${name} > ${quantile(observed, part)}`);
  }
  const values =
    name === 'trace_id'
      ? spans.slice(0, valuesMax).map(({ trace_id }) => trace_id)
      : (await client.json<{ data: string[] }>(`/v1/viewer/filter-values?field=${name}&limit=${valuesMax}`)).data;
  return values.map((value) => `${name} = ${quotedValue(value)}`);
}

async function contentFilters(client: HttpClient): Promise<Reads> {
  const { data } = await client.json<{ data: SpanItem[] }>('/v1/spans?limit=500&type=GENERATION');
  const [rare, common] = await wordsOf(client, data);
  const kinds: [string, string[]][] = [
    ['a rare word', rare],
    ['a common word', common],
    ['an absent word', absent],
  ];
  const props: Reads[number] = ['spans, props contains a common word', filtered('spans', ['props contains "question"'])];
  const inputs = ['traces', 'spans'].flatMap((list) =>
    kinds
      .filter(([, words]) => words.length > 0)
      .map(([kind, words]): [string, string[]] => [
        `${list}, input contains ${kind}`,
        filtered(
          list,
          words.map((word) => `input contains ${quotedValue(word)}`),
        ),
      ]),
  );
  return [...inputs, props];
}

async function deepReads(client: HttpClient, { traces, spans }: Checkpoint): Promise<Reads> {
  const sessions = await client.json<{ pagination: { total: number } }>('/v1/sessions?limit=1');
  const deep = (path: string, of: number): string[] => [`${path}?limit=${pageSize}&offset=${Math.floor(of * 0.8)}`];
  const filter = encodeURIComponent('status = ERROR');
  return [
    ['traces, deep page', deep('/v1/traces', traces)],
    ['spans, deep page', deep('/v1/spans', spans)],
    ['sessions, deep page', deep('/v1/sessions', sessions.pagination.total)],
    ['facets', ['/v1/viewer/trace-facets']],
    ['facets, filtered', [`/v1/viewer/trace-facets?filter=${filter}`]],
    ['histogram', ['/v1/viewer/traces-over-time']],
    ['histogram, filtered', [`/v1/viewer/traces-over-time?filter=${filter}`]],
  ];
}
