/** Filters of lists as conditions of their queries. */
import { type SQL, sql } from 'drizzle-orm';
import { type Filter, type ScorePredicate, splitNegation } from '../../../../shared/filter/filter-tree.ts';
import { clauseCondition, filterConditions, isContent } from '../../filter-sql.ts';
import { isObject, storedJson, storedTags } from '../file/damaged.ts';
import { type Bound, boundOf } from './bound.ts';
import { ContentScan, type ScanContext } from './content-scan.ts';
import { never } from './filter-comparisons.ts';
import { among, type ContentCondition, spanDialect, traceDialect } from './filter-dialect.ts';
import { ScorePlaces } from './score-places.ts';
import { shown } from './span-wire.ts';

const dialects = { traces: traceDialect, spans: spanDialect } as const;

export class Filters {
  readonly #scan: ContentScan;
  readonly #scorePlaces: ScorePlaces;

  /** Row numbers that conditions of the running read refer to. */
  readonly #held: ReadonlySet<number>[] = [];

  constructor({ db, sentSpans, limit, damages }: ScanContext) {
    db.function('has_tag', { deterministic: true }, (set, tags) => {
      limit.check();
      const held = damages.read('row', set, () => storedTags(set)) ?? [];
      return (JSON.parse(String(tags)) as string[]).some((tag) => held.includes(tag)) ? 1 : 0;
    });
    db.function('metadata_value', { deterministic: true }, (json, key) => {
      limit.check();
      const metadata = damages.read('row', json, () => storedJson<Record<string, string>>(json, 'Metadata', isObject)) ?? {};
      return Object.hasOwn(metadata, String(key)) ? metadata[String(key)] : null;
    });
    db.function('is_held', (place, id) => {
      limit.check();
      return this.#held[Number(place)]?.has(Number(id)) ? 1 : 0;
    });
    this.#scan = new ContentScan({ db, sentSpans, limit, damages });
    this.#scorePlaces = new ScorePlaces(db);
  }

  /** @param plain further conditions of the list on rows of `trace` or `span` */
  conditions(resource: keyof typeof dialects, scope: number, filter: Filter, plain: Bound & { isNarrow: boolean }): SQL[] {
    const scored = (predicate: ScorePredicate) => this.#scorePlaces.find(resource, scope, predicate);
    const inRows = filter.clauses.filter((clause) => !clause.some(isContent));
    const conditions = filterConditions({ clauses: inRows }, dialects[resource](scope, noContent, scored));
    if (inRows.length === filter.clauses.length) return conditions;
    const rest = filter.clauses.filter((clause) => clause.some(isContent));
    const sought = rest.flat().filter(isContent);
    const bound = candidatesOf(resource, [plain, ...conditions.map(boundOf)]);
    const found = this.#scan.find(
      { ...bound, resource, scope, isNarrow: plain.isNarrow || conditions.length > 0 },
      sought.map((predicate) => splitNegation(predicate).positive),
    );
    this.#held.length = 0;
    const dialect = dialects[resource](scope, (key) => this.#among(found.get(key) ?? new Set()), scored);
    return [...conditions, ...rest.map((clause) => clauseCondition(clause, dialect))];
  }

  /** Few rows are fetched by number, many are looked up as a list walks past. */
  #among(ids: ReadonlySet<number>): (id: SQL) => SQL {
    if (ids.size <= fewRows) return (id) => among(id, ids);
    const place = this.#held.push(ids) - 1;
    return (id) => sql`is_held(${place}, ${id})`;
  }
}

const fewRows = 2000;

const noContent: ContentCondition = () => () => never;

/** Spans to read: those that match so far, or those of matching traces. */
function candidatesOf(resource: keyof typeof dialects, conditions: Bound[]): Bound {
  const text = conditions.map((condition) => condition.text).join(' AND ');
  const values = conditions.flatMap((condition) => condition.values);
  if (resource === 'spans') return { text, values };
  return { text: `${shown} AND span.trace IN (SELECT trace.id FROM trace WHERE ${text})`, values };
}
