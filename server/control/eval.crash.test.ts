/** Whenever the gateway crashes, an ended run has no valid key, and an unfinished one keeps its key. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bootstrap } from '../entry/bootstrap.ts';
import { type CrashingCloud, startCrashingCloud } from '../fixtures/crashing-cloud-process.ts';
import { times } from '../fixtures/full-numbers.ts';
import { controlFile } from './sqlite/open.ts';

/** Number of kills at arbitrary moments. */
const kills = times(2, 8);
let dataDir: string;
let tenant: { api_key: string; app_id: string };
let cloud: CrashingCloud;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-evals-'));
  tenant = await bootstrap({ dataDir, tenant: 'acme', email: 'a@acme.test', password: 'correct horse of acme' });
  cloud = await startCrashingCloud(dataDir, tenant);
});
afterAll(async () => {
  await cloud.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

const begin = async () => (await cloud.client.evals.createRun({ body: {} })).data;

/** Status of a request with the key: 401 for a revoked key, 200 or 409 for a valid one. */
async function statusWith(key: string, runId: string): Promise<number> {
  const headers = { Authorization: key, 'X-Service-App-Id': tenant.app_id, 'Content-Type': 'application/json' };
  return (await fetch(`${cloud.url}/v1/evals/runs/${runId}/status`, { method: 'POST', headers, body: '{}' })).status;
}

/** Runs in the file whose key does not match their status. */
function mismatches(): unknown[] {
  const db = new Database(controlFile(dataDir), { readonly: true });
  const rows = db.prepare('SELECT r.id, r.status, k.revoked_at FROM eval_run r LEFT JOIN api_key k ON k.run_id = r.id').all() as {
    status: string;
    revoked_at: string | null;
  }[];
  db.close();
  expect(rows.length).toBeGreaterThan(0);
  return rows.filter(({ status, revoked_at }) => (status === 'succeeded' || status === 'failed') !== (revoked_at !== null));
}

it.each(['before', 'after'])('killed %s the terminal report is stored', async (when) => {
  const { id, plaintext_key } = await begin();
  await cloud.arm(`evalRuns.report ${when}`);
  await statusOfReport(plaintext_key, id);
  expect(await cloud.death).toBe('SIGKILL');
  expect(mismatches()).toEqual([]);
  cloud = await startCrashingCloud(dataDir, tenant);
  const { status } = (await cloud.client.evals.getRun({ params: { runId: id } })).data;
  expect(status).toBe(when === 'before' ? 'queued' : 'succeeded');
  expect(await statusWith(plaintext_key, id)).toBe(when === 'before' ? 200 : 401);
});

const statusOfReport = (key: string, runId: string) =>
  fetch(`${cloud.url}/v1/evals/runs/${runId}/status`, {
    method: 'POST',
    headers: { Authorization: key, 'X-Service-App-Id': tenant.app_id, 'Content-Type': 'application/json' },
    body: JSON.stringify({ card: {} }),
  }).then(
    ({ status }) => status,
    () => null,
  );

it('killed in the middle of a burst of terminal reports, again and again', async () => {
  let acknowledged = 0;
  let unanswered = 0;
  for (let kill = 0; kill < kills; kill++) {
    const runs = await Promise.all(Array.from({ length: 60 }, begin));
    const acknowledgedIds: string[] = [];
    const reports = runs.map(async ({ id, plaintext_key }, index) => {
      if ((await statusOfReport(plaintext_key, id)) === 200) acknowledgedIds.push(id);
      // In the middle of the burst, at a different report each time.
      if (index === 7 + kill * 11) await cloud.kill();
    });
    await Promise.all(reports);
    await cloud.kill();
    expect(mismatches()).toEqual([]);
    cloud = await startCrashingCloud(dataDir, tenant);
    for (const { id, plaintext_key } of runs) {
      const { status } = (await cloud.client.evals.getRun({ params: { runId: id } })).data;
      if (acknowledgedIds.includes(id)) expect(status).toBe('succeeded');
      expect(await statusWith(plaintext_key, id)).toBe(status === 'succeeded' ? 401 : 200);
    }
    acknowledged += acknowledgedIds.length;
    unanswered += runs.length - acknowledgedIds.length;
  }
  process.stdout.write(`eval kills: ${kills} bursts, ${acknowledged} reports acknowledged, ${unanswered} unanswered\n`);
});
