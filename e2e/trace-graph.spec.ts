/** The graph of a trace fits into its pane, and can be moved and zoomed; the timeline says what its shapes mean. */
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

const depth = 7;

/** Agents that each call the next one, with a model call of their own: a graph wider than the pane. */
async function ingestChain(): Promise<string> {
  const traceId = aTraceId();
  const startMs = Date.now() - 60_000;
  const ids = Array.from({ length: depth }, aSpanId);
  const spans = ids.flatMap((spanId, level) => {
    const parent = level === 0 ? {} : { parentSpanId: ids[level - 1] as string };
    const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': `agent ${level}` };
    return [
      aSpan({ traceId, spanId, ...parent, name: `agent ${level}`, startMs: startMs + level, durationMs: 1000, attributes }),
      aChat({ traceId, parentSpanId: spanId, startMs: startMs + level + 1 }),
    ];
  });
  await gateway.ingest(aRequest(spans));
  return traceId;
}

test('a wide graph fits into its pane; it is zoomed with the wheel and buttons, and moved by dragging', async ({ page }) => {
  const traceId = await ingestChain();
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=graph`);
  const pane = page.getByRole('region', { name: 'Graph of agents, models and tools' });
  const last = pane.getByRole('button', { name: `agent ${depth - 1}` });
  await expect(last).toBeInViewport({ ratio: 1 });
  const overflow = () => pane.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(await overflow()).toBeLessThanOrEqual(1);

  await pane.hover();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  await expect.poll(overflow).toBeGreaterThan(100);

  const left = () => pane.evaluate((element) => element.scrollLeft);
  const before = await left();
  const box = (await pane.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const [x, y] = [box.x + box.width / 2, box.y + box.height - 60];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 30, y, { steps: 3 });
  await page.mouse.up();
  await expect.poll(left).toBeGreaterThan(before + 20);

  await page.getByRole('button', { name: 'Fit into the pane' }).click();
  await expect.poll(overflow).toBeLessThanOrEqual(1);
  await last.click();
  await expect(last).toHaveAttribute('aria-pressed', 'true');
});

test('the timeline has a legend of its shapes', async ({ page }) => {
  const traceId = await ingestChain();
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=timeline`);
  const legend = page.getByRole('list', { name: 'Legend' });
  await expect(legend.getByRole('listitem')).toHaveText(['Self time', 'Spans below', 'Critical path', 'First token', 'Event']);
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=tree`);
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await expect(legend).toHaveCount(0);
});
