/** Reads everything from a gateway with a damaged store, and lists the responses that damage must not cause. */
import type { Capabilities } from '../../shared/contract/core/platform.ts';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import type { HttpAnswer, HttpClient } from '../gateway/http-client.ts';
import { json, type KnownTrace } from './known-store.ts';

export interface ReadResults {
  /** Messages for responses that must never occur. */
  wrong: string[];
  /** Known traces that cannot be read completely. */
  incomplete: string[];
  /** Those of them whose response says so: a 503, or a damage mark. */
  marked: string[];
  isReported: boolean;
  reads: number;
  /** Reads that answered 503, by path. */
  refused: string[];
}

const contains = encodeURIComponent('input contains "the"');
const lists = [
  ...['start_time', 'name', 'status', 'latency', 'cost', 'tokens'].map((by) => `/v1/traces?limit=1000&sort_by=${by}`),
  '/v1/traces?limit=20&offset=40&sort_order=asc',
  '/v1/traces?limit=1000&tag=all',
  `/v1/traces?limit=1000&filter=${contains}`,
  `/v1/traces?limit=1000&filter=${encodeURIComponent('metadata.team = "team 1" and tags = "tag 1"')}`,
  '/v1/viewer/traces?limit=1000',
  `/v1/viewer/traces?limit=1000&filter=${encodeURIComponent('model = "model 1"')}`,
  '/v1/viewer/traces-over-time',
  '/v1/viewer/trace-facets',
  '/v1/viewer/error-groups',
  `/v1/viewer/compare/groups?a=${encodeURIComponent('errors > 0')}`,
  '/v1/viewer/filter-values?field=tags',
  '/v1/viewer/filter-values?field=metadata',
  '/v1/viewer/filter-values?field=score',
  '/v1/spans?limit=1000',
  '/v1/spans?limit=1000&type=GENERATION&name=chat',
  '/v1/sessions?limit=1000',
  '/v1/sessions?limit=100&sort_by=total_cost',
  ...Array.from({ length: 7 }, (_, at) => `/v1/sessions/${encodeURIComponent(`session ${at}`)}/traces`),
  '/v1/scores?limit=1000',
  '/v1/scores?limit=1000&resource_type=trace',
  '/v1/scores/names',
  '/v1/scores/aggregations',
  '/v1/viewer/scores/distribution?name=quality%201',
  '/v1/experiments',
  ...Array.from({ length: 2 }, (_, at) => `/v1/experiments/${encodeURIComponent(`run ${at * 6}`)}`),
  '/v1/viewer/runaways',
  '/v1/viewer/runaway-thresholds',
  '/v1/viewer/storage',
  '/v1/viewer/storage/older?days=1',
  '/v1/viewer/agent-history',
  '/v1/viewer/spending',
  '/v1/viewer/budgets?period=week&max=20',
  '/v1/viewer/forwarding/destinations',
];

const activity = () => {
  const to = Date.now();
  return `/v1/viewer/activity?from=${to - 86_400_000}&to=${to}&steps=24`;
};

export async function judgeReads(client: HttpClient, known: readonly KnownTrace[]): Promise<ReadResults> {
  const results: ReadResults = { wrong: [], incomplete: [], marked: [], isReported: false, reads: 0, refused: [] };
  const get = async (path: string): Promise<HttpAnswer | null> => {
    results.reads++;
    const answer = await client.get(path).catch((error: Error) => error);
    if (answer instanceof Error) {
      results.wrong.push(`GET ${path}: ${answer.message}`);
      return null;
    }
    judgeStatus(results, `GET ${path}`, answer);
    return answer;
  };
  for (const path of [...lists, activity()]) await get(path);
  for (const trace of known) await judgeTrace(results, trace, get);
  await judgeIngest(results, client, known);
  return results;
}

export async function reportsDamage(client: HttpClient): Promise<boolean> {
  return (await client.json<Capabilities>('/v1/capabilities')).damaged !== undefined;
}

/** 501, and 503 with a storage error, are allowed; every other 5xx is a bug. */
function judgeStatus(results: ReadResults, request: string, { status, body }: HttpAnswer): void {
  if (status < 500 || status === 501) return;
  const text = body.toString();
  if (status === 503 && /"storage_|"service_unavailable/.test(text)) results.refused.push(request);
  else results.wrong.push(`${request} answered ${status}: ${text.slice(0, 200)}`);
}

interface ReadTrace {
  data: { id: string; name: string; spans: { id: string; input?: string; damaged?: true; truncated_fields?: string[] }[] };
}

async function judgeTrace(results: ReadResults, trace: KnownTrace, get: (path: string) => Promise<HttpAnswer | null>): Promise<void> {
  const answer = await get(`/v1/traces/${trace.id}?fields=graph,scores`);
  await get(`/v1/viewer/traces/${trace.id}/outline`);
  await get(`/v1/viewer/compare?a=${trace.id}&b=${trace.id}`);
  await get(`/v1/viewer/traces/${trace.id}/context`);
  await get(`/v1/viewer/traces/${trace.id}/seen-before`);
  const ids = [...trace.inputs.keys()];
  await get(`/v1/viewer/traces/${trace.id}/spans?ids=${ids.join()}`);
  await get(`/v1/viewer/traces/${trace.id}/spans/${ids[0]}/raw`);
  if (!answer) return;
  if (answer.status !== 200) {
    results.incomplete.push(trace.id);
    if (answer.status === 503) results.marked.push(trace.id);
    return;
  }
  const { data } = JSON.parse(answer.body.toString()) as ReadTrace;
  const isComplete =
    data.id === trace.id && data.name === trace.name && ids.every((id) => isSame(data, id, trace.inputs.get(id) as string));
  if (isComplete) return;
  results.incomplete.push(trace.id);
  if (data.spans.some(({ damaged }) => damaged)) results.marked.push(trace.id);
}

/** The input is returned as a message, and a long one as a preview: its first line identifies it. */
function isSame({ spans }: ReadTrace['data'], id: string, sent: string): boolean {
  const input = spans.find((span) => span.id === id)?.input;
  return input?.includes(sent.slice(0, 80).split('\n', 1)[0] as string) === true;
}

/** Sends a new trace, and more spans of known traces: each must be accepted, or refused with a storage error. */
async function judgeIngest(results: ReadResults, client: HttpClient, known: readonly KnownTrace[]): Promise<void> {
  const bodies = [aRequest([aSpan({ startMs: Date.now() })]), aRequest(known.slice(0, 10).map(({ id }) => aSpan({ traceId: id })))];
  for (const body of bodies) {
    const answer = await client.send('POST', '/v1/traces', json, Buffer.from(JSON.stringify(body))).catch((error: Error) => error);
    if (answer instanceof Error) results.wrong.push(`POST /v1/traces: ${answer.message}`);
    else judgeStatus(results, 'POST /v1/traces', answer);
  }
}
