/** Operations of the desktop on a running gateway: pausing, another project, the standard port, and the number of pending requests. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { silentLog } from '../platform/log.ts';
import { type LocalGateway, startLocalGateway } from './local.ts';

let home: string;
let gateway: LocalGateway;
const reportedPorts: number[] = [];

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'glasshouse-local-'));
  for (const name of ['one', 'two']) {
    mkdirSync(join(home, name, 'agentmark'), { recursive: true });
    writeFileSync(join(home, name, 'agentmark.json'), JSON.stringify({ agentmarkPath: '.', note: name }));
  }
  gateway = await startLocalGateway({
    port: 0,
    dataDir: join(home, 'data'),
    projectDir: join(home, 'one'),
    log: silentLog,
    listening: (port) => reportedPorts.push(port),
  });
});
afterEach(() => gateway.pause(false));
afterAll(async () => {
  await gateway.stop();
  rmSync(home, { recursive: true });
});

const span = (traceId: string) => {
  const now = `${Date.now()}000000`;
  return JSON.stringify({
    resourceSpans: [
      { scopeSpans: [{ spans: [{ traceId, spanId: 'b'.repeat(16), name: 'sent', startTimeUnixNano: now, endTimeUnixNano: now }] }] },
    ],
  });
};
const send = (url: string, traceId: string, path = '/v1/traces') =>
  fetch(new URL(path, url), { method: 'POST', headers: { 'content-type': 'application/json' }, body: span(traceId) });
const config = async () => ((await (await fetch(new URL('/v1/config', gateway.url))).json()) as { data: unknown }).data;

test('reports its port before it is ready', () => expect(reportedPorts).toEqual([gateway.port]));

test('refuses ingest while paused, with a Retry-After, and accepts it again afterwards', async () => {
  gateway.pause(true);
  for (const path of ['/v1/traces', '/v1/logs']) {
    const refused = await send(gateway.url, 'a1'.repeat(16), path);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.text()).toContain('paused');
  }
  expect((await fetch(new URL('/v1/traces', gateway.url))).status).toBe(200);
  gateway.pause(false);
  expect((await send(gateway.url, 'a1'.repeat(16))).status).toBe(200);
});

test('sends live readers whether it is paused, at once and on each change', async () => {
  const abort = new AbortController();
  const stream = await fetch(new URL('/v1/viewer/live', gateway.url), { signal: abort.signal });
  const states: boolean[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const events = [...text.matchAll(/event: intake\ndata: (.*)\n/g)].map((match) => JSON.parse(match[1] as string).paused as boolean);
    if (events.length > states.length) states.splice(0, states.length, ...events);
    if (events.length === 1) gateway.pause(true);
    if (events.length === 2) break;
  }
  abort.abort();
  expect(states).toEqual([false, true]);
});

test('serves another project from one call to the next', async () => {
  expect(JSON.stringify(await config())).toContain('one');
  gateway.openProject(join(home, 'two'));
  expect(JSON.stringify(await config())).toContain('two');
});

test('notifies followers of commits until they unfollow', async () => {
  const [first, second]: [string[], string[]] = [[], []];
  const unfollow = gateway.follow(({ trace_ids }) => first.push(...trace_ids));
  gateway.follow(({ trace_ids }) => second.push(...trace_ids));
  await send(gateway.url, 'a5'.repeat(16));
  // The notice of an earlier test's commit may arrive only now.
  await vi.waitFor(() => expect(first).toContain('a5'.repeat(16)), { timeout: 120_000 });
  unfollow();
  await send(gateway.url, 'a6'.repeat(16));
  await vi.waitFor(() => expect(second).toContain('a6'.repeat(16)), { timeout: 120_000 });
  expect(first).not.toContain('a6'.repeat(16));
  expect(gateway.working()).toBe(0);
});
