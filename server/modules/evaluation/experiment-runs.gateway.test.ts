/** Experiments that a worker runs, over HTTP: every answer, every way to end, and what happens to a run whose gateway ends. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { GatewayError } from '../../../shared/client.ts';
import type { ExperimentRun } from '../../../shared/contract/evaluation/experiment-runs.ts';
import { aRequest, aSpan } from '../../../shared/fixtures/otlp.ts';
import { openSqliteControl } from '../../control/sqlite/open.ts';
import { connectWorker, type TestWorker } from '../../fixtures/a-worker.ts';
import { testClock } from '../../fixtures/test-clock.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';
import { systemClock } from '../../platform/clock.ts';

let cloud: TestCloud;
let worker: TestWorker;
let skippedMs = 0;

beforeAll(async () => {
  cloud = await startTestCloud({ clock: testClock(() => systemClock.now() + skippedMs) });
  for (const input of [1, 2, 3]) await cloud.tenant.owner.datasets.append({ params: { datasetName: 'sums' }, body: { input } });
});
afterAll(() => cloud.stop());
beforeEach(async () => {
  worker = await connectWorker(cloud.url, cloud.tenant.api_key, { 'x-service-adapter': 'test' });
});

const owner = () => cloud.tenant.owner;
const start = (body = {}) => owner().experimentRuns.start({ body: { dataset: 'sums', ...body } });
const read = async (experimentId: string) => (await owner().experimentRuns.get({ params: { experimentId } })).data;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ status, code }: GatewayError) => [status, code],
  );
const sendOutput = (experiment: string, ...lines: object[]) =>
  worker.say({ type: 'job-stream-chunk', jobId: experiment, chunk: lines.map((line) => `${JSON.stringify(line)}\n`).join('') });

/** Resolves when the earlier messages of the worker have been handled. */
const messagesHandled = async () => {
  worker.say({ type: 'heartbeat' });
  await worker.next('heartbeat-ack');
};

async function finishedRun(id: string): Promise<ExperimentRun> {
  for (;;) {
    const run = await read(id);
    if (run.status !== 'running') return run;
  }
}

it('the worker gets the job, its progress is shown, and it succeeds', async () => {
  const { data: run } = await start({ name: 'first', evals: ['exact', 'exact'], concurrency: 2, row_limit: 2 });
  const id = run.experiment_id;
  expect(run).toMatchObject({ name: 'first', dataset: 'sums.jsonl', prompt: null, evals: ['exact'], status: 'running', rows_total: null });
  expect((await worker.next('job')).request).toEqual({
    type: 'dataset-run',
    data: {
      ...{ appId: cloud.tenant.app_id, runId: id, experimentId: 'first', experimentKey: 'sums.jsonl', datasetPath: 'sums.jsonl' },
      ...{ promptPath: null, promptName: null, ast: null, commitSha: null, evals: ['exact'], concurrency: 2, rowLimit: 2 },
    },
  });
  sendOutput(id, { type: 'start', rows: 2 }, { type: 'dataset', result: {} }, { type: 'nonsense' }, { type: 'error', error: 'no' });
  await messagesHandled();
  expect(await read(id)).toMatchObject({ status: 'running', rows_total: 2, rows_done: 2, rows_failed: 1 });
  worker.say({ type: 'job-stream-end', jobId: id });
  const end = await finishedRun(id);
  expect(end).toMatchObject({ status: 'succeeded', rows_total: 2, rows_done: 2, rows_failed: 1, error: null });
  expect(end.finished_at).not.toBeNull();
  expect(await codeOf(owner().experimentRuns.cancel({ params: { experimentId: id } }))).toEqual([409, 'run_already_terminal']);
});

it('the list shows a run before it has traces, running and then stalled; afterwards it shows its traces, once', async () => {
  const { experiment_id: id } = (await start({ name: 'shown' })).data;
  const list = async (query = {}) => (await owner().experiments.list({ query })).data.filter((experiment) => experiment.id === id);
  expect(await list()).toMatchObject([{ name: 'shown', status: 'running', itemCount: 0, datasetPath: 'sums.jsonl' }]);
  expect(await list({ dataset_path: 'others.jsonl' })).toEqual([]);
  expect(await list({ offset: 1 })).toEqual([]);
  expect((await owner().experiments.get({ params: { experimentId: id } })).data).toMatchObject({ status: 'running', items: [] });
  skippedMs += 15 * 60_000;
  worker.say({ type: 'job-stream-chunk', jobId: id, chunk: '{"type":"start","rows":3}\n' });
  await messagesHandled();
  skippedMs += 1_000;
  expect(await list()).toMatchObject([{ status: 'stalled' }]);
  const attributes = { 'agentmark.dataset_run_id': id, 'agentmark.dataset_run_name': 'shown' };
  await cloud.ingest(cloud.tenant, aRequest([aSpan({ attributes })]));
  expect(await list()).toMatchObject([{ itemCount: 1 }]);
  expect((await list())[0]?.status).toBeUndefined();
  worker.say({ type: 'job-error', jobId: id, error: 'the model is away' });
  expect(await finishedRun(id)).toMatchObject({ status: 'failed', error: 'the model is away' });
});

it('is cancelled once, and the worker is notified', async () => {
  const { experiment_id: experimentId } = (await start()).data;
  const answers = await Promise.all(Array.from({ length: 8 }, () => codeOf(owner().experimentRuns.cancel({ params: { experimentId } }))));
  expect(answers.filter((code) => code === null)).toHaveLength(1);
  expect(answers.filter((code) => code?.[1] === 'run_already_terminal')).toHaveLength(7);
  expect(await worker.next('job-cancel')).toMatchObject({ jobId: experimentId });
  worker.say({ type: 'job-stream-end', jobId: experimentId });
  await messagesHandled();
  expect(await read(experimentId)).toMatchObject({ status: 'cancelled', error: null });
});

it('times out after a quarter of an hour without a report', async () => {
  const { experiment_id: id } = (await start()).data;
  skippedMs += 15 * 60_000 + 1;
  // A heartbeat keeps the worker connected, so that only the job times out.
  await messagesHandled();
  expect(await finishedRun(id)).toMatchObject({ status: 'timed_out' });
});

it('a run that a stopped gateway left behind is failed, with the reason', async () => {
  const { experiment_id: id } = (await start()).data;
  await cloud.restart();
  expect(await read(id)).toMatchObject({ status: 'failed', error: 'The gateway was stopped' });
  expect((await worker.closed).code).toBe(1012);
});

it('a run that a killed gateway left behind is failed by the next, and no other run is touched', async () => {
  const { experiment_id: finished } = (await start()).data;
  worker.say({ type: 'job-stream-end', jobId: finished });
  await finishedRun(finished);
  // A record whose gateway had no time to end it.
  const actor = { kind: 'system', id: 'test', ip: null } as const;
  const control = openSqliteControl(cloud.dataDir, systemClock);
  const draft = { name: 'x', dataset: 'sums.jsonl', prompt: null, prompt_name: null, evals: [] };
  const { tenant_id, app_id } = cloud.tenant;
  const { experiment_id: abandoned } = (await control.experimentRuns.create(actor, { tenant_id, app_id }, draft, 'gone')).run;
  await control.leases.releaseAll('gone');
  await control.stop();
  await cloud.restart();
  expect(await read(abandoned)).toMatchObject({ status: 'failed', error: 'The gateway ended while the experiment ran' });
  expect(await read(finished)).toMatchObject({ status: 'succeeded' });
});

it('reports the connected worker and its evals', async () => {
  const status = (await owner().experimentRuns.worker()).data;
  expect(status).toMatchObject({ adapter: 'test', language: null });
  const evals = owner().experimentRuns.evals();
  const { jobId } = await worker.next('job');
  worker.say({ type: 'job-result', jobId, result: { type: 'evals', result: '["a","b"]', traceId: '' } });
  expect((await evals).data).toEqual(['a', 'b']);
  const wrong = owner().experimentRuns.evals();
  worker.say({ type: 'job-result', jobId: (await worker.next('job')).jobId, result: { type: 'evals', result: 'none' } });
  await expect(wrong).rejects.toMatchObject({ status: 502, code: 'worker_job_failed', extras: { jobId: expect.any(String) } });
});

it('refuses what does not exist, and what belongs to another tenant', async () => {
  const unknownId = crypto.randomUUID();
  expect(await codeOf(start({ dataset: 'nowhere' }))).toEqual([404, 'dataset_not_found']);
  expect(await codeOf(start({ prompt: 'nowhere.prompt.mdx' }))).toEqual([404, 'template_not_found']);
  expect(await codeOf(start({ prompt: '../../x.prompt.mdx' }))).toEqual([400, 'invalid_request_body']);
  expect(await codeOf(start({ prompt: 'x.mdx' }))).toEqual([400, 'invalid_request_body']);
  expect(await codeOf(start({ concurrency: 51 }))).toEqual([400, 'invalid_request_body']);
  const { experiment_id: experimentId } = (await start()).data;
  const other = await cloud.addTenant('strangers');
  for (const id of [experimentId, unknownId]) {
    expect(await codeOf(other.owner.experimentRuns.get({ params: { experimentId: id } }))).toEqual([404, 'experiment_not_found']);
    expect(await codeOf(other.owner.experimentRuns.cancel({ params: { experimentId: id } }))).toEqual([404, 'experiment_not_found']);
  }
  expect((await other.owner.experimentRuns.worker()).data).toBeNull();
  expect(await codeOf(other.owner.experimentRuns.evals())).toEqual([503, 'worker_not_connected']);
  await other.owner.datasets.append({ params: { datasetName: 'sums' }, body: { input: 1 } });
  expect(await codeOf(other.owner.experimentRuns.start({ body: { dataset: 'sums' } }))).toEqual([503, 'worker_not_connected']);
  expect((await other.owner.experiments.list({ query: {} })).data).toEqual([]);
});
