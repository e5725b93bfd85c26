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
  /** Of each view while it moves without a pause: from one frame to the next, with the limit of frames a second lifted. */
  frames: Frames[];
}

export interface Frames {
  /** Milliseconds between frames. Without a graphics card the processor draws the pixels too, and that is in it. */
  interval: Spread;
  /** What the page's main thread works in one, on average: script, styles, layout and paint. */
  work: number;
}

interface Measured {
  url: string;
  traceId: string;
  warmUp: string;
  rounds: number;
}

const framesWanted = 240;
/** How often each view is moved: a hundredth of 240 frames would be chance. */
const movesWanted = 3;

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
    const { done: clock, processor } = await meter(() => timeToRows(page, `#/traces/${traceId}?view=tree`));
    openings.push({ clock, processor });
    // Nothing of it is kept: what is measured is the first look at a trace.
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
  for (const [view, how] of views) {
    const moves: Moved[] = [];
    for (let again = 0; again < movesWanted; again++) {
      await timeToRows(page, `#/traces/${warmUp}?view=tree`);
      await timeToRows(page, `#/traces/${traceId}?view=${view}`);
      moves.push(await meter(() => move(page, how)));
    }
    frames.push(framesOf(moves));
  }
  await page.close();
  return { outlineMs: spread(outline), open: workOf(openings), frames };
}

interface Moved {
  done: number[];
  processor: number;
}

interface Taken {
  clock: number;
  processor: number;
}

type Meter = <T>(act: () => Promise<T>) => Promise<{ done: T; processor: number }>;

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
    const done = await act();
    return { done, processor: (await worked()) - before };
  };
}

function framesOf(moves: Moved[]): Frames {
  const intervals = moves.flatMap(({ done }) => done);
  return { interval: spread(intervals), work: moves.reduce((sum, { processor }) => sum + processor, 0) / intervals.length };
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

/** A step of the wheel in every frame, one frame after the other: scrolls down, or closer and back again. */
const move = (page: Page, how: 'scroll' | 'zoom'): Promise<number[]> =>
  page.getByRole('tree').evaluate(
    (rows, { kind, wanted }) =>
      new Promise<number[]>((resolve) => {
        const intervals: number[] = [];
        const { left, top, width } = rows.getBoundingClientRect();
        const at = { clientX: left + width * 0.7, clientY: top + 100, ctrlKey: true, bubbles: true, cancelable: true };
        let before = 0;
        const next = (now: number) => {
          if (before > 0) intervals.push(now - before);
          before = now;
          if (intervals.length === wanted) return resolve(intervals);
          if (kind === 'scroll') rows.scrollTop += 120;
          else rows.dispatchEvent(new WheelEvent('wheel', { ...at, deltaY: intervals.length % 40 < 20 ? -20 : 20 }));
          requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
    { kind: how, wanted: framesWanted },
  );
