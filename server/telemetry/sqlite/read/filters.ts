/** Translates the filters of lists to SQL conditions. */
import { type SQL, sql } from 'drizzle-orm';
import { type Filter, type ScorePredicate, splitNegation } from '../../../../shared/filter/filter-tree.ts';
import { clauseCondition, filterConditions, isContent } from '../../filter-sql.ts';
import { isObject, storedJson, storedTags } from '../file/damaged.ts';
import { type Bound, boundOf } from './bound.ts';
import { ContentScan, type ScanContext } from './content-scan.ts';
import { never } from './filter-comparisons.ts';
import { among, type ContentCondition, spanDialect, traceDialect } from './filter-dialect.ts';
import { ScoredRows } from './scored-rows.ts';
import { isVisible } from './span-wire.ts';

const dialects = { traces: traceDialect, spans: spanDialect } as const;

export class Filters {
  readonly #scan: ContentScan;
  readonly #scoredRows: ScoredRows;

  /** Row ids that conditions of the running read refer to. */
  readonly #matches: ReadonlySet<number>[] = [];

  constructor({ db, sentSpans, limit, damageReporter }: ScanContext) {
    db.function('has_tag', { deterministic: true }, (set, tags) => {
      limit.check();
      const stored = damageReporter.read('row', set, () => storedTags(set)) ?? [];
      return (JSON.parse(String(tags)) as string[]).some((tag) => stored.includes(tag)) ? 1 : 0;
    });
    db.function('metadata_value', { deterministic: true }, (json, key) => {
      limit.check();
      const metadata = damageReporter.read('row', json, () => storedJson<Record<string, string>>(json, 'Metadata', isObject)) ?? {};
      return Object.hasOwn(metadata, String(key)) ? metadata[String(key)] : null;
    });
    db.function('is_match', (place, id) => {
      limit.check();
      return this.#matches[Number(place)]?.has(Number(id)) ? 1 : 0;
    });
    this.#scan = new ContentScan({ db, sentSpans, limit, damageReporter });
    this.#scoredRows = new ScoredRows({ db, limit, damageReporter });
  }

  /** Ids of rows with a score that satisfies a predicate. */
  rowsWithScore(resource: keyof typeof dialects, scope: number, predicate: ScorePredicate): number[] {
    return this.#scoredRows.find(resource, scope, predicate);
  }

  /** @param plain further conditions of the list on rows of `trace` or `span` */
  conditions(resource: keyof typeof dialects, scope: number, filter: Filter, plain: Bound & { isNarrow: boolean }): SQL[] {
    const rowsWithScore = (predicate: ScorePredicate) => this.#scoredRows.find(resource, scope, predicate);
    const rowClauses = filter.clauses.filter((clause) => !clause.some(isContent));
    const conditions = filterConditions({ clauses: rowClauses }, dialects[resource](scope, noContent, rowsWithScore));
    if (rowClauses.length === filter.clauses.length) return conditions;
    const contentClauses = filter.clauses.filter((clause) => clause.some(isContent));
    const contentPredicates = contentClauses.flat().filter(isContent);
    const bound = candidatesOf(resource, [plain, ...conditions.map(boundOf)]);
    const found = this.#scan.find(
      { ...bound, resource, scope, isNarrow: plain.isNarrow || conditions.length > 0 },
      contentPredicates.map((predicate) => splitNegation(predicate).positive),
    );
    this.#matches.length = 0;
    const dialect = dialects[resource](scope, (key) => this.#among(found.get(key) ?? new Set()), rowsWithScore);
    return [...conditions, ...contentClauses.map((clause) => clauseCondition(clause, dialect))];
  }

  /** Few rows are fetched by id; many are tested while a list is scanned. */
  #among(ids: ReadonlySet<number>): (id: SQL) => SQL {
    if (ids.size <= fewRows) return (id) => among(id, ids);
    const place = this.#matches.push(ids) - 1;
    return (id) => sql`is_match(${place}, ${id})`;
  }
}

const fewRows = 2000;

const noContent: ContentCondition = () => () => never;

/** Spans to read: those that match so far, or those of matching traces. */
function candidatesOf(resource: keyof typeof dialects, conditions: Bound[]): Bound {
  const text = conditions.map((condition) => condition.text).join(' AND ');
  const values = conditions.flatMap((condition) => condition.values);
  if (resource === 'spans') return { text, values };
  return { text: `${isVisible} AND span.trace IN (SELECT trace.id FROM trace WHERE ${text})`, values };
}
