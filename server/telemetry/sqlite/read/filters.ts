/** Translates the filters of lists to SQL conditions. */
import type { SQL } from 'drizzle-orm';
import type { Filter, ScorePredicate } from '../../../../shared/filter/filter-tree.ts';
import { agentNameIn, toolNameIn } from '../../../ingest/normalise/index.ts';
import { clauseCondition, type FilterDialect, filterConditions } from '../../filter-sql.ts';
import { isObject, storedJson, storedTags } from '../file/damaged.ts';
import { type ContentClause, splitFilter } from './content-clauses.ts';
import { spanDialect, traceDialect } from './filter-dialect.ts';
import type { ReadContext } from './read-context.ts';
import { ScoredRows } from './scored-rows.ts';

const dialects = { traces: traceDialect, spans: spanDialect } as const;

export class Filters {
  readonly #scoredRows: ScoredRows;

  constructor({ db, limit, damageReporter }: Pick<ReadContext, 'db' | 'limit' | 'damageReporter'>) {
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
    db.function('tool_name', { deterministic: true }, (name) => toolNameIn(String(name)));
    db.function('agent_name', { deterministic: true }, (name) => agentNameIn(String(name)));
    this.#scoredRows = new ScoredRows({ db, limit, damageReporter });
  }

  /** Ids of rows with a score that satisfies a predicate. */
  rowsWithScore(resource: keyof typeof dialects, scope: number, predicate: ScorePredicate): number[] {
    return this.#scoredRows.find(resource, scope, predicate);
  }

  /** Conditions on rows: of the clauses that need no contents, and what those that do imply. */
  conditions(resource: keyof typeof dialects, scope: number, filter: Filter): SQL[] {
    return filterConditions(splitFilter(filter).rows, this.#dialect(resource, scope));
  }

  /** The clauses that need contents, and the conditions in them that do not; null when there are none. */
  contents(resource: keyof typeof dialects, scope: number, filter: Filter): { clauses: ContentClause[]; columns: SQL[] } | null {
    const { content } = splitFilter(filter);
    const dialect = this.#dialect(resource, scope);
    return content && { clauses: content.clauses, columns: content.columns.map((member) => clauseCondition([member], dialect)) };
  }

  #dialect(resource: keyof typeof dialects, scope: number): FilterDialect<SQL> {
    return dialects[resource](scope, (predicate) => this.rowsWithScore(resource, scope, predicate));
  }
}
