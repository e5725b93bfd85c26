/**
 * CPU time of the page's main thread in each frame, from Chromium's trace events. It is independent of other load on the machine,
 * unlike the time between two frames.
 */
import type { Browser, Page } from '@playwright/test';

/** The page marks the start of each frame in its animation callback under this name. */
export const frameMark = 'bench frame';

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

/** The tasks of the main thread, which contain everything that it does, and the marks of the page. */
const categories = ['toplevel', 'blink.user_timing'];
const taskName = 'ThreadControllerImpl::RunTask';

/**
 * @returns the result of the action, and CPU milliseconds per frame: of the task with the frame's mark and of all tasks until the next one
 * @throws when Chromium reports no CPU times
 */
export async function withFrameWork<T>(browser: Browser, page: Page, action: () => Promise<T>): Promise<{ result: T; work: number[] }> {
  await browser.startTracing(page, { categories });
  const result = await action();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return { result, work: frameWork(traceEvents) };
}

function frameWork(events: TraceEvent[]): number[] {
  const marks = events.filter(({ name }) => name === frameMark).sort((a, b) => a.ts - b.ts);
  const [first] = marks;
  if (!first) throw new Error('The page marked no frame');
  const isMainThread = ({ pid, tid }: TraceEvent) => pid === first.pid && tid === first.tid;
  const tasks = outermost(events.filter((event) => isMainThread(event) && event.name === taskName && event.ph === 'X'));
  if (!tasks.some(({ tdur }) => tdur !== undefined)) throw new Error('This Chromium reports no CPU times in its trace events');
  const work: number[] = [];
  let mark = 0;
  for (const { ts, dur = 0, tdur = 0 } of tasks) {
    for (; mark < marks.length && (marks[mark] as TraceEvent).ts < ts + dur; mark++) work.push(0);
    if (work.length > 0) work.push((work.pop() as number) + tdur / 1000);
  }
  // Chromium may still have drawn the last frame when tracing stopped.
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
