/** How many of some traces have a span of a service, tool or agent, or an error of a type. */
import type { FacetName } from '../../../../shared/contract/tracing/trace-facets.ts';
import { agentNameIn, toolNameIn } from '../../../ingest/normalise/index.ts';
import { errorPattern } from '../../error-pattern.ts';
import { IdSet } from '../columns/bitmap.ts';
import { readMatches } from '../columns/read-matches.ts';
import { all, holds } from '../columns/row-conditions.ts';
import { matchesOf } from '../columns/span-columns.ts';
import { kinds, statuses } from '../file/codes.ts';
import { type SpanPlace, spanPlaceColumns } from '../signatures/span-bytes.ts';
import type { ReadContext } from './read-context.ts';
import { SpanContents } from './span-contents.ts';
import { isVisible } from './span-wire.ts';
import { inTime } from './time-limit.ts';

type Counts = Map<string, number>;

/** Failed spans that are looked at. */
export const errorsMax = 5000;
/** Different messages whose type is read; those of most traces. */
export const messagesMax = 100;

const [toolKind, agentKind] = [kinds.indexOf('tool'), kinds.indexOf('agent')];

interface ErrorRow extends SpanPlace {
  id: number;
  name: number;
  status_message: string | null;
}

export class SpanFacets {
  readonly #context: ReadContext;
  readonly #contents: SpanContents;
  readonly #errors;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#contents = new SpanContents(context);
    this.#errors = context.db.prepare<[string], ErrorRow>(
      `SELECT span.id, span.name, span.status_message, ${spanPlaceColumns} FROM json_each(?) AS place
       CROSS JOIN trace ON trace.id = place.value AND trace.error_count > 0 CROSS JOIN span ON span.trace = trace.id
       WHERE span.status = ${statuses.indexOf('ERROR')} AND ${isVisible} AND ${inTime('span.id')} ORDER BY place.key LIMIT ${errorsMax}`,
    );
  }

  names(scope: number, traces: readonly number[]): Record<Extract<FacetName, 'service' | 'tool' | 'agent'>, Counts> {
    const { spanColumns, limit, lookup } = this.#context;
    const [services, tools, agents] = [new TracesByTerm(), new TracesByTerm(), new TracesByTerm()];
    const check = () => limit.check();
    const ofTraces = all([holds('trace', { ids: IdSet.of(traces) }), holds('scope', { ids: IdSet.of([scope]) })]);
    const columns = ['trace', 'kind', 'name', 'service'] as const;
    readMatches(traces.length === 0 ? [] : matchesOf(spanColumns.groups(), ofTraces, check), columns, check, (values, row) => {
      const trace = values.trace[row] as number;
      const kind = values.kind[row] as number;
      services.add(values.service[row] as number, trace);
      if (kind === toolKind) tools.add(values.name[row] as number, trace);
      if (kind === agentKind) agents.add(values.name[row] as number, trace);
    });
    const text = (term: number) => lookup.text(term);
    return {
      service: services.count(text),
      tool: tools.count((term) => toolNameIn(text(term))),
      agent: agents.count((term) => agentNameIn(text(term))),
    };
  }

  /** The type is read once for errors of spans with the same name and, apart from numbers and the like, the same message. */
  errorTypes(traces: readonly number[]): Counts {
    const { limit, damageReporter } = this.#context;
    const rows = damageReporter.read('database', 'errors of traces', () => this.#errors.all(JSON.stringify(traces))) ?? [];
    const alike = [...Map.groupBy(rows, ({ name, status_message }) => `${name} ${errorPattern(status_message ?? '')}`).values()];
    alike.sort((a, b) => b.length - a.length);
    const tracesOf = new Map<string, Set<number>>();
    for (const errors of alike.slice(0, messagesMax)) {
      limit.check();
      const type = this.#contents.textsWith(errors[0] as ErrorRow, [], null)?.errorType;
      if (type) tracesOf.set(type, (tracesOf.get(type) ?? new Set()).union(new Set(errors.map(({ trace }) => trace))));
    }
    return new Map([...tracesOf].map(([type, found]) => [type, found.size]));
  }
}

class TracesByTerm {
  readonly #traces = new Map<number, Set<number>>();

  add(term: number, trace: number): void {
    const traces = this.#traces.get(term);
    if (traces) traces.add(trace);
    else this.#traces.set(term, new Set([trace]));
  }

  /** Number of traces by name, which several terms may have. Rows without a term have the id 0. */
  count(nameOf: (term: number) => string): Counts {
    const named = new Map<string, Set<number>>();
    for (const [term, traces] of this.#traces) {
      const name = term === 0 ? '' : nameOf(term);
      const others = named.get(name);
      if (name !== '') named.set(name, others ? others.union(traces) : traces);
    }
    return new Map([...named].map(([name, traces]) => [name, traces.size]));
  }
}
