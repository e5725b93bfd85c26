/** Pages with nothing on them say what would be there, in two sentences, with the next step. */
import { expect, type Page } from '@playwright/test';
import { startTestCloud } from '../server/fixtures/test-cloud.ts';
import { startTestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest } from '../shared/fixtures/otlp.ts';
import { enter } from './cloud-page.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

const local = [
  ['/sessions', 'No sessions yet', 'Set up an SDK'],
  ['/scores', 'No scores yet', 'Add a score'],
  ['/datasets', 'No datasets yet', 'New dataset'],
  ['/datasets?name=questions.jsonl&from=traces', 'Nothing recorded yet', 'Send the first trace'],
  ['/experiments', 'No experiments yet', 'Open datasets'],
  ['/experiments?id=unknown', 'Experiment not found', 'All experiments'],
  ['/prompts', 'No prompts yet', 'Copy command'],
  ['/ingest-log', 'No requests yet', 'Set up an exporter'],
  ['/runaways', 'No runaways', 'Set thresholds'],
  ['/runaways?show=thresholds', 'All services have the default thresholds', 'Set a threshold…'],
  ['/spending', 'No model calls in the last 30 days', 'Show the history of agents'],
  ['/forwarding', 'Nothing leaves this machine', 'Link to a cloud'],
  ['/link', 'Machines are linked in the cloud', 'Open Cloud'],
] as const;

const cloud = [
  ['/queues', 'No queues yet', 'New queue'],
  ['/queues?whose=mine', 'No queues assigned to you', 'Show all queues'],
  ['/evals', 'No eval runs yet', 'Copy command'],
  ['/prompts', 'Nothing is deployed to this environment yet', 'Link a repository'],
  ['/alerts', 'No alerts yet', 'New alert'],
  ['/deployments', 'No deployments yet', 'Link a repository'],
  ['/inbox', 'Nothing in your inbox', 'Open traces'],
] as const;

async function expectTeaching(page: Page, title: string, action: string) {
  const heading = page.getByRole('heading', { level: 2, name: title, exact: true });
  await expect(heading).toBeVisible();
  const state = page.locator('main div').filter({ has: heading }).last();
  await expect(state.getByRole('button', { name: action }).or(state.getByRole('link', { name: action }))).toBeVisible();
  const text = (await state.getByRole('paragraph').textContent()) ?? '';
  expect(text.length, title).toBeGreaterThan(20);
  expect(text.split(/\. [A-Z]/).length, text).toBeLessThanOrEqual(2);
}

test('every empty page of a machine teaches', async ({ page }) => {
  const errors = watchConsole(page);
  const gateway = await startTestGateway();
  for (const [path, title, action] of local) {
    await page.goto(`${gateway.url}/#${path}`);
    await expectTeaching(page, title, action);
  }
  await page.goto(`${gateway.url}/#/prompts`);
  await expect(page.getByRole('main')).toContainText('agentmark/');
  await expectReadable(page);
  expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
  await gateway.stop();
});

test('every empty page of a team teaches', async ({ page }) => {
  const errors = watchConsole(page);
  const gateway = await startTestCloud();
  await enter(page, gateway.url, gateway.tenant);
  for (const [path, title, action] of cloud) {
    await page.goto(`${gateway.url}/#${path}`);
    await expectTeaching(page, title, action);
  }
  expect(errors).toEqual([]);
  await gateway.stop();
});

test('nothing in the time range is told apart from nothing at all', async ({ page }) => {
  const gateway = await startTestGateway();
  await gateway.ingest(aRequest([aChat({ startMs: Date.now() - 3_600_000 })]));
  await page.goto(`${gateway.url}/#/traces?last=15m`);
  await expect(page.getByRole('heading', { name: 'Nothing matches in the last 15 minutes' })).toBeVisible();
  await expect(page.getByText('1 trace matches in all time.')).toBeVisible();
  await expectReadable(page);
  await page.getByRole('button', { name: 'Search all time' }).click();
  await expect(page.getByRole('table', { name: 'Traces' }).locator('[role=row][aria-rowindex]')).toHaveCount(1);
  await page.goto(`${gateway.url}/#/traces?last=15m&filter=model+%3D+nobody`);
  await expect(page.getByText('Matching traces appear here as they arrive.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Search all time' })).toHaveCount(0);
  await gateway.stop();
});
