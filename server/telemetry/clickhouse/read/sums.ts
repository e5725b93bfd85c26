/** Sums and extremes in SQL that are those of the SQLite store. */
import { scorePart } from '../../score-bars.ts';
import { dollarsMax, picosPerDollar } from '../../trace-tree.ts';

/** Costs from which on a sum is not exact. */
const hugeDollars = 1e50;

/** Exact in any order, because it is added up in picodollars. */
export const sumOfCosts = (column: string): string => {
  const cost = `least(${column}, ${dollarsMax})`;
  const picos = `sum(toInt256(round(if(${column} < ${hugeDollars}, ${column}, 0) * ${picosPerDollar})))`;
  return `(toFloat64(${picos}) / ${picosPerDollar} + sumIf(${cost}, ${column} >= ${hugeDollars}))`;
};

/** `materialize` keeps the database from dividing after the sum. */
export const meanScore = `avg(materialize(score / ${scorePart}.0)) * ${scorePart}.0`;

export const sumOfTokens = (column: string): string => `toUInt64(least(sum(toUInt128(${column})), ${Number.MAX_SAFE_INTEGER}))`;

/**
 * What sorts texts by UTF-16 code units, as JavaScript does, when it is compared by bytes. The orders differ only in U+E000 to U+FFFF, which begin
 * with EE or EF and come after the characters that need two code units, which begin with F0 to F4.
 */
export const codeUnits = (text: string): string => String.raw`replaceAll(replaceAll(${text}, '\xEE', '\xFE'), '\xEF', '\xFF')`;

/** The first text of a group by code units; '' when all are empty. */
export const smallestText = (column: string): string => `argMinIf(${column}, ${codeUnits(column)}, ${column} <> '')`;
