/** Comparisons of filters as SQL of SQLite. All values are bound and compared byte for byte, so that case matters and `%` is a plain character. */
import { type SQL, sql } from 'drizzle-orm';
import type { Operator } from '../../../../shared/filter/fields.ts';
import { holdsText, type TextTest } from '../../../../shared/filter/matcher.ts';

export const never = sql`0`;

export const any = (conditions: SQL[]): SQL => (conditions.length === 0 ? never : sql`(${sql.join(conditions, sql` OR `)})`);

export const all = (conditions: SQL[]): SQL => sql`(${sql.join(conditions, sql` AND `)})`;

/**
 * Applies a positive operator to a text that is not null. Prefixes and suffixes are compared as bytes, because SQLite's text functions stop at
 * U+0000. That is safe, because a UTF-8 text never starts in the middle of a character of another text.
 */
export function textHolds(text: SQL, { operator, values }: TextTest): SQL {
  const [value = ''] = values;
  const bytes = Buffer.from(value);
  switch (operator) {
    case 'contains':
      return sql`instr(${text}, ${value}) > 0`;
    case 'startsWith':
      return sql`substr(CAST(${text} AS BLOB), 1, ${bytes.length}) = ${bytes}`;
    case 'endsWith':
      return sql`substr(CAST(${text} AS BLOB), ${-bytes.length}) = ${bytes}`;
    default:
      return sql`${text} IN ${values}`;
  }
}

/** Whether the test is true for an absent value. */
export const holdsAbsent = (test: TextTest): boolean => holdsText(test, '');

/** Ids of the terms that satisfy a test. */
export const termsWhere = (scope: number, key: string, test: TextTest): SQL => termsOf(scope, key, textHolds(sql`term.value`, test));

/** Ids of the terms of a key for which a condition holds. */
export const termsOf = (scope: number, key: string, condition: SQL): SQL =>
  sql`(SELECT term.id FROM term WHERE term.scope = ${scope} AND term.key = ${key} AND ${condition})`;

export function numberHolds(number: SQL, { operator, values }: { operator: Operator; values: readonly number[] }): SQL {
  const [first = 0, second = 0] = values;
  switch (operator) {
    case 'gt':
      return sql`${number} > ${first}`;
    case 'gte':
      return sql`${number} >= ${first}`;
    case 'lt':
      return sql`${number} < ${first}`;
    case 'lte':
      return sql`${number} <= ${first}`;
    case 'between':
      return sql`${number} BETWEEN ${first} AND ${second}`;
    case 'notEquals':
      return sql`${number} <> ${first}`;
    default:
      return sql`${number} IN ${values}`;
  }
}
