/**
 * An upgrade from an earlier version. `server/fixtures/earlier-version` has the stores of a gateway of 24 November 2026 (schemas 13 and 19): a team
 * with traces, a prompt of a coding agent, scores, a comment, a queue, an alert and two environments; and what that gateway answered.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { standardPlans } from '../limits/plan-table.ts';
import { rehearse } from './backup/rehearsal.ts';
import { startCloudGateway } from './cloud.ts';

const fixture = (name: string) =>
  brotliDecompressSync(readFileSync(join(import.meta.dirname, '../fixtures/earlier-version', `${name}.br`)));

const { app_id, api_key, answers } = JSON.parse(fixture('answers.json').toString()) as {
  app_id: string;
  api_key: string;
  answers: Record<string, object>;
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-upgrade-'));
  mkdirSync(join(folder, 'stores'));
  for (const name of ['control.db', 'telemetry.db']) writeFileSync(join(folder, 'stores', name), fixture(name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A data folder as the earlier version left it. */
function anEarlierFolder(name: string): string {
  const to = join(folder, name);
  mkdirSync(to);
  for (const file of ['control.db', 'telemetry.db']) copyFileSync(join(folder, 'stores', file), join(to, file));
  return to;
}

/** Without what depends on the address of the gateway and on the time of the request. */
const comparable = (answer: object): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value) => (['api_key_creation_url', 'last_used_at'].includes(key) ? undefined : value)));

it('keeps what was stored, and goes on: people, keys, traces, scores, queues and alerts', async () => {
  const beganAt = performance.now();
  const planTable = { ...standardPlans, free: { ...standardPlans.free, keep_days: null } };
  const secret = 'a secret of tests, which is longer than it must be';
  const gateway = await startCloudGateway({ port: 0, host: '127.0.0.1', dataDir: anEarlierFolder('data'), secret, planTable });
  process.stdout.write(`started on stores of an earlier version after ${Math.round(performance.now() - beganAt)} ms\n`);
  try {
    const call = async (path: string, headers: Record<string, string>, body?: object) => {
      const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {};
      const response = await fetch(`${gateway.url}${path}`, { ...sent, headers: { 'Content-Type': 'application/json', ...headers } });
      return { status: response.status, answer: (await response.json()) as { data: { token: string; total: number } } };
    };
    const { answer: login } = await call('/v1/auth/login', {}, { email: 'owner@acme.test', password: 'correct horse' });
    const [asKey, asOwner] = [{ Authorization: api_key }, { Authorization: `Bearer ${login.data.token}` }];
    for (const [path, before] of Object.entries(answers)) {
      const isForPeople = ['/v1/apps', '/v1/api-keys', '/v1/viewer/members'].includes(path);
      const { answer } = await call(path, { ...(isForPeople ? asOwner : asKey), 'X-Service-App-Id': app_id });
      expect.soft(comparable(answer), path).toMatchObject(comparable(before) as object);
    }
    const traceId = 'c'.repeat(32);
    const headers = { ...asKey, 'X-Service-App-Id': app_id };
    expect((await call('/v1/traces', headers, aRequest([aSpan({ traceId, name: 'after the upgrade' })]))).status).toBe(200);
    expect((await call(`/v1/traces/${traceId}`, headers)).answer.data).toMatchObject({ name: 'after the upgrade' });
  } finally {
    await gateway.stop();
  }
});

it('is rehearsed with a backup that the earlier version made', async () => {
  const rehearsal = await rehearse(anEarlierFolder('restored'), new URL('./thread.ts', import.meta.url));
  expect(rehearsal).toEqual({ teams: 1, apps: 1, traces: 13, read: 13, newest: '2026-11-24T10:00:00.000Z' });
});
