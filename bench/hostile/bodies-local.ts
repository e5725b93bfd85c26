/** Requests to a local gateway in `bodies.scenario.ts`: a dataset of 57 MB, one of 2 GB, and trace archives of a hundred megabytes. */
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archiveType } from '../../shared/contract/core/export-limits.ts';
import { HttpClient } from '../gateway/http-client.ts';
import type { RepeatedRequest } from './send-requests.ts';

const json = { 'content-type': 'application/json' };
const rowBytes = 18;

/** @param megabytes the size of `rows.jsonl`, which has short rows; `vast.jsonl` has 2 GB */
export function writeDatasets(projectDir: string, megabytes: number): void {
  writeFileSync(join(projectDir, 'agentmark.json'), '{}');
  const folder = join(projectDir, 'agentmark');
  mkdirSync(folder, { recursive: true });
  const row = '{"input":{"q":1}}\n';
  writeFileSync(join(folder, 'rows.jsonl'), row.repeat((megabytes * 1e6) / rowBytes));
  const vast = openSync(join(folder, 'vast.jsonl'), 'w');
  ftruncateSync(vast, 2 * 1024 ** 3);
  closeSync(vast);
}

export const datasetRequests = (times: number): RepeatedRequest[] => [
  { method: 'GET', path: '/v1/templates?path=rows.jsonl&format=json', times },
  { method: 'GET', path: '/v1/templates?path=rows.jsonl', headers: { accept: 'application/x-ndjson' }, times },
  { method: 'GET', path: '/v1/templates?path=vast.jsonl', times },
  { method: 'GET', path: '/v1/datasets', times },
  { method: 'POST', path: '/v1/datasets/rows/rows', headers: json, body: Buffer.from('{"input":1}'), times },
];

/** Stores traces of a total size. @returns their ids */
export async function storeTraces(url: string, megabytes: number): Promise<string[]> {
  const client = new HttpClient(url, 2);
  const ids: string[] = [];
  for (let left = megabytes; left > 0; left -= 10) {
    const traceId = crypto.randomUUID().replaceAll('-', '');
    ids.push(traceId);
    const spans = Array.from({ length: 100 }, (_, index) => spanOf(traceId, index, Math.min(left, 10) * 9_000));
    const body = Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
    const { status } = await client.send('POST', '/v1/traces', json, body);
    if (status !== 200) throw new Error(`POST /v1/traces answered ${status}`);
  }
  client.close();
  return ids;
}

function spanOf(traceId: string, index: number, bytes: number) {
  const words = Array.from({ length: bytes / 70 }, () => crypto.randomUUID());
  const startNs = BigInt(Date.now()) * 1_000_000n;
  return {
    ...{ traceId, spanId: (index + 1).toString(16).padStart(16, '0'), name: `step ${index}` },
    ...{ startTimeUnixNano: `${startNs}`, endTimeUnixNano: `${startNs + 1_000_000n}` },
    attributes: [{ key: 'gen_ai.completion', value: { stringValue: words.join(' half of this text repeats itself ') } }],
  };
}

export const exportRequest = (ids: readonly string[], form: 'capsule' | 'otlp', times: number): RepeatedRequest => ({
  method: 'GET',
  path: `/v1/viewer/export/${form}?${ids.map((id) => `trace_id=${id}`).join('&')}`,
  times,
});

export async function archiveOf(url: string, ids: readonly string[]): Promise<Buffer> {
  const client = new HttpClient(url, 1);
  const { method, path } = exportRequest(ids, 'capsule', 1);
  const { status, body } = await client.send(method, path);
  client.close();
  if (status !== 200) throw new Error(`The export answered ${status}: ${body.subarray(0, 300).toString()}`);
  return body;
}

export const importRequest = (body: Uint8Array, times: number): RepeatedRequest => ({
  ...{ method: 'POST', path: '/v1/viewer/import', headers: { 'content-type': archiveType } },
  ...{ body, times },
});
