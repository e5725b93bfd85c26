/** The ingest log: every request to the port appears without a reload, accepted or refused, with the reason and what to do. */
import { expect } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpan } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;

test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(async () => {
  await gateway.stop();
});

test('requests appear without a reload, including refused ones, and say what to do', async ({ page }) => {
  const errors = watchConsole(page);
  await page.goto(`${gateway.url}/#/ingest-log`);
  await expect(page.getByText('No requests yet')).toBeVisible();
  await expect(page.locator('[data-connection=live]')).toBeVisible();

  await gateway.ingest(aRequest([aChat()]));
  await expect(page.getByRole('row', { name: /Accepted .*genai/ })).toBeVisible();
  await gateway.fetch('/collector/v1/traces', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } });
  const lost = page.getByRole('row', { name: /not_found/ });
  await expect(lost).toBeVisible();
  await lost.getByRole('link').click();
  await expect(page.getByLabel('Request', { exact: true })).toContainText('without /collector');
  await expectReadable(page);

  await gateway.ingest(aRequest([aSpan(), { ...aSpan(), traceId: '' }]));
  await expect(page.getByRole('row', { name: /Partly rejected/ })).toContainText('traceId');
  await page.getByRole('button', { name: 'Rejected' }).click();
  await expect(page.getByRole('row', { name: /Accepted/ })).toHaveCount(0);
  expect(errors).toEqual([]);
});

test('a retry is distinguished from new spans', async ({ page }) => {
  const request = aRequest([aChat(), aChat()]);
  await gateway.ingest(request);
  await gateway.ingest(request);
  await page.goto(`${gateway.url}/#/ingest-log`);
  await page
    .getByRole('row', { name: /Accepted/ })
    .first()
    .getByRole('link')
    .click();
  await expect(page.getByText('0 stored, 2 duplicate, 0 rejected')).toBeVisible();
  await expect(page.getByText('llm 2')).toBeVisible();
});
