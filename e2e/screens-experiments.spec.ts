/** Experiments: two runs over one dataset are compared, and regressions are first, with a word diff. */
import { expect } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable, watchConsole } from './screen-checks.ts';

let gateway: TestGateway;

test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(async () => {
  await gateway.stop();
});

const hourMs = 3_600_000;

/** A run of three items, each with its reply and score. */
async function aRun(run: string, hours: number, answers: readonly [reply: string, score: number][]): Promise<void> {
  const startMs = Date.now() - 48 * hourMs + hours * hourMs;
  const items = answers.map(([reply, score], i) => ({ reply, score, i, traceId: aTraceId(), spanId: aSpanId() }));
  const spans = items.flatMap(({ reply, i, traceId, spanId }) => [
    aSpan({
      traceId,
      spanId,
      name: `case ${i}`,
      startMs: startMs + i * 1000,
      attributes: {
        'agentmark.dataset_run_id': run,
        'agentmark.dataset_run_name': run,
        'agentmark.dataset_path': 'cases.jsonl',
        'agentmark.dataset_item_name': `case ${i}`,
        'agentmark.dataset_input': `{"order":${i}}`,
      },
    }),
    aChat({ traceId, parentSpanId: spanId, startMs: startMs + i * 1000 + 5, reply }),
  ]);
  await gateway.ingest(aRequest(spans));
  await gateway.client.scores.createBatch({
    body: { scores: items.map(({ traceId, score }) => ({ resource_id: traceId, name: 'correct', score, source: 'experiment' })) },
  });
}

test('two runs are compared, and the regressed item is first', async ({ page }) => {
  const errors = watchConsole(page);
  await aRun('before', 0, [
    ['It arrives tomorrow.', 1],
    ['{"day":"Monday","sure":true}', 1],
    ['The same.', 1],
  ]);
  await aRun('after', 1, [
    ['It arrives tomorrow.', 1],
    ['{"day":"Friday","sure":true}', 0],
    ['The other.', 1],
  ]);
  await page.goto(`${gateway.url}/#/experiments`);
  await expect(page.getByRole('row', { name: /before/ })).toContainText('cases.jsonl');
  await expectReadable(page);
  await page.getByRole('button', { name: 'Compare before' }).click();
  await page.getByRole('button', { name: 'Compare after' }).click();
  await page.keyboard.press('c');

  const runs = page.getByRole('region', { name: 'Runs' });
  await expect(runs.getByRole('row', { name: /before/ })).toContainText('Baseline');
  await expect(runs.getByRole('row', { name: /after/ })).toContainText('−33 %');
  await expect(page.getByText('1 regressed')).toBeVisible();
  const first = page
    .getByRole('table', { name: /regressions first/ })
    .getByRole('row')
    .nth(1);
  await expect(first).toContainText('case 1');
  const detail = page.getByRole('region', { name: 'Item', exact: true });
  await expect(detail.getByRole('deletion')).toHaveText('"Monday"');
  await expect(detail.getByRole('insertion')).toHaveText('"Friday"');
  const divergence = 'The runs diverge at step 1: gpt-4o was given the same input and answered in different words.';
  await expect(detail).toContainText(divergence);
  await expectReadable(page);
  await detail.getByRole('link', { name: 'Compare runs' }).click();
  await expect(page.getByRole('region', { name: 'Verdict' })).toContainText(divergence);
  await page.goBack();

  await page.getByRole('link', { name: 'case 2' }).click();
  await expect(detail.getByRole('deletion')).toHaveText('same');
  await page.getByRole('button', { name: 'Set as baseline' }).click();
  await expect(runs.getByRole('row', { name: /after/ })).toContainText('Baseline');
  await expect(page.getByText('1 improved')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Compare after' })).toBeVisible();
  expect(errors).toEqual([]);
});

test('runs of an item that could not be compared say why', async ({ page }) => {
  await aRun('before', 0, [['Monday.', 1]]);
  await aRun('after', 1, [['Friday.', 0]]);
  await page.route(/v1\/viewer\/compare\?/, (route) => route.abort('connectionrefused'));
  await page.goto(`${gateway.url}/#/experiments?compare=before,after`);
  const detail = page.getByRole('region', { name: 'Item', exact: true });
  await expect(detail).toContainText('The runs could not be compared. No gateway answers at');
});

test('one run shows its results, and leads to its traces', async ({ page }) => {
  await aRun('alone', 0, [
    ['yes', 1],
    ['no', 0],
  ]);
  await page.goto(`${gateway.url}/#/experiments`);
  await page.getByRole('link', { name: 'alone' }).click();
  await expect(page.getByRole('heading', { name: 'alone' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'alone' }).click();
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('correct0.5');
  await page.getByRole('link', { name: 'case 1' }).click();
  await expect(page.getByRole('region', { name: 'Item', exact: true })).toContainText('no');
  await expectReadable(page);
  // In a narrow window the item covers the others: Esc closes it first.
  await page.setViewportSize({ width: 800, height: 700 });
  await page.reload();
  await expect(page.getByRole('region', { name: 'Item', exact: true })).toContainText('no');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Item', exact: true })).toBeHidden();
  await page.getByRole('link', { name: 'case 1' }).click();
  await page.getByRole('link', { name: 'Open trace' }).click();
  await expect(page.getByRole('heading', { name: 'case 1' }).first()).toBeVisible();
});
