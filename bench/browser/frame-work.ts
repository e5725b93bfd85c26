/**
 * CPU time of the page's main thread in each frame, from Chromium's trace events. It is independent of other load on the machine,
 * unlike the time between two frames.
 */
import type { Browser, Page } from '@playwright/test';

/** The page marks the first and the last frame under this name. A mark for each frame would cost as much as a small frame. */
export const moveMark = 'bench move';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  dur?: number;
  /** CPU time of the thread in the event, microseconds. */
  tdur?: number;
}

/** The tasks of the main thread, which contain everything that it does, the starts of its frames, and the marks of the page. */
const categories = ['toplevel', 'disabled-by-default-devtools.timeline.frame', 'blink.user_timing'];
const taskName = 'ThreadControllerImpl::RunTask';
const frameName = 'BeginMainThreadFrame';

/**
 * @returns the result of the action, and CPU milliseconds per frame: of the task in which the frame begins and of all tasks until the next one
 * @throws when Chromium reports no CPU times
 */
export async function withFrameWork<T>(browser: Browser, page: Page, action: () => Promise<T>): Promise<{ result: T; work: number[] }> {
  await browser.startTracing(page, { categories });
  const result = await action();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return { result, work: frameWork(traceEvents) };
}

function frameWork(events: TraceEvent[]): number[] {
  const [first, last] = events.filter(({ name }) => name === moveMark).sort((a, b) => a.ts - b.ts);
  if (!first || !last) throw new Error('The page did not mark its first and last frame');
  const onMainThread = events.filter(({ pid, tid }) => pid === first.pid && tid === first.tid);
  const tasks = outermost(onMainThread.filter(({ name, ph }) => name === taskName && ph === 'X'));
  if (!tasks.some(({ tdur }) => tdur !== undefined)) throw new Error('This Chromium reports no CPU times in its trace events');
  const starts = onMainThread.filter(({ name }) => name === frameName).sort((a, b) => a.ts - b.ts);
  const work: number[] = [];
  let frame = starts.findLastIndex(({ ts }) => ts <= first.ts);
  for (const { ts, dur = 0, tdur = 0 } of tasks) {
    if (ts > last.ts) break;
    for (let start = starts[frame]; start && start.ts < ts + dur; start = starts[++frame]) work.push(0);
    if (work.length > 0) work.push((work.pop() as number) + tdur / 1000);
  }
  // The last one is cut off.
  return work.slice(0, -1);
}

/** Tasks that are not part of another one: a task may run a nested loop. */
function outermost(tasks: TraceEvent[]): TraceEvent[] {
  let end = 0;
  return tasks
    .sort((a, b) => a.ts - b.ts)
    .filter(({ ts, dur = 0 }) => {
      if (ts < end) return false;
      end = ts + dur;
      return true;
    });
}
