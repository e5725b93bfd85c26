/** Checks the resource use of an agent while it works. Limits enforced by the kernel are not checked again. */
import { setTimeout as after } from 'node:timers/promises';
import type { ResourceLimits } from './containment.ts';
import { diskUse } from './disk-use.ts';
import { memoryOf } from './marked-processes.ts';

const MiB = 1024 * 1024;
/** The pause between two checks is at least this many times the duration of the last one. */
const pauseFactor = 10;

/** The workspace is over its disk limit: the changes of the turn are dropped. */
export class DiskLimitExceeded extends Error {
  constructor(bytesMax: number) {
    super(`The workspace takes more than ${Math.floor(bytesMax / MiB)} MiB: the changes of this turn were dropped`);
  }
}

/** @param checkMs pause between two checks; longer when a check takes long */
export async function watchAgent(
  folder: string,
  { diskBytes, memoryBytes, processes }: ResourceLimits,
  checkMs: number,
  signal: AbortSignal,
  onExceeded: (error: Error) => void,
): Promise<void> {
  let pauseMs = checkMs;
  while (!signal.aborted) {
    await after(pauseMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const startedMs = performance.now();
    if ((await diskUse(folder, diskBytes)) > diskBytes) return onExceeded(new DiskLimitExceeded(diskBytes));
    const { bytes, count } = await memoryOf(folder);
    if (bytes > memoryBytes) return onExceeded(new Error(`The agent took more than ${Math.floor(memoryBytes / MiB)} MiB of memory`));
    if (count > processes) return onExceeded(new Error(`The agent ran more than ${processes} processes at once`));
    pauseMs = Math.max(checkMs, pauseFactor * (performance.now() - startedMs));
  }
}
