/** A workspace outlives the gateway that runs its turns, however that ends, and keeps its thread, branch and agent session. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Client } from '../../shared/client.ts';
import { type Bootstrapped, bootstrap } from '../entry/bootstrap.ts';
import { aRepository, isAlive, outputOf, pidHere, runEnded, type TestRepository } from '../fixtures/agent-run-stand.ts';
import { codeOf } from '../fixtures/code-of.ts';
import { startWorkerGateway, type WorkerGateway } from '../fixtures/worker-gateway.ts';

const timeoutMs = 120_000;
let folder: string;
let tenant: Bootstrapped;
let repository: TestRepository;
let gateway: WorkerGateway;

const start = () => startWorkerGateway({ dataDir: join(folder, 'data'), repositories: join(folder, 'repositories'), key: tenant });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-journey-'));
  tenant = await bootstrap({ dataDir: join(folder, 'data'), email: 'owner@acme.test', password: 'correct horse', tenant: 'acme' });
  repository = aRepository(join(folder, 'repositories'), tenant.tenant_id, 'team/owls');
  gateway = await start();
});
afterEach(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
});

const printedLine = (client: Client, runId: string, word: string) =>
  vi.waitUntil(async () => (await outputOf(client, runId)).find((line) => line.startsWith(`${word} `)), {
    timeout: timeoutMs,
    interval: 50,
  });
const turn = async (client: Client, envId: string, ...lines: string[]) =>
  (await client.workerEnvironments.createTurn({ params: { envId }, body: { task_prompt: lines.join('\n') } })).data;
const onBranch = (branch: string, path: string) => repository.git('show', `${branch}:${path}`);

it('a workspace keeps its work over three turns while the gateway is killed between them and during one', async () => {
  const { client } = gateway;
  const first = (
    await client.workerEnvironments.create({
      body: { repo: 'team/owls', branch: 'main', task_prompt: 'write a.txt one\nresult first done' },
    })
  ).data;
  const envId = first.environment_id;
  expect(await runEnded(client, first.run_id)).toMatchObject({ status: 'succeeded', result: 'first done', checkpoint: { files: 1 } });
  await gateway.kill();

  gateway = await start();
  const second = await turn(gateway.client, envId, 'append a.txt two', 'write half.txt half', 'leave', 'me', 'wait');
  const [me, left] = [await printedLine(gateway.client, second.run_id, 'me'), await printedLine(gateway.client, second.run_id, 'left')];
  const pids = [me, left].map((line) => pidHere(second.run_id, Number(line?.split(' ')[1])));
  expect(pids.map(isAlive)).toEqual([true, true]);
  expect(await codeOf(turn(gateway.client, envId, 'print too early'))).toBe('409 environment_busy');
  await gateway.kill();

  gateway = await start();
  expect(pids.map(isAlive)).toEqual([false, false]);
  const cutOff = await runEnded(gateway.client, second.run_id);
  expect(cutOff).toMatchObject({ status: 'failed', error: 'The gateway stopped during this turn', checkpoint: { files: 2 } });
  expect((await gateway.client.workerEnvironments.get({ params: { envId } })).data).toMatchObject({ status: 'idle', turn_count: 2 });

  const third = await turn(gateway.client, envId, 'thread', 'read a.txt', 'append a.txt three', 'remove half.txt');
  expect(third.turn_index).toBe(2);
  const done = await runEnded(gateway.client, third.run_id);
  expect(done).toMatchObject({ status: 'succeeded', checkpoint: { files: 2, insertions: 1, deletions: 1 } });
  expect(await outputOf(gateway.client, third.run_id)).toEqual([
    ...['{"type":"system","session_id":"session-of-the-script"}', 'resumed session-of-the-script'],
    ...['turn 0 succeeded: write a.txt one', 'turn 1 failed: append a.txt two', 'one', 'two'],
  ]);
  await gateway.kill();

  gateway = await start();
  const branch = done.work_branch ?? '';
  expect(onBranch(branch, 'a.txt')).toBe('one\ntwo\nthree');
  expect(repository.git('rev-list', '--count', `main..${branch}`)).toBe('3');
  expect(repository.git('rev-parse', branch)).toBe(done.checkpoint?.commit_sha);
  const { data } = await gateway.client.workerEnvironments.turns({ params: { envId } });
  expect(data.map(({ turn_index, status }) => [turn_index, status])).toEqual([
    ...[[0, 'succeeded'] as const, [1, 'failed'] as const, [2, 'succeeded'] as const],
  ]);
  await gateway.client.workerEnvironments.close({ params: { envId } });
  expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(onBranch(branch, 'a.txt')).toBe('one\ntwo\nthree');
});

it('a run that is queued when the gateway is killed is run by the next gateway', async () => {
  const { client } = gateway;
  const run = async (...lines: string[]) => (await client.workerRuns.create({ body: { task_prompt: lines.join('\n') } })).data.run_id;
  // The gateway runs two at once.
  const [first, second, queued] = [await run('me', 'wait'), await run('me', 'wait'), await run('print at last')];
  for (const id of [first, second]) await printedLine(client, id, 'me');
  expect((await client.workerRuns.get({ params: { runId: queued } })).data.status).toBe('queued');
  await gateway.kill();
  gateway = await start();
  expect((await runEnded(gateway.client, second)).status).toBe('failed');
  expect((await runEnded(gateway.client, queued)).status).toBe('succeeded');
  expect(await outputOf(gateway.client, queued)).toContain('at last');
  const last = (await gateway.client.workerRuns.create({ body: { task_prompt: 'me\nwait' } })).data.run_id;
  await printedLine(gateway.client, last, 'me');
  expect(await gateway.stop()).toBe(0);
  gateway = await start();
  expect(await runEnded(gateway.client, last)).toMatchObject({ status: 'failed', error: 'The gateway stopped during this turn' });
});
