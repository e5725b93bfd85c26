/** What happened in a range of time, for the dashboard. */
import type { Activity, ActivityQuery, ActivityTrace } from '../../../../shared/contract/viewer/activity.ts';
import { singleTracesInHourMax, singleTracesMax } from '../../../../shared/contract/viewer/activity-shape.ts';
import { toolNameIn } from '../../../ingest/normalise/index.ts';
import { countable } from '../../trace-tree.ts';
import { flag, statuses, types } from '../file/codes.ts';
import { storedTags } from '../file/damaged.ts';
import { readStoredId } from '../file/id-codec.ts';
import { ActivityCount } from './activity-count.ts';
import { visitActivity } from './activity-rows.ts';
import { sumOfTokens } from './bounded-sums.ts';
import type { ReadContext } from './read-context.ts';

const hourMs = 3_600_000;
const failed = statuses.indexOf('ERROR');
const call = types.indexOf('GENERATION');

interface SingleRow {
  id: number;
  trace_id: unknown;
  name: number;
  listed_us: number;
  latency_ns: number;
  status: number;
  error_count: number;
  pending_count: number;
  cost: number;
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
}

export class ActivityReads {
  readonly #context: ReadContext;
  readonly #singles;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#singles = context.db.prepare<[string], SingleRow>(
      `SELECT trace.id, trace_id, name, listed_us, latency_ns, status, error_count, pending_count, cost, input_tokens, output_tokens,
         coalesce((SELECT ${sumOfTokens('span.cache_read_tokens')} FROM span WHERE span.trace = trace.id AND span.type = ${call}
           AND (span.flags & ${flag.aggregate | flag.placeholder}) = 0), 0) AS cache_read_tokens
       FROM json_each(?) AS place CROSS JOIN trace ON trace.id = place.value ORDER BY listed_us, trace.id`,
    );
  }

  activity(scope: number, query: ActivityQuery): Activity {
    const count = new ActivityCount(query, (term) => this.#namesOf(query, term));
    const isWhole = visitActivity(this.#context, scope, query, count.traces, count.spans());
    const singlesMax = query.to - query.from <= hourMs ? singleTracesInHourMax : singleTracesMax;
    const isFew = isWhole && count.traceCount <= singlesMax;
    return { ...count.result(isWhole), traces: isFew ? this.#singleTraces(count.traceIds()) : null };
  }

  #namesOf({ by }: ActivityQuery, term: number): readonly string[] {
    const text = this.#context.lookup.text(term);
    if (by === 'tool') return [toolNameIn(text)];
    if (by !== 'tag') return [text];
    return (term !== 0 && this.#context.damageReporter.read('row', `term ${term}`, () => storedTags(text))) || [];
  }

  #singleTraces(ids: readonly number[]): ActivityTrace[] {
    const { damageReporter, lookup } = this.#context;
    const rows = damageReporter.fetch(
      'trace',
      ids,
      () => this.#singles.all(JSON.stringify(ids)),
      (id) => this.#singles.get(JSON.stringify([id])),
    );
    return damageReporter.rows('trace', rows, (row) => ({
      id: readStoredId(row.trace_id),
      name: lookup.text(row.name),
      at: Math.floor(row.listed_us / 1000),
      duration_ms: row.latency_ns / 1e6,
      has_failed: row.status === failed,
      errors: row.error_count,
      running: row.pending_count,
      cost: row.cost,
      input_tokens: row.input_tokens,
      output_tokens: row.output_tokens,
      cache_read_tokens: countable(row.cache_read_tokens),
    }));
  }
}
