/** Filtered lists with exact totals. The words and values come from the measured store. */
import type { SpanItem } from '../../shared/contract/tracing/spans.ts';
import type { HttpClient } from '../gateway/http-client.ts';
import { measurePaths, type ReadMeasure, type ReadOptions, readClient } from './reads.ts';

const pageSize = 50;
const scores = 2000;
const scoresPerRequest = 200;

export async function measureFilters(options: ReadOptions): Promise<ReadMeasure[]> {
  const client = readClient(options);
  const measures = await measurePaths(client, await filteredLists(client), options);
  client.close();
  return measures;
}

async function filteredLists(client: HttpClient): Promise<[name: string, paths: string[]][]> {
  const { data } = await client.json<{ data: SpanItem[] }>(`/v1/spans?limit=500&type=GENERATION`);
  await sendScores(client, data);
  const [rare, common] = await wordsOf(client, data);
  const users = await usersOf(client, data);
  const values = (of: (span: SpanItem) => string | null | undefined) =>
    [...new Set(data.map(of).filter((value) => !!value))].slice(0, 20) as string[];
  const filters: [name: string, filters: string[]][] = [
    ['model =', values(({ model }) => model).map((model) => `model = ${quotedValue(model)}`)],
    ['status =', ['status = OK', 'status = ERROR']],
    ['user_id =', users.map((user) => `user_id = ${quotedValue(user)}`)],
    ['metadata.k =', values(({ metadata }) => metadata?.['tenant']).map((tenant) => `metadata.tenant = ${quotedValue(tenant)}`)],
    ['cost >', ['cost > 0.01', 'cost > 0.1']],
    ['score__x >', ['score__quality > 0.5', 'score__quality > 0.9']],
    ['input contains, rare', rare.map((word) => `input contains ${quotedValue(word)}`)],
    ['input contains, common', common.map((word) => `input contains ${quotedValue(word)}`)],
  ];
  return ['traces', 'spans'].flatMap((list) =>
    filters
      .filter(([, each]) => each.length > 0)
      .map(([name, each]): [string, string[]] => [
        `${list}: ${name}`,
        each.map((filter) => `/v1/${list}?limit=${pageSize}&filter=${encodeURIComponent(filter)}`),
      ]),
  );
}

/** A value in the filter language. */
export const quotedValue = (value: string) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Users are not in the list items, so they are read from the raw spans. */
async function usersOf(client: HttpClient, spans: SpanItem[]): Promise<string[]> {
  const found = new Set<string>();
  for (const { id, trace_id } of spans.slice(0, 40)) {
    const { body } = await client.get(`/v1/viewer/traces/${trace_id}/spans/${id}/raw`);
    const user = /"agentmark\.user_id","value":\{"stringValue":"([^"]+)"/.exec(body.toString())?.[1];
    if (user !== undefined) found.add(user);
  }
  return [...found];
}

/** Words that occur once, such as references, and words that occur in every second text. */
export async function wordsOf(client: HttpClient, spans: SpanItem[]): Promise<[rare: string[], common: string[]]> {
  const texts = await Promise.all(
    spans.slice(0, 60).map(async ({ id, trace_id }) => {
      const { data } = await client.json<{ data: { input: string } }>(`/v1/traces/${trace_id}/spans/${id}`);
      return new Set(data.input.match(/[a-z0-9]{4,}/g));
    }),
  );
  const counts = new Map<string, number>();
  for (const words of texts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const rare = [...counts].filter(([word, count]) => count === 1 && /[a-z]/.test(word) && /\d/.test(word)).map(([word]) => word);
  const common = [...counts].filter(([word, count]) => count > texts.length / 2 && !/\d/.test(word)).map(([word]) => word);
  return [rare.slice(0, 20), common.slice(0, 5)];
}

/** Sends scores with one name for some of the newest spans. */
async function sendScores(client: HttpClient, spans: SpanItem[]): Promise<void> {
  for (let from = 0; from < scores; from += scoresPerRequest) {
    const body = Array.from({ length: scoresPerRequest }, (_, at) => ({
      resource_id: spans[(from + at) % spans.length]?.id ?? '',
      name: 'quality',
      score: ((from + at) % 100) / 100,
      label: '',
      reason: '',
    }));
    const { status, body: answer } = await client.send(
      'POST',
      '/v1/scores/batch',
      { 'content-type': 'application/json' },
      Buffer.from(JSON.stringify({ scores: body })),
    );
    if (status >= 300) throw new Error(`Scores answered ${status}: ${answer.subarray(0, 200).toString()}`);
  }
}
