/** What a context window leaves out, in sentences. */
import type { ContextWindow } from '../../../shared/contract/tracing/context-windows.ts';
import { count, plural } from '../text/format.ts';

export function contextNotices({ calls }: ContextWindow, isWhole: boolean): string[] {
  const notices: string[] = [];
  const without = (state: 'not_recorded' | 'damaged') => calls.flatMap(({ prompt }, index) => (prompt === state ? index + 1 : []));
  const missing = without('not_recorded');
  if (missing.length === calls.length) notices.push('The messages of these calls were not recorded: only their totals are known.');
  else if (missing.length > 0) {
    const first = calls.findIndex(({ prompt }) => prompt === 'recorded') + 1;
    const begins = missing.at(-1) === missing.length ? `; shares begin at call ${count(first)}` : '';
    notices.push(`The messages of ${callsText(missing)} were not recorded${begins}.`);
  }
  const damaged = without('damaged');
  if (damaged.length > 0) notices.push(`The messages of ${callsText(damaged)} are damaged and cannot be read.`);
  if (!isWhole) notices.push('This trace has more calls than are read at once: only the first are here.');
  return notices;
}

/** `calls 1 to 3`, `call 2`, `7 calls` */
function callsText(numbers: readonly number[]): string {
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
  if (numbers.length === 1) return `call ${count(first)}`;
  return last - first + 1 === numbers.length ? `calls ${count(first)} to ${count(last)}` : plural(numbers.length, 'call');
}
