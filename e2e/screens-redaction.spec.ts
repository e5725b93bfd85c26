/** Redaction rules: their preview on stored spans, and the lookup of a redaction token. */
import { expect } from '@playwright/test';
import { storeToken } from '../server/fixtures/stored-token.ts';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;

test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(async () => {
  await gateway.stop();
});

test('rules are previewed on stored spans without any effect', async ({ page }) => {
  const errors = watchConsole(page);
  await page.goto(`${gateway.url}/#/forwarding/redaction?name=team-cloud`);
  await expect(page.getByText('No spans to preview yet')).toBeVisible();
  await expectReadable(page);

  const traceId = aTraceId();
  const key = `sk-proj-${'aB3dE5fG7h'.repeat(4)}`;
  await gateway.ingest(aRequest([aChat({ traceId, ask: `Mail ann@example.com the key ${key}, please.`, reply: 'It is sent.' })]));
  await page.goto(`${gateway.url}/#/forwarding/redaction?name=team-cloud&trace=${traceId}`);
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByText('Sent unchanged', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Recommended' }).click();
  await expect(preview.getByText('1 e-mail address', { exact: true })).toBeVisible();
  await expect(preview.getByText('1 API key', { exact: true })).toBeVisible();
  await expect(preview.locator('ins', { hasText: '‹email-' })).toBeVisible();
  await expect(preview.locator('del', { hasText: 'sk-proj-' })).toBeVisible();
  await expectReadable(page);

  await page.getByLabel('API keys').uncheck();
  await expect(preview.getByText('1 API key', { exact: true })).toHaveCount(0);
  await page.getByRole('checkbox', { name: /^Outputs/ }).check();
  await expect(preview.getByText('Dropped', { exact: true })).toBeVisible();
  await expect(preview.locator('del', { hasText: 'It is sent.' })).toBeVisible();
  await page.getByLabel('Environments').fill('production');
  await expect(preview.getByText('Not sent', { exact: true })).toBeVisible();
  expect(errors).toEqual([]);
});

test('a token leads back to its value, and an unknown one says so', async ({ page }) => {
  await gateway.ingest(aRequest([aChat()]));
  const { token, value } = storeToken(gateway.dataDir);
  await page.goto(`${gateway.url}/#/forwarding/redaction`);
  const field = page.getByLabel('Look up a redaction token');
  await field.fill('‹email-aaaaaaaaaaaaaaaa›');
  await page.getByRole('button', { name: 'Look up' }).click();
  await expect(page.getByText('has left this machine')).toBeVisible();
  await field.fill(token);
  await field.press('Enter');
  await expect(page.getByText(value, { exact: true })).toBeVisible();
  await expectReadable(page);
});

test('when the preview cannot be loaded the page says why', async ({ page }) => {
  await gateway.ingest(aRequest([aChat()]));
  await page.goto(`${gateway.url}/#/forwarding/redaction?trace=missing`);
  await expect(page.getByRole('alert')).toContainText('The preview could not be loaded');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toContainText('No trace missing');
});
