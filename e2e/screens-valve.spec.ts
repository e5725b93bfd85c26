/** What leaves is shown before it does: rules are tried, the difference is read, and a token leads back to its value. */
import { expect, test } from '@playwright/test';
import { keepAToken } from '../server/fixtures/a-kept-token.ts';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aTraceId } from '../shared/fixtures/otlp.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;

test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(async () => {
  await gateway.stop();
});

test('rules are tried on what is stored, and nothing happens by it', async ({ page }) => {
  const errors = watchConsole(page);
  await page.goto(`${gateway.url}/#/forwarding/privacy?name=team-cloud`);
  await expect(page.getByText('Nothing is here to try the rules on')).toBeVisible();
  await expectReadable(page);

  const traceId = aTraceId();
  const key = `sk-proj-${'aB3dE5fG7h'.repeat(4)}`;
  await gateway.ingest(aRequest([aChat({ traceId, ask: `Mail ann@example.com the key ${key}, please.`, reply: 'It is sent.' })]));
  await page.goto(`${gateway.url}/#/forwarding/privacy?name=team-cloud&trace=${traceId}`);
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByText('leaves as it is')).toBeVisible();

  await page.getByRole('button', { name: 'The usual ones' }).click();
  await expect(preview.getByText('1 e-mail address', { exact: true })).toBeVisible();
  await expect(preview.getByText('1 API key', { exact: true })).toBeVisible();
  await expect(preview.locator('ins', { hasText: '‹email-' })).toBeVisible();
  await expect(preview.locator('del', { hasText: 'sk-proj-' })).toBeVisible();
  await expectReadable(page);

  await page.getByLabel('API keys').uncheck();
  await expect(preview.getByText('1 API key', { exact: true })).toHaveCount(0);
  await page.getByRole('checkbox', { name: /^Outputs/ }).check();
  await expect(preview.getByText('left out', { exact: true })).toBeVisible();
  await expect(preview.locator('del', { hasText: 'It is sent.' })).toBeVisible();
  await page.getByLabel('Environments').fill('production');
  await expect(preview.getByText('stays here', { exact: true })).toBeVisible();
  expect(errors).toEqual([]);
});

test('a token leads back to its value, and an unknown one says so', async ({ page }) => {
  await gateway.ingest(aRequest([aChat()]));
  const { token, value } = keepAToken(gateway.dataDir);
  await page.goto(`${gateway.url}/#/forwarding/privacy`);
  const field = page.getByLabel('What does a token stand for?');
  await field.fill('‹email-aaaaaaaaaaaaaaaa›');
  await page.getByRole('button', { name: 'Look it up' }).click();
  await expect(page.getByText('has left this machine')).toBeVisible();
  await field.fill(token);
  await field.press('Enter');
  await expect(page.getByText(value, { exact: true })).toBeVisible();
  await expectReadable(page);
});

test('where the gateway cannot show it, it says why', async ({ page }) => {
  await gateway.ingest(aRequest([aChat()]));
  await page.goto(`${gateway.url}/#/forwarding/privacy?trace=missing`);
  await expect(page.getByRole('alert')).toContainText('What would leave could not be shown');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toContainText('No trace missing');
});
