/**
 * Sums, in SQL, of what a sender may report any amount of. `sum` fails past 2^63, which a thousand spans can reach, and doubles become
 * infinite, which JSON cannot say: these stop where those of a trace do (trace-tree.ts).
 */
import { dollarsMax } from '../../trace-tree.ts';

export const sumOfTokens = (column: string): string => `min(total(${column}), ${Number.MAX_SAFE_INTEGER})`;

/** 0 where nothing is reported. */
export const boundedCost = (column: string): string => `coalesce(min(${column}, ${dollarsMax}), 0)`;
