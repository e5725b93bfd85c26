/** Answers about the traces of a gateway: of everything that lists, searches or counts, and of single traces. */
import type { HttpClient } from '../gateway/http-client.ts';
import { type MarkedTrace, marks } from './marked-traces.ts';

const fields = ['tags', 'model', 'user_id', 'session_id', 'prompt_name', 'tool', 'service', 'environment', 'metadata', 'name', 'score'];

const query = (path: string, parameters: Record<string, string | number>): string =>
  `${path}?${new URLSearchParams(Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]))}`;

/** Lists, searches, facets, sums. @param from, to milliseconds around all traces */
function listsOf(from: number, to: number, kept: readonly MarkedTrace[]): string[] {
  const { word, idBytes } = marks.kept;
  const [first, ...rest] = kept;
  const filters = [
    'status = ERROR',
    'errors_inside > 0',
    `tags = ${word}`,
    `model = "model ${word}"`,
    `text contains ${first?.word}`,
    `output contains ${rest.at(-1)?.word}`,
    `"${first?.word}" "${word}"`,
  ];
  return [
    ...['start_time', 'cost', 'latency'].map((sort_by) => query('/v1/traces', { limit: 1000, sort_by })),
    ...filters.flatMap((filter) => [query('/v1/traces', { limit: 100, filter }), query('/v1/viewer/traces', { limit: 100, filter })]),
    ...['status = ERROR', `"${first?.word}"`].map((filter) => query('/v1/spans', { limit: 500, filter })),
    query('/v1/viewer/traces', { limit: 1000 }),
    query('/v1/spans', { limit: 500 }),
    query('/v1/sessions', { limit: 1000 }),
    query('/v1/sessions', { limit: 1000, sort_by: 'total_cost' }),
    query('/v1/scores', { limit: 1000 }),
    '/v1/scores/names',
    query('/v1/viewer/scores/distribution', { name: `quality ${word}` }),
    query('/v1/viewer/activity', { from, to, steps: 24 }),
    query('/v1/viewer/traces-over-time', { from, to }),
    query('/v1/viewer/trace-facets', { limit: 100 }),
    '/v1/viewer/error-groups',
    ...fields.map((field) => query('/v1/viewer/filter-values', { field })),
    query('/v1/viewer/trace-matches', { trace_ids: kept.map(({ traceId }) => traceId).join(), filter: `"${word}"` }),
    query('/v1/viewer/filter-values', { field: 'session_id', prefix: idBytes }),
  ];
}

function pathsOf({ traceId, spanIds, word, image, at }: MarkedTrace): string[] {
  const session = encodeURIComponent(`session ${word.replace(/\d+$/, '')} ${Math.floor(at / 5)}`);
  return [
    `/v1/traces/${traceId}?fields=graph,scores`,
    `/v1/viewer/traces/${traceId}/outline`,
    `/v1/viewer/traces/${traceId}/spans?ids=${spanIds.join()}`,
    `/v1/viewer/traces/${traceId}/spans/${spanIds[1]}/raw`,
    `/v1/traces/${traceId}/spans/${spanIds[1]}`,
    ...(image ? [`/v1/viewer/traces/${traceId}/spans/${spanIds[1]}/media/${image}`] : []),
    `/v1/scores?resource_id=${traceId}`,
    `/v1/sessions/${session}/traces`,
  ];
}

/** Without what differs in any case: ids of scores are random, and some times are those of arrival. */
const comparable = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
    .replace(/"(created_at|received_at|arrived)":("[^"]*"|\d+)/g, '"$1":0')
    .replace(/"time":\[.*?\]/g, '"time":[]');

/** Answers say so when the time did not last for all of them. */
export const isCut = (answer: string): boolean =>
  /"(total_is_lower_bound|counts_are_lower_bounds)":true|"is_whole":false|"next":\d/.test(answer);
const triesMax = 5;

/** Status and body by path. @param kept some of the traces that stay */
export async function readAnswers(
  client: HttpClient,
  range: readonly [from: number, to: number],
  kept: readonly MarkedTrace[],
): Promise<Map<string, string>> {
  const byPath = new Map<string, string>();
  for (const path of [...listsOf(...range, kept), ...kept.flatMap(pathsOf)])
    for (let tries = 0; tries < triesMax && isCut(byPath.get(path) ?? '"is_whole":false'); tries++) {
      const { status, body } = await client.get(path);
      byPath.set(path, `${status} ${comparable(body.toString('latin1'))}`);
    }
  return byPath;
}

/** Reads about deleted traces that find something, and how many there were. */
export async function foundOf(client: HttpClient, gone: readonly MarkedTrace[]): Promise<{ found: string[]; sought: number }> {
  const { word } = marks.gone;
  const filters = [
    `tags = ${word}`,
    `"${word}"`,
    `text contains ${word}`,
    ...gone.slice(0, 5).map((trace) => `output contains ${trace.word}`),
  ];
  const paths = [
    ...filters.flatMap((filter) => ['/v1/traces', '/v1/spans'].map((path) => query(path, { filter }))),
    query('/v1/viewer/trace-matches', { trace_ids: gone.map(({ traceId }) => traceId).join(), filter: `"${word}"` }),
    query('/v1/sessions', { search: word }),
    query('/v1/viewer/filter-values', { field: 'tags', prefix: word }),
    ...gone.flatMap(pathsOf),
  ];
  const found: string[] = [];
  for (const path of paths) {
    const { status, body } = await client.get(path);
    const { data = [], pagination } = status === 200 ? (JSON.parse(body.toString()) as Found) : {};
    const isEmpty = status === 404 || (status === 200 && Array.isArray(data) && data.length === 0 && (pagination?.total ?? 0) === 0);
    if (!isEmpty) found.push(`${path} answered ${status}: ${body.subarray(0, 200).toString()}`);
  }
  return { found, sought: paths.length };
}

interface Found {
  data?: unknown;
  pagination?: { total: number };
}
