/** Which traces and spans a score is about, as SQL. Most ids are their own key; only those of others are stored. */
import { raw, type Sql, sql } from './sql.ts';

/** Key of the scores of a row. */
export const scoreKeyOf = (column: 'trace_id' | 'span_id'): Sql => raw(`if(score_key = '', ${column}, score_key)`);

/** Whether the key of a row is one of those that a subquery selects. */
export const resourceHolds = (column: 'trace_id' | 'span_id', keys: Sql): Sql => sql`${scoreKeyOf(column)} IN ${keys}`;
