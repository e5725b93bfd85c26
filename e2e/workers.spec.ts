/** The live thread of a coding agent in the dashboard: over several turns, a killed gateway, and until it is closed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { type Bootstrapped, bootstrap } from '../server/entry/bootstrap.ts';
import { aRepository, type TestRepository } from '../server/fixtures/agent-run-stand.ts';
import { freePort } from '../server/fixtures/free-port.ts';
import { startWorkerGateway, type WorkerGateway } from '../server/fixtures/worker-gateway.ts';
import { enter } from './cloud-page.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

const login = { email: 'owner@acme.test', password: 'correct horse' };
let folder: string;
let tenant: Bootstrapped;
let repository: TestRepository;
let gateway: WorkerGateway;
let port: number;

const start = () => startWorkerGateway({ dataDir: join(folder, 'data'), repositories: join(folder, 'repositories'), key: tenant, port });

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-e2e-workers-'));
  tenant = await bootstrap({ dataDir: join(folder, 'data'), ...login, tenant: 'acme' });
  repository = aRepository(join(folder, 'repositories'), tenant.tenant_id, 'team/owls');
  port = await freePort();
  gateway = await start();
});
test.afterAll(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
});

const card = (page: Page, title: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

async function giveTask(page: Page, ...lines: string[]): Promise<void> {
  await page.getByLabel('Next task').fill(lines.join('\n'));
  await page.getByRole('button', { name: 'Send task' }).click();
}

test('an agent gets one task after the other, and its thread is updated while it works', async ({ page }) => {
  const errors = watchConsole(page);
  await enter(page, gateway.url, login, '/workers');
  await expect(page.getByText('No workspaces yet')).toBeVisible();
  await page.getByRole('button', { name: 'New task' }).click();
  await page.getByRole('textbox', { name: 'Task' }).fill('write a.txt one\nprint begun\nresult the first is done');
  await page.getByLabel('Repository').fill('team/nothing');
  await page.getByLabel('Name').fill('Mend the owls');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page.getByText('Is not a repository that workers can use.')).toBeVisible();
  // The browser logs an error for every refused request.
  expect(errors.splice(0)).toHaveLength(1);
  await page.getByLabel('Repository').fill('team/owls');
  await page.getByRole('button', { name: 'Create workspace' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Mend the owls' })).toBeVisible();
  await expect(card(page, 'Turn 1').getByText('Succeeded')).toBeVisible();
  await expect(card(page, 'Turn 1').getByText('the first is done', { exact: true })).toBeVisible();
  await card(page, 'Turn 1')
    .getByRole('button', { name: /^Checkpoint/ })
    .click();
  await expect(card(page, 'Turn 1').getByText('+one', { exact: true })).toBeVisible();
  await expectReadable(page);

  await giveTask(page, 'append a.txt two', 'print half way', 'me', 'wait');
  const output = card(page, 'Turn 2').getByRole('region', { name: 'Output of turn 2' });
  await expect(output.getByText('half way')).toBeVisible();
  await expect(card(page, 'Turn 2').getByText('Running')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Busy' })).toBeDisabled();
  await expect(page.getByText('A turn is running')).toBeVisible();
  await expectReadable(page);
  expect(errors).toEqual([]);

  await gateway.kill();
  gateway = await start();
  await expect(card(page, 'Turn 2').getByText('The gateway stopped during this turn')).toBeVisible();
  await expect(card(page, 'Turn 2').getByRole('button', { name: /^Checkpoint .*: 1 file, \+1 −0$/ })).toBeVisible();

  await giveTask(page, 'thread', 'append a.txt three');
  const third = card(page, 'Turn 3').getByRole('region', { name: 'Output of turn 3' });
  await expect(third.getByText('resumed session-of-the-script')).toBeVisible();
  await expect(third.getByText('turn 1 failed: append a.txt two')).toBeVisible();
  await expect(card(page, 'Turn 3').getByText('Succeeded', { exact: true })).toBeVisible();
  const [first] = (await gateway.client.workerEnvironments.list({})).data;
  expect(repository.git('show', `${first?.work_branch}:a.txt`)).toBe('one\ntwo\nthree');
});

test('the URL of a run opens its live thread; a run can be cancelled, and a workspace closed', async ({ page }) => {
  const { data: run } = await gateway.client.workerRuns.create({ body: { repo: 'team/owls', task_prompt: 'print at work\nwait' } });
  const at = new URL(run.url);
  await enter(page, gateway.url, login, at.hash.slice(1));
  await expect(page.getByRole('region', { name: 'Output of run' }).getByText('at work')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible();
  await expect(page.getByText('No files changed.')).toBeVisible();

  await page.getByRole('link', { name: 'Coding agents' }).last().click();
  await expect(page.getByRole('link', { name: 'print at work' })).toBeVisible();
  const { data: opened } = await gateway.client.workerEnvironments.create({ body: { repo: 'team/owls', task_prompt: 'print ready' } });
  await page.goto(opened.url);
  await expect(card(page, 'Turn 1').getByText('Succeeded', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Close workspace' }).click();
  await expect(page.getByText('Closed', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Next task')).toHaveCount(0);
});

test('a run that cannot be loaded says so all the time, also while the page tries again', async ({ page }) => {
  const { data: run } = await gateway.client.workerRuns.create({ body: { repo: 'team/owls', task_prompt: 'print hello' } });
  let attempts = 0;
  await page.route(`**/v1/workers/runs/${run.run_id}`, (route) => {
    attempts++;
    return route.abort('connectionrefused');
  });
  await enter(page, gateway.url, login, new URL(run.url).hash.slice(1));
  const failure = page.getByRole('heading', { level: 1, name: 'The run could not be loaded' });
  await expect(failure).toBeVisible();
  const removals = await failure.evaluateHandle((heading) => {
    const seen = { count: 0 };
    new MutationObserver(() => {
      if (!heading.isConnected) seen.count++;
    }).observe(document.body, { childList: true, subtree: true });
    return seen;
  });
  const before = attempts;
  await expect.poll(() => attempts, { timeout: 30_000 }).toBeGreaterThan(before + 1);
  expect(await removals.evaluate(({ count }) => count)).toBe(0);
  await page.unroute(`**/v1/workers/runs/${run.run_id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'print hello' })).toBeVisible();
});
