/**
 * One trace in a browser: how long it takes to open, and how long its frames take while it is scrolled and zoomed. Each both by
 * the clock and in processor time of the page's main thread, which says the same on a busy machine.
 */
import type { Browser, Page } from '@playwright/test';
import type { HttpClient } from '../gateway/http-client.ts';
import { quantile } from '../measure/quantiles.ts';

export interface Spread {
  p50: number;
  p95: number;
  max: number;
}

export interface Work {
  clock: Spread;
  processor: Spread;
}

export interface PageFigures {
  /** What the gateway alone takes for the columns of the trace. */
  outlineMs: Spread;
  /** From the change of the address to the frame in which the rows are drawn. */
  open: Work;
  /** A frame in which nothing is done: what the measurement itself takes. Then scrolling each view, and zooming the timeline. */
  frames: Work[];
  /**
   * For each of those but the first, the page's own work in its frames: script, styles, layout and paint of the main thread in
   * processor time, less what an idle frame takes. On a machine without a graphics card the clock says how long pixels take too.
   */
  own: Spread[];
}

interface Measured {
  url: string;
  traceId: string;
  warmUp: string;
  rounds: number;
}

const framesWanted = 120;

const spread = (values: number[]): Spread => ({ p50: quantile(values, 0.5), p95: quantile(values, 0.95), max: Math.max(...values) });

export async function measureTracePage(browser: Browser, client: HttpClient, measured: Measured): Promise<PageFigures> {
  const { url, traceId, warmUp, rounds } = measured;
  const outline: number[] = [];
  for (let round = 0; round < rounds; round++) outline.push((await client.get(`/v1/viewer/traces/${traceId}/outline`)).ms);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const meter = await meterOf(page);
  const openings: Taken[] = [];
  await page.goto(`${url}/#/traces/${warmUp}?view=tree`);
  for (let round = 0; round < rounds; round++) {
    await page.getByRole('treeitem').first().waitFor();
    openings.push(await meter(() => timeToRows(page, `#/traces/${traceId}?view=tree`)));
    // Nothing of it is kept: what is measured is the first look at a trace.
    await timeToRows(page, `#/traces/${warmUp}?view=tree`);
    await page.reload();
  }
  const frames = [await framesOf(meter, () => frame(page, 'none'))];
  for (const view of ['tree', 'timeline', 'transcript']) {
    await timeToRows(page, `#/traces/${traceId}?view=${view}`);
    frames.push(await framesOf(meter, () => frame(page, 'scroll')));
  }
  await timeToRows(page, `#/traces/${traceId}?view=timeline`);
  frames.push(await framesOf(meter, (index) => frame(page, index % 40 < 20 ? 'closer' : 'wider')));
  await page.close();
  return { outlineMs: spread(outline), open: workOf(openings), frames, own: ownWork(frames) };
}

function ownWork([nothing, ...frames]: Work[]): Spread[] {
  const idle = nothing?.processor.p50 ?? 0;
  const less = (ms: number) => Math.max(0, ms - idle);
  return frames.map(({ processor: { p50, p95, max } }) => ({ p50: less(p50), p95: less(p95), max: less(max) }));
}

interface Taken {
  clock: number;
  processor: number;
}

type Meter = (act: () => Promise<number>) => Promise<Taken>;

const workOf = (taken: Taken[]): Work => ({
  clock: spread(taken.map(({ clock }) => clock)),
  processor: spread(taken.map(({ processor }) => processor)),
});

/** Counts what the main thread of the page works during an act, in milliseconds of processor time. */
async function meterOf(page: Page): Promise<Meter> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  return async (act) => {
    const before = await worked();
    const clock = await act();
    return { clock, processor: (await worked()) - before };
  };
}

async function framesOf(meter: Meter, act: (index: number) => Promise<number>): Promise<Work> {
  const taken: Taken[] = [];
  for (let index = 0; index < framesWanted; index++) taken.push(await meter(() => act(index)));
  return workOf(taken);
}

/** Sets the address and waits for the frame that shows the first rows of another trace or view. */
const timeToRows = (page: Page, hash: string): Promise<number> =>
  page.evaluate(
    (to) =>
      new Promise<number>((resolve) => {
        const before = document.querySelector('[role=treeitem]');
        const began = performance.now();
        const look = new MutationObserver(() => {
          const row = document.querySelector('[role=treeitem]');
          if (row === null || row === before) return;
          look.disconnect();
          // The callback runs before the frame with the rows is drawn, the one after the next when it has been.
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - began)));
        });
        look.observe(document.body, { childList: true, subtree: true });
        location.hash = to;
      }),
    hash,
  );

/** One step of the wheel, and the frame that shows it. */
const frame = (page: Page, step: 'none' | 'scroll' | 'closer' | 'wider'): Promise<number> =>
  page.getByRole('tree').evaluate(
    (rows, how) =>
      new Promise<number>((resolve) => {
        const began = performance.now();
        const { left, top, width } = rows.getBoundingClientRect();
        const at = { clientX: left + width * 0.7, clientY: top + 100, ctrlKey: true, bubbles: true, cancelable: true };
        if (how === 'scroll') rows.scrollTop += 120;
        else if (how !== 'none') rows.dispatchEvent(new WheelEvent('wheel', { ...at, deltaY: how === 'closer' ? -20 : 20 }));
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - began)));
      }),
    step,
  );
