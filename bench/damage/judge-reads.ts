/** Asks a gateway over a damaged store for everything that people look at, and says which answers no store may cause. */
import type { Capabilities } from '../../shared/contract/core/platform.ts';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import type { HttpAnswer, HttpClient } from '../gateway/http-client.ts';
import { json, type KnownTrace } from './known-store.ts';

export interface Judged {
  /** What must never be, in words; none when all is well. */
  wrong: string[];
  /** Known traces that are not readable whole. */
  notWhole: string[];
  /** Of those, the ones that say so themselves: 503, or marked. */
  markedThemselves: string[];
  isTold: boolean;
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
  '/v1/viewer/storage',
  '/v1/viewer/storage/older?days=1',
  '/v1/viewer/forwarding/destinations',
];

const activity = () => {
  const [from, to] = [new Date(Date.now() - 86_400_000), new Date()].map((each) => each.toISOString());
  return `/v1/viewer/activity?from=${from}&to=${to}&buckets=24`;
};

export async function judgeReads(client: HttpClient, known: readonly KnownTrace[]): Promise<Judged> {
  const judged: Judged = { wrong: [], notWhole: [], markedThemselves: [], isTold: false, reads: 0, refused: [] };
  const ask = async (path: string): Promise<HttpAnswer | null> => {
    judged.reads++;
    const answer = await client.get(path).catch((error: Error) => error);
    if (answer instanceof Error) {
      judged.wrong.push(`GET ${path}: ${answer.message}`);
      return null;
    }
    judgeStatus(judged, `GET ${path}`, answer);
    return answer;
  };
  for (const path of [...lists, activity()]) await ask(path);
  for (const trace of known) await judgeTrace(judged, trace, ask);
  await judgeIngest(judged, client, known);
  return judged;
}

export async function tells(client: HttpClient): Promise<boolean> {
  return (await client.json<Capabilities>('/v1/capabilities')).damaged !== undefined;
}

/** Not here, not served here, or refused over the store: everything else with 5 in front is a mistake of ours. */
function judgeStatus(judged: Judged, asked: string, { status, body }: HttpAnswer): void {
  if (status < 500 || status === 501) return;
  const text = body.toString();
  if (status === 503 && /"storage_|"service_unavailable/.test(text)) judged.refused.push(asked);
  else judged.wrong.push(`${asked} answered ${status}: ${text.slice(0, 200)}`);
}

interface ReadTrace {
  data: { id: string; name: string; spans: { id: string; input?: string; damaged?: true; truncated_fields?: string[] }[] };
}

async function judgeTrace(judged: Judged, trace: KnownTrace, ask: (path: string) => Promise<HttpAnswer | null>): Promise<void> {
  const answer = await ask(`/v1/traces/${trace.id}?fields=graph,scores`);
  await ask(`/v1/viewer/traces/${trace.id}/outline`);
  const ids = [...trace.inputs.keys()];
  await ask(`/v1/viewer/traces/${trace.id}/spans?ids=${ids.join()}`);
  await ask(`/v1/viewer/traces/${trace.id}/spans/${ids[0]}/raw`);
  if (!answer) return;
  if (answer.status !== 200) {
    judged.notWhole.push(trace.id);
    if (answer.status === 503) judged.markedThemselves.push(trace.id);
    return;
  }
  const { data } = JSON.parse(answer.body.toString()) as ReadTrace;
  const isWhole = data.id === trace.id && data.name === trace.name && ids.every((id) => isSame(data, id, trace.inputs.get(id) as string));
  if (isWhole) return;
  judged.notWhole.push(trace.id);
  if (data.spans.some(({ damaged }) => damaged)) judged.markedThemselves.push(trace.id);
}

/** It comes back as a message, and a long one as a preview: its first line says which it is. */
function isSame({ spans }: ReadTrace['data'], id: string, sent: string): boolean {
  const input = spans.find((span) => span.id === id)?.input;
  return input?.includes(sent.slice(0, 80).split('\n', 1)[0] as string) === true;
}

/** Something new, and something more for a trace that is known: taken, or refused as the store's fault. */
async function judgeIngest(judged: Judged, client: HttpClient, known: readonly KnownTrace[]): Promise<void> {
  const bodies = [aRequest([aSpan({ startMs: Date.now() })]), aRequest(known.slice(0, 10).map(({ id }) => aSpan({ traceId: id })))];
  for (const body of bodies) {
    const answer = await client.send('POST', '/v1/traces', json, Buffer.from(JSON.stringify(body))).catch((error: Error) => error);
    if (answer instanceof Error) judged.wrong.push(`POST /v1/traces: ${answer.message}`);
    else judgeStatus(judged, 'POST /v1/traces', answer);
  }
}
