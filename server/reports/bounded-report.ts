/** Puts a report together within a budget of characters. What does not fit is left out whole, and counted. */

export const budget = { default: 20_000, min: 1_000, max: 100_000 } as const;

export interface Sections {
  /** Lines that are always there. */
  head: readonly string[];
  /** Items in the order in which they are shown; each is one or more lines. */
  items: readonly string[];
  /** Closing lines, given how many of the items are shown. */
  foot: (shown: number) => readonly string[];
}

/**
 * The items that fit, from the first on. Head and foot are cut as a last resort, so that the answer is never longer than the budget.
 * @param lengthMax characters
 */
export function boundedReport({ head, items, foot }: Sections, lengthMax: number): string {
  const longestFoot = Math.max(lengthOf(foot(0)), lengthOf(foot(items.length)), lengthOf(foot(Math.max(items.length - 1, 0))));
  let left = lengthMax - lengthOf(head) - longestFoot - 2;
  let shown = 0;
  for (const item of items) {
    left -= item.length + 1;
    if (left < 0) break;
    shown++;
  }
  return cut([...head, ...items.slice(0, shown), ...foot(shown)].join('\n'), lengthMax);
}

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

const cutNotice = '\n[cut: the budget of characters is too small for this report]';

const cut = (text: string, lengthMax: number): string =>
  text.length <= lengthMax
    ? text
    : `${text.slice(0, Math.max(lengthMax - cutNotice.length, 0)).toWellFormed()}${cutNotice}`.slice(0, lengthMax);

/** ` 12 left out: …`, or nothing; to stand after how many are shown. */
export const leftOut = (shown: number, all: number): string =>
  shown < all ? ` ${all - shown} left out: use a larger max_characters, or ask for less.` : '';
