/**
 * Frees memory when a thread has been idle for a moment. V8 collects garbage only when it allocates, so after a burst of ingest
 * an idle gateway on a developer's laptop would keep the burst's garbage for hours.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const idleMs = 2_000;
/** Less work than this leaves too little garbage to be worth a collection. */
const workMin = 20;

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'regular' | 'last-resort' }) => void;

function exposedCollect(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}

/**
 * For a thread that works for minutes while it holds much: left alone, its heap grows by half before V8 collects. Returns a function to be called
 * after each piece of work.
 * @param everyMs a collection takes about a millisecond for each megabyte that the thread holds
 */
export function collectEvery(everyMs: number): () => void {
  const collect = exposedCollect();
  let collectedAt = performance.now();
  return () => {
    if (performance.now() - collectedAt < everyMs) return;
    collect({ type: 'major', execution: 'sync', flavor: 'regular' });
    collectedAt = performance.now();
  };
}

/** Collects once after the start of the thread. Returns a function to be called after each piece of work. */
export function collectWhenIdle(): () => void {
  const collect = exposedCollect();
  // A start leaves garbage too: a tenth of the heap.
  let work = workMin;
  const collectGarbage = () => {
    timer = null;
    if (work >= workMin) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    work = 0;
  };
  let timer: NodeJS.Timeout | null = setTimeout(collectGarbage, idleMs).unref();
  return () => {
    work++;
    if (timer) timer.refresh();
    else timer = setTimeout(collectGarbage, idleMs).unref();
  };
}
