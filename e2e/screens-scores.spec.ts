/** Scores: one is added in a form, a name shows the distribution of its values, and a score leads to its span. */
import { expect } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;

test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(async () => {
  await gateway.stop();
});

test('a score is added, counted, and leads to the span that it judges', async ({ page }) => {
  const errors = watchConsole(page);
  const ids = { traceId: aTraceId(), spanId: aSpanId() };
  await gateway.ingest(aRequest([aChat({ ...ids, name: 'the judged call' })]));
  await page.goto(`${gateway.url}/#/scores`);
  await expect(page.getByText('No scores yet')).toBeVisible();
  await expectReadable(page);

  await page.getByRole('button', { name: 'Add a score' }).click();
  await page.getByLabel('Trace or span id').fill(ids.spanId);
  await page.getByLabel('Name').last().fill('tone');
  await page.getByLabel('Value').fill('0.25');
  await page.getByLabel('Reason').fill('too curt');
  await page.getByRole('button', { name: 'Add score' }).click();
  const row = page.getByRole('row', { name: /too curt/ });
  await expect(row).toContainText('0.25');
  await row.getByRole('button').click();
  await expect(page).toHaveURL(new RegExp(`traces/${ids.traceId}.*span=${ids.spanId}`));
  await expect(page.getByRole('heading', { name: /the judged call/ }).first()).toBeVisible();
  expect(errors).toEqual([]);
});

test('the distribution of one name counts every score', async ({ page }) => {
  const scores = Array.from({ length: 60 }, (_, i) => ({ resource_id: aTraceId(), name: 'length', score: i }));
  const verdicts = ['bad', 'good', 'good'].map((label) => ({
    resource_id: aTraceId(),
    name: 'verdict',
    score: Number(label === 'good'),
    label,
  }));
  await gateway.client.scores.createBatch({ body: { scores: [...scores, ...verdicts] } });
  await page.goto(`${gateway.url}/#/scores`);
  await page.getByLabel('Name').selectOption('length');
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('Scores60');
  await expect(page.getByRole('img', { name: 'length by value' })).toBeVisible();
  await expect(page.getByText('1–50 of 60 scores')).toBeVisible();
  await expectReadable(page);
  await page.getByLabel('Name').selectOption('verdict');
  await expect(page.getByRole('row', { name: 'good 2 scores 67 %' })).toBeVisible();
  await expectReadable(page);
});

test('a score of a span that never arrived says so', async ({ page }) => {
  await gateway.client.scores.create({ body: { resource_id: aTraceId(), name: 'early', score: 1 } });
  await page.goto(`${gateway.url}/#/scores`);
  await page.getByRole('row', { name: /early/ }).getByRole('button').click();
  await expect(page.getByText('No trace or span with this ID has arrived')).toBeVisible();
});
