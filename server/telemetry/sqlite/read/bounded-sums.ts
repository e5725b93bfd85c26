/**
 * SQL sums of amounts that senders may report without limit. `sum` fails beyond 2^63, which a thousand spans can reach, and doubles become
 * infinite, which JSON cannot express. These sums are limited like those of a trace (trace-tree.ts).
 */
import { dollarsMax } from '../../trace-tree.ts';

export const sumOfTokens = (column: string): string => `min(total(${column}), ${Number.MAX_SAFE_INTEGER})`;

/** 0 where no cost is reported. */
export const boundedCost = (column: string): string => `coalesce(min(${column}, ${dollarsMax}), 0)`;
