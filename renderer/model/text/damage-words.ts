/** Texts about damage. */
import type { Damaged } from '../../../shared/contract/core/damaged.ts';
import { plural } from './format.ts';

const names: Record<keyof Damaged['counts'], string> = {
  trace: 'trace',
  span: 'span',
  session: 'session',
  score: 'score',
  row: 'entry',
  database: 'part of the database',
  log: 'write-ahead log',
};
const plurals: Partial<Record<keyof Damaged['counts'], string>> = { row: 'entries', database: 'parts of the database' };

/** `3 traces, 1 part of the database` */
export function damageText({ counts }: Pick<Damaged, 'counts'>): string {
  const kinds = Object.keys(names) as (keyof Damaged['counts'])[];
  const parts = kinds.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [plural(count, names[kind], plurals[kind])];
  });
  return parts.join(', ') || 'the extent is unknown';
}
