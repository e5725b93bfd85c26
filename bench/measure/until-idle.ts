import { processUsage } from './machine.ts';

const timeoutMs = 600_000;
const stepMs = 500;

export interface IndexMeasure {
  /** Seconds and CPU time per span that the gateway needed for its signatures after the last span. */
  indexS: number;
  indexUsPerSpan: number;
}

/** Waits until a process is idle, or until a timeout. */
export async function untilIdle(pid: number, spans: number): Promise<IndexMeasure> {
  const [began, before] = [performance.now(), processUsage(pid).cpu];
  for (let cpu = before; performance.now() - began < timeoutMs; ) {
    await new Promise((resolve) => setTimeout(resolve, stepMs));
    const now = processUsage(pid).cpu;
    if (!(now - cpu > 0.05)) break;
    cpu = now;
  }
  return { indexS: (performance.now() - began) / 1000, indexUsPerSpan: ((processUsage(pid).cpu - before) * 1e6) / spans };
}
