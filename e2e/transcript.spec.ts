/** The transcript of a long run while it scrolls: rows of unknown heights, of which only those in view are drawn. */
import { expect, type Locator, type Page } from '@playwright/test';
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
      // Texts are fetched once the list rests for 60 ms, and so arrive between a movement and its frame, or after it.
      if (step % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 55 + step * 2));
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

const markdown = (reasons: number) =>
  [
    'The lid is **cracked**. [The handbook](https://handbook.example/refunds) ![photo](https://track.example/a.png) <b class="planted">bold</b>',
    '- a new kettle\n- the money',
    ...Array.from({ length: reasons }, (_, n) => `Reason ${n} is explained at length here.`),
    'The very end.',
  ].join('\n\n');

async function openMessage(page: Page, reasons = 120): Promise<Locator> {
  const [traceId, root] = [aTraceId(), aSpanId()];
  const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'shop' };
  await gateway.ingest(
    aRequest([
      aSpan({ traceId, spanId: root, name: 'shop', durationMs: 900, attributes: agent }),
      aChat({ traceId, parentSpanId: root, ask: 'Read **this**.', reply: markdown(reasons) }),
    ]),
  );
  await page.goto(`${gateway.url}/#/traces/${traceId}?view=transcript`);
  return page.getByRole('tree', { name: /transcript/ }).getByRole('treeitem', { name: /chat gpt-4o/ });
}

test('messages are drawn as Markdown: no HTML, no image, and a link asks first', async ({ page }) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  const row = await openMessage(page);
  await expect(row.locator('strong', { hasText: 'cracked' })).toBeVisible();
  await expect(row.locator('strong', { hasText: 'this' })).toBeVisible();
  await expect(row.getByRole('listitem')).toHaveCount(2);
  await expect(row.getByText('<b class="planted">bold</b>')).toBeVisible();
  await expect(row.locator('img, .planted, a')).toHaveCount(0);
  await row.getByRole('button', { name: 'The handbook' }).click();
  await expect(page.getByRole('dialog', { name: 'Leave this page' })).toContainText('Open handbook.example?');
  await page.keyboard.press('Escape');
  await expect(row).toHaveAttribute('aria-selected', 'false');
  expect(requested.filter((url) => !url.startsWith(gateway.url))).toEqual([]);
});

test('a long message is parsed and shown up to a limit, then whole on request', async ({ page }) => {
  const row = await openMessage(page);
  await expect(row.getByText('Reason 0 is explained')).toBeAttached();
  await expect(row.getByText('Reason 110 is explained')).toHaveCount(0);
  const collapsed = (await row.boundingBox())?.height ?? 0;
  expect(collapsed).toBeLessThan(330);
  await row.getByRole('button', { name: 'Show more' }).click();
  await expect(row.getByText('The very end.')).toBeAttached();
  await row.getByRole('button', { name: 'Show less' }).click();
  await expect(row.getByText('The very end.')).toHaveCount(0);
  await expect(row.getByText(/Long texts are shortened here/)).toHaveCount(0);
});

test('a transcript says where the gateway shortened a text', async ({ page }) => {
  const row = await openMessage(page, 400);
  await expect(row.getByText(/Long texts are shortened here/)).toBeVisible();
});
