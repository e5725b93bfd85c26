/** What the detail of a span shows of the spans below it. */
import { expect } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';
import { expectReadableAtAnyWidth } from './screen-checks.ts';

let gateway: TestGateway;
test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(() => gateway.stop());

test('a root without texts shows question and answer of its calls, the errors, and time and cost by agent, model and tool', async ({
  page,
}) => {
  const [traceId, root] = [aTraceId(), aSpanId()];
  const startMs = Date.now() - 60_000;
  const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'web_search' };
  const call = { traceId, parentSpanId: root, model: 'gpt-4o' };
  await gateway.ingest(
    aRequest([
      aSpan({
        traceId,
        spanId: root,
        name: 'research',
        startMs,
        durationMs: 9000,
        attributes: { 'gen_ai.operation.name': 'invoke_agent' },
      }),
      aChat({ ...call, startMs: startMs + 10, ask: 'What does a pack cost?', reply: 'I will look.' }),
      ...[20, 30].map((at) =>
        aSpan({
          ...{ traceId, parentSpanId: root, startMs: startMs + at, durationMs: at * 10, name: 'execute_tool web_search', attributes: tool },
          ...(at === 30 ? { status: 'ERROR' as const, statusMessage: '429 from the provider' } : {}),
        }),
      ),
      aChat({ ...call, startMs: startMs + 400, ask: 'Sum it up.', reply: 'A pack costs $52.' }),
    ]),
  );
  await page.goto(`${gateway.url}/#/traces/${traceId}`);
  const detail = page.getByRole('region', { name: 'Detail' });
  await expect(detail.getByRole('heading', { name: 'Asked in the first model call' })).toBeVisible();
  await expect(detail.getByText('What does a pack cost?')).toBeVisible();
  await expect(detail.getByText('A pack costs $52.')).toBeVisible();
  await expect(detail.getByRole('heading', { name: '1 error inside' })).toBeVisible();
  await expect(detail.getByText('429 from the provider')).toBeVisible();
  const table = detail.getByRole('table', { name: 'Time and cost inside' });
  await expect(table.getByRole('row')).toHaveText([
    /^NameCallsErrorsTimeMeanTokensCostLongest$/,
    /gpt-4o2/,
    /web_search21500 ms250 ms300 ms/,
  ]);
  await expectReadableAtAnyWidth(page);
  await table.getByRole('button', { name: '300 ms' }).click();
  await expect(detail.getByRole('heading', { name: 'web_search' })).toBeVisible();
});
