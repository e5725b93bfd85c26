/** The file changes of a deployment are recorded when it is deployed, and found by file and by environment. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testClock } from '../fixtures/test-clock.ts';
import { must } from '../platform/assert.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { ControlStore } from './control-store.ts';
import { fileChanges } from './drizzle/migrations/013-file-changes.ts';
import { controlFile, openSqliteControl } from './drizzle/store.ts';
import type { DeployedChange } from './snapshot-store.ts';

const by: Actor = { kind: 'system', id: 'test', ip: null };
const code = { code_status: 'skipped', code_failure_reason: null } as const;
const all = { limit: 100, offset: 0 };
let folder: string;
let control: ControlStore;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-changes-'));
  let now = Date.UTC(2026, 0, 1);
  // Each deployment has its own time.
  control = openSqliteControl(
    folder,
    testClock(() => (now += 1)),
  );
});
afterAll(async () => {
  await control.stop();
  rmSync(folder, { recursive: true });
});

async function anApp(name: string): Promise<Scope> {
  const tenant = await control.tenants.create(by, { name, plan: 'team' });
  const app = await control.apps.create(by, tenant.id, { name: 'app', display_name: null, runtime: 'nodejs', entry_point: null });
  return { tenant_id: tenant.id, app_id: app.id };
}

async function push(scope: Scope, commit_sha: string, files: Record<string, string>): Promise<string> {
  const draft = {
    deployment_type: 'push',
    branch: 'main',
    commit_sha,
    commit_message: `message ${commit_sha}`,
    initiated_by: 'x',
  } as const;
  const { id } = await control.deployments.start(by, scope, draft);
  await control.deployments.sync(
    by,
    scope,
    id,
    Object.entries(files).map(([path, text]) => ({ path, text })),
  );
  await control.deployments.finish(by, scope, id, code);
  return id;
}

async function promote(scope: Scope, environmentId: string, source_deployment_id: string): Promise<void> {
  const environment = must(await control.environments.find(scope, environmentId), 'it was made');
  const source = must(await control.environments.findDefault(scope), 'every app has one');
  const plan = { kind: 'promotion', environment, note: null, source_env_id: source.id, source_deployment_id, commit_sha: 'p' } as const;
  const { saga } = await control.sagas.release(by, scope, plan);
  const pinned = must(await control.sagas.pin(saga), 'its source exists');
  await control.sagas.finish(await control.sagas.built(pinned, code));
}

const summaryOf = (changes: readonly DeployedChange[]) =>
  changes.map(({ path, change, deployment }) => `${path} ${change} ${deployment.commit_sha}`).sort();

const historyOf = async (scope: Scope, environment: string, path: string) =>
  (await control.snapshots.history(scope, environment, path, all)).data.map(
    ({ change, deployment }) => `${change} ${deployment.commit_sha}`,
  );

it('finds when a file changed, in each environment by the files that it served', async () => {
  const scope = await anApp('one');
  const { id: environment } = must(await control.environments.findDefault(scope), 'every app has one');
  const first = await push(scope, 'c1', { a: '1', b: '1' });
  await push(scope, 'c2', { a: '2', b: '1' });
  await push(scope, 'c3', { a: '2', b: '1' });
  await push(scope, 'c4', { b: '2', c: '1' });
  const last = await push(scope, 'c5', { a: '1', b: '2', c: '1' });
  expect(await historyOf(scope, environment, 'a')).toEqual(['added c5', 'removed c4', 'changed c2', 'added c1']);
  expect(await historyOf(scope, environment, 'b')).toEqual(['changed c4', 'added c1']);
  expect(await historyOf(scope, environment, 'nothing')).toEqual([]);
  expect(summaryOf(await control.snapshots.latestChanges(scope, environment))).toEqual(['a added c5', 'b changed c4', 'c added c4']);
  const page = await control.snapshots.history(scope, environment, 'a', { limit: 1, offset: 1 });
  expect([summaryOf(page.data), page.total]).toEqual([['a removed c4'], 4]);

  const { environment: staging, saga } = await control.sagas.create(by, scope, { name: 'staging', pr_number: null });
  await control.sagas.settle(saga, null);
  await promote(scope, staging.id, first);
  await promote(scope, staging.id, last);
  expect(await historyOf(scope, staging.id, 'b')).toEqual(['changed p', 'added p']);
  expect(await historyOf(scope, staging.id, 'a')).toEqual(['added p']);
  expect(await control.snapshots.compare(scope, first, last)).toEqual([
    { path: 'b', change: 'changed' },
    { path: 'c', change: 'added' },
  ]);
  expect(await control.snapshots.compare(scope, last, null)).toEqual(['a', 'b', 'c'].map((path) => ({ path, change: 'removed' })));

  const other = await anApp('two');
  expect(await historyOf(other, environment, 'a')).toEqual([]);
  expect((await control.snapshots.history({ ...other, app_id: scope.app_id }, environment, 'a', all)).total).toBe(0);
  expect((await control.snapshots.history({ ...scope, app_id: other.app_id }, environment, 'a', all)).total).toBe(0);
  expect(await control.snapshots.latestChanges(other, environment)).toEqual([]);
  expect(await control.snapshots.latestChanges({ ...scope, app_id: other.app_id }, environment)).toEqual([]);
  expect(await control.snapshots.compare(other, first, last)).toEqual([]);
});

it('finds changes that were deployed by an earlier version too', async () => {
  const db = new Database(controlFile(folder));
  const recorded = () =>
    db.prepare('SELECT environment_id, deployment_id, path, change, hash FROM file_change ORDER BY environment_id, position').all();
  const before = recorded();
  expect(before.length).toBeGreaterThan(8);
  db.exec('DROP TABLE file_change');
  db.exec(fileChanges);
  expect(recorded()).toEqual(before);
  db.close();
});
