/**
 * Maintenance of a whole store during ingest: retention, compaction, signatures, the erasure of an app, a backup. Fifty batches of
 * twenty spans arrive each second, and their acknowledgements may take at most 100 ms longer (p99) than without maintenance.
 * `--spans 1000000` is the store's size, `--store DIR` a folder that keeps the store for the next run, `--batches 10` a lower rate
 * for a busy machine, `--only local` or `--only cloud` runs one half of it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { telemetryFile } from '../../server/telemetry/sqlite/store.ts';
import type { Storage } from '../../shared/contract/viewer/viewer-storage.ts';
import { bootstrapCloud, spawnCloud } from '../forward/cloud-process.ts';
import { type GatewayProcess, spawnGateway } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { prepareStore, untilIdle } from './prepared-store.ts';
import type { Verdict } from './scenario.ts';
import { type Acks, ingestWhile } from './steady-ingest.ts';

const allowedMs = 100;
const quietMs = 10_000;
const dayMs = 24 * 3600 * 1000;
const timeoutMs = 600_000;

export async function run(options: string[]): Promise<Verdict[]> {
  const { values } = parseArgs({
    args: options,
    options: {
      spans: { type: 'string', default: '20000' },
      store: { type: 'string' },
      batches: { type: 'string', default: '50' },
      only: { type: 'string' },
    },
  });
  const rate = Number(values.batches);
  const scratch = makeScratchFolder('maintenance');
  const store = values.store ?? join(scratch, 'store');
  try {
    await prepareStore(store, Number(values.spans));
    log(`${statSync(telemetryFile(store)).size / 1e6} MB prepared`);
    const { only } = values;
    return [
      ...(only === 'cloud' ? [] : await onLocal(store, join(scratch, 'local'), rate)),
      ...(only === 'local' ? [] : await inCloud(store, join(scratch, 'cloud'), join(scratch, 'copy'), rate)),
    ];
  } finally {
    removeFolder(scratch);
  }
}

async function onLocal(store: string, folder: string, rate: number): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  let baseline: Acks | undefined;
  const measure = async (what: string, { url }: Running, work: () => Promise<string>) => {
    const { acks, result } = await ingestWhile({ url, seed: what, headers: {}, rate }, work);
    if (baseline) verdicts.push(judge(`${what} (${result})`, baseline, acks));
    baseline ??= acks;
    log(`${what}: ${format(acks)}; ${result}`);
  };
  copyStore(store, folder);
  changeStore(folder, `UPDATE block SET received_ms = received_ms - ${30 * dayMs} WHERE id <= (SELECT max(id) / 2 FROM block)`);
  await withGateway(
    () => spawnGateway(folder),
    async (running) => {
      await measure('nothing', running, () => after(quietMs, 'idle'));
      await measure('retention of half the store', running, () => retain(running.url));
      await measure('compaction', running, () => compact(running.url));
    },
  );
  changeStore(folder, 'DELETE FROM signature');
  await withGateway(
    () => spawnGateway(folder),
    (running) => measure('signatures', running, () => after(2 * quietMs, 'from nothing')),
  );
  changeStore(folder, "UPDATE scope SET tenant_id = 'gone', app_id = 'gone', leaving = 1");
  await withGateway(
    () => spawnGateway(folder),
    (running) => measure('erasure of an app', running, () => waitUntilErased(folder)),
  );
  return verdicts;
}

async function inCloud(store: string, folder: string, to: string, rate: number): Promise<Verdict[]> {
  mkdirSync(folder, { recursive: true });
  const account = bootstrapCloud(folder);
  copyStore(store, folder);
  const headers = { authorization: account.api_key, 'x-agentmark-app-id': account.app_id };
  return withGateway(
    () => spawnCloud(folder),
    async ({ url }) => {
      const baseline = await ingestWhile({ url, headers, rate, seed: 'cloud' }, () => after(quietMs));
      log(`nothing, in the cloud: ${format(baseline.acks)}`);
      const { acks, result } = await ingestWhile({ url, headers, rate, seed: 'backup' }, () => backUp(folder, to));
      log(`backup: ${format(acks)}; ${result.outcome}`);
      return [
        judge(`backup (${result.outcome})`, baseline.acks, acks),
        { ok: result.ok, what: `the copies are complete, readable only by their owner, and the folder has no other files` },
      ];
    },
  );
}

interface Running {
  url: string;
}

async function withGateway<T>(start: () => GatewayProcess, use: (running: Running) => Promise<T>): Promise<T> {
  const gateway = start();
  try {
    const url = await gateway.ready;
    const result = await use({ url });
    await untilIdle(gateway.pid);
    await gateway.stop();
    return result;
  } finally {
    await gateway.kill();
  }
}

async function storageOf(url: string): Promise<Storage> {
  const client = new HttpClient(url, 1);
  const { data } = await client.json<{ data: Storage }>('/v1/viewer/storage');
  client.close();
  return data;
}

async function sendJson(url: string, method: string, path: string, body: unknown = {}): Promise<void> {
  const client = new HttpClient(url, 1);
  const { status } = await client.send(method, path, { 'content-type': 'application/json' }, Buffer.from(JSON.stringify(body)));
  client.close();
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}`);
}

/** Waits until nothing was removed for fifteen seconds: on a busy machine the writer has little idle time. */
async function retain(url: string): Promise<string> {
  const began = performance.now();
  await sendJson(url, 'PUT', '/v1/viewer/storage/retention', { keep_days: 7, max_bytes: null });
  for (let [removed, same] = [0, 0]; ; ) {
    const { retention } = await storageOf(url);
    same = retention.removed_traces === removed ? same + 1 : 0;
    if (removed > 0 && same >= 5) return `${removed} traces in ${seconds(began)}`;
    removed = retention.removed_traces;
    await pause(began, 3000);
  }
}

async function compact(url: string): Promise<string> {
  const [began, before] = [performance.now(), await storageOf(url)];
  await sendJson(url, 'POST', '/v1/viewer/storage/compact');
  for (;;) {
    const { compaction, database_bytes } = await storageOf(url);
    if (compaction?.state === 'done') return `${megabytes(before.database_bytes)} to ${megabytes(database_bytes)} in ${seconds(began)}`;
    if (compaction?.state !== 'running') throw new Error(`The compaction is ${compaction?.state}: ${compaction?.problem}`);
    await pause(began, 500);
  }
}

async function waitUntilErased(folder: string): Promise<string> {
  const began = performance.now();
  const db = new Database(telemetryFile(folder), { readonly: true });
  const left = db.prepare("SELECT count(*) FROM scope WHERE tenant_id = 'gone' AND leaving <> 2").pluck();
  while (left.get() !== 0) await pause(began, 500);
  db.close();
  return seconds(began);
}

async function backUp(from: string, to: string): Promise<{ ok: boolean; outcome: string }> {
  const began = performance.now();
  const script = join(import.meta.dirname, '../../server/entry/cloud-backup.ts');
  const child = spawn(process.execPath, [script, '--data', from, '--to', to], { stdio: ['ignore', 'ignore', 'inherit'] });
  const timer = setTimeout(() => child.kill(), timeoutMs);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  const files = existsSync(to) ? readdirSync(to).map((file) => join(to, file)) : [];
  // `lock.db` is empty and stays: deleting a lock file that another process has open would make a second lock.
  const names = ['control.db', 'lock.db', 'telemetry.db'];
  const isTidy =
    files
      .map((file) => basename(file))
      .sort()
      .join() === names.join() && files.every((file) => (statSync(file).mode & 0o777) === 0o600);
  return { ok: code === 0 && isTidy, outcome: `exit ${code} after ${seconds(began)}` };
}

async function pause(began: number, ms: number): Promise<void> {
  if (performance.now() - began > timeoutMs) throw new Error(`It was not done within ${timeoutMs} ms`);
  await after(ms);
}

function copyStore(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  copyFileSync(telemetryFile(from), telemetryFile(to));
}

function changeStore(folder: string, sql: string): void {
  const db = new Database(telemetryFile(folder));
  db.exec(sql);
  db.close();
}

function judge(what: string, baseline: Acks, acks: Acks): Verdict {
  const ok = acks.count > 0 && acks.failures.length === 0 && acks.p99 <= baseline.p99 + allowedMs;
  return { ok, what: `${what}: ${format(acks)}; without maintenance: ${format(baseline)}` };
}

const format = ({ count, p50, p99, max, failures }: Acks) =>
  `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(0)} ms (${count}${failures.length > 0 ? `, refused: ${failures.join('; ')}` : ''})`;
const seconds = (began: number) => `${((performance.now() - began) / 1000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
const log = (line: string) => process.stderr.write(`${line}\n`);
