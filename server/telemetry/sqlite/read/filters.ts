/** Filters of lists as conditions of their queries. */
import type { SQL } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { type Filter, positiveTwin } from '../../../../shared/filter/filter-tree.ts';
import { clauseCondition, filterConditions, isContent } from '../../filter-sql.ts';
import { type Bound, ContentScan, type FoundContent } from './content-scan.ts';
import { spanDialect, traceDialect } from './filter-dialect.ts';
import type { Reading } from './reader.ts';
import { shown } from './span-wire.ts';

const dialects = { traces: traceDialect, spans: spanDialect } as const;

const writer = new SQLiteSyncDialect();

/** A condition as text for statements that are put together by hand. */
export function boundOf(condition: SQL): Bound {
  const { sql, params } = writer.sqlToQuery(condition);
  return { text: sql, values: params };
}

const nothingFound: FoundContent = new Map();

export class Filters {
  readonly #scan: ContentScan;

  constructor({ db, sentSpans }: Pick<Reading, 'db' | 'sentSpans'>) {
    db.function('has_tag', { deterministic: true }, (set, tags) => {
      const held = JSON.parse(String(set)) as string[];
      return (JSON.parse(String(tags)) as string[]).some((tag) => held.includes(tag)) ? 1 : 0;
    });
    db.function('metadata_value', { deterministic: true }, (json, key) => {
      const metadata = JSON.parse(String(json)) as Record<string, string>;
      return Object.hasOwn(metadata, String(key)) ? metadata[String(key)] : null;
    });
    this.#scan = new ContentScan({ db, sentSpans });
  }

  /** @param plain what else the list asks of its rows: those of `trace`, or of `span` */
  conditions(resource: keyof typeof dialects, scope: number, filter: Filter, plain: Bound): SQL[] {
    const inRows = filter.clauses.filter((clause) => !clause.some(isContent));
    const conditions = filterConditions({ clauses: inRows }, dialects[resource](scope, nothingFound));
    if (inRows.length === filter.clauses.length) return conditions;
    const rest = filter.clauses.filter((clause) => clause.some(isContent));
    const sought = rest.flat().filter(isContent);
    const candidates = candidatesOf(resource, [plain, ...conditions.map(boundOf)]);
    const found = this.#scan.find(
      resource,
      candidates,
      sought.map((predicate) => positiveTwin(predicate).positive),
    );
    const dialect = dialects[resource](scope, found);
    return [...conditions, ...rest.map((clause) => clauseCondition(clause, dialect))];
  }
}

/** Spans to read: those that match so far themselves, or those of traces that do. */
function candidatesOf(resource: keyof typeof dialects, conditions: Bound[]): Bound {
  const text = conditions.map((condition) => condition.text).join(' AND ');
  const values = conditions.flatMap((condition) => condition.values);
  if (resource === 'spans') return { text, values };
  return { text: `${shown} AND span.trace IN (SELECT trace.id FROM trace WHERE ${text})`, values };
}
