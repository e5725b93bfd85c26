/** `glasshouse worker` as a separate process against a real cloud gateway, with the handler of docs/worker.md. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ExperimentRun } from '../../shared/contract/evaluation/experiment-runs.ts';
import { type CliProcess, cli, startCli } from '../fixtures/cli-process.ts';
import { startTestCloud, type TestCloud } from '../fixtures/test-cloud.ts';

let cloud: TestCloud;
let folder: string;
const started: CliProcess[] = [];

beforeAll(async () => {
  cloud = await startTestCloud();
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-worker-'));
  const rows: [number, number, number][] = [
    [1, 2, 3],
    [2, 2, 4],
    [3, 4, 8],
  ];
  for (const [a, b, expected_output] of rows)
    await cloud.tenant.owner.datasets.append({ params: { datasetName: 'sums' }, body: { input: { a, b }, expected_output } });
});
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
});
afterAll(async () => {
  await cloud.stop();
  rmSync(folder, { recursive: true });
});

const handler = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

/** The handler in the documentation. */
const documented = (): string => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/worker.md'), 'utf8');
  return handler('documented.mjs', /```js\n([\s\S]*?)```/.exec(docs)?.[1] ?? '');
};

const env = (key = cloud.tenant.api_key) => ({ GLASSHOUSE_URL: cloud.url, GLASSHOUSE_API_KEY: key });

async function startWorker(file: string): Promise<CliProcess> {
  const worker = startCli(['worker', '--handler', file], { env: env() });
  started.push(worker);
  await worker.said('connected to');
  while ((await owner().experimentRuns.worker()).data === null);
  return worker;
}

const owner = () => cloud.tenant.owner;
const start = async (body = {}) => (await owner().experimentRuns.start({ body: { dataset: 'sums', ...body } })).data.experiment_id;

async function until(experimentId: string, holds: (run: ExperimentRun) => boolean): Promise<ExperimentRun> {
  for (;;) {
    const { data } = await owner().experimentRuns.get({ params: { experimentId } });
    if (holds(data)) return data;
  }
}
const ended = (id: string) => until(id, ({ status }) => status !== 'running');

const slow = `export async function* runPrompt({ signal }) {
  yield 'a';
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}`;

describe('glasshouse worker', () => {
  it('runs an experiment with the documented handler: traces, model calls, scores, and a comparison by key', async () => {
    await startWorker(documented());
    expect((await owner().experimentRuns.evals()).data).toEqual(['brevity', 'exact']);
    const id = await start({ name: 'by abacus', evals: ['exact', 'brevity'] });
    expect(await ended(id)).toMatchObject({ status: 'succeeded', rows_total: 3, rows_done: 3, rows_failed: 0, error: null });
    const { data } = await owner().experiments.get({ params: { experimentId: id } });
    expect(data).toMatchObject({ name: 'by abacus', datasetPath: 'sums.jsonl', itemCount: 3, totalTokens: 15 });
    const items = data.items.toSorted((one, other) => one.itemName.localeCompare(other.itemName));
    expect(
      items.map(({ itemName, input, output, expectedOutput, model }) => [itemName, JSON.parse(input), output, expectedOutput, model]),
    ).toEqual([
      ['0', { a: 1, b: 2 }, '3', '3', 'abacus-1'],
      ['1', { a: 2, b: 2 }, '4', '4', 'abacus-1'],
      ['2', { a: 3, b: 4 }, '7', '8', 'abacus-1'],
    ]);
    const scores = items.map((item) => item.scores.find(({ name }) => name === 'exact'));
    expect(scores.map((score) => [score?.score, score?.label])).toEqual([
      [1, 'PASS'],
      [1, 'PASS'],
      [0, 'FAIL'],
    ]);
    const baseline = (await owner().experiments.baseline({ query: { experiment_key: 'sums.jsonl', tree_hash: 'x' } })).data;
    expect([baseline.resolved?.runId, baseline.rows.length]).toEqual([id, 6]);
  });

  it('a failing row is a failed trace, a failing eval is a score of 0 with the reason, and the run continues', async () => {
    await startWorker(
      handler(
        'failing.ts',
        `export function runPrompt({ input }: { input: { a: number } }) {
           if (input.a === 2) throw new Error('no twos');
           return { result: { sum: input.a } };
         }
         export const evals = { broken: () => { throw new Error('cannot judge') }, half: () => 0.5 };`,
      ),
    );
    const id = await start({ evals: ['broken', 'half'], concurrency: 1 });
    expect(await ended(id)).toMatchObject({ status: 'succeeded', rows_done: 3, rows_failed: 1 });
    const { items } = (await owner().experiments.get({ params: { experimentId: id } })).data;
    const [first, failed] = items;
    expect([first?.output, failed?.output, failed?.scores]).toEqual(['{"sum":1}', '', []]);
    expect(first?.scores.map(({ name, score, label, reason }) => [name, score, label, reason])).toEqual([
      ['broken', 0, 'ERROR', 'cannot judge'],
      ['half', 0.5, '', ''],
    ]);
    const trace = (await owner().traces.get({ params: { traceId: failed?.traceId ?? '' }, query: {} })).data;
    expect([trace.status, trace.spans[0]?.status_message]).toEqual(['ERROR', 'no twos']);
    const missing = await start({ evals: ['nobody'] });
    expect(await ended(missing)).toMatchObject({ status: 'failed', error: 'The handler has no eval nobody' });
  });

  it('aborts a cancelled job, and reports unfinished jobs when it is stopped', async () => {
    const worker = await startWorker(handler('slow.mjs', slow));
    const cancelled = await start();
    await until(cancelled, ({ rows_total }) => rows_total === 3);
    await owner().experimentRuns.cancel({ params: { experimentId: cancelled } });
    await worker.said(`${cancelled} aborted: The experiment was cancelled`);
    const unfinished = await start();
    await until(unfinished, ({ rows_total }) => rows_total === 3);
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('stopped') });
    expect(await ended(unfinished)).toMatchObject({ status: 'failed', error: 'The worker was stopped', rows_done: 0 });
    expect(await ended(cancelled)).toMatchObject({ status: 'cancelled' });
  });

  it('reconnects when the gateway restarts, and does not when another worker has replaced it', async () => {
    const first = await startWorker(documented());
    await cloud.restart();
    await first.said('the gateway closed the connection (1012 Service restart); trying again in');
    while ((await owner().experimentRuns.worker()).data === null);
    expect(await ended(await start())).toMatchObject({ status: 'succeeded' });
    await startWorker(documented());
    expect(await first.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('another worker of this app has taken over') });
  });

  it('ends with the message of the gateway when it is refused for good, and with code 2 on invalid usage', async () => {
    const weak = (await owner().apiKeys.create({ body: { name: 'weak', permissions: ['trace.write'] } })).data.plaintext_key;
    const file = documented();
    const ends = await Promise.all([
      cli(['worker', '--handler', file], { env: env(weak) }),
      cli(['worker', '--handler', file], { env: env('sk_service_nobodys') }),
      cli(['worker', '--handler', join(folder, 'nowhere.mjs')], { env: env() }),
      cli(['worker', '--handler', handler('empty.mjs', 'export const nothing = 1')], { env: env() }),
      cli(['worker'], { env: env() }),
      cli(['worker', '--handler', file], { env: { GLASSHOUSE_URL: 'nonsense', GLASSHOUSE_API_KEY: 'x' } }),
    ]);
    expect(ends.map(({ code }) => code)).toEqual([1, 1, 2, 2, 2, 2]);
    expect(ends[0]?.stderr).toContain('403 forbidden');
    expect(ends[1]?.stderr).toContain('401 unauthorized');
    expect(ends.map(({ stderr }) => stderr).join()).not.toContain('sk_service_nobodys');
  });
});
