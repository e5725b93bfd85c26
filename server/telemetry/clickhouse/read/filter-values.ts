/** Stored values of a filter field by prefix, in code point order. */
import type { Scope } from '../../../platform/scope.ts';
import { termKey } from '../../sqlite/file/codes.ts';
import type { ReadContext } from './read-context.ts';
import { integer, raw, type Sql, sql, text } from './sql.ts';
import { isOfApp } from './trace-where.ts';

/** Fields whose values are terms of traces. */
const terms: Record<string, string> = {
  model: termKey.model,
  user_id: termKey.user,
  session_id: termKey.session,
  prompt_name: termKey.prompt,
  semantic_kind: termKey.kind,
  tags: termKey.tag,
  environment: termKey.environment,
};

/** Columns of spans. */
const columns: Record<string, string> = { name: 'name', span_name: 'name', service: 'service' };
const metadata = termKey.metadata('');

export async function filterValues(
  context: ReadContext,
  scope: Scope,
  { field, prefix, limit }: { field: string; prefix: string; limit: number },
): Promise<string[]> {
  const source = sourceOf(field);
  if (!source) return [];
  const rows = await context.find<{ value: string }>(
    scope,
    sql`SELECT DISTINCT value FROM (${source}) WHERE startsWith(value, ${text(prefix)}) AND value != ''
        ORDER BY value LIMIT ${integer(limit)}`,
  );
  return rows.map(({ value }) => value);
}

/** A query of `value`; null for a field without stored values. */
function sourceOf(field: string): Sql | null {
  const ofTerms = (value: string, condition: Sql) =>
    sql`SELECT arrayJoin(arrayMap(term -> ${raw(value)}, arrayFilter(term -> ${condition}, terms))) AS value
        FROM trace FINAL WHERE ${isOfApp}`;
  if (field === 'score') return sql`SELECT toString(name) AS value FROM score FINAL WHERE ${isOfApp}`;
  if (field === 'metadata') {
    return ofTerms(`substring(toString(term.1), ${metadata.length + 1})`, sql`startsWith(toString(term.1), ${text(metadata)})`);
  }
  const column = Object.hasOwn(columns, field) ? columns[field] : undefined;
  if (column !== undefined) return sql`SELECT toString(${raw(column)}) AS value FROM span FINAL WHERE ${isOfApp}`;
  const key = field.startsWith(metadata) ? field : Object.hasOwn(terms, field) ? terms[field] : undefined;
  return key === undefined ? null : ofTerms('term.2', sql`term.1 = ${text(key)}`);
}
