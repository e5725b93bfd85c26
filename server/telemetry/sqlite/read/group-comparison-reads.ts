/** A group of runs against another: what separates them (server/telemetry/comparison). */
import type { ComparedGroups, ComparedGroupsQuery, SeparatingFact } from '../../../../shared/contract/tracing/compared-groups.ts';
import type { Filter } from '../../../../shared/filter/filter-tree.ts';
import { likeness, runFacts } from '../../comparison/run-facts.ts';
import { type FactPlace, type SeparatingFact as Separating, separatingFacts } from '../../comparison/separating-facts.ts';
import { noRow } from './lookup.ts';
import { newestTraces } from './newest-traces.ts';
import type { ReadContext } from './read-context.ts';
import { RunReads } from './run-reads.ts';

/** Spans of both groups together, shared out to their runs. */
const spansMax = 20_000;
const factsMax = 100;

/** Row ids of traces. */
export interface Group {
  ids: readonly number[];
  hasMore: boolean;
}

export class GroupComparisonReads {
  readonly #context: ReadContext;
  readonly #runs;
  readonly #names;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#runs = new RunReads(context);
    this.#names = context.db
      .prepare<[string], string>(
        `SELECT DISTINCT term.value FROM json_each(?) AS place CROSS JOIN trace ON trace.id = place.value
         JOIN term ON term.id = trace.name WHERE term.value <> ''`,
      )
      .pluck();
  }

  find(scope: number, query: ComparedGroupsQuery): ComparedGroups {
    const { a: filterA, b: filterB, a_ids, b_ids, ...selection } = query;
    const a = this.#group(scope, selection, { given: a_ids, filter: filterA, except: [] });
    const isGiven = b_ids !== undefined || filterB !== undefined;
    const b = isGiven
      ? this.#group(scope, selection, { given: b_ids, filter: filterB, except: a.ids })
      : this.goodRunsLike(scope, selection, a.ids);
    const { likeness: _, ...compared } = this.compareWithFirst(a, b, spansMax);
    return compared;
  }

  /** With how much each run, first those of `a`, is like the first of them. */
  compareWithFirst(a: Group, b: Group, spans: number): ComparedGroups & { likeness: number[] } {
    const most = Math.floor(spans / Math.max(1, a.ids.length + b.ids.length));
    const [runsA, runsB] = [a, b].map(({ ids }) => ids.map((id) => this.#runs.read(id, most, true))) as [Runs, Runs];
    const [factsA, factsB] = [runsA, runsB].map((runs) =>
      runs.map(({ steps, spanFacts }) => runFacts(steps, (spanId) => spanFacts.get(spanId) ?? [])),
    ) as [Facts, Facts];
    const { facts, compared } = separatingFacts(factsA, factsB);
    return {
      a: { runs: runsA.map(({ figures }) => figures), has_more: a.hasMore },
      b: { runs: runsB.map(({ figures }) => figures), has_more: b.hasMore },
      facts: facts.slice(0, factsMax).map(factOf),
      compared,
      likeness: [...factsA, ...factsB].map((other) => likeness(factsA[0] ?? new Map(), other)),
      is_whole: [...runsA, ...runsB].every(({ isWhole }) => isWhole),
    };
  }

  /** The newest others without errors that have the name of one of the traces. */
  goodRunsLike(scope: number, query: Selection, traces: readonly number[]): Group {
    const names = this.#names.all(JSON.stringify(traces));
    if (names.length === 0) return { ids: [], hasMore: false };
    return this.#newest(scope, query, goodRunsNamed(names), traces);
  }

  #group(scope: number, query: Selection, { given, filter, except }: Choice): Group {
    if (!given) return this.#newest(scope, query, filter, except);
    const ids = given.map((id) => this.#context.lookup.trace(scope, id)).filter((id) => id !== noRow && !except.includes(id));
    return { ids: [...new Set(ids)], hasMore: false };
  }

  #newest(scope: number, query: Selection, filter: Filter | undefined, except: readonly number[]): Group {
    const { limit, ...narrowing } = query;
    const { ids, isComplete } = newestTraces(this.#context, scope, { ...narrowing, filter }, limit + except.length);
    const others = ids.filter((id) => !except.includes(id));
    return { ids: others.slice(0, limit), hasMore: !isComplete || others.length > limit };
  }
}

/** Traces without errors. */
export const goodRunsNamed = (names: readonly string[]): Filter => ({
  clauses: [
    [{ kind: 'string', field: 'name', operator: 'in', values: [...names] }],
    [{ kind: 'numeric', field: 'errors', operator: 'equals', values: [0] }],
  ],
});

/** The traces of a group: those with the ids, otherwise those that pass the filter. */
interface Choice {
  given: readonly string[] | undefined;
  filter: Filter | undefined;
  /** Traces of the other group: a trace is in one only. */
  except: readonly number[];
}

/** What narrows both groups, and how many traces each has at most. */
type Selection = Omit<ComparedGroupsQuery, 'a' | 'b' | 'a_ids' | 'b_ids'>;

type Runs = ReturnType<RunReads['read']>[];
type Facts = ReturnType<typeof runFacts>[];

function factOf({ fact, a, b, separation }: Separating): SeparatingFact {
  const { kind, stepKind, name, agent, field, value } = fact;
  return { kind, step_kind: stepKind, name, agent, field, value, a: a.map(placeOf), b: b.map(placeOf), separation };
}

const placeOf = ({ run, spanId }: FactPlace) => ({ run, span_id: spanId });
