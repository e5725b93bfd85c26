/** Traces of a coding agent's own runtime are hidden, and one switch shows them. */
import { expect } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest, aSpan } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;

test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(async () => {
  await gateway.stop();
});

const bookkeeping = ['auth', 'fs.read_file', 'get_model_info'];
const sendBookkeeping = () =>
  gateway.ingest(
    aRequest(
      bookkeeping.map((name) => aSpan({ name })),
      { scope: 'codex_core' },
    ),
  );

test('bookkeeping traces are hidden, and one switch shows them', async ({ page }) => {
  const errors = watchConsole(page);
  await sendBookkeeping();
  await gateway.ingest(aRequest([aSpan({ name: 'a turn of the agent' })]));
  await page.goto(gateway.url);
  const rows = page.getByRole('grid', { name: 'Traces' }).or(page.getByRole('table', { name: 'Traces' }));
  await expect(rows.getByText('a turn of the agent')).toBeVisible();
  await expect(page.getByText('3 traces hidden')).toBeVisible();
  await expect(rows.getByText('fs.read_file')).toHaveCount(0);
  await expectReadable(page);
  const toggle = page.getByRole('checkbox', { name: 'Bookkeeping' });
  await toggle.check();
  await expect(rows.getByText('fs.read_file')).toBeVisible();
  await expect(page).toHaveURL(/bookkeeping=include/);
  await toggle.uncheck();
  await expect(rows.getByText('fs.read_file')).toHaveCount(0);
  expect(errors).toEqual([]);
});

test('a list with only bookkeeping traces says so, and shows them on demand', async ({ page }) => {
  await sendBookkeeping();
  await page.goto(gateway.url);
  await expect(page.getByText('Only bookkeeping traces so far')).toBeVisible();
  await page.getByRole('button', { name: 'Show bookkeeping' }).click();
  await expect(page.getByText('fs.read_file').first()).toBeVisible();
});
