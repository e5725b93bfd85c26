/** The transcript of a long run while it scrolls: rows of unknown heights, of which only those in view are drawn. */
import { expect, type Locator, type Page, test } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';

let gateway: TestGateway;

test.beforeEach(async () => {
  gateway = await startTestGateway();
});
test.afterEach(async () => {
  await gateway.stop();
});

const turns = 400;

/** Replies of one to twelve lines. */
async function openRun(page: Page): Promise<Locator> {
  const [traceId, root] = [aTraceId(), aSpanId()];
  const startMs = Date.now() - 600_000;
  const spans = Array.from({ length: turns }, (_, turn) => {
    const reply = Array.from({ length: 1 + ((turn * 7) % 12) }, (__, line) => `Answer ${turn}, line ${line}`).join('\n');
    return aChat({ traceId, parentSpanId: root, startMs: startMs + turn * 100, durationMs: 60, ask: `Question ${turn}`, reply });
  });
  const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'long' };
  spans.push(aSpan({ traceId, spanId: root, name: 'long', startMs, durationMs: turns * 100, attributes: agent }));
  await gateway.ingest(aRequest(spans));
  await page.addInitScript(defineInNextFrame);
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=transcript`);
  await expect(page.getByText('Answer 0, line 0')).toBeVisible();
  return page.getByRole('tree', { name: /transcript/ });
}

declare global {
  interface Window {
    /** What `read` gives in the next frame, once it is laid out. A task afterwards may find texts that came meanwhile, and that no frame shows. */
    inNextFrame<T>(read: () => T): Promise<T>;
  }
}

function defineInNextFrame(): void {
  window.inNextFrame = (read) =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        // Observers run in the order in which they were made: those of the page before this one.
        const observer = new ResizeObserver(() => {
          observer.disconnect();
          resolve(read());
        });
        observer.observe(document.documentElement);
      });
    });
}

/** Scrolls by each of the steps in turn. @returns the pixels in view that no row covers or two do, the most in a frame */
const worstFrame = (tree: Locator, steps: number[]) =>
  tree.evaluate(async (element, distances) => {
    const uncovered = () => {
      let worst = 0;
      const view = element.getBoundingClientRect();
      const rows = [...element.querySelectorAll('[role=treeitem]')].map((row) => row.getBoundingClientRect());
      rows.sort((a, b) => a.top - b.top);
      // The element has a padding of a few pixels at both ends.
      let covered = Math.max(view.top, Math.min(rows[0]?.top ?? view.bottom, view.top + 4));
      for (const { top, bottom } of rows) {
        if (bottom <= view.top || top >= view.bottom) continue;
        if (top > view.top) worst = Math.max(worst, Math.abs(top - covered));
        covered = bottom;
      }
      return Math.max(worst, view.bottom - 4 - covered);
    };
    let worst = 0;
    for (const distance of distances) {
      element.scrollTop += distance;
      worst = Math.max(worst, await window.inNextFrame(uncovered));
    }
    return worst;
  }, steps);

test('no frame shows a gap or an overlap, neither while scrolling nor after a jump', async ({ page }) => {
  const tree = await openRun(page);
  const down = Array.from({ length: 60 }, () => 240);
  expect(await worstFrame(tree, down), 'down').toBeLessThan(1.5);
  expect(await worstFrame(tree, [9000, -4000, 100_000, -30_000, 12_345]), 'jumps').toBeLessThan(1.5);
  expect(
    await worstFrame(
      tree,
      down.map((distance) => -distance),
    ),
    'up',
  ).toBeLessThan(1.5);
});

test('what is in view stays in place when rows above it turn out to have other heights', async ({ page }) => {
  const tree = await openRun(page);
  const moved = await tree.evaluate(async (element) => {
    element.scrollTop = element.scrollHeight / 2;
    await window.inNextFrame(() => undefined);
    let most = 0;
    for (let step = 0; step < 40; step++) {
      const { top: edge } = element.getBoundingClientRect();
      const row = [...element.querySelectorAll('[role=treeitem]')].find((each) => each.getBoundingClientRect().top >= edge);
      const topOf = () => row?.getBoundingClientRect().top ?? 0;
      const before = topOf();
      element.scrollTop -= 90;
      most = Math.max(most, Math.abs((await window.inNextFrame(topOf)) - before - 90));
    }
    return most;
  });
  expect(moved).toBeLessThan(1.5);
});

test('a key goes to the last span, and it stays in view while texts above it load', async ({ page }) => {
  const tree = await openRun(page);
  await page.keyboard.press('End');
  const last = page.getByRole('treeitem', { selected: true });
  await expect(last.getByText(`Answer ${turns - 1}, line 0`)).toBeVisible();
  await expect(last).toBeInViewport({ ratio: 0.9 });
  await page.keyboard.press('Home');
  await expect(page.getByRole('treeitem', { selected: true })).toHaveAttribute('aria-level', '1');
  expect(await tree.evaluate((element) => element.scrollTop)).toBe(0);
});
