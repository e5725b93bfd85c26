/**
 * Many bodies at once, most of them without a Content-Length: small ones, the batches of a real SDK in one flush, and more than the
 * gateway has capacity for. `--batches N` (49) of 2048 spans each, `--over N` (4096) bytes of text per span in the oversized flush.
 */
import { request } from 'node:http';
import { parseArgs } from 'node:util';
import { spawnGateway } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import type { Verdict } from './scenario.ts';
import { type ExportResult, exportSpans } from './sdk-export.ts';

const batchSpans = 2048;

export async function run(options: string[]): Promise<Verdict[]> {
  const { values } = parseArgs({ args: options, options: { batches: { type: 'string' }, over: { type: 'string' } }, strict: false });
  const batches = Number(values.batches ?? 49);
  const over = Number(values.over ?? 4096);
  const folder = makeScratchFolder('uploads');
  const gateway = spawnGateway(folder);
  try {
    const url = await gateway.ready;
    const small = await Promise.all(Array.from({ length: 30 }, () => post(url, bodyOf(1, 100_000))));
    const chunked = await Promise.all(Array.from({ length: batches }, () => post(url, bodyOf(batchSpans, 0))));
    const raw = await storedIn(url);
    const usual = await exportSpans(url, batches * batchSpans, batchSpans, 0);
    const afterUsual = await storedIn(url);
    const oversized = await exportSpans(url, batches * batchSpans, batchSpans, over);
    const afterOversized = await storedIn(url);
    return [
      acceptedVerdict('30 chunked bodies of 100 kB at once', small),
      acceptedVerdict(`${batches} chunked bodies of ${batchSpans} spans at once`, chunked),
      { ok: raw === 30 + batches * batchSpans, what: `${raw} spans of those are stored` },
      deliveredVerdict(`${batches} batches of the SDK in one flush`, usual, afterUsual - raw),
      deliveredVerdict(`${batches} batches of the SDK with ${over} bytes of text in each span`, oversized, afterOversized - afterUsual),
    ];
  } finally {
    await gateway.stop();
    removeFolder(folder);
  }
}

function acceptedVerdict(what: string, statuses: readonly number[]): Verdict {
  const refused = statuses.filter((status) => status !== 200);
  return { ok: refused.length === 0, what: `${what}: ${statuses.length - refused.length} accepted, ${refused.length} refused` };
}

function deliveredVerdict(what: string, { batches, delivered, givenUp }: ExportResult, stored: number): Verdict {
  const figures = `${delivered} spans delivered in ${batches} requests, ${givenUp} given up, ${stored} stored`;
  return { ok: givenUp === 0 && delivered > 0 && stored === delivered, what: `${what}: ${figures}` };
}

async function storedIn(url: string): Promise<number> {
  const client = new HttpClient(url, 1);
  const { data } = await client.json<{ data: { spans: number } }>('/v1/viewer/storage');
  client.close();
  return data.spans;
}

/** Without a Content-Length. */
function post(url: string, body: Buffer): Promise<number> {
  return new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    const sent = request(`${url}/v1/traces`, { method: 'POST', agent: false, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}

const hex = (bytes: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');

function bodyOf(spans: number, bytesMin: number): Buffer {
  const now = Date.now();
  const items = Array.from({ length: spans }, (_, n) => ({
    ...{ traceId: hex(16), spanId: hex(8), name: `step ${n}`, kind: 1 },
    ...{ startTimeUnixNano: `${now - 1000}000000`, endTimeUnixNano: `${now}000000` },
    attributes: [{ key: 'text', value: { stringValue: 'x'.repeat(Math.max(100, Math.floor(bytesMin / spans))) } }],
  }));
  return Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: items }] }] }));
}
