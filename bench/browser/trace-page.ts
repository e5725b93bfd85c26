/**
 * Measures one trace in a browser: the time to open it, and the frame times while it is scrolled and zoomed. Each in wall-clock time and
 * in CPU time of the page's main thread, which is independent of other load on the machine.
 */
import type { Browser, Page } from '@playwright/test';
import type { HttpClient } from '../gateway/http-client.ts';
import { quantile } from '../measure/quantiles.ts';
import { moveMark, withFrameWork } from './frame-work.ts';

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
  /** Response time of the gateway for the outline of the trace. */
  outlineMs: Spread;
  /** From the change of the URL to the frame in which the rows are drawn. */
  open: Work;
  /** For each view while it moves continuously, without a frame rate limit. */
  frames: Frames[];
}

export interface Frames {
  /** Milliseconds between frames. Without a graphics card this includes drawing the pixels on the CPU. */
  interval: Spread;
  /** CPU milliseconds of the page's main thread per frame: script, styles, layout and paint. */
  work: Spread;
}

interface Target {
  url: string;
  traceId: string;
  warmUp: string;
  rounds: number;
}

const framesPerMove = 240;
/** How often each view is moved: 240 frames alone are too few for p99. */
const moveCount = 3;

const spread = (values: number[]): Spread => ({ p50: quantile(values, 0.5), p95: quantile(values, 0.95), max: Math.max(...values) });

export async function measureTracePage(browser: Browser, client: HttpClient, target: Target): Promise<PageFigures> {
  const { url, traceId, warmUp, rounds } = target;
  const outline: number[] = [];
  for (let round = 0; round < rounds; round++) outline.push((await client.get(`/v1/viewer/traces/${traceId}/outline`)).ms);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const meter = await startMeter(page);
  const openings: Opening[] = [];
  await page.goto(`${url}/#/traces/${warmUp}?view=tree`);
  for (let round = 0; round < rounds; round++) {
    await page.getByRole('treeitem').first().waitFor();
    const { result: clock, processor } = await meter(() => timeToRows(page, `#/traces/${traceId}?view=tree`));
    openings.push({ clock, processor });
    // Clears the caches of the page: the first opening of a trace is measured.
    await timeToRows(page, `#/traces/${warmUp}?view=tree`);
    await page.reload();
  }
  const views = [
    ['tree', 'scroll'],
    ['timeline', 'scroll'],
    ['transcript', 'scroll'],
    ['timeline', 'zoom'],
  ] as const;
  const frames: Frames[] = [];
  for (const [view, how] of views) frames.push(await measureMoves(browser, page, target, view, how));
  await page.close();
  return { outlineMs: spread(outline), open: workOf(openings), frames };
}

/** Moves one view, each time after it was opened anew. */
async function measureMoves(
  browser: Browser,
  page: Page,
  { traceId, warmUp }: Pick<Target, 'traceId' | 'warmUp'>,
  view: string,
  how: 'scroll' | 'zoom',
): Promise<Frames> {
  const interval: number[] = [];
  const work: number[] = [];
  for (let again = 0; again < moveCount; again++) {
    await timeToRows(page, `#/traces/${warmUp}?view=tree`);
    await timeToRows(page, `#/traces/${traceId}?view=${view}`);
    const moved = await withFrameWork(browser, page, () => move(page, how));
    interval.push(...moved.result);
    work.push(...moved.work);
  }
  return { interval: spread(interval), work: spread(work) };
}

interface Opening {
  clock: number;
  processor: number;
}

type Meter = <T>(action: () => Promise<T>) => Promise<{ result: T; processor: number }>;

const workOf = (openings: Opening[]): Work => ({
  clock: spread(openings.map(({ clock }) => clock)),
  processor: spread(openings.map(({ processor }) => processor)),
});

/** Measures the CPU milliseconds of the page's main thread during an action. */
async function startMeter(page: Page): Promise<Meter> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpuMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  return async (action) => {
    const before = await cpuMs();
    const result = await action();
    return { result, processor: (await cpuMs()) - before };
  };
}

/** Sets the URL and waits for the frame that shows the first rows of another trace or view. */
const timeToRows = (page: Page, hash: string): Promise<number> =>
  page.evaluate(
    (to) =>
      new Promise<number>((resolve) => {
        const before = document.querySelector('[role=treeitem]');
        const began = performance.now();
        const observer = new MutationObserver(() => {
          const row = document.querySelector('[role=treeitem]');
          if (row === null || row === before) return;
          observer.disconnect();
          // The first callback runs before the frame with the rows is drawn, the second one after it.
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - began)));
        });
        observer.observe(document.body, { childList: true, subtree: true });
        location.hash = to;
      }),
    hash,
  );

/** One wheel step per frame: scrolls down, or zooms in and out again. */
const move = (page: Page, how: 'scroll' | 'zoom'): Promise<number[]> =>
  page.getByRole('tree').evaluate(
    (rows, { kind, wanted, mark }) =>
      new Promise<number[]>((resolve) => {
        const intervals: number[] = [];
        const { left, top, width } = rows.getBoundingClientRect();
        const at = { clientX: left + width * 0.7, clientY: top + 100, ctrlKey: true, bubbles: true, cancelable: true };
        let before = 0;
        const next = (now: number) => {
          if (before > 0) intervals.push(now - before);
          if (before === 0 || intervals.length === wanted) performance.mark(mark);
          if (intervals.length === wanted) return resolve(intervals);
          before = now;
          if (kind === 'scroll') rows.scrollTop += 120;
          else rows.dispatchEvent(new WheelEvent('wheel', { ...at, deltaY: intervals.length % 40 < 20 ? -20 : 20 }));
          requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
    { kind: how, wanted: framesPerMove, mark: moveMark },
  );
