/** Two traces step by step: where they diverge, and what followed. */
import { expect } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadable, expectReadableAtAnyWidth } from './screen-checks.ts';

let gateway: TestGateway;
test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(() => gateway.stop());

/** An agent that looks an order up and refunds it; the refund fails where the window is closed. */
async function aRefund(minutesAgo: number, window: 'open' | 'closed'): Promise<string> {
  const [traceId, root, startMs] = [aTraceId(), aSpanId(), Date.now() - minutesAgo * 60_000];
  const tool = (name: string, at: number, args: object, result: object) => ({
    ...{ traceId, parentSpanId: root, name: `execute_tool ${name}`, startMs: startMs + at, durationMs: 40 },
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.arguments': JSON.stringify(args),
      'gen_ai.tool.call.result': JSON.stringify(result),
    },
  });
  const order = { order: '48213' };
  const isClosed = window === 'closed';
  await gateway.ingest(
    aRequest([
      aSpan({
        ...{ traceId, spanId: root, name: 'Refund for a kettle', startMs, durationMs: isClosed ? 900 : 500 },
        attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'refund-agent' },
      }),
      aChat({ traceId, parentSpanId: root, startMs: startMs + 10, ask: 'The lid of my kettle is cracked.', reply: 'I look it up.' }),
      aSpan(tool('get_customer', 60, { name: 'Dana' }, { since: 2021 })),
      aSpan(tool('lookup_order', 110, order, { ...order, window })),
      aChat({ traceId, parentSpanId: root, startMs: startMs + 160, ask: `The window is ${window}.`, reply: 'I refund it.' }),
      aSpan({
        ...tool('issue_refund', 220, order, {}),
        ...(isClosed ? { status: 'ERROR' as const, statusMessage: 'The window is closed' } : {}),
      }),
    ]),
  );
  return traceId;
}

test('two selected traces are compared: the first divergence is open, and keys lead through the others', async ({ page }) => {
  const [good, bad] = [await aRefund(60, 'open'), await aRefund(5, 'closed')];
  await page.goto(`${gateway.url}/#/traces`);
  await expect(page.getByRole('link', { name: 'Refund for a kettle' })).toHaveCount(2);
  for (const key of ['j', 'x', 'j', 'x', 'c']) await page.keyboard.press(key);
  await expect(page.getByRole('region', { name: 'Verdict' })).toContainText(
    'The runs diverge at step 4: lookup_order was asked the same and answered differently.',
  );
  expect(page.url()).toContain(`a=${good}&b=${bad}`);
  const detail = page.getByRole('region', { name: 'Detail' });
  await expect(detail.getByRole('heading', { name: 'lookup_order' })).toBeVisible();
  await expect(detail.getByText('"open"')).toBeVisible();
  await expect(detail.getByText('"closed"')).toBeVisible();
  await expect(detail.getByText('issue_refund failed only in B')).toBeVisible();
  const steps = page.getByRole('table', { name: 'Steps of both runs' });
  await expect(steps.getByText('2 equal steps')).toHaveCount(0);
  await expect(steps.getByRole('img', { name: 'first divergence, differs' })).toBeVisible();
  await expectReadableAtAnyWidth(page);

  await page.keyboard.press('n');
  await expect(detail.getByRole('heading', { name: 'gpt-4o' })).toBeVisible();
  expect(page.url()).toContain('step=5');
  await page.keyboard.press('p');
  await expect(detail.getByRole('heading', { name: 'lookup_order' })).toBeVisible();
  await page.keyboard.press('x');
  await expect(detail.getByText('issue_refund failed only in A')).toBeVisible();
  await page.keyboard.press('1');
  await expect(page).toHaveURL(new RegExp(`#/traces/${bad}`));
});

test('a trace is compared with another run of its name, from its page', async ({ page }) => {
  const [good, bad] = [await aRefund(60, 'open'), await aRefund(5, 'closed')];
  await page.goto(`${gateway.url}/#/traces/${bad}`);
  await expect(page.getByRole('heading', { name: 'Refund for a kettle' }).first()).toBeVisible();
  await page.keyboard.press('c');
  await page.getByRole('menuitem', { name: 'before · no errors' }).click();
  await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('The runs diverge at step 4');
  expect(page.url()).toContain(`a=${good}&b=${bad}`);
});

test('a comparison is read again when one of its traces changes, and not for others', async ({ page }) => {
  const [good, bad] = [await aRefund(60, 'open'), await aRefund(5, 'closed')];
  let reads = 0;
  page.on('request', (request) => {
    if (request.url().includes('/v1/viewer/compare?')) reads++;
  });
  await page.goto(`${gateway.url}/#/compare?a=${good}&b=${bad}`);
  await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('lookup_order');
  const commitOf = (traceId: string) =>
    page.evaluate(
      (id) =>
        new Promise<void>((resolve) => {
          const source = new EventSource('/v1/viewer/live');
          source.addEventListener('commit', ({ data }) => {
            if (!data.includes(id)) return;
            source.close();
            resolve();
          });
          source.addEventListener('open', () => document.body.setAttribute('data-live', id));
        }),
      traceId,
    );
  const other = aTraceId();
  const committed = commitOf(other);
  await expect(page.locator('body')).toHaveAttribute('data-live', other);
  await gateway.ingest(aRequest([aSpan({ traceId: other, name: 'elsewhere' })]));
  await committed;
  const readAgain = page.waitForResponse(
    async (response) => response.url().includes('/v1/viewer/compare?') && (await response.text()).includes('one more step'),
  );
  const step = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'one more step' };
  await gateway.ingest(aRequest([aSpan({ traceId: bad, name: 'execute_tool', attributes: step })]));
  await readAgain;
  expect(reads).toBe(2);
});

test('a trace compared with itself is equal, and one that is gone says so', async ({ page }) => {
  const id = await aRefund(5, 'open');
  await page.goto(`${gateway.url}/#/compare?a=${id}&b=${id}`);
  await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('The runs are equal in all 7 steps.');
  await expect(page.getByText('5 equal steps: get_customer, lookup_order, issue_refund, 1 model call')).toBeVisible();
  await page.keyboard.press('=');
  await expect(page.getByRole('table', { name: 'Steps of both runs' }).getByText('issue_refund').first()).toBeVisible();
  await page.goto(`${gateway.url}/#/compare?a=${id}&b=${'0'.repeat(31)}1`);
  await expect(page.getByText('The runs could not be compared')).toBeVisible();
  await expectReadable(page);
  await page.goto(`${gateway.url}/#/compare`);
  await expect(page.getByText('Choose two traces')).toBeVisible();
});
