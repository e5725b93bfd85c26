/** The report of a replay: counts by family and by field, and every difference. */
import { inspect } from 'node:util';
import type { Comparison, Count, Difference } from './comparison.ts';

const shownMax = 40;

export function report({ all, byFamily, byField, differences }: Comparison, verbose: boolean): string {
  const lines = ['', 'by family', ...table(byFamily), '', 'by field', ...table(byField), ''];
  const listed = verbose ? differences : differences.slice(0, shownMax);
  lines.push(...listed.map(differenceLine));
  const hidden = differences.length - listed.length;
  if (hidden > 0) lines.push(`... and ${hidden} more: --verbose lists them all`);
  lines.push('', `corpus: ${all.passed === all.total ? 'ok' : 'FAILED'}, ${all.passed} of ${all.total} expectations hold`);
  return lines.join('\n');
}

function table(counts: Map<string, Count>): string[] {
  const width = Math.max(...[...counts.keys()].map((key) => key.length));
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([key, { passed, total }]) =>
        `  ${key.padEnd(width)}  ${`${passed}/${total}`.padStart(13)}${passed === total ? '' : `  ${total - passed} differ`}`,
    );
}

function differenceLine({ capture, mode, place, field, expected, got }: Difference): string {
  return `${capture} (${mode}) · ${place} · ${field}\n    expected ${short(expected)}\n    got      ${short(got)}`;
}

function short(value: unknown): string {
  const text = inspect(value, { depth: 6, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 240, maxArrayLength: 20 });
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
