/** A run that does not get anywhere: the banner, the mark in the list, "not a runaway", and the end of its program. */
import { expect, type Page } from '@playwright/test';
import { ARun } from '../server/fixtures/a-run.ts';
import { startCli } from '../server/fixtures/cli-process.ts';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { aRun } from './runs.ts';

let gateway: TestGateway;
test.beforeEach(async ({ page }) => {
  gateway = await startTestGateway();
  // An empty list would open the first trace that arrives.
  await gateway.ingest(aRequest(aRun({ name: 'earlier run', startMs: Date.now() - 3600_000 })));
  await page.goto(`${gateway.url}/#/traces`);
});
test.afterEach(() => gateway.stop());

const banner = (page: Page) => page.getByRole('region', { name: 'Runs that may be running away' });

const send = (spans: object[], service = 'sourcing-agent') => gateway.ingest(aRequest(spans, { service }));

/** Model calls that cost something, and the same tool call again and again. */
const repeated = (run: ARun, count: number, tool = 'convert_currency') =>
  Array.from({ length: count }, () => [
    run.chat(1200, { cost: 0.013 }),
    run.tool(tool, { from: 'EUR', to: 'USD', amount: 120 }, '129.60'),
  ]).flat();

test('a run that repeats a call is told on every page and marked in the list, until it ends', async ({ page }) => {
  const run = new ARun();
  await send(repeated(run, 24));
  await expect(banner(page)).toContainText(
    'sourcing-agent may be running away. It called convert_currency 24 times with the same arguments.',
  );
  await expect(banner(page)).toContainText('$0.31 so far');
  await expect(page.getByRole('img', { name: /^May be running away: It called convert_currency/ })).toBeVisible();
  await banner(page).getByRole('link', { name: 'Open trace' }).click();
  await expect(page).toHaveURL(new RegExp(run.traceId));
  await expect(banner(page)).toContainText('may be running away');
  await expect(banner(page).getByRole('link', { name: 'Open trace' })).toHaveCount(0);
  await send([run.end()]);
  await expect(banner(page)).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole('img', { name: /^May have run away: / })).toBeVisible();
});

test('a run that is found while the first answer is on its way is told', async ({ page }) => {
  const [asked, found] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(
    '**/v1/viewer/runaways?*',
    async (route) => {
      const response = await route.fetch();
      asked.resolve();
      await found.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await page.reload();
  await asked.promise;
  await send(repeated(new ARun(), 12));
  await expect.poll(async () => (await gateway.client.runaways.list({ query: {} })).data).toHaveLength(1);
  // The event of the stream is sent at the same time; nothing on the page shows that it has come.
  await page.waitForTimeout(500);
  found.resolve();
  await expect(banner(page)).toContainText('12 times');
});

test('of several runs the worst is shown and the others are behind a button; one that is no runaway goes, with its rule for the service', async ({
  page,
}) => {
  const [dear, other] = [new ARun(Date.now() - 120_000), new ARun()];
  await send(repeated(dear, 12));
  await expect(banner(page)).toContainText('12 times');
  await send(repeated(other, 11, 'search'), 'support-bot');
  await banner(page).getByRole('button', { name: 'and 1 more' }).click();
  await expect(banner(page).getByRole('status')).toHaveCount(2);
  const support = banner(page).locator('div', { hasText: 'support-bot' }).last();
  await support.getByRole('button', { name: 'Not a runaway' }).click();
  await expect(banner(page)).not.toContainText('support-bot');
  await expect(banner(page)).toContainText('sourcing-agent may be running away');
  await send(repeated(new ARun(), 20, 'search'), 'support-bot');
  await send(repeated(dear, 8));
  await expect(banner(page)).toContainText('20 times');
  await expect(banner(page)).not.toContainText('support-bot');
});

test('a program under `glasshouse run` can be stopped from the banner', async ({ page }) => {
  const traceId = 'ab'.repeat(16);
  const program = new URL('../server/fixtures/looping-program.ts', import.meta.url).pathname;
  const run = startCli(['run', '--port', String(gateway.port), '--', process.execPath, program], { env: { TRACE_ID: traceId } });
  await banner(page).getByRole('button', { name: 'Stop program…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Stop the program of / });
  await dialog.getByRole('button', { name: 'Stop it' }).click();
  await expect(dialog).toHaveCount(0);
  const { code, stderr } = await run.ended;
  expect(code).toBe(124);
  expect(stderr).toContain('requested in the viewer');
  await expect(banner(page).getByRole('button', { name: 'Stop program…' })).toHaveCount(0);
});

test('the page lists the runs found; a threshold is set for a service and restored', async ({ page }) => {
  const run = new ARun();
  await send(repeated(run, 12));
  await send([run.end()]);
  await send([new ARun().chat(100)], 'support-bot');
  await page.goto(`${gateway.url}/#/runaways`);
  const found = page.getByRole('row', { name: /It called convert_currency 12 times/ });
  await expect(found).toContainText('sourcing-agent');
  await expect(found).toContainText('ended');
  await page.getByRole('button', { name: 'Thresholds' }).click();
  await page.getByRole('button', { name: 'Set a threshold…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Threshold of a service' });
  await dialog.getByLabel('Service').fill('suport-bot');
  await dialog.getByLabel('Threshold (calls)').fill('2');
  await expect(dialog).toContainText('A number from 3 to 90');
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await dialog.getByLabel('Threshold (calls)').fill('40');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('No span names the service "suport-bot"');
  await dialog.getByLabel('Service').fill('support-bot');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  const threshold = page.getByRole('row', { name: /support-bot/ });
  await expect(threshold).toContainText('40 calls');
  await send(repeated(new ARun(), 30, 'search'), 'support-bot');
  await threshold.getByRole('button', { name: /^Restore default/ }).click();
  await expect(threshold).toHaveCount(0);
  await expect(banner(page)).toHaveCount(0);
  await send(repeated(new ARun(), 11, 'search'), 'support-bot');
  await expect(banner(page)).toContainText('support-bot may be running away. It called search 11 times');
  await banner(page).getByRole('button', { name: 'Not a runaway' }).click();
  await expect(page.getByRole('row', { name: /support-bot/ })).toContainText('off');
  await page.getByRole('button', { name: 'Found', exact: true }).click();
  await found.getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(run.traceId));
});
