/** Checks the resource use of an agent while it works. Limits enforced by the kernel are not checked again. */
import { setTimeout as after } from 'node:timers/promises';
import type { Measure } from './containment.ts';
import { diskUse } from './disk-use.ts';
import { memoryOf } from './marked-processes.ts';

const MiB = 1024 * 1024;
/** A look that takes long is not taken often. */
const patience = 10;

/** Too much on the disk: nothing of it is worth keeping. */
export class DiskSpent extends Error {
  constructor(bytesMax: number) {
    super(`The workspace takes more than ${Math.floor(bytesMax / MiB)} MiB: what the turn left was dropped`);
  }
}

/** @param lookMs between two looks; longer where a look takes long */
export async function watchAgent(
  folder: string,
  { diskBytes, memoryBytes, processes }: Measure,
  lookMs: number,
  signal: AbortSignal,
  onSpent: (why: Error) => void,
): Promise<void> {
  let pauseMs = lookMs;
  while (!signal.aborted) {
    await after(pauseMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const before = performance.now();
    if ((await diskUse(folder, diskBytes)) > diskBytes) return onSpent(new DiskSpent(diskBytes));
    const { bytes, count } = await memoryOf(folder);
    if (bytes > memoryBytes) return onSpent(new Error(`The agent took more than ${Math.floor(memoryBytes / MiB)} MiB of memory`));
    if (count > processes) return onSpent(new Error(`The agent ran more than ${processes} processes at once`));
    pauseMs = Math.max(lookMs, patience * (performance.now() - before));
  }
}
