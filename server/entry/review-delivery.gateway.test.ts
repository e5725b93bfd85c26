/**
 * A review and its scores are stored in two files. The gateway is killed (SIGKILL, its own process, the real stores) before and after the
 * telemetry store commits the scores; after a restart each review has its scores, once.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Client, createClient } from '../../shared/client.ts';
import { aQueue } from '../fixtures/a-queue.ts';
import { fromSources } from '../fixtures/from-sources.ts';
import { silentLog } from '../platform/log.ts';
import { type Bootstrapped, bootstrap } from './bootstrap.ts';
import { startCloudGateway } from './cloud.ts';

const program = fileURLToPath(new URL('../fixtures/crash-on-score-cloud.ts', import.meta.url));
let dataDir: string;
let tenant: Bootstrapped;
let child: ChildProcess | undefined;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-reviews-'));
  tenant = await bootstrap({ dataDir, email: 'owner@reviews.test', password: 'correct horse of reviews', tenant: 'reviews' });
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

async function startCrashing(when: 'before' | 'after'): Promise<{ client: Client; died: Promise<unknown[]> }> {
  child = spawn(process.execPath, [fromSources, program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CRASH_AT_SCORES: when },
  });
  const died = once(child, 'exit');
  const ready = once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line');
  const early = died.then(() => Promise.reject(new Error('the gateway ended before it printed its address')));
  early.catch(() => {});
  const [url] = (await Promise.race([ready, early])) as [string];
  return { client: clientOf(url), died };
}

const clientOf = (url: string): Client =>
  createClient(async ({ method, path, body }) => {
    const headers = { Authorization: tenant.api_key, 'X-Service-App-Id': tenant.app_id, 'Content-Type': 'application/json' };
    const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return { status: response.status, body: await response.json() };
  });

/** Number of rows of a table in a file. */
function rowCount(file: string, table: string): number {
  const db = new Database(join(dataDir, file));
  const rows = db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
  db.close();
  return rows;
}

it.each([
  ['before', 0],
  ['after', 2],
] as const)('killed %s the scores were committed', async (when, stored) => {
  const { client, died } = await startCrashing(when);
  const { at } = await aQueue(client, [{ resource_id: 'reviewed' }]);
  const scores = ['tone', 'length'].map((name) => ({ name, score: 1 }));
  const body = { status: 'completed' as const, scores, comment: 'Good', reviewer: 'judge' };
  await expect(client.annotationItems.review({ params: at(0), body })).rejects.toThrow();
  expect((await died)[1]).toBe('SIGKILL');
  expect([rowCount('control.db', 'score_outbox'), rowCount('telemetry.db', 'score')]).toEqual([1, stored]);

  const gateway = await startCloudGateway({ port: 0, host: '127.0.0.1', dataDir, secret: 's'.repeat(32), log: silentLog });
  const again = clientOf(gateway.url);
  const { data } = await again.scores.list({ query: { resource_id: 'reviewed' } });
  expect(data.map(({ name }) => name).sort()).toEqual(['length', 'tone']);
  expect((await again.annotationItems.get({ params: at(0) })).data).toMatchObject({ status: 'completed', completed_by: 'judge' });
  expect((await again.comments.list({ query: { resource_id: 'reviewed' } })).pagination.total).toBe(1);
  await gateway.stop();
  expect([rowCount('control.db', 'score_outbox'), rowCount('telemetry.db', 'score')]).toEqual([0, 2]);
});
