/** A run is taken once and ends once, and its key ends with it. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testClock } from '../fixtures/test-clock.ts';
import { must } from '../platform/assert.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { RunOutcome } from './agent-run-queue.ts';
import type { ControlStore } from './control-store.ts';
import { openSqliteControl } from './drizzle/store.ts';

const by: Actor = { kind: 'system', id: 'test', ip: null };
const concurrency = 100;
let folder: string;
let control: ControlStore;
let scope: Scope;
let environment_id: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-worker-queue-'));
  let now = Date.UTC(2026, 0, 1);
  control = openSqliteControl(
    folder,
    testClock(() => (now += 1000)),
  );
  const { id: tenant_id } = await control.tenants.create(by, { name: 'one', plan: 'team' });
  const app = await control.apps.create(by, tenant_id, { name: 'app', display_name: null, runtime: null, entry_point: null });
  scope = { tenant_id, app_id: app.id };
  environment_id = must(await control.environments.findDefault(scope), 'it has one').id;
});
afterEach(async () => {
  await control.stop();
  rmSync(folder, { recursive: true });
});

const aKey = () => ({ digest: randomBytes(32), key_prefix: 'sk', expires_at: '2030-01-01T00:00:00.000Z' });
const open = () => control.agentRuns.open(by, scope, { name: null, repo: null, base: null, environment_id, task_prompt: 't' }, null);
const runDraft = { repo: null, base: null, model: null, max_cost_usd: null, metadata: null, environment_id: '' };
const times = <T>(work: (index: number) => Promise<T>) => Promise.all(Array.from({ length: concurrency }, (_, index) => work(index)));
const outcome = (result: string): RunOutcome => ({ status: 'succeeded', result, error: null, changes: null });

it('concurrent takers each get a different run, oldest first, as long as there are any', async () => {
  const ids = [];
  for (let run = 0; run < 5; run++) ids.push((await open()).run_id);
  const taken = await times(() => control.agentRunQueue.takeNext(aKey()));
  expect(taken.flatMap((task) => task?.run.run_id ?? [])).toEqual(ids);
});

it('of a hundred concurrent attempts to end a run one succeeds, and it revokes the key', async () => {
  const { run_id } = await open();
  const key = aKey();
  const task = must(await control.agentRunQueue.takeNext(key), 'a run is queued');
  expect(await control.keys.findByDigest(key.digest)).toMatchObject({ run_id, revoked_at: null, environment_id });
  const ended = await times((index) => control.agentRunQueue.finish(task, outcome(`by ${index}`)));
  expect(ended.filter(Boolean)).toHaveLength(1);
  expect(await control.agentRuns.findRun(scope, run_id)).toMatchObject({ status: 'succeeded', result: `by ${ended.indexOf(true)}` });
  expect((await control.keys.findByDigest(key.digest))?.revoked_at).not.toBeNull();
  expect(await control.agentRunQueue.append(task, [{ seq: 0, at: '2026', stream: 'stdout', text: 'late' }], {})).toBe(false);
  expect((await control.agentRuns.output(scope, run_id, { after: 0, limit: 10 }))?.lines).toEqual([]);
});

it('a run that is cancelled while it runs ends as cancelled, whatever its agent reports', async () => {
  const { run_id } = await open();
  const task = must(await control.agentRunQueue.takeNext(aKey()), 'a run is queued');
  expect((await control.agentRuns.cancel(by, scope, run_id))?.status).toBe('running');
  expect(await control.agentRunQueue.append(task, [], {})).toBe(false);
  await control.agentRunQueue.finish(task, { ...outcome('done'), status: 'failed', error: 'ended' });
  expect(await control.agentRuns.findRun(scope, run_id)).toMatchObject({ status: 'cancelled', result: 'done', error: null });
  await expect(control.agentRuns.cancel(by, scope, run_id)).rejects.toThrow('already ended');
});

it('of a hundred concurrent turns one is created, with the next index', async () => {
  const { environment_id: id, run_id } = await open();
  const envId = must(id, 'it is in one');
  await control.agentRunQueue.finish(must(await control.agentRunQueue.takeNext(aKey()), 'a run is queued'), outcome('x'));
  const turn = () => control.agentRuns.createTurn(by, scope, envId, 't', null).catch((error: Error) => error.name);
  const turns = await times(turn);
  expect(turns.filter((result) => result === 'WorkspaceBusy')).toHaveLength(concurrency - 1);
  expect(turns.find((result) => typeof result === 'object')).toMatchObject({ turn_index: 1 });
  const task = must(await control.agentRunQueue.takeNext(aKey()), 'a run is queued');
  expect((await control.agentRunQueue.thread(task, 10)).map((run) => run.run_id)).toEqual([run_id]);
});

it('a page of runs is small, however long their texts are', async () => {
  const task_prompt = 'ü'.repeat(100_000);
  const run = await control.agentRuns.createRun(by, scope, { ...runDraft, task_prompt }, null);
  const [listed] = (await control.agentRuns.listRuns(scope, { limit: 10, offset: 0 })).data;
  expect(listed?.task_prompt).toBe(`${'ü'.repeat(10_000)}…`);
  expect((await control.agentRuns.findRun(scope, run.run_id))?.task_prompt).toBe(task_prompt);
  const task = must(await control.agentRunQueue.takeNext(aKey()), 'a run is queued');
  expect(task.run.task_prompt).toBe(task_prompt);
});

it('all lines that an agent printed at once are stored', async () => {
  const { run_id } = await open();
  const task = must(await control.agentRunQueue.takeNext(aKey()), 'a run is queued');
  const lines = Array.from({ length: 20_000 }, (_, seq) => ({ seq, at: '2026', stream: 'stdout', text: `line ${seq}` }) as const);
  expect(await control.agentRunQueue.append(task, lines, { session: 's' })).toBe(true);
  const { lines: last, next } = must(await control.agentRuns.output(scope, run_id, { after: 19_999, limit: 10 }), 'it is there');
  expect([last.map(({ text }) => text), next]).toEqual([['line 19999'], 20_000]);
});

it('a run whose app is deleted stops', async () => {
  await open();
  const task = must(await control.agentRunQueue.takeNext(aKey()), 'a run is queued');
  await control.apps.remove(by, scope.tenant_id, scope.app_id);
  expect(await control.agentRunQueue.append(task, [], {})).toBe(false);
  expect(await control.agentRunQueue.finish(task, outcome('x'))).toBe(false);
  expect([...(await control.agentRunQueue.workspaces())]).toEqual([]);
});
