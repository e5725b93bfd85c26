import type { BigIntStats } from 'node:fs';

/** Two looks at a file or folder that give the same text saw the same content, provided that the first was settled. */
export const stateOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string => [dev, ino, size, mtimeNs, ctimeNs].join();

/** File system timestamps have ticks of 10 ms or less, except FAT (2 s) and HFS+ (1 s). */
const tickMs = 100;
const coarseTickMs = 3_000;

/**
 * Whether the last change is old enough that another one would have a different timestamp. Two changes within a tick share one, so recent
 * content must not be cached.
 */
export function isSettled({ mtimeNs, ctimeNs }: BigIntStats, nowMs: number): boolean {
  const isCoarse = mtimeNs % 1_000_000_000n === 0n && ctimeNs % 1_000_000_000n === 0n;
  const changedMs = Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
  return nowMs - changedMs > (isCoarse ? coarseTickMs : tickMs);
}
