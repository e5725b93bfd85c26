/** Worker environments, their turns and single runs, over HTTP, with an agent that is a real process. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { GatewayError } from '../../../shared/client.ts';
import { aRequest, aSpan } from '../../../shared/fixtures/otlp.ts';
import { ProcessRuntime } from '../../agent-runs/process/process-runtime.ts';
import type { ControlStore } from '../../control/control-store.ts';
import { openSqliteControl } from '../../control/sqlite/open.ts';
import type { CloudOptions } from '../../entry/cloud.ts';
import { aRepository, isAlive, outputOf, pidHere, runEnded, scripted, type TestRepository } from '../../fixtures/agent-run-stand.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';
import { plansWith } from '../../limits/plan-table.ts';

const timeoutMs = 120_000;
const output = { lines: 100, chars: 100_000, lineChars: 10_000, flushMs: 10 };
let dataDir: string;
let cloud: TestCloud;
let repository: TestRepository;

const agentRunsOf = (concurrency = 4) => {
  const runtime = new ProcessRuntime(dataDir, scripted(join(dataDir, 'repositories')));
  return { runtime, concurrency, turnMs: 300_000, output };
};

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-workers-'));
  cloud = await startTestCloud({ dataDir, codingAgents: agentRunsOf() });
  repository = aRepository(join(dataDir, 'repositories'), cloud.tenant.tenant_id, 'team/owls');
});
afterAll(() => cloud.stop());

/** Restarts the gateway over the same stores with other options, for the duration of a function. */
async function withOptions(options: Partial<CloudOptions>, act: () => Promise<void>): Promise<void> {
  await cloud.restart({ options });
  try {
    await act();
  } finally {
    await cloud.restart();
  }
}

const open = async (...task: string[]) =>
  (await cloud.tenant.client.workerEnvironments.create({ body: { repo: 'team/owls', task_prompt: task.join('\n') } })).data;
const turn = (envId: string, ...task: string[]) =>
  cloud.tenant.client.workerEnvironments.createTurn({ params: { envId }, body: { task_prompt: task.join('\n') } });
const runEnd = (runId: string) => runEnded(cloud.tenant.client, runId);
const outputLine = (runId: string, word: string) =>
  vi.waitUntil(async () => (await outputOf(cloud.tenant.client, runId)).find((line) => line.startsWith(word)), { timeout: timeoutMs });

describe('a turn at a time', () => {
  it('of fifty turns at once one is accepted, and the others are told which', async () => {
    const { environment_id, run_id } = await open('print ready');
    await runEnd(run_id);
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => turn(environment_id, 'wait')));
    const accepted = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.data] : []));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as GatewayError] : []));
    expect([accepted.length, refused.length, accepted[0]?.turn_index]).toEqual([1, 49, 1]);
    for (const { status, code, extras } of refused)
      expect([status, code, extras]).toEqual([409, 'environment_busy', { run_id: accepted[0]?.run_id, retry_after_seconds: 15 }]);
    expect(await codeOf(cloud.tenant.client.workerEnvironments.close({ params: { envId: environment_id } }))).toBe('409 environment_busy');
    await cloud.tenant.client.workerThreads.cancel({ params: { runId: accepted[0]?.run_id ?? '' } });
    await runEnd(accepted[0]?.run_id ?? '');
    expect((await turn(environment_id, 'print again')).data.turn_index).toBe(2);
  });

  it('an invalid body is reported before a busy workspace', async () => {
    const { environment_id } = await open('wait');
    expect(await codeOf(turn(environment_id, ''))).toBe('400 invalid_request_body');
    expect(await codeOf(turn(environment_id, 'fine'))).toBe('409 environment_busy');
  });
});

it('every answer links to the live thread', async () => {
  const { client } = cloud.tenant;
  const opened = await open('print ready');
  const app = `?app=${cloud.tenant.app_id}`;
  const url = `${cloud.url}/#/workers/${opened.environment_id}${app}`;
  const { run_id: runId } = opened;
  const params = { envId: opened.environment_id };
  await runEnd(runId);
  const single = (await client.workerRuns.create({ body: { task_prompt: 'wait' } })).data;
  expect(single.url).toBe(`${cloud.url}/#/workers/runs/${single.run_id}${app}`);
  const answers = [
    opened,
    ...(await client.workerEnvironments.list({ query: { limit: 1 } })).data,
    (await client.workerEnvironments.get({ params })).data,
    ...(await client.workerEnvironments.turns({ params })).data,
    (await client.workerRuns.get({ params: { runId } })).data,
    (await client.workerThreads.output({ params: { runId } })).data,
    (await client.workerThreads.changes({ params: { runId } })).data,
    (await turn(opened.environment_id, 'print again')).data,
  ];
  expect(answers.map((answer) => answer.url)).toEqual(answers.map(() => url));
  expect((await client.workerThreads.cancel({ params: { runId: single.run_id } })).data.url).toBe(single.url);
});

it('a run that is cancelled ends, and its agent and its key with it', async () => {
  const { client } = cloud.tenant;
  const { run_id: runId } = (
    await client.workerRuns.create({ body: { repo: 'team/owls', task_prompt: 'write a.txt one\nenvironment\nleave\nme\nwait' } })
  ).data;
  const pids = [await outputLine(runId, 'me '), await outputLine(runId, 'left ')].map((line) =>
    pidHere(runId, Number(line?.split(' ')[1])),
  );
  const { data } = await client.workerThreads.cancel({ params: { runId } });
  expect([data.status, data.cancel_requested_at !== null]).toEqual(['running', true]);
  const finished = await runEnd(runId);
  expect(finished).toMatchObject({ status: 'cancelled', error: null, checkpoint: { files: 1 } });
  expect(pids.map(isAlive)).toEqual([false, false]);
  expect(await codeOf(client.workerThreads.cancel({ params: { runId } }))).toBe('409 run_already_terminal');
  expect(repository.git('show', `${finished.work_branch}:a.txt`)).toBe('one');
});

it('the key of a run writes its traces while it runs, and nothing afterwards', async () => {
  const { client, app_id } = cloud.tenant;
  const { run_id: runId } = (await client.workerRuns.create({ body: { task_prompt: 'environment\nwait' } })).data;
  const line = await outputLine(runId, '{"environment"');
  const { environment } = JSON.parse(line ?? '{}') as { environment: Record<string, string> };
  const key = environment['GLASSHOUSE_API_KEY'] ?? '';
  expect(environment).toMatchObject({ GLASSHOUSE_APP_ID: app_id, GLASSHOUSE_URL: cloud.url, GLASSHOUSE_RUN_ID: runId });
  const send = async () => (await cloud.ingest({ api_key: key, app_id }, aRequest([aSpan({ name: 'of an agent' })]))).status;
  expect(await send()).toBe(200);
  expect(await codeOf(cloud.as(key, app_id).workerRuns.list({}))).toBe('403 forbidden');
  await client.workerThreads.cancel({ params: { runId } });
  await runEnd(runId);
  expect(await send()).toBe(401);
});

it('a queued run can be cancelled before it starts', async () => {
  await withOptions({ codingAgents: agentRunsOf(1) }, cancelQueuedRun);
});

async function cancelQueuedRun(): Promise<void> {
  const { client } = cloud.tenant;
  const run = async (task_prompt: string) => (await client.workerRuns.create({ body: { task_prompt } })).data.run_id;
  const [first, second, third] = [await run('me\nwait'), await run('print second'), await run('print third')];
  await outputLine(first, 'me ');
  expect((await client.workerRuns.list({ query: { status: 'queued' } })).pagination.total).toBe(2);
  expect((await client.workerThreads.cancel({ params: { runId: second } })).data.status).toBe('cancelled');
  await client.workerThreads.cancel({ params: { runId: first } });
  expect((await runEnd(third)).status).toBe('succeeded');
  expect(await runEnd(second)).toMatchObject({ status: 'cancelled', started_at: null });
  expect(await outputOf(client, second)).toEqual([]);
}

it('what the plan does not allow is refused, with its limit', async () => {
  const { client } = cloud.tenant;
  const refusal = async (work: Promise<unknown>) => work.catch((error: GatewayError) => [error.status, error.code, error.extras]);
  const run = () => client.workerRuns.create({ body: { task_prompt: 'wait' } });
  const { environment_id, run_id } = await open('print ready');
  await runEnd(run_id);
  await withOptions({ planTable: plansWith({ enterprise: { worker_concurrency: 2 } }) }, async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, run));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const limitReached = [402, 'entitlement_required', { entitlement: 'worker_concurrency', current: 2, limit: 2 }];
    expect(await refusal(run())).toEqual(limitReached);
    expect(await refusal(turn(environment_id, 'wait'))).toEqual(limitReached);
  });
  await withOptions({ planTable: plansWith({ enterprise: { workers_enabled: false } }) }, async () => {
    const notInPlan = [402, 'entitlement_required', { entitlement: 'workers_enabled', current: 0, limit: 0 }];
    expect(await refusal(turn(environment_id, 'wait'))).toEqual(notInPlan);
  });
});

it('without a repo a task gets the one that the app is linked to, if workers have it', async () => {
  const { client, tenant_id, app_id } = cloud.tenant;
  let control: ControlStore | undefined;
  const openControl = (...args: Parameters<typeof openSqliteControl>) => {
    control = openSqliteControl(...args);
    return control;
  };
  await withOptions({ openControl }, async () => {
    const connection = { provider: 'github', installation_id: null, sealed_tokens: 'x' } as const;
    await control?.git.connect({ kind: 'system', id: 'test', ip: null }, { tenant_id, app_id }, connection);
    const repoOf = async (repository: string) => {
      const draft = { provider: 'github', repository_id: repository, repository, branch: 'main' } as const;
      await control?.git.link({ kind: 'system', id: 'test', ip: null }, { tenant_id, app_id }, draft);
      const { run_id: runId } = (await client.workerRuns.create({ body: { task_prompt: 'print here' } })).data;
      const { run_id: turnId } = (await client.workerEnvironments.create({ body: { task_prompt: 'print here' } })).data;
      return [(await runEnd(runId)).repo, (await runEnd(turnId)).repo];
    };
    expect(await repoOf('team/owls')).toEqual(['team/owls', 'team/owls']);
    expect(await repoOf('team/deployed-only')).toEqual([null, null]);
    await control?.git.unlink({ kind: 'system', id: 'test', ip: null }, { tenant_id, app_id });
  });
});

const hostile = [
  ['repo', '../../etc'],
  ['repo', 'team/../owls'],
  ['repo', '--upload-pack=touch/x'],
  ['repo', 'ext::sh -c touch% x'],
  ['repo', '/etc/passwd'],
  ['repo', 'team/owls/.git'],
  ['repo', 'team/other'],
  ['branch', '--force'],
  ['branch', '../main'],
  ['branch', 'main..other'],
  ['branch', 'HEAD'],
  ['branch', 'refs/heads/main'],
  ['branch', 'main\nother'],
  ['branch', 'no-such-branch'],
  ['base_commit', '--all'],
  ['base_commit', 'main'],
  ['base_commit', 'deadbeef'],
  ['model', '--dangerously'],
  ['environment', 'nowhere'],
] as const;

it('a name that could be taken for something else is refused, and nothing is started', async () => {
  const { client } = cloud.tenant;
  const before = (await client.workerRuns.list({})).pagination.total;
  for (const [field, value] of hostile) {
    const body = { task_prompt: 'print', repo: 'team/owls', [field]: value };
    const request = field === 'branch' ? client.workerEnvironments.create({ body }) : client.workerRuns.create({ body });
    const refusal = await request.catch((error: GatewayError) => error);
    expect([value, refusal]).toMatchObject([
      value,
      { status: 400, code: 'invalid_request_body', details: { [field]: expect.any(String) } },
    ]);
  }
  expect((await client.workerRuns.list({})).pagination.total).toBe(before);
});

it('output can be read on from any line, and is bounded', async () => {
  const { client } = cloud.tenant;
  const { run_id: runId } = await open('flood 500', 'result done');
  expect(await runEnd(runId)).toMatchObject({ status: 'succeeded', result: 'done' });
  const all = await outputOf(client, runId);
  expect(all).toHaveLength(100);
  expect(all.slice(1, 3)).toEqual(['line 0', 'line 1']);
  expect(all.at(-1)).toBe('There was more output, which is not stored.');
  const { data } = await client.workerThreads.output({ params: { runId }, query: { after: 2, limit: 3 } });
  expect(data).toMatchObject({ lines: [{ seq: 2 }, { seq: 3 }, { seq: 4 }], next: 5, status: 'succeeded' });
});

it('the changes of a turn are shown, also after the workspace is closed', async () => {
  const { client } = cloud.tenant;
  const { environment_id: envId, run_id: runId } = await open('append README.md more', 'cost 0.25');
  expect(await runEnd(runId)).toMatchObject({ cost_usd: 0.25, checkpoint: { files: 1, insertions: 1, deletions: 0 } });
  await client.workerEnvironments.close({ params: { envId } });
  expect((await client.workerEnvironments.get({ params: { envId } })).data.status).toBe('closed');
  expect(await codeOf(turn(envId, 'print'))).toBe('404 worker_environment_not_found');
  expect(await codeOf(client.workerEnvironments.close({ params: { envId } }))).toBe('404 worker_environment_not_found');
  const { data } = await client.workerThreads.changes({ params: { runId } });
  expect(data).toMatchObject({ files: [{ path: 'README.md', insertions: 1, deletions: 0 }], is_cut: false });
  expect(data.patch).toContain('+more');
});
