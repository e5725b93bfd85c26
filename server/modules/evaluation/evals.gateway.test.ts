import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRequest, aSpan } from '../../../shared/fixtures/otlp.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { testClock } from '../../fixtures/test-clock.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';

const day = 24 * 60 * 60 * 1000;

let now = Date.UTC(2026, 5, 1);
let cloud: TestCloud;
let mine: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  cloud = await startTestCloud({ clock: testClock(() => now) });
  mine = cloud.tenant;
  other = await cloud.addTenant('other');
});
afterAll(() => cloud.stop());

const createRun = async (client = mine.client, body = {}) => {
  const { data } = await client.evals.createRun({ body });
  const { plaintext_key: key, ...run } = data;
  return { runId: run.id, params: { runId: run.id }, run, key, worker: cloud.as(key, mine.app_id) };
};
const card = { accuracy: 0.9 };
const stateOf = async (runId: string) => (await mine.client.evals.getRun({ params: { runId } })).data;

describe('a run', () => {
  it('begins queued, with a key that is shown once', async () => {
    const { run, runId, key } = await createRun(mine.client, { name: 'nightly', experiment_key: 'e', metadata: { a: 1 } });
    expect(run).toEqual({
      ...{ id: expect.any(String), status: 'queued', app_id: mine.app_id, card: null, cost_usd: null, error: null },
      ...{ created_at: expect.any(String), claimed_at: null, completed_at: null },
    });
    expect(key).toMatch(/^sk_service_/);
    expect(await stateOf(runId)).toEqual(run);
    const details = (await mine.client.viewerEvals.run({ params: { runId } })).data;
    expect(details).toMatchObject({ name: 'nightly', experiment_key: 'e', metadata: { a: 1 }, tasks: 0, escalations: 0 });
    expect(Date.parse(details.key_expires_at ?? '') - now).toBe(7 * day);
  });

  it.each([
    ['nothing', {}, 'running'],
    ['a cost', { costUsd: 1 }, 'running'],
    ['its state', { status: 'running' }, 'running'],
    ['a card', { card }, 'succeeded'],
    ['a card and its state', { card, status: 'succeeded' }, 'succeeded'],
    ['an error', { error: 'no' }, 'failed'],
    ['an error beside a card', { error: 'no', card }, 'failed'],
    ['an empty error', { error: '' }, 'failed'],
  ] as const)('that reports %s changes its status accordingly', async (_, body, status) => {
    const { worker, params, runId } = await createRun();
    expect((await worker.evals.reportStatus({ params, body })).data).toEqual({ run_id: runId, status });
    const isOver = status !== 'running';
    expect(await stateOf(runId)).toMatchObject({
      ...{ status, card: 'card' in body ? card : null, error: 'error' in body ? body.error : null },
      ...{ cost_usd: 'costUsd' in body ? 1 : null, claimed_at: expect.any(String), completed_at: isOver ? expect.any(String) : null },
    });
  });

  it.each([
    ['success without a card', { status: 'succeeded' }],
    ['failure without an error', { status: 'failed', card }],
    ['an unknown status', { status: 'queued' }],
    ['a negative cost', { costUsd: -1 }],
    ['a cost that is not a number', { costUsd: null }],
    ['a card that is not an object', { card: [1] }],
    ['an error that is too long', { error: 'x'.repeat(10_001) }],
  ])('refuses %s', async (_, body) => {
    const { worker, params, runId } = await createRun();
    expect(await codeOf(worker.evals.reportStatus({ params, body: body as object }))).toBe('400 invalid_request_body');
    expect((await stateOf(runId)).status).toBe('queued');
  });

  it('is claimed once, however often it reports that it runs', async () => {
    const { worker, params, runId } = await createRun();
    await worker.evals.reportStatus({ params, body: {} });
    const first = await stateOf(runId);
    now += 1000;
    expect((await worker.evals.reportStatus({ params, body: { status: 'running' } })).data.status).toBe('running');
    expect(await stateOf(runId)).toEqual(first);
    await worker.evals.reportStatus({ params, body: { costUsd: 2 } });
    expect(await stateOf(runId)).toEqual({ ...first, cost_usd: 2 });
  });

  it.each(['succeeded', 'failed'] as const)(
    'that has %s has ended: its key is invalid, and reports of others are refused',
    async (status) => {
      const { worker, params, runId, key } = await createRun();
      await worker.evals.reportStatus({ params, body: status === 'failed' ? { error: 'no' } : { card } });
      const final = await stateOf(runId);
      for (const body of [{ card: { forged: true } }, { error: 'late' }, {}]) {
        expect(await codeOf(worker.evals.reportStatus({ params, body }))).toBe('401 unauthorized');
        for (const client of [mine.client, mine.owner])
          await expect(client.evals.reportStatus({ params, body })).rejects.toMatchObject({
            ...{ status: 409, code: 'run_already_terminal', extras: { status } },
          });
      }
      const trials = [{ task_id: 'a', status: 'passed' as const }];
      expect(await codeOf(mine.client.evals.addTrials({ params, body: { trials } }))).toBe('409 run_already_terminal');
      expect(await codeOf(worker.evals.addTrials({ params, body: { trials } }))).toBe('401 unauthorized');
      expect((await cloud.ingest({ api_key: key, app_id: mine.app_id }, aRequest([aSpan({})]))).status).toBe(401);
      expect(await stateOf(runId)).toEqual(final);
    },
  );

  it('of another tenant, or that does not exist, is not found', async () => {
    const { params } = await createRun();
    for (const [client, at] of [
      [other.client, params],
      [mine.client, { runId: 'nobody' }],
    ] as const) {
      const { evals, viewerEvals } = client;
      const answers = [
        ...[evals.getRun({ params: at }), evals.reportStatus({ params: at, body: { error: 'x' } }), viewerEvals.run({ params: at })],
        evals.addTrials({ params: at, body: { trials: [{ task_id: 'a', status: 'passed' }] } }),
        ...[viewerEvals.trials({ params: at }), viewerEvals.tasks({ params: at }), viewerEvals.escalations({ params: at })],
      ];
      expect(await Promise.all(answers.map(codeOf))).toEqual(Array(7).fill('404 eval_run_not_found'));
    }
    expect((await other.client.viewerEvals.runs({})).pagination.total).toBe(0);
  });
});

describe('the key of a run', () => {
  it('sends traces and scores, reads templates, and reports on its run', async () => {
    const { worker, key, params } = await createRun();
    expect((await cloud.ingest({ api_key: key, app_id: mine.app_id }, aRequest([aSpan({ traceId: 'a'.repeat(32) })]))).status).toBe(200);
    expect(await codeOf(worker.scores.create({ body: { resource_id: 'x', name: 'n', score: 1 } }))).toBe('none');
    expect(await codeOf(worker.templates.get({ query: { path: 'a.prompt.mdx' } }))).toBe('404 template_not_found');
    expect(await codeOf(worker.evals.reportStatus({ params, body: {} }))).toBe('none');
  });

  it('can do nothing else, and create nothing that outlives it', async () => {
    const { worker, params } = await createRun();
    const { evals, apiKeys, traces, viewerEvals } = worker;
    const requests = [
      ...[evals.getRun({ params }), evals.createRun({ body: {} }), apiKeys.create({ body: { name: 'x' } }), apiKeys.list({})],
      ...[traces.list({}), worker.sessions.list({}), worker.apps.list({}), viewerEvals.runs({}), viewerEvals.trials({ params })],
    ];
    expect(new Set(await Promise.all(requests.map(codeOf)))).toEqual(new Set(['403 forbidden']));
  });

  it('is for no other run, and does not learn whether that exists', async () => {
    const { worker } = await createRun();
    const { runId, params } = await createRun();
    for (const at of [params, { runId: 'nobody' }]) {
      expect(await codeOf(worker.evals.reportStatus({ params: at, body: { error: 'x' } }))).toBe('403 forbidden');
      const trials = [{ task_id: 'a', status: 'passed' as const }];
      expect(await codeOf(worker.evals.addTrials({ params: at, body: { trials } }))).toBe('403 forbidden');
    }
    expect((await stateOf(runId)).status).toBe('queued');
  });

  it('has no more permissions than its creator', async () => {
    const { data } = await mine.owner.apiKeys.create({ body: { name: 'evaluator', permissions: ['eval.write'] } });
    const { worker, params } = await createRun(cloud.as(data.plaintext_key, mine.app_id));
    expect(await codeOf(worker.scores.create({ body: { resource_id: 'x', name: 'n', score: 1 } }))).toBe('403 forbidden');
    expect(await codeOf(worker.evals.reportStatus({ params, body: {} }))).toBe('none');
  });

  it('expires after a week, and others may still end the run', async () => {
    const { worker, params } = await createRun();
    now += 7 * day;
    expect(await codeOf(worker.evals.reportStatus({ params, body: {} }))).toBe('401 unauthorized');
    expect((await mine.client.evals.reportStatus({ params, body: { error: 'abandoned' } })).data.status).toBe('failed');
    now -= 7 * day;
  });

  it('can be revoked, and does not count towards the plan', async () => {
    const { worker, params, runId } = await createRun();
    const keys = (await mine.owner.apiKeys.list({ query: { limit: 1000 } })).data;
    const key = keys.find(({ name }) => name.includes(runId));
    const { used } = (await mine.owner.usage.get({})).data.api_keys;
    expect(used).toBe(keys.filter(({ name }) => !name.startsWith('eval run ')).length);
    await mine.owner.apiKeys.revoke({ params: { apiKeyId: key?.id ?? '' } });
    expect(await codeOf(worker.evals.reportStatus({ params, body: {} }))).toBe('401 unauthorized');
  });
});

describe('trials', () => {
  it('are added or replace an earlier one, and are counted by task', async () => {
    const { worker, params } = await createRun();
    const add = async (trials: Parameters<typeof worker.evals.addTrials>[0]['body']['trials']) =>
      (await worker.evals.addTrials({ params, body: { trials } })).data;
    const full = { task_id: 'b', trial_index: 1, score: 0.5, trace_id: 't', duration_ms: 10, cost_usd: 0.1, metadata: { a: 1 } };
    expect(
      await add([
        { task_id: 'a', status: 'passed', score: 1 },
        { ...full, status: 'error', error: 'oh' },
      ]),
    ).toEqual({ added: 2, updated: 0 });
    expect(
      await add([
        { task_id: 'b', status: 'failed' },
        { ...full, status: 'error', error: 'oh' },
      ]),
    ).toEqual({ added: 1, updated: 1 });
    expect(
      await add([
        { task_id: 'a', status: 'failed' },
        { task_id: 'a', status: 'passed' },
      ]),
    ).toEqual({ added: 0, updated: 2 });
    const { viewerEvals } = mine.client;
    expect((await viewerEvals.trials({ params })).data).toEqual([
      { task_id: 'a', trial_index: 0, status: 'passed' },
      { task_id: 'b', trial_index: 0, status: 'failed' },
      { ...full, status: 'error', error: 'oh' },
    ]);
    expect((await viewerEvals.trials({ params, query: { status: 'failed' } })).data.map(({ task_id }) => task_id)).toEqual(['b']);
    expect((await viewerEvals.tasks({ params })).data).toEqual([
      { task_id: 'b', trials: { passed: 0, failed: 1, error: 1, total: 2 }, average_score: 0.5, cost_usd: 0.1, duration_ms: 10 },
      { task_id: 'a', trials: { passed: 1, failed: 0, error: 0, total: 1 }, average_score: null, cost_usd: null, duration_ms: null },
    ]);
    const { data } = await viewerEvals.runs({ query: { status: 'queued', limit: 1000 } });
    const row = data.find(({ id }) => id === params.runId);
    expect(row).toMatchObject({ tasks: 2, trials: { passed: 1, failed: 1, error: 1, total: 3 } });
  });

  it.each([
    ['none', []],
    ['too many', Array.from({ length: 501 }, (_, index) => ({ task_id: `${index}`, status: 'passed' }))],
    ['one without a task', [{ task_id: '', status: 'passed' }]],
    ['one with a negative index', [{ task_id: 'a', status: 'passed', trial_index: -1 }]],
    ['one of an unknown outcome', [{ task_id: 'a', status: 'succeeded' }]],
    ['one with too much metadata', [{ task_id: 'a', status: 'passed', metadata: { book: 'x'.repeat(20_000) } }]],
  ])('are refused when there are %s', async (_, trials) => {
    const { worker, params } = await createRun();
    expect(await codeOf(worker.evals.addTrials({ params, body: { trials: trials as never } }))).toBe('400 invalid_request_body');
    expect((await mine.client.viewerEvals.trials({ params })).pagination.total).toBe(0);
  });
});

describe('an escalation', () => {
  it('belongs to the run of its key, whatever its body says', async () => {
    const { worker, params, runId } = await createRun();
    const sent = {
      attempts: 3,
      task_ids: ['a'],
      repo: 'r',
      base_commit: 'c',
      cost_usd: 1,
      last_errors: [{ at: 'a' }],
      suggested_next_steps: 's',
    };
    const body = { ...sent, run_id: 'forged', tenant_id: 'forged', app_id: 'forged', id: 'forged' };
    const { data } = await worker.evals.escalate({ body });
    expect(data).toEqual({ ...sent, id: expect.not.stringMatching('forged'), run_id: runId, created_at: expect.any(String) });
    expect((await mine.client.viewerEvals.escalations({ params })).data).toEqual([data]);
    expect((await mine.owner.evals.escalate({ body: { attempts: 0, task_ids: [] } })).data.run_id).toBeNull();
  });

  it.each([
    ['a negative number of attempts', { attempts: -1 }],
    ['half an attempt', { attempts: 1.5 }],
    ['too many attempts', { attempts: 1001 }],
    ['a negative cost', { cost_usd: -1 }],
    ['errors that are strings', { last_errors: ['no'] }],
    ['too many tasks', { task_ids: Array(201).fill('a') }],
    ['too many errors', { last_errors: Array(51).fill({}) }],
  ])('with %s is refused', async (_, fields) => {
    const body = { attempts: 1, task_ids: ['a'], ...fields } as never;
    expect(await codeOf(mine.client.evals.escalate({ body }))).toBe('400 invalid_request_body');
  });
});
