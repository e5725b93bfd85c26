import type { BigIntStats } from 'node:fs';

/** Two looks at a file or folder that give the same text saw the same content, provided that the first was settled. */
export const stateOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string => [dev, ino, size, mtimeNs, ctimeNs].join();

/** Clocks of file systems tick every 10 ms or finer, except those that count whole seconds: FAT every 2 s, HFS+ every second. */
const tickMs = 100;
const coarseTickMs = 3_000;

/**
 * Whether the last change is so long ago that another one would show as another time. Within one tick of its clock a file system gives two
 * changes the same time, so what was read then must not be remembered.
 */
export function isSettled({ mtimeNs, ctimeNs }: BigIntStats, nowMs: number): boolean {
  const isCoarse = mtimeNs % 1_000_000_000n === 0n && ctimeNs % 1_000_000_000n === 0n;
  const changedMs = Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
  return nowMs - changedMs > (isCoarse ? coarseTickMs : tickMs);
}
