/** An experiment that is started in the dashboard and run by a real worker process over a dataset. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { type CliProcess, startCli } from '../server/fixtures/cli-process.ts';
import { type StartedCloud, startCloudByCommands } from './cloud-commands.ts';
import { enter } from './cloud-page.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let cloud: StartedCloud;
let folder: string;
let worker: CliProcess | null = null;

test.beforeAll(async () => {
  cloud = await startCloudByCommands();
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-e2e-worker-'));
  const sums = [
    [1, 2],
    [2, 2],
    [3, 4],
    [5, 5],
  ] as const;
  for (const [a, b] of sums) {
    const response = await fetch(`${cloud.url}/v1/datasets/sums/rows`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: cloud.api_key, 'x-service-app-id': cloud.app_id },
      body: JSON.stringify({ input: { a, b }, expected_output: String(a + b) }),
    });
    expect(response.status).toBe(201);
  }
});
test.afterAll(async () => {
  await stopWorker();
  await cloud.stop();
  rmSync(folder, { recursive: true });
});

const evals = 'export const evals = { exact: ({ output, expected_output }) => output === expected_output };';
const calculator = (sum: string) =>
  `export const runPrompt = ({ input: { a, b } }) => ({ result: String(${sum}), model: 'gpt-4o', usage: { inputTokens: 9, outputTokens: 1 } });\n${evals}`;
const neverReturning = `export const runPrompt = ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));\n${evals}`;

async function startWorker(handler: string): Promise<void> {
  await stopWorker();
  const file = join(folder, `handler-${crypto.randomUUID()}.mjs`);
  writeFileSync(file, handler);
  worker = startCli(['worker', '--handler', file], { env: { GLASSHOUSE_URL: cloud.url, GLASSHOUSE_API_KEY: cloud.api_key } });
  await worker.said('connected to');
}

async function stopWorker(): Promise<void> {
  worker?.child.kill('SIGTERM');
  await worker?.ended;
  worker = null;
}

async function openRunForm(page: Page, name: string): Promise<void> {
  await page.goto(`${cloud.url}/#/experiments`);
  await page.getByRole('button', { name: 'Run experiment' }).click();
  await page.getByRole('menuitem', { name: 'sums.jsonl 4 rows' }).click();
  await page.getByLabel('Name').fill(name);
}

test('an experiment runs through a connected worker, and its traces, scores and the comparison of two runs appear', async ({ page }) => {
  const errors = watchConsole(page);
  await enter(page, cloud.url, cloud, '/datasets?name=sums.jsonl');
  const dialog = page.getByRole('dialog', { name: 'Run experiment' });
  await openRunForm(page, 'good at sums');
  // Without a worker the form says so, and it changes when one connects.
  await expect(dialog.getByRole('status')).toContainText('No eval worker of this app is connected');
  await expect(dialog.getByRole('button', { name: 'Start run' })).toBeDisabled();
  await expectReadable(page);
  await startWorker(calculator('a + b'));
  await dialog.getByLabel('exact').check();
  await expect(dialog.getByRole('status')).toHaveCount(0);
  await expectReadable(page);
  await dialog.getByRole('button', { name: 'Start run' }).click();

  const run = page.getByRole('region', { name: 'Run', exact: true });
  await expect(page.getByRole('heading', { level: 1, name: 'good at sums' })).toBeVisible();
  await expect(run).toContainText('Succeeded');
  await expect(run).toContainText('4 of 4 rows done');
  const items = page.getByRole('table', { name: 'Items' });
  await expect(items.getByText('PASS')).toHaveCount(4);
  await expectReadable(page);
  await page.getByRole('link', { name: 'Open trace' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('experiment-good at sums-');
  await expect(page.getByText('chat gpt-4o').first()).toBeVisible();

  await startWorker(calculator('a * b'));
  await openRunForm(page, 'multiplies');
  await dialog.getByLabel('exact').check();
  await dialog.getByRole('button', { name: 'Start run' }).click();
  await expect(run).toContainText('4 of 4 rows done');
  await expect(items.getByText('FAIL')).toHaveCount(3);

  await page.getByRole('link', { name: 'Experiments', exact: true }).first().click();
  for (const name of ['good at sums', 'multiplies']) await page.getByRole('button', { name: `Compare ${name}` }).click();
  await page
    .getByRole('button', { name: 'Compare', exact: false })
    .filter({ hasText: /^Compare/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Compare' })).toBeVisible();
  await expect(page.getByText('3 regressed')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Items, regressions first' }).getByText('Regressed')).toHaveCount(3);
  await expectReadable(page);
  expect(errors).toEqual([]);
});

test('a run is listed while it runs, can be cancelled on its page, and the worker is notified', async ({ page }) => {
  await startWorker(neverReturning);
  await enter(page, cloud.url, cloud, '/settings/worker');
  await expect(page.getByRole('region', { name: 'Worker' })).toContainText('Connected since');
  await expect(page.getByRole('region', { name: 'Worker' })).toContainText('exact');
  await expectReadable(page);
  await openRunForm(page, 'never ends');
  await page.getByRole('button', { name: 'Start run' }).click();
  const run = page.getByRole('region', { name: 'Run', exact: true });
  await expect(run).toContainText('0 of 4 rows done');
  await page.getByRole('link', { name: 'Experiments', exact: true }).first().click();
  await expect(page.getByRole('row', { name: /never ends/ })).toContainText('Running');
  await page.getByRole('link', { name: 'never ends' }).click();
  await run.getByRole('button', { name: 'Cancel run' }).click();
  await expect(run).toContainText('Cancelled');
  await expect(run.getByRole('button')).toHaveCount(0);
  await worker?.said('aborted: The experiment was cancelled');
});
