/** Reads of a store of known size, one at a time over one connection, as a person in front of the screen experiences them. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { SpanItem } from '../../shared/contract/tracing/spans.ts';
import { HttpClient } from '../gateway/http-client.ts';
import type { Checkpoint } from '../traffic/bodies.ts';
import { quantile } from './quantiles.ts';

export interface ReadMeasure {
  name: string;
  p50: number;
  p95: number;
  calls: number;
  bytes: number;
  /** Of the calls, those that were answered 503: too slow, or too many at once. */
  refused: number;
}

export interface ReadOptions {
  url: string;
  /** Of every request: a gateway of a team needs a key. */
  headers?: OutgoingHttpHeaders;
  checkpoint: Checkpoint;
  /** Limits on duration and number of calls for one kind of read. */
  msMax: number;
  callsMax: number;
}

const callsMin = 5;
const pageSize = 50;

/** A client for one read at a time. */
export const readClient = ({ url, headers }: Pick<ReadOptions, 'url' | 'headers'>): HttpClient =>
  new HttpClient(url, 1, undefined, headers);

export async function measureReads({ checkpoint, msMax, callsMax, ...of }: ReadOptions): Promise<ReadMeasure[]> {
  const client = readClient(of);
  const measures = await measurePaths(client, await readsOf(client, checkpoint), { msMax, callsMax });
  client.close();
  return measures;
}

/** Measures each named read; its paths are requested in turn. */
export async function measurePaths(
  client: HttpClient,
  reads: readonly [name: string, paths: string[]][],
  { msMax, callsMax }: Pick<ReadOptions, 'msMax' | 'callsMax'>,
): Promise<ReadMeasure[]> {
  const measures: ReadMeasure[] = [];
  for (const [name, paths] of reads) {
    const ms: number[] = [];
    let [bytes, refused] = [0, 0];
    const began = performance.now();
    while (ms.length < callsMax && (ms.length < callsMin || performance.now() - began < msMax)) {
      const path = paths[ms.length % paths.length] as string;
      const response = await client.get(path);
      if (response.status === 503) refused++;
      else if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}`);
      ms.push(response.ms);
      bytes = response.body.length;
    }
    measures.push({ name, p50: quantile(ms, 0.5), p95: quantile(ms, 0.95), calls: ms.length, bytes, refused });
  }
  return measures;
}

/** The names of the reads with their paths. */
async function readsOf(client: HttpClient, { traces, specials }: Checkpoint): Promise<[name: string, paths: string[]][]> {
  const deep = Math.floor(traces * 0.8);
  const ofSize = (size: number): string[] => specials.filter((special) => special.size === size).map(({ id }) => `/v1/traces/${id}`);
  const page = await client.json<{ data: SpanItem[] }>(`/v1/spans?limit=${pageSize}`);
  const io = page.data.map(({ id, trace_id }) => `/v1/traces/${trace_id}/spans/${id}`);
  const sessions = await client.json<{ data: { id: string }[] }>(`/v1/sessions?limit=${pageSize}`);
  const inSession = sessions.data.map(({ id }) => `/v1/traces?limit=${pageSize}&session_id=${encodeURIComponent(id)}`);
  const pairs = (size: number): string[] => {
    const ids = specials.filter((special) => special.size === size).map(({ id }) => id);
    return ids.slice(1).map((id, at) => `/v1/viewer/compare?a=${ids[at]}&b=${id}`);
  };
  const idsOf = async (filter: string) =>
    (await client.json<{ data: { id: string }[] }>(`/v1/traces?limit=20&filter=${encodeURIComponent(filter)}`)).data.map(({ id }) => id);
  const [failed, good] = [await idsOf('errors > 0'), await idsOf('errors = 0')];
  const reads: [string, string[]][] = [
    ['list, first page', [`/v1/traces?limit=${pageSize}`]],
    ['list, deep page', [`/v1/traces?limit=${pageSize}&offset=${deep}`]],
    ['list of a session', inSession],
    ['sessions', [`/v1/sessions?limit=${pageSize}`]],
    ['spans list', [`/v1/spans?limit=${pageSize}`]],
    ['span payload', io],
    ['trace of 10', ofSize(10)],
    ['trace of 1,000', ofSize(1000)],
    ['trace of 1,000, no payload', ofSize(1000).map((path) => `${path}/spans`)],
    ['trace of 10,000', ofSize(10_000)],
    ['trace of 10,000, no payload', ofSize(10_000).map((path) => `${path}/spans`)],
    ['two of 1,000 compared', pairs(1000)],
    ['two of 10,000 compared', pairs(10_000)],
    ['20 compared with 20', failed.length > 0 ? [`/v1/viewer/compare/groups?a_ids=${failed}&b_ids=${good}`] : []],
    ['failure seen before', failed.map((id) => `/v1/viewer/traces/${id}/seen-before`)],
  ];
  return reads.filter(([, paths]) => paths.length > 0);
}
