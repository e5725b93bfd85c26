/** Spans by which a framework records its own work are folded, and found again. */
import { expect } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { test } from './journey.ts';

let gateway: TestGateway;

test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(async () => {
  await gateway.stop();
});

async function ingestMastra() {
  const [traceId, root, call, last] = [aTraceId(), aSpanId(), aSpanId(), aSpanId()];
  const startMs = Date.now() - 60_000;
  const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'weather' };
  const chunk = { 'gen_ai.operation.name': 'model_chunk', 'mastra.span.type': 'model_chunk' };
  const chunks = [aSpanId(), aSpanId(), last].map((spanId, i) =>
    aSpan({
      traceId,
      spanId,
      parentSpanId: call,
      name: 'model_chunk weather',
      startMs: startMs + 20 + i,
      durationMs: 1,
      attributes: chunk,
    }),
  );
  await gateway.ingest(
    aRequest([
      aSpan({ traceId, spanId: root, name: 'weather', startMs, durationMs: 900, attributes: agent }),
      aChat({ traceId, spanId: call, parentSpanId: root, startMs: startMs + 10, durationMs: 90, reply: 'Sunny.' }),
      ...chunks,
    ]),
  );
  return { traceId, last };
}

test('chunks of a streamed answer are folded into their call, and open with one click or by a link', async ({ page }) => {
  const { traceId, last } = await ingestMastra();
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=transcript`);
  await expect(page.getByText('Sunny.').first()).toBeVisible();
  await expect(page.getByRole('treeitem')).toHaveCount(2);
  await page.getByRole('button', { name: '3 spans' }).click();
  await expect(page.getByRole('treeitem')).toHaveCount(5);
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=tree&span=${last}`);
  await expect(page.getByRole('treeitem', { selected: true })).toHaveAccessibleName(/model_chunk/);
});

test('a search finds folded spans', async ({ page }) => {
  const { traceId } = await ingestMastra();
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=tree`);
  await expect(page.getByRole('treeitem')).toHaveCount(2);
  await page.keyboard.press('/');
  await page.keyboard.type('model_chunk');
  await expect(page.getByRole('treeitem', { name: /model_chunk/ })).toHaveCount(3);
});

test('the runtime of a coding agent is one row where it stands beside the work, and keys open it', async ({ page }) => {
  const [traceId, turn] = [aTraceId(), aSpanId()];
  const startMs = Date.now() - 60_000;
  const own = (name: string, at: number) => aSpan({ traceId, parentSpanId: turn, name, startMs: startMs + at, durationMs: 1 });
  await gateway.ingest(
    aRequest(
      [
        aSpan({ traceId, spanId: turn, name: 'session_task.turn', startMs, durationMs: 900 }),
        own('get_model_info', 1),
        own('fs.read_file', 2),
        aChat({ traceId, parentSpanId: turn, startMs: startMs + 3, reply: 'Done.' }),
      ],
      { scope: 'codex_core' },
    ),
  );
  for (const view of ['tree', 'transcript']) {
    await page.goto(`${gateway.url}/#/traces/${traceId}?view=${view}`);
    await expect(page.getByRole('treeitem', { name: '2 internal spans' })).toBeVisible();
    await expect(page.getByRole('treeitem')).toHaveCount(3);
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('treeitem')).toHaveCount(4);
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByRole('treeitem')).toHaveCount(3);
  }
});
